"""The texts of Voyage's actions: buttons and questions, refusals by paragraph of RULES.md, and promises."""

from collections.abc import Collection

from tavola.core import verb
from tavola.games.voyage.components import ROLES, TURNS, Ending, Hand, Phase, Seen, Table
from tavola.games.voyage.words.nouns import COURSE, VOCABULARY, current_turn, own_alternative
from tavola.show.speech import Say, mark
from tavola.show.talk import Fact, Forms, Kind, Known, Revealed, Talk, Topic
from tavola.show.words import Indices, Part, Refusals, phases_of

ACTION = {
    "island": mark("Place an island: {cell}"),
    "captain": mark("Draw the first captain: {seat}"),
    "role": mark("Deal a role: {role}"),
    "courses": mark("Show {preferred:course}, hide {alternative:course}"),
    "tile": mark("Reveal the tile: {face}"),
}
VOTE_FOR = (mark("Vote white: {course}"), mark("Vote black: {course}, your hidden course"))
VOTE_UNKNOWN = (mark("Vote white: the open course"), mark("Vote black: the hidden course"))
SHORT_VOTE = (mark("White: {course}"), mark("Black: {course}"))
ASK = {
    "cell": mark("Where does the island go?"),
    "seat": mark("Who is the first captain?"),
    "role": mark("Which role is dealt?"),
    "preferred": mark("Which course do you show?"),
    "alternative": mark("Which course do you hide?"),
    "ballot": mark("White or black?"),
    "face": mark("What does the tile show?"),
}
BEFORE = (Part(mark("Map"), (Phase.ISLANDS,)), Part(mark("Lot"), (Phase.LOT,)), Part(mark("Roles"), (Phase.ROLES,)))
TURN = (Part(mark("Courses"), (Phase.COURSES,)), Part(mark("Vote"), (Phase.BALLOT,)), Part(mark("Tile"), (Phase.TILE,)))
phases = phases_of(BEFORE, TURN)


def action(view: Seen, action: int, say: Say) -> str:
    taken_apart = view.game.actions.action(action)
    if taken_apart.verb != "vote":
        return VOCABULARY.action_sentence(ACTION, view, action, say)
    vote = taken_apart.indices[0]
    course = _course_of_vote(view, vote)
    return say(VOTE_FOR[vote], course=COURSE(course - 1, say)) if course else say(VOTE_UNKNOWN[vote])


def _course_of_vote(view: Seen, vote: int) -> int:
    """The course that a vote is for, counted from 1; 0 if the seat does not know it."""
    return int(own_alternative(view) if vote else current_turn(view.table).preferred)


def choices_key(view: Seen) -> tuple[int, ...]:
    """Return what else a label depends on: the courses that votes are for, if the seat knows them."""
    t = view.table
    return (t.phase, *(_course_of_vote(view, vote) for vote in range(2))) if t.phase == Phase.BALLOT else (t.phase,)


def argument_label(view: Seen, verb: str, argument: str, place: int, say: Say) -> str:
    """Return the label of a value, for a button; a vote names its course if the seat knows it."""
    course = _course_of_vote(view, place) if argument == "ballot" and view.table.phase == Phase.BALLOT else 0
    if course:
        return say(SHORT_VOTE[place], course=COURSE(course - 1, say))
    return VOCABULARY.value_label(view, verb, argument, place, say)


def ask(view: Seen, verb: str, argument: str, chosen: Indices, say: Say) -> str:
    return say(ASK[argument])


def chapter(view: Seen, say: Say) -> str:
    if view.table.turn:
        return say("Turn {turn} of {turns}", turn=view.table.turn, turns=TURNS)
    return say("Before the first turn")


OVER_REASONS: dict[int, str] = {
    Ending.AVALON: mark("The match is over: Avalon has been found (R17)."),
    Ending.TURN_20: mark("The match is over: twenty turns have been played (R17)."),
    Ending.ROUTE_LOST: mark("The match is over: the route is lost (R15, R17)."),
}
NOT_YET = mark("The first turn begins when everyone has a role (R6, R8).")


def _courses(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if seat != t.captain:
        return say("Only the captain, {name}, chooses the courses (R8).", name=say.name(t.captain))
    for course in places:
        if not current_turn(t).courses >> course & 1:
            return say("You can’t sail {course}: that would cross the coast (R9).", course=COURSE(course, say))
    if places[0] == places[1]:
        return say("There’s only one card of each course: choose two different ones (R8).")
    return say("Both courses would lose the route. Choose at least one that keeps it (R10).")


refusal = Refusals(
    chance={
        "island": mark("The islands are placed at random (R4)."),
        "captain": mark("The first captain is chosen at random, or agreed on before the match (R7)."),
        "role": mark("The roles are dealt at random (R6)."),
        "tile": mark("The tile is revealed at random: no one chooses it (R14, R16)."),
    },
    over=lambda view, say: say(OVER_REASONS[view.table.ending]),
    over_phase=Phase.OVER,
    meanwhile={
        **dict.fromkeys((Phase.ISLANDS, Phase.LOT, Phase.ROLES), NOT_YET),
        Phase.TILE: mark("The ship has moved. Its tile has to be revealed first (R14)."),
    },
    when={
        "vote": ((Phase.BALLOT,), mark("There’s nothing to vote on yet: {name} chooses two courses first (R8, R12).")),
        "courses": ((Phase.COURSES,), mark("This turn’s courses are set. Now the crew votes on them (R8, R12).")),
    },
    why={
        "vote": lambda t, seat, hand, places, say: say("You’ve already voted, and you can’t take a vote back (R12)."),
        "courses": _courses,
    },
)
VOTING = Forms(
    "I’ll vote {ballot:colour}", "I won’t vote {ballot:colour}", "vote {ballot:colour}", "don’t vote {ballot:colour}"
)
COURSES = Topic(
    "courses",
    Forms(
        "I’ll show {preferred:course} and hide {alternative:course}",
        "I won’t show {preferred:course} and hide {alternative:course}",
        "show {preferred:course} and hide {alternative:course}",
        "don’t show {preferred:course} and hide {alternative:course}",
    ),
)
ROLE = Fact(
    verb("role", role=ROLES),
    Forms("I’m {role:the}", "I’m not {role:the}", "you’re {role:the}", "you’re not {role:the}"),
)


def revealed(before: Seen, after: Seen) -> Revealed:
    """R8, R13: return the preferred course once laid, votes once revealed, and the alternative if it is sailed."""
    b, a = before.table, after.table
    turn = a.turns[max(b.turn - 1, 0)]
    captain, preferred = int(turn.captain), int(turn.preferred)
    if b.phase == Phase.COURSES:
        return {captain: [Known("courses", (preferred - 1, None))]}
    if b.phase != Phase.BALLOT or not turn.sailed:
        return {}
    told = {seat: [Known("vote", (int(turn.black >> seat & 1),))] for seat in range(a.players)}
    if turn.sailed != preferred:
        told[captain].append(Known("courses", (preferred - 1, int(turn.sailed) - 1), is_more=True))
    return told


def true_facts(view: Seen) -> Collection[Known]:
    return [Known("role", (view.hand.role - 1,))] if view.hand and view.hand.role else []


TALK = Talk(
    kinds=(Kind((Topic("vote", VOTING),)), Kind((COURSES,))),
    vocabulary=VOCABULARY,
    facts=(ROLE,),
    revealed=revealed,
    true_facts=true_facts,
)
