"""Random matches, played by the game and by its reference model, have the same table after each action.

Compared are the cards everywhere, the hands and notes, who must act, and the legal actions with their weights.
"""

import random
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tavola.core import CHANCE, Match
from tavola.games.tournament import GAME
from tavola.games.tournament.reference_model import (
    CORNERS,
    KINDS,
    ORDER,
    TOKENS,
    ReferenceModel,
    answer_request,
    has_set,
    kind_of,
)
from tavola.show.testing import present

IN_TEST, IN_SOAK = 2, 40
"""Matches for each number of players."""
LONG = 240.0
"""Maximum seconds of a soak test for each number of players: matches of six are slow."""
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
    for name, found, expected in (
        ("round", [document[key] for key in ("begun", "fought", "phase")], [model.begun, model.fought, model.phase]),
        ("pile", document["pile"], len(model.pile) if model.begun else 0),
        ("cards of the pile", document["box"]["cards"] if model.begun else [], sorted(model.pile, key=ORDER.index)),
        ("discarded", set(document["discarded"]), model.discarded),
        *((f"knight {seat}", _knight(document, seat), _knight_of(model, seat)) for seat in range(model.count)),
        *((f"hand {seat}", _hand(document, seat), _hand_of(model, seat)) for seat in range(model.count)),
        ("asked", match.to_act, tuple(CHANCE if actor == "*" else actor for actor in model.actors())),
    ):
        assert found == expected, f"{name} in phase {model.phase}, {document['phase']}"
    if match.to_act == (CHANCE,):
        odds = {code: weight for code, weight in match.chance_weights().items() if weight}
        assert odds == model.odds(), f"odds in phase {model.phase}"
    elif not match.over:
        for seat in match.to_act:
            assert set(match.legal_codes(seat)) == model.legal(seat), f"legal for {seat} in phase {model.phase}"


def _knight(document, seat):
    offers = {
        int(number): (offer["to"], offer["given"], offer["asked"], offer["pay"], offer["charge"], *_sorts(offer))
        for number, offer in document["offers"][seat].items()
        if offer["to"] != "nobody"
    }
    flags = [str(seat) in document[key] for key in ("out", "done")]
    return [document[key][seat] for key in ("purse", "held", "won", "published")], flags, offers


def _sorts(offer):
    return [{sort: n for sort, n in offer[key].items() if n} for key in ("gives", "asks")]


def _knight_of(model, seat):
    one = model.knights[seat]
    offers = {}
    for number, o in one.standing.items():
        sorts = [Counter(map(kind_of, cards)) if o.to == "all" else {} for cards in (o.give, o.ask)]
        offers[number] = (o.to, len(o.give), len(o.ask), o.pay, o.charge, *sorts)
    return [one.purse, len(one.hand), one.won, one.published], [one.out, one.done], offers


def _hand(document, seat):
    hand = document["hands"][seat]
    known = {other: _cards(one) for other, one in enumerate(hand["known"]) if _cards(one)}
    terms = {
        (maker, int(number)): (_named(one["given"]), _named(one["asked"]))
        for maker, numbers in enumerate(hand["terms"])
        for number, one in numbers.items()
        if _named(one["given"]) or _named(one["asked"]) or document["offers"][maker][number]["to"] == str(seat)
    }
    draft = hand["draft"]
    built = (draft["to"], _named(draft["given"]), _named(draft["asked"]), draft["pay"], draft["charge"])
    return _cards(hand), known, terms, built, _named(hand["laid"].values()), hand["will"], hand["pointed"]


def _cards(hand):
    return Counter(hand["cards"]) + Counter({"joker": hand["jokers"]})


def _named(cards):
    return [card for card in cards if card != "none"]


def _hand_of(model, seat):
    one = model.knights[seat]
    known = {other: Counter(cards) for other, cards in one.notes.items() if cards}
    terms = {
        (maker, number): (offer.give, offer.ask)
        for maker, knight in enumerate(model.knights)
        for number, offer in knight.standing.items()
        if (maker == seat and (offer.give or offer.ask)) or offer.to == str(seat)
    }
    draft = one.draft
    built = (draft.to, draft.give, draft.ask, draft.pay, draft.charge) if draft else ("nobody", [], [], 0, 0)
    choice = one.choice or "none"
    will, pointed = (choice if model.phase == phase else "none" for phase in ("ballot", "pointing"))
    return Counter(one.hand), known, terms, built, one.laid, will, pointed


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
def test_the_twin_agrees(players: int) -> None:
    """R1 to R36: each action of some matches."""
    played = sum((compare(players, seed) for seed in range(IN_TEST)), Counter())
    assert set(played) >= {"accept", "withdraw", "equip", "throw", "point", "publish"}


@pytest.mark.soak
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_twin_agrees_for_long(players: int, record_property: Callable[[str, object], None]) -> None:
    """As many matches as there is time for; the report has their number."""
    end, played = time.monotonic() + LONG, 0
    for seed in range(IN_TEST, IN_SOAK):
        compare(players, seed)
        played += 1
        if time.monotonic() > end:
            break
    print(f"{players} players: {played} of {IN_SOAK - IN_TEST} matches, {LONG - end + time.monotonic():.0f} s")
    record_property("matches", played)


def test_the_twin_itself() -> None:
    """The reference model agrees with the close reading: requests, jokers in a set, the meaning of the tokens."""
    assert answer_request(["lance-5", "lance-7", "sword-2"], ["lance-1", "lance-5"]) == ["lance-5", "lance-7"]
    assert answer_request(["lance-5", "joker"], ["lance-6"]) is None
    assert answer_request(["lance-5", "joker"], ["joker"]) == ["joker"]
    assert has_set(["sword-1", "joker", "joker", "armour-3"])
    assert not has_set(["sword-1", "sword-2", "joker", "armour-3"])
    model = ReferenceModel(4, deal="shuffled")
    found = Counter[str]()
    for outcome in range(16):
        faces = [TOKENS[k][outcome >> k & 1] for k in range(3)]
        model.tokens = (*faces, str(1 + (outcome >> 3)))
        found[model.right()] += 1
    assert found == {"all": 4, "crown": 4, "chalice": 4, "globe": 4}
    assert (len(KINDS), len(CORNERS)) == (4, 4)
