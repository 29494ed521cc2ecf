"""What happens in a room without anybody's command: bots decide, patience ends, a rematch has waited long enough.

Everything begins when what was played last has been shown. How long a bot takes is the same for every decision and
tells nothing of it: its answer comes one pause after that, a late one at the next full pause.
"""

import asyncio
import logging
import math
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tavola.live.room import Room

RETRY = 1.0
"""Seconds before a bot's answer that could not be written is given again."""
FOLLOWING = 0.4
"""How long a bot pauses before a further step of its turn, as a part of its pause before the first."""
BARTER = 4.0
"""How long bots pause where whoever comes first acts and people may want to, as a part of their pause elsewhere."""
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
        self._ready: asyncio.TimerHandle | None = None
        self._waits = False

    def look(self) -> None:
        """Ask the bots that owe a decision; start the clocks of people who do."""
        state = self._room.state
        prompts = {seat: state.decisions[seat] for seat in state.opened}
        if not self._room.asleep:
            self._ask({seat: prompt for seat, prompt in prompts.items() if state.places[seat].by_bot})
        self._owed = {seat: self._clock(seat, prompt) for seat, prompt in prompts.items()}
        self._arm()
        self._await_ready()
        self._await_game()

    def until(self, seat: int) -> float | None:
        """When patience with the person on a seat ends, in seconds since 1970; None where it does not."""
        patience = self._room.state.settings.patience
        owed = self._owed.get(seat)
        return owed.at + patience if patience and owed and owed.person else None

    @property
    def waits(self) -> bool:
        """Whether patience with somebody will end."""
        return bool(self._room.state.settings.patience) and any(owed.person for owed in self._owed.values())

    def close(self) -> None:
        """Stop the clocks."""
        for timer in filter(None, (self._timer, self._ready)):
            timer.cancel()
        self._timer = self._ready = None

    # Bots

    def _ask(self, prompts: dict[int, int]) -> None:
        self._asked = {seat: asked for seat, asked in self._asked.items() if prompts.get(seat) == asked}
        fresh = {seat: prompt for seat, prompt in prompts.items() if seat not in self._asked}
        if fresh:
            self._asked.update(fresh)
            self._room.hub.spawn(self._answer(fresh))

    async def _answer(self, prompts: dict[int, int]) -> None:
        """Decide for the bots in `prompts`, all on what they saw when the decision opened."""
        room, pause = self._room, self._pause(prompts)
        try:
            turns = await asyncio.gather(*(room.turn_of(seat) for seat in prompts))
            await self._rest(pause)
            await room.decide_for({seat: (prompts[seat], turn) for seat, turn in zip(prompts, turns, strict=True)})
        except Exception:  # whatever it was: the table must not stand still
            log.exception("room %s: a bot could not answer", room.id)
            await asyncio.sleep(RETRY)
        self._ask_again(prompts)

    def _ask_again(self, prompts: dict[int, int]) -> None:
        """Ask bots whose answers came too late, and who still owe the same decision."""
        for seat, prompt in prompts.items():
            if self._asked.get(seat) == prompt:
                del self._asked[seat]
        if not self._room.hub.closing:
            self.look()

    def _pause(self, prompts: dict[int, int]) -> "Pause":
        """How long bots wait before they answer, and from when on: what everybody knows decides, and nothing else."""
        room, now = self._room, asyncio.get_running_loop().time()
        pause = room.hub.bot_pause
        if room.in_midst_of_turn(prompts):
            pause *= FOLLOWING
        elif room.open_to_people():
            pause *= BARTER
        return Pause(max(now, room.scene_until), pause)

    async def _rest(self, pause: "Pause") -> None:
        """Wait until the next full pause, and until what is played meanwhile has been shown."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(rest(loop.time() - pause.since, pause.seconds))
        while (left := self._room.scene_until - loop.time()) > 0:  # noqa: ASYNC110 - a time, not a condition
            await asyncio.sleep(left)

    # Patience

    def _clock(self, seat: int, prompt: int) -> Owed:
        """Since when a decision is owed. Who comes back to one has his whole patience again, but only once."""
        known, person = self._owed.get(seat), not self._room.state.places[seat].by_bot
        if known is None or known.prompt != prompt:
            return self._from_now(prompt, person)
        if person and not known.person and not known.again:
            return self._from_now(prompt, person)._replace(again=True)
        return known._replace(person=person)

    def _from_now(self, prompt: int, person: bool) -> Owed:
        """A clock that starts when what was played last has been shown."""
        now = asyncio.get_running_loop().time()
        since = max(now, self._room.scene_until)
        return Owed(prompt, since, time.time() + since - now, person)

    def _arm(self) -> None:
        """Wake up when the first patience ends; a clock that is set already and comes earlier will set it anew."""
        patience = self._room.state.settings.patience
        first = min((owed.since for owed in self._owed.values() if owed.person), default=None)
        if not patience or first is None or (self._timer is not None and self._timer.when() <= first + patience):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(first + patience, self._ring)

    def _ring(self) -> None:
        self._timer = None
        now, patience = asyncio.get_running_loop().time(), self._room.state.settings.patience
        late = {seat: owed.prompt for seat, owed in self._owed.items() if owed.person and owed.since + patience <= now}
        if late:
            self._room.hub.spawn(self._see_to(self._room.take_over(late)))
        else:
            self._arm()

    async def _see_to(self, work: Coroutine[Any, Any, None]) -> None:
        """Do what is due, and look again."""
        try:
            await work
        except Exception:  # whatever it was: the table must not stand still
            log.exception("room %s: what was due could not be done", self._room.id)
            await asyncio.sleep(RETRY)
        self.look()

    # Rematches, and games that are being made ready

    def _await_ready(self) -> None:
        """A rematch waits only so long."""
        room = self._room
        if room.state.phase != "gathering" or not room.state.again:
            if self._ready is not None:
                self._ready.cancel()
                self._ready = None
        elif self._ready is None:  # once: after that the host begins when he likes
            left = max(0.0, room.ready_until - time.time())
            self._ready = asyncio.get_running_loop().call_later(left, self._waited)

    def _waited(self) -> None:
        self._room.hub.spawn(self._see_to(self._room.begin()))

    def _await_game(self) -> None:
        """A match that was begun starts when its game is ready."""
        if self._room.state.begins and self._room.state.phase == "gathering" and not self._waits:
            self._waits = True
            self._room.hub.spawn(self._see_to(self._begin_when_ready()))

    async def _begin_when_ready(self) -> None:
        try:
            self._room.hub.readiness.want(self._room.state.game.name)
            await self._room.hub.readiness.until(self._room.state.game.name)
            await self._room.begin()
        finally:
            self._waits = False


class Pause(NamedTuple):
    """Since when bots wait, by the loop's clock, and for how many seconds; later answers at multiples of these."""

    since: float
    seconds: float


def rest(thought: float, pause: float) -> float:
    """How long to wait after a thought until the next full pause since the decision was shown; all in seconds.

    A thought that ended before that is negative.
    """
    return max(1, math.ceil(thought / pause)) * pause - thought if pause else max(0.0, -thought)
