"""Why an action is not allowed, with the paragraph of RULES.md."""

from typing import Any

from tavola.core import View
from tavola.games.voyage.components import BALLOT, CHOOSE_COURSES, FOUND, LAST_TURN, LOST, OVER, TURN_TILE
from tavola.games.voyage.words.phrases import HEADING, Places, turn_of
from tavola.show.speech import Say, mark

BY_CHANCE = {
    "island": mark("The islands are laid by chance (R4)."),
    "captain": mark("The first captain is drawn by lot, or agreed on before the match (R7)."),
    "role": mark("The roles are dealt by chance (R6)."),
    "tile": mark("A tile is turned up, and nobody chooses what it shows (R14, R16)."),
}
OVER_BY = {
    FOUND: mark("The match is over: Avalon is found (R17)."),
    LAST_TURN: mark("The match is over: twenty turns have been played (R17)."),
    LOST: mark("The match is over: the route is lost (R15, R17)."),
}


def refusal(view: View, action: int, say: Say) -> str:
    """Why the action is not allowed now, with the paragraph of RULES.md; an empty text if it is allowed."""
    t = view.table
    verb, places = view.game.actions.action(action)
    if verb in BY_CHANCE:
        return say(BY_CHANCE[verb])
    if t.phase == OVER:
        return say(OVER_BY[t.ending])
    if view.seat is None:
        return say("You are watching: only the crew acts (R1).")
    if t.phase < CHOOSE_COURSES:
        return say("The first turn begins when everybody holds a role (R6, R8).")
    if t.phase == TURN_TILE:
        return say("The ship has sailed: first the tile beneath it is turned up (R14).")
    return _why_no_vote(t, view.seat, say) if verb == "vote" else _why_not_courses(t, view.seat, places, say)


def _why_no_vote(t: Any, seat: int, say: Say) -> str:
    if t.phase != BALLOT:
        return say(
            "There is nothing to vote on yet: first {name} lays two courses (R8, R12).", name=say.name(t.captain)
        )
    return say("You have voted, and a vote is not taken back (R12).") if t.voted >> seat & 1 else ""


def _why_not_courses(t: Any, seat: int, places: Places, say: Say) -> str:
    if t.phase == BALLOT:
        return say("The courses of this turn are laid, and the crew votes on them (R8, R12).")
    if seat != t.captain:
        return say("Only the captain lays courses, and that is {name} (R8).", name=say.name(t.captain))
    turn = turn_of(t)
    for course in places:
        if not turn.courses >> course & 1:
            return say("No course leads {heading}: it would cross coast (R9).", heading=say(HEADING[course]))
    return _why_not_together(t, turn, places, say)


def _why_not_together(t: Any, turn: Any, places: Places, say: Say) -> str:
    preferred, alternative = places
    if preferred == alternative:
        return say("There is one card of each course: the two must differ (R8).")
    losing = turn.losing >> preferred & turn.losing >> alternative & 1
    if t.safe_course and losing and turn.courses != turn.losing:
        return say("Both courses would lose the route: at least one must keep it (R10).")
    return ""
