"""Since when a decision is owed, and how much of its patience it has had where another worker has counted until now."""

import asyncio
import time
from typing import TYPE_CHECKING, NamedTuple

from tavola.core import TimeOut
from tavola.show import scene_length

if TYPE_CHECKING:
    from tavola.live.room import Room

MISSED = 10.0
"""Seconds for which nobody may have counted before everybody's patience begins anew: nobody could play meanwhile."""


class Owed(NamedTuple):
    """A decision that a seat owes: since when by the loop's clock, and by the wall's, which is shown.

    `person`: it is the person's to make; `timed`: what running out of time plays, if the game tells; `spell`: the
    number of the barter it belongs to, if it does; `again`: he was away from it and had his patience once more.
    """

    prompt: int
    since: float
    at: float
    person: bool
    timed: TimeOut | None = None
    spell: int | None = None
    again: bool = False

    @property
    def hurried(self) -> bool:
        """Whether it may take too long: a bot answers by itself, unless the game's time is for all."""
        return self.person or self.timed is not None

    @property
    def times(self) -> float:
        """How many patiences it may take."""
        return self.timed.times if self.timed is not None else 1.0


def had(owed: dict[int, Owed]) -> dict[str, list[float]]:
    """How much of its patience each decision has had: its number, seconds, and whether that was once more."""
    now = asyncio.get_running_loop().time()
    hurried = {seat: one for seat, one in owed.items() if one.hurried}
    return {str(seat): [one.prompt, round(now - one.since, 3), int(one.again)] for seat, one in hurried.items()}


def handed_over(room: "Room", *, barter: bool) -> dict[int, Owed]:
    """What the worker who counted before has written down, by seat, of decisions that are owed still.

    The clock has stood still since. What lies long behind counts no more.
    """
    clocks = room.state.clocks
    if clocks is None or not 0 <= time.time() - clocks[0] < MISSED:
        return {}
    owed = {}
    for seat, (prompt, seconds, again) in clocks[1].items():
        if room.prompt_id(int(seat)) == prompt:
            owed[int(seat)] = _owed(room, int(seat), seconds, barter=barter)._replace(again=bool(again))
    return owed


def by_the_log(room: "Room", *, barter: bool) -> dict[int, Owed]:
    """What is owed in a room that another worker looks after: since when the log says, less what was shown first.

    A time that would have run out is not known: somebody will have given it anew.
    """
    patience, owed = room.state.settings.patience, {}
    for seat, at in room.state.since.items():
        one = _owed(room, seat, time.time() - at - _shown_before(room, at), barter=barter)
        if time.time() - one.at < patience * one.times:
            owed[seat] = one
    return owed


def _owed(room: "Room", seat: int, seconds: float, *, barter: bool) -> Owed:
    """A decision that has been owed for so long."""
    timed, person = room.time_out(seat), not room.state.places[seat].by_bot
    now, spell = asyncio.get_running_loop().time(), timed.spell if timed is not None and barter else None
    return Owed(room.state.decisions[seat], now - seconds, time.time() - seconds, person, timed, spell)


def _shown_before(room: "Room", at: float) -> float:
    """Seconds for which all that was played at that time was shown."""
    if not room.hub.scenes:
        return 0.0
    moments = [moment for moment, played in enumerate(room.state.times, 1) if played == at]
    pace = room.state.settings.pace
    return sum(
        scene_length(room.view(None, moment - 1), room.view(None, moment), room.heard(moment, None), pace) / 1000
        for moment in moments
    )
