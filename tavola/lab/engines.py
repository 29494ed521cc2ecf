"""The engines that do chunks of work: this process, a pool of processes, Ray. Nobody above knows which.

A run is work cut into numbered chunks. The result of a chunk depends on its number alone, so an engine may do chunks
anywhere, in any order, and again when the process that was at it died. Results come as they are ready; a caller that
needs them in order puts them in order.
"""

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from itertools import islice
from threading import Thread
from typing import Protocol, TypeVar

from tavola.core import Refusal
from tavola.core.compilation import count_processors

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Handle = TypeVar("Handle")
ENGINES = "process, pool, ray or ray://HOST:PORT"
LOSSES = 4
"""The times that the process at a chunk may die before the run is given up."""
FORKED_FROM = ["__main__", "tavola.lab", "tavola.bots", "tavola.games", "tavola.forked"]
"""What the process has imported from which the workers of a pool are forked."""
CHUNKS_PER_WORKER = 2
"""Chunks that are handed out for each worker: one that it is at and one that waits for it."""


class NoEngine(Refusal):
    """An engine that does not exist, cannot be reached, or plays by other rules."""


class EngineLost(Refusal):
    """An engine that has ended in the middle of a run."""


class WorkersLost(Refusal):
    """The processes that were at a chunk died, again and again."""


class Work(Protocol[T_co]):
    """The work to be done: it is pickled, and equal everywhere."""

    def warm(self) -> str:
        """Have everything compiled that a chunk needs, once a machine; return the hash of the sources, one word."""
        ...

    def __call__(self, chunk: int, /) -> T_co:
        """Do one chunk: the same result for the same number, wherever and whenever it is done."""
        ...


class Engine(Protocol):
    """Somebody who does chunks."""

    def run(self, work: Work[T], chunks: Iterable[int]) -> Iterator[tuple[int, T]]:
        """Yield each chunk with its result, in any order; no more of `chunks` is asked for than can be begun.

        A caller that has enough closes the iterator. `WorkersLost` when a chunk cannot be done.
        """
        ...


def engine(on: str | None = None, workers: int | None = None) -> Engine:
    """Return the engine of a name, `process`, `pool`, `ray` or a cluster's address; a pool unless told.

    `workers`: how many at once, one a core unless told; a single one that nobody placed elsewhere is this process.
    `NoEngine` if there is none of that name.
    """
    if on is None:
        return InProcessEngine() if workers == 1 else PoolEngine(workers)
    if on == "process":
        return InProcessEngine()
    if on == "pool":
        return PoolEngine(workers)
    if on == "ray" or on.startswith("ray://"):
        from tavola.lab.ray_engine import RayEngine

        return RayEngine(on if on != "ray" else None, workers)
    raise NoEngine(f"engine {on[:60]!r}: expected {ENGINES}")


class InProcessEngine:
    """Here, one chunk after another."""

    def run(self, work: Work[T], chunks: Iterable[int]) -> Iterator[tuple[int, T]]:
        """Yield the chunks in order."""
        work.warm()
        for chunk in chunks:
            yield chunk, work(chunk)


class PoolEngine:
    """A pool of processes on this machine, one a core unless told."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or count_processors()

    def run(self, work: Work[T], chunks: Iterable[int]) -> Iterator[tuple[int, T]]:
        """Yield the chunks as they are ready; those of a pool of which a process died are done again, each alone."""
        work.warm()
        with closing(_RestartingPool(self.workers)) as executor:
            submit: Callable[[int], Future[T]] = partial(executor.submit, work)
            most = CHUNKS_PER_WORKER * self.workers
            with closing(hand_out(submit, _wait_ready, _cancel, iter(chunks), most)) as handed:
                for chunk, future in handed:
                    yield chunk, _result(work, chunk, future)


def _result(work: Work[T], chunk: int, future: "Future[T]") -> T:
    try:
        return future.result()
    except BrokenProcessPool:
        return _do_alone(work, chunk)


def _do_alone(work: Work[T], chunk: int) -> T:
    """Do a chunk in a process of its own: a pool that broke does not tell which of its chunks was the death of it."""
    for _ in range(LOSSES - 1):
        with contextlib.suppress(BrokenProcessPool), _new_pool(1) as pool:
            return pool.submit(work, chunk).result()
    raise workers_lost(chunk)


def workers_lost(chunk: int) -> WorkersLost:
    """Return the refusal to try a chunk once more."""
    return WorkersLost(f"chunk {chunk}: expected a process that lives, {LOSSES} died (too little memory?)")


def hand_out(
    submit: Callable[[int], Handle],
    ready: Callable[[list[Handle]], Iterable[Handle]],
    drop: Callable[[list[Handle]], object],
    chunks: Iterator[int],
    most: int,
) -> Generator[tuple[int, Handle]]:
    """Hand out at most so many chunks at a time; each with its handle when that is ready.

    At the end `drop` is given those that nobody waits for any more.
    """
    running: dict[Handle, int] = {}
    try:
        while True:
            for chunk in islice(chunks, most - len(running)):
                running[submit(chunk)] = chunk
            if not running:
                return
            for handle in ready(list(running)):
                yield running.pop(handle), handle
    finally:
        drop(list(running))


def _wait_ready(futures: list["Future[T]"]) -> Iterable["Future[T]"]:
    return wait(futures, return_when=FIRST_COMPLETED).done


def _cancel(futures: list["Future[T]"]) -> None:
    for future in futures:
        future.cancel()


class _RestartingPool:
    """A pool that is made anew when one of its processes has died, since all of it is broken then."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = _new_pool(workers)

    def submit(self, work: Work[T], chunk: int) -> "Future[T]":
        try:
            return self._pool.submit(work, chunk)
        except BrokenProcessPool:
            self._pool.shutdown()
            self._pool = _new_pool(self._workers)
            return self._pool.submit(work, chunk)

    def close(self) -> None:
        """Wait for the work under way."""
        self._pool.shutdown()


def _new_pool(workers: int) -> ProcessPoolExecutor:
    """Return a pool of processes that are forked from one that has imported what all need, and done nothing yet."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(FORKED_FROM)
    return ProcessPoolExecutor(workers, context, _initialize_worker)


def _initialize_worker() -> None:
    """Let Ctrl-C end a worker without a word, and end it when the process that hands out chunks has died."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
