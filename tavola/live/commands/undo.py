"""Taking back a decision: freely against bots, and with the consent of all other people.

`live.log.undo` says which decisions can be taken back at all. While a request is open, bots wait; a decision of a
person ends it.
"""

from tavola.core.text import mark
from tavola.live.commands.commands import Given, ServerCommand
from tavola.live.commands.require import require_player
from tavola.live.commands.waiting import voters
from tavola.live.correspondence.hours import DAY
from tavola.live.log.budgets import require_log_space
from tavola.live.log.events import NewEvent
from tavola.live.log.people import Person
from tavola.live.log.state import Decided, State, UndoRequest
from tavola.live.log.undo import undoable
from tavola.live.protocol import AllowUndo, Undo
from tavola.live.room_refusals import NotUndoable, TooMuch

ANSWERED_WITHIN = 30.0
"""Seconds for which a request waits in a live match; in correspondence it is a day."""


def decide_undo(state: State, command: Undo, who: Person, given: Given) -> list[NewEvent]:
    """Take back a person's last decision, or ask the other people; nothing if they have been asked already."""
    seat = require_player(state, who)
    made = _require_undoable(state, seat, command.prompt_id)
    asked = state.undo_request
    if asked is not None and asked.made.seat != seat:
        raise NotUndoable(mark("someone else has just asked to undo: answer that first"))
    if voters(state, seat) <= (asked.allowed if asked is not None else frozenset()):
        require_log_space(state, who)
        return [_undone(made)]
    if asked is not None:
        return []
    if state.undo_denied == made:
        raise TooMuch(mark("the others don’t want this decision undone"))
    require_log_space(state, who)
    return [("undo", {"seat": seat, "until": given.now + (DAY if state.settings.days else ANSWERED_WITHIN)})]


def answer_undo(state: State, command: AllowUndo, who: Person, given: Given) -> list[NewEvent]:
    """Allow another person to take back a decision, or not; the last one who allows it lets it happen."""
    seat, asked = require_player(state, who), state.undo_request
    if asked is None or (asked.made.seat, asked.made.prompt_id) != (command.seat, command.prompt_id):
        raise NotUndoable(mark("this request to undo is over"))
    if seat not in voters(state, command.seat):
        raise NotUndoable(mark("only the other players can answer this"))
    require_log_space(state, who)
    if not command.allow:
        return [("denied", {"seat": seat})]
    if seat in asked.allowed:
        return []
    agreed = asked._replace(allowed=asked.allowed | {seat})
    return [("allowed", {"seat": seat}), *(_finish(state, agreed) if _is_allowed(state, agreed) else [])]


class EndUndo(ServerCommand, frozen=True):
    """The end of the request that was to be open `until` then: those who have got up meanwhile need not agree."""

    until: float

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        if (asked := state.undo_request) is None or asked.until != self.until:
            return []
        return _finish(state, asked) if _is_allowed(state, asked) else [("denied", {"seat": None})]


def _is_allowed(state: State, asked: UndoRequest) -> bool:
    return voters(state, asked.made.seat) <= asked.allowed


def _finish(state: State, asked: UndoRequest) -> list[NewEvent]:
    made = undoable(state, asked.made.seat)
    return [_undone(made)] if made == asked.made else [("denied", {"seat": None})]


def _undone(made: Decided) -> NewEvent:
    return "undone", {"seat": made.seat, "to": made.place}


def _require_undoable(state: State, seat: int, prompt_id: int) -> Decided:
    """Return the seat's last decision if that is the one meant and it can be taken back; refuse it otherwise."""
    if state.occupants[seat].bot_decides:
        raise NotUndoable(mark("a bot is playing for you: take your seat back first"))
    last = next((made for made in reversed(state.decided) if made.seat == seat), None)
    if last is None or last.prompt_id != prompt_id:
        raise NotUndoable(mark("you can only undo your last decision"))
    if undoable(state, seat) is None:
        raise NotUndoable(mark("this can’t be undone any more: something hidden has been revealed since"))
    return last
