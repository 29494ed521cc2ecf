"""Clocks of pending decisions: their start, and the patience used while another worker ran them."""

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
"""Seconds without a running clock after which every decision gets its full patience again: no one could play."""
RACE_SECONDS = 5.0
"""Seconds for an answer in a race, whatever the patience: the opponent waits for it."""


class DecisionClock(NamedTuple):
    """The clock of a pending decision, by the loop's time.

    `by_person`: a person decides; `time_out`: the action played when time runs out, if the game defines one; `period`:
    the number of its barter, if any; `renewed`: its person was away and got the full patience again; `in_race`: it is
    an answer in a race.
    """

    prompt: int
    since: float
    by_person: bool
    time_out: TimeOut | None = None
    period: int | None = None
    renewed: bool = False
    in_race: bool = False

    @property
    def is_limited(self) -> bool:
        """Return whether its time can run out; a bot's cannot, unless the game has a time for all."""
        return self.by_person or self.time_out is not None

    def ends(self, patience: float, bank: float = 0.0) -> float:
        """Return when its time runs out, by the loop's clock; infinite if it is not limited or `patience` is 0.

        A race always has an end. `bank`: further seconds for a person's decision.
        """
        longer = bank if self.by_person else 0.0
        return self.own_end(patience) + longer if (patience or self.in_race) and self.is_limited else math.inf

    def own_end(self, patience: float) -> float:
        """Return when the decision's own seconds are over, by the loop's clock; then the bank runs."""
        patiences = self.time_out.patiences if self.time_out is not None else 1.0
        return self.since + (RACE_SECONDS if self.in_race else patience * patiences)

    def bank_spent(self, patience: float, bank: float, now: float) -> float:
        """Return how many seconds of `bank` it has used."""
        return round(max(0.0, min(bank, now - self.own_end(patience))), 3) if self.by_person else 0.0


def elapsed_patience(owed: dict[int, DecisionClock], spent: Mapping[int, float]) -> dict[str, list[float]]:
    """Return the patience that each decision has used, by seat: its number, seconds, and whether it was renewed.

    `spent`: seconds used of a bank, by seat, which are not counted.
    """
    now = asyncio.get_running_loop().time()
    hurried = {seat: (one, now - one.since - spent.get(seat, 0.0)) for seat, one in owed.items() if one.is_limited}
    return {str(seat): [one.prompt, round(had, 3), int(one.renewed)] for seat, (one, had) in hurried.items()}


def clocks_from_handover(state: State, now: float, *, barter: bool) -> dict[int, DecisionClock]:
    """Return the clocks that the previous worker has stored, by seat, for decisions that are still owed.

    They were stopped since. A handover long before `now`, by the wall clock, does not count.
    """
    if (clocks := state.clock_handover) is None or not 0 <= now - clocks[0] < LONGEST_GAP:
        return {}
    owed = {}
    for seat, (prompt, seconds, again) in clocks[1].items():
        if state.prompt_id(int(seat)) == prompt:
            owed[int(seat)] = _clock_since(state, int(seat), seconds, barter=barter)._replace(renewed=bool(again))
    return owed


def clocks_from_log(state: State, now: float, *, barter: bool, scenes: bool) -> dict[int, DecisionClock]:
    """Return the clocks of a room that another worker looks after, from the times in the log, less the scenes.

    `scenes`: whether scenes were shown. Expired decisions are left out: the other worker must have renewed them.
    """
    patience, owed = state.settings.patience, {}
    for seat, at in state.open_since.items():
        shown = _scene_seconds(state, at) if scenes else 0.0
        seconds = max(0.0, now - at) - shown  # below 0 if the clock was set back
        one = _clock_since(state, seat, seconds, barter=barter)
        if seconds < one.own_end(patience) - one.since + usable_bank(state, seat):
            owed[seat] = one
    return owed


def _clock_since(state: State, seat: int, seconds: float, *, barter: bool) -> DecisionClock:
    timed, person = state.time_out(seat), not state.occupants[seat].bot_decides
    now, period = asyncio.get_running_loop().time(), timed.period if timed is not None and barter else None
    racing = timed is not None and state.is_racing(seat)
    return DecisionClock(state.decision_counts[seat], now - seconds, person, timed, period, in_race=racing)


def _scene_seconds(state: State, time: float) -> float:
    """Return the seconds for which what was played at a time was shown."""
    milliseconds, pace = 0.0, state.settings.pace
    for at, place in enumerate(state.public_actions, 1):
        if state.action_times[place - 1] == time:
            before, after, heard = state.view(None, at - 1), state.view(None, at), state.heard_action(at, None)
            milliseconds += scene_length(before, after, heard, pace, follows=state.continues_turn(at))
            milliseconds += sum(reveal_at(state.talk, state.moment_at(at)).milliseconds(pace))
    return milliseconds / 1000


# A seat's time bank: seconds for the whole match, used if a decision takes longer than the patience. Each decision has
# its own seconds first, and what is left of those is lost. Barters and races, where all share one time, have no bank.
# That of a correspondence match is in `live/correspondence/due_dates.py`.

ENDS_BANK = ("played", "sealed", "taken", "left", "reminded")
"""Kinds of events at which a person's decision stops using the time bank: all but `reminded` end the decision."""


def usable_bank(state: State, seat: int) -> float:
    """Return the seconds of its bank that a seat may use for the decision it owes."""
    if not state.settings.bank or seat not in state.open_decisions or state.match is None:
        return 0.0
    return 0.0 if state.match.open or state.is_racing(seat) else state.bank_left(seat)


def charge(new_events: Sequence[NewEvent], spent: Mapping[int, float]) -> list[NewEvent]:
    """Return events, with the seconds `spent` of a seat's bank in the first that ends its use."""
    left, charged = dict(spent), list[NewEvent]()
    for kind, body in new_events:
        seconds = left.pop(body["seat"], 0.0) if left and kind in ENDS_BANK else 0.0
        charged.append((kind, {**body, "spent": seconds} if seconds else body))
    return charged
