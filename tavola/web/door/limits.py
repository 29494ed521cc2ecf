"""How much anybody may do, and what is left of it: by visitor, by address, by network."""

import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache

from tavola.web.door.request_refusals import TooFast


@lru_cache(maxsize=4096)
def network_of(host: str) -> str:
    """Return what a household has of addresses: an IPv4 one, or 64 bits of an IPv6 one, whose rest anybody may vary."""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((found.packed[:8] + bytes(8), 64)))
    return str(found)


@dataclass(frozen=True)
class Limits:
    """How much is allowed: (a second, at once) for rates; bytes for sizes; seconds for times; milliseconds for `work`.

    A cookie is dropped at will, an address is not: so what one visitor may do is counted, and what all who share his
    address may do is counted too, generously, because a school or a family shares one. `work_an_address` is what is
    worked out for one address, by whatever requests; `work_in_standing` what somebody who has played here to the end
    may have besides, when others have used up the address that he shares; so are `posts_in_standing` to
    `posts_an_address`, of which each costs its part of `POST_PRICES`, and `…_of_a_player` to the lines and messages of
    an address, for people who sit in the room. `visits_an_address`: notes of how far somebody without a seat has seen
    a match over days. `connections` are those of one
    address; `letters` with links those that one address may ask for, `exports` those of all that is known of somebody;
    `headers` and `arriving` the times that a request, and one with a body, may take to arrive, `stalled` that
    between two pieces of a body; `unread` how long somebody may leave what he is sent. `bodies_an_address` and
    `bodies` are the bytes of all requests under way. `refused` are the refusals on one socket before it is closed.
    `niceness`: by how much the processes that do heavy work beside the server give way to it.
    """

    work_an_address: tuple[float, int] = (200, 1500)
    work_in_standing: tuple[float, int] = (40, 400)
    posts: tuple[float, int] = (5, 60)
    posts_an_address: tuple[float, int] = (10, 200)
    posts_in_standing: tuple[float, int] = (1, 30)
    rooms: tuple[float, int] = (0.2, 20)
    rooms_an_address: tuple[float, int] = (0.2, 40)
    unknown_rooms: tuple[float, int] = (0.5, 40)
    letters: tuple[float, int] = (0.005, 5)
    exports: tuple[float, int] = (0.02, 4)
    lines_an_address: tuple[float, int] = (1, 30)
    lines_of_a_player: tuple[float, int] = (0.5, 10)
    messages: tuple[float, int] = (8, 60)
    messages_an_address: tuple[float, int] = (60, 600)
    messages_of_a_player: tuple[float, int] = (2, 30)
    visits_an_address: tuple[float, int] = (0.5, 60)
    refused: tuple[float, int] = (0.5, 20)
    sockets: int = 12
    sockets_an_address: int = 60
    openings_an_address: tuple[float, int] = (2, 120)
    connections: int = 150
    headers: float = 10
    arriving: float = 60
    stalled: float = 10
    unread: float = 30
    body: int = 32_000
    record: int = 1_000_000
    bodies_an_address: int = 4_000_000
    bodies: int = 64_000_000
    niceness: int = 5


MANY = (1_000_000, 1_000_000)
UNHURRIED = Limits(
    work_an_address=MANY,
    posts=MANY,
    posts_an_address=MANY,
    rooms=MANY,
    rooms_an_address=MANY,
    unknown_rooms=MANY,
    letters=MANY,
    exports=MANY,
    lines_an_address=MANY,
    messages=MANY,
    messages_an_address=MANY,
    visits_an_address=MANY,
    refused=MANY,
    sockets_an_address=MANY[1],
    openings_an_address=MANY,
    connections=MANY[1],
    niceness=0,
)
"""Limits of a site that programs of ours ask for everything: they are faster than people."""
POST_PRICES = {
    "/import": 40,
    "/account/device": 10,
    "/account/passkey/": 5,
    "/account/link/": 5,
    "/account/mail": 5,
    "/seat/": 5,
    "/rooms": 5,
    "/quick": 5,
}
"""How many posts of an address one counts for, by the beginning of its path: the more it costs, the more. Others: 1."""
PREFIX_SHARE = 8
"""How many times what one IPv6 network of 64 bits may do all of one of 48 bits may: a customer is often given that."""


def post_price(path: str) -> int:
    """Return how many posts of an address one to this path counts for."""
    return next((price for beginning, price in POST_PRICES.items() if path.startswith(beginning)), 1)


def networks_around(key: Hashable) -> tuple[Hashable, ...]:
    """Return a key and, where it is an IPv6 network of 64 bits, the one of 48 bits around it."""
    return (key, prefix_of(key)) if isinstance(key, str) and key.endswith("/64") else (key,)


@lru_cache(maxsize=4096)
def prefix_of(network: str) -> str:
    """Return the IPv6 network of 48 bits around one of 64."""
    return str(ipaddress.ip_network(network).supernet(new_prefix=48))


def share_of(key: Hashable) -> int:
    """Return how many times what one household may do a key may."""
    return PREFIX_SHARE if isinstance(key, str) and key.endswith("/48") else 1


class RateLimiter:
    """A bucket of tokens for each key: `a_second` flow in, at most `at_once` lie in it.

    What an IPv6 network of 64 bits takes is taken from the one of 48 bits around it, too, which has more.
    `taken`: what has been taken since other workers were told, where there are any; `spend` takes what they have given.
    """

    MOST_KEYS = 20_000

    def __init__(self, rate: tuple[float, int]) -> None:
        self.a_second, self.at_once = rate
        self.untold: Counter[Hashable] | None = None
        self._buckets: dict[Hashable, tuple[float, float]] = {}

    def take(self, key: Hashable, price: int = 1) -> None:
        """Take `price` tokens, or `TooFast` where not one is left; those that were too many are owed."""
        held = {each: self._tokens(each) for each in networks_around(key)}
        refused = min(held.values()) < 1
        for each, tokens in held.items():
            left = min(tokens, max(0.0, tokens - 1)) if refused else max(-self.at_once * share_of(each), tokens - price)
            self._put(each, tokens if refused and each != key else left)
        if refused:
            raise TooFast
        if self.untold is not None:
            self.untold[key] += price

    def deduct(self, key: Hashable, tokens: float) -> None:
        """Others have given so many. What was too much is owed: over a longer time it comes out right."""
        for each in networks_around(key):
            self._put(each, max(-self.at_once * share_of(each), self._tokens(each) - tokens))

    def charge(self, key: Hashable, tokens: float) -> None:
        """Take what has been used already, whether or not it was there."""
        self.deduct(key, tokens)
        if self.untold is not None:
            self.untold[key] += tokens  # type: ignore[assignment]

    def allows(self, key: Hashable) -> bool:
        """True when something is left."""
        around = networks_around(key)
        return all(each not in self._buckets or self.spent(each) < self.at_once * share_of(each) for each in around)

    def spent(self, key: Hashable) -> float:
        """Return how much has been taken and has not flowed back."""
        share, now = share_of(key), time.monotonic()
        tokens, since = self._buckets.get(key, (float(self.at_once * share), now))
        return self.at_once * share - min(self.at_once * share, tokens + (now - since) * self.a_second * share)

    def refund(self, key: Hashable) -> None:
        for each in networks_around(key):
            most = self.at_once * share_of(each)
            tokens, since = self._buckets.get(each, (float(most), time.monotonic()))
            self._buckets[each] = (min(most, tokens + 1), since)
        if self.untold is not None:
            self.untold[key] -= 1

    def _tokens(self, key: Hashable) -> float:
        share, now = share_of(key), time.monotonic()
        tokens, since = self._buckets.pop(key, (float(self.at_once * share), now))
        return min(self.at_once * share, tokens + (now - since) * self.a_second * share)

    def _put(self, key: Hashable, tokens: float) -> None:
        self._buckets[key] = (tokens, time.monotonic())
        if len(self._buckets) > self.MOST_KEYS:
            del self._buckets[next(iter(self._buckets))]


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
