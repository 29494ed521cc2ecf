"""The state that pictures show: the table, or a moment of a scene between two positions; and where things lie.

A square of the chart is 84 units. Cells, courses and roles are counted from 0 here, in the fields of the table from 1.
"""

from typing import Any, NamedTuple

from tavola.games.voyage.components import (
    CELL_COUNT,
    HEIGHT,
    NEIGHBOUR,
    START_CELL,
    WIDTH,
    Phase,
    Pile,
    Seen,
    Table,
)

Point2D = tuple[float, float]
SQUARE, LEFT, TOP = 84, 54, 54
RIGHT, BOTTOM = LEFT + WIDTH * SQUARE, TOP + HEIGHT * SQUARE
MIDDLE = (LEFT + RIGHT) / 2
STEP = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The step of each course, x to the right and y down."""
NEIGHBOURS: list[list[int]] = NEIGHBOUR.tolist()
MINUS = "\N{MINUS SIGN}"


class Leg(NamedTuple):
    """A turn of the table's list, field by field."""

    captain: int
    courses: int
    losing: int
    preferred: int
    black: int
    sailed: int
    reached: int

    @property
    def voted_on(self) -> bool:
        """True when there was a ballot, and it is over: none where only one course could be sailed (R11)."""
        return bool(self.sailed and self.courses & (self.courses - 1))

    @property
    def alternative_sailed(self) -> bool:
        """True when the sealed course was sailed."""
        return bool(self.sailed and self.sailed != self.preferred)


class BoardState(NamedTuple):
    """The table as it lies, field by field; then what only a moment of a scene has."""

    players: int
    layout: int
    sailor: int
    phase: int
    turn: int
    captain: int
    ship: int
    explored: int
    crosses: int
    plains: int
    avalon: int
    voted: int
    ending: int
    roles: tuple[int, ...]
    turns: tuple[Leg, ...] = ()
    avalons: tuple[int, int] = (0, 0)
    """Tiles of Avalon still face down, and among how many of the fog."""
    points: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    cards_open: int = -1
    """The number of ballots that lie open in the row across the chart; -1 where there is no row."""
    verdict: bool = False
    """True when the row says what it has come to."""
    adrift: bool = False
    """True when the ship has left the chart."""
    roles_down: int = 0
    """The number of roles that are still face down at the end."""

    @classmethod
    def of(cls, view: Seen) -> "BoardState":
        """The table of a view."""
        table: Table = view.table
        fields: Any = {name: getattr(table, name) for name in cls._fields[:14]}
        fields["roles"] = tuple(table.roles)
        turns = tuple(Leg(*(getattr(turn, name) for name in Leg._fields)) for turn in table.turns[: table.turn])
        fog = table.piles[Pile.FOG]
        adrift = bool(turns and turns[-1].sailed and not turns[-1].reached)
        result = view.standing if table.ending else None
        points, places = (result.points, result.ranks) if result else ((), ())
        return cls(**fields, turns=turns, avalons=(fog[3], sum(fog)), points=points, places=places, adrift=adrift)

    @property
    def last_ballot(self) -> int:
        """The number of the last turn that was voted on; 0 before."""
        return next((number for number in range(len(self.turns), 0, -1) if self.turns[number - 1].voted_on), 0)

    @property
    def laid_turn(self) -> int:
        """The turn whose courses lie on the table: the present one, or until they are laid the one before."""
        return self.turn if self.turn and self.turns[-1].preferred else max(self.turn - 1, 0)

    @property
    def stops(self) -> tuple[int, ...]:
        """The cells on which the ship has been, in order."""
        return (START_CELL, *(leg.reached - 1 for leg in self.turns if leg.reached))

    @property
    def islands(self) -> int:
        """Return how many islands were visited."""
        return (self.crosses | self.plains).bit_count()

    def goal(self, course: int) -> int:
        """R14: the cell to which a course leads; -1 beyond the edge of the map."""
        cell = NEIGHBOURS[self.ship][course]
        while cell >= 0 and self.explored >> cell & 1:
            cell = NEIGHBOURS[cell][course]
        return cell

    @property
    def face_down_seats(self) -> set[int]:
        """The seats whose roles are still face down at the end: they turn up from the last place to the first."""
        order = sorted(range(self.players), key=lambda seat: (-self.places[seat], seat))
        return set(order[self.players - self.roles_down :])

    def ballot_face(self, seat: int) -> str:
        """Return what is to be seen of a seat's ballot in the present turn: "", "back", "white" or "black"."""
        leg = self.turns[-1]
        if self.cards_open < 0:
            down = self.phase == Phase.BALLOT and self.voted >> seat & 1
            return "back" if down else ""
        order = (seat - leg.captain - 1) % self.players  # the captain's left turns first, the captain last
        return "back" if order >= self.cards_open else ballot_of(leg, seat)


def ballot_of(leg: Leg, seat: int) -> str:
    """Return how a seat voted in a ballot that was revealed."""
    return "black" if leg.black >> seat & 1 else "white"


def cell_middle(cell: int) -> Point2D:
    """The middle of a square of the chart."""
    row, column = divmod(cell, WIDTH)
    return LEFT + SQUARE * (column + 0.5), TOP + SQUARE * (row + 0.5)


def cells_in(cells: int) -> list[int]:
    """The cells of a set."""
    return [cell for cell in range(CELL_COUNT) if cells >> cell & 1]


def exit_point(ship: int, course: int) -> Point2D:
    """Return where a ship that sails on a course from a cell has left the chart."""
    x, y = cell_middle(ship)
    return ((x, TOP - 30), (RIGHT + 34, y), (x, BOTTOM + 26), (LEFT - 34, y))[course]


def isle_shape(cell: int, cross: bool) -> str:
    """The drawing of an island: three without the cross, three with it."""
    return f"isle-{cell % 3 + 3 * cross}"


def points_text(points: int) -> str:
    """Points, with a true minus."""
    return str(points).replace("-", MINUS)
