"""The promises of every game on documents: positions are written and read exactly; errors name the field."""

from collections.abc import Sequence
from typing import Any

from tavola.contract.samples import Sample, expect, expect_no_faults, pick
from tavola.core.errors import BadOption, BadPosition
from tavola.core.fields import Json
from tavola.core.position import read_position
from tavola.core.rng import random_below

SCALARS: tuple[Json, ...] = (None, True, -1, 0, 1, 2, 7, 10**5000, 1.5, float("nan"), "", "x", "red", "none")
NONSENSE: tuple[Json, ...] = (*SCALARS, [], [0], ["x", "x"], {}, {"x": 0}, [[[]]])
"""Values that programs and people may write into documents by mistake."""
NONSENSE_TRIES = 4
"""Number of bad values tried at every position."""
WHOLE_SHARE = 4
"""One part in `WHOLE_SHARE` that has parts is replaced as a whole."""


def documents_give_the_position_back(w: Sample) -> None:
    """A position written as a document and read again is the same to the byte."""
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
    holder, way = w.document, [_some_key(w, w.document)]
    while (part := holder[way[-1]]) and isinstance(part, dict | list) and random_below(w.rng, WHOLE_SHARE):
        holder = part
        way.append(_some_key(w, part))
    return holder, way


def _some_key(w: Sample, document: Json) -> Any:
    return pick(w.rng, list(document) if isinstance(document, dict) else range(len(document)))


def _refused_or_possible(w: Sample, where: str) -> None:
    try:
        _, states = read_position(w.game, w.document, {}, "recommended")
    except (BadPosition, BadOption) as refusal:
        named = "expected" in str(refusal) and len(str(refusal)) < 600
        expect(named, f"an invalid value at {where} is refused with: {refusal}")
    else:
        expect_no_faults(w.game, states, f"an invalid value at {where} is accepted")
