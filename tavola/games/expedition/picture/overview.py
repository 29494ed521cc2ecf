"""The overview: the whole plate in a corner while a part of it is enlarged, with the routes and the heads."""

from markupsafe import Markup

from tavola.games.expedition.components import Table
from tavola.games.expedition.network import ENDS
from tavola.games.expedition.picture.elements import TRAVELS
from tavola.games.expedition.picture.geometry import SPOTS, line_curve, path_of
from tavola.games.expedition.picture.routes import head_spot, under_way
from tavola.show.kit import PieceItems, piece
from tavola.show.svg import group, tag


def overview(table: Table) -> PieceItems:
    for colour in under_way(table):
        route = table.expedition[colour]
        yield _trace(colour, tuple(route.path[: route.count]))
    for colour in under_way(table):
        yield _speck(colour, head_spot(table, colour))


@piece("trace-{colour}", colour=TRAVELS, memory=256)
def _trace(identifier: str, colour: int, path: tuple[int, ...]) -> Markup:
    travel = TRAVELS[colour]
    drawn = "".join(path_of(line_curve(*ENDS[step - 1])) for step in path)
    shown = tag("path", d=drawn, class_=f"trace trace-{travel}")
    return tag("g", shown, id=identifier, class_="piece through")


@piece("speck-{colour}", colour=TRAVELS, memory=512)
def _speck(identifier: str, colour: int, point: int) -> Markup:
    x, y = SPOTS[point]
    speck = tag("circle", r=34, class_="speck", fill=f"var(--{TRAVELS[colour]})")
    return group(identifier, speck, x=x, y=y, class_="through")
