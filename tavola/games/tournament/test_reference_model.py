"""Random matches, played by the game and by its reference model, have the same table after each action.

Compared are the cards everywhere, the hands and notes, who must act, and the legal actions with their weights.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from tavola.core import CHANCE, Match
from tavola.games.tournament import GAME
from tavola.games.tournament.reference_model import ORDER, Offer, ReferenceModel, answer_request, has_set, kind_of
from tavola.show.testing import present

CHOICES: dict[str, list[Any]] = {
    "prize": [5, 0, 3],
    "rising_prize": ["off", "on"],
    "price": [2, 1, 5],
    "deal": ["shuffled", "kinds", "thirds"],
    "offer_limit": [6, 2, 1],
    "empty_rounds": ["held", "skipped"],
    "rounds": [20, 3],
}
LIKELY = {"give": 1, "ask": 1, "pay": 1, "charge": 1, "forfeit": 2, "done": 30}
"""Weights of verbs; all others have 15."""


def check_equal(match: Match, model: ReferenceModel) -> None:
    document = match.document()
    for name, found, expected in _compared(document, model):
        assert found == expected, f"{name} in phase {model.phase}, {document['phase']}"
    assert match.to_act == tuple(CHANCE if actor == "*" else actor for actor in model.actors())
    if match.to_act == (CHANCE,):
        odds = {code: weight for code, weight in match.chance_weights().items() if weight}
        assert odds == model.odds(), f"odds in phase {model.phase}"
    else:
        for seat in match.to_act:
            assert set(match.legal_codes(seat)) == model.legal(seat), f"legal for {seat} in phase {model.phase}"


def _compared(document: dict[str, Any], model: ReferenceModel) -> Iterator[tuple[str, object, object]]:
    """Yield the name of each thing, as the game has it, and as its model does."""
    yield "round", [document[key] for key in ("begun", "fought", "phase")], [model.begun, model.fought, model.phase]
    pile = (document["pile"], document["box"]["cards"]) if model.begun else (0, [])
    yield "pile", pile, (len(model.pile), sorted(model.pile, key=ORDER.index))
    yield "discarded", set(document["discarded"]), model.discarded
    for seat, one in enumerate(model.knights):
        counts = [document[key][seat] for key in ("purse", "held", "won", "published")]
        yield f"counts {seat}", counts, [one.purse, len(one.hand), one.won, one.published]
        yield f"flags {seat}", [str(seat) in document[key] for key in ("out", "done")], [one.out, one.done]
        yield f"offers {seat}", *_offers(document["offers"][seat], one.standing)
        yield from ((f"{name} {seat}", found, expected) for name, found, expected in _hand(document, seat, model))


def _offers(offers: dict[str, Any], standing: dict[int, Offer]) -> tuple[object, object]:
    sides = {"gives": "give", "asks": "ask"}
    found = {
        int(number): [o["to"], o["given"], o["asked"], o["pay"], o["charge"], *(+Counter(o[side]) for side in sides)]
        for number, o in offers.items()
        if o["to"] != "nobody"
    }
    expected = {}
    for number, o in standing.items():
        sorts = [Counter(map(kind_of, getattr(o, side) if o.to == "all" else [])) for side in sides.values()]
        expected[number] = [o.to, len(o.give), len(o.ask), o.pay, o.charge, *sorts]
    return found, expected


def _hand(document: dict[str, Any], seat: int, model: ReferenceModel) -> Iterator[tuple[str, object, object]]:
    one, hand = model.knights[seat], document["hands"][seat]
    yield "hand", _cards(hand), Counter(one.hand)
    yield "known", [*map(_cards, hand["known"][: model.count])], [Counter(one.notes[n]) for n in range(model.count)]
    for maker, knight in enumerate(model.knights):
        for number, terms in hand["terms"][maker].items():
            offer = knight.standing.get(int(number))
            is_known = offer and (maker == seat or offer.to == str(seat))
            sides = (offer.give, offer.ask) if offer and is_known else ([], [])
            yield f"terms of {maker}, {number}:", (_named(terms["given"]), _named(terms["asked"])), sides
    draft, mine = hand["draft"], one.draft or Offer(seat, "nobody")
    built = [draft["to"], _named(draft["given"]), _named(draft["asked"]), draft["pay"], draft["charge"]]
    yield "draft", built, [mine.to, mine.give, mine.ask, mine.pay, mine.charge]
    yield "laid", _named(hand["laid"].values()), one.laid
    secrets = [(one.choice or "none") if model.phase == phase else "none" for phase in ("ballot", "pointing")]
    yield "choices", [hand["will"], hand["pointed"]], secrets


def _cards(hand: dict[str, Any]) -> Counter[str]:
    return Counter(hand["cards"]) + Counter({"joker": hand["jokers"]})


def _named(cards: Iterable[str]) -> list[str]:
    return [card for card in cards if card != "none"]


def compare(players: int, seed: int) -> Counter[str]:
    """Compare one random match; return how often each verb was played."""
    draw = random.Random(seed * 10 + players)
    options = {name: values[0] if seed % 3 == 0 else draw.choice(values) for name, values in CHOICES.items()}
    match, model = Match(GAME, players=players, **options), ReferenceModel(players, **options)
    played: Counter[str] = Counter()
    check_equal(match, model)
    while not match.over:
        actor: Any = draw.choice(model.actors())
        if actor == "*":
            ways = model.odds()
        else:
            ways = {code: LIKELY.get(code.split()[0], 15) for code in sorted(model.legal(actor))}
        if model.phase == "race" and model.wrong < 3:
            ways["first none"] = 1  # only the clocks of a room can find this
        code = draw.choices(list(ways), list(ways.values()))[0]
        model.play(actor, code)
        match.play(code, CHANCE if actor == "*" else actor)
        check_equal(match, model)
        played[code.split()[0]] += 1
    assert set(present(match.result()).winners) == model.winners()
    return played


@pytest.mark.bulk
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 40), marks=pytest.mark.soak)], ids=["few", "many"])
def test_the_twin_agrees(players: int, seeds: range) -> None:
    """R1 to R36: each action of some matches."""
    played = sum((compare(players, seed) for seed in seeds), Counter())
    assert set(played) >= {"accept", "withdraw", "equip", "throw", "point", "publish"}


def test_the_twin_itself() -> None:
    """The reference model agrees with the close reading: requests, jokers in a set, the meaning of the tokens."""
    assert answer_request(["lance-5", "lance-7", "sword-2"], ["lance-1", "lance-5"]) == ["lance-5", "lance-7"]
    assert answer_request(["lance-5", "joker"], ["lance-6"]) is None
    assert answer_request(["lance-5", "joker"], ["joker"]) == ["joker"]
    assert has_set(["sword-1", "joker", "joker", "armour-3"])
    assert not has_set(["sword-1", "sword-2", "joker", "armour-3"])
    model, found = ReferenceModel(4, deal="shuffled"), Counter[str]()
    model.phase = "throw"
    for code in model.odds():
        model.play("*", code)
        found[model.right()] += 1
    assert found == {"all": 4, "crown": 4, "chalice": 4, "globe": 4}
