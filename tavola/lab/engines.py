"""Engines that run chunks of work: this process, a pool of processes, or Ray, behind one interface."""

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from typing import TypeVar

from tavola.core.compilation import count_processors
from tavola.lab.work import CHUNKS_PER_WORKER, LOSSES, Engine, NoEngine, Work, hand_out, workers_lost

T = TypeVar("T")
ENGINES = "process, pool, ray or ray://HOST:PORT"
FORKED_FROM = ["__main__", "tavola.lab", "tavola.bots", "tavola.games", "tavola.forked"]
"""Modules preloaded into the process from which the workers of a pool are forked."""


def engine(on: str | None = None, workers: int | None = None) -> Engine:
    """Return the engine named `process`, `pool`, `ray` or by a cluster's address; a pool by default.

    `workers`: number of parallel workers, by default one per core; without a name, 1 selects this process. Raise
    `NoEngine` for an unknown name.
    """
    if on == "process" or (on is None and workers == 1):
        return InProcessEngine()
    if on is None or on == "pool":
        return PoolEngine(workers)
    if on == "ray" or on.startswith("ray://"):
        from tavola.lab.ray_engine import RayEngine

        return RayEngine(on if on != "ray" else None, workers)
    raise NoEngine(f"engine {on[:60]!r}: expected {ENGINES}")


class InProcessEngine:
    """Runs chunks in this process, one after another."""

    def run(self, work: Work[T], chunks: Iterable[int]) -> Iterator[tuple[int, T]]:
        """Yield the chunks in order."""
        work.warm()
        for chunk in chunks:
            yield chunk, work(chunk)


class PoolEngine:
    """A pool of processes on this machine, by default one per core."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or count_processors()

    def run(self, work: Work[T], chunks: Iterable[int]) -> Iterator[tuple[int, T]]:
        """Yield the chunks as they are ready; after the death of a process, its pool's chunks are repeated singly."""
        work.warm()
        with closing(_RestartingPool(self.workers)) as executor:
            submit: Callable[[int], Future[T]] = partial(executor.submit, work)
            most = CHUNKS_PER_WORKER * self.workers
            with closing(hand_out(submit, _wait_ready, _cancel, iter(chunks), most)) as handed:
                for chunk, future in handed:
                    try:
                        result = future.result()
                    except BrokenProcessPool:
                        result = _do_alone(work, chunk)
                    yield chunk, result


def _do_alone(work: Work[T], chunk: int) -> T:
    """Run a chunk in its own process: a broken pool does not reveal which chunk caused it."""
    for _ in range(LOSSES - 1):
        with contextlib.suppress(BrokenProcessPool), _new_pool(1) as pool:
            return pool.submit(work, chunk).result()
    raise workers_lost(chunk)


def _wait_ready(futures: list["Future[T]"]) -> Iterable["Future[T]"]:
    return wait(futures, return_when=FIRST_COMPLETED).done


def _cancel(futures: list["Future[T]"]) -> None:
    for future in futures:
        future.cancel()


class _RestartingPool:
    """A pool that is replaced after one of its processes has died, which breaks all of it."""

    def __init__(self, workers: int) -> None:
        self._workers, self._pool = workers, _new_pool(workers)

    def submit(self, work: Work[T], chunk: int) -> "Future[T]":
        try:
            return self._pool.submit(work, chunk)
        except BrokenProcessPool:
            self._pool.shutdown()
            self._pool = _new_pool(self._workers)
            return self._pool.submit(work, chunk)

    def close(self) -> None:
        """Wait for running work."""
        self._pool.shutdown()


def _new_pool(workers: int) -> ProcessPoolExecutor:
    """Return a pool of processes forked from one that has imported what all need, and run nothing yet."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(FORKED_FROM)
    return ProcessPoolExecutor(workers, context, _initialize_worker)


def _initialize_worker() -> None:
    """End a worker silently on Ctrl-C, and when its parent process has died."""
    from tavola.forked import end_with_parent  # already loaded here

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_with_parent()
