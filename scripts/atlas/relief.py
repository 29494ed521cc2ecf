"""Mountains, rivers, lakes, deserts and woods in an engraver's manner, from our own rough lists in degrees."""

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random

from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.prepared import prep

from scripts.atlas.ink import meandering, short, smooth
from tavola.games.expedition.picture.geometry import SPOTS, Dot, project

RIDGES: tuple[tuple[float, str], ...] = (
    (2.6, "-150,69 -140,68.5"),
    (3, "-152,62 -145,61.5 -139,60.5 -134,58"),
    (3.6, "-128,57 -122,53 -117,50 -113,46 -110,43 -107,40 -106,36"),
    (2, "-122,48 -121.5,44 -120,39 -118,36"),
    (2.2, "-108,29 -105,25 -103,22"),
    (1.8, "-100,18 -96,17.5 -92,15.5"),
    (1.6, "-84,35 -81,37 -78,40 -73,43"),
    (2.2, "-75,6 -77,1 -79,-4 -77,-9 -74,-13 -70,-16 -67.5,-20 -68,-26 -70,-32 -71,-38 -72,-44 -73,-50"),
    (1.6, "-47,-15 -43,-20 -46,-23"),
    (1.3, "-64,5 -61,5"),
    (2.2, "8,60.5 12,63.5 16,67 20,69"),
    (1.5, "6.5,45 10,46.7 14,47"),
    (1.3, "20,49 24.5,47.5 25,45.5"),
    (1.2, "-1,42.7 2,42.5"),
    (1.3, "15,44.5 19,42 22,39.5"),
    (1.6, "-8,31 -4,33 1,35 6,35.5"),
    (1.8, "6,24 9,26"),
    (1.6, "16,20 19,21"),
    (2.6, "37,14 39,11 39,8 42,9"),
    (1.5, "29,2 29,-2 31,-8 35,-12"),
    (1.8, "30,-28 27,-31 22,-32.5"),
    (1.8, "30,37 35,37.5 40,39.5 44,39"),
    (1.3, "38,44 42,43 47,41.5"),
    (2, "46,36 50,32 54,29"),
    (1.6, "43,19 44,14"),
    (2.2, "68,35 72,36.5 75,36"),
    (2.8, "75,34.5 79,31 84,28.7 89,28 95,28.5"),
    (2.3, "77,36.5 83,36 90,36 96,35.5"),
    (2.2, "70,41 76,42 82,43 88,43.5"),
    (2, "85,51 90,49 96,47"),
    (1.6, "58,52 59,57 60,62 63,67"),
    (2, "98,52 105,52 112,56 120,57"),
    (2.2, "128,67 131,65 137,62"),
    (2.2, "142,66 147,64 152,62"),
    (1.6, "158,54 160,57"),
    (1.4, "74,19 75.5,14 77,10"),
    (1.8, "99,30 101,27"),
    (1.6, "105,33.5 110,33.5"),
    (1.2, "137,35.5 140,38"),
    (1.3, "98,19 99,15"),
    (1.8, "137,-4 142,-5.5 146,-7"),
    (1.6, "149,-35 151,-31 148,-24 145,-18"),
    (1.3, "169,-44.5 172,-42.5"),
    (1.4, "102,-3 99,1"),
    (1.3, "114,2 116,5"),
    (1.8, "46.5,-22 47.5,-18"),
    (2, "-40,79 -25,75 -28,70"),
    (1.6, "-46,62 -50,66 -52,71"),
)
"""Half the width of a range in degrees, and its crest: east, north."""
RIVERS = (
    "31,30 31,27 33,24 31,20 32,16 33,10 31.5,4 32,0",
    "-50,-.5 -54,-2 -60,-3.2 -66,-3 -72,-4 -75,-8",
    "-89.5,29.5 -91,33 -89,37 -91,41 -94,46",
    "12.5,-6 16,-4 18,0 22,2 25,0 26,-6",
    "6,4.5 6,8 3,12 -1,16.5 -5,14 -10,11",
    "29,45 24,44 19,46 13,48.5",
    "48,46 45,49 49,53 48,56 42,57",
    "69,66 68,61 74,58 83,53",
    "82,71 87,66 91,60 93,55",
    "126,72 123,67 129,62 118,60 108,55",
    "121.5,31.5 116,30 112,30 106,29.5 101,26.5 98,31 94,34",
    "118.5,37.5 113,35 110,38 107,40.5 103,36 98,35",
    "89,23 85,25.5 80,27",
    "68,24.5 70,29 72,33 77,34.5",
    "106,10 105,15 101,20 98,27",
    "139,-35.5 143,-34.5 147,-36",
    "-58.5,-34 -60,-30 -58,-25 -52,-20",
    "36,-18.5 33,-16.5 28,-16.5 25.5,-17.9 22,-14",
    "-135,69 -128,65 -122,61.5 -114,60",
    "-164,62.5 -157,65 -147,65.5 -138,63",
    "67,45.5 64,43 60,45.5",
)
"""From the mouth or the source."""
LAKES = (
    "-92,46.7 -88,48.5 -84.5,46.7 -88,46.8",
    "-87,45 -85,45.5 -86.3,42 -87.5,42",
    "-84,46 -81,45.5 -82,43.5 -83.5,44",
    "-83,42 -79,42.9 -81.5,41.6",
    "-79.5,43.5 -76.5,44 -77,43.3",
    "32,.4 34,0 33.5,-2.3 32,-2",
    "104,51.6 108,53 109.7,55.5 106,53",
    "30.5,61 32.5,61.3 32,60",
    "-124,65.5 -120,66.5 -119,65.5",
    "-116,61 -110,62.8 -112,61.2",
    "58.5,45 61,46.5 61,44",
)
DUNES = (
    "-14,19 -4,22 8,21 14,24 25,26 30,24 26,19 10,17 -4,18",
    "44,22 48,26 54,23 52,18.5 46,18",
    "88,41 96,43.5 106,43 110,42 100,40.5 90,39.5",
    "122,-19 130,-20 136,-22 138,-28 128,-30 121,-27",
    "19,-21 24,-24 21,-28 17,-26",
    "54,41 62,43 64,39 57,38",
)
"""Deserts, dotted."""
WOODS = (
    "-70,2 -56,1 -52,-6 -62,-10 -70,-8",
    "14,3 25,3 26,-3 17,-4",
    "70,62 88,65 104,66 112,63 98,59 80,58",
    "-100,56 -88,53 -78,50 -72,53 -80,50 -96,53",
    "101,3 104,-2",
    "110,1 116,0 113,-2",
    "34,64 48,63 54,60 40,58",
)
"""Forests, with little trees; for two spots, along the line between them."""
TINTS = {
    "north-america": "-200,86 -8,86 -8,76 -22,69.5 -30,66 -40,50 -58,25 -60,13 -77.3,8.5 -79,6 -100,0 -200,0",
    "south-america": "-77.3,8.5 -60,13 -30,8 -26,-60 -100,-60 -100,0 -79,6",
    "europe": (
        "-30,66 -22,69.5 -8,76 -8,86 60,86 66,70 60,66 60,52 52,48 47,46 40,43.5 36,45 29,41.2 26,39.5 "
        "28,35 20,34.5 11,37.7 -5.6,35.95 -20,36 -32,50"
    ),
    "africa": (
        "-5.6,35.95 11,37.7 20,34.5 28,34 32.5,31.3 32.6,29.9 34,27.5 39,19 43,12.7 52,13 60,0 62,-40 -30,-40 -30,36"
    ),
    "orient": (
        "26,39.5 29,41.2 36,45 40,43.5 47,46 52,49 60,51 72,51 82,46 80,36 88,30.5 97,28.5 92.6,22 90,8 "
        "80,3 60,5 52,13 43,12.7 39,19 34,27.5 32.6,29.9 32.5,31.3 28,34 28,35"
    ),
    "far-east": (
        "60,86 66,70 60,66 60,51 72,51 82,46 80,36 88,30.5 97,28.5 92.6,22 90,0 95,-12 127,-11 130.5,-5 "
        "129.5,0 135,8 150,30 170,45 190,58 190.5,66 192,86"
    ),
}
"""The regions, roughly: their land takes their tint; the rest of the land belongs to the oceans."""


def degrees(text: str) -> list[Dot]:
    """Return the spots on the map of `east,north east,north`."""
    return [project(*map(float, pair.split(","))) for pair in text.split()]


def hachures(land: BaseGeometry, draw: Random) -> tuple[str, str]:
    """Return strokes down both sides of every crest, lit and shaded; light comes from the north-west."""
    dry, strokes = prep(land), {False: "", True: ""}
    for width, crest in RIDGES:
        for foot, along, dark in _strokes(width, LineString(degrees(crest)), draw):
            if dry.contains(Point(foot[0] + along[0], foot[1] + along[1])):
                strokes[dark] += f"M{short(foot[0])} {short(foot[1])}l{short(along[0])} {short(along[1])}"
    return strokes[False], strokes[True]


def _strokes(width: float, crest: LineString, draw: Random) -> Iterator[tuple[Dot, Dot, bool]]:
    """Yield the start of each stroke, its direction, and whether it is in the shade."""
    count = max(3, int(crest.length / 3.7))
    for number in range(count + 1):
        at = number / count * crest.length
        here, ahead, behind = (crest.interpolate(min(max(at + step, 0), crest.length)) for step in (0, 1, -1))
        turn = math.atan2(ahead.y - behind.y, ahead.x - behind.x) + draw.uniform(-0.25, 0.25)
        aside = 1.6 * math.sin(number * 0.9) + draw.uniform(-0.8, 0.8)
        taper = 0.5 + 0.5 * math.sin(math.pi * (number + 0.5) / (count + 1))
        for side in (1, -1):
            across, down = -math.sin(turn) * side, math.cos(turn) * side
            dark = across + down > 0
            long = width * 3.9 * taper * draw.uniform(0.65, 1.1) * (1.12 if dark else 0.8)
            foot = Dot(here.x - math.sin(turn) * aside + across * 1.1, here.y + math.cos(turn) * aside + down * 1.1)
            yield foot, Dot(across * long, down * long), dark


def rivers(draw: Random) -> str:
    """Return all rivers."""
    return "".join(smooth(meandering(degrees(river), draw)) for river in RIVERS)


def lakes() -> str:
    """Return all lakes, as closed lines."""
    return "".join(smooth([*degrees(lake), degrees(lake)[0]]) for lake in LAKES)


def scattered(
    areas: Sequence[str], step: float, sign: Callable[[float, float], str], land: BaseGeometry, draw: Random
) -> str:
    """Return signs scattered over some areas, on land and away from points."""
    dry, drawn = prep(land), ""
    for text in areas:
        spots = degrees(text)
        area = Polygon(spots) if len(spots) > 2 else LineString(spots).buffer(14)
        for x, y in _grid(area, step, draw):
            here = Point(x, y)
            if all(math.dist(spot, (x, y)) > 15 for spot in SPOTS) and area.contains(here) and dry.contains(here):
                drawn += sign(x, y)
    return drawn


def _grid(area: BaseGeometry, step: float, draw: Random) -> Iterator[tuple[float, float]]:
    """Yield spots in rows, every second row shifted by half a step, each slightly displaced."""
    left, top, right, bottom = area.bounds
    for row in range(int((bottom - top) / (step * 0.6)) + 1):
        for column in range(int((right - left) / step) + 1):
            x = left + step * (column + row % 2 / 2) + draw.uniform(-0.35, 0.35) * step
            yield x, top + row * step * 0.6 + draw.uniform(-0.35, 0.35) * step
