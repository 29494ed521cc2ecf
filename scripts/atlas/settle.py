"""Placement on the map: points, the bows of lines, the drawings of places, and names in every language.

Each thing has candidate places around its point, with costs for what they would cover. Each takes its cheapest
candidate, greedily and then in sweeps of improvement. A thing without a cheap enough candidate is left out.
"""

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from shapely import LineString, Point, Polygon, STRtree, box, unary_union

from tavola.games.expedition.atlas import LINES, POINTS
from tavola.games.expedition.picture.geometry import BOTTOM, LEFT, RIGHT, TOP, Curve, Dot, bow_curve, point_at, project

APART, PUSHES = 33, 60
"""Distance below which points push each other apart, and number of rounds."""
BOWS = (0.06, -0.06, 0.12, -0.12, 0.18, -0.18, 0.26, -0.26)
CLEAR = 19
"""Minimum distance of a line from points that it does not join."""
FRAME = box(LEFT, TOP, RIGHT, BOTTOM)
ROOM = FRAME.buffer(-5)
FURNITURE = (box(60, 768, 392, 946), box(646, 890, 1404, 950), box(1378, 344, 1516, 492))
"""The cartouche, the legend and the rose, which nothing else may cover."""
SWEEPS = 3


class Candidate(NamedTuple):
    """A box for a thing, its own cost, and how it is written to the file."""

    room: Polygon
    cost: float
    tag: tuple[float, float, str | float]


class Settled(NamedTuple):
    """The place of a thing: its total cost, and the candidate."""

    cost: float
    chosen: Candidate


Seekers = Mapping[int, Sequence[Candidate]]


def spots() -> list[Dot]:
    """Return the places of points: their projection, with close ones moved apart."""
    places = [[*project(point.longitude, point.latitude)] for point in POINTS]
    for place, point in zip(places, POINTS, strict=True):
        if point.pair:
            place[0] = LEFT + 4 if point.longitude < 0 else RIGHT - 4
    for _ in range(PUSHES):
        for one, other in itertools.combinations(places, 2):
            across, down = other[0] - one[0], other[1] - one[1]
            away = math.hypot(across, down)
            if away < APART:
                push = (APART - away) / 4 / away
                for place, sign in ((one, -push), (other, push)):
                    place[0] += sign * across
                    place[1] += sign * down
    return [Dot(round(x, 1), round(y, 1)) for x, y in places]


def sampled(curve: Curve) -> LineString:
    """Return a curve as a line of 25 spots."""
    return LineString([point_at(curve, step / 24) for step in range(25)])


def bows(places: Sequence[Dot]) -> list[float]:
    """Return the bow of every line, relative to its length: the flattest that avoids points and other lines."""
    chosen: list[float] = []
    drawn: list[LineString] = []
    for first, last in LINES:
        costs = []
        for bow in BOWS:
            line = sampled(bow_curve(places[first], places[last], bow))
            costs.append((_cost_of_line(line, (first, last), bow, places, drawn), bow, line))
        _, bow, line = min(costs, key=lambda tried: tried[0])
        chosen.append(bow)
        drawn.append(line)
    return chosen


def _cost_of_line(
    line: LineString, ends: tuple[int, int], bow: float, places: Sequence[Dot], drawn: Sequence[LineString]
) -> float:
    gap = min(line.distance(Point(place)) for number, place in enumerate(places) if number not in ends)
    crossed = sum(line.crosses(other) for other, joined in zip(drawn, LINES, strict=False) if not {*ends} & {*joined})
    outside = sum(not (LEFT + 2 < x < RIGHT - 2 and TOP + 8 < y < BOTTOM - 8) for x, y in line.coords)
    northwards = bow * (places[ends[1]].x - places[ends[0]].x) < 0  # like great circles
    return max(0, CLEAR - gap) * 3 + crossed * 80 + outside * 5 + abs(bow) * 20 + (0 if northwards else 0.3)


class Plate:
    """The things already on the map, and what a box would cover."""

    def __init__(self, places: Sequence[Dot], curves: Sequence[Curve]) -> None:
        self.places = places
        self.lines = [sampled(curve) for curve in curves]
        self._index = STRtree(self.lines)

    def cost(self, room: Polygon, own: int) -> float:
        """Return the cost of a box: what it covers, and whether it seems to belong to another point."""
        if not ROOM.contains(room) or any(room.intersects(thing) for thing in FURNITURE):
            return math.inf
        mine = room.distance(Point(self.places[own]))
        left, top, right, bottom = room.bounds
        near = [n for n, (x, y) in enumerate(self.places) if left - 30 < x < right + 30 and top - 30 < y < bottom + 30]
        cost = sum(self._disturbs(number, room, mine) for number in near if number != own)
        cost += 25 if mine < 8 else 0
        return cost + sum(0.3 * self.lines[number].intersection(room).length for number in self._index.query(room))

    def _disturbs(self, number: int, room: Polygon, mine: float) -> float:
        away = room.distance(Point(self.places[number]))
        cost = 110 if away < 11 else 25 if away < 15 else 0
        return cost + (45 if away < mine - 3 and away < 24 else 0)


Options = Mapping[int, Sequence[Settled]]
"""Candidates of each thing with their costs, not counting each other."""


def options(plate: Plate, seekers: Seekers, taken: Sequence[Polygon] = ()) -> Options:
    """Return the cost of each candidate by itself, without those off the map."""
    return {
        number: [
            Settled(cost + candidate.cost + _covered(candidate.room, taken), candidate)
            for candidate in candidates
            if (cost := plate.cost(candidate.room, number)) < math.inf
        ]
        for number, candidates in seekers.items()
    }


def settle(plate: Plate, seekers: Seekers, taken: Sequence[Polygon], dearest: float) -> dict[int, Settled]:
    """Return the place of each seeker, without those that would cost more than `dearest`."""
    known = options(plate, seekers, taken)
    chosen: dict[int, Settled] = {}
    for _ in range(1 + SWEEPS):
        for number, offers in known.items():
            others = [settled.chosen.room for other, settled in chosen.items() if other != number]
            chosen.pop(number, None)
            best = _best(offers, others, dearest)
            if best is not None:
                chosen[number] = best
    return chosen


def _best(offers: Iterable[Settled], others: Sequence[Polygon], dearest: float) -> Settled | None:
    costs = (Settled(cost + _covered(candidate.room, others), candidate) for cost, candidate in offers)
    best = min(costs, key=lambda settled: settled.cost, default=None)
    return best if best is not None and best.cost <= dearest else None


def make_room(
    wanted: Options, chosen: dict[int, Settled], movable: Options, moved: dict[int, Settled], dearest: float
) -> None:
    """Place things without room (`wanted` and not `chosen`) where everything `movable` in the way can move off."""
    for number in [number for number in wanted if number not in chosen]:
        for offer in sorted(wanted[number], key=lambda settled: settled.cost):
            names = [settled.chosen.room for settled in chosen.values()]
            if offer.cost > dearest or _covered(offer.chosen.room, names):
                continue
            away = _moved_away(offer.chosen.room, names, movable, moved, dearest)
            if away is not None:
                chosen[number] = offer
                moved |= away
                break


def _moved_away(
    room: Polygon, names: Sequence[Polygon], movable: Options, moved: Mapping[int, Settled], dearest: float
) -> dict[int, Settled] | None:
    """Return new places for everything in a room; None if something has none."""
    away = dict[int, Settled]()
    in_the_way = [number for number, settled in moved.items() if settled.chosen.room.intersects(room)]
    for number in in_the_way:
        others = [(away.get(other) or moved[other]).chosen.room for other in moved if other != number]
        best = _best(movable[number], [*names, room, *others], dearest)
        if best is None:
            return None
        away[number] = best
    return away


def _covered(room: Polygon, others: Iterable[Polygon]) -> float:
    """Return the cost of covering others: much more than anything else."""
    left, top, right, bottom = room.bounds
    return sum(
        400 + room.intersection(other).area
        for other in others
        if other.bounds[0] < right
        and other.bounds[2] > left
        and other.bounds[1] < bottom
        and other.bounds[3] > top
        and room.intersects(other)
    )


def flag(place: Dot) -> Polygon:
    """Return the area of a token's flag: up and to the right of its place."""
    return box(place.x + 3, place.y - 46, place.x + 34, place.y - 18)


FEET = (
    *((5, -7), (0, -9), (9, 2), (10, -3), (5, -14), (5, 0), (12, 8), (12, 20)),
    *((14, 30), (9, 36), (0, 47), (14, 16), (14, 25), (18, 12), (-3, -12), (18, 34)),
)
"""Feet of a flag's pole, from its point, for a flag that flies to the right."""


def standing_flags(place: Dot) -> Iterator[Candidate]:
    """Yield boxes for a token's flag, best first: the tag is the foot of its pole, from the point, and its side."""
    for number, (side, (x, y)) in enumerate(itertools.product((1, -1), FEET)):
        left, right = sorted((place.x + side * (x - 1), place.x + side * (x + 28)))
        pole, foot = place.x + side * x, place.y + y
        cloth, below = box(left, foot - 38, right, foot - 15), box(pole - 1, foot - 15, pole + 1, foot)
        yield Candidate(unary_union([cloth, below]), number / 4, (side * x, y, side))


def round_point(place: Dot, size: float) -> Iterator[Candidate]:
    """Yield boxes for a drawing: sixteen directions, four distances, avoiding the flag up and to the right."""
    half = size * 0.43
    for reach in (0.68, 0.79, 0.93, 1.09):
        for step in range(16):
            across = math.cos(step * math.pi / 8) * reach * size * 1.02
            down = math.sin(step * math.pi / 8) * reach * size
            x, y = place.x + across, place.y + down
            cost = (reach - 0.68) * size * 0.5 + (0 if down < -20 else 3) + (7 if across > 8 and down < 0 else 0)
            yield Candidate(box(x - half, y - half, x + half, y + half), cost, (round(x, 1), round(y, 1), size))


SIDES = (
    *((1, 0), (-1, 0), (0.7, -0.75), (0.7, 0.8), (-0.7, -0.75), (-0.7, 0.8)),
    *((1, -0.5), (1, 0.5), (-1, -0.5), (-1, 0.5), (0, 1.25), (0, -1.25)),
)


def beside_point(place: Dot, width: float, size: float) -> Iterator[Candidate]:
    """Yield boxes for a name of this width: twelve sides, six gaps. The tag is the anchor of its baseline."""
    high = size * 0.98
    for gap in (11.5, 13, 16.5, 20, 25, 31):
        for across, down in SIDES:
            anchor = "start" if across > 0 else "end" if across < 0 else "middle"
            x, y = place.x + across * (gap + 2), place.y + down * (gap + 2)
            left = x if anchor == "start" else x - width if anchor == "end" else x - width / 2
            room = box(left - 1.5, y - high / 2, left + width + 1.5, y + high / 2)
            cost = abs(gap - 16.5) * 1.2 + (2 if anchor == "middle" else 0)
            cost += 14 if room.intersects(flag(place)) else 0
            cost += 110 if room.distance(Point(place)) < 10 else 0
            yield Candidate(room, cost, (round(x, 1), round(y + size * 0.31, 1), anchor))
