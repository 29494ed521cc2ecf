"""The components of Voyage in all forms that texts need, and what can be read from a table."""

from typing import NamedTuple

from tavola.games.voyage.components import BORDER, COAST, FOG, NEIGHBOUR, START, START_CELL, Seen, Table, Turn
from tavola.show.speech import marks
from tavola.show.words import Noun, Vocabulary, seat_noun

COURSE = Noun(
    course=marks("north", "east", "south", "west"),
    toward=marks("to the north", "to the east", "to the south", "to the west"),
    short=marks("North", "East", "South", "West"),
)
FACE = Noun(shows=marks("open sea", "an island with a cross", "an island without a cross", "Avalon"))
ROLE = marks("Admiral", "Cabin boy", "Merchant", "Traitor", "Explorer", "Sailor")
CREW = Noun(
    role=ROLE, the=marks("the Admiral", "the Cabin boy", "the Merchant", "the Traitor", "the Explorer", "the Sailor")
)
VOTE = Noun(colour=marks("white", "black"), short=marks("White", "Black"))
VOCABULARY = Vocabulary(seat=seat_noun, role=CREW, preferred=COURSE, alternative=COURSE, ballot=VOTE, face=FACE)
NEIGHBOURS: list[list[int]] = NEIGHBOUR.tolist()


def current_turn(t: Table) -> Turn:
    """Return the present turn; before the first, the first."""
    return t.turns[max(t.turn - 1, 0)]


class Visited(NamedTuple):
    """Numbers of visited tiles of each kind, as the roles count them: R22 to R28."""

    islands: int
    crosses: int
    sea: int
    fog: int
    border: int


def count_visited(t: Table) -> Visited:
    islands, border = t.crosses | t.plains, t.explored & (BORDER | START)
    sea, fog = t.explored & ~(islands | t.avalon | COAST | START), t.explored & ~t.avalon & FOG
    return Visited(*(cells.bit_count() for cells in (islands, t.crosses, sea, fog, border)))


def voters(t: Table, turn: Turn) -> tuple[list[int], list[int]]:
    """Return the seats that voted white and those that voted black, in a revealed ballot."""
    seats = range(t.players)
    return [s for s in seats if not turn.black >> s & 1], [s for s in seats if turn.black >> s & 1]


def had_ballot(turn: Turn) -> bool:
    """R11: a single course is sailed without a ballot."""
    return bool(turn.courses & (turn.courses - 1))


def own_alternative(view: Seen) -> int:
    """Return the alternative that the seat itself has laid this turn; 0 if it has laid none."""
    return int(view.hand.alternatives[view.table.turn - 1]) if view.hand and view.table.turn else 0


def count_passed_tiles(t: Table, index: int) -> int:
    """R14: return how many explored tiles the ship crossed in a turn, by its place in the list of turns."""
    reached = [turn.reached - 1 for turn in t.turns[:index] if turn.reached]
    cell = reached[-1] if reached else START_CELL
    course, count = t.turns[index].sailed - 1, -1
    while cell >= 0 and cell != t.turns[index].reached - 1:
        cell, count = NEIGHBOURS[cell][course], count + 1
    return count


def face_of(t: Table, cell: int) -> int:
    """Return the face of a face-up tile, as its place among the faces; start and coast count as open sea."""
    for face, cells in enumerate((0, t.crosses, t.plains, t.avalon)):
        if cells >> cell & 1:
            return face
    return 0
