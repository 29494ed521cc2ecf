"""What a request costs: milliseconds of a processor, charged afterwards to the network that asked.

Requests are not alike: a cached page costs a fifth of a millisecond, a chronicle a hundred. So nobody counts them. What
is worked out for somebody is measured, in the event loop step by step and in the processes beside it, and taken out of
what flows to his network; when nothing is left he is refused before anything is worked out.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Coroutine, Generator, Iterator
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

from cachetools import LRUCache

REQUEST_COST = 0.2
"""Milliseconds of every request that nobody can measure from inside: reading it, and writing the answer."""
PACED_FROM = 30.0
"""Milliseconds that an address has had and that have not flowed back, or is about to have, from which on it has but a
part of the loop: nobody waits longer for all that somebody asks at once."""
FILES_PACED_FROM = 200.0
"""The same for what everybody gets alike: a first page asks for dozens of such files, which cost next to nothing."""
PART = 5
"""One in so many milliseconds is that part."""
LEAST_OUTSTANDING = 5.0
"""What has begun counts at least so many: of many cheap things at once most begin one after another, too."""
MOST_BOOKED = 20.0
"""So much of the usual cost counts: the first pages of a server that has just begun are dear, and bar nobody."""
LONGEST_PACE = 4.0
"""Seconds that something asked waits for its turn; beyond that it is refused."""
MOST_PACED = 20_000
PAUSE = 0.05
"""Seconds between two looks whether somebody may go on for whom too much has been worked out."""
T = TypeVar("T")


class Account(Protocol):
    """Something to which costs are charged."""

    def charge(self, key: str, amount: float) -> None:
        """Take so many milliseconds from what a key has."""

    def spent(self, key: str) -> float:
        """Milliseconds that a key has had and that have not flowed back."""

    def allows(self, key: str) -> bool:
        """True when something is left of what a key may have."""


class Meter:
    """The cost of one request or one socket, charged as it arises, to `spare` where the account has nothing left."""

    def __init__(self, network: str = "", account: Account | None = None, spare: "Meter | None" = None) -> None:
        self.network, self._account, self._spare = network, account, spare
        self.milliseconds = 0.0

    def charge(self, seconds: float) -> None:
        """So much more of a processor went into it."""
        self.milliseconds += seconds * 1000
        if self._spare is not None and not self._has_left():
            self._spare.charge(seconds)
        elif self._account is not None:
            self._account.charge(self.network, seconds * 1000)

    def allows(self) -> bool:
        """True when more may be worked out for who asks."""
        return self._has_left() or (self._spare is not None and self._spare.allows())

    def _has_left(self) -> bool:
        return self._account is None or self._account.allows(self.network)

    def owed(self) -> float:
        """Return what the network has had: who has had less comes first."""
        return self._account.spent(self.network) if self._account is not None else 0.0


class Pacer:
    """Begins what an address asks one after another, each some time after the one before: it has a part of the loop.

    So all that an address may have at once is not worked out at once, while others wait.
    """

    def __init__(self) -> None:
        self._next_at: LRUCache[str, float] = LRUCache(MOST_PACED)
        self._usual_cost: LRUCache[str, float] = LRUCache(MOST_PACED)
        self._begun = Counter[str]()  # by network the things that are being worked out

    @contextlib.contextmanager
    def working(self, network: str, meter: "Meter") -> Iterator[None]:
        """While something asked is worked out; what it has cost is noted."""
        self._begun[network] += 1
        try:
            yield
        finally:
            self._begun[network] -= 1
            if not self._begun[network]:
                del self._begun[network]
            self.note(network, meter.milliseconds)

    def outstanding(self, network: str) -> float:
        """Return the milliseconds that what has begun will cost, if it costs as usual."""
        usual = max(self._usual_cost.get(network, MOST_BOOKED), LEAST_OUTSTANDING)
        return self._begun[network] * min(usual, MOST_BOOKED)

    def book(self, network: str) -> float:
        """Return the seconds after which the next thing asked may begin; nothing else begins then."""
        now = time.monotonic()
        begins = max(now, self._next_at.get(network, now))
        if begins - now <= LONGEST_PACE:
            usual = min(self._usual_cost.get(network, REQUEST_COST), MOST_BOOKED)
            self._next_at[network] = begins + PART * usual / 1000
        return begins - now

    def note(self, network: str, milliseconds: float) -> None:
        """Something asked has cost so much."""
        usual = self._usual_cost.get(network, milliseconds)
        self._usual_cost[network] = usual + (milliseconds - usual) / 4


current_meter: ContextVar[Meter] = ContextVar("current_meter", default=Meter())  # noqa: B039 - it charges nobody
"""The meter of the request that is being answered."""


async def give_way() -> None:
    """Let others have their turn; whoever has had all that flows to him waits until there is something again."""
    meter = current_meter.get()
    await asyncio.sleep(0)
    while not meter.allows():  # noqa: ASYNC110 - time alone refills it
        await asyncio.sleep(PAUSE)


class Metered:
    """A coroutine of which every step in the event loop is charged."""

    def __init__(self, work: Coroutine[Any, Any, T], meter: Meter) -> None:
        self._work, self._meter = work, meter

    def __await__(self) -> Generator[Any, Any, Any]:
        steps, thrown = self._work.__await__(), None
        while True:
            began = time.thread_time()
            try:
                awaited = next(steps) if thrown is None else self._work.throw(thrown)
            except StopIteration as end:
                return end.value
            finally:
                self._meter.charge(time.thread_time() - began)
            thrown = None
            try:
                yield awaited
            except BaseException as error:  # a cancellation, too, is the coroutine's to hear of
                thrown = error


async def metered(work: Coroutine[Any, Any, T], meter: Meter) -> T:
    """The same for a task of its own."""
    return await Metered(work, meter)  # type: ignore[no-any-return]
