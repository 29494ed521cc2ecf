"""The words of talk: votes, courses, and who one says one is."""

from collections.abc import Collection

from tavola.core import verb
from tavola.games.voyage.components import ROLES, Phase, Seen
from tavola.games.voyage.words.nouns import VOCABULARY
from tavola.show.speech import marks
from tavola.show.talk import Fact, Forms, Kind, Known, Revealed, Talk, Topic

VOTE = Topic(
    "vote",
    Forms(
        *marks(
            "I vote {ballot:colour}",
            "I do not vote {ballot:colour}",
            "vote {ballot:colour}",
            "do not vote {ballot:colour}",
        )
    ),
)
COURSES = Topic(
    "courses",
    Forms(
        *marks(
            "I lay {preferred:course} openly and {alternative:course} face down",
            "I do not lay {preferred:course} openly and {alternative:course} face down",
            "lay {preferred:course} openly and {alternative:course} face down",
            "do not lay {preferred:course} openly and {alternative:course} face down",
        )
    ),
)
ROLE = Fact(
    verb("role", role=ROLES),
    Forms(*marks("I am {role:the}", "I am not {role:the}", "you are {role:the}", "you are not {role:the}")),
)


def revealed(before: Seen, after: Seen) -> Revealed:
    """R8: the preferred course lies open. R13: votes are turned up, and the alternative if it is sailed."""
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
    """The role of the seat, once it has one."""
    return [Known("role", (view.hand.role - 1,))] if view.hand and view.hand.role else []


TALK = Talk(
    kinds=(Kind((VOTE,)), Kind((COURSES,))),
    vocabulary=VOCABULARY,
    facts=(ROLE,),
    revealed=revealed,
    true_facts=true_facts,
)
