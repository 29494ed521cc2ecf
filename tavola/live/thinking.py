"""The threads in which bots think: few, in turn by who made the rooms, then by room, so nobody's many delay anybody.

Whoever makes others wait most is given the shortest thoughts: before a queue would last longer than a bot's pause, the
bots in it think less long. Nobody's budget depends on another's rooms but through how many share the threads.

Several workers have so many more threads, and tell one another twice a second for whom how much waits: a maker whose
rooms are spread over all of them has no more time than one whose rooms are together. What came within the last half
second is not counted yet.
"""

import asyncio
import logging
import secrets
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

from tavola.bots import LEVELS, Bot
from tavola.core import View
from tavola.core.compilation import is_interpreted

THREADS = 2
LONGEST_WAIT = 500.0
"""Milliseconds in which all that waits for one maker's rooms should have been thought."""
SHORTEST_BUDGET = 3
"""Milliseconds that a bot that looks ahead has at least."""
BRISK_BUDGET = 8
"""Milliseconds that it has at most in a match that goes straight to its end: for all at the table the same."""

MOST_NEWS = 100
"""Makers told of, those for whom most waits."""
NEWS_VALID = 2.0
"""Seconds for which it is believed what another worker has told."""

T = TypeVar("T")
BotFactory = Callable[..., Bot]
"""`bots(level, seed)` makes a bot; `bots("search", seed, milliseconds)` one that thinks so long."""
logger = logging.getLogger(__name__)


class _Thought(NamedTuple):
    work: Callable[[int], Any]  # by the milliseconds that it may take
    loop: asyncio.AbstractEventLoop
    answer: "asyncio.Future[Any]"
    most: int  # milliseconds


class Thinkers:
    """The threads, and the queue before them."""

    def __init__(self, bots: BotFactory) -> None:
        self._bot_factory = bots
        self._pool = ThreadPoolExecutor(THREADS, "bot")
        self._lock = threading.Lock()
        self.workers = 1
        """The number of workers with as many threads."""
        self._queues: OrderedDict[str, OrderedDict[str, deque[_Thought]]] = OrderedDict()
        self._elsewhere: dict[str, tuple[float, dict[str, int]]] = {}  # by worker: when told, and thoughts by maker
        self._had_waiting = False

    def news(self) -> dict[str, Any]:
        """For whom how much waits here, to be told to other workers; nothing where it was nothing before."""
        with self._lock:
            waiting = Counter({maker: sum(map(len, rooms.values())) for maker, rooms in self._queues.items()})
        told, self._had_waiting = self._had_waiting, bool(waiting)
        return {"waiting": dict(waiting.most_common(MOST_NEWS))} if waiting or told else {}

    def receive(self, worker: str, told: dict[str, Any]) -> None:
        """Take up what another worker has told."""
        self._elsewhere[worker] = time.monotonic(), told["waiting"]

    def _waiting_elsewhere(self) -> Counter[str]:
        since = time.monotonic() - NEWS_VALID
        waiting = Counter[str]()
        for at, makers in self._elsewhere.values():
            if at > since:
                waiting.update(makers)
        return waiting

    async def think(self, maker: str, room_id: str, level: str, view: View, most: int | None = None) -> int:
        """Return the choice of a bot, for a room that somebody made; in `most` milliseconds, by default its level's."""
        most = LEVELS[level].milliseconds if most is None else most
        return await self.work(maker, room_id, partial(self._choose, level, view), most)

    async def work(self, maker: str, room_id: str, work: Callable[[int], T], most: int) -> T:
        """Have something thought for a room that somebody made: `work(milliseconds)`, in its turn."""
        loop = asyncio.get_running_loop()
        thought = _Thought(work, loop, loop.create_future(), most)
        with self._lock:
            self._queues.setdefault(maker, OrderedDict()).setdefault(room_id, deque()).append(thought)
        self._pool.submit(self._work)
        answer: T = await thought.answer
        return answer

    def close(self) -> None:
        """End the threads; what waits is not thought any more."""
        self._pool.shutdown(cancel_futures=True)

    def _work(self) -> None:
        thought, milliseconds = self._next()
        if thought.answer.cancelled():
            return
        try:
            found = thought.work(milliseconds)
        except Exception as fault:
            logger.exception("a thought failed")
            _settle(thought, partial(thought.answer.set_exception, fault))
        else:
            _settle(thought, partial(thought.answer.set_result, found))

    def _next(self) -> tuple[_Thought, int]:
        """The next thought in turn, and how many milliseconds it may take. As often as one is put in, one is taken."""
        with self._lock:
            elsewhere = self._waiting_elsewhere()
            makers = len(self._queues.keys() | elsewhere.keys())
            maker, rooms = self._queues.popitem(last=False)
            waiting = sum(map(len, rooms.values())) + elsewhere[maker]
            room_id, thoughts = rooms.popitem(last=False)
            thought = thoughts.popleft()
            if thoughts:
                rooms[room_id] = thoughts
            if rooms:
                self._queues[maker] = rooms
            return thought, budget(waiting, makers, self.workers, most=thought.most)

    def _choose(self, level: str, view: View, milliseconds: int) -> int:
        """A match must not stop because of a bot: what fails or breaks the rules is replaced by anything legal."""
        seed = secrets.randbits(63)
        if is_interpreted(view.game.source_folder) and LEVELS[level].searches:
            level = "greedy"  # as plain Python a search would look at too few matches, too slowly
        hurried = milliseconds < LEVELS[level].milliseconds
        try:
            player = self._bot_factory(level, seed, milliseconds) if hurried else self._bot_factory(level, seed)
            choice = player.choose(view)
            if choice in view.legal:
                return choice
            logger.error("a %s bot chose %s in %s, which is not legal", level, choice, view.game.name)
        except Exception:
            logger.exception("a %s bot failed in %s", level, view.game.name)
        return secrets.choice(view.legal)


def budget(waiting: int, makers: int, workers: int = 1, *, most: int) -> int:
    """Milliseconds, up to `most`, for a thought of a maker for whom so many wait, where so many makers take turns."""
    share = workers * THREADS / makers
    return min(most, max(SHORTEST_BUDGET, int(LONGEST_WAIT * share / waiting)))


def _settle(thought: _Thought, settle: Callable[[], None]) -> None:
    if not thought.loop.is_closed():
        thought.loop.call_soon_threadsafe(lambda: None if thought.answer.done() else settle())
