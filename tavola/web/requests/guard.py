"""ASGI middleware that checks hosts, origins, sizes and rates. Everything it refuses is a `Refusal`."""

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tavola.core import Refusal
from tavola.metrics import REFUSALS
from tavola.web.requests import cost
from tavola.web.requests.counters import Counters
from tavola.web.requests.limits import Bodies, Limits, RateLimiter, address_of, log_limit, network_of
from tavola.web.requests.request_refusals import CrossOrigin, Malformed, OtherName, PageRefusal, TooFast, TooLarge
from tavola.web.requests.visitor import Visitors, asked_language

logger = logging.getLogger(__name__)
POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
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
"""Seconds for which browsers use only encrypted connections (HSTS)."""
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True)
class HostNames:
    """Host names of the site in lower case, without ports; without `hosts`, the names of this machine.

    Anyone can make a name of theirs resolve to this machine and open a page under it that our cookies treat as ours
    (DNS rebinding). So only declared names are accepted. IP addresses are not affected: with `by_address` all of them
    are accepted, for a site without a name that other machines can reach.

    `https`: visitors use encrypted connections, whatever arrives here. `home`: the base address of the first host, for
    links in e-mails; empty if the site has no name. `origins`: the declared addresses, with ports but without schemes.
    `path`: the one below which the site is, such as `/games`; empty for the root.
    """

    hosts: frozenset[str] = frozenset()
    https: bool = False
    home: str = ""
    by_address: bool = False
    origins: frozenset[str] = frozenset()
    path: str = ""

    @classmethod
    def parse(cls, addresses: Iterable[str], *, beyond_this_machine: bool = False) -> "HostNames":
        """Parse public addresses such as `https://play.example/games` or `play.example`; raise `ValueError` for others.

        `beyond_this_machine`: the site listens where other machines can reach it.
        """
        given = [urlsplit(each if "//" in each else f"//{each}") for each in addresses]
        paths = {part.path.rstrip("/") for part in given} or {""}
        if any(part.scheme not in ("", "http", "https") or not part.hostname or part.query for part in given):
            raise ValueError("expected addresses like https://play.example")
        if len(paths) > 1 or not SUBPATH.fullmatch(path := paths.pop()):
            raise ValueError("expected the same path in all addresses, like https://play.example/games")
        hosts = frozenset(part.hostname.lower() for part in given if part.hostname)
        https = any(part.scheme == "https" for part in given)
        home = f"{given[0].scheme or ('https' if https else 'http')}://{given[0].netloc}{path}" if given else ""
        origins = frozenset(part.netloc for part in given)
        return cls(hosts, https, home, beyond_this_machine and not hosts, origins, path)

    @property
    def is_local(self) -> bool:
        """Whether the site answers only on this machine."""
        return not self.hosts and not self.by_address

    def check(self, host: str) -> None:
        """Raise `Malformed` if `host` cannot be a host name, `OtherName` if it is not ours."""
        if not self._is_ours(_host_name(host)):
            raise OtherName

    def answers(self, host: str) -> bool:
        """Return whether `host` is one of the names of the site."""
        with contextlib.suppress(PageRefusal):
            self.check(host)
            return True
        return False

    def is_same_origin(self, headers: Headers) -> bool:
        """Return whether a request comes from our own page, or from a program, which sends neither header.

        A proxy may pass the name of the site without its port, so declared addresses are ours in any case.
        """
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        return origin is None or urlsplit(origin).netloc in (*self.origins, headers.get("host", ""))

    def _is_ours(self, name: str) -> bool:
        if self.hosts:
            return name in self.hosts
        if name == "localhost" or name.endswith(".localhost"):  # RFC 6761, 6.3: always this machine
            return True
        address = address_of(name)
        return address is not None and (address.is_loopback or self.by_address)


MONITORED = ("/health", "/ready", "/metrics")
"""Paths that monitoring requests, often by an IP address."""
SHARED_PATHS = ("/static/", *MONITORED, "/seats.css", "/robots.txt", "/favicon.ico", "/apple-touch-icon")
"""Beginnings of paths whose answers do not depend on the visitor."""
PUBLIC = re.compile(r"/(shelf|contact|privacy|terms|seats\.css|favicon\.ico|apple-touch-icon\S*|(games|static)/.*)?")
"""Paths that search engines may list. All others are private, or useless to strangers."""
FROM_ANYWHERE = "/quiet/"
"""Beginning of paths that contain their own permission: webmail programs post to them (RFC 8058)."""
SUBPATH = re.compile(r"(/[A-Za-z0-9._~-]+)*")
"""Matches a path below which a site may be."""
HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
LONGEST_HOST = 260


def _host_name(host: str) -> str:
    """Return the name in a `Host` header without its port; raise `Malformed` if it cannot be a name."""
    if len(host) > LONGEST_HOST or not HOST.fullmatch(host):
        raise Malformed
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError as error:
        raise Malformed from error


def client_network(asked: HTTPConnection) -> str:
    """Return the network of the client's address."""
    return _network_in(asked.scope)


def _masked_path(scope: Scope) -> str:
    """Return the path of a request without the codes of rooms and links, which open them."""
    given = "/".join(map(str, scope.get("path_params", {}).values())).split("/")
    return "/".join("…" if part in given else part for part in scope["path"].split("/"))


def _network_in(scope: Scope) -> str:
    return network_of(scope["client"][0] if scope["client"] else "")


def warn_of_port(headers: Headers) -> None:
    """Say in the log if a request was refused only because a proxy does not pass the port of the site."""
    origin, host = urlsplit(headers.get("origin", "")), headers.get("host", "")
    with contextlib.suppress(ValueError, PageRefusal):
        if origin.hostname == _host_name(host) and origin.netloc != host:
            said = "a page of %s was refused, because the proxy passes the name %s: expected --public %s://%s"
            logger.warning(said, origin.netloc[:LONGEST_HOST], host, origin.scheme, origin.netloc[:LONGEST_HOST])


AnswerRefusal = Callable[[Scope, Receive, Send, Refusal], Awaitable[None]]
BusyAnswer = Callable[[str, bool, bool], tuple[list[tuple[bytes, bytes]], bytes]]
"""Headers and body of the answer to a network that has used up its allowance.

Arguments: the language; whether to answer as JSON; whether the site is encrypted.
"""
REFUSALS_AT_ONCE: tuple[float, int] = (5, 20)
REFUSAL_DELAY = 0.5
"""Seconds before each refusal to a network that exceeds `REFUSALS_AT_ONCE`."""


class Guard:
    """ASGI middleware that adds headers, checks requests that write, and turns refusals into pages."""

    def __init__(
        self,
        app: ASGIApp,
        visitors: Visitors,
        limits: Limits,
        names: HostNames,
        answer: AnswerRefusal,
        busy: BusyAnswer,
        tally: Counters,
        bodies: Bodies,
    ) -> None:
        self.app, self.visitors, self.limits, self.names, self.answer = app, visitors, limits, names, answer
        self._busy, self._bodies = busy, bodies
        self._work = tally.limiter("work_an_address", limits)
        self._work_in_standing = tally.limiter("work_in_standing", limits)
        self._refusals, self._pacer = RateLimiter(REFUSALS_AT_ONCE), cost.Pacer()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        network = _network_in(scope)
        meter = self._meter(scope, network)
        if meter is None or not await self._turn_comes(scope, network):
            await self._refuse_busy(scope, send, network)
            return
        cost.current_meter.set(meter)
        meter.charge(cost.REQUEST_COST / 1000)
        is_page, began = scope["type"] == "http", time.monotonic()
        with self._pacer.working(network, meter) if is_page else contextlib.nullcontext():
            await cost.metered(self._serve(scope, receive, send), meter)
        if is_page and logger.isEnabledFor(logging.DEBUG):
            logger.debug("%s %s in %.1f ms", scope["method"], _masked_path(scope), (time.monotonic() - began) * 1000)

    async def _turn_comes(self, scope: Scope, network: str) -> bool:
        """Delay a request if its network has used much recently; return False if that would take too long."""
        paced_from = cost.FILES_PACED_FROM if scope["path"].startswith(SHARED_PATHS) else cost.PACED_FROM
        had = self._work.spent(network) + self._pacer.outstanding(network)
        if had < paced_from or scope["path"] in MONITORED:
            return True
        delay = self._pacer.book(network)
        if delay > cost.LONGEST_PACE:
            return False
        await asyncio.sleep(delay)
        return True

    def _meter(self, scope: Scope, network: str) -> cost.Meter | None:
        """Return the meter of a request, for its network or its visitor; None if neither has any allowance left.

        A socket lasts, so it has both: one is charged while the other has nothing left.
        """
        has_left = self._work.allows(network) or scope["path"] in MONITORED
        if has_left and scope["type"] == "http":
            return cost.Meter(network, self._work)
        standing = self.visitors.standing(HTTPConnection(scope))
        spare = cost.Meter(standing, self._work_in_standing) if standing else None
        if has_left or (spare is not None and spare.allows()):
            return cost.Meter(network, self._work, spare)
        return None

    async def _refuse_busy(self, scope: Scope, send: Send, network: str) -> None:
        """Refuse before any work is done; networks that keep asking wait for each refusal."""
        log_limit(self._work.name, network)
        try:
            self._refusals.take(network)
        except TooFast:
            await asyncio.sleep(REFUSAL_DELAY)
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        asked = Headers(scope=scope)
        language = asked_language(asked.get("cookie", ""), asked.get("accept-language", ""))
        as_json = "application/json" in asked.get("accept", "")
        headers, body = self._busy(language, as_json, self._is_encrypted(scope))
        await send({"type": "http.response.start", "status": 429, "headers": headers})
        await send({"type": "http.response.body", "body": body if scope["method"] != "HEAD" else b""})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._identify_visitor(scope)
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
                headers = MutableHeaders(scope=message)
                add_headers(headers, encrypted=self._is_encrypted(scope))
                if PUBLIC.fullmatch(scope["path"]) is None:
                    headers["X-Robots-Tag"] = "noindex"
            await send(message)

        try:
            if (refused := self._host_refusal(scope)) is not None:
                raise refused
            self._check(scope)
            if not scope["path"].startswith(SHARED_PATHS):
                await scope["app"].state.site.require_admitted(HTTPConnection(scope))
            with self._bodies.reading(_network_in(scope)) as hold:
                await self.app(scope, self._limit_body(scope, receive, hold), sending)
        except Refusal as refusal:
            if started:
                raise
            REFUSALS.labels(type(refusal).__name__).inc()
            if isinstance(refusal, TooFast) and refusal.limit:
                log_limit(refusal.limit, _network_in(scope))
            await self.answer(scope, receive, sending, refusal)

    def _is_encrypted(self, scope: Scope) -> bool:
        return self.names.https or scope["scheme"] in ("https", "wss")

    async def _identify_visitor(self, scope: Scope) -> None:
        if self.names.https:
            scope["scheme"] = "https" if scope["type"] == "http" else "wss"
        visitor = self.visitors.identify(HTTPConnection(scope))
        if not scope["path"].startswith(SHARED_PATHS):
            visitor = await self.visitors.look_up(visitor, scope["app"].state.site.club)
        scope.setdefault("state", {})["visitor"] = visitor

    def _host_refusal(self, scope: Scope) -> Refusal | None:
        """Return why the requested host name is refused, if it is; monitors may use any name."""
        try:
            if scope["path"] not in MONITORED or self.names.is_local:
                self.names.check(HTTPConnection(scope).headers.get("host", ""))
        except PageRefusal as refusal:
            # The error page contains addresses, which an invalid name would break.
            scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"host"]
            return refusal
        return None

    def _check(self, scope: Scope) -> None:
        if scope["method"] in SAFE_METHODS:
            return
        headers = Headers(scope=scope)
        if not self.names.is_same_origin(headers) and not scope["path"].startswith(FROM_ANYWHERE):
            warn_of_port(headers)
            raise CrossOrigin
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._most_bytes(scope):
            raise TooLarge

    def _most_bytes(self, scope: Scope) -> int:
        return self.limits.record if scope["path"] == "/import" else self.limits.body

    def _limit_body(self, scope: Scope, receive: Receive, hold: Callable[[int], None]) -> Receive:
        """Wrap `receive` to refuse bodies that are too large, whatever the headers say; `hold` counts the bytes."""
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
    """Add the headers of every answer; if `encrypted`, browsers use only encrypted connections from now on."""
    if encrypted:
        headers.setdefault("Strict-Transport-Security", f"max-age={STRICT_FOR}")
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
