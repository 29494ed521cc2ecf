"""CPU cost of requests in milliseconds, charged afterwards to the network that sent them.

Requests differ too much to be counted: a cached page takes 0.2 ms, a chronicle 100 ms. So the CPU time of each one is
measured, step by step in the event loop and in the processes beside it. It is deducted from the allowance of the
network, which refills over time. A network with nothing left is refused before any work is done.
"""

import asyncio
import contextlib
import time
import types
from collections import Counter
from collections.abc import Coroutine, Generator, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

from cachetools import LRUCache

from tavola.web.requests.limits import RateLimiter

REQUEST_COST = 0.2
"""Milliseconds charged for every request: reading it and writing the answer cannot be measured from inside."""
PACED_FROM = 30.0
"""Spent and outstanding milliseconds of a network from which its requests are paced, so that others do not wait."""
FILES_PACED_FROM = 200.0
"""`PACED_FROM` for shared files: a first page requests dozens of them, and they cost next to nothing."""
PART = 5
"""A paced network gets one of every `PART` milliseconds of the event loop."""
LEAST_OUTSTANDING = 5.0
"""Minimum estimate for a request under way, in milliseconds: many cheap ones at once are paced too."""
MOST_BOOKED = 20.0
"""Maximum estimate for a request, in milliseconds: the first pages of a new server are slow and must not block."""
LONGEST_PACE = 4.0
"""Maximum seconds by which a request is delayed; beyond that it is refused."""
MOST_PACED = 20_000
PAUSE = 0.05
"""Seconds between two checks whether a network that has used up its allowance may continue."""
T = TypeVar("T")


class Meter:
    """The cost of one request or socket, charged as it arises; charged to `spare` if the account has nothing left."""

    def __init__(self, network: str = "", account: RateLimiter | None = None, spare: "Meter | None" = None) -> None:
        self.network, self._account, self._spare = network, account, spare
        self.milliseconds = 0.0

    def charge(self, seconds: float) -> None:
        """Add `seconds` of CPU time."""
        self.milliseconds += seconds * 1000
        if self._spare is not None and not self._has_left():
            self._spare.charge(seconds)
        elif self._account is not None:
            self._account.charge(self.network, seconds * 1000)

    def allows(self) -> bool:
        """Return whether more work may be done for the visitor."""
        return self._has_left() or (self._spare is not None and self._spare.allows())

    def _has_left(self) -> bool:
        return self._account is None or self._account.allows(self.network)

    def owed(self) -> float:
        """Return the milliseconds that the network has spent; networks that have spent less are served first."""
        return self._account.spent(self.network) if self._account is not None else 0.0


class Pacer:
    """Delays the requests of a network one after another, so that it gets only a part of the event loop."""

    def __init__(self) -> None:
        self._next_at: LRUCache[str, float] = LRUCache(MOST_PACED)
        self._usual_cost: LRUCache[str, float] = LRUCache(MOST_PACED)
        self._begun = Counter[str]()  # requests under way, by network

    @contextlib.contextmanager
    def working(self, network: str, meter: "Meter") -> Iterator[None]:
        """Count a request as under way, and note its cost at the end."""
        self._begun[network] += 1
        try:
            yield
        finally:
            self._begun[network] -= 1
            if not self._begun[network]:
                del self._begun[network]
            self.note(network, meter.milliseconds)

    def outstanding(self, network: str) -> float:
        """Return the estimated milliseconds of the requests that are under way."""
        usual = max(self._usual_cost.get(network, MOST_BOOKED), LEAST_OUTSTANDING)
        return self._begun[network] * min(usual, MOST_BOOKED)

    def book(self, network: str) -> float:
        """Return the seconds after which the next request may begin; reserve them up to `LONGEST_PACE`."""
        now = time.monotonic()
        begins = max(now, self._next_at.get(network, now))
        if begins - now <= LONGEST_PACE:
            usual = min(self._usual_cost.get(network, REQUEST_COST), MOST_BOOKED)
            self._next_at[network] = begins + PART * usual / 1000
        return begins - now

    def note(self, network: str, milliseconds: float) -> None:
        """Update the usual cost of a request of this network, a moving average."""
        usual = self._usual_cost.get(network, milliseconds)
        self._usual_cost[network] = usual + (milliseconds - usual) / 4


current_meter: ContextVar[Meter] = ContextVar("current_meter", default=Meter())  # noqa: B039 - it charges nobody
"""The meter of the current request."""


async def give_way() -> None:
    """Yield to other tasks; if the network has used up its allowance, wait until some of it is refilled."""
    meter = current_meter.get()
    await asyncio.sleep(0)
    while not meter.allows():  # noqa: ASYNC110 - time alone refills it
        await asyncio.sleep(PAUSE)


async def metered(work: Coroutine[Any, Any, T], meter: Meter) -> T:
    """Await `work`, every step of which in the event loop is charged to `meter`."""
    return await _charged(work, meter)  # type: ignore[no-any-return]


@types.coroutine
def _charged(work: Coroutine[Any, Any, T], meter: Meter) -> Generator[Any, Any, Any]:
    steps, thrown = work.__await__(), None
    while True:
        began = time.thread_time()
        try:
            awaited = next(steps) if thrown is None else work.throw(thrown)
        except StopIteration as end:
            return end.value
        finally:
            meter.charge(time.thread_time() - began)
        thrown = None
        try:
            yield awaited
        except BaseException as error:  # the coroutine must see cancellations too
            thrown = error
