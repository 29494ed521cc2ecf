"""The components of Voyage, its state, actions and options: data only.

The rulebook gives the 63 tiles and their counts, the roles, the votes and the twenty turns. Its figure of the
recommended layout is lost: `CHART` is ours, drawn to match the rulebook's printed example of the courses exactly (R4).
Seven seats follow from seven pairs of vote cards.

Cells are numbered row by row from the north-west corner, 9 in a row, and named by column `a` to `i` and row `1` to `7`.
A set of cells is a bit mask: bit 0 is `a1`, bit 62 is `i7`.
"""

from enum import IntEnum
from typing import Any, cast

import numpy as np

from tavola.core import (
    Actions,
    Options,
    Record,
    View,
    choice,
    choice_option,
    each,
    flag,
    labels,
    members,
    number,
    numerals,
    one,
    seat_option,
    switch_option,
    verb,
)

SEATS = 7
TURNS = 20
WIDTH, HEIGHT = 9, 7
CELL_COUNT = WIDTH * HEIGHT
CELLS = tuple(f"{column}{row}" for row in range(1, HEIGHT + 1) for column in "abcdefghi")

CHART = """
. o . . . c c c c
. . . + . . . S c
+ . . . . o . . c
. . o . . . . + .
~ ~ ~ . + . . . .
~ ~ ~ . . . o . .
~ ~ ~ o . . . . +
"""
"""`S` start, `c` coast, `~` fog, `.` open sea, `+` island with the cross, `o` island without."""


def _cells(marks: str) -> int:
    return sum(1 << cell for cell, mark in enumerate(CHART.split()) if mark in marks)


START, COAST, FOG = _cells("S"), _cells("c"), _cells("~")
SEA = _cells(".+o")
CHART_ISLANDS, CHART_CROSSES = _cells("+o"), _cells("+")
START_CELL = CHART.split().index("S")

COURSES = ("north", "east", "south", "west")
NEIGHBOUR = np.full((CELL_COUNT, 4), -1)
"""Next cell on each course; -1 beyond the edge of the map."""
BESIDE = np.zeros(CELL_COUNT, np.int64)
"""Each cell and its orthogonal neighbours, as a set."""
BORDER = 0
for _cell in range(CELL_COUNT):
    _row, _column = divmod(_cell, WIDTH)
    BESIDE[_cell] |= 1 << _cell
    for _course, (_down, _right) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
        if 0 <= _row + _down < HEIGHT and 0 <= _column + _right < WIDTH:
            NEIGHBOUR[_cell, _course] = _cell + _down * WIDTH + _right
            BESIDE[_cell] |= 1 << int(NEIGHBOUR[_cell, _course])
        else:
            BORDER |= 1 << _cell


class Face(IntEnum):
    """The faces of tiles."""

    OPEN, CROSS, PLAIN, AVALON = range(4)


class Pile(IntEnum):
    """The piles of face-down tiles."""

    SEA, FOG = range(2)


FACES = labels(Face)
PILES = labels(Pile)
TILES = np.array([[37, 5, 5, 0], [4, 1, 1, 3]])
"""Number of tiles in each pile, by face."""
ISLANDS = 10


class Role(IntEnum):
    """The roles; 0 means none."""

    ADMIRAL, CABIN_BOY, MERCHANT, TRAITOR, EXPLORER, SAILOR = range(1, 7)


ROLES = labels(Role, "-")
COPIES = 2
BALLOTS = ("white", "black")
WHITE, BLACK = 1, 2


class Phase(IntEnum):
    """The phases of a match: islands and roles are dealt once, the others are in every turn."""

    ISLANDS, LOT, ROLES, COURSES, BALLOT, TILE, OVER = range(7)


class Ending(IntEnum):
    """The endings of a match."""

    NONE, AVALON, TURN_20, ROUTE_LOST = range(4)


class Captaincy(IntEnum):
    """The ways to find the next captain: an option."""

    EVERY_TURN, ALTERNATIVE, ALTERNATIVE_OR_TIE = range(3)


LAYOUTS = ("chart", "random")
RANDOM = 1
SCALES = ("literal", "emended")
EMENDED = 1
CAPTAINCIES = labels(Captaincy, "-")
FIRST_CAPTAIN = seat_option("first_captain", SEATS, provenance="decided")


OPTIONS = Options(
    (3, SEATS),
    choice_option("layout", *LAYOUTS, default="chart", provenance="rulebook"),
    choice_option("captaincy", *CAPTAINCIES, default="every-turn", provenance="rulebook"),
    choice_option("sailor", *SCALES, default="emended", letter="literal", provenance="inferred"),
    FIRST_CAPTAIN,
    switch_option("safe_course", default="on", letter="off", provenance="decided"),
)

ACTIONS = Actions(
    verb("island", secret=True, cell=CELLS),
    verb("captain", seat=numerals(0, SEATS - 1)),
    verb("role", secret=True, role=ROLES),
    verb("courses", secret=True, planned=True, preferred=COURSES, alternative=COURSES),
    verb("vote", secret=True, ballot=BALLOTS),
    verb("tile", face=FACES),
)


First = cast(Any, IntEnum)("First", {name.upper(): number for name, number in ACTIONS.first.items()})
"""First number of each verb; an action's number is that plus the place of its arguments."""


class Turn(Record):
    """The public record of a turn."""

    captain: int = number(0, SEATS - 1)
    courses: int = members(*COURSES)  # those the captain could choose from
    losing: int = members(*COURSES)  # those of them that lose the route
    preferred: int = choice("none", *COURSES)
    black: int = members(*numerals(0, SEATS - 1))  # the voters for the alternative; all others voted for the preferred
    sailed: int = choice("none", *COURSES)
    reached: int = choice("nowhere", *CELLS)


class Table(Record):
    """The table, which everyone sees."""

    players: int = number(3, SEATS)
    layout: int = choice(*LAYOUTS)
    captaincy: int = choice(*CAPTAINCIES)
    sailor: int = choice(*SCALES)
    first_captain: int = choice(*FIRST_CAPTAIN.names)
    safe_course: int = flag()
    phase: int = choice(*labels(Phase))
    laid: int = number(0, ISLANDS)  # islands that chance has laid, in the random layout
    dealt: int = number(0, SEATS)  # seats that hold a role
    turn: int = number(0, TURNS)  # 0 before the first
    captain: int = number(0, SEATS - 1)
    ship: int = choice(*CELLS)
    explored: int = members(*CELLS)  # tiles face up
    crosses: int = members(*CELLS)  # islands among them
    plains: int = members(*CELLS)
    avalon: int = members(*CELLS)
    piles: tuple[tuple[int, ...], ...] = each(PILES, each(FACES, number(0, 37)))  # tiles still face down
    voted: int = members(*numerals(0, SEATS - 1))
    turns: tuple[Turn, ...] = each(TURNS, Turn)
    ending: int = choice(*labels(Ending))
    roles: tuple[int, ...] = each(SEATS, choice("none", *ROLES))  # turned up at the end


class Hand(Record):
    """A hand, which only its seat sees."""

    role: int = choice("none", *ROLES)
    card: int = choice("none", *BALLOTS)  # the vote played face down
    alternatives: tuple[int, ...] = each(TURNS, choice("none", *COURSES))  # laid by this seat as captain, by turn


class Box(Record):
    """The box, which no one sees."""

    islands: int = members(*CELLS)  # all ten of the random layout, turned or not
    roles: tuple[int, ...] = each(ROLES, number(0, COPIES))  # cards not dealt


class State(Record):
    """A full state."""

    table: Table = one(Table)
    hand: tuple[Hand, ...] = each(SEATS, Hand)
    box: Box = one(Box)


Seen = View[Table, Hand | None]
"""A view of this game; a spectator's has no hand."""
