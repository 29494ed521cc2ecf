"""Choosing a step at a time: buttons, long and short, the questions above them, the phases and the log's headings."""

from tavola.games.voyage.components import TURNS, Phase, Seen
from tavola.games.voyage.words.nouns import COURSE, VOCABULARY, current_turn, own_alternative
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, Part, phase_strip

ACTION = {
    "island": mark("Lay an island: {cell}"),
    "captain": mark("The lot: {seat} is the first captain"),
    "role": mark("Deal a role: {role}"),
    "courses": mark("{preferred:Course} openly, {alternative} in secret"),
    "tile": mark("Turn up the tile: {face}"),
}
VOTE_FOR = (mark("Vote white: {course}"), mark("Vote black: {course}, which you sealed"))
VOTE_UNKNOWN = (mark("Vote white: the open course"), mark("Vote black: the course face down"))
SHORT_VOTE = (mark("White: {course}"), mark("Black: {course}"))
ASK = {
    "cell": mark("Where does an island lie?"),
    "seat": mark("Who is the first captain?"),
    "role": mark("Which role is dealt?"),
    "preferred": mark("Which course do you lay openly?"),
    "alternative": mark("Which course do you lay in secret?"),
    "ballot": mark("White or black?"),
    "face": mark("What does the tile show?"),
}
BEFORE = (Part(mark("Map"), (Phase.ISLANDS,)), Part(mark("Lot"), (Phase.LOT,)), Part(mark("Roles"), (Phase.ROLES,)))
TURN = (Part(mark("Courses"), (Phase.COURSES,)), Part(mark("Vote"), (Phase.BALLOT,)), Part(mark("Tile"), (Phase.TILE,)))


def action(view: Seen, action: int, say: Say) -> str:
    """Return what a seat does by it, for a button."""
    taken_apart = view.game.actions.action(action)
    if taken_apart.verb != "vote":
        return VOCABULARY.action_sentence(ACTION, view, action, say)
    vote = taken_apart.indices[0]
    course = _course_of_vote(view, vote)
    return say(VOTE_FOR[vote], course=COURSE(course - 1, say)) if course else say(VOTE_UNKNOWN[vote])


def _course_of_vote(view: Seen, vote: int) -> int:
    """The course that a vote is for, counted from 1; 0 where the seat does not know it."""
    return int(own_alternative(view) if vote else current_turn(view.table).preferred)


def choices_key(view: Seen) -> tuple[int, ...]:
    """A vote tells which course it is for, as far as the seat knows it."""
    t = view.table
    return (t.phase, *(_course_of_vote(view, vote) for vote in range(2))) if t.phase == Phase.BALLOT else (t.phase,)


def argument_label(view: Seen, verb: str, argument: str, place: int, say: Say) -> str:
    """One value of an argument, for a button; a vote says which course it is for, where the seat knows it."""
    course = _course_of_vote(view, place) if argument == "ballot" and view.table.phase == Phase.BALLOT else 0
    if course:
        return say(SHORT_VOTE[place], course=COURSE(course - 1, say))
    return VOCABULARY.value_label(view, verb, argument, place, say)


def ask(view: Seen, verb: str, argument: str, chosen: Indices, say: Say) -> str:
    """The question for the next argument of a verb."""
    return say(ASK[argument])


def phases(view: Seen, say: Say) -> list[tuple[str, bool]]:
    """The parts of a turn, or of what comes before the first, and which is now."""
    return phase_strip(TURN if view.table.turn else BEFORE, view.table.phase, say)


def chapter(view: Seen, say: Say) -> str:
    """The heading under which the log groups what is done now."""
    if view.table.turn:
        return say("Turn {turn} of {turns}", turn=view.table.turn, turns=TURNS)
    return say("Before the first turn")
