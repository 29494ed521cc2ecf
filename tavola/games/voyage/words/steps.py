"""Choosing a step at a time: short words for buttons, the questions above them, the phases and the log's headings."""

from tavola.core import View
from tavola.games.voyage.components import BALLOT, CHOOSE_COURSES, DEAL_ISLANDS, DEAL_ROLES, LOT, TURN_TILE, TURNS
from tavola.games.voyage.words.phrases import FACE, ROLE, Places, course_word, own_alternative, turn_of
from tavola.games.voyage.words.titles import COURSE
from tavola.show.speech import Say, mark
from tavola.show.words import Noun, Phase, Vocabulary, seat, strip

WAY = Noun(short=COURSE)
CARD = Noun(short=(mark("White"), mark("Black")))
VOCABULARY = Vocabulary(
    seat=seat, role=Noun(the=ROLE), preferred=WAY, alternative=WAY, ballot=CARD, face=Noun(the=FACE)
)

ASK = {
    "cell": mark("Where does an island lie?"),
    "seat": mark("Who is the first captain?"),
    "role": mark("Which role is dealt?"),
    "preferred": mark("Which course do you lay openly?"),
    "alternative": mark("Which course do you lay in secret?"),
    "ballot": mark("White or black?"),
    "face": mark("What does the tile show?"),
}
BEFORE = (Phase(mark("Map"), (DEAL_ISLANDS,)), Phase(mark("Lot"), (LOT,)), Phase(mark("Roles"), (DEAL_ROLES,)))
TURN = (
    Phase(mark("Courses"), (CHOOSE_COURSES,)),
    Phase(mark("Ballot"), (BALLOT,)),
    Phase(mark("Tile"), (TURN_TILE,)),
)


def part(view: View, verb: str, argument: str, place: int, say: Say) -> str:
    """One value of an argument, for a button; a vote says which course it is for, where the seat knows it."""
    course = (turn_of(view.table).preferred, own_alternative(view))[place] if argument == "ballot" else 0
    if course and view.table.phase == BALLOT:
        return say(BALLOT_FOR[place], course=course_word(course, say))
    return VOCABULARY.part(view, verb, argument, place, say)


BALLOT_FOR = (mark("White: {course}"), mark("Black: {course}"))


def ask(view: View, verb: str, argument: str, chosen: Places, say: Say) -> str:
    """The question for the next argument of a verb."""
    return say(ASK[argument])


def phases(view: View, say: Say) -> list[tuple[str, bool]]:
    """The parts of a turn, or of what comes before the first, and which is now."""
    return strip(TURN if view.table.turn else BEFORE, view.table.phase, say)


def chapter(view: View, say: Say) -> str:
    """The heading under which the log groups what is done now."""
    if view.table.turn:
        return say("Turn {turn} of {turns}", turn=view.table.turn, turns=TURNS)
    return say("Before the first turn")
