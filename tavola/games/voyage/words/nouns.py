"""The components of Voyage in every form that its sentences need, and what a table tells of them."""

from typing import NamedTuple

from tavola.games.voyage.components import BORDER, COAST, FOG, NEIGHBOUR, START, START_CELL, Seen, Table, Turn
from tavola.show.speech import marks
from tavola.show.words import Noun, Vocabulary, seat_noun

COURSE = Noun(
    course=marks("north", "east", "south", "west"),
    toward=marks("northward", "eastward", "southward", "westward"),
    short=marks("North", "East", "South", "West"),
)
FACE = Noun(shows=marks("open sea", "an island with the cross", "an island without the cross", "Avalon"))
ROLE = marks("Admiral", "Cabin boy", "Merchant", "Traitor", "Explorer", "Sailor")
CREW = Noun(
    role=ROLE,
    the=marks("the Admiral", "the Cabin boy", "the Merchant", "the Traitor", "the Explorer", "the Sailor"),
)
VOTE = Noun(colour=marks("white", "black"), short=marks("White", "Black"))
VOCABULARY = Vocabulary(seat=seat_noun, role=CREW, preferred=COURSE, alternative=COURSE, ballot=VOTE, face=FACE)
NEIGHBOURS: list[list[int]] = NEIGHBOUR.tolist()


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


def count_visited(t: Table) -> Visited:
    """Count the tiles of each kind among those turned up."""
    islands, border = t.crosses | t.plains, t.explored & (BORDER | START)
    sea, fog = t.explored & ~(islands | t.avalon | COAST | START), t.explored & ~t.avalon & FOG
    return Visited(*(cells.bit_count() for cells in (islands, t.crosses, sea, fog, border)))


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
