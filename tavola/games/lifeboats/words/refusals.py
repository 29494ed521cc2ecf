"""Why an action is not allowed, with the paragraph of RULES.md."""

from collections.abc import Callable
from typing import Any

from tavola.core import View
from tavola.games.lifeboats.components import (
    ASHORE,
    ASIDE,
    BLACK,
    BOARD,
    CAPTAIN,
    CREW,
    LEAVE,
    OVER,
    PLACE,
    PLACE_BLACK,
    SEA,
    SUNK,
)
from tavola.games.lifeboats.words.phrases import (
    BALLOTS,
    CHOICES,
    COLOUR,
    Places,
    aboard,
    capital,
    colours,
    has_seat,
    members_of,
    reason_of,
    seats_behind,
    the_boat,
)
from tavola.show.speech import Say, mark

PHASES_OF = {
    "lane": (PLACE, PLACE_BLACK),
    "crew": (CREW,),
    "vote": BALLOTS,
    "choose": CHOICES,
    "leave": (LEAVE,),
    "board": (BOARD,),
}
OTHER_TIME = {
    "lane": mark("Boats are placed before the first round, and stay in their lanes (R6, R25)."),
    "crew": mark("Men are seated before the first round, once every boat is placed (R7)."),
    "vote": mark("No ballot is open now (R9)."),
    "choose": mark("There is nothing to choose now: one chooses by a captain or in a tie (R11, R15)."),
    "leave": mark("Men are taken out only in the third phase of a round (R26)."),
    "board": mark("Men board in the third phase of a round, when all who leave have left (R28)."),
}
OTHER_TURN = {
    PLACE: mark("Boats are placed in turn: now it is up to {name} (R6)."),
    PLACE_BLACK: mark("The start player places the black boat: it is up to {name} (R6)."),
    CREW: mark("Men are seated in turn: now it is up to {name} (R7)."),
    LEAVE: mark("Boats are left in turn, clockwise from the start player: now it is up to {name} (R26)."),
    BOARD: mark("Men board in the reverse order of leaving: now it is up to {name} (R28)."),
}
OTHER_CHOOSES = (
    mark("Only one captain was played: it is up to {name} (R11)."),
    mark("Every card was a captain, so the start player decides: it is up to {name} (R13)."),
    mark("The votes are tied, so the start player decides: it is up to {name} (R15)."),
)
NONE_LEFT = (mark("You have no officer left to seat (R7)."), mark("You have no sailor left to seat (R7)."))
NONE_ABOARD = (mark("You have no officer {aboard} (R26)."), mark("You have no sailor {aboard} (R26)."))


def refusal(view: View, action: int, say: Say) -> str:
    """Why the action is not allowed now, with the paragraph of RULES.md; an empty text if it is allowed."""
    t = view.table
    verb, places = view.game.actions.action(action)
    if verb == "start":
        return say("The start player is drawn by lot (R5).")
    if t.phase == OVER:
        return say("The match is over: no boat is at sea (R30).")
    if view.seat is None:
        return say("You are watching: only the players at the table act (R1).")
    if t.phase not in PHASES_OF[verb]:
        return say(OTHER_TIME[verb])
    if t.phase in BALLOTS:
        return _why_no_vote(t, view.seat, places[0], say)
    if t.turn != view.seat:
        message = OTHER_CHOOSES[reason_of(t.ballot)] if t.phase in CHOICES else OTHER_TURN[t.phase]
        return say(message, name=say.name(t.turn))
    return _REASONS[verb](t, view.seat, places, say)


def _why_no_vote(t: Any, seat: int, card: int, say: Say) -> str:
    if not t.voters >> seat & 1:
        return say("Only those with a man {aboard} vote (R18).", aboard=aboard(t.target - 1, say))
    if t.voted >> seat & 1:
        return say("You have voted, and a card played is not taken back (R9).")
    if card == CAPTAIN - 1:
        return "" if t.captains[seat] else say("You have played all your captains (R12).")
    return _why_not_votable(t, card, say)


def _why_not_votable(t: Any, colour: int, say: Say) -> str:
    """R10, R20."""
    if not t.target:
        return _why_not_at_sea(t, colour, say)
    if colour == BLACK:
        return say("The black boat is nobody's: there are no black men (R20).")
    if any(t.boats[t.target - 1].crew[colour]):
        return ""
    parts = {"colour": say(COLOUR[colour]), "aboard": aboard(t.target - 1, say)}
    return capital(say("{colour} has no man {aboard}: only a colour aboard may be named (R20).", **parts))


def _why_not_at_sea(t: Any, boat: int, say: Say) -> str:
    at, name = t.boats[boat].at, the_boat(boat, say)
    if at == ASIDE:
        return capital(say("{boat} takes no part in this match (R1, R10).", boat=name))
    if at == ASHORE:
        return capital(say("{boat} has reached its island and is out of play (R10, R24).", boat=name))
    return capital(say("{boat} lies on the bottom of the sea (R10, R22).", boat=name)) if at == SUNK else ""


def _why_no_seat(t: Any, boat: int, say: Say) -> str:
    if t.boats[boat].at != SEA:
        return _why_not_at_sea(t, boat, say)
    return "" if has_seat(t, boat) else capital(say("{boat} has no free seat (R8).", boat=the_boat(boat, say)))


def _why_not_lane(t: Any, seat: int, places: Places, say: Say) -> str:
    lane = places[0] + 1
    for place, boat in enumerate(t.boats):
        if boat.lane == lane:
            return say("Lane {lane} is taken: {boat} is there (R6).", lane=lane, boat=the_boat(place, say))
    return ""


def _why_not_crew(t: Any, seat: int, places: Places, say: Say) -> str:
    rank, boat = places
    return _why_no_seat(t, boat, say) if t.unseated[seat][rank] else say(NONE_LEFT[rank])


def _why_not_choose(t: Any, seat: int, places: Places, say: Say) -> str:
    if t.ballot.candidates >> places[0] & 1:
        return ""
    tied = colours(members_of(t.ballot.candidates), say)
    return _why_not_votable(t, places[0], say) or say("Only the tied may be chosen: {colours} (R15).", colours=tied)


def _why_not_leave(t: Any, seat: int, places: Places, say: Say) -> str:
    rank, boat = places
    for other in seats_behind(t):
        if t.behind[other] == boat + 1:
            parts = {"name": say.name(other), "boat": the_boat(boat, say)}
            return capital(say("{boat} was left by a man of {name}; only one may leave it (R27).", **parts))
    if t.boats[boat].at != SEA:
        return _why_not_at_sea(t, boat, say)
    return "" if t.boats[boat].crew[seat][rank] else say(NONE_ABOARD[rank], aboard=aboard(boat, say))


def _why_not_board(t: Any, seat: int, places: Places, say: Say) -> str:
    if t.behind[seat] == places[0] + 1:
        return say("Your man has just left {boat} and may not return to it (R28).", boat=the_boat(places[0], say))
    return _why_no_seat(t, places[0], say)


_REASONS: dict[str, Callable[[Any, int, Places, Say], str]] = {
    "lane": _why_not_lane,
    "crew": _why_not_crew,
    "choose": _why_not_choose,
    "leave": _why_not_leave,
    "board": _why_not_board,
}
