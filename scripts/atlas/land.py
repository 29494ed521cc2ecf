"""Outline of the land: from TopoJSON in degrees to one path on the map of a few tens of kilobytes."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from shapely import Polygon, box, unary_union
from shapely.geometry.base import BaseGeometry

from scripts.atlas.ink import area_path, polygons
from tavola.games.expedition.picture.geometry import BOTTOM, LEFT, RIGHT, SOUTHERN, TOP, project

FRAME = box(LEFT, TOP, RIGHT, BOTTOM)
COARSE, SMALLEST = 0.7, 2.6
"""Tolerance of simplified coasts in units, and area of the smallest islet kept in square units."""
Ring = list[tuple[float, float]]


def outline(package_file: Path) -> BaseGeometry:
    """Return the land inside the frame; beyond 180 degrees the world repeats, as in old atlases."""
    topology = json.loads(package_file.read_text(encoding="utf-8"))
    shapes = []
    for rings in _polygons(topology):
        if max(latitude for _, latitude in rings[0]) < SOUTHERN:
            continue
        for turn in (-360, 0, 360):
            placed = [[project(x + turn, max(y, SOUTHERN - 2)) for x, y in ring] for ring in rings]
            shape = Polygon(placed[0], placed[1:]).buffer(0.02)
            if shape.intersects(FRAME):
                shapes.append(shape.intersection(FRAME.buffer(12)))
    simple = unary_union(shapes).simplify(COARSE)
    return unary_union([part for part in polygons(simple) if part.area > SMALLEST]).buffer(0)


def _polygons(topology: dict[str, Any]) -> Iterator[list[Ring]]:
    """Yield every polygon as its rings in degrees, unwrapped at the 180th meridian."""
    arcs = _arcs(topology)
    for geometry in topology["objects"]["land"]["geometries"]:
        for polygon in [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry["arcs"]:
            yield [_unwrapped(_ring(arcs, numbers)) for numbers in polygon]


def _arcs(topology: dict[str, Any]) -> list[Ring]:
    """Return the arcs in degrees; TopoJSON stores each as steps on a grid of integers."""
    (wide, high), (west, south) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for steps in topology["arcs"]:
        xs, ys = (itertools.accumulate(along) for along in zip(*steps, strict=True))
        arcs.append([(x * wide + west, y * high + south) for x, y in zip(xs, ys, strict=True)])
    return arcs


def _ring(arcs: list[Ring], numbers: list[int]) -> Ring:
    """Join arcs; a negative number is the complement of an arc that is walked backwards."""
    ring: Ring = []
    for number in numbers:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        ring += arc[1:] if ring else arc
    return ring


def _unwrapped(ring: Ring) -> Ring:
    """Return a ring in which no step is wider than half the world."""
    smooth, turn = [ring[0]], 0
    for (before, _), (longitude, latitude) in itertools.pairwise(ring):
        turn += -360 if longitude - before > 180 else 360 if longitude - before < -180 else 0
        smooth.append((longitude + turn, latitude))
    return smooth


def land_drawing(package_file: Path) -> str:
    """Return the file `land.svg`."""
    drawn = area_path(outline(package_file))
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1000">\n<path d="{drawn}"/>\n</svg>\n'
