"""The elements of Voyage's pictures, and the geometry of the chart.

The squares of the chart are 84 units. Cells and courses are counted from 0.
"""

from typing import NamedTuple

from markupsafe import Markup

from tavola.games.voyage.components import HEIGHT, WIDTH
from tavola.show.kit import PAINTS, use
from tavola.show.svg import tag

Point2D = tuple[float, float]
SQUARE = 84


class Edges(NamedTuple):
    """The edges of the chart, and its horizontal middle."""

    left: int = 54
    top: int = 54
    right: int = 54 + WIDTH * SQUARE
    bottom: int = 54 + HEIGHT * SQUARE
    middle: float = 54 + WIDTH * SQUARE / 2


CHART = Edges()
STEP = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The step of each course, x to the right and y down."""
EXIT = (30, 34, 26, 34)
"""Distance from the edge of the chart to a ship that has left it, by course."""


def cell_middle(cell: int) -> Point2D:
    row, column = divmod(cell, WIDTH)
    return CHART.left + SQUARE * (column + 0.5), CHART.top + SQUARE * (row + 0.5)


def beyond_edge(ship: int, course: int, away: float) -> Point2D:
    """Return the point beyond the edge of the chart that a course leads to from a cell."""
    x, y = cell_middle(ship)
    return ((x, CHART.top - away), (CHART.right + away, y), (x, CHART.bottom + away), (CHART.left - away, y))[course]


def printed(text: str, class_: str, x: float, y: float, size: float) -> Markup:
    return tag("text", text, class_=class_, x=x, y=y, font_size=size)


def box(class_: str, x: float, y: float, width: float, height: float, rx: float, **more: object) -> Markup:
    return tag("rect", class_=class_, x=x, y=y, width=width, height=height, rx=rx, **more)


def placed(transform: str, *parts: str) -> Markup:
    return tag("g", *parts, transform=transform)


def turned_card(back: Markup, face: Markup, *more: Markup) -> Markup:
    """Draw a card that turns from its back to its face."""
    return tag("g", tag("g", back, class_="back"), tag("g", face, class_="face"), *more, class_="turned")


def seat_disc(seat: int, scale: float, x: float = 0, y: float = 0) -> Markup:
    """Draw the sign of a seat on a disc in its colour."""
    place = f"translate({x:g} {y:g}) scale({scale:g})"
    return tag("g", use("disc"), use(f"sign-{PAINTS[seat]}"), class_=PAINTS[seat], transform=place)
