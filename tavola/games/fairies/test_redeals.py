"""Redeals sample the worlds that agree with a view, each equally likely.

The worlds are listed here by brute force, every card in every place, without those that contradict the seat's
knowledge. No code of the redeal is used. Each share is compared with how often the redeal deals it.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from tavola.contract.samples import redealt
from tavola.core import Match, stream
from tavola.games.fairies.components import KINGS, SHIELDS, WANDS
from tavola.games.fairies.fixtures import STRONG, THREE, match_at, steal
from tavola.show.testing import play

DEALS = 1_000
SURE = 5.0
"""Standard errors that a share may be off; chance exceeds them less than once in a million."""
World = dict[str, str | tuple[str, ...]]


def redeal_places(match: Match, seat: int) -> Iterator[World]:
    view, others = match.view(seat), [other for other in range(match.players) if other != seat]
    for number in range(DEALS):
        states = redealt(view, stream(11, number))
        held = states["hand"]["kings"][0]
        world: World = {
            f"hand {other}": tuple(KINGS[9 + k] for k in range(9) if held[other] >> k & 1) for other in others
        }
        yield world | {f"place {k + 1}": KINGS[card - 1] for k, card in enumerate(states["box"]["grid"][0]) if card}


def enumerate_worlds(hidden: list[str], slots: list[str], only_shields: set[str]) -> list[World]:
    worlds = []
    for cards in permutations(hidden, len(slots)):
        laid = list(zip(slots, cards, strict=True))
        if any(slot in only_shields and card.startswith("piece") for slot, card in laid):
            continue
        world: World = {slot: card for slot, card in laid if slot.startswith("place")}
        for seat in sorted({slot for slot in slots if slot.startswith("hand")}):
            world[seat] = tuple(sorted((card for slot, card in laid if slot == seat), key=KINGS.index))
        worlds.append(world)
    return worlds


def check_shares(found: list[World], expected: list[World]) -> None:
    for size in (1, 2):
        for places in combinations(expected[0], size):
            shares, dealt = (Counter(tuple(world[one] for one in places) for world in few) for few in (expected, found))
            assert dealt.keys() <= shares.keys(), f"{places}: {dealt.keys() - shares.keys()} is impossible"
            for cards, count in shares.items():
                mean = len(found) * count / len(expected)
                error = np.sqrt(mean * (1 - count / len(expected)))
                assert abs(dealt[cards] - mean) <= SURE * error + 1, (
                    f"{places}: {cards} {dealt[cards]} times for {mean:.1f}"
                )


def match_peeked(phase: str) -> tuple[Match, list[str], list[str]]:
    """Return a match in which seat 1 uses `peek`, the King's cards hidden from seat 0, and their slots.

    There is one slot in hand 1, two in hand 2, and one for each place looked at.
    """
    hands, gardens = ["four extra lone", "equal", "again crown"], ["+wake", f"{THREE} +peek", ""]
    looked = {7: "piece-8"} if phase == "look" else {9: "guard", 7: "piece-8"}
    fields: dict[str, Any] = {"seat": 1, "turns": 1, "healed": "123456", "looked": looked, "used": ["peek"]}
    fields |= {"look": {"other": "7"}, "pick": {"other": "7", "place": "9"}, "choose": {"place": "9"}}[phase]
    hidden = ["piece-7", "piece-8", "piece-9", "equal", "again", "guard", "crown"]
    slots = ["hand 1", "hand 2", "hand 2", *(f"place {place}" for place in looked)]
    return match_at(hands, gardens, phase=phase, **fields), hidden, slots


@pytest.mark.parametrize("phase", ["look", "pick", "choose"])
def test_redeals_of_a_seat_that_watches_a_look_are_uniform(phase):
    """R25, R42: hands hold only shields; a card looked at may be anything, but in `choose` one place has a shield."""
    match, hidden, slots = match_peeked(phase)
    only = {"hand 1", "hand 2", *(["place 9"] if phase == "choose" else [])}
    check_shares([*redeal_places(match, 0)], enumerate_worlds(hidden, slots, only))


def marks_after(match: Match, *codes: str) -> tuple[list[str], list[str]]:
    document = play(match, *codes).document()
    return document["looked"], document["shielded"]


def test_a_shield_that_was_put_back_is_dealt_as_a_shield():
    """R42, F16: all saw that it is a shield; other cards that were looked at may be anything."""
    match, hidden, slots = match_peeked("pick")
    assert marks_after(match, "turn 9", "leave") == (["7", "9"], ["9"])
    check_shares([*redeal_places(match, 0)], enumerate_worlds(hidden, slots, {"hand 1", "hand 2", "place 9"}))
    seen = {"again", "crown", "wake", "peek"}  # in the seat's own hand and on the table
    hidden = [king for king in KINGS[6:] if king not in seen]
    slots = ["hand 0", "hand 0", "hand 0", "hand 1", "place 9", "place 7"]
    check_shares([*redeal_places(match, 2)], enumerate_worlds(hidden, slots, {"hand 0", "hand 1", "place 9"}))


def test_a_mark_moves_with_the_card_and_ends_when_it_is_taken_or_turned_up():
    """R25, R29, R30, R42, F16: of two cards looked at, one is turned up; in its own place its mark is removed.

    A shield that all saw is still known as one after another player has looked at it.
    """
    moved, turned, kept = (
        match_at(hands, [THREE, THREE], phase="heal") for hands in (["", ""], ["peek", ""], ["", "peek"])
    )
    assert marks_after(moved, "turn 5", "king peek", "leave") == (["5"], ["5"])
    assert marks_after(moved, "done", "done", "turn 2", "king piece-5") == (["2"], ["2"])
    assert marks_after(moved, "done", "done", "turn 2", "king peek", "take") == ([], [])
    assert marks_after(turned, "use peek", "look 4", "king piece-1") == (["4"], [])
    assert marks_after(turned, "look 6", "king piece-6") == (["4", "6"], [])
    assert marks_after(turned, "turn 6") == (["4"], [])
    assert marks_after(turned, "done", "done", "turn 4", "king piece-1") == ([], [])
    assert marks_after(kept, "turn 5", "king guard", "leave") == (["5"], ["5"])
    assert marks_after(kept, "done", "done", "use peek", "look 5", "king guard") == (["5"], ["5"])


# What is known: R42, F10


def test_what_went_by_theft_is_known_until_backs_leave():
    match = match_at(["gold-1", "gold-0 gold-3", "gold-2"], ["green:2/1", "green:1/1", "green:3/3"], phase="energy")
    steal(match, 1, "gold-3")
    assert {WANDS[k] for k, n in enumerate(match.view(1).hand.known[0].wands) if n} == {"gold-3"}
    assert not any(match.view(2).hand.known[0].wands)
    play(match, "done", "done")  # seat 0 heals nothing; seat 1 begins
    play(match, "done", "done", "done")
    steal(match, 0, "gold-1")  # seat 2 steals from seat 0: seat 1 sees a back
    assert not any(match.view(1).hand.known[0].wands)


def test_a_card_shown_comes_off_the_note():
    match = steal(match_at(["", "gold-3"], ["green:3/3", "green:1/1"], phase="energy"), 1, "gold-3")
    assert sum(match.view(1).hand.known[0].wands) == 1
    play(match, "done", "done", "done", "done", "joker 3 0 red-star")
    assert sum(match.view(1).hand.known[0].wands) == 0


def test_a_king_card_looked_at_is_known_in_the_hand_that_takes_it():
    codes = ("turn 5", "king peek", "leave", "done", "done", "turn 5", "king peek", "take")
    hand = play(match_at(["", ""], [STRONG, STRONG], phase="heal"), *codes).view(0).hand
    assert (hand.known[1].kings, hand.grid[4]) == (1 << SHIELDS.index("peek"), 0)
