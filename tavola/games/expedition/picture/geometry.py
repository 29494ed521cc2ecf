"""The geometry of the plate: its points and lines in units, 1600 by 1000, and operations on its curves.

The projection is cylindrical and stereographic with standard parallels at 52 degrees (Gall's are at 45), which gives
Europe and the Near East more space. Meridians are drawn in gently towards the poles. The middle is 11 degrees east, the
edges 81 north and 60 south. Values found by trial, such as the bow of a line, are read from `layout.json`, written by
`python -m scripts.atlas layout`.
"""

import json
import math
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from tavola.games.expedition.atlas import LINES, POINTS

WIDTH, HEIGHT = 1600, 1000
LEFT, TOP, RIGHT, BOTTOM = 50, 50, 1550, 950
"""The neatline: the map is inside, its frame outside."""
NORTHERN, SOUTHERN, MIDDLE = 81, -60, 11
_STANDARD = math.cos(math.radians(52))
_SCALE = (RIGHT - LEFT) / (2 * math.pi * _STANDARD)
DRAWN_IN = 0.14
"""Share by which a meridian is drawn in at 80 degrees."""

LAYOUT: Final[dict[str, Any]] = json.loads((Path(__file__).parent / "layout.json").read_text(encoding="utf-8"))


class Dot(NamedTuple):
    """A point on the plate."""

    x: float
    y: float


class Curve(NamedTuple):
    """A quadratic curve: its start, its control point, its end."""

    first: Dot
    bow: Dot
    last: Dot


def _stretch(latitude: float) -> float:
    return (1 + _STANDARD) * math.tan(math.radians(latitude) / 2)


def project(longitude: float, latitude: float) -> Dot:
    """Return the dot of degrees east and north."""
    high = _stretch(NORTHERN)
    drawn_in = 1 - DRAWN_IN * (abs(latitude) / 80) ** 2
    x = WIDTH / 2 + math.radians(longitude - MIDDLE) * _STANDARD * drawn_in * _SCALE
    return Dot(x, TOP + (high - _stretch(latitude)) * (BOTTOM - TOP) / (high - _stretch(SOUTHERN)))


SPOTS: Final = tuple(Dot(*spot) for spot in LAYOUT["points"]) if LAYOUT["points"] else ()


def bow_curve(first: Dot, last: Dot, bow: float) -> Curve:
    """Return the curve between two dots that bows by a share of its length."""
    across, down = last.x - first.x, last.y - first.y
    return Curve(first, Dot((first.x + last.x) / 2 - down * bow, (first.y + last.y) / 2 + across * bow), last)


@cache
def line_curve(first: int, last: int) -> Curve:
    if first > last:
        return Curve(*reversed(line_curve(last, first)))
    return bow_curve(SPOTS[first], SPOTS[last], LAYOUT["bows"][LINES.index((first, last))])


def point_at(curve: Curve, part: float) -> Dot:
    """Return the dot at a share of a curve, 0 to 1."""
    rest = 1 - part
    weights = rest * rest, 2 * part * rest, part * part
    x, y = (sum(weight * at for weight, at in zip(weights, axis, strict=True)) for axis in zip(*curve, strict=True))
    return Dot(x, y)


def heading(curve: Curve, part: float) -> float:
    """Return the direction of a curve at a share of it, in degrees clockwise from the east."""
    here, there = point_at(curve, part), point_at(curve, part + 0.04)
    return math.degrees(math.atan2(there.y - here.y, there.x - here.x))


@cache
def length(curve: Curve) -> float:
    dots = [point_at(curve, step / 12) for step in range(13)]
    return sum(math.dist(dots[step], dots[step + 1]) for step in range(12))


def cut(curve: Curve, begin: float, end: float) -> Curve:
    def between(one: Dot, other: Dot, part: float) -> Dot:
        return Dot(one.x + (other.x - one.x) * part, one.y + (other.y - one.y) * part)

    near, far = between(curve.first, curve.bow, begin), between(curve.bow, curve.last, begin)
    return Curve(point_at(curve, begin), between(near, far, end), point_at(curve, end))


def trim(curve: Curve, before: float, after: float) -> Curve:
    """Return the curve without the parts below the points at its ends, `before` and `after` units long."""
    whole = length(curve)
    return cut(curve, min(0.4, before / whole), max(0.6, 1 - after / whole))


def offset(curve: Curve, distance: float) -> Curve:
    """Return the curve moved to its right by `distance` units."""

    def moved(dot: Dot, one: Dot, other: Dot) -> Dot:
        away = math.dist(one, other) or 1
        return Dot(dot.x - (other.y - one.y) / away * distance, dot.y + (other.x - one.x) / away * distance)

    first, bow, last = curve
    return Curve(moved(first, first, bow), moved(bow, first, last), moved(last, bow, last))


def path_of(curve: Curve) -> str:
    first, bow, last = curve
    return f"M{first.x:.1f} {first.y:.1f}Q{bow.x:.1f} {bow.y:.1f} {last.x:.1f} {last.y:.1f}"


def is_at_edge(point: int) -> bool:
    return POINTS[point].pair > 0
