"""Ornaments of the map: frame, wind rose, a ship and whales, cartouche and legend without their words."""

import math

from scripts.atlas.ink import short
from tavola.games.expedition.picture.geometry import NORTHERN, SOUTHERN, project
from tavola.games.expedition.picture.map_labels import LEGEND_AT, legend_entries

STEAMER = (
    '<path class="engraved" d="M4 36 10 44H74L86 30 62 32V26H20V32H2zM24 26V20H58V26M34 20V8h6v12M46 20'
    "V8h6v12M16 32V6M70 31V5"
    'M16 8 4 30M16 8 34 20M70 7 52 20M70 7 84 30"/>'
    '<path class="engraved-dark" d="M36 7c6-8 14-2 20-6-4 6-12 3-20 6zM10 44h64l4-6H6z"/>'
    '<path class="engraved" d="M0 47c5-3 7 1 12-1s7 1 12-1 7 1 12-1 7 1 12-1 7 1 12-1 7 1 12-1 7 1 14-1"/>'
)
WHALE = (
    '<path class="engraved" d="M4 30C8 14 30 10 44 20'
    "c8 6 14 8 20 4-4-4-4-9-2-12 3 4 7 5 10 4 2 6-1 10-5 12-6 10-20 14-34 12"
    'C18 40 6 38 4 30zM4 30c10 2 16 2 22-1M10 36c6-3 12-4 18-3M20 14C18 6 14 6 12 8M20 14c0-8 4-9 7-7"/>'
    '<path class="engraved-dark" d="M12 25a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0-3 0zM34 33c3 4 4 6 3 9-3-1-7-3-8-7z"/>'
)


def sea_things() -> str:
    """Return a steamer and two whales."""
    at = (("724 826", STEAMER), ("150 640", WHALE), ("1100 800", WHALE))
    return "".join(f'<g transform="translate({place}) scale(.87)">{drawn}</g>' for place, drawn in at)


def frame() -> str:
    """Return the border of the sheet: a band with scrolls, a scale of five degrees, a rose in each corner."""
    return (
        '<path class="mat" fill-rule="evenodd" d="M0 0H1600V1000H0zM50 50V950H1550V50z"/>'
        '<path class="band" fill-rule="evenodd" d="M9 9H1591V991H9zM42 42V958H1558V42z"/>'
        '<path fill="url(#scroll)" d="M40 14h1520v20H40z"/>'
        '<path fill="url(#scroll)" transform="translate(0 966)" d="M40 0h1520v20H40z"/>'
        '<path fill="url(#scroll-down)" d="M14 40h20v920H14zM1566 40h20v920h-20z"/>'
        '<path class="rule rule-3" d="M9 9H1591V991H9z"/>'
        '<path class="rule" d="M13 13H1587V987H13zM37 37H1563V963H37z"/>'
        f'<path class="degrees" d="{_scale()}"/><path class="rule" d="M42 42H1558V958H42z"/>'
        f'<path class="rule rule-2" d="M50 50H1550V950H50z"/>'
        + "".join(_corner(x, y) for x in (26, 1574) for y in (26, 974))
    )


def _scale() -> str:
    """Return every second stretch of five degrees along the four sides."""
    drawn = ""
    for longitude in range(-225, 251, 10):
        for latitude, y in ((NORTHERN, 42.5), (SOUTHERN, 950)):
            west, east = max(50, project(longitude, latitude).x), min(1550, project(longitude + 5, latitude).x)
            if west < east:
                drawn += f"M{short(west)} {y}H{short(east)}v7.5H{short(west)}z"
    for latitude in range(-55, 80, 10):
        north, south = project(0, min(NORTHERN, latitude + 5)).y, project(0, latitude).y
        drawn += "".join(f"M{x} {short(north)}h7.5V{short(south)}h-7.5z" for x in (42.5, 1550))
    return drawn


def _corner(x: float, y: float) -> str:
    return (
        f'<g transform="translate({x} {y})"><path class="corner" d="M-19-19H19V19H-19z"/>'
        '<path class="rule" d="M-15-15H15V15H-15zM-8-8 0-3 8-8 3 0 8 8 0 3-8 8-3 0z"/>'
        '<path class="gilt" d="M0-14 3-3 14 0 3 3 0 14-3 3-14 0-3-3z"/></g>'
    )


def rose(x: float, y: float, radius: float) -> str:
    """Return the wind rose: degrees, eight points each lit and dark, a lily for the north."""
    ticks = "".join(
        f"M{_round(radius - 5, step * math.pi / 36)}L{_round(radius, step * math.pi / 36)}" for step in range(72)
    )
    points = "".join(
        _point(quarter * math.pi / 2 + turn, radius, reach, width)
        for reach, width, turn in ((0.72, 0.13, math.pi / 4), (1.12, 0.15, 0))
        for quarter in range(4)
    )
    lily = f"M0 {short(-radius * 1.12 - 20)}l4.5 6 4.5-1-3 6h-12l-3-6 4.5 1z"
    return (
        f'<g transform="translate({x} {y})"><circle class="rose" r="{radius}"/><circle class="rose" r="{radius - 5}"/>'
        f'<path class="rose" d="{ticks}"/>{points}<path class="rose-dark" d="{lily}"/></g>'
    )


def _round(radius: float, turn: float) -> str:
    return f"{short(math.cos(turn) * radius)} {short(math.sin(turn) * radius)}"


def _point(turn: float, radius: float, reach: float, width: float) -> str:
    tip = _round(radius * reach, turn)
    return "".join(
        f'<path class="rose-{half}" d="M0 0L{_round(radius * width * 1.5, turn + side * math.pi / 4)} {tip}z"/>'
        for side, half in ((1, "lit"), (-1, "dark"))
    )


def _laurel(side: int) -> str:
    """Return nine pairs of leaves on a bow to the left (-1) or the right (1) of the globe."""
    drawn = ""
    for number in range(9):
        part = number / 8
        x, y = 157 + side * (26 + 92 * part), 1 - 15 * math.sin(part * math.pi * 0.9)
        for up in (1, -1):
            lean = -28 * up + 20 * (part - 0.5)
            turn = lean if side > 0 else 180 - lean
            drawn += (
                f'<path class="leaf" transform="translate({short(x)} {short(y)}) rotate({short(turn)})" d="{LEAF}"/>'
            )
    return drawn


LEAF = "M0 0C4-5 11-5 16 0 11 4 4 4 0 0z"
GLOBE = (
    "M135-4H179M157-26V18M139-16c10 5 26 5 36 0M139 8c10-5 26-5 36 0M157-26c-14 10-14 34 0 44M157-26c14 10 14 34 0 44"
)


def cartouche() -> str:
    """Return the frame of the title, with a globe between laurels."""
    return (
        '<g transform="translate(70 806)"><path class="cast" d="M24 16H298l10 10V122l-10 10H24L14 122V26z"/>'
        '<path class="panel" d="M30 6H284c0 10 8 16 18 16V106c-10 0-18 6-18 16H30c0-10-8-16-18-16V22'
        'c10 0 18-6 18-16z"/>'
        '<path class="rule" d="M36 11H278c2 9 9 15 19 16V101c-10 1-17 7-19 16H36c-2-9-9-15-19-16V27c10-1 17-7 19-16z"/>'
        f'{_laurel(-1)}{_laurel(1)}<circle class="globe" cx="157" cy="-4" r="22"/>'
        f'<path class="globe-line" d="{GLOBE}"/>'
        '<path class="rule rule-2" d="M134 18H180l6 6H128z"/><path class="rule" d="M60 71H142M172 71H254"/>'
        '<path class="gilt" d="M157 64l3 7-3 7-3-7z"/></g>'
    )


def legend() -> str:
    """Return the frame of the legend with its signs."""
    x, y, width, height = LEGEND_AT
    right, bottom = width - 8, height - 8
    signs = "".join(
        f'<use href="#point-{sign}" transform="translate({place.x - x:g} {place.y - y:g}) scale(.82)"/>'
        for sign, place in legend_entries()
    )
    return (
        f'<g transform="translate({x} {y})"><path class="cast" d="M8 5H{right}l8 8V{bottom + 7}l-8 8'
        f'H8L0 {bottom + 7}V13z"/>'
        f'<path class="panel" d="M8 0H{right}l8 8V{bottom}l-8 8H8L0 {bottom}V8z"/>'
        f'<path class="rule" d="M10 4H{right - 2}l6 6V{bottom - 2}l-6 6H10L4 {bottom - 2}V10z"/>{signs}</g>'
    )
