"""Random matches, played by the game and by its reference model, have the same table after each action.

Compared are the cards everywhere, the hands and notes, who must act, and the legal actions with their weights.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tavola.core import Match
from tavola.games.fairies import GAME
from tavola.games.fairies.reference_model import FAIRIES, Player, ReferenceModel
from tavola.show.testing import present


def check_equal(match: Match, model: ReferenceModel) -> None:
    document = match.document()
    for name, found, expected in _compared(document, model):
        assert found == expected, f"{name} in phase {model.phase}, {document['phase']}"
    if model.phase == "over":
        assert match.over
        return
    assert match.to_act == (model.actor(),)
    legal = match.chance_weights() or dict.fromkeys(match.legal_codes(), 1)
    assert legal == model.legal(), f"legal in phase {model.phase}, {document['phase']}"


def _compared(document: dict[str, Any], model: ReferenceModel) -> Iterator[tuple[str, object, object]]:
    box, places = document["box"], range(1, 10)
    heaps = [document[name] for name in ("begun", "first", "deck", "pile")]
    yield "round, turn, deck and pile", heaps, [model.begun, model.first, model.deck.total(), model.pile]
    yield "cards of the deck", _counted(box["deck"]), _counted(model.deck)
    yield "King's cards in unknown places", set(box["kings"]), set(model.kings)
    yield "covered", set(map(int, document["covered"])), model.suffered
    picture = {n: "open" if str(n) in document["healed"] else card for n, card in enumerate(box["grid"], 1)}
    yield "the King's picture", picture, {place: card or "none" for place, card in model.grid.items()}
    yield "looked at", document["looked"], [str(place) for place in places if model.seen[place]]
    yield "seen shields", document["shielded"], [str(place) for place in places if model.seen[place] == "shield"]
    for seat, one in enumerate(model.seats):
        garden, hand = document["fairies"][seat], document["hands"][seat]
        halves = {half: cards["cards"][: cards["count"]] for half, cards in garden["halves"].items()}
        yield f"halves {seat}", halves, one.halves
        yield f"awake {seat}", set(garden["up"]), one.up
        yield f"shields {seat}", set(garden["shields"]), set(one.shields)
        counts = [garden[name] for name in ("wands", "kings", "healing", "crowned", "points", "last")]
        held = [len(one.wands), len(one.kings)]
        yield f"counts {seat}", counts, [*held, one.healing, one.crowned, model.points(seat), one.last]
        yield f"hand {seat}", _cards(hand), Counter(one.wands + one.kings)
        yield f"grid {seat}", {place: card for place, card in enumerate(hand["grid"], 1) if card != "none"}, one.grid
        known = [_counted(one.known[other]) for other in range(len(hand["known"]))]
        yield f"known {seat}", [*map(_cards, hand["known"])], known


def _counted(counts: Mapping[str, int]) -> Counter[str]:
    return +Counter(counts)


def _cards(hand: dict[str, Any]) -> Counter[str]:
    return _counted(hand["wands"]) + Counter(hand["kings"])


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
@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, 400), marks=pytest.mark.soak)], ids=["few", "many"])
def test_the_twin_agrees(players: int, seeds: range) -> None:
    assert sum(compare(players, seed) for seed in seeds) > 200 * len(seeds)


def test_the_twin_itself() -> None:
    """The example of the rulebook: 3 + 3 + 8 mana, 5 points for healing."""
    player = Player(up=set(FAIRIES))
    for fairy, (star, tail) in {"green": ("0", "3"), "blue": ("2", "1"), "red": ("3", "5")}.items():
        player.halves[f"{fairy}-star"] = [f"gold-{star}" if fairy == "blue" else f"{fairy}-star-{star}"]
        player.halves[f"{fairy}-tail"] = [f"gold-{tail}" if fairy == "red" else f"{fairy}-tail-{tail}"]
    assert [player.mana(fairy) for fairy in FAIRIES] == [3, 3, 8]
    assert (player.active_mana(), player.stars()) == (14, 5)
