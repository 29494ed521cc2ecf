"""Tell why an action is not allowed, with the paragraph of RULES.md."""

from tavola.games.voyage.components import Ending, Hand, Phase, Table
from tavola.games.voyage.words.nouns import COURSE, current_turn
from tavola.show.speech import Say, mark
from tavola.show.words import Indices, Refusals

OVER_REASONS: dict[int, str] = {
    Ending.AVALON: mark("The match is over: Avalon is found (R17)."),
    Ending.TURN_20: mark("The match is over: twenty turns have been played (R17)."),
    Ending.ROUTE_LOST: mark("The match is over: the route is lost (R15, R17)."),
}
NOT_YET = mark("The first turn begins when everybody holds a role (R6, R8).")


def _courses(t: Table, seat: int, hand: Hand, places: Indices, say: Say) -> str:
    if seat != t.captain:
        return say("Only the captain lays courses, and that is {name} (R8).", name=say.name(t.captain))
    for course in places:
        if not current_turn(t).courses >> course & 1:
            return say("No course leads {course:toward}: it would cross coast (R9).", course=COURSE(course, say))
    if places[0] == places[1]:
        return say("There is one card of each course: the two must differ (R8).")
    return say("Both courses would lose the route: at least one must keep it (R10).")


refusal = Refusals(
    chance={
        "island": mark("The islands are laid by chance (R4)."),
        "captain": mark("The first captain is drawn by lot, or agreed on before the match (R7)."),
        "role": mark("The roles are dealt by chance (R6)."),
        "tile": mark("A tile is turned up, and nobody chooses what it shows (R14, R16)."),
    },
    over=lambda view, say: say(OVER_REASONS[view.table.ending]),
    over_phase=Phase.OVER,
    meanwhile={
        **dict.fromkeys((Phase.ISLANDS, Phase.LOT, Phase.ROLES), NOT_YET),
        Phase.TILE: mark("The ship has sailed: first the tile beneath it is turned up (R14)."),
    },
    when={
        "vote": ((Phase.BALLOT,), mark("There is nothing to vote on yet: first {name} lays two courses (R8, R12).")),
        "courses": ((Phase.COURSES,), mark("The courses of this turn are laid, and the crew votes on them (R8, R12).")),
    },
    why={
        "vote": lambda t, seat, hand, places, say: say("You have voted, and a vote is not taken back (R12)."),
        "courses": _courses,
    },
)
