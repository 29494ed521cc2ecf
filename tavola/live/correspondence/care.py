"""Automatic actions of a correspondence room: check its deadlines, and notify watchers of decisions.

Nothing here uses timers: the desk wakes rooms by the site's clock, and loads them if necessary. A match of days costs
no memory while people think, and after a restart all deadlines are in the log.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from tavola.live.commands.commands import UpdateDeadlines
from tavola.live.correspondence.agenda import DecisionWatcher, OwedDecision
from tavola.live.correspondence.due_dates import awaited_prompts, needs_look, next_look, open_dues
from tavola.live.correspondence.hours import Due
from tavola.live.room_server import TendedRoom

RunDue = Callable[[Callable[[], Coroutine[Any, Any, None]]], Coroutine[Any, Any, None]]
"""Function that runs the work that is due, then updates the room."""


class Correspondence:
    """Deadlines of one room looked after here. `update` is called after every change, `look` when one has passed."""

    def __init__(self, room: TendedRoom, run_due: RunDue) -> None:
        self._room, self._run_due = room, run_due
        self._told: dict[int, OwedDecision] = {}  # by seat: open decisions that watchers know
        self._looked_at = 0  # the last event before the last check
        self._looking = self._hours_changed = False

    def update(self, *, tended: bool) -> None:
        """Set deadlines of new decisions and the next check, and notify watchers; only if the room is `tended` here."""
        state, desk = self._room.state, self._room.server.desk
        if not state.settings.days or not tended:
            desk.note(self._room.id, None)
            return
        desk.note(self._room.id, next_look(state) if state.phase == "playing" else None)
        self._tell_watchers()
        if self._hours_changed or state.seq != self._looked_at:
            self.look()

    def look(self, *, anyway: bool = False) -> None:
        """Check the deadlines, one check at a time; `anyway`: a person's hours have changed, perhaps during a check."""
        room = self._room
        self._hours_changed |= anyway
        due = self._hours_changed or needs_look(room.state, room.server.settings.clock())
        if room.state.phase == "playing" and due and not self._looking:
            self._looking, self._hours_changed = True, False
            room.server.tasks.spawn(self._run_due(self._look))

    async def _look(self) -> None:
        room, state = self._room, self._room.state
        seq = state.seq
        try:
            people = [state.occupants[seat].person for seat in awaited_prompts(state)]
            hours = await room.server.desk.hours_of([person.id for person in people if person is not None])
            await room.execute_internal(UpdateDeadlines(hours))
            self._looked_at = seq
        finally:
            self._looking = False

    def tell(self, watcher: DecisionWatcher) -> None:
        """Notify a new watcher of open decisions."""
        for decision in self._told.values():
            watcher.decision_opened(decision)

    def _tell_watchers(self) -> None:
        known, self._told = self._told, self._open_decisions()
        reminded = {seat for seat, due in self._room.state.dues.items() if due.reminded}
        for watcher in self._room.server.desk.watchers:
            for seat, decision in known.items():
                if seat not in self._told or self._told[seat].number != decision.number:
                    watcher.decision_closed(decision)
            for seat, decision in self._told.items():
                if known.get(seat) != decision:
                    tell = watcher.decision_reminded if seat in reminded else watcher.decision_opened
                    tell(decision)

    def _open_decisions(self) -> dict[int, OwedDecision]:
        state = self._room.state
        if state.phase != "playing":
            return {}
        return {seat: self._decision(seat, due) for seat, due in open_dues(state).items()}

    def _decision(self, seat: int, due: Due) -> OwedDecision:
        state, person = self._room.state, self._room.state.occupants[seat].person
        assert person is not None, "only people have deadlines"
        return OwedDecision(self._room.id, state.game.name, seat, person.id, due.number, due.until)
