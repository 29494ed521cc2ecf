"""The components of Voyage in all forms that texts need, what can be read from a table, and titles of pieces."""

from typing import NamedTuple

from tavola.games.voyage import components
from tavola.games.voyage.components import CELLS, COAST, FOG, START, START_CELL, Seen, Table, Turn
from tavola.show.speech import Say, mark, marks
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
NEIGHBOURS: list[list[int]] = components.NEIGHBOUR.tolist()


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
    islands, border = t.crosses | t.plains, t.explored & (components.BORDER | START)
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
    return next((face for face, cells in enumerate((0, t.crosses, t.plains, t.avalon)) if cells >> cell & 1), 0)


# Titles of pieces in the picture, shown when they are pointed at, and the few texts printed on it

HEADING = COURSE.forms["short"]
LETTER = marks("N", "E", "S", "W")
WAY = marks(
    "5 for Avalon, 3 for 4 islands or fewer",
    "1 for each island, 2 for Avalon",
    "2 for each island with a cross, 1 for Avalon",
    "5 if Avalon isn’t found, 3 for 5 islands or more",
    "1 for every 2 border tiles, 1 for each fog tile, 3 for Avalon",
)
SAILOR_WAY = marks("2 for each tile of open sea", "1 for every 2 tiles of open sea")
ENDING = marks("The voyage goes on", "Avalon is found!", "Twenty turns are over", "The route is lost")
TILE = {
    "open": mark("open sea"),
    "cross": mark("island with a cross"),
    "plain": mark("island without a cross"),
    "avalon": mark("Avalon"),
    "coast": mark("coast"),
    "start": mark("the start"),
}
CHARTED = {
    "cross": mark("an island with a cross, not reached yet"),
    "plain": mark("an island without a cross, not reached yet"),
}
BALLOT = {
    "": mark("{name} hasn’t voted yet"),
    "back": mark("{name} has voted"),
    "white": mark("{name}: white, for the open course"),
    "black": mark("{name}: black, for the hidden course"),
}


def tile_title(cell: int, kind: str, say: Say) -> str:
    """Return the title of a face-up tile: `d4: open sea`."""
    tile = say(TILE[kind])
    return say.labelled(CELLS[cell], say("{tile}, in the fog", tile=tile) if FOG >> cell & 1 else tile)


def ballot_title(name: str, face: str, say: Say) -> str:
    return say(BALLOT[face], name=name)


def kind_of(t: Table, cell: int) -> str:
    if START >> cell & 1:
        return "start"
    return "coast" if COAST >> cell & 1 else components.FACES[face_of(t, cell)]


def course_title(course: int, losing: bool, say: Say) -> str:
    named = say(HEADING[course])
    return say("{course}: the route would be lost", course=named) if losing else named


def turn_title(number: int, sailed: int, preferred: int, captain: str, say: Say) -> str:
    told = {"turn": number, "captain": captain, "course": say(HEADING[sailed - 1])}
    if sailed == preferred:
        return say("Turn {turn}, captain {captain}: {course} (open)", **told)
    return say("Turn {turn}, captain {captain}: {course} (hidden)", **told)


def verdict_text(sailed: int, preferred: int, tie: bool, say: Say) -> str:
    """R13: return the result of a ballot."""
    course = say(HEADING[sailed - 1])
    if tie:
        return say("A tie, the captain decides: {course}", course=course)
    if sailed != preferred:
        return say("Hidden course: {course}", course=course)
    return say("Open course: {course}", course=course)
