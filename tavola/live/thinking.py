"""Where bots think: in a few threads, in turn by who made the rooms, then by room, so that nobody's many delay anybody.

Whoever makes others wait most is given the shortest thoughts: before a queue would last longer than a bot's pause, the
bots in it think less long. Nobody's budget depends on another's rooms but through how many share the threads.
"""

import asyncio
import logging
import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from tavola.bots import Bot
from tavola.bots.levels import DEFAULT_MILLISECONDS
from tavola.core import View

THREADS = 2
BEARABLE = 500.0
"""Milliseconds in which all that waits for one maker's rooms should have been thought."""
LEAST = 3
"""Milliseconds that a bot that looks ahead has at least."""

Bots = Callable[..., Bot]
"""`bots(level, seed)` makes a bot; `bots("search", seed, milliseconds)` one that thinks so long."""
log = logging.getLogger(__name__)


class _Thought(NamedTuple):
    level: str
    view: View
    loop: asyncio.AbstractEventLoop
    answer: "asyncio.Future[int]"


class Thinkers:
    """The threads, and the queue before them."""

    def __init__(self, bots: Bots) -> None:
        self._bots = bots
        self._pool = ThreadPoolExecutor(THREADS, "bot")
        self._gate = threading.Lock()
        self._makers: OrderedDict[str, OrderedDict[str, deque[_Thought]]] = OrderedDict()

    async def think(self, maker: str, room_id: str, level: str, view: View) -> int:
        """A choice of a bot of a level, for a room that somebody made."""
        loop = asyncio.get_running_loop()
        thought = _Thought(level, view, loop, loop.create_future())
        with self._gate:
            self._makers.setdefault(maker, OrderedDict()).setdefault(room_id, deque()).append(thought)
        self._pool.submit(self._work)
        return await thought.answer

    def close(self) -> None:
        """End the threads; what waits is not thought any more."""
        self._pool.shutdown(cancel_futures=True)

    def _work(self) -> None:
        """Think the next thought."""
        thought, budget = self._next()
        if thought.answer.cancelled():
            return
        number = self._choose(thought.level, thought.view, budget)
        if not thought.loop.is_closed():
            thought.loop.call_soon_threadsafe(_tell, thought.answer, number)

    def _next(self) -> tuple[_Thought, int]:
        """The next thought in turn, and how many milliseconds it may take. As often as one is put in, one is taken."""
        with self._gate:
            maker, rooms = self._makers.popitem(last=False)
            waiting = sum(map(len, rooms.values()))
            room_id, thoughts = rooms.popitem(last=False)
            thought = thoughts.popleft()
            if thoughts:
                rooms[room_id] = thoughts
            if rooms:
                self._makers[maker] = rooms
            return thought, budget(waiting, len(self._makers) + (not rooms))

    def _choose(self, level: str, view: View, milliseconds: int) -> int:
        """A match must not stop because of a bot: what fails or breaks the rules is replaced by anything legal."""
        seed = secrets.randbits(63)
        hurried = level == "search" and milliseconds < DEFAULT_MILLISECONDS
        try:
            player = self._bots(level, seed, milliseconds) if hurried else self._bots(level, seed)
            choice = player.choose(view)
            if choice in view.legal:
                return choice
            log.error("a %s bot chose %s in %s, which is not legal", level, choice, view.game.name)
        except Exception:
            log.exception("a %s bot failed in %s", level, view.game.name)
        return secrets.choice(view.legal)


def budget(waiting: int, makers: int) -> int:
    """Milliseconds for a thought of a maker for whom so many wait, where so many makers take turns."""
    share = THREADS / makers
    return max(LEAST, min(DEFAULT_MILLISECONDS, int(BEARABLE * share / waiting)))


def _tell(answer: "asyncio.Future[int]", number: int) -> None:
    if not answer.done():
        answer.set_result(number)
