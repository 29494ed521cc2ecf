"""What is counted of visitors, summed over all workers: a limit is a limit wherever somebody's requests arrive.

Each worker decides by itself and tells the others, twice a second, what it has given and whom it has connected. So
somebody who asks all of N workers within half a second may get N times what lies in a bucket at once; what was too much
he owes, and over a longer time he gets no more than one worker would give him. A telling that is lost is not made good.
"""

import time
from collections import Counter
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from tavola.web.guard import Rate

if TYPE_CHECKING:
    from tavola.live.together import Circle

MOST = 500
"""Keys told at once of each kind, those of which there is most; the others have their turn half a second later."""
HOLDS = 5.0
"""Seconds for which it is believed whom another worker has connected."""
EVERY = 2.0
"""Seconds after which that is told again."""


class Numbers:
    """How many there are of each key, here and elsewhere."""

    def __init__(self) -> None:
        self.here: Counter[str] = Counter()
        self._elsewhere: dict[str, dict[str, tuple[int, float]]] = {}  # by key and worker: how many, and when told
        self.changed: set[str] | None = None
        """The keys to be told of, where there is anybody to tell."""
        self._told_at = 0.0

    def __getitem__(self, key: str) -> int:
        since = time.monotonic() - HOLDS
        told = self._elsewhere.get(key)
        return self.here[key] + (sum(number for number, at in told.values() if at > since) if told else 0)

    def add(self, key: str) -> None:
        """One more is here."""
        self.here[key] += 1
        self._note(key)

    def drop(self, key: str) -> None:
        """One less is here."""
        self.here[key] -= 1
        self._note(key)
        if not self.here[key]:
            del self.here[key]

    def _note(self, key: str) -> None:
        if self.changed is not None:
            self.changed.add(key)

    def news(self) -> dict[str, int]:
        """What has changed; all of it now and then."""
        now = time.monotonic()
        assert self.changed is not None
        if now - self._told_at > EVERY:
            self._told_at = now
            self.changed |= self.here.keys()
        keys = sorted(self.changed, key=self.here.__getitem__, reverse=True)[:MOST]
        self.changed.difference_update(keys)
        return {key: self.here[key] for key in keys}

    def hear(self, worker: str, key: str, number: int) -> None:
        """How many another worker has."""
        told = self._elsewhere.setdefault(key, {})
        told[worker] = number, time.monotonic()
        if not number:
            del told[worker]
        if not told:
            del self._elsewhere[key]
        elif len(self._elsewhere) > Rate.MOST_KEYS:
            del self._elsewhere[next(iter(self._elsewhere))]


class Tally:
    """All that is counted on one worker, by name."""

    def __init__(self) -> None:
        self._rates: dict[str, Rate] = {}
        self._numbers: dict[str, Numbers] = {}

    def rate(self, name: str, allowed: tuple[float, int]) -> Rate:
        """A rate that counts over all workers."""
        self._rates[name] = Rate(allowed)
        return self._rates[name]

    def numbers(self, name: str) -> Numbers:
        """Numbers that count over all workers."""
        return self._numbers.setdefault(name, Numbers())

    def join(self, circle: "Circle") -> None:
        """There are other workers: tell them, and hear them."""
        for rate in self._rates.values():
            rate.taken = Counter()
        for numbers in self._numbers.values():
            numbers.changed = set()
        circle.tells("tally", self.news, self.hear)

    def news(self) -> dict[str, Any]:
        """What has happened since it was told last: by kind and key."""
        news = {f"{name} {key}": number for name, rate in self._rates.items() for key, number in given(rate)}
        for name, numbers in self._numbers.items():
            news |= {f"{name} {key}": number for key, number in numbers.news().items()}
        return news

    def hear(self, worker: str, told: dict[str, Any]) -> None:
        """What has happened at another worker."""
        for what, number in told.items():
            name, _, key = what.partition(" ")
            if name in self._rates:
                self._rates[name].spend(key, number)
            elif name in self._numbers:
                self._numbers[name].hear(worker, key, number)


def given(rate: Rate) -> list[tuple[Hashable, int]]:
    """What was given since this was asked last, as much as may be told at once."""
    assert rate.taken is not None
    most = rate.taken.most_common(MOST)
    for key, _ in most:
        del rate.taken[key]
    return [(key, number) for key, number in most if number]
