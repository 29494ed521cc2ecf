"""The overview: the whole plate in a corner while a part of it is enlarged, with the routes and the heads."""

from collections.abc import Iterator
from functools import lru_cache

from markupsafe import Markup

from tavola.games.expedition.components import COLOUR_COUNT, Table
from tavola.games.expedition.network import ENDS
from tavola.games.expedition.picture.elements import TRAVELS
from tavola.games.expedition.picture.geometry import SPOTS, line_curve, path_of
from tavola.games.expedition.picture.routes import head_spot
from tavola.show.svg import group, tag

PieceItems = Iterator[tuple[str, Markup]]


def overview(table: Table) -> PieceItems:
    """One line a route, and where it ends."""
    for colour in range(COLOUR_COUNT):
        route = table.expedition[colour]
        if route.count:
            yield f"trace-{TRAVELS[colour]}", _trace(colour, tuple(route.path[: route.count]))
    for colour in range(COLOUR_COUNT):
        if table.expedition[colour].count:
            yield f"speck-{TRAVELS[colour]}", _speck(colour, head_spot(table, colour))


@lru_cache(maxsize=256)
def _trace(colour: int, path: tuple[int, ...]) -> Markup:
    travel = TRAVELS[colour]
    drawn = "".join(path_of(line_curve(*ENDS[step - 1])) for step in path)
    shown = tag("path", d=drawn, class_=f"trace trace-{travel}")
    return tag("g", shown, id=f"trace-{travel}", class_="piece through")


@lru_cache(maxsize=512)
def _speck(colour: int, point: int) -> Markup:
    x, y = SPOTS[point]
    speck = tag("circle", r=34, class_="speck", fill=f"var(--{TRAVELS[colour]})")
    return group(f"speck-{TRAVELS[colour]}", speck, x=x, y=y, class_="through")
