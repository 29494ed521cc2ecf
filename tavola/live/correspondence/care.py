"""Automatic actions of a correspondence room: check its deadlines, and notify watchers of decisions.

Nothing here uses timers: the desk wakes rooms by the site's clock, and loads them if necessary. A match of days costs
no memory while people think, and after a restart all deadlines are in the log.
"""

from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from tavola.live.correspondence.agenda import DecisionWatcher, OwedDecision
from tavola.live.correspondence.due_dates import UpdateDeadlines, needs_look, next_look, open_dues
from tavola.live.room_server import TendedRoom

RunDue = Callable[[Callable[[], Coroutine[Any, Any, None]]], Coroutine[Any, Any, None]]
"""Function that runs the work that is due, then updates the room."""


class Correspondence:
    """Deadlines of one room looked after here. `update` is called after every change, `look` when one has passed."""

    def __init__(self, room: TendedRoom, run_due: RunDue) -> None:
        self._room, self._run_due = room, run_due
        self._told: dict[tuple[str, int], Word] = {}  # by subject and seat: what watchers know and still holds
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
            people = [place.person for place in state.occupants]
            hours = await room.server.desk.hours_of([person.id for person in people if person is not None])
            await room.execute_internal(UpdateDeadlines(hours))
            self._looked_at = seq
        finally:
            self._looking = False

    def tell(self, watcher: DecisionWatcher) -> None:
        """Notify a new watcher of open decisions, and of those that bots have made for late people."""
        for word in self._told.values():
            watcher.hear(*word)

    def _tell_watchers(self) -> None:
        known, self._told = self._told, self._words()
        for watcher in self._room.server.desk.watchers:
            for key, word in known.items():
                (subject, _), now = key, self._told.get(key)
                if subject == "owed" and (now is None or now.decision.number != word.decision.number):
                    watcher.hear(word.decision, "closed", 0.0)
            for key, word in self._told.items():
                if known.get(key) != word:
                    watcher.hear(*word)

    def _words(self) -> dict[tuple[str, int], "Word"]:
        state = self._room.state
        if state.phase == "over":
            people = [seat for seat, place in enumerate(state.occupants) if place.person and not place.has_left]
            return {("ended", seat): self._news(seat, "ended", state.action_times[-1]) for seat in people}
        words = {("rematch", seat): self._news(seat, "rematch", state.created_at) for seat in state.unready_seats()}
        if state.phase == "gathering":
            return words
        for seat, due in open_dues(state).items():
            decision, nudge = self._decision(seat, due.number, due.until), state.nudges.get(seat)
            words["owed", seat] = Word(decision, due.stage or ("warned" if due.warned else "opened"))
            if nudge is not None and nudge.number == due.number:
                words["nudged", seat] = Word(decision, "nudged", nudge.at)
        for seat, made in state.bot_decisions.items():
            if made.last:
                words["missed", seat] = Word(self._decision(seat, made.number, made.at), "missed")
        return words

    def _news(self, seat: int, news: str, at: float) -> "Word":
        return Word(self._decision(seat, 0, None), news, at)

    def _decision(self, seat: int, number: int, due: float | None) -> OwedDecision:
        state, person = self._room.state, self._room.state.occupants[seat].person
        assert person is not None, "only people hear of decisions"
        return OwedDecision(self._room.id, state.game.name, seat, person.id, number, due)


class Word(NamedTuple):
    """What watchers hear of a decision, as in `DecisionWatcher.hear`."""

    decision: OwedDecision
    news: str
    at: float = 0.0
