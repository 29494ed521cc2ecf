"""Limits of connections: their number by address, the time in which requests must arrive, and when to disconnect.

A connection costs a descriptor and memory before the first request. So connections are counted by address as soon as
they are accepted, and requests must arrive within a time limit. Clients that do not read, or that send faster than the
server can answer, are disconnected. All changes to the behaviour of uvicorn are in this module.
"""

import asyncio
import contextlib
import ipaddress
import logging
import resource
import socket
import sys
import time
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from tavola.web.requests.counters import Gauge
from tavola.web.requests.limits import Limits, address_of, log_limit, network_of, networks_around, share_of
from tavola.web.serve.affinity import AffinityRouter

BACKLOG = 128
"""Maximum connections that wait to be accepted, and that are accepted before other work continues."""
RESERVED = 64 + 2 * BACKLOG
"""Descriptors for the database, libraries, and connections that are about to be refused."""
MOST_DESCRIPTORS = 65_536
IDLE_TIMEOUT = 15
"""Seconds for which a connection stays open between two requests."""
MOST_UNREAD = 1_000_000
"""Maximum bytes that a client may leave unread; beyond that it is disconnected at once."""
MOST_WAITING = 256
"""Maximum messages, or parts of one, that have arrived and have not been processed."""
MOST_PINGS, PING_WINDOW = 30, 10.0
"""Maximum pings of a client in `PING_WINDOW` seconds."""
NOT_TEXT = 1007
LINGERING = 2.0
"""Seconds in which the rest of a body is read after its answer: some clients read only after sending everything."""
UNIX_PEER = "unix"
"""In place of an IP address, for connections to a Unix socket: they come from the proxy."""
OFFER_DELAY, MOST_OFFERS = 0.02, 50
"""Seconds between two offers of a connection to a busy worker, and their maximum number."""
CLOSE_TIMEOUT = 3.0
"""Seconds in which the other side must confirm that a socket is closed."""

logger = logging.getLogger(__name__)


def raise_descriptor_limit() -> int:
    """Raise the limit of descriptors as far as the system allows; return how many connections that permits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return max(32, soft - RESERVED)


class ConnectionLimiter:
    """Counts connections by address. A declared proxy may have all: its clients are limited by request."""

    def __init__(
        self, limits: Limits, capacity: int, proxies: tuple[str, ...] = (), inside: Gauge | None = None
    ) -> None:
        self.limits, self.capacity = limits, min(capacity, limits.connections)
        self._proxies = [ipaddress.ip_network(proxy) for proxy in proxies]
        self._open_connections = inside or Gauge()
        self.connections, self.warned = 0, False

    def enter(self, address: str) -> bool:
        """Count a connection; return False if there are too many already."""
        keys = self._counted(address)
        if self.connections >= self.capacity:
            said = "a connection was refused: all %s that LimitNOFILE and --limit connections allow are open"
            logger.warning(said, self.capacity)
            return False
        most = self.capacity if self.is_proxy(address) else self.limits.connections_an_address
        if any(self._open_connections[key] >= most * share_of(key) for key in keys):
            log_limit("connections_an_address", keys[0])
            return False
        for key in keys:
            self._open_connections.add(key)
        self.connections += 1
        return True

    def is_proxy(self, address: str) -> bool:
        """Return whether an address is that of a declared proxy, or of a Unix socket."""
        found = address_of(address)
        return address == UNIX_PEER or (found is not None and any(found in proxy for proxy in self._proxies))

    def warn_of_proxy(self, address: str) -> None:
        """Say once in the log that a proxy nearby is not declared. Strangers can send its headers, too."""
        if not self.warned and not self.is_proxy(address) and ipaddress.ip_address(address).is_private:
            self.warned = True
            said = "%s forwards requests: expected --proxy %s, because all its visitors share the limits of one address"
            logger.warning(said, address, address)

    def leave(self, address: str) -> None:
        self.connections -= 1
        for key in self._counted(address):
            self._open_connections.drop(key)

    def _counted(self, address: str) -> list[str]:
        network = network_of(address)
        return [network] if self.is_proxy(address) else [str(key) for key in networks_around(network)]


class _LimitedConnection(asyncio.Protocol):
    """What both kinds of connections share: counting by address, and timers that disconnect."""

    config: Any
    client: tuple[str, int] | None
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _entered = False

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._leave()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start("reading", self._limiter.limits.unread)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop("reading")

    def _enter(self) -> bool:
        self._limiter: ConnectionLimiter = self.config.limiter
        if self.transport.get_extra_info("socket").family == socket.AF_UNIX:
            self.client = UNIX_PEER, 0
        self._address = self.client[0] if self.client else ""
        self._entered = self._limiter.enter(self._address)
        if self._entered:
            _hang_up_when_unread(self.transport, self._limiter.limits.unread)
        else:
            self.transport.abort()
        return self._entered

    def _leave(self) -> None:
        for name in list(self._timers):
            self._stop(name)
        if self._entered:
            self._entered = False
            self._limiter.leave(self._address)

    def _start(self, name: str, seconds: float) -> None:
        self._stop(name)
        self._timers[name] = self.loop.call_later(seconds, self.transport.abort)

    def _stop(self, name: str) -> None:
        if name in self._timers:
            self._timers.pop(name).cancel()


class StrictParser(h11.Connection):
    """A parser of h11 that refuses a request whose body has two lengths.

    RFC 9112, 6.1: a proxy before us may use the other length, and take the rest for another visitor's request.
    """

    def next_event(self) -> Any:
        """Return the next event; raise `h11.RemoteProtocolError` if a request is invalid."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if b"content-length" in names and b"transfer-encoding" in names:
                raise h11.RemoteProtocolError("expected Content-Length or Transfer-Encoding, not both")
        return event


class HttpConnection(_LimitedConnection, H11Protocol):
    """A connection for requests. `first_bytes`: a request that another worker has received and handed over."""

    _awaited_state: object = None
    first_bytes = b""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self.conn = StrictParser(h11.SERVER)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self._enter():
            self._start_timeout()
            if self.first_bytes:
                self._receive(self.first_bytes)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        affinity = self._affinity
        workers = affinity.preferred_workers(data) if affinity is not None and self._begins_request() else []
        self._offer(data, workers, MOST_OFFERS) if workers else self._receive(data)

    def _receive(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is self:
            self._start_timeout()

    @property
    def _affinity(self) -> AffinityRouter | None:
        return self.config.affinity  # type: ignore[no-any-return]

    def _begins_request(self) -> bool:
        """Return whether the next bytes begin a request, and no answer is still being sent."""
        idle = self.conn.their_state is h11.IDLE and self.conn.our_state is h11.IDLE
        return idle and not self.conn.trailing_data[0] and not self.transport.get_write_buffer_size()

    def _offer(self, data: bytes, workers: list[int], offers: int) -> None:
        """Hand the connection over to one of these workers; serve it here if none takes it."""
        if self.transport.is_closing():
            return
        self.transport.pause_reading()
        given = self._affinity.hand_over(self.transport.get_extra_info("socket").fileno(), data, workers)  # type: ignore[union-attr]
        if given:
            self.transport.abort()  # the other worker has its own copy of the descriptor
        elif given is None and offers:
            self.loop.call_later(OFFER_DELAY, self._offer, data, workers, offers - 1)
        else:
            self.transport.resume_reading()
            self._receive(data)

    def handle_events(self) -> None:
        super().handle_events()
        if any(name == b"x-forwarded-for" for name, _ in self.headers or ()):
            self._limiter.warn_of_proxy(self._address)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._leave()
        super().handle_websocket_upgrade(event)

    def _start_timeout(self) -> None:
        """Disconnect unless the rest of the current request arrives in time."""
        limits, state = self._limiter.limits, self.conn.their_state
        awaited = {h11.IDLE: limits.headers, h11.SEND_BODY: limits.arriving}.get(state)
        if awaited is None:
            self._stop("request")
        elif self._awaited_state is not state or "request" not in self._timers:
            self._start("request", awaited)
        if state is h11.SEND_BODY:  # each piece has its own timeout
            self._start("piece", limits.stalled)
        else:
            self._stop("piece")
        self._awaited_state = state

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # Between two requests uvicorn's own timeout applies.
        if self.conn.their_state is h11.IDLE:
            self._stop("request")
        elif self.conn.their_state is h11.SEND_BODY:  # it has been answered before all of it arrived
            self._start("request", LINGERING)


TCP_INFO_RTT = slice(68, 72)
"""Place of the smoothed round-trip time in `struct tcp_info`, in microseconds (linux/tcp.h, `tcpi_rtt`)."""


class Arrivals(asyncio.Queue[Any]):
    """The frames received on a socket, each with the time when it `arrived`, by `time.monotonic`.

    `line_trip` is the round-trip time of the connection in seconds, by the kernel; None if it is not known.
    """

    def __init__(self, transport: asyncio.BaseTransport, behind_proxy: bool) -> None:
        super().__init__()
        self._transport = None if behind_proxy else transport

    def put_nowait(self, item: Any) -> None:
        trip = None if self._transport is None else line_trip(self._transport)
        super().put_nowait({**item, "arrived": time.monotonic(), "line_trip": trip})


def line_trip(transport: asyncio.BaseTransport) -> float | None:
    """Return the round-trip time of a TCP connection in seconds, by the kernel; None if it is not known."""
    option, connected = getattr(socket, "TCP_INFO", None), transport.get_extra_info("socket")
    if option is None or connected is None:
        return None
    with contextlib.suppress(OSError):
        told = connected.getsockopt(socket.IPPROTO_TCP, option, TCP_INFO_RTT.stop)
        return int.from_bytes(told[TCP_INFO_RTT], sys.byteorder) / 1e6 or None
    return None


class WebSocketConnection(_LimitedConnection, WebSocketsSansIOProtocol):
    """A connection for messages."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._pings, self._since = 0, time.monotonic()
        self.close_timeout = CLOSE_TIMEOUT
        self._enter()
        self.queue = Arrivals(transport, self._limiter.is_proxy(self._address))

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing() and not self.close_sent:
            return
        super().data_received(data)
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.transport.abort()

    def handle_cont(self, event: Frame) -> None:
        """Add a part of a message; disconnect if it has too many, as parts can be empty."""
        super().handle_cont(event)
        if len(self.frames) > MOST_WAITING:
            self.transport.abort()

    def handle_ping(self) -> None:
        """Answer, or disconnect if there are too many."""
        now = time.monotonic()
        if now - self._since > PING_WINDOW:
            self._pings, self._since = 0, now
        self._pings += 1
        if self._pings > MOST_PINGS:
            self.transport.abort()
        else:
            super().handle_ping()

    def send_receive_event_to_app(self) -> None:
        """Pass a message on; disconnect if its text is invalid, or if too many are unprocessed."""
        if self.transport.is_closing() and not self.close_sent:
            self.frames = []
        elif self.queue.qsize() > MOST_WAITING:
            self.transport.abort()
        elif self.curr_msg_data_type == "text" and not is_text_frames(self.frames):
            self.conn.fail(NOT_TEXT)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    async def send(self, message: Any) -> None:
        """Send a message; raise `ClientDisconnected` if the socket has been closed."""
        if self.handshake_complete and self.close_sent and self.initial_response is None:
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True  # a denial response ends the handshake without an error


def is_text_frames(frames: list[bytes]) -> bool:
    """Return whether the frames of a message together are valid UTF-8."""
    try:
        b"".join(frames).decode()
    except UnicodeDecodeError:
        return False
    return True


def _hang_up_when_unread(transport: asyncio.Transport, seconds: float) -> None:
    """Have the kernel disconnect a client that reads nothing for `seconds`, even while it is being closed."""
    option, connected = getattr(socket, "TCP_USER_TIMEOUT", None), transport.get_extra_info("socket")
    if option is not None and connected is not None:
        with contextlib.suppress(OSError):
            connected.setsockopt(socket.IPPROTO_TCP, option, round(seconds * 1000))
