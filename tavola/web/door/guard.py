"""What stands between the world and the pages: headers, origins, sizes and speed. Everything refused is a `Refusal`."""

import asyncio
import ipaddress
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tavola.core import Refusal
from tavola.show.speech import mark
from tavola.web.door.cost import LONGEST_PACE, PACED_FROM, REQUEST_COST, Meter, Metered, Pacer, current_meter
from tavola.web.door.visitor import Visitors, asked_language

if TYPE_CHECKING:
    from tavola.web.door.bodies import Bodies
    from tavola.web.door.counters import Counters

POLICY = "; ".join(
    (
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not "no-referrer": with it browsers send `Origin: null` with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
STRICT_FOR = 365 * 24 * 3600
"""Seconds for which a browser asks encrypted only."""
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class PageRefusal(Refusal):
    """A refusal of the pages themselves: one English message, marked for translation."""

    message = ""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}
        super().__init__(self.message)


class CrossOrigin(PageRefusal):
    """A form or a socket of another site."""

    message = mark("This came from another site, so nothing was done. Open the page here and try again.")


class OtherName(PageRefusal):
    """A request for a name that is not ours."""

    message = mark("No site of that name is here.")


class TooLarge(PageRefusal):
    """A body larger than anything we ask for."""

    message = mark("That is too large to be read here.")


class TooFast(PageRefusal):
    """More requests than a person can make."""

    message = mark("That was a little too fast. Wait a moment and try again.")


class Malformed(PageRefusal):
    """A form or a message that lacks something, or says something unreadable."""

    message = mark("That could not be understood.")


@dataclass(frozen=True)
class Limits:
    """How much is allowed: (a second, at once) for rates; bytes for sizes; seconds for times; milliseconds for `work`.

    A cookie is dropped at will, an address is not: so what one visitor may do is counted, and what all who share his
    address may do is counted too, generously, because a school or a family shares one. `work_an_address` is what is
    worked out for one address, by whatever requests; `work_in_standing` what somebody who has played here to the end
    may have besides, when others have used up the address that he shares. `connections` are those of one
    address; `headers` and `arriving` the times that a request, and one with a body, may take to arrive, `stalled` that
    between two pieces of a body; `unread` how long somebody may leave what he is sent. `bodies_an_address` and
    `bodies` are the bytes of all requests under way. `refused` are the refusals on one socket before it is closed.
    """

    work_an_address: tuple[float, int] = (200, 1500)
    work_in_standing: tuple[float, int] = (40, 400)
    posts: tuple[float, int] = (5, 60)
    rooms: tuple[float, int] = (0.2, 20)
    rooms_an_address: tuple[float, int] = (0.2, 40)
    unknown_rooms: tuple[float, int] = (0.5, 40)
    lines_an_address: tuple[float, int] = (1, 30)
    messages: tuple[float, int] = (8, 60)
    messages_an_address: tuple[float, int] = (60, 600)
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


MANY = (1_000_000, 1_000_000)
UNHURRIED = Limits(
    work_an_address=MANY,
    posts=MANY,
    rooms=MANY,
    rooms_an_address=MANY,
    unknown_rooms=MANY,
    lines_an_address=MANY,
    messages=MANY,
    messages_an_address=MANY,
    refused=MANY,
    sockets_an_address=MANY[1],
    openings_an_address=MANY,
    connections=MANY[1],
)
"""Limits of a site that programs of ours ask for everything: they are faster than people."""
PREFIX_SHARE = 8
"""How many times what one IPv6 network of 64 bits may do all of one of 48 bits may: a customer is often given that."""


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

    def take(self, key: Hashable) -> None:
        """Take one token, or `TooFast`."""
        held = {each: self._tokens(each) for each in networks_around(key)}
        refused = min(held.values()) < 1
        for each, tokens in held.items():
            left = min(tokens, max(0.0, tokens - 1))
            self._put(each, tokens if refused and each != key else left)
        if refused:
            raise TooFast
        if self.untold is not None:
            self.untold[key] += 1

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
        """How much has been taken and has not flowed back."""
        share, now = share_of(key), time.monotonic()
        tokens, since = self._buckets.get(key, (float(self.at_once * share), now))
        return self.at_once * share - min(self.at_once * share, tokens + (now - since) * self.a_second * share)

    def refund(self, key: Hashable) -> None:
        """Put back a token that was taken."""
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


@dataclass(frozen=True)
class HostNames:
    """What the site is called: hosts, in small letters, without ports; none for any.

    `https`: what people see is encrypted, whatever arrives here.
    """

    hosts: frozenset[str] = frozenset()
    https: bool = False

    @classmethod
    def parse(cls, addresses: Iterable[str]) -> "HostNames":
        """The names in public addresses, `https://play.example`, or bare: `play.example`; `ValueError` for others."""
        given = [urlsplit(each if "//" in each else f"//{each}") for each in addresses]
        if any(part.scheme not in ("", "http", "https") or not part.hostname or part.path.strip("/") for part in given):
            raise ValueError("expected addresses like https://play.example")
        hosts = frozenset(part.hostname.lower() for part in given if part.hostname)
        return cls(hosts, any(part.scheme == "https" for part in given))

    def check(self, host: str) -> None:
        """`Malformed` unless it can be the name of a host; `OtherName` where it is not ours."""
        if len(host) > LONGEST_HOST or not HOST.fullmatch(host):
            raise Malformed
        name = urlsplit(f"//{host}").hostname
        if self.hosts and name not in self.hosts:
            raise OtherName


HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
LONGEST_HOST = 260


def is_same_origin(headers: Headers) -> bool:
    """Whether a browser says that our own page asks. A program that sends neither header is no browser."""
    origin = headers.get("origin")
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    return origin is None or urlsplit(origin).netloc == headers.get("host", "")


def client_network(asked: HTTPConnection) -> str:
    """Whom the address that asks belongs to."""
    return _network_in(asked.scope)


def _network_in(scope: Scope) -> str:
    return network_of(scope["client"][0] if scope["client"] else "")


@lru_cache(maxsize=4096)
def network_of(host: str) -> str:
    """What one household has of addresses: an IPv4 address, or 64 bits of an IPv6 one, whose rest anybody may vary."""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host[:64]
    if isinstance(found, ipaddress.IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((found.packed[:8] + bytes(8), 64)))
    return str(found)


AnswerRefusal = Callable[[Scope, Receive, Send, Refusal], Awaitable[None]]
BusyAnswer = Callable[[str, bool, bool], tuple[list[tuple[bytes, bytes]], bytes]]
"""Headers and body of what somebody is told for whom too much has been worked out.

In a language; as JSON or a page; where the site is encrypted, or not.
"""
REFUSALS_AT_ONCE: tuple[float, int] = (5, 20)
REFUSAL_DELAY = 0.5
"""Who goes on asking though he is refused, more often than that, waits so many seconds for each refusal."""


class Guard:
    """ASGI middleware: every answer gets the headers, every request that writes is checked, refusals become pages."""

    def __init__(
        self,
        app: ASGIApp,
        visitors: Visitors,
        limits: Limits,
        names: HostNames,
        answer: AnswerRefusal,
        busy: BusyAnswer,
        tally: "Counters",
        bodies: "Bodies",
    ) -> None:
        self.app, self.visitors, self.limits, self.names, self.answer = app, visitors, limits, names, answer
        self._busy, self._bodies = busy, bodies
        self._work = tally.limiter("work_an_address", limits.work_an_address)
        self._work_in_standing = tally.limiter("work_in_standing", limits.work_in_standing)
        self._refusals, self._pacer = RateLimiter(REFUSALS_AT_ONCE), Pacer()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        network = _network_in(scope)
        meter = self._meter(scope, network)
        if meter is None or not await self._turn_comes(scope, network):
            await self._refuse_busy(scope, send, network)
            return
        current_meter.set(meter)
        meter.charge(REQUEST_COST / 1000)
        try:
            await Metered(self._serve(scope, receive, send), meter)
        finally:
            if scope["type"] == "http":
                self._pacer.note(network, meter.milliseconds)

    async def _turn_comes(self, scope: Scope, network: str) -> bool:
        """Wait for the turn of somebody whose network has had much of late; False where that would take too long."""
        if self._work.spent(network) < PACED_FROM or scope["path"] == "/health":
            return True
        delay = self._pacer.book(network)
        if delay > LONGEST_PACE:
            return False
        await asyncio.sleep(delay)
        return True

    def _meter(self, scope: Scope, network: str) -> Meter | None:
        """Who pays for a request: the network, or who has a good name in it; None when neither has anything left.

        On a socket, which lasts, the one pays while the other has nothing.
        """
        has_left = self._work.allows(network) or scope["path"] == "/health"
        if has_left and scope["type"] == "http":
            return Meter(network, self._work)
        standing = self.visitors.standing(HTTPConnection(scope))
        spare = Meter(standing, self._work_in_standing) if standing else None
        if has_left or (spare is not None and spare.allows()):
            return Meter(network, self._work, spare)
        return None

    async def _refuse_busy(self, scope: Scope, send: Send, network: str) -> None:
        """Refuse before anything is worked out; who goes on all the same waits for each refusal."""
        try:
            self._refusals.take(network)
        except TooFast:
            await asyncio.sleep(REFUSAL_DELAY)
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        asked = Headers(scope=scope)
        headers, body = self._busy(
            asked_language(asked.get("cookie", ""), asked.get("accept-language", "")),
            "application/json" in asked.get("accept", ""),
            self._is_encrypted(scope),
        )
        await send({"type": "http.response.start", "status": 429, "headers": headers})
        await send({"type": "http.response.body", "body": body if scope["method"] != "HEAD" else b""})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._identify_visitor(scope)
        if scope["type"] == "websocket":
            if self._host_refusal(scope) is None:
                await self.app(scope, receive, send)
            else:
                await send({"type": "websocket.close"})
            return
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                add_headers(MutableHeaders(scope=message), encrypted=self._is_encrypted(scope))
            await send(message)

        try:
            refusal = self._host_refusal(scope)
            if refusal is not None:
                raise refusal
            self._check(scope)
            with self._bodies.reading(_network_in(scope)) as hold:
                await self.app(scope, self._limit_body(scope, receive, hold), sending)
        except Refusal as refusal:
            if started:
                raise
            await self.answer(scope, receive, sending, refusal)

    def _is_encrypted(self, scope: Scope) -> bool:
        return self.names.https or scope["scheme"] in ("https", "wss")

    def _identify_visitor(self, scope: Scope) -> None:
        if self.names.https:
            scope["scheme"] = "https" if scope["type"] == "http" else "wss"
        scope.setdefault("state", {})["visitor"] = self.visitors.identify(HTTPConnection(scope))

    def _host_refusal(self, scope: Scope) -> Refusal | None:
        """Why the name that was asked for is refused, if it is; who only watches over the server may use any."""
        try:
            if scope["path"] != "/health":
                self.names.check(HTTPConnection(scope).headers.get("host", ""))
        except PageRefusal as refusal:
            # The page that says so has addresses in it, which a name that is none would break.
            scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"host"]
            return refusal
        return None

    def _check(self, scope: Scope) -> None:
        asked = HTTPConnection(scope)
        if scope["method"] in SAFE_METHODS:
            return
        if not is_same_origin(asked.headers):
            raise CrossOrigin
        length = asked.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._most_bytes(scope):
            raise TooLarge

    def _most_bytes(self, scope: Scope) -> int:
        return self.limits.record if scope["path"] == "/import" else self.limits.body

    def _limit_body(self, scope: Scope, receive: Receive, hold: Callable[[int], None]) -> Receive:
        """`receive`, until more arrives than was allowed, whatever the headers said; `hold` counts what does."""
        total = 0

        async def receiving() -> Message:
            nonlocal total
            message = await receive()
            size = len(message.get("body", b""))
            total += size
            if total > self._most_bytes(scope):
                raise TooLarge
            hold(size)
            return message

        return receiving


def add_headers(headers: MutableHeaders, *, encrypted: bool) -> None:
    """Add the headers of every answer; who came encrypted is to come so from now on."""
    if encrypted:
        headers.setdefault("Strict-Transport-Security", f"max-age={STRICT_FOR}")
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
