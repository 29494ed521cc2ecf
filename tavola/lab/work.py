"""Work for an engine: numbered chunks, the protocol of engines, and what can go wrong with them.

A run is work cut into numbered chunks. A chunk's result depends only on its number, so an engine may run chunks
anywhere, in any order, and again if a process died. Results arrive as they are ready; a caller that needs an order
sorts them.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from typing import Protocol, TypeVar

from tavola.core import Refusal

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Handle = TypeVar("Handle")
LOSSES = 4
"""Maximum deaths of a process at one chunk before the run is aborted."""
CHUNKS_PER_WORKER = 2
"""Chunks handed out per worker: one running and one queued."""


class NoEngine(Refusal):
    """An engine that does not exist, cannot be reached, or has other rules."""


class EngineLost(Refusal):
    """An engine that ended during a run."""


class WorkersLost(Refusal):
    """The processes running a chunk died repeatedly."""


class Work(Protocol[T_co]):
    """Work to be done: picklable, and equal everywhere."""

    def warm(self) -> str:
        """Compile everything that a chunk needs, once per machine; return the hash of the sources, one word."""

    def __call__(self, chunk: int, /) -> T_co:
        """Run one chunk; the same number always has the same result."""


class Engine(Protocol):
    """A runner of chunks."""

    def run(self, work: Work[T], chunks: Iterable[int]) -> Iterator[tuple[int, T]]:
        """Yield each chunk with its result, in any order; take from `chunks` only as many as can be started.

        A caller that has enough closes the iterator. Raise `WorkersLost` if a chunk cannot be completed.
        """


def workers_lost(chunk: int) -> WorkersLost:
    """Return the error for a chunk whose processes died repeatedly."""
    return WorkersLost(f"chunk {chunk}: expected a process that completes it, {LOSSES} died (not enough memory?)")


def hand_out(
    submit: Callable[[int], Handle],
    ready: Callable[[list[Handle]], Iterable[Handle]],
    drop: Callable[[list[Handle]], object],
    chunks: Iterator[int],
    most: int,
) -> Generator[tuple[int, Handle]]:
    """Submit chunks, at most `most` at a time; yield each with its handle when that is ready.

    At the end `drop` gets the handles that are not needed any more.
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
