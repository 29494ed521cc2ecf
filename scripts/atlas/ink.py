"""Conversion of shapes to paths in tenths of a unit, as short as possible, and back."""

import math
import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from random import Random

from shapely import Polygon
from shapely.geometry.base import BaseGeometry

Spot = Sequence[float]


def short(value: float) -> str:
    """Return a number to a tenth, as short as a path allows."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else re.sub(r"^(-?)0\.", r"\1.", text)


def path(spots: Iterable[Spot], close: bool = False) -> str:
    """Return a line as relative steps from spot to spot."""
    grid = [(round(x * 10), round(y * 10)) for x, y in spots]
    written, last = [f"M{short(grid[0][0] / 10)} {short(grid[0][1] / 10)}l"], grid[0]
    for spot in grid[1:-1] if close and grid[0] == grid[-1] else grid[1:]:
        if spot == last:
            continue
        across, down = short((spot[0] - last[0]) / 10), short((spot[1] - last[1]) / 10)
        gap = "" if written[-1].endswith("l") or across.startswith("-") else " "
        written.append(gap + across + ("" if down.startswith("-") else " ") + down)
        last = spot
    return "".join(written) + ("z" if close else "")


def polygons(shape: BaseGeometry) -> list[Polygon]:
    """Return the polygons of any shape."""
    if shape.geom_type == "Polygon":
        return [] if shape.is_empty else [shape]
    return [part for part in getattr(shape, "geoms", []) if part.geom_type == "Polygon"]


def area_path(shape: BaseGeometry, smallest: float = 0, smallest_hole: float = 6) -> str:
    """Return the outlines of areas, without those of at most `smallest` square units."""
    rings = [
        ring
        for part in polygons(shape)
        if part.area > smallest
        for ring in [part.exterior, *(hole for hole in part.interiors if Polygon(hole).area > smallest_hole)]
    ]
    return "".join(path(ring.coords, close=True) for ring in rings)


def area(drawn: str) -> BaseGeometry:
    """Return the area that a path of `area_path` outlines: a ring inside another is a hole."""
    whole: BaseGeometry = Polygon()
    for ring in re.findall(r"M([^Mz]*)z", drawn):
        start, steps = (_numbers(part) for part in ring.split("l"))
        xs, ys = accumulate([start[0], *steps[::2]]), accumulate([start[1], *steps[1::2]])
        whole = whole.symmetric_difference(Polygon(zip(xs, ys, strict=True)).buffer(0))
    return whole


def _numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?(?:\d+\.\d+|\.\d+|\d+)", text)]


def smooth(spots: Sequence[Spot]) -> str:
    """Return a smooth line through the midpoints between its spots."""
    drawn = f"M{short(spots[0][0])} {short(spots[0][1])}"
    for here, there in pairwise(spots):
        middle = (here[0] + there[0]) / 2, (here[1] + there[1]) / 2
        drawn += f"Q{short(here[0])} {short(here[1])} {short(middle[0])} {short(middle[1])}"
    return drawn + f"L{short(spots[-1][0])} {short(spots[-1][1])}"


def meandering(spots: Sequence[Spot], draw: Random, stride: float = 12, width: float = 2.2) -> list[Spot]:
    """Return a line with a river's bends between its spots."""
    bent: list[Spot] = [spots[0]]
    for here, there in pairwise(spots):
        steps = max(1, int(math.dist(here, there) / stride))
        for step in range(1, steps + 1):
            part, aside = step / steps, 0 if step == steps else draw.uniform(-width, width)
            bent.append((here[0] + (there[0] - here[0]) * part + aside, here[1] + (there[1] - here[1]) * part + aside))
    return bent
