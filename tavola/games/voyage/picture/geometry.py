"""Where things lie on the chart of Voyage: its squares are 84 units. Cells and courses are counted from 0."""

from typing import NamedTuple

from tavola.games.voyage.components import CELL_COUNT, HEIGHT, WIDTH

Point2D = tuple[float, float]
SQUARE = 84


class Edges(NamedTuple):
    """The edges of the chart, and its middle from left to right."""

    left: int = 54
    top: int = 54
    right: int = 54 + WIDTH * SQUARE
    bottom: int = 54 + HEIGHT * SQUARE
    middle: float = 54 + WIDTH * SQUARE / 2


CHART = Edges()
STEP = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The step of each course, x to the right and y down."""
EXIT = (30, 34, 26, 34)
"""How far beyond the edge of the chart a ship lies that has left it, by course."""


def cell_middle(cell: int) -> Point2D:
    """The middle of a square of the chart."""
    row, column = divmod(cell, WIDTH)
    return CHART.left + SQUARE * (column + 0.5), CHART.top + SQUARE * (row + 0.5)


def cells_in(cells: int) -> list[int]:
    """The cells of a set."""
    return [cell for cell in range(CELL_COUNT) if cells >> cell & 1]


def beyond_edge(ship: int, course: int, away: float) -> Point2D:
    """Return the point beyond the edge of the chart to which a course leads from a cell."""
    x, y = cell_middle(ship)
    return ((x, CHART.top - away), (CHART.right + away, y), (x, CHART.bottom + away), (CHART.left - away, y))[course]
