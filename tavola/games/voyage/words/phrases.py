"""Phrases that the sentences of Voyage share, and what a table tells.

Courses come into sentences as whole phrases, `{course}` or `{heading}`, so that a language can decline them.
"""

from collections.abc import Sequence
from typing import Any

from tavola.games.voyage.components import (
    BALLOT,
    CELLS,
    CHOOSE_COURSES,
    COAST,
    FOG,
    NEIGHBOUR,
    START,
    START_CELL,
)
from tavola.show.speech import Say, mark

COURSE = (mark("north"), mark("east"), mark("south"), mark("west"))
HEADING = (mark("northward"), mark("eastward"), mark("southward"), mark("westward"))
FACE = (mark("open sea"), mark("an island with the cross"), mark("an island without the cross"), mark("Avalon"))
ROLE = (mark("Admiral"), mark("Cabin boy"), mark("Merchant"), mark("Traitor"), mark("Explorer"), mark("Sailor"))
THE_ROLE = (
    mark("the Admiral"),
    mark("the Cabin boy"),
    mark("the Merchant"),
    mark("the Traitor"),
    mark("the Explorer"),
    mark("the Sailor"),
)
VOTE_CARD = (mark("white"), mark("black"))
NEIGHBOURS: list[list[int]] = NEIGHBOUR.tolist()
Places = tuple[int, ...]


def course_word(course: int, say: Say) -> str:
    """`north`, for a field that counts the courses from 1."""
    return say(COURSE[course - 1])


def heading(course: int, say: Say) -> str:
    """`northward`, for a field that counts the courses from 1."""
    return say(HEADING[course - 1])


def headings(courses: int, say: Say) -> str:
    """`northward and eastward`, for a set of courses."""
    return say.listing([say(HEADING[course]) for course in members_of(courses)])


def names_of(seats: Sequence[int], say: Say) -> str:
    """`Ada, Bruno and Carla`."""
    return say.listing([say.name(seat) for seat in seats])


# What the table tells


def members_of(mask: int) -> list[int]:
    """The places of the bits of a mask."""
    return [place for place in range(mask.bit_length()) if mask >> place & 1]


def turn_of(t: Any) -> Any:
    """The turn that is being played; before the first, the first."""
    return t.turns[max(t.turn - 1, 0)]


def owing_seats(t: Any) -> list[int]:
    """The seats that owe a decision; none while chance plays, and at the end."""
    if t.phase == BALLOT:
        return [seat for seat in range(t.players) if not t.voted >> seat & 1]
    return [t.captain] if t.phase == CHOOSE_COURSES else []


def voters(t: Any, turn: Any) -> tuple[list[int], list[int]]:
    """Who voted white and who black, in a ballot that was revealed."""
    seats = range(t.players)
    return [s for s in seats if not turn.black >> s & 1], [s for s in seats if turn.black >> s & 1]


def had_ballot(turn: Any) -> bool:
    """R11: a single course is sailed without one."""
    return bool(turn.courses & (turn.courses - 1))


def own_alternative(view: Any) -> int:
    """The course that the seat itself has laid face down this turn; 0 where it has laid none."""
    return int(view.hand.alternatives[view.table.turn - 1]) if view.hand and view.table.turn else 0


def passed(t: Any, index: int) -> int:
    """R14: over how many explored tiles the ship sailed in a turn, by its place in the list of turns."""
    reached = [turn.reached - 1 for turn in t.turns[:index] if turn.reached]
    cell = reached[-1] if reached else START_CELL
    course, count = t.turns[index].sailed - 1, -1
    while cell >= 0 and cell != t.turns[index].reached - 1:
        cell, count = NEIGHBOURS[cell][course], count + 1
    return count


def face_of(t: Any, cell: int) -> int:
    """What a tile that is turned up shows, as its place among the faces; start and coast show open sea."""
    for face, cells in enumerate((0, t.crosses, t.plains, t.avalon)):
        if cells >> cell & 1:
            return face
    return 0


def is_coast(cell: int) -> bool:
    """Whether coast lies in a cell, as everybody knows."""
    return bool(COAST >> cell & 1)


def is_fog(cell: int) -> bool:
    """Whether a cell belongs to the fog."""
    return bool(FOG >> cell & 1)


def is_start(cell: int) -> bool:
    """Whether the ship begins there."""
    return bool(START >> cell & 1)


def cell_name(field: int) -> str:
    """`d4`, for a field that counts the cells from 1."""
    return CELLS[field - 1]
