"""Since when a decision is owed, and how much of its patience it has had where another worker has counted until now."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tavola.core import TimeOut
from tavola.live.log.events import NewEvent
from tavola.live.log.state import State
from tavola.show import scene_length
from tavola.talk import reveal_at

LONGEST_GAP = 10.0
"""Seconds for which nobody may have counted before everybody's patience begins anew: nobody could play meanwhile."""


class DecisionClock(NamedTuple):
    """A decision that a seat owes: since when by the loop's clock.

    `person`: it is the person's to make; `timed`: what running out of time plays, if the game tells; `period`: the
    number of the barter it belongs to, if it does; `renewed`: he was away from it and had his patience once more.
    """

    prompt: int
    since: float
    by_person: bool
    time_out: TimeOut | None = None
    period: int | None = None
    renewed: bool = False

    @property
    def is_limited(self) -> bool:
        """True when it may take too long: a bot answers by itself, unless the game's time is for all."""
        return self.by_person or self.time_out is not None

    @property
    def patience_factor(self) -> float:
        """Return the number of patiences it may take."""
        return self.time_out.patiences if self.time_out is not None else 1.0

    def ends(self, patience: float, bank: float = 0.0) -> float:
        """Return when its time runs out, by the loop's clock: infinite where it may take for ever, or patience is 0.

        `bank`: seconds that it may take longer, where it is a person's.
        """
        longer = bank if self.by_person else 0.0
        return self.own_end(patience) + longer if patience and self.is_limited else math.inf

    def own_end(self, patience: float) -> float:
        """Return when the decision's own seconds are over, by the loop's clock: after them a bank runs."""
        return self.since + patience * self.patience_factor

    def bank_spent(self, patience: float, bank: float, now: float) -> float:
        """Return how much of `bank` it has used, in seconds."""
        used = min(bank, now - self.own_end(patience)) if self.by_person else 0.0
        return round(max(0.0, used), 3)

    def begun_at(self, since: float) -> "DecisionClock":
        """Return the same decision, whose time starts at a moment of the loop's clock."""
        return self._replace(since=since)


def elapsed_patience(owed: dict[int, DecisionClock], spent: Mapping[int, float]) -> dict[str, list[float]]:
    """Return how much of its patience each decision has had: its number, seconds, and whether that was once more.

    What it has used of a bank, by seat, is told elsewhere.
    """
    now = asyncio.get_running_loop().time()
    hurried = {seat: (one, now - one.since - spent.get(seat, 0.0)) for seat, one in owed.items() if one.is_limited}
    return {str(seat): [one.prompt, round(had, 3), int(one.renewed)] for seat, (one, had) in hurried.items()}


def clocks_from_handover(state: State, now: float, *, barter: bool) -> dict[int, DecisionClock]:
    """Return what the worker who counted before has written down, by seat, of decisions that are owed still.

    The clock has stood still since. What lies long behind `now`, the wall clock's time, counts no more.
    """
    clocks = state.clock_handover
    if clocks is None or not 0 <= now - clocks[0] < LONGEST_GAP:
        return {}
    owed = {}
    for seat, (prompt, seconds, again) in clocks[1].items():
        if state.prompt_id(int(seat)) == prompt:
            owed[int(seat)] = _clock_since(state, int(seat), seconds, barter=barter)._replace(renewed=bool(again))
    return owed


def clocks_from_log(state: State, now: float, *, barter: bool, scenes: bool) -> dict[int, DecisionClock]:
    """Return the clocks of a room that another worker looks after: since when the log says, less what was shown first.

    Without `scenes` nothing was. A time that would have run out is not known: somebody will have given it anew.
    """
    patience, owed = state.settings.patience, {}
    for seat, at in state.open_since.items():
        shown = _scene_seconds(state, at) if scenes else 0.0
        seconds = max(0.0, now - at) - shown  # below 0 the clock has been set
        one = _clock_since(state, seat, seconds, barter=barter)
        if seconds < patience * one.patience_factor + usable_bank(state, seat):
            owed[seat] = one
    return owed


def _clock_since(state: State, seat: int, seconds: float, *, barter: bool) -> DecisionClock:
    timed, person = state.time_out(seat), not state.occupants[seat].bot_decides
    now, period = asyncio.get_running_loop().time(), timed.period if timed is not None and barter else None
    return DecisionClock(state.decision_counts[seat], now - seconds, person, timed, period)


def _scene_seconds(state: State, at: float) -> float:
    played = [number for number, place in enumerate(state.public_actions, 1) if state.action_times[place - 1] == at]
    return sum(_scene_milliseconds(state, number) for number in played) / 1000


def _scene_milliseconds(state: State, at: int) -> float:
    heard, pace = state.heard_action(at, None), state.settings.pace
    before, after = state.view(None, at - 1), state.view(None, at)
    words = sum(reveal_at(state.talk, state.moment_at(at)).milliseconds(pace))
    return scene_length(before, after, heard, pace, follows=state.continues_turn(at)) + words


# The bank of a seat: seconds for the whole match, used if a decision takes longer than the patience. Each decision has
# its own seconds first; what is left of those is lost. In a barter and in a race, where all decide in one time, there
# is no bank.


ENDS_DECISION = ("played", "taken", "left")
"""Events with which a person's time for a decision is over."""


def usable_bank(state: State, seat: int) -> float:
    """Return the seconds of its bank that a seat may use for the decision it owes."""
    if not state.settings.bank or seat not in state.open_decisions or state.match is None:
        return 0.0
    return 0.0 if state.match.open or state.is_racing(seat) else state.bank_left(seat)


def charge(happenings: Sequence[NewEvent], spent: Mapping[int, float]) -> list[NewEvent]:
    """Return events, the first that ends a seat's decision with the seconds which it has used of its bank."""
    left, charged = dict(spent), list[NewEvent]()
    for kind, body in happenings:
        seconds = left.pop(body["seat"], 0.0) if left and kind in ENDS_DECISION else 0.0
        charged.append((kind, {**body, "spent": seconds} if seconds else body))
    return charged
