"""The components of Voyage in every form that its sentences need, and what a table tells of them."""

from typing import NamedTuple

from tavola.games.voyage.components import BORDER, CELLS, COAST, FOG, NEIGHBOUR, START, START_CELL, Seen, Table, Turn
from tavola.show.speech import Say, mark
from tavola.show.words import Noun, Vocabulary, members_of, seat_noun

COURSE = Noun(
    course=(mark("north"), mark("east"), mark("south"), mark("west")),
    toward=(mark("northward"), mark("eastward"), mark("southward"), mark("westward")),
    short=(mark("North"), mark("East"), mark("South"), mark("West")),
)
FACE = Noun(
    shows=(mark("open sea"), mark("an island with the cross"), mark("an island without the cross"), mark("Avalon"))
)
ROLE = (mark("Admiral"), mark("Cabin boy"), mark("Merchant"), mark("Traitor"), mark("Explorer"), mark("Sailor"))
CREW = Noun(
    role=ROLE,
    the=(
        mark("the Admiral"),
        mark("the Cabin boy"),
        mark("the Merchant"),
        mark("the Traitor"),
        mark("the Explorer"),
        mark("the Sailor"),
    ),
)
VOTE = Noun(colour=(mark("white"), mark("black")), short=(mark("White"), mark("Black")))
VOCABULARY = Vocabulary(seat=seat_noun, role=CREW, preferred=COURSE, alternative=COURSE, ballot=VOTE, face=FACE)
NEIGHBOURS: list[list[int]] = NEIGHBOUR.tolist()


def headings(courses: int, say: Say) -> str:
    """`northward and eastward`, for a set of courses."""
    return say.listing([f"{COURSE(course, say):toward}" for course in members_of(courses)])


# What the table tells


def current_turn(t: Table) -> Turn:
    """The turn that is being played; before the first, the first."""
    return t.turns[max(t.turn - 1, 0)]


class Visited(NamedTuple):
    """The tiles visited of each kind, as the roles count them: R22 to R28."""

    islands: int
    crosses: int
    sea: int
    fog: int
    border: int


def count_visited(explored: int, crosses: int, plains: int, avalon: int) -> Visited:
    """Count the tiles of each kind among those turned up, given as the table has them."""
    sea, fog = explored & ~(crosses | plains | avalon | COAST | START), explored & ~avalon & FOG
    counted = crosses | plains, crosses, sea, fog, explored & (BORDER | START)
    return Visited(*(cells.bit_count() for cells in counted))


def voters(t: Table, turn: Turn) -> tuple[list[int], list[int]]:
    """Return who voted white and who black, in a ballot that was revealed."""
    seats = range(t.players)
    return [s for s in seats if not turn.black >> s & 1], [s for s in seats if turn.black >> s & 1]


def had_ballot(turn: Turn) -> bool:
    """R11: a single course is sailed without one."""
    return bool(turn.courses & (turn.courses - 1))


def own_alternative(view: Seen) -> int:
    """The course that the seat itself has laid face down this turn; 0 where it has laid none."""
    return int(view.hand.alternatives[view.table.turn - 1]) if view.hand and view.table.turn else 0


def count_passed_tiles(t: Table, index: int) -> int:
    """R14: over how many explored tiles the ship sailed in a turn, by its place in the list of turns."""
    reached = [turn.reached - 1 for turn in t.turns[:index] if turn.reached]
    cell = reached[-1] if reached else START_CELL
    course, count = t.turns[index].sailed - 1, -1
    while cell >= 0 and cell != t.turns[index].reached - 1:
        cell, count = NEIGHBOURS[cell][course], count + 1
    return count


def face_of(t: Table, cell: int) -> int:
    """Return what a tile that is turned up shows, as its place among the faces; start and coast show open sea."""
    for face, cells in enumerate((0, t.crosses, t.plains, t.avalon)):
        if cells >> cell & 1:
            return face
    return 0


def is_coast(cell: int) -> bool:
    """True when coast lies in a cell, as everybody knows."""
    return bool(COAST >> cell & 1)


def is_fog(cell: int) -> bool:
    """True when a cell belongs to the fog."""
    return bool(FOG >> cell & 1)


def is_start(cell: int) -> bool:
    """True when the ship begins there."""
    return bool(START >> cell & 1)


def cell_name(field: int) -> str:
    """`d4`, for a field that counts the cells from 1."""
    return CELLS[field - 1]
