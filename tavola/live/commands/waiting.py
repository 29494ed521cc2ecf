"""What players of a correspondence match can do while they wait for one of them: nudge, or let a bot go on."""

from tavola.core.text import mark
from tavola.live import protocol
from tavola.live.commands.commands import Given
from tavola.live.commands.require import require_player
from tavola.live.correspondence.due_dates import open_dues
from tavola.live.correspondence.hours import DAY, Due
from tavola.live.log.budgets import require_log_space
from tavola.live.log.events import NewEvent, taken_event
from tavola.live.log.people import Person
from tavola.live.log.state import State
from tavola.live.room_refusals import NotLate, TooMuch

NUDGE_PAUSE = DAY
"""Minimum seconds between two nudges of one player in a match."""
UNHURRIED_SHARE = 0.25
"""Share of the time for a decision that must have passed before its player can be nudged."""


def decide_nudge(state: State, command: protocol.Nudge, who: Person, given: Given) -> list[NewEvent]:
    """Remind a player whom others wait for."""
    seat, due = _waiting_for(state, command.seat, who)
    if given.now < nudgeable_at(state, command.seat, due):
        if is_nudged(state, command.seat, given.now):
            raise TooMuch(mark("this player has been nudged today: try again tomorrow"))
        raise NotLate(mark("this player has only just been asked: give them some time"))
    require_log_space(state, who)
    return [("nudged", {"seat": command.seat, "by": seat})]


def nudgeable_at(state: State, seat: int, due: Due) -> float:
    """Return when the player of a seat can be nudged about a decision, in seconds since 1970."""
    early = due.since if due.stage else due.since + (due.until - due.since) * UNHURRIED_SHARE
    nudge = state.nudges.get(seat)
    return early if nudge is None else max(early, nudge.at + NUDGE_PAUSE)


def is_nudged(state: State, seat: int, now: float) -> bool:
    """Return whether the player of a seat has been nudged within a day, so that no one can nudge them again yet."""
    nudge = state.nudges.get(seat)
    return nudge is not None and now < nudge.at + NUDGE_PAUSE


def decide_go_on(state: State, command: protocol.GoOn, who: Person, given: Given) -> list[NewEvent]:
    """Vote that a bot keeps the seat of a player whose time is up; the last vote lets it."""
    seat, due = _waiting_for(state, command.seat, who)
    if not due.reminded:
        raise NotLate(mark("this player still has time"))
    if seat in state.bot_votes.get(command.seat, ()):
        return []
    require_log_space(state, who)
    voted: NewEvent = "voted", {"seat": command.seat, "by": seat}
    agreed = {*state.bot_votes.get(command.seat, ()), seat} >= voters(state, command.seat)
    return [voted, taken_event(command.seat)] if agreed else [voted]


def voters(state: State, late: int) -> set[int]:
    """Return the seats whose people must agree before a bot goes on for a late seat: all others who play themselves."""
    places = enumerate(state.occupants)
    return {seat for seat, place in places if seat != late and place.person is not None and not place.bot_decides}


def _waiting_for(state: State, seat: int, who: Person) -> tuple[int, Due]:
    """Return the sender's seat, and the deadline of the player they wait for."""
    own, due = require_player(state, who), open_dues(state).get(seat)
    if due is None or seat == own:
        raise NotLate(mark("no one is waiting for this player"))
    return own, due
