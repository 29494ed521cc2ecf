"""The network of the map: spots, ways between them, distances. Computed once, as arrays for the compiled rules.

A *spot* is a point, or the two points of a border pair together (R6): the pair is one spot for expeditions, loops and
distances. Spots have the numbers of points, with each pair once after all others: so START is 0, and the place of
research number `p` is the spot `p + 1`. A *way* is a line in one of its two directions. Ways are ordered by the spot
that they leave: those from `s` are numbered from `FIRST_WAY[s]` up to `FIRST_WAY[s + 1]`.
"""

from typing import Final

import numpy as np

from tavola.core.fields import WORD_BITS
from tavola.games.expedition.atlas import LINES, POINTS

START: Final = 0
KINDS: Final = ("start", "place", "green", "red", "border")
PLACES: Final = tuple(point.code for point in POINTS if point.kind == "place")
PLACE_COUNT: Final = len(PLACES)


def _spots() -> tuple[tuple[str, ...], tuple[int, ...]]:
    names: list[str] = []
    numbers = []
    for point in POINTS:
        name = f"border-{point.pair}" if point.pair else point.code
        if name not in names:
            names.append(name)
        numbers.append(names.index(name))
    return tuple(names), tuple(numbers)


SPOTS, SPOT_OF_POINT = _spots()
SPOT_COUNT: Final = len(SPOTS)
KIND: Final = np.array([KINDS.index(POINTS[SPOT_OF_POINT.index(spot)].kind) for spot in range(SPOT_COUNT)], np.int64)

ENDS: Final = tuple(
    sorted((pair for line in LINES for pair in (line, line[::-1])), key=lambda ends: (SPOT_OF_POINT[ends[0]], *ends))
)
"""The two points of every way."""
WAYS: Final = tuple(f"{POINTS[one].code}-to-{POINTS[other].code}" for one, other in ENDS)
WAY_COUNT: Final = len(WAYS)
LINE_NAMES: Final = tuple(f"{POINTS[one].code}-{POINTS[other].code}" for one, other in LINES)
LINE: Final = np.array([LINES.index((min(ends), max(ends))) for ends in ENDS], np.int64)
ORIGIN: Final = np.array([SPOT_OF_POINT[one] for one, _ in ENDS], np.int64)
TARGET: Final = np.array([SPOT_OF_POINT[other] for _, other in ENDS], np.int64)
FIRST_WAY: Final = np.searchsorted(ORIGIN, np.arange(SPOT_COUNT + 1))

# The same as small numbers without a sign, and split into the word and the bit of a set: for the innermost loops.
WAYS_FROM: Final = FIRST_WAY.astype(np.uint16)
LINE_AT: Final = (LINE // WORD_BITS * 64 + LINE % WORD_BITS).astype(np.uint8)
TARGET_AT: Final = (TARGET // WORD_BITS * 64 + TARGET % WORD_BITS).astype(np.uint8)


def _distances() -> np.ndarray:
    """Segments between any two spots, int64[spots, spots]."""
    lengths = np.full((SPOT_COUNT, SPOT_COUNT), SPOT_COUNT, np.int64)
    for source in range(SPOT_COUNT):
        reached, steps = {source}, 0
        while reached:
            lengths[source, list(reached)] = steps
            ahead = {int(TARGET[way]) for spot in reached for way in range(FIRST_WAY[spot], FIRST_WAY[spot + 1])}
            reached, steps = {spot for spot in ahead if lengths[source, spot] == SPOT_COUNT}, steps + 1
    return lengths


DISTANCE: Final = _distances()


def _words(members: list[int], count: int) -> list[int]:
    whole = sum(1 << member for member in members)
    return [whole >> WORD_BITS * word & (1 << WORD_BITS) - 1 for word in range(-(-count // WORD_BITS))]


FAR_PLACES: Final = np.array(
    [
        _words([place for place in range(PLACE_COUNT) if DISTANCE[START, place + 1] >= distance], PLACE_COUNT)
        for distance in range(4)
    ],
    np.int64,
)
"""The set of places at each least distance from START."""
LINES_AT: Final = np.array(
    [_words(LINE[FIRST_WAY[spot] : FIRST_WAY[spot + 1]].tolist(), len(LINES)) for spot in range(SPOT_COUNT)], np.int64
)
"""The set of lines at each spot."""
