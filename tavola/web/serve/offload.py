"""Work that would block the event loop, in processes of its own: done once for all requests, and kept as bytes.

A page of a replay, a record or an import takes many milliseconds. The processes yield to the server. Each lane is one
process: work on the same match always uses the same lane, which caches the match. Work for the network that has used
the least so far is done first.
"""

import asyncio
import heapq
import itertools
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar
from zlib import crc32

from cachetools import LRUCache

from tavola.web.requests.cost import current_meter
from tavola.web.requests.request_refusals import TooFast

PROCESSES = 2
"""Processes of a server that is alone; each of several workers has one, because it takes 140 MB."""
KEPT_BYTES = 64_000_000
"""Maximum bytes of finished pages that are kept."""
MOST_WAITING = 16
"""Maximum pieces of work queued for one network."""
WORK_TIMEOUT = 120.0
"""Seconds of real time after which unfinished work is abandoned, and its process ended."""
FORKED_FROM = ["tavola.web.pages.chronicle", "markdown_it", "tavola.forked"]
"""Modules that every process has loaded from its beginning."""

T = TypeVar("T")
logger = logging.getLogger(__name__)


class Lane:
    """One process and its queue. The process starts with the first work, and again after it has died."""

    def __init__(self, niceness: int = 0) -> None:
        self._niceness, self._order = niceness, itertools.count()
        self._executor: ProcessPoolExecutor | None = None
        self._gate, self._closed, self._busy = threading.Lock(), False, False
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []

    async def run(self, priority: float, work: Callable[..., T], arguments: tuple[Any, ...]) -> tuple[T, float]:
        """Return the result of the work and its seconds of CPU time. The lowest priority is done first."""
        await self._wait_for_turn(priority)
        try:
            return await self._submit(work, arguments)
        except BrokenProcessPool:
            logger.warning("a background process died: starting another one")
            self._end()
            return await self._submit(work, arguments)
        finally:
            self._next_turn()

    async def _submit(self, work: Callable[..., T], arguments: tuple[Any, ...]) -> tuple[T, float]:
        executor = self._executor or await asyncio.to_thread(self._start)
        running = asyncio.get_running_loop().run_in_executor(executor, _timed, work, arguments)
        try:
            return await asyncio.wait_for(running, WORK_TIMEOUT)
        except TimeoutError:
            logger.error("work in a background process did not finish within %s seconds", WORK_TIMEOUT)
            self._end()
            raise

    async def _wait_for_turn(self, priority: float) -> None:
        if not self._busy:
            self._busy = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (priority, next(self._order), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._next_turn()
            raise

    def _next_turn(self) -> None:
        while self._waiting:
            turn = heapq.heappop(self._waiting)[2]
            if not turn.done():
                turn.set_result(None)
                return
        self._busy = False

    def _start(self) -> ProcessPoolExecutor:
        """Start the process, in a thread: starting takes time and must not block the loop."""
        executor = start_process(self._niceness)
        with self._gate:
            self._executor = executor
        if self._closed:  # meanwhile
            self._end()
        return executor

    def close(self) -> None:
        """End the process, even if it is busy or just being started."""
        self._closed = True
        self._end()

    def _end(self) -> None:
        with self._gate:
            executor, self._executor = self._executor, None
        if executor is not None:
            processes = list((getattr(executor, "_processes", None) or {}).values())
            executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()


class Offload:
    """Processes beside the event loop, and the pages that they have made."""

    def __init__(self, processes: int = PROCESSES, kept_bytes: int = KEPT_BYTES, niceness: int = 0) -> None:
        self._lanes = [Lane(niceness) for _ in range(processes)]
        self._pages: LRUCache[Hashable, bytes] = LRUCache(kept_bytes, getsizeof=len)
        self._under_way: dict[Hashable, asyncio.Future[Any]] = {}
        self._waiting_for: Counter[str] = Counter()

    async def page(self, key: Hashable, about: str, work: Callable[..., bytes], *arguments: Any) -> bytes:
        """Return the page of that key, kept or made by `work`; simultaneous requests share one computation.

        `about`: a room's code or a game; work on the same one uses the same process.
        """
        kept: bytes | None = self._pages.get(key)
        return kept if kept is not None else self._keep(key, await self.once(key, about, work, *arguments))

    def made(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """Return the page of that key, kept or made by `make` in this process; for pages that are quick to make."""
        kept: bytes | None = self._pages.get(key)
        return kept if kept is not None else self._keep(key, make())

    def _keep(self, key: Hashable, page: bytes) -> bytes:
        if len(page) <= self._pages.maxsize:
            self._pages[key] = page
        return page

    async def once(self, key: Hashable, about: str, work: Callable[..., T], *arguments: Any) -> T:
        """Return what `work` returns; simultaneous requests with the same key share one computation."""
        if (running := self._under_way.get(key)) is None:
            running = self._under_way[key] = asyncio.ensure_future(self.run(about, work, *arguments))
            running.add_done_callback(lambda done: self._finish(key, done))
        result: T = await asyncio.shield(running)
        return result

    async def run(self, about: str, work: Callable[..., T], *arguments: Any) -> T:
        """Return what `work` returns in another process, charged to this request; `TooFast` if too much is queued."""
        meter = current_meter.get()
        if self._waiting_for[meter.network] >= MOST_WAITING:
            raise TooFast
        self._waiting_for[meter.network] += 1
        try:
            lane = self._lanes[crc32(about.encode()) % len(self._lanes)]
            result, seconds = await lane.run(meter.owed(), work, arguments)
        finally:
            self._waiting_for[meter.network] -= 1
            if not self._waiting_for[meter.network]:
                del self._waiting_for[meter.network]
        meter.charge(seconds)
        return result

    async def warm_up(self, work: Callable[..., None], *arguments: Any) -> None:
        """Start every process, and do `work` in each of them."""
        await asyncio.gather(*(lane.run(0.0, work, arguments) for lane in self._lanes))

    def close(self) -> None:
        for lane in self._lanes:
            lane.close()

    def _finish(self, key: Hashable, done: asyncio.Future[Any]) -> None:
        self._under_way.pop(key, None)
        if not done.cancelled():
            done.exception()  # marks it as retrieved: all who requested it may be gone


def start_process(niceness: int = 0) -> ProcessPoolExecutor:
    """Return an executor with one process that yields to others by `niceness` and inherits nothing of the server."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(FORKED_FROM)
    executor = ProcessPoolExecutor(1, context, _begin, (niceness,))
    executor.submit(os.getpid)  # starts it
    return executor


def _begin(niceness: int) -> None:
    """Lower the priority, leave interrupts to the server, and end when it does."""
    from tavola.forked import end_with_parent  # already loaded here, and never in the server

    os.setpriority(os.PRIO_PROCESS, 0, max(niceness, os.getpriority(os.PRIO_PROCESS, 0)))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def _timed(work: Callable[..., T], arguments: tuple[Any, ...]) -> tuple[T, float]:
    began = time.process_time()
    result = work(*arguments)
    return result, time.process_time() - began
