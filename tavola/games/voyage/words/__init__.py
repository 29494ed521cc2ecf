"""The texts of Voyage. `tavola.show.cards` describes the hooks.

All texts are made from views. Events are made from the table only, so all viewers get the same.
"""

from tavola.games.voyage.components import CELLS, Phase, Seen
from tavola.games.voyage.words.choices import TALK, action, argument_label, ask, chapter, choices_key, phases, refusal
from tavola.games.voyage.words.consequences import consequence
from tavola.games.voyage.words.events import events
from tavola.games.voyage.words.help import LESSON, MINUTE, coach
from tavola.games.voyage.words.nouns import COURSE, current_turn, own_alternative
from tavola.games.voyage.words.scoring import guess_labels, result_text, scoring, summary_card
from tavola.games.voyage.words.table import table
from tavola.show.cards import Shelf, Words
from tavola.show.speech import Say, mark, marks
from tavola.show.words import OptionWords, Prompts, lesson_of, members_of


def _courses_prompt(view: Seen, say: Say) -> str:
    losing = current_turn(view.table).losing
    if not losing:
        return say("Choose two courses: one to show, one to hide.")
    parts = {"headings": say.listing([f"{COURSE(course, say):toward}" for course in members_of(losing)])}
    return say("Choose two courses, one to show and one to hide. The route would be lost {headings}.", **parts)


def _vote_prompt(view: Seen, say: Say) -> str:
    if alternative := own_alternative(view):
        preferred = current_turn(view.table).preferred
        parts = {"course": COURSE(preferred - 1, say), "alternative": COURSE(alternative - 1, say)}
        return say("Vote white for {course}, or black for {alternative}, your hidden course.", **parts)
    return _vote_reminder(view, say)


def _vote_reminder(view: Seen, say: Say) -> str:
    turn = current_turn(view.table)
    course = COURSE(turn.preferred - 1, say)
    if turn.losing >> (turn.preferred - 1) & 1:  # R15: which is public
        return say("Vote white for {course}, which loses the route, or black for the hidden course.", course=course)
    return say("Vote white for {course}, or black for the hidden course.", course=course)


def _prompt_values(view: Seen, say: Say) -> dict[str, object]:
    t = view.table
    return {"name": say.name(t.captain), "cell": CELLS[t.ship], "course": COURSE(current_turn(t).preferred - 1, say)}


prompt = Prompts(
    over=result_text,
    chance={
        Phase.ISLANDS: mark("Ten islands are being placed in the sea, face down."),
        Phase.LOT: mark("The first captain is being chosen at random."),
        Phase.ROLES: mark("The roles are being dealt."),
        Phase.TILE: mark("The ship has reached {cell}. Its tile is revealed."),
    },
    own={Phase.COURSES: _courses_prompt, Phase.BALLOT: _vote_prompt},
    others={
        Phase.COURSES: mark("Waiting for {name}, the captain, to choose two courses."),
        Phase.BALLOT: mark("Waiting for {names} to vote: {course}, or the hidden course?"),
    },
    public={Phase.BALLOT: _vote_reminder},
    values=_prompt_values,
)
TITLES = {
    "players": marks(
        "Players",
        "Three to seven players: the rulebook has seven pairs of vote cards, so we take seven as the most. With three"
        " players, someone shares your role and costs you a point 2 times in 11; with seven, 6 times in 11.",
    ),
    "layout": marks(
        "Map",
        "Both come from the rulebook, but its picture of the recommended map is lost, so that map is our own. On the"
        " recommended map everyone knows where the islands are, so a vote says more about a role. On a random map no"
        " one knows, and roles that count islands depend more on luck.",
    ),
    "captaincy": marks(
        "Captaincy",
        "By the rulebook, the captain changes every turn or, in a variant, only when the hidden course wins a"
        " majority. A captain the others follow then stays, and keeps choosing the courses. What if the captain’s own"
        " vote breaks a tie for the hidden course? The rulebook doesn’t say. With our second setting the captain"
        " stays. With the third the captain changes too, and an even number of players can shake one off more easily.",
    ),
    "sailor": marks(
        "Sailor’s points",
        "The rulebook’s 2 points for each tile of open sea look like a misprint: they add up to about 24 points where"
        " other roles reach 4 or 5, and on a long voyage no one catches the Sailor. The corrected rule, our guess,"
        " gives 1 point for every 2 tiles, about 5 in all.",
    ),
    "first_captain": marks(
        "First captain",
        "The rulebook names the oldest player. Here it’s a random player, or one you agree on. If the captain changes"
        " every turn it hardly matters: no one is captain more than one turn more often than anyone else.",
    ),
    "safe_course": marks(
        "One course must keep the route",
        "By the rulebook, a captain may offer two courses that both lose the route. This option, which we added,"
        " forbids it. In trials with simple bots, five players and the corrected Sailor, the Traitor won 1.5 times a"
        " fair share with it off, and 0.8 times with it on.",
    ),
}
VALUES = {
    "layout": {"chart": mark("recommended"), "random": mark("random")},
    "captaincy": {
        "every-turn": mark("passes every turn"),
        "alternative": mark("passes when the hidden course wins a majority"),
        "alternative-or-tie": mark("passes when the hidden course is sailed, even by a tie"),
    },
    "sailor": {
        "literal": mark("2 points for each tile of open sea"),
        "emended": mark("1 point for every 2 tiles of open sea"),
    },
    "first_captain": {"random": mark("drawn by lot")},
}
OPTIONS = OptionWords(TITLES, VALUES, seats=("first_captain",))
WORDS = Words(
    action=action,
    prompt=prompt,
    reminder=prompt.reminder,
    events=events,
    refusal=refusal,
    scoring=scoring,
    table=table,
    option=OPTIONS.option,
    value=OPTIONS.value,
    about=lambda say: say(
        "An island in the fog, a crew in search of it, and a role only you know. Each turn the captain shows one"
        " course and hides another, and the crew’s votes take the ship to Avalon, or astray."
    ),
    shelf=lambda say: Shelf(
        say("Steer the ship to the island, or quietly past it."), (25, 35), "medium", (20, 18, 18, 19, 18)
    ),
    minute=MINUTE,
    argument_label=argument_label,
    ask=ask,
    phases=phases,
    chapter=chapter,
    coach=coach,
    lesson=lesson_of(LESSON),
    choices_key=choices_key,
    consequence=consequence,
    guess_labels=guess_labels,
    summary_card=summary_card,
    talk=TALK,
)
