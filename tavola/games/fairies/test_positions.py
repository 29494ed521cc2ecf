"""Position documents: invalid ones are refused by name. Also the evaluation of positions by bots."""

from functools import partial
from typing import Any

import pytest

from tavola.core import BadPosition, Match
from tavola.games.fairies import GAME
from tavola.games.fairies.components import TREASURES
from tavola.games.fairies.fixtures import STRONG, THREE, match_at
from tavola.games.fairies.heuristics import EVALUATE_AFTER
from tavola.show import testing
from tavola.show.testing import play


def same_position(match: Match, **fields: Any) -> Match:
    return Match(GAME, position={**match.document(), **fields})


@pytest.mark.parametrize(
    ("hands", "fields", "why"),
    [
        # Phases in which something must be done that cannot be
        (["gold-1", ""], {"phase": "steal", "victim": 1}, "victim: expected a hand with a card to steal"),
        (["gold-1", "gold-2"], {"phase": "steal", "victim": 0}, "victim: expected a seat other than"),
        (["", "gold-1"], {"phase": "refill", "due": 1, "victim": 0}, "victim: expected a seat other than"),
        (["", "gold-1"], {"phase": "exchange", "victim": 1, "aside": "gold-5"}, "a wand card in hand"),
        (["gold-1", ""], {"phase": "exchange", "aside": "gold-5"}, "victim: expected a seat other than"),
        (["", ""], {"phase": "discard"}, "a wand card in hand that can go back"),
        (["", "gold-1"], {"phase": "draw", "due": 0}, "due: expected cards to draw"),
        (["", ""], {"phase": "look", "healed": "123456789"}, "healed: expected two face-down King's cards"),
        (["", ""], {"phase": "look", "healed": "12345678"}, "healed: expected two face-down King's cards"),
        (["", ""], {"phase": "glimpse", "healed": "12345678", "place": "9"}, "healed: expected two face-down King's"),
        (["", ""], {"phase": "glimpse"}, "place: expected one of the King's cards while it is looked at"),
        (["", ""], {"phase": "glimpse", "healed": "1", "place": "1"}, "place: expected a face-down King's card"),
        (["", ""], {"phase": "glimpse", "place": "1", "other": "1"}, "other: expected the first of two"),
        (["", ""], {"phase": "pick"}, "place: expected one of the King's cards while it is looked at"),
        (["", ""], {"phase": "pick", "place": "1"}, "other: expected the first of two cards looked at"),
        (["", ""], {"phase": "pick", "place": "1", "other": "2"}, "expected the card of place 1, which is looked at"),
        (["", ""], {"phase": "reveal"}, "place: expected one of the King's cards while it is looked at"),
        (["", ""], {"phase": "reveal", "healed": "3", "place": "3"}, "place: expected a face-down King's card"),
        (["", ""], {"phase": "reveal", "healed": "123456789", "place": "3"}, "place: expected one of the King's"),
        ([" ".join(TREASURES), ""], {"phase": "reveal", "healed": "123456789"}, "pile: expected a card to draw"),
        (["", ""], {"phase": "choose", "place": "3"}, "place: expected a shield that is being looked at"),
        (["", ""], {"phase": "heal", "healed": "123456789", "place": "3"}, "place: expected .* and none otherwise"),
        (["", ""], {"phase": "heal", "other": "3"}, "other: expected .* and none otherwise"),
        # Rounds and cards that never come to an end
        (["", ""], {"begun": 31}, "begun: expected at most 30"),
        (["", ""], {"turns": 2}, "turns: expected fewer than 2"),
        (["", ""], {"turns": 1, "seat": 1, "first": 1}, "seat: expected 0, whose turn it is after 1 turns"),
        (["", ""], {"dealt": 3}, "dealt: expected 8, four wand cards per seat"),
        (["", ""], {"phase": "over"}, "ending: expected the King's shield"),
        (["", ""], {"phase": "lot", "begun": 0, "first_player": "1", "dealt": 0}, "phase: expected no draw"),
        (["gold-1", ""], {"phase": "lot", "begun": 0, "dealt": 1}, "dealt: .* none before the first player is drawn"),
        (["gold-1", ""], {"phase": "lot", "begun": 0, "dealt": 0}, "deck: expected 80 cards after 0 are dealt"),
        (["", "gold-1"], {"phase": "deal", "begun": 0, "dealt": 1}, "fairies.0: expected 1 wand cards in hand"),
        (["", ""], {"phase": "deal", "begun": 0, "dealt": 0, "healed": "1"}, "expected the King's cards untouched"),
    ],
)
def test_a_position_that_is_none_is_refused_by_name(hands, fields, why):
    with pytest.raises(BadPosition, match=why):
        match_at(hands, ["", ""], **fields)


@pytest.mark.parametrize(
    ("looked", "shielded", "why"),
    [
        (["4"], [], "looked: expected place 4 only if a seat knows its face-down card"),
        (["5"], [], "looked: expected place 5 only if a seat knows its face-down card"),
        (["6"], ["6"], "shielded: expected place 6 only if its shield was looked at"),
        ([], ["7"], "shielded: expected place 7 only if its shield was looked at"),
    ],
)
def test_marks_are_on_cards_that_a_seat_knows(looked, shielded, why):
    """R42, F16: place 5 is healed; places 4 and 8 are unknown to all."""
    match = match_at(["", ""], healed="5", looked={6: "piece-1", 7: "four"})
    assert same_position(match, looked=["6", "7"], shielded=["7"]).legal_codes()
    with pytest.raises(BadPosition, match=why):
        same_position(match, looked=looked, shielded=shielded)


def test_the_last_plays_are_three_cards_and_a_seat_knows_those_that_it_looks_at():
    """R37, R25."""
    match = play(match_at(["crown", "gold-1"], [STRONG, THREE], phase="heal", healed="123456789"), "crown")
    gardens = match.document()["fairies"]
    gardens[1]["last"] = 3
    with pytest.raises(BadPosition, match="passed: expected seat 1, which has played 3 cards"):
        same_position(match, fairies=gardens)
    match = play(match_at(["peek", ""], [THREE, ""], phase="heal"), "use peek", "look 4", "king piece-2")
    hands = match.document()["hands"]
    hands[0]["grid"][3] = "none"
    with pytest.raises(BadPosition, match=r"hands\.0\.grid: expected the card of place 4, which is looked at"):
        same_position(match, hands=hands)


def test_the_shield_of_equals_needs_a_power():
    """R22: one of four, against a seat that is not stronger and not spared, and has something to take."""
    used: dict[str, Any] = {"phase": "equal", "used": ["equal"]}
    for hands, own, theirs in (
        (["", "gold-1"], "green:1/1 +equal", "green:1/1"),
        (["gold-1", ""], "blue:1/1 +equal", "blue:1/1"),
        (["", ""], "red:1/1 +equal", "red:1/1 +four"),
        (["", ""], f"{THREE} +equal", THREE),
    ):
        assert match_at(hands, [own, theirs], **used).legal_codes()
    for hands, own, theirs, fields in (
        (["gold-1", "gold-1"], "green:1/1 blue:1/1 red:1/1 +equal", STRONG, {}),
        (["gold-1", ""], "green:1/1 +equal", "green:1/1", {}),
        (["", "gold-1"], "blue:1/1 +equal", "blue:1/1", {}),
        (["", ""], "red:1/1 +equal +four", "red:1/1", {}),
        (["", ""], f"{THREE} +equal", THREE, {"covered": ["1"]}),
        (["", ""], f"{THREE} +equal", THREE, {"guarded": ["1"]}),
    ):
        with pytest.raises(BadPosition, match="phase: expected a power that equal mana is enough for"):
            match_at(hands, [own, theirs], **(used | fields))


def test_a_card_of_the_king_is_not_in_three_places():
    """R4: as sums of bits, the first piece three times equals the first and the second."""
    match = match_at(["", ""], looked={2: "piece-3", 3: "piece-4"}, healed="1")
    box = match.document()["box"]
    box["kings"] = [king for king in [*box["kings"], "piece-3", "piece-4"] if king != "piece-2"]
    box["grid"][1:3] = ["piece-1", "piece-1"]
    with pytest.raises(BadPosition, match="each of the eighteen once"):
        same_position(match, box=box)


evaluated_chances = partial(testing.evaluated_chances, played=EVALUATE_AFTER)


def test_a_position_is_judged_some_way_on_when_a_turn_begins():
    match = match_at(["gold-1", ""], [STRONG, THREE])
    assert evaluated_chances(match) is not None
    assert evaluated_chances(match, played=EVALUATE_AFTER - 1) is None
    assert evaluated_chances(play(match, "joker 1 0 green-star")) is None
    assert evaluated_chances(match_at(["gold-1", ""], [STRONG, THREE], phase="energy")) is None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chances_are_shared_and_the_better_garden_has_more(players):
    found = evaluated_chances(match_at([""] * players, [THREE, STRONG, *[THREE] * (players - 2)]))
    assert found.sum() == pytest.approx(1)
    assert found.argmax() == 1
    assert found.min() > 0


def test_the_same_lead_is_worth_more_near_the_end():
    early, late = (evaluated_chances(match_at(["", ""], [STRONG, THREE], begun=begun)) for begun in (1, 30))
    whole = evaluated_chances(match_at(["crown", ""], [STRONG, THREE], begun=30, healed="123456789"))
    assert early[0] > 0.5
    assert whole[0] > late[0] > 0.5
