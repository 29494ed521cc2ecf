"""Bytes of requests that are being read or worked on, by network: who sends half of many fills nobody's memory."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

from tavola.web.door.limits import Limits, networks_around, share_of
from tavola.web.door.request_refusals import TooFast

ALWAYS_HELD = 65_536
"""Bytes that a network may send however much others have sent."""


class Bodies:
    """The bytes of all requests that are under way."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held: Counter[Hashable] = Counter()
        self._total = 0

    @contextmanager
    def reading(self, network: str) -> Iterator[Callable[[int], None]]:
        """Yield a call that counts bytes that have arrived, `TooFast` where they are too many; all go at the end."""
        keys, mine = networks_around(network), 0

        def hold(size: int) -> None:
            nonlocal mine
            self._require_space(network, size)
            mine += size
            self._add(keys, size)

        try:
            yield hold
        finally:
            self._add(keys, -mine)

    def _require_space(self, network: str, size: int) -> None:
        most = self._limits.bodies_an_address
        too_much = any(self._held[key] + size > most * share_of(key) for key in networks_around(network))
        crowded = self._total + size > self._limits.bodies and self._held[network] + size > ALWAYS_HELD
        if size and (too_much or crowded):
            raise TooFast

    def _add(self, keys: tuple[Hashable, ...], size: int) -> None:
        self._total += size
        for key in keys:
            self._held[key] += size
            if not self._held[key]:
                del self._held[key]
