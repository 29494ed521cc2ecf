"""Random matches, played by the game and by its reference model, have the same table after each action.

Compared are the cards everywhere, the hands and notes, who must act, and the legal actions with their weights.
"""

import random
from collections import Counter

import pytest

from tavola.core import Match
from tavola.games.fairies import GAME
from tavola.games.fairies.reference_model import FAIRIES, Player, ReferenceModel
from tavola.show.testing import present

IN_TEST, IN_SOAK = 1, 400
"""Matches for each number of players."""


def check_equal(match: Match, model: ReferenceModel) -> None:
    document = match.document()
    for name, found, expected in (
        ("round, turn, deck and pile", _heaps(document), _heaps_of(model)),
        ("the King's picture", _grid(document["box"]["grid"], document["healed"]), _grid_of(model)),
        ("what everybody saw of it", _king_marks(document), model.seen),
        *((f"garden {seat}", _garden(document, seat), _garden_of(model, seat)) for seat in range(model.count)),
        *((f"hand {seat}", _hand(document, seat), _hand_of(model, seat)) for seat in range(model.count)),
        ("asked", match.to_act, () if model.phase == "over" else (model.actor(),)),
    ):
        assert found == expected, f"{name} in phase {model.phase}, {document['phase']}"
    if model.phase != "over":
        legal = match.chance_weights() or dict.fromkeys(match.legal_codes(), 1)
        assert legal == model.legal(), f"legal in phase {model.phase}, {document['phase']}"


def _without_none(counts):
    return {key: count for key, count in counts.items() if count}


def _heaps(document):
    box, covered = document["box"], set(map(int, document["covered"]))
    heaps = (document["begun"], document["first"], document["deck"], _without_none(box["deck"]), document["pile"])
    return heaps, set(box["kings"]), covered


def _heaps_of(model):
    heaps = (model.begun, model.first, model.deck.total(), _without_none(model.deck), model.pile)
    return heaps, set(model.kings), model.suffered


def _grid(cards, healed):
    return {place: "open" if str(place) in healed else card for place, card in enumerate(cards, 1)}


def _king_marks(document):
    looked, shields = (set(map(int, document[name])) for name in ("looked", "shielded"))
    assert shields <= looked
    return {place: "shield" if place in shields else "looked" if place in looked else "" for place in range(1, 10)}


def _grid_of(model):
    return {place: card or "none" for place, card in sorted(model.grid.items())}


def _garden(document, seat):
    garden = document["fairies"][seat]
    halves = {half: one["cards"][: one["count"]] for half, one in garden["halves"].items()}
    counts = (garden["wands"], garden["kings"], garden["healing"], garden["crowned"], garden["points"], garden["last"])
    return halves, set(garden["up"]), set(garden["shields"]), counts


def _garden_of(model, seat):
    one = model.seats[seat]
    counts = (len(one.wands), len(one.kings), one.healing, one.crowned, model.points(seat), one.last)
    return one.halves, one.up, set(one.shields), counts


def _hand(document, seat):
    hand = document["hands"][seat]
    known = [_without_none(one["wands"]) | dict.fromkeys(one["kings"], 1) for one in hand["known"]]
    grid = {place: card for place, card in enumerate(hand["grid"], 1) if card != "none"}
    return _without_none(hand["wands"]), set(hand["kings"]), grid, _without_none(dict(enumerate(known)))


def _hand_of(model, seat):
    one = model.seats[seat]
    known = {other: _without_none(cards) for other, cards in one.notes.hands.items()}
    return dict(Counter(one.wands)), set(one.kings), one.notes.grid, _without_none(known)


def compare(players: int, seed: int) -> int:
    draw = random.Random(seed * 10 + players)
    rounds = draw.choice([0, 30])
    match, model = Match(GAME, players=players, rounds=rounds), ReferenceModel(players, rounds)
    check_equal(match, model)
    while not match.over:
        odds = match.chance_weights() or dict.fromkeys(match.legal_codes(), 1)
        code = draw.choices(list(odds), list(odds.values()))[0]
        model.play(code)
        match.play(code, match.to_act[0])
        check_equal(match, model)
    assert set(present(match.result()).winners) == model.winners()
    return len(match.history)


@pytest.mark.bulk
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_twin_agrees(players: int) -> None:
    assert sum(compare(players, seed) for seed in range(IN_TEST)) > 200 * IN_TEST


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_twin_agrees_for_long(players: int) -> None:
    for seed in range(IN_TEST, IN_SOAK):
        compare(players, seed)


def test_the_twin_itself() -> None:
    """The example of the rulebook: 3 + 3 + 8 mana, 5 points for healing."""
    player = Player(up=set(FAIRIES))
    example = {"green": ("0", "3"), "blue": ("2", "1"), "red": ("3", "5")}
    for fairy, (star, tail) in example.items():
        player.halves[f"{fairy}-star"] = [f"gold-{star}" if fairy == "blue" else f"{fairy}-star-{star}"]
        player.halves[f"{fairy}-tail"] = [f"gold-{tail}" if fairy == "red" else f"{fairy}-tail-{tail}"]
    assert [player.mana(fairy) for fairy in FAIRIES] == [3, 3, 8]
    assert (player.active_mana(), player.stars()) == (14, 5)
