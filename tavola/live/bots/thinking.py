"""Threads in which bots think, few and shared in turn by the makers of rooms, then by room: no maker delays others.

The longer a maker's queue, the shorter the thoughts in it: before a queue would last longer than a bot's pause, its
bots think for less time. Other makers affect a budget only by how many of them share the threads.

Several workers have more threads together, and announce the length of their queues twice a second. A maker whose rooms
are spread over workers therefore has the same time as one whose rooms are together, with a delay of half a second.
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
from tavola.metrics import THOUGHTS

THREADS = 2
LONGEST_WAIT = 500.0
"""Milliseconds in which the whole queue of one maker should be finished."""
SHORTEST_BUDGET = 3
"""Minimum milliseconds for a bot that searches."""
BRISK_BUDGET = 8
"""Maximum milliseconds for a bot in a match that is played straight to its end, the same for all its seats."""

MOST_NEWS = 100
"""Maximum makers in an announcement, those with the longest queues."""
NEWS_VALID = 2.0
"""Seconds for which an announcement of another worker is valid."""

T = TypeVar("T")
BotFactory = Callable[..., Bot]
"""`bots(level, seed)` makes a bot; `bots("search", seed, milliseconds)` one with that budget."""
logger = logging.getLogger(__name__)


class _Thought(NamedTuple):
    work: Callable[[int], Any]  # called with its budget in milliseconds
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
        """The number of workers, each with as many threads."""
        self._queues: OrderedDict[str, OrderedDict[str, deque[_Thought]]] = OrderedDict()
        self._elsewhere: dict[str, tuple[float, dict[str, int]]] = {}  # by worker: time, and thoughts by maker
        self._had_waiting = False

    def news(self) -> dict[str, Any]:
        """Return the queue lengths by maker, for other workers; empty if they were also 0 before."""
        with self._lock:
            waiting = Counter({maker: sum(map(len, rooms.values())) for maker, rooms in self._queues.items()})
        told, self._had_waiting = self._had_waiting, bool(waiting)
        return {"waiting": dict(waiting.most_common(MOST_NEWS))} if waiting or told else {}

    def receive(self, worker: str, told: dict[str, Any]) -> None:
        """Store the announcement of another worker."""
        self._elsewhere[worker] = time.monotonic(), told["waiting"]

    def _waiting_elsewhere(self) -> Counter[str]:
        since = time.monotonic() - NEWS_VALID
        waiting = Counter[str]()
        for at, makers in self._elsewhere.values():
            if at > since:
                waiting.update(makers)
        return waiting

    async def think(self, maker: str, room_id: str, level: str, view: View, most: int | None = None) -> int:
        """Return the choice of a bot, on a maker's share; in `most` milliseconds, by default those of its level."""
        most = LEVELS[level].milliseconds if most is None else most
        return await self.work(maker, room_id, partial(self._choose, level, view), most)

    async def work(self, maker: str, room_id: str, work: Callable[[int], T], most: int) -> T:
        """Run `work(milliseconds)` in a thread when it is the turn of the maker and the room; return its result."""
        loop = asyncio.get_running_loop()
        thought = _Thought(work, loop, loop.create_future(), most)
        with self._lock:
            self._queues.setdefault(maker, OrderedDict()).setdefault(room_id, deque()).append(thought)
        THOUGHTS.inc()
        self._pool.submit(self._work)
        answer: T = await thought.answer
        return answer

    def close(self) -> None:
        """End the threads and drop the queue."""
        self._pool.shutdown(cancel_futures=True)

    def _work(self) -> None:
        thought, milliseconds = self._next()
        THOUGHTS.dec()
        if thought.answer.cancelled():
            return
        try:
            found = thought.work(milliseconds)
        except Exception as fault:
            logger.exception("a bot's computation failed")
            _settle(thought, partial(thought.answer.set_exception, fault))
        else:
            _settle(thought, partial(thought.answer.set_result, found))

    def _next(self) -> tuple[_Thought, int]:
        """Return the next thought in turn and its budget in milliseconds; called once for each queued thought."""
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
        """Return a bot's choice; a failed or illegal one is replaced by a random legal action, so the match goes on."""
        seed = secrets.randbits(63)
        if is_interpreted(view.game.source_folder) and LEVELS[level].searches:
            level = "greedy"  # a search in plain Python is too slow to be useful
        hurried = milliseconds < LEVELS[level].milliseconds
        try:
            player = self._bot_factory(level, seed, milliseconds) if hurried else self._bot_factory(level, seed)
            choice = player.choose(view)
            if choice in view.legal:
                return choice
            logger.error("a %s bot chose the illegal action %s in %s", level, choice, view.game.name)
        except Exception:
            logger.exception("a %s bot failed in %s", level, view.game.name)
        return secrets.choice(view.legal)


def budget(waiting: int, makers: int, workers: int = 1, *, most: int) -> int:
    """Return the milliseconds, up to `most`, for a thought of one of `makers` makers, with `waiting` in its queue."""
    return min(most, max(SHORTEST_BUDGET, int(LONGEST_WAIT * (workers * THREADS / makers) / waiting)))


def _settle(thought: _Thought, settle: Callable[[], None]) -> None:
    if not thought.loop.is_closed():
        thought.loop.call_soon_threadsafe(lambda: None if thought.answer.done() else settle())
