"""Limits of rates and sizes: by visitor, by address and by network."""

import ipaddress
import logging
import math
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from cachetools import FIFOCache

from tavola.metrics import LIMITS
from tavola.web.requests.request_refusals import OF_ADDRESS, TooFast

logger = logging.getLogger(__name__)


def address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return a host as an IP address, None if it is not one."""
    with suppress(ValueError):
        return ipaddress.ip_address(host)
    return None


@lru_cache(maxsize=4096)
def network_of(host: str) -> str:
    """Return the network of one household: an IPv4 address, or the /64 of an IPv6 address."""
    if (found := address_of(host)) is None:
        return host[:64]
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((found.packed[:8] + bytes(8), 64)))
    return str(found)


@lru_cache(maxsize=4096)
def _masked(network: str) -> str:
    try:
        bits = {4: 24, 6: 48}[(found := ipaddress.ip_network(network)).version]
        return str(found.supernet(new_prefix=bits))
    except ValueError:
        return "an unknown network"


def log_limit(limit: str, network: str) -> None:
    """Say in the log that a limit has refused something, and to which network, without its last digits."""
    masked = _masked(network)
    LIMITS.labels(limit).inc()
    logger.warning(f"the limit {limit} refused a request from %s; --limit changes it", masked)  # a kind each


@dataclass(frozen=True)
class Limits:
    """Limits of a site: rates as (per second, at once), sizes in bytes, times in seconds, `work…` in milliseconds.

    Cookies are easily dropped, addresses are not. So both visitors and addresses are limited, addresses generously,
    because a family or a small club may share one. The limits of an address are for `PEOPLE`.

    - `work_an_address`: CPU time of all requests of one address.
    - `posts_an_address`: posts of one address, each counted as in `POST_PRICES`.
    - `…_in_standing`: extra for a visitor who has finished a match here, if others have used up their shared address.
    - `…_of_a_player`: extra lines and messages for people seated in the room.
    - `visits_an_address`: notes of how far spectators have seen correspondence matches.
    - `emails_an_address`: e-mails with links; `exports_an_address`: downloads of an account's data.
    - `headers`, `arriving`: times in which a request must arrive, without and with its body; `stalled`: without new
      bytes.
    - `unread`: time for which a client may leave data unread.
    - `bodies_an_address`, `bodies`: bytes of all requests under way.
    - `connections_an_address`, `connections`: open connections of one address, and of all to this process.
    - `refused`: refusals on one socket before it is closed.
    - `niceness`: by how much processes for heavy work yield to the server.
    """

    work_an_address: tuple[float, int] = (200, 1500)
    work_in_standing: tuple[float, int] = (40, 400)
    posts: tuple[float, int] = (5, 60)
    posts_an_address: tuple[float, int] = (10, 200)
    posts_in_standing: tuple[float, int] = (1, 30)
    rooms: tuple[float, int] = (0.2, 20)
    rooms_an_address: tuple[float, int] = (0.2, 40)
    unknown_rooms_an_address: tuple[float, int] = (0.5, 40)
    emails_an_address: tuple[float, int] = (0.005, 5)
    exports_an_address: tuple[float, int] = (0.02, 4)
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
    connections_an_address: int = 150
    connections: int = 65_536
    headers: float = 10
    arriving: float = 60
    stalled: float = 10
    unread: float = 30
    body: int = 32_000
    record: int = 1_000_000
    bodies_an_address: int = 4_000_000
    bodies: int = 64_000_000
    niceness: int = 5

    def for_people(self, people: int) -> "Limits":
        """Return the same limits with those of an address for another number of people at each address."""
        shared = {name: value for name, value in vars(self).items() if name.endswith(OF_ADDRESS)}
        return replace(self, **{name: _scaled(value, people / PEOPLE) for name, value in shared.items()})

    def with_changes(self, changes: Iterable[str]) -> "Limits":
        """Return the limits with changes such as `sockets=20` or `rooms=0.5,30`; raise `ValueError` for others."""
        return replace(self, **dict(self._read_change(change) for change in changes))

    def _read_change(self, change: str) -> tuple[str, Any]:
        name, _, text = change.partition("=")
        if name not in vars(self):
            raise ValueError(f"expected a limit, one of {', '.join(vars(self))}; found {name[:60]!r}")
        known, numbers = vars(self)[name], text.split(",")
        kinds: tuple[Callable[[str], Any], ...] = (float, int) if isinstance(known, tuple) else (type(known),)
        try:
            read = tuple(kind(number) for kind, number in zip(kinds, numbers, strict=True))
            if not all(math.isfinite(number) and number >= 0 for number in read):
                raise ValueError
        except ValueError as error:
            form = "two numbers, per second and at once: 0.5,30" if len(kinds) > 1 else f"a number such as {known}"
            raise ValueError(f"{name}: expected {form}; found {text[:60]!r}") from error
        return name, read if len(kinds) > 1 else read[0]


PEOPLE = 60
"""Number of people at one address that the default limits of an address allow for."""


def limit_text(value: Any) -> str:
    """Return a limit as text: `60`, or `0.5 a second, 30 at once`."""
    return "{:g} a second, {} at once".format(*value) if isinstance(value, tuple) else str(value)


def _scaled(value: Any, factor: float) -> Any:
    if isinstance(value, tuple):
        return value[0] * factor, max(1, round(value[1] * factor))
    return max(1, round(value * factor))


MANY = (1_000_000, 1_000_000)
UNHURRIED = Limits(
    **{name: MANY for name, value in vars(Limits()).items() if isinstance(value, tuple)},  # type: ignore[arg-type]
    sockets_an_address=MANY[1],
    connections_an_address=MANY[1],
    niceness=0,
)
"""Limits of a site that is used by programs of ours, which are faster than people."""
POST_PRICES = {"/import": 40, "/account/device": 10} | dict.fromkeys(
    ("/account/passkey/", "/account/link/", "/account/mail", "/seat/", "/rooms", "/quick"), 5
)
"""Posts of an address that one post counts for, by the beginning of its path; 1 for all others."""
PREFIX_SHARE = 8
"""Factor by which the limits of an IPv6 /48 exceed those of a /64: customers often have a /48."""


def post_price(path: str) -> int:
    """Return how many posts of an address one post to this path counts for."""
    return next((price for beginning, price in POST_PRICES.items() if path.startswith(beginning)), 1)


@lru_cache(maxsize=4096)
def networks_around(key: Hashable) -> tuple[Hashable, ...]:
    """Return a key and, if it is an IPv6 /64, the /48 around it."""
    if isinstance(key, str) and key.endswith("/64"):
        return key, str(ipaddress.ip_network(key).supernet(new_prefix=48))
    return (key,)


def share_of(key: Hashable) -> int:
    """Return the factor by which the limits of a key exceed those of one household."""
    return PREFIX_SHARE if isinstance(key, str) and key.endswith("/48") else 1


class RateLimiter:
    """A bucket of tokens for each key: `a_second` flow in per second, up to `at_once`.

    What an IPv6 /64 takes is also taken from the /48 around it, whose bucket is larger. `unreported`: what was taken
    since the last report to other workers, if there are any; `deduct` takes what they have granted. `name`: its field
    in `Limits`.
    """

    MOST_KEYS = 20_000

    def __init__(self, rate: tuple[float, int], name: str = "") -> None:
        (self.a_second, self.at_once), self.name = rate, name
        self.unreported: Counter[Hashable] | None = None
        self._buckets: FIFOCache[Hashable, tuple[float, float]] = FIFOCache(self.MOST_KEYS)  # by their last use

    def take(self, key: Hashable, price: int = 1) -> None:
        """Take `price` tokens, if necessary as a debt; raise `TooFast` if not even one is left."""
        held = {each: self._tokens(each) for each in networks_around(key)}
        refused = min(held.values()) < 1
        for each, tokens in held.items():
            left = min(tokens, max(0.0, tokens - 1)) if refused else max(-self.at_once * share_of(each), tokens - price)
            self._put(each, tokens if refused and each != key else left)
        if refused:
            raise TooFast(self.name)
        if self.unreported is not None:
            self.unreported[key] += price

    def deduct(self, key: Hashable, tokens: float) -> None:
        """Deduct what other workers have granted. Any excess is a debt, so that the rate is right over time."""
        for each in networks_around(key):
            self._put(each, max(-self.at_once * share_of(each), self._tokens(each) - tokens))

    def charge(self, key: Hashable, tokens: float) -> None:
        """Deduct what has already been used, even if it was not available."""
        self.deduct(key, tokens)
        if self.unreported is not None:
            self.unreported[key] += tokens  # type: ignore[assignment]

    def allows(self, key: Hashable) -> bool:
        """Return whether anything is left."""
        around = networks_around(key)
        return all(each not in self._buckets or self.spent(each) < self.at_once * share_of(each) for each in around)

    def spent(self, key: Hashable) -> float:
        """Return how much has been taken and has not been refilled."""
        return self.at_once * share_of(key) - self._tokens(key)

    def refund(self, key: Hashable) -> None:
        for each in networks_around(key):
            self._put(each, min(self.at_once * share_of(each), self._tokens(each) + 1))
        if self.unreported is not None:
            self.unreported[key] -= 1

    def _tokens(self, key: Hashable) -> float:
        share, now = share_of(key), time.monotonic()
        tokens, since = self._buckets.get(key, (float(self.at_once * share), now))
        return min(self.at_once * share, tokens + (now - since) * self.a_second * share)

    def _put(self, key: Hashable, tokens: float) -> None:
        self._buckets[key] = (tokens, time.monotonic())


ALWAYS_HELD = 65_536
"""Bytes that a network may send even if others have used up the total."""


class Bodies:
    """Bytes of all requests under way."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held: Counter[Hashable] = Counter()
        self._total = 0

    @contextmanager
    def reading(self, network: str) -> Iterator[Callable[[int], None]]:
        """Yield a function that counts bytes and raises `TooFast` if there are too many; release them at the end."""
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
            raise TooFast(limit="bodies_an_address" if too_much else "bodies")

    def _add(self, keys: tuple[Hashable, ...], size: int) -> None:
        self._total += size
        for key in keys:
            self._held[key] += size
            if not self._held[key]:
                del self._held[key]
