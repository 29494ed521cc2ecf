"""Rate limits and counts of visitors, summed over all workers.

Each worker decides on its own, and reports to the others twice a second what it has granted and counted. A visitor who
uses all N workers within half a second may get N times the contents of a bucket. The excess becomes a debt, so over
time they get only what one worker would grant. A lost report of granted tokens is not repeated.
"""

import time
from collections import Counter
from collections.abc import Hashable
from typing import Any

from cachetools import FIFOCache

from tavola.live.cluster.peers import Peers
from tavola.web.requests.limits import Limits, RateLimiter

MOST_TOLD = 500
"""Maximum keys of each kind in one report, those with the largest numbers; the others follow half a second later."""
NEWS_VALID = 5.0
"""Seconds for which the counts of another worker are valid."""
TELL_ALL_INTERVAL = 2.0
"""Seconds after which all counts are reported again."""


class Gauge:
    """A count for each key, on this worker and on the others."""

    def __init__(self) -> None:
        self.local: Counter[str] = Counter()
        # Number and time of the report, by key and worker.
        self._remote: FIFOCache[str, dict[str, tuple[int, float]]] = FIFOCache(RateLimiter.MOST_KEYS)
        self.changed_keys: set[str] | None = None
        """Keys to report; None without other workers."""
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
        """Return the counts that have changed, and now and then all of them."""
        now = time.monotonic()
        assert self.changed_keys is not None
        if now - self._told_at > TELL_ALL_INTERVAL:
            self._told_at = now
            self.changed_keys |= self.local.keys()
        keys = sorted(self.changed_keys, key=self.local.__getitem__, reverse=True)[:MOST_TOLD]
        self.changed_keys.difference_update(keys)
        return {key: self.local[key] for key in keys}

    def receive(self, worker: str, key: str, number: int) -> None:
        """Store the count of another worker."""
        told = self._remote.setdefault(key, {})
        told[worker] = number, time.monotonic()
        if not number:
            del told[worker]
        if not told:
            del self._remote[key]


class Counters:
    """The rate limits and counts of one worker, by name."""

    def __init__(self) -> None:
        self._limiters: dict[str, RateLimiter] = {}
        self._gauges: dict[str, Gauge] = {}

    def limiter(self, name: str, limits: Limits) -> RateLimiter:
        """Return a new rate limiter for the limit of that name."""
        self._limiters[name] = RateLimiter(getattr(limits, name), name)
        return self._limiters[name]

    def named_limiter(self, name: str) -> RateLimiter:
        """Return the rate limiter of that name; raise `KeyError` if there is none."""
        return self._limiters[name]

    def gauge(self, name: str) -> Gauge:
        return self._gauges.setdefault(name, Gauge())

    def join(self, circle: Peers) -> None:
        """Exchange reports with the other workers from now on."""
        for rate in self._limiters.values():
            rate.unreported = Counter()
        for numbers in self._gauges.values():
            numbers.changed_keys = set()
        circle.add_topic("tally", self.take_news, self.receive)

    def take_news(self) -> dict[str, Any]:
        """Return what has happened since the last report, by kind and key."""
        news = {f"{name} {key}": number for name, rate in self._limiters.items() for key, number in take_untold(rate)}
        for name, numbers in self._gauges.items():
            news |= {f"{name} {key}": number for key, number in numbers.take_news().items()}
        return news

    def receive(self, worker: str, told: dict[str, Any]) -> None:
        """Add what another worker has granted and counted."""
        for what, number in told.items():
            name, _, key = what.partition(" ")
            if name in self._limiters:
                self._limiters[name].deduct(key, number)
            elif name in self._gauges:
                self._gauges[name].receive(worker, key, number)


def take_untold(rate: RateLimiter) -> list[tuple[Hashable, int]]:
    """Return what was granted since the last report, for at most `MOST_TOLD` keys."""
    assert rate.unreported is not None
    most = rate.unreported.most_common(MOST_TOLD)
    for key, _ in most:
        del rate.unreported[key]
    return [(key, number) for key, number in most if number]
