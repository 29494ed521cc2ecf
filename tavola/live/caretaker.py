"""What happens in a room without anybody's command: bots decide, and patience ends.

How long a bot takes is the same for every decision and tells nothing of it: its answer comes one pause after the
decision opened, a late one at the next full pause.
"""

import asyncio
import logging
import math
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tavola.live.room import Room

RETRY = 1.0
"""Seconds before a bot's answer that could not be written is given again."""
log = logging.getLogger(__name__)


class Owed(NamedTuple):
    """A decision that a seat owes: since when by the loop's clock, and by the wall's, which is shown.

    `person`: it is the person's to make; `again`: he was away from it and had his patience once more.
    """

    prompt: int
    since: float
    at: float
    person: bool
    again: bool = False


class Caretaker:
    """Looks after one room: `look` is called after every change."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._asked: dict[int, int] = {}  # prompt by seat
        self._owed: dict[int, Owed] = {}  # by seat
        self._timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        """Ask the bots that owe a decision; start the clocks of people who do."""
        state = self._room.state
        prompts = {seat: state.decisions[seat] for seat in state.opened}
        self._ask({seat: prompt for seat, prompt in prompts.items() if state.places[seat].by_bot})
        self._owed = {seat: self._clock(seat, prompt) for seat, prompt in prompts.items()}
        self._arm()

    def until(self, seat: int) -> float | None:
        """When patience with the person on a seat ends, in seconds since 1970; None where it does not."""
        patience = self._room.settings.patience
        owed = self._owed.get(seat)
        return owed.at + patience if patience and owed and owed.person else None

    def close(self) -> None:
        """Stop the clocks."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # Bots

    def _ask(self, prompts: dict[int, int]) -> None:
        self._asked = {seat: asked for seat, asked in self._asked.items() if prompts.get(seat) == asked}
        fresh = {seat: prompt for seat, prompt in prompts.items() if seat not in self._asked}
        if fresh:
            self._asked.update(fresh)
            self._room.hub.spawn(self._answer(fresh))

    async def _answer(self, prompts: dict[int, int]) -> None:
        """Decide for the bots in `prompts`, all on what they saw when the decision opened."""
        room, loop = self._room, asyncio.get_running_loop()
        began = loop.time()
        try:
            levels = [room.state.places[seat].level for seat in prompts]
            views = [room.view(seat, room.state.opened[seat]) for seat in prompts]
            choices = await asyncio.gather(*(room.hub.think(*asked) for asked in zip(levels, views, strict=True)))
            await asyncio.sleep(rest(loop.time() - began, room.hub.bot_pause))
            answers = {seat: (prompts[seat], choice) for seat, choice in zip(prompts, choices, strict=True)}
            await room.decide_for(answers)
        except Exception:  # whatever it was: the table must not stand still
            log.exception("room %s: a bot could not answer", room.id)
            await asyncio.sleep(RETRY)
            self._asked.clear()
            self.look()

    # Patience

    def _clock(self, seat: int, prompt: int) -> Owed:
        """Since when a decision is owed. Who comes back to one has his whole patience again, but only once."""
        known, person = self._owed.get(seat), not self._room.state.places[seat].by_bot
        if known is None or known.prompt != prompt:
            return Owed(prompt, asyncio.get_running_loop().time(), time.time(), person)
        if person and not known.person and not known.again:
            return Owed(prompt, asyncio.get_running_loop().time(), time.time(), person, again=True)
        return known._replace(person=person)

    def _arm(self) -> None:
        """Wake up when the first patience ends; a clock that is set already and comes earlier will set it anew."""
        patience = self._room.settings.patience
        first = min((owed.since for owed in self._owed.values() if owed.person), default=None)
        if not patience or first is None or (self._timer is not None and self._timer.when() <= first + patience):
            return
        self.close()
        self._timer = asyncio.get_running_loop().call_at(first + patience, self._ring)

    def _ring(self) -> None:
        self._timer = None
        now, patience = asyncio.get_running_loop().time(), self._room.settings.patience
        late = {seat: owed.prompt for seat, owed in self._owed.items() if owed.person and owed.since + patience <= now}
        if late:
            self._room.hub.spawn(self._take_over(late))
        else:
            self._arm()

    async def _take_over(self, prompts: dict[int, int]) -> None:
        try:
            await self._room.take_over(prompts)
        except Exception:  # whatever it was: the table must not stand still
            log.exception("room %s: a seat could not be taken over", self._room.id)
            await asyncio.sleep(RETRY)
        self.look()


def rest(thought: float, pause: float) -> float:
    """How long to wait after a thought until the next full pause since the decision opened; all in seconds."""
    return max(1, math.ceil(thought / pause)) * pause - thought if pause else 0.0
