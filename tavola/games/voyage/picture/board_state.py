"""The state that pictures show: the table, or a moment of a scene between two positions.

Cells, courses and roles are counted from 0 in pictures, in the fields of the table from 1.
"""

from typing import NamedTuple

from tavola.games.voyage.components import NEIGHBOUR, START_CELL, Phase, Pile, Seen, Table, Turn

NEIGHBOURS: list[list[int]] = NEIGHBOUR.tolist()


class BoardState(NamedTuple):
    """The table as it lies; then what only its end and the moments of a scene have."""

    table: Table
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
        last = table.turns[table.turn - 1] if table.turn else None
        adrift = bool(last and last.sailed and not last.reached)
        result = view.standing if table.ending else None
        points, places = (result.points, result.ranks) if result else ((), ())
        return cls(table, points, places, adrift=adrift)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that have begun."""
        return self.table.turns[: self.table.turn]

    @property
    def stops(self) -> tuple[int, ...]:
        """The cells on which the ship has been, in order."""
        return (START_CELL, *(turn.reached - 1 for turn in self.turns if turn.reached))

    @property
    def avalons(self) -> tuple[int, int]:
        """Tiles of Avalon still face down, and among how many of the fog."""
        fog = self.table.piles[Pile.FOG]
        return fog[3], sum(fog)

    @property
    def last_ballot(self) -> int:
        """The number of the last turn that was voted on; 0 before."""
        return max((number for number, turn in enumerate(self.turns, 1) if voted_on(turn)), default=0)

    @property
    def laid_turn(self) -> int:
        """The turn whose courses lie on the table: the present one, or until they are laid the one before."""
        turn = self.table.turn
        return turn if turn and self.turns[-1].preferred else max(turn - 1, 0)

    def goal(self, course: int) -> int:
        """R14: the cell to which a course leads; -1 beyond the edge of the map."""
        cell = NEIGHBOURS[self.table.ship][course]
        while cell >= 0 and self.table.explored >> cell & 1:
            cell = NEIGHBOURS[cell][course]
        return cell

    @property
    def face_down_seats(self) -> set[int]:
        """The seats whose roles are still face down at the end: they turn up from the last place to the first."""
        players = self.table.players
        order = sorted(range(players), key=lambda seat: (-self.places[seat], seat))
        return set(order[players - self.roles_down :])

    def ballot_face(self, seat: int) -> str:
        """Return what is to be seen of a seat's ballot in the present turn: "", "back", "white" or "black"."""
        turn = self.turns[-1]
        if self.cards_open < 0:
            down = self.table.phase == Phase.BALLOT and self.table.voted >> seat & 1
            return "back" if down else ""
        order = (seat - turn.captain - 1) % self.table.players  # the captain's left turns first, the captain last
        return "back" if order >= self.cards_open else ballot_of(turn, seat)


def voted_on(turn: Turn) -> bool:
    """True when there was a ballot, and it is over: none where only one course could be sailed (R11)."""
    return bool(turn.sailed and turn.courses & (turn.courses - 1))


def alternative_sailed(turn: Turn) -> bool:
    """True when the sealed course was sailed."""
    return bool(turn.sailed and turn.sailed != turn.preferred)


def ballot_of(turn: Turn, seat: int) -> str:
    """Return how a seat voted in a ballot that was revealed."""
    return "black" if turn.black >> seat & 1 else "white"
