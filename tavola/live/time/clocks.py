"""Since when a decision is owed, and how much of its patience it has had where another worker has counted until now."""

import asyncio
import time
from typing import TYPE_CHECKING, NamedTuple

from tavola.core import TimeOut
from tavola.show import scene_length

if TYPE_CHECKING:
    from tavola.live.room import Room

LONGEST_GAP = 10.0
"""Seconds for which nobody may have counted before everybody's patience begins anew: nobody could play meanwhile."""


class DecisionClock(NamedTuple):
    """A decision that a seat owes: since when by the loop's clock, and by the wall's, which is shown.

    `person`: it is the person's to make; `timed`: what running out of time plays, if the game tells; `spell`: the
    number of the barter it belongs to, if it does; `again`: he was away from it and had his patience once more.
    """

    prompt: int
    since: float
    wall_since: float
    by_person: bool
    time_out: TimeOut | None = None
    spell: int | None = None
    renewed: bool = False

    @property
    def is_limited(self) -> bool:
        """Whether it may take too long: a bot answers by itself, unless the game's time is for all."""
        return self.by_person or self.time_out is not None

    @property
    def patience_factor(self) -> float:
        """How many patiences it may take."""
        return self.time_out.patiences if self.time_out is not None else 1.0


def elapsed_patience(owed: dict[int, DecisionClock]) -> dict[str, list[float]]:
    """How much of its patience each decision has had: its number, seconds, and whether that was once more."""
    now = asyncio.get_running_loop().time()
    hurried = {seat: one for seat, one in owed.items() if one.is_limited}
    return {str(seat): [one.prompt, round(now - one.since, 3), int(one.renewed)] for seat, one in hurried.items()}


def clocks_from_handover(room: "Room", *, barter: bool) -> dict[int, DecisionClock]:
    """What the worker who counted before has written down, by seat, of decisions that are owed still.

    The clock has stood still since. What lies long behind counts no more.
    """
    clocks = room.state.clock_handover
    if clocks is None or not 0 <= time.time() - clocks[0] < LONGEST_GAP:
        return {}
    owed = {}
    for seat, (prompt, seconds, again) in clocks[1].items():
        if room.prompt_id(int(seat)) == prompt:
            owed[int(seat)] = _clock_since(room, int(seat), seconds, barter=barter)._replace(renewed=bool(again))
    return owed


def clocks_from_log(room: "Room", *, barter: bool) -> dict[int, DecisionClock]:
    """What is owed in a room that another worker looks after: since when the log says, less what was shown first.

    A time that would have run out is not known: somebody will have given it anew.
    """
    patience, owed = room.state.settings.patience, {}
    for seat, at in room.state.open_since.items():
        one = _clock_since(room, seat, time.time() - at - _scene_seconds(room, at), barter=barter)
        if time.time() - one.wall_since < patience * one.patience_factor:
            owed[seat] = one
    return owed


def _clock_since(room: "Room", seat: int, seconds: float, *, barter: bool) -> DecisionClock:
    """A decision that has been owed for so long."""
    timed, person = room.time_out(seat), not room.state.occupants[seat].bot_decides
    now, spell = asyncio.get_running_loop().time(), timed.period if timed is not None and barter else None
    return DecisionClock(room.state.decision_counts[seat], now - seconds, time.time() - seconds, person, timed, spell)


def _scene_seconds(room: "Room", at: float) -> float:
    """Seconds for which all that was played at that time was shown."""
    if not room.hub.scenes:
        return 0.0
    moments = [moment for moment, played in enumerate(room.state.action_times, 1) if played == at]
    pace = room.state.settings.pace
    return sum(
        scene_length(room.view(None, moment - 1), room.view(None, moment), room.heard_action(moment, None), pace) / 1000
        for moment in moments
    )
