"""What happens in a room without anybody's command: bots decide, time runs out, a toss falls, a rematch begins.

Everything begins when what was played last has been shown. How long a bot takes is the same for every decision and
tells nothing of it: its answer comes one pause after that, a late one at the next full pause. Only in a race it comes
as a person's would, after a time drawn for that alone.
"""

import asyncio
import logging
import math
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tavola.live.clocks import Owed, by_the_log, had, handed_over
from tavola.live.race import Reaction

if TYPE_CHECKING:
    from tavola.live.room import Room

RETRY = 1.0
"""Seconds before a bot's answer that could not be written is given again."""
FOLLOWING = 0.4
"""How long a bot pauses before a further step of its turn, as a part of its pause before the first."""
BARTER = 4.0
"""How long bots pause where whoever comes first acts and people may want to, as a part of their pause elsewhere."""
log = logging.getLogger(__name__)


class Caretaker:
    """Looks after one room: `look` is called after every change."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._asked: dict[int, int] = {}  # prompt by seat
        self._owed: dict[int, Owed] = {}  # by seat
        self._clocks: object = None  # what another worker has handed over and is counted on from
        self._looked = False
        self._timer: asyncio.TimerHandle | None = None
        self._ready: asyncio.TimerHandle | None = None
        self._waits = self._falling = False
        self._open = False
        self._bartered = 0.0  # when a bot last had its turn where whoever comes first acts, or when that began

    def look(self) -> None:
        """Ask the bots that owe a decision; start the clocks of people who do.

        Where another worker looks after the room it only knows what he counts: it is shown here, too.
        """
        state, tended = self._room.state, self._room.tended
        prompts = {seat: state.decisions[seat] for seat in state.opened}
        self._note_barter()
        if tended and not self._room.asleep:
            self._ask({seat: prompt for seat, prompt in prompts.items() if state.places[seat].by_bot})
            self._await_chance()
        self._count_on()
        begun = self._from_now()
        self._owed = {seat: self._clock(seat, begun._replace(prompt=prompt)) for seat, prompt in prompts.items()}
        if tended:
            self._arm()
            self._await_ready()
            self._await_game()

    def until(self, seat: int) -> float | None:
        """When the time of a seat runs out, in seconds since 1970; None where it does not."""
        patience = self._room.state.settings.patience
        owed = self._owed.get(seat)
        return owed.at + patience * owed.times if patience and owed and owed.hurried else None

    def had(self) -> dict[str, list[float]]:
        """How much of its patience each decision has had, to be handed over."""
        return had(self._owed)

    @property
    def waits(self) -> bool:
        """Whether patience with somebody will end."""
        return bool(self._room.state.settings.patience) and any(owed.hurried for owed in self._owed.values())

    def close(self) -> None:
        """Stop the clocks, and wait for no bot any more."""
        self._asked.clear()
        for timer in filter(None, (self._timer, self._ready)):
            timer.cancel()
        self._timer = self._ready = None

    # Bots

    def _ask(self, prompts: dict[int, int]) -> None:
        self._asked = {seat: asked for seat, asked in self._asked.items() if prompts.get(seat) == asked}
        fresh = {seat: prompt for seat, prompt in prompts.items() if seat not in self._asked}
        self._asked.update(fresh)
        racing = {seat: prompt for seat, prompt in fresh.items() if self._room.races(seat)}
        for seat, prompt in racing.items():
            self._room.hub.spawn(self._race(seat, prompt))
        if fresh.keys() - racing.keys():
            self._room.hub.spawn(self._answer({s: prompt for s, prompt in fresh.items() if s not in racing}))

    async def _answer(self, prompts: dict[int, int]) -> None:
        """Decide for the bots in `prompts`, all on what they saw when the decision opened."""
        room, pause = self._room, self._pause(prompts)
        try:
            turns = await asyncio.gather(*(room.turn_of(seat) for seat in prompts))
            await self._rest(pause)
            self._bartered = time.monotonic()
            await room.decide_for({seat: (prompts[seat], turn) for seat, turn in zip(prompts, turns, strict=True)})
        except Exception:  # whatever it was: the table must not stand still
            log.exception("room %s: a bot could not answer", room.id)
            await asyncio.sleep(RETRY)
        self._ask_again(prompts)

    async def _race(self, seat: int, prompt: int) -> None:
        """Decide for a bot in a race as quickly as a person of its level would, whatever the thinking takes."""
        room, now = self._room, time.monotonic()
        level = room.state.places[seat].level or room.hub.level
        seconds = room.hub.reflexes(level, len(room.view(seat).legal))
        took = {} if room.shown is None else {seat: Reaction(now - room.shown + seconds)}
        try:
            turn = await room.turn_of(seat)
            await asyncio.sleep(now + seconds - time.monotonic())
            await room.decide_for({seat: (prompt, turn)}, took)
        except Exception:  # whatever it was: the table must not stand still
            log.exception("room %s: a bot could not answer", room.id)
            await asyncio.sleep(RETRY)
        self._ask_again({seat: prompt})

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
        pause, since = room.hub.bot_pause, now
        if room.in_midst_of_turn(prompts):
            pause *= FOLLOWING
        elif room.open_to_people():
            # From their last turn on, or people who act all the time would never let them; but they look first.
            look, pause = pause * FOLLOWING, pause * BARTER
            since = max(self._bartered, now + look - pause)
        return Pause(max(since, room.scene_until), pause)

    def _note_barter(self) -> None:
        match = self._room.state.match
        was, self._open = self._open, match is not None and match.open
        if self._open and not was:
            self._bartered = time.monotonic()

    async def _rest(self, pause: "Pause") -> None:
        """Wait until the next full pause, and until what is played meanwhile has been shown."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(rest(loop.time() - pause.since, pause.seconds))
        await slept(lambda: self._room.scene_until - loop.time())

    # Time

    def _clock(self, seat: int, begun: Owed) -> Owed:
        """Since when a decision is owed; `begun` is it if it is new. All of one barter are owed since the first.

        Who comes back to one has his whole patience again, but only once.
        """
        known, person = self._owed.get(seat), not self._room.state.places[seat].by_bot
        timed = self._room.time_out(seat)
        if timed is not None and self._open:
            shared = next((owed for owed in self._owed.values() if owed.spell == timed.spell), begun)
            return shared._replace(prompt=begun.prompt, person=person, timed=timed, spell=timed.spell)
        if known is None or known.prompt != begun.prompt:
            return begun._replace(person=person, timed=timed)
        if person and not known.person and not known.again:
            return begun._replace(person=person, timed=timed, again=True)
        return known._replace(person=person)

    def _count_on(self) -> None:
        """Take up what others counted: what was handed over, or what the log says of a room that is theirs, or was."""
        first, self._looked = not self._looked, True
        if self._room.state.clocks is not self._clocks:
            self._clocks = self._room.state.clocks
            self._owed |= handed_over(self._room, barter=self._open)
        if first and (not self._room.tended or self._room.hub.ownership.inherited(self._room.id)):
            self._owed = by_the_log(self._room, barter=self._open) | self._owed

    def _from_now(self) -> Owed:
        """A decision whose time starts when what was played last has been shown."""
        now = asyncio.get_running_loop().time()
        since = max(now, self._room.scene_until)
        return Owed(0, since, time.time() + since - now, person=False)

    def _arm(self) -> None:
        """Wake up when the first time runs out; a clock that is set already and comes earlier will set it anew."""
        patience = self._room.state.settings.patience
        ends = [owed.since + patience * owed.times for owed in self._owed.values() if owed.hurried]
        if not patience or not ends or (self._timer is not None and self._timer.when() <= min(ends)):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(min(ends), self._ring)

    def _ring(self) -> None:
        self._timer = None
        now, patience = asyncio.get_running_loop().time(), self._room.state.settings.patience
        late = {s: owed for s, owed in self._owed.items() if owed.hurried and owed.since + patience * owed.times <= now}
        if late:
            self._room.hub.spawn(self._see_to(partial(self._end_time, late)))
        else:
            self._arm()

    async def _end_time(self, late: dict[int, Owed]) -> None:
        """The game's clock plays where it has one, all at once; for others a bot decides from now on."""
        timed = {seat: owed.prompt for seat, owed in late.items() if owed.timed is not None}
        self._owed = {seat: owed for seat, owed in self._owed.items() if seat not in timed}  # whoever still owes, anew
        if timed:
            await self._room.run_out(timed, next(late[seat].spell for seat in timed))
        if late.keys() - timed.keys():
            await self._room.take_over({seat: owed.prompt for seat, owed in late.items() if seat not in timed})

    # What chance holds

    def _await_chance(self) -> None:
        """Let what chance holds fall when it is due."""
        if self._room.state.holds and not self._falling:
            self._falling = True
            self._room.hub.spawn(self._see_to(self._fall))

    async def _fall(self) -> None:
        """The moment stands in the log, so a restart does not change it.

        One that has passed meanwhile, or is about to before people are back, is drawn anew.
        """
        room = self._room
        try:
            if room.state.held is None or room.state.held - time.time() < room.hub.hold.shortest:
                await room.hold()
            await slept(lambda: (room.state.held or 0.0) - time.time())
            await room.release()
        finally:
            self._falling = False

    async def _see_to(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do what is due, and look again."""
        try:
            await work()
        except Exception:  # whatever it was: the table must not stand still
            log.exception("room %s: what was due could not be done", self._room.id)
            await asyncio.sleep(RETRY)
        self.look()

    # Rematches, and matches that an old log only began

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
        self._room.hub.spawn(self._see_to(self._room.begin))

    def _await_game(self) -> None:
        """A match that was begun starts: a server of old may have ended while it compiled the game."""
        if self._room.state.begins and self._room.state.phase == "gathering" and not self._waits:
            self._waits = True
            self._room.hub.spawn(self._see_to(self._room.begin))


class Pause(NamedTuple):
    """Since when bots wait, by the loop's clock, and for how many seconds; later answers at multiples of these."""

    since: float
    seconds: float


async def slept(left: Callable[[], float]) -> None:
    """Sleep until no seconds are left, and not a moment less: timers of the loop are due to the millisecond only."""
    while (seconds := left()) > 0:  # noqa: ASYNC110 - a time, not a condition
        await asyncio.sleep(seconds)


def rest(thought: float, pause: float) -> float:
    """How long to wait after a thought until the next full pause since the decision was shown; all in seconds.

    A thought that ended before that is negative.
    """
    return max(1, math.ceil(thought / pause)) * pause - thought if pause else max(0.0, -thought)
