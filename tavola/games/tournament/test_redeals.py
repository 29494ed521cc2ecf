"""Redeals against an independent enumeration: every deal that agrees with what a seat knows, each equally likely.

Cards are words here, and jokers are numbered as in a shuffled pack: `joker 0`, `joker 1`.
"""

from collections import Counter
from itertools import combinations
from math import sqrt
from typing import Any

import pytest

from tavola.contract.samples import redealt
from tavola.core import stream
from tavola.games.tournament.components import CARDS, VALUED
from tavola.games.tournament.fixtures import (
    cards,
    deck,
    fight,
    finish_trade,
    fought,
    held_values,
    match_at,
    offer,
    trade,
)
from tavola.games.tournament.reference_model import has_set, kind_of
from tavola.show.testing import play
from tavola.show.words import members_of

ONE, TWO = "s1 h1 l1 a1", "s2 h2 l2 a2"
BOUND = 4.5
"""Standard deviations by which a share may differ from the true one."""
SLACK = 0.004
"""Trace of a deal's start that may remain, as a share."""


def label_jokers(cards):
    return [*(card for card in cards if card != "joker"), *(f"joker {n}" for n in range(cards.count("joker")))]


def unlabel_jokers(cards):
    return [card.split()[0] for card in cards]


def all_held(hand):
    return [*hand["cards"], *["joker"] * hand["jokers"], *(card for card in hand["laid"].values() if card != "none")]


def may_hold(document, seat, other, hand):
    """Return whether these cards of a hand are consistent with its offers and with a duel about to begin."""
    plainly, whispered = Counter(unlabel_jokers(hand)), document["hands"][seat]["terms"][other].values()
    if any(Counter(card for card in terms["given"] if card != "none") - plainly for terms in whispered):
        return False
    kinds = Counter(map(kind_of, plainly.elements()))
    if any(Counter(one["gives"]) - kinds for one in document["offers"][other].values()):
        return False
    duellist = document["phase"] in ("ballot", "arming") and other in document["duel"]["seats"]
    return not duellist or has_set(unlabel_jokers(hand))


def worlds(document, seat):
    """Yield every possible deal of the hidden cards: hands by seat, and the pile."""
    players, own = len(document["hands"]), Counter(all_held(document["hands"][seat]))
    hidden = label_jokers(list((Counter(deck(players)) - own).elements()))
    others = [other for other in range(players) if other != seat]
    sure = {}
    for other in others:  # a seat that gave a joker away knows that very one
        note = document["hands"][seat]["known"][other]
        jokers = [card for card in hidden if card.startswith("joker")][: note["jokers"]]
        sure[other] = {*note["cards"], *jokers}
        hidden = [card for card in hidden if card not in sure[other]]
    rooms = {other: len(all_held(document["hands"][other])) - len(sure[other]) for other in others}

    def deal(left, still):
        if not still:
            if set(left) <= set(document["discarded"]):
                yield {"pile": set(left)}
            return
        other, *following = still
        for more in combinations(left, rooms[other]):
            if may_hold(document, seat, other, sure[other] | set(more)):
                for world in deal([card for card in left if card not in more], following):
                    yield {**world, other: sure[other] | set(more)}

    yield from deal(hidden, others)


def features(world):
    """Yield what is counted of a deal: where each card is, and each owner's jokers and numbers of each kind."""
    for owner, held in world.items():
        sorts = Counter(map(kind_of, unlabel_jokers(held)))
        yield owner, tuple(sorted(sorts.items()))
        yield from ((owner, card) for card in unlabel_jokers(held) if card != "joker")
        yield owner, "jokers", sorts["joker"]


def redeals(match, seat, count):
    view, others = match.view(seat), [other for other in range(match.players) if other != seat]
    for number in range(count):
        states = redealt(view, stream(number))
        hands = {other: _hand(states["hand"][0, other]) for other in others}
        yield {"pile": set(_cards(states["box"]["cards"][0])), **hands}


def _hand(record):
    laid = [CARDS[card - 1] for card in record["laid"] if card]
    return set(label_jokers([*_cards(record["cards"]), *["joker"] * int(record["jokers"]), *laid]))


def _cards(mask):
    return [VALUED[place] for place in members_of(int(mask))]


def cried_match():
    """Return a match with announced offers of several cards by two seats; one card was drawn from the pile."""
    thrown: dict[str, Any] = {"pile": "h4 l4 a4", "discarded": cards("s4 h4 l4 a4")}
    match = match_at(["", "s1 s4 h1 j l1", "s2 h2 a2 a1"], rest=0, purse=(10, 8, 10), **thrown)
    offer(match, 1, "all", "give sword-1", "give sword-4")
    offer(match, 1, "all", "give shield-1", "give joker")
    return offer(match, 2, "all", "give sword-2", "give armour-2")


def noted_match():
    match = trade(match_at(["j s1", "j s2 h2", "s3 h3 l3 a3"], rest=0), 0, 1, "give sword-1", "give joker")
    return offer(match, 1, "all", "give sword-1", "give shield-2")


def ballot(first, second, **fields):
    return finish_trade(match_at(["", first, second], rest=0, begun=3, **fields))


POSITIONS = {
    "a joker for any kind": lambda: ballot("s1 h1 l1 j", "s2 h2 l2 a2"),
    "jokers for several kinds": lambda: ballot("s1 h1 j j", "s2 j l2 a2 a1"),
    "kinds of which one is left": lambda: ballot("s1 h1 l1 a1", "s2 s3 j j j"),
    "one duellist": lambda: finish_trade(match_at(["", "s1 h1 l1 j j", "s2 h2 l2 s4 h4"], rest=0)),
    "a card that was drawn": lambda: ballot(
        "s1 h1 l1 a4", "s2 j l2 a2", pile="s4 h4 l4", discarded=cards("s4 h4 l4 a4"), purse=(8, 10, 10)
    ),
    "cards on the boxes": lambda: play(fight(ballot("s1 h1 l1 j", "s2 h2 j a2 a3"), "s1", "s2"), "equip shield 1"),
    "whispered": lambda: offer(match_at(["", "s1 h1 j l3", "s2 a2 l2 l1"], rest=0), 1, 0, "give lance-3", "give joker"),
    "cried": cried_match,
    "noted": noted_match,
}


@pytest.mark.parametrize("count", [1_000, pytest.param(20_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", POSITIONS)
def test_every_deal_that_agrees_is_as_likely(name, count):
    """R10, R12, R15, R31: where each card is, and the numbers of kinds and jokers, within statistical error."""
    match = POSITIONS[name]()
    all_worlds = list(worlds(match.document(), 0))
    assert len(all_worlds) > 10
    true, found = (
        Counter(feature for world in few for feature in features(world))
        for few in (all_worlds, redeals(match, 0, count))
    )
    assert found.keys() <= true.keys()
    for feature, times in true.items():
        share = times / len(all_worlds)
        bound = BOUND * sqrt(share * (1 - share) / count) + SLACK
        assert abs(found[feature] / count - share) <= bound, (feature, share, found[feature] / count)


# What a seat knows for certain: R12, F9


def known_cards(match, seat, other):
    note = match.document()["hands"][seat]["known"][other]
    return {*note["cards"], *["joker"] * bool(note["jokers"])}


@pytest.mark.parametrize(
    ("traded", "known", "partners"),
    [
        ([], {"sword-1", "shield-1", "joker"}, {"lance-2"}),
        ([2, "give shield-2"], set(), {"lance-2"}),
        ([2, "give shield-2", "ask armour-1"], {"sword-1", "joker"}, {"lance-2"}),
        ([0, "give sword-1"], {"shield-1", "joker"}, {"lance-2", "sword-1"}),
    ],
    ids=["nothing", "whispered", "cried", "back"],
)
def test_partners_note_what_they_gave_until_it_may_have_left(traded, known, partners):
    """R12, F9: a whisper of others ends every note about the hand, a cry those of its kinds; own deals are seen."""
    match = match_at([f"{ONE} j", TWO, ""])
    trade(match, 0, 1, "give sword-1", "give shield-1", "give joker", "ask lance-2")
    if traded:
        trade(match, 1, *traded, cried=len(traded) > 2)
    assert (known_cards(match, 0, 1), known_cards(match, 1, 0)) == (known, partners)
    assert known_cards(match, 2, 0) == set()


def test_cards_that_all_see_in_a_duel_come_off():
    """R12, F9: when the eight cards turn, not before; beaten cards, which all see enter a hand, are not noted."""
    match = trade(match_at([f"{ONE} s2 h2 l2 a2", "h3 l3 a3 s3", ""]), 0, 1, "give sword-1", "ask shield-3")
    trade(match, 0, 1, "give shield-1")
    fight(finish_trade(match), "s2 h2 l2", "s1 h1 l3")
    assert known_cards(match, 0, 1) == {"sword-1", "shield-1"}
    assert known_cards(play(match, "equip armour 2", "equip armour 3"), 0, 1) == set()
    match = fought(ONE, TWO, "")
    assert held_values(match, 1) == {"sword-1", "shield-1", "lance-1", "armour-1"}
    assert known_cards(match, 0, 1) == known_cards(match, 2, 1) == set()


@pytest.mark.parametrize(("gives", "asks"), [(1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("cried", [False, True], ids=["whispered", "announced"])
def test_after_a_trade_of_jokers_each_partner_knows_the_joker_it_gave(gives, asks, cried):
    """R12, F9: cards that leave are removed before those that enter are noted; for both partners."""
    match = match_at(["j j", "j j", "", ""])
    trade(match, 0, 1, *["give joker"] * gives, *["ask joker"] * asks, cried=cried)
    hands = match.document()["hands"]
    assert (hands[0]["known"][1]["jokers"], hands[1]["known"][0]["jokers"]) == (gives, asks)
    trade(match, 1, 0, *["give joker"] * gives, "ask joker")
    hands = match.document()["hands"]
    assert hands[0]["known"][1]["jokers"] == 1  # `gives` less `gives`, and the one that is given now
    assert hands[1]["known"][0]["jokers"] == max(0, asks - 1) + gives
