"""What stands between the world and the pages: headers, origins, sizes and speed. Everything refused is a `Refusal`."""

import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tavola.core import Refusal
from tavola.show.speech import mark
from tavola.web.visitor import Visitors

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
READING = ("GET", "HEAD", "OPTIONS")


class PageRefusal(Refusal):
    """A refusal of the pages themselves: one English message, marked for translation."""

    message = ""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}
        super().__init__(self.message)


class CrossOrigin(PageRefusal):
    """A form or a socket of another site."""

    message = mark("This came from another site, so nothing was done. Open the page here and try again.")


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
    """How much is allowed: (a second, at once) for rates; bytes for sizes."""

    posts: tuple[float, int] = (5, 60)
    posts_an_address: tuple[float, int] = (50, 500)
    rooms: tuple[float, int] = (0.2, 20)
    unknown_rooms: tuple[float, int] = (0.5, 40)
    messages: tuple[float, int] = (8, 60)
    sockets: int = 12
    body: int = 32_000
    record: int = 1_000_000


class Rate:
    """A bucket of tokens for each key: `a_second` flow in, at most `at_once` lie in it."""

    MOST_KEYS = 20_000

    def __init__(self, rate: tuple[float, int]) -> None:
        self.a_second, self.at_once = rate
        self._buckets: dict[Hashable, tuple[float, float]] = {}

    def take(self, key: Hashable) -> None:
        """Take one token, or `TooFast`."""
        now = time.monotonic()
        tokens, since = self._buckets.pop(key, (float(self.at_once), now))
        tokens = min(self.at_once, tokens + (now - since) * self.a_second)
        self._buckets[key] = (max(0.0, tokens - 1), now)
        if len(self._buckets) > self.MOST_KEYS:
            del self._buckets[next(iter(self._buckets))]
        if tokens < 1:
            raise TooFast


def same_origin(headers: Headers) -> bool:
    """Whether a browser says that our own page asks. A program that sends neither header is no browser."""
    origin = headers.get("origin")
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    return origin is None or urlsplit(origin).netloc == headers.get("host", "")


def address(asked: HTTPConnection) -> str:
    """The network address that asks."""
    return asked.client.host if asked.client else ""


Answer = Callable[[Scope, Receive, Send, Refusal], Awaitable[None]]


class Guard:
    """ASGI middleware: every answer gets the headers, every request that writes is checked, refusals become pages."""

    def __init__(self, app: ASGIApp, visitors: Visitors, limits: Limits, answer: Answer) -> None:
        self.app, self.visitors, self.limits, self.answer = app, visitors, limits, answer
        self._addresses = Rate(limits.posts_an_address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            scope.setdefault("state", {})["visitor"] = self.visitors.of(HTTPConnection(scope))
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                with_headers(message)
            await send(message)

        try:
            self._check(scope)
            await self.app(scope, self._limited(scope, receive), sending)
        except Refusal as refusal:
            if started:
                raise
            await self.answer(scope, receive, sending, refusal)

    def _check(self, scope: Scope) -> None:
        if scope["method"] in READING:
            return
        asked = HTTPConnection(scope)
        if not same_origin(asked.headers):
            raise CrossOrigin
        length = asked.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._largest(scope):
            raise TooLarge
        self._addresses.take(address(asked))

    def _largest(self, scope: Scope) -> int:
        return self.limits.record if scope["path"] == "/import" else self.limits.body

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """`receive`, until more arrives than was allowed, whatever the headers said."""
        total = 0

        async def receiving() -> Message:
            nonlocal total
            message = await receive()
            total += len(message.get("body", b""))
            if total > self._largest(scope):
                raise TooLarge
            return message

        return receiving


def with_headers(message: Message) -> None:
    """Add the headers of every answer."""
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
