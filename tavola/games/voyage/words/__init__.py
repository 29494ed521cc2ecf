"""The sentences of Voyage. `tavola.show.cards` says what each hook is for.

Everything is said from views. Events are read from the table alone, so all hear the same.
"""

from functools import partial

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
from tavola.show.words import OptionWords, Prompts, members_of, say_lesson

# Prompts


def _courses_prompt(view: Seen, say: Say) -> str:
    losing = current_turn(view.table).losing
    if not losing:
        return say("Lay two courses: one openly, one face down.")
    headings = say.listing([f"{COURSE(course, say):toward}" for course in members_of(losing)])
    return say("Lay two courses, one openly and one face down; the route would be lost {headings}.", headings=headings)


def _vote_prompt(view: Seen, say: Say) -> str:
    turn, alternative = current_turn(view.table), own_alternative(view)
    parts = {"course": COURSE(turn.preferred - 1, say)}
    if alternative:
        parts["alternative"] = COURSE(alternative - 1, say)
        return say("Vote: white for {course}, or black for {alternative}, which you sealed.", **parts)
    if turn.losing >> (turn.preferred - 1) & 1:  # R15: as everybody can see
        return say("Vote: white for {course}, which loses the route, or black for the course face down.", **parts)
    return say("Vote: white for {course}, or black for the course face down.", **parts)


def _prompt_values(view: Seen, say: Say) -> dict[str, object]:
    t = view.table
    course = COURSE(current_turn(t).preferred - 1, say)
    return {"name": say.name(t.captain), "cell": CELLS[t.ship], "course": course}


prompt = Prompts(
    over=result_text,
    chance={
        Phase.ISLANDS: mark("Ten islands are being laid in the sea, face down."),
        Phase.LOT: mark("The lot decides who is the first captain."),
        Phase.ROLES: mark("The roles are being dealt."),
        Phase.TILE: mark("The ship has reached {cell}: the tile is turned up."),
    },
    own={Phase.COURSES: _courses_prompt, Phase.BALLOT: _vote_prompt},
    others={
        Phase.COURSES: mark("Waiting for {name}, the captain, to lay two courses."),
        Phase.BALLOT: mark("Waiting for {names} to vote: {course}, or the course face down?"),
    },
    values=_prompt_values,
)


# Options, and the shelf

TITLES = {
    "players": marks(
        "Players",
        "Three to seven: seven pairs of vote cards were inferred to mean seven at most. With three, 2 times in 11 "
        "somebody shares your role and costs you a point; with seven, 6 times in 11.",
    ),
    "layout": marks(
        "Map",
        "Both are the rulebook's; its figure of the recommended map is lost, and ours was decided here. On the "
        "recommended map everybody knows where the islands lie, so a vote tells more about a role; on a random "
        "one nobody knows, and roles that count islands depend more on luck.",
    ),
    "captaincy": marks(
        "Captaincy",
        "The rulebook passes it on every turn, and as a variant only when the sealed course has the majority. Then "
        "a captain whom the others follow stays, and with him the choice of the courses. What happens when the "
        "captain's vote breaks a tie for the sealed course was decided here: he stays, or by the third value goes "
        "as well, and a crew of an even number is rid of him more easily.",
    ),
    "sailor": marks(
        "Points of the Sailor",
        "The rulebook's 2 points for each tile of open sea look like a misprint: they make about 24 points where "
        "other roles reach 4 or 5, and on a long voyage nobody catches the Sailor. The emended rule, inferred, "
        "gives 1 point for every 2 tiles, about 5 in all.",
    ),
    "first_captain": marks(
        "First captain",
        "The rulebook appoints the oldest player; decided here: the lot, or a seat you agree on. "
        "When the captaincy passes every turn it matters little, for nobody is captain more "
        "than one turn oftener than another.",
    ),
    "safe_course": marks(
        "One course must keep the route",
        "By the rulebook a captain may offer two courses that both lose the route; that it can be forbidden was "
        "decided here. In trials with simple bots, five players and the emended Sailor, the Traitor won 1.5 times "
        "his share with it switched off, and 0.8 times with it switched on.",
    ),
}
VALUES = {
    "layout": {"chart": mark("recommended"), "random": mark("random")},
    "captaincy": {
        "every-turn": mark("passes every turn"),
        "alternative": mark("passes when the sealed course has the majority"),
        "alternative-or-tie": mark("passes when the sealed course is sailed, by a tie too"),
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
    events=events,
    refusal=refusal,
    scoring=scoring,
    table=table,
    option=OPTIONS.option,
    value=OPTIONS.value,
    about=lambda say: say(
        "An island in the fog, a crew in search of it, and a role that nobody knows but you. Every turn the captain "
        "offers one course openly and one in secret, and the votes send the ship to Avalon, or astray."
    ),
    shelf=lambda say: Shelf(say("Vote the ship to the island, or quietly past it."), (25, 35), "medium"),
    minute=MINUTE,
    argument_label=argument_label,
    ask=ask,
    phases=phases,
    chapter=chapter,
    coach=coach,
    lesson=partial(say_lesson, LESSON),
    choices_key=choices_key,
    consequence=consequence,
    guess_labels=guess_labels,
    summary_card=summary_card,
    talk=TALK,
)
