"""What is counted of visitors, summed over all workers: a limit is a limit wherever somebody's requests arrive.

Each worker decides by itself and tells the others, twice a second, what it has given and whom it has connected. So
somebody who asks all of N workers within half a second may get N times what lies in a bucket at once; what was too much
he owes, and over a longer time he gets no more than one worker would give him. A telling that is lost is not made good.
"""

import time
from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from tavola.web.door.limits import RateLimiter

if TYPE_CHECKING:
    from tavola.live.cluster.peers import Peers

MOST_TOLD = 500
"""Keys told at once of each kind, those of which there is most; the others have their turn half a second later."""
NEWS_VALID = 5.0
"""Seconds for which it is believed whom another worker has connected."""
TELL_ALL_INTERVAL = 2.0
"""Seconds after which that is told again."""


class Gauge:
    """The number of each key, here and elsewhere."""

    def __init__(self) -> None:
        self.local: Counter[str] = Counter()
        self._remote: dict[str, dict[str, tuple[int, float]]] = {}  # by key and worker: how many, and when told
        self.changed_keys: set[str] | None = None
        """The keys to be told of, where there is anybody to tell."""
        self._told_at = 0.0

    def __getitem__(self, key: str) -> int:
        since = time.monotonic() - NEWS_VALID
        told = self._remote.get(key)
        return self.local[key] + (sum(number for number, at in told.values() if at > since) if told else 0)

    def add(self, key: str) -> None:
        self.local[key] += 1
        self._note(key)

    def drop(self, key: str) -> None:
        self.local[key] -= 1
        self._note(key)
        if not self.local[key]:
            del self.local[key]

    def _note(self, key: str) -> None:
        if self.changed_keys is not None:
            self.changed_keys.add(key)

    def take_news(self) -> dict[str, int]:
        """Return what has changed; all of it now and then."""
        now = time.monotonic()
        assert self.changed_keys is not None
        if now - self._told_at > TELL_ALL_INTERVAL:
            self._told_at = now
            self.changed_keys |= self.local.keys()
        keys = sorted(self.changed_keys, key=self.local.__getitem__, reverse=True)[:MOST_TOLD]
        self.changed_keys.difference_update(keys)
        return {key: self.local[key] for key in keys}

    def receive(self, worker: str, key: str, number: int) -> None:
        """Note the numbers of another worker."""
        told = self._remote.setdefault(key, {})
        told[worker] = number, time.monotonic()
        if not number:
            del told[worker]
        if not told:
            del self._remote[key]
        elif len(self._remote) > RateLimiter.MOST_KEYS:
            del self._remote[next(iter(self._remote))]


class Counters:
    """All that is counted on one worker, by name."""

    def __init__(self) -> None:
        self._limiters: dict[str, RateLimiter] = {}
        self._gauges: dict[str, Gauge] = {}

    def limiter(self, name: str, allowed: tuple[float, int]) -> RateLimiter:
        self._limiters[name] = RateLimiter(allowed)
        return self._limiters[name]

    def named_limiter(self, name: str) -> RateLimiter:
        """Return the rate that is counted under a name; `KeyError` where there is none."""
        return self._limiters[name]

    def gauge(self, name: str) -> Gauge:
        return self._gauges.setdefault(name, Gauge())

    def join(self, circle: "Peers") -> None:
        """There are other workers: tell them, and hear them."""
        for rate in self._limiters.values():
            rate.untold = Counter()
        for numbers in self._gauges.values():
            numbers.changed_keys = set()
        circle.add_topic("tally", self.take_news, self.receive)

    def take_news(self) -> dict[str, Any]:
        """Return what has happened since it was told last, by kind and key."""
        news = {f"{name} {key}": number for name, rate in self._limiters.items() for key, number in take_untold(rate)}
        for name, numbers in self._gauges.items():
            news |= {f"{name} {key}": number for key, number in numbers.take_news().items()}
        return news

    def receive(self, worker: str, told: dict[str, Any]) -> None:
        """Add what has happened at another worker."""
        for what, number in told.items():
            name, _, key = what.partition(" ")
            if name in self._limiters:
                self._limiters[name].deduct(key, number)
            elif name in self._gauges:
                self._gauges[name].receive(worker, key, number)


def take_untold(rate: RateLimiter) -> list[tuple[Hashable, int]]:
    """Return what was given since this was asked last, as much as may be told at once."""
    assert rate.untold is not None
    most = rate.untold.most_common(MOST_TOLD)
    for key, _ in most:
        del rate.untold[key]
    return [(key, number) for key, number in most if number]
