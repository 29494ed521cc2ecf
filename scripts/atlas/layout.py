"""Layout of the map for `layout.json`: points, bows, drawings and names, each with its place."""

import base64
import math
from collections.abc import Mapping, Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from shapely import Point, Polygon

from scripts.atlas import settle
from scripts.atlas.settle import Candidate, Plate, Settled, beside_point, options, round_point, standing_flags
from tavola.games.expedition.atlas import LINES, POINTS
from tavola.games.expedition.gazetteer import printed_name
from tavola.games.expedition.picture.geometry import Dot, bow_curve
from tavola.show.speech import LANGUAGES, Say
from tavola.show.testing import chromium

FAR, NEAR = 20, 14
"""Font sizes of names in units: for the whole map, which shows some, and for the enlarged one, which shows all."""
SIZES, SMALLER = (58, 50, 43, 37, 32), (37, 32)
"""Sizes of drawings, the largest that fits is used."""
POINT = 10
"""Radius of a point."""
CROWD = 85
DEAR = 100
"""Maximum cost of a thing: beyond it, it would cover others."""
PLACES = [number for number, point in enumerate(POINTS) if point.kind == "place"]
NAMED = [number for number, point in enumerate(POINTS) if not point.pair]
GAME = Path(__file__).parents[2] / "tavola" / "games" / "expedition"
FONT = Path(__file__).parents[2] / "tavola" / "web" / "static" / "fonts" / "alegreya-latin-500-normal.woff2"


def layout() -> dict[str, Any]:
    """Return the content of `layout.json`."""
    places = settle.spots()
    bent = settle.bows(places)
    curves = [bow_curve(places[one], places[other], bow) for (one, other), bow in zip(LINES, bent, strict=True)]
    plate = Plate(places, curves)
    widths = measured()
    widest = [max(of_one) for of_one in zip(*widths.values(), strict=True)]
    drawn = _drawings(plate, _rooms(_names(plate, widest, NEAR, NAMED, [])), {})
    drawn = _drawings(plate, [], drawn, SMALLER)
    near = _names(plate, widest, NEAR, NAMED, _rooms(drawn))
    sought = options(plate, _beside(plate, widest, NEAR, NAMED))
    drawings = {number: [one for size in SIZES for one in round_point(places[number], size)] for number in PLACES}
    movable = options(plate, drawings)
    settle.make_room(sought, near, movable, drawn, DEAR)
    art = _rooms(drawn)
    far = {language: _names(plate, of_one, FAR, _longest_first(of_one), art) for language, of_one in widths.items()}
    return {
        "points": [list(place) for place in places],
        "bows": bent,
        "drawings": _written(drawn),
        "near": _written(near),
        "far": {language: _written(names) for language, names in far.items()},
        "flags": _written(_flags(places, [near, *far.values()])),
    }


def _flags(places: Sequence[Dot], names: Sequence[Mapping[int, Settled]]) -> dict[int, Settled]:
    """Return the flag of each place that covers least of the names in any layer and language, and no other point."""
    rooms = [room for layer in names for room in _rooms(layer)]
    points = [Point(place).buffer(POINT) for place in places]

    def cost(number: int, flag: Candidate) -> float:
        others = [point for other, point in enumerate(points) if other != number]
        return flag.cost + sum(flag.room.intersection(thing).area for thing in (*rooms, *others))

    flags = {
        number: [Settled(cost(number, flag), flag) for flag in standing_flags(places[number])] for number in PLACES
    }
    return {number: min(settled, key=itemgetter(0)) for number, settled in flags.items()}


def _longest_first(widths: Sequence[float]) -> list[int]:
    """Return START, then the places with the longest names first, which are hardest to place."""
    return [0, *sorted(PLACES, key=lambda number: -widths[number])]


def _names(
    plate: Plate, widths: Sequence[float], size: int, numbers: Sequence[int], art: Sequence[Polygon]
) -> dict[int, Settled]:
    return settle.settle(plate, _beside(plate, widths, size, numbers), art, DEAR)


def _beside(plate: Plate, widths: Sequence[float], size: int, numbers: Sequence[int]) -> settle.Seekers:
    return {number: [*beside_point(plate.places[number], widths[number] * size, size)] for number in numbers}


def _rooms(settled: Mapping[int, Settled]) -> list[Polygon]:
    return [one.chosen.room for one in settled.values()]


def _drawings(
    plate: Plate, taken: Sequence[Polygon], known: Mapping[int, Settled], sizes: Sequence[int] = SIZES
) -> dict[int, Settled]:
    """Return the known drawings and more: large ones first; those that do not fit are tried smaller.

    Places with the most points around them come first: they have the least choice.
    """
    places, drawn = plate.places, dict(known)
    crowds = {number: sum(math.dist(places[number], place) < CROWD for place in places) for number in PLACES}
    for size in sizes:
        rooms = [*taken, *_rooms(drawn)]
        left = sorted((number for number in PLACES if number not in drawn), key=lambda number: -crowds[number])
        drawn |= settle.settle(plate, {number: [*round_point(places[number], size)] for number in left}, rooms, DEAR)
    return drawn


def _written(settled: Mapping[int, Settled]) -> dict[str, list[float | str]]:
    return {POINTS[number].code: [*settled[number].chosen.tag] for number in sorted(settled)}


def measured() -> dict[str, list[float]]:
    """Return the width of every point's name in each language, in ems of the site's serif font."""
    says = {language: Say(GAME, language) for language in LANGUAGES}
    texts = {language: [printed_name(number, say) for number in range(len(POINTS))] for language, say in says.items()}
    font = base64.b64encode(FONT.read_bytes()).decode()
    with chromium() as browser:
        page = browser.new_page()
        measure = f"""async (texts) => {{
            const font = new FontFace("Measured", "url(data:font/woff2;base64,{font})");
            document.fonts.add(await font.load());
            const pen = document.createElement("canvas").getContext("2d");
            pen.font = "100px Measured";
            return texts.map((text) => pen.measureText(text).width / 100);
        }}"""
        return {language: page.evaluate(measure, names) for language, names in texts.items()}
