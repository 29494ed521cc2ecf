"""The map as one drawing: sea, land, relief, frame, ornaments, the drawings of the places, lines, points."""

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random

from shapely import LineString, box
from shapely.geometry.base import BaseGeometry

from scripts.atlas.ink import area, area_path, path, short
from scripts.atlas.ornaments import cartouche, frame, legend, rose, sea_things
from scripts.atlas.relief import DUNES, TINTS, WOODS, degrees, hachures, lakes, rivers, scattered
from tavola.games.expedition.atlas import LINES
from tavola.games.expedition.picture import geometry
from tavola.games.expedition.picture.geometry import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, line_curve, project
from tavola.games.expedition.picture.routes import printed_point
from tavola.show.board import Board, used_shapes
from tavola.show.kit import read_shapes
from tavola.show.svg import tag

FRAME = box(LEFT, TOP, RIGHT, BOTTOM)
WATER_LINES = ((3.2, 0.55), (7.2, 0.9), (12.5, 1.3))
"""Distance from the coast and tolerance of each water line."""
HOLD = 12
"""Length of a line's end below its point."""


def plate(picture: Path) -> str:
    """Return the file `map.svg`, from the files in the picture's folder."""
    land_path = re.findall(r' d="([^"]*)"', (picture / "land.svg").read_text(encoding="utf-8"))[0]
    scenery = sea_things() + rose(1447, 432, 44) + frame() + cartouche() + legend()
    inside = "".join((_sea(), _land(land_path), scenery, drawings(), network(), points()))
    left, top, width, height = Board((WIDTH, HEIGHT)).bleed
    shapes = used_shapes(read_shapes(picture / "shapes.svg"), inside + 'href="#ex-weave"')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}">\n'
        "<!-- Made by `python -m scripts.atlas plate`; the origin of the land is told in land.md. -->\n"
        f"<style>{_style(picture)}</style>\n<defs>{shapes}{_patterns()}"
        f'<path id="land" d="{land_path}"/><clipPath id="dry"><use href="#land"/></clipPath></defs>\n'
        f'<path fill="var(--desk)" d="M{left:g} {top:g}h{width:g}v{height:g}h{-width:g}z"/>'
        f'<path fill="url(#ex-weave)" d="M{left:g} {top:g}h{width:g}v{height:g}h{-width:g}z"/>\n{inside}\n</svg>\n'
    )


def _style(picture: Path) -> str:
    """Return the palette and the classes of shapes from the picture's own style, and those of the map."""
    style = re.sub(r"/\*.*?\*/\n?", "", (picture / "picture.css").read_text(encoding="utf-8"), flags=re.DOTALL)
    palette = re.search(r"^\.expedition\{([^}]*)\}", style, re.MULTILINE)
    assert palette
    shapes = "".join(re.findall(r"(?:\.ex-[\w-]+,?)+\{[^}]*\}", style))
    own = (Path(__file__).parent / "plate.css").read_text(encoding="utf-8")
    return f"svg{{color-scheme:light dark;{palette[1]}}}{shapes}{own}"


def _patterns() -> str:
    scroll = "M0 17H30M0 17C2 6 9 2 15 3c6 1 8 5 7 8-1 3-5 4-7 2-2-2-1-4 1-4M30 17C26 17 20 17 15 16.5"
    return (
        '<pattern id="grain" width="7" height="7" patternUnits="userSpaceOnUse">'
        '<path class="grain" d="M1 1h1M4.5 2.5h.8M2.600 5.200h.8M6 6h.7"/></pattern>'
        f'<pattern id="scroll" width="30" height="20" patternUnits="userSpaceOnUse"><path class="scroll" d="{scroll}"/>'
        '</pattern><pattern id="scroll-down" width="30" height="20" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(90)"><path class="scroll" d="{scroll}"/></pattern>'
        f'<path id="grid" d="{_grid()}"/>'
    )


def _grid() -> str:
    """Return meridians and parallels, 15 degrees apart."""
    drawn = ""
    for longitude in range(-210, 241, 15):
        meridian = LineString([project(longitude, latitude) for latitude in range(81, -61, -3)]).intersection(FRAME)
        for part in getattr(meridian, "geoms", [meridian]):
            if part.geom_type == "LineString" and not part.is_empty:
                drawn += path(part.simplify(0.4).coords)
    return drawn + _parallels(latitude for latitude in range(-45, 80, 15) if latitude)


def _parallels(latitudes: Iterable[float]) -> str:
    return "".join(f"M{LEFT} {short(project(0, latitude).y)}H{RIGHT}" for latitude in latitudes)


def _sea() -> str:
    tropics = _parallels((66.56, 23.44, 0, -23.44))
    return (
        f'<path class="sea" d="M0 0H{WIDTH}V{HEIGHT}H0z"/><use href="#grid" class="grid"/>'
        f'<path class="tropic" d="{tropics}"/><use href="#land" class="shore"/>'
    )


def _land(land_path: str) -> str:
    land, draw = area(land_path), Random(1900)
    lit, shaded = hachures(land.intersection(FRAME), draw)
    tints = "".join(f'<path class="tint {region}" d="{_tint(region)}"/>' for region in TINTS)
    dunes = scattered(DUNES, 11, lambda x, y: f"M{short(x)} {short(y)}h.1", land, draw)
    woods = scattered(WOODS, 17, lambda x, y: f"M{short(x)} {short(y)}c-3-4 0-8 2-8s4 4 2 8m-2 0v3", land, draw)
    return (
        f'{_water_lines(land)}<use href="#land" class="oceans"/><g clip-path="url(#dry)">{tints}'
        '<use href="#land" class="inner"/><use href="#grid" class="grid over-land"/>'
        f'<path class="river" d="{rivers(draw)}"/><path class="lake" d="{lakes()}"/><path class="dune" d="{dunes}"/>'
        f'<path class="tree" d="{woods}"/><path class="hachure" d="{lit}"/>'
        f'<path class="hachure dark" d="{shaded}"/></g>'
        f'<use href="#land" class="coast"/><path fill="url(#grain)" d="M0 0H{WIDTH}V{HEIGHT}H0z"/>'
    )


def _water_lines(land: BaseGeometry) -> str:
    """Return lines in the water around the land, finer and fainter with distance."""
    drawn = ""
    for number, (away, simpler) in reversed([*enumerate(WATER_LINES, 1)]):
        wet = land.buffer(away, quad_segs=2).simplify(simpler).intersection(FRAME.buffer(10))
        drawn += f'<path class="water water-{number}" d="{area_path(wet, 60, 90)}"/>'
    return drawn


def _tint(region: str) -> str:
    spots = degrees(TINTS[region])
    drawn = path([*spots, spots[0]], close=True)
    if region == "north-america":  # Alaska appears at the eastern edge, too
        pairs = (pair.split(",") for pair in TINTS[region].split())
        beyond = degrees(" ".join(f"{float(longitude) + 360:g},{latitude}" for longitude, latitude in pairs))
        drawn += path([*beyond, beyond[0]], close=True)
    return drawn


def drawings() -> str:
    """Return every place of research, each with a halo of paper."""
    drawn = ""
    for code, (x, y, size) in geometry.LAYOUT["drawings"].items():
        room = f'x="{short(x - size / 2)}" y="{short(y - size / 2)}" width="{size}" height="{size}"'
        drawn += f'<use href="#place-{code}" class="halo" {room}/><use href="#place-{code}" {room}/>'
    return drawn


def network() -> str:
    """Return all lines as one path, drawn twice: a casing of paper, then ink."""
    drawn = "".join(
        geometry.path_of(geometry.trim(line_curve(*ends), *(0 if geometry.is_at_edge(end) else HOLD for end in ends)))
        for ends in LINES
    )
    return f'<path class="casing" d="{drawn}"/><path class="line" d="{drawn}"/>'


def points() -> str:
    """Return every point as the board draws it: before a match begins there is nothing but the map."""
    drawn = ""
    for point, (x, y) in enumerate(geometry.SPOTS):
        drawn += tag("g", *printed_point(point), transform=f"translate({short(x)} {short(y)})")
    return drawn
