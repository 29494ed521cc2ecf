"""The promises of every game on documents of positions: they are exact, errors name the field, accepted ones can end.

For the last, documents of random matches are altered in one to three fields. Most are then refused; the others, which
pass the strict check, are played on. Reachable positions are tested elsewhere.
"""

import json
import random
from collections.abc import Sequence
from contextlib import suppress
from functools import reduce
from operator import getitem
from typing import Any

import numpy as np

from tavola.contract.samples import (
    Sample,
    draw_samples,
    expect,
    expect_no_faults,
    legal,
    pick,
    play_on,
    states_of,
    to_act,
)
from tavola.core.compilation import UNCOMPILED
from tavola.core.errors import BadOption, BadPosition
from tavola.core.fields import Json
from tavola.core.game import CHANCE, Game
from tavola.core.match import seat_name
from tavola.core.matchfile import HEADER, read_position, write_position
from tavola.core.rng import random_below, stream

MATCHES, POSITIONS, TRIES = (3, 8, 8) if UNCOMPILED else (6, 10, 8)
"""Number of matches, of altered positions in each, and of alterations of each position."""
ACTIONS = 25
"""Number of actions that a position is played on: most dead ends show at once."""
WHOLE_SHARE = 32 if UNCOMPILED else 4
"""One altered position in this number is played to its end."""
MOST_CHANGES = 3
DEEPER_SHARE = 4
"""One part in this number that has parts is changed as a whole."""
Path = tuple[Any, ...]
SCALARS: tuple[Json, ...] = (None, True, -1, 0, 1, 2, 7, 10**5000, 1.5, float("nan"), "", "x", "red", "none")
NONSENSE: tuple[Json, ...] = (*SCALARS, [], [0], ["x", "x"], {}, {"x": 0}, [[[]]])
"""Values that programs and people may write into documents by mistake."""
NONSENSE_TRIES = 4
"""Number of bad values tried at every position."""


def documents_give_the_position_back(w: Sample) -> None:
    """A position written as a document and read again is the same to the byte, also between its fields."""
    options, states = read_position(w.game, w.document, {}, "recommended")
    expect(states.tobytes() == w.past[-1], "reading the position's document gives a different position")
    expect(options.tolist() == w.match.options.tolist(), "reading the document gives different options")


def nonsense_is_refused_by_name(w: Sample) -> None:
    """Any value in a document either is refused with the name of the wrong field, or means something."""
    for _ in range(NONSENSE_TRIES):
        part, way = _some_part(w)
        kept, part[way[-1]] = part[way[-1]], pick(w.rng, NONSENSE)
        try:
            _refused_or_possible(w, ".".join(map(str, way)))
        finally:
            part[way[-1]] = kept


def _some_part(w: Sample) -> tuple[Any, Sequence[Any]]:
    """Return a random part of the position's document: its container and its path."""
    holder, way = w.document, [pick(w.rng, _keys(w.document))]
    while (part := holder[way[-1]]) and isinstance(part, dict | list) and random_below(w.rng, DEEPER_SHARE):
        holder = part
        way.append(pick(w.rng, _keys(part)))
    return holder, way


def _refused_or_possible(w: Sample, where: str) -> None:
    try:
        _, states = read_position(w.game, w.document, {}, "recommended")
    except (BadPosition, BadOption) as refusal:
        named = "expected" in str(refusal) and len(str(refusal)) < 600
        expect(named, f"an invalid value at {where} is refused with: {refusal}")
    else:
        expect_no_faults(w.game, states, f"an invalid value at {where} is accepted")


# Positions that were not reached by play


def positions_lead_to_an_end(game: Game, seed: int = 1, count: int = MATCHES) -> None:
    """Every position that the strict check accepts can be played to an end: seats to act always have an action."""
    for number in range(count):
        draw, rng = random.Random(f"{seed} {number}"), stream(seed, number)
        *_, world = draw_samples(game, seed, number)
        *earlier, last = world.past
        chosen = [*draw.sample(earlier, min(len(earlier), POSITIONS - 1)), last]
        documents = [write_position(game, world.match.options, states_of(game, stored)) for stored in chosen]
        for document in documents:
            for _ in range(TRIES):
                most = None if not draw.randrange(WHOLE_SHARE) else ACTIONS
                _leads_to_an_end(game, _altered(document, documents, draw), rng, most)


def _leads_to_an_end(game: Game, document: Json, rng: np.ndarray, most: int | None) -> None:
    """Play a position that the strict check accepts to its end or for `most` actions: seats to act have an action."""
    try:
        _, states = read_position(game, document, {}, "recommended")
    except (BadPosition, BadOption):
        return
    said = f"the strict check accepts {json.dumps(document)}"
    mask = to_act(states)
    for seat in (*range(int(states["table"]["players"][0])), CHANCE):
        able = not mask >> seat & 1 or legal(game, states, seat)[0]
        expect(able, f"{said}, in which {seat_name(seat)} is to act: expected a legal action, or a fault")
    play_on(game, states, rng, said, most)


# Altering documents


def _altered(document: Json, others: Sequence[Json], draw: random.Random) -> Json:
    """Return a document with one to `MOST_CHANGES` fields altered, some as in `others`; most results are invalid."""
    document = json.loads(json.dumps(document))
    for _ in range(draw.randint(1, MOST_CHANGES)):
        way = _random_way(document, draw)
        draw.choice((_move_one, _copy_its_like, _copy_from_another))(document, way, others, draw)
    return document


def part_at(document: Json, way: Path) -> Any:
    """Return the part of a document at a path."""
    return reduce(getitem, way, document)


def _random_way(document: Json, draw: random.Random) -> Path:
    """Return a random path; all fields of the table are equally likely, however many parts they have."""
    way: Path = (draw.choice([key for key in document if key not in HEADER]),)
    while keys := _keys(part_at(document, way)):
        if len(way) > 1 and not draw.randrange(DEEPER_SHARE):
            break
        way = (*way, draw.choice(keys))
    return way


def _keys(part: Json) -> list[Any]:
    if isinstance(part, dict):
        return list(part)
    return list(range(len(part))) if isinstance(part, list) else []


def _move_one(document: Json, way: Path, others: Sequence[Json], draw: random.Random) -> None:
    """Move a piece: add one here, and usually subtract one at a similar place."""
    if type(part_at(document, way)) is not int:
        return _copy_from_another(document, way, others, draw)
    like = draw.choice(_likes(document, way))
    for place, amount in [(way, draw.choice((1, -1)))] if like == way else [(way, 1), (like, -1)]:
        part_at(document, place[:-1])[place[-1]] += amount
    return None


def _copy_its_like(document: Json, way: Path, others: Sequence[Json], draw: random.Random) -> None:
    """Copy a part from a place of the same name, or beside it."""
    _put(document, way, part_at(document, draw.choice(_likes(document, way))))


def _copy_from_another(document: Json, way: Path, others: Sequence[Json], draw: random.Random) -> None:
    """Copy a part from another position; distinct values are equally likely."""
    values: dict[str, Json] = {}
    for other in others:
        with suppress(KeyError, IndexError, TypeError):
            part = part_at(other, way)
            values[json.dumps(part)] = part
    _put(document, way, draw.choice(list(values.values()) or [part_at(document, way)]))


def _put(document: Json, way: Path, part: Json) -> None:
    part_at(document, way[:-1])[way[-1]] = json.loads(json.dumps(part))


def _likes(document: Json, way: Path) -> list[Path]:
    """Return the paths of similar parts: the same type and depth, and the same last key or the same container."""
    kind = type(part_at(document, way))
    found: list[Path] = [()]
    for depth in range(len(way)):
        found = [(*to, key) for to in found for key in _keys(part_at(document, to)) if depth or key not in HEADER]
    near = [to for to in found if to[-1] == way[-1] or to[:-1] == way[:-1]]
    return [to for to in near if type(part_at(document, to)) is kind]
