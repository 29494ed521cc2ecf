"""The names of shapes and classes, and elements that several boards use."""

from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup

from tavola.games.expedition.atlas import POINTS
from tavola.games.expedition.components import COLOUR_COUNT, Table
from tavola.games.expedition.gazetteer import about_place, place_name, region_name
from tavola.games.expedition.words.nouns import AWAY, heads
from tavola.show.kit import PAINTS, sign, use
from tavola.show.speech import Say, mark
from tavola.show.svg import tag

TRAVELS = ("camels", "steamer", "railway")
"""A colour's vehicle: its class, its texture, its icon."""
SEGMENTS = mark("Arrows to reach it: yellow {yellow}, blue {blue}, red {red}.")
Distances = tuple[int, ...]
DISTANCES, COARSE_DISTANCES = "\ue000", "\ue001"
"""Marks in cached cards, in the places of their distances, which every arrow changes; no text has these characters."""


def distances_to(table: Table, spots: Iterable[int]) -> dict[int, Distances]:
    """Return the segments from each head to some spots; from START if an expedition has not begun."""
    away = [AWAY[head] for head in heads(table)]
    return {spot: tuple([row[spot] for row in away]) for spot in spots}


def code_of(place: int) -> str:
    return POINTS[place + 1].code


@lru_cache(maxsize=1024)
def point_title(point: int, say: Say) -> str:
    kind, region = POINTS[point].kind, POINTS[point].region
    name = place_name(point, say)
    if kind == "place":
        return f"{name}\n{region_name(region, say)}. {about_place(point, say)}"
    told = {
        "start": say("START: all three expeditions set out from here."),
        "green": say("A green station: one more arrow at once, of any colour."),
        "red": say("A red station gives you a voucher."),
        "border": say(
            "The edge of the map: the same number on the other side is the same point. It gives you a voucher."
        ),
    }
    return f"{name}\n{told[kind]}"


def flag(seat: int, x: float, y: float, scale: float = 1, side: int = 1) -> Markup:
    """Draw a token as a flag that flies to the right, or with side -1 to the left."""
    colours = use("flag" if side > 0 else "flag-left"), sign(PAINTS[seat], 11 * side, -26.5, 0.62)
    return tag("g", *colours, class_=PAINTS[seat], transform=f"translate({x:g} {y:g}) scale({scale:g})")


_CHIP = {
    "camels": "M0 {m}L{c} 0H{d}L{w} {m}L{d} {h}H{c}z",
    "steamer": "M{c} 0H{d}a{c} {m} 0 0 1 0 {h}H{c}a{c} {m} 0 0 1 0-{h}z",
    "railway": "M0 0H{w}V{h}H0z",
}


@lru_cache(maxsize=4096)
def chips(distances: Distances, width: float, height: float, icons: bool) -> Markup:
    """Draw the distance of each head: a chip each, framed if it is the nearest; lozenge, round or square by colour."""
    nearest, pitch = min(distances), width / COLOUR_COUNT
    drawn = [_chip(colour, away, away == nearest, pitch, height, icons) for colour, away in enumerate(distances)]
    return tag("g", *drawn)


@lru_cache(maxsize=4096)
def _chip(colour: int, distance: int, near: bool, pitch: float, height: float, icons: bool) -> Markup:
    travel = TRAVELS[colour]
    wide, middle, cut = pitch - 3, height / 2, height * 0.36
    shape = _CHIP[travel].format(w=round(wide, 1), h=height, m=middle, c=round(cut, 1), d=round(wide - cut, 1))
    inside = [tag("path", d=shape, fill=f"var(--{travel})", class_="chip nearest" if near else "chip")]
    if icons:
        inside.append(use(f"icon-{travel}", wide * 0.31, middle, height / 28))
    x, size = wide * (0.7 if icons else 0.5), height * 0.86
    number = tag("text", str(distance), x=float(x), y=float(middle + size * 0.33), font_size=float(size))
    inside.append(tag("g", number, class_=f"on-{travel} mid"))
    return tag("g", *inside, transform=f"translate({pitch * colour + 1.5:.1f} 0)")


def sheet_shape(name: str, width: float, height: float, radius: float = 3.4) -> Markup:
    """Return the shape `sheet-…` of a sheet with a scalloped edge: most of a card, so it is sent once for all."""
    return tag("path", id=f"sheet-{name}", d=scallop(width, height, radius))


def scallop(width: float, height: float, radius: float = 3.4) -> str:
    across, down = round(width / (radius * 2)), round(height / (radius * 2))
    x, y, bow = round(width / across, 2), round(height / down, 2), round(radius * 0.9, 2)
    sides = (
        f"q{x / 2:g} {bow} {x:g} 0" * across,
        f"q-{bow} {y / 2:g} 0 {y:g}" * down,
        f"q-{x / 2:g}-{bow}-{x:g} 0" * across,
        f"q{bow}-{y / 2:g} 0-{y:g}" * down,
    )
    return "M0 0" + "".join(sides) + "z"
