"""Positions of Expedition in a few words, for tests.

A route is the names of the points of an expedition, from START on; after `/` it continues from another point:
`"lisbon tassili timbuktu canaries lisbon / timbuktu benin"`. Names can be shortened: `"lis tim can"`. A hand is a
list of places. All other cards are in the deck.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from tavola.core import CHANCE, Match
from tavola.games.expedition import GAME
from tavola.games.expedition.atlas import POINTS
from tavola.games.expedition.components import COLOURS, VOUCHERS, Explorer
from tavola.games.expedition.network import LINE, LINE_NAMES, PLACES, SPOT_OF_POINT, SPOTS, WAYS
from tavola.show.testing import random_match

CODES = [point.code for point in POINTS]
CLOSED = "lisbon azores vinland niagara winnipeg churchill beechey ilulissat vinland"
"""A route after which its head has no line free."""
Document = dict[str, Any]


def full_code(name: str) -> str:
    """Return the code of the first point whose code begins with `name`."""
    return name if name in CODES else next(code for code in CODES if code.startswith(name))


def route(words: str) -> Document:
    steps = [f"{one}-to-{other}" for part in words.split("/") for one, other in pairwise(map(full_code, part.split()))]
    ends = [tuple(SPOTS[SPOT_OF_POINT[CODES.index(code)]] for code in step.split("-to-")) for step in steps]
    return {
        "count": len(steps),
        "path": steps,
        "lines": [LINE_NAMES[int(LINE[WAYS.index(step)])] for step in steps],
        "visited": sorted({spot for pair in ends for spot in pair}),
        "head": ends[-1][1] if ends else SPOTS[0],
    }


def match_at(
    hands: Sequence[str] = ("petra", "agra"),
    *,
    tokens: Mapping[str, int] | None = None,
    laid: Mapping[str, int] | None = None,
    goals: str | None = None,
    beneath: str = "",
    vouchers: Sequence[int] = (),
    deck: str | None = None,
    **fields: Any,
) -> Match:
    """Return a match at a position: seat 0's turn unless `fields` of the table differ.

    `fields` also takes options, and the routes by colour: `red="lisbon tassili"`. In variant B no seat has cards.
    Without `goals` six public goals are turned up: the last free places of the map's list. `tokens` and `laid` give the
    seat for each place; `vouchers` are those of each seat, 3 by default. `deck` is the whole deck, if given: the last
    seat has then laid all other cards.
    """
    players = len(hands)
    options = {option.name: fields.pop(option.name) for option in GAME.options.all if option.name in fields}
    cards = options.get("variant_b") != "on"
    held = [[full_code(name) for name in words.split() if cards] for words in hands]
    reached = {full_code(name): seat for name, seat in (laid or {}).items()}
    public = [full_code(name) for name in (goals or "").split()]
    under = [full_code(name) for name in beneath.split()]
    taken = {*reached, *public, *under, *(name for one in held for name in one)}
    spare = iter([place for place in reversed(PLACES) if place not in taken])
    public += [next(spare) for _ in range(6)] if goals is None and cards else []
    taken.update(public)
    left = [place for place in PLACES if place not in taken] if cards else []
    shuffled = [full_code(name) for name in deck.split()] if deck is not None else left
    reached |= dict.fromkeys([place for place in left if place not in shuffled], players - 1)
    document: Document = {
        "phase": "turn",
        "dealt": players * (12 if players <= 3 else 9) if cards else 0,
        "expedition": {colour: route(fields.pop(colour, "")) for colour in COLOURS},
        "deck": len(shuffled),
        "beneath": len(under),
        "goals": public,
        "laid": {place: str(seat) for place, seat in reached.items()},
        "token": {full_code(place): str(seat) for place, seat in (tokens or {}).items()},
        "box": {"cards": shuffled, "under": under},
        "hands": [{"cards": one} for one in held],
        "won": fields.pop("won", []),
    }
    document |= _explorers(document, vouchers or [3] * players, fields.pop("explorers", {}))
    document["bank"] -= fields.get("used", 0)
    return Match(GAME, position={**document, **fields}, check="pieces", players=players, **options)


def _explorers(document: Document, vouchers: Sequence[int], more: Mapping[int, Document]) -> Document:
    explorers = [
        {
            "cards": len(hand["cards"]),
            "vouchers": vouchers[seat],
            "own": list(document["laid"].values()).count(str(seat)) if hand["cards"] else 0,
            "tokens": list(document["token"].values()).count(str(seat)),
            "collected": sum(document["laid"].get(place) == str(seat) for place in document["won"]),
            **more.get(seat, {}),
        }
        for seat, hand in enumerate(document["hands"])
    ]
    return {"explorers": explorers, "bank": VOUCHERS - sum(vouchers)}


def play(match: Match, *codes: str) -> Match:
    """Play codes, each for the seat to act; an arrow can be shortened, `red lis mont`; claims are announced."""
    for code in codes:
        match.play(code_of(code), match.to_act[0])
        while match.to_act == (CHANCE,) and match.document()["phase"] == "claim":
            match.play(match.legal_codes(CHANCE)[0], CHANCE)
    return match


def code_of(code: str) -> str:
    first, *rest = code.split()
    if first in COLOURS:
        return f"arrow {first} {full_code(rest[0])}-to-{full_code(rest[1])}"
    return f"{first} {full_code(rest[0])}" if first in ("token", "exchange", "deal", "reveal", "keep") else code


def legal_codes(match: Match) -> list[str]:
    """Return the legal codes of the seat to act, or of the first one."""
    return match.legal_codes(match.to_act[0]) if match.to_act else []


# Scenes: a position, and what holds there and after each of some steps

Step = tuple[tuple[str, ...], Sequence[str], Sequence[str], dict[str, Any]]
"""Codes to play, as in `play`; which ones are then legal and which are not; and what holds, by `observed` names."""


def at(*hands: Sequence[str], **fields: Any) -> Callable[[], Match]:
    """Return the beginning of a scene: `match_at` with these arguments."""
    return partial(match_at, *hands, **fields)


def after(*codes: str, legal: Sequence[str] = (), illegal: Sequence[str] = (), **expected: Any) -> Step:
    return codes, legal, illegal, expected


def check_scene(begin: Callable[[], Match], *steps: Step) -> None:
    match = begin()
    for codes, legal, illegal, expected in steps:
        play(match, *codes)
        able = {*legal_codes(match)}
        assert able >= {*map(code_of, legal)}, codes
        assert able.isdisjoint(map(code_of, illegal)), codes
        assert {name: observed(match, name) for name in expected} == expected, codes


def observed(match: Match, name: str) -> Any:
    """Return what a scene expects of a match.

    A colour means its legal arrows, `red_head` the field `head` of its route. Fields of explorers are those of all
    seats. `codes` and `verbs` are the legal ones, `under_deck` and `hands` the cards. Any other field of the table is
    as in the document, without what is none on a place.
    """
    document, (colour, _, part) = match.document(), name.partition("_")
    if part and colour in COLOURS:
        return document["expedition"][colour][part]
    if colour in COLOURS:
        first = f"arrow {colour} "
        return {code.removeprefix(first) for code in legal_codes(match) if code.startswith(first)}
    if name in Explorer.__annotations__:
        return tuple(getattr(own, name) for own in match.view().table.explorers[: match.players])
    if name in ("laid", "token"):
        return {place: seat for place, seat in document[name].items() if seat != "none"}
    others: dict[str, Callable[[], Any]] = {
        "to_act": lambda: match.to_act,
        "over": lambda: match.over,
        "points": lambda: match.score().points,
        "ranks": lambda: match.score().ranks,
        "codes": lambda: legal_codes(match),
        "verbs": lambda: {code.split()[0] for code in legal_codes(match)},
        "hands": lambda: [hand["cards"] for hand in document["hands"]],
        "under_deck": lambda: document["box"]["under"][: document["beneath"]],
    }
    return others[name]() if name in others else document[name]


def match_near_last_arrow(arrows: int, colour: str = "") -> Match:
    """Return a random match in which the next arrow is number `arrows` on the map, of `colour` if given."""
    for match in (match for seed in range(20) for match in random_match(GAME, seed, players=2)):
        counts = match.view().states["table"]["expedition"]["count"][0]  # unpacking the view costs far more
        laid = counts[COLOURS.index(colour)] if colour else counts.sum()
        codes = (code for seat in match.to_act for code in match.legal_codes(seat))
        if laid == arrows - 1 and any(code.startswith(f"arrow {colour}") for code in codes):
            return match
    raise AssertionError(f"no such match: expected one with {arrows - 1} arrows")
