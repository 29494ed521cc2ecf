"""Requests to addresses that a stranger supplied, and their limits.

A push subscription names an address to which this server sends requests from inside its network. So:

- it is `https` on port 443, with a host's name or a public address, no user and no password, at most 1,000 characters;
- its name is resolved for every request, by separate threads; every address must be public (no loopback, private,
  link-local, shared or multicast one, nor one of these inside an IPv6 address);
- the connection goes to an address that was checked, so a name that resolves differently a moment later is harmless;
- its certificate must be valid for that name, so an internal service that accepts any request is not reached either;
- redirects are not followed; only status and `Retry-After` of the answer are read, within ten seconds and 16 kB;
- nothing of the answer is shown to a user.
"""

import asyncio
import ipaddress
import re
import socket
import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

import h11

from tavola.club.account_refusals import ClubRefusal
from tavola.club.sending.outbox import NotNow
from tavola.core.text import mark

PORT = 443
TIMEOUT = 10.0
"""Maximum seconds for resolving, connecting, sending and answering together."""
MOST_READ = 16_384
"""Maximum bytes read of an answer."""
MOST_ADDRESSES = 4
"""Maximum addresses of one name that are tried."""
LONGEST_ENDPOINT = 1_000
ENDPOINT = re.compile(r"https://[!-~]+", re.ASCII)
NAME = re.compile(r"(?=.{4,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
"""A host's name with a dot; names without one are local."""
NAT64 = ipaddress.ip_network("64:ff9b::/96")
UNICAST = ipaddress.ip_network("2000::/3")
"""The range of IPv6 assigned on the internet; local, reserved and old kinds of addresses are outside it."""
RANGES = (
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
    *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24"),
    *("192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
    *("224.0.0.0/4", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20"),
)
SPECIAL = tuple(map(ipaddress.ip_network, RANGES))
"""The networks in IANA's registries of special-purpose addresses, IPv4 and within `UNICAST`, and multicast.

Python's own list omits some, and differs between releases.
"""
RESOLVERS = ThreadPoolExecutor(4, "push-names")
"""Threads for names that may be slow on purpose, so that no other look-ups are delayed."""
IPAddress = IPv4Address | IPv6Address


class BadEndpoint(ClubRefusal):
    """An address to which nothing is pushed, or invalid keys."""

    message = mark("Notifications can’t be sent to this browser: this site doesn’t support its push service.")


class NotPublic(Exception):
    """A name that resolves to an address that is not public."""


class Answer(NamedTuple):
    """The status of an answer, and the seconds of its `Retry-After`."""

    status: int
    retry_after: float


def is_public(address: IPAddress) -> bool:
    """True for an address on the public internet, in any notation."""
    if isinstance(address, IPv6Address):
        if (inner := _inner(address)) is not None:
            return is_public(inner)
        if address not in UNICAST:
            return False
    return not any(address in network for network in SPECIAL)


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address embeds for a gateway, if any."""
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


@dataclass(frozen=True)
class Reach:
    """The permitted targets of requests: addresses by `allows`, and `ports`, None for any.

    `tls`: the trusted authorities, the machine's own if None; tests replace it.
    """

    allows: Callable[[IPAddress], bool] = is_public
    ports: frozenset[int] | None = frozenset({PORT})
    tls: ssl.SSLContext | None = field(default=None, repr=False)

    def check(self, endpoint: str) -> None:
        """Raise `BadEndpoint` for an impossible endpoint; names are resolved only when sending."""
        if len(endpoint) > LONGEST_ENDPOINT or not ENDPOINT.fullmatch(endpoint):
            raise BadEndpoint
        try:
            parts = urlsplit(endpoint)
            port, host = parts.port or PORT, parts.hostname or ""
        except ValueError as error:
            raise BadEndpoint from error
        if parts.username is not None or parts.password is not None or parts.fragment or "\\" in endpoint:
            raise BadEndpoint
        if not self._may_be(host) or (self.ports is not None and port not in self.ports):
            raise BadEndpoint

    def _may_be(self, host: str) -> bool:
        try:
            return self.allows(ipaddress.ip_address(host))
        except ValueError:
            return bool(NAME.fullmatch(host))

    async def post(self, endpoint: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Send a request and return the answer.

        Raise `BadEndpoint` or `NotPublic` if it must not be sent, `NotNow` if it could not be.
        """
        self.check(endpoint)
        parts = urlsplit(endpoint)
        try:
            async with asyncio.timeout(TIMEOUT):
                reader, writer = await self._connect(parts.hostname or "", parts.port or PORT)
                try:
                    return await _exchange(reader, writer, parts, headers, body)
                finally:
                    writer.transport.abort()
        except TimeoutError as error:
            raise NotNow("a push service did not answer") from error
        except (OSError, h11.RemoteProtocolError) as error:  # OSError: also an invalid certificate
            raise NotNow(f"a push service could not be reached: {type(error).__name__}") from error

    async def knock(self, host: str, port: int = PORT) -> None:
        """Connect to a host, encrypted, and close; raise `NotPublic`, or `OSError` with the reason if that fails."""
        async with asyncio.timeout(TIMEOUT):
            _, writer = await self._connect(host, port)
            writer.transport.abort()

    async def _connect(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to one of a host's checked addresses, encrypted for its name."""
        addresses = await self._addresses(host, port)
        trusted = self.tls or await asyncio.get_running_loop().run_in_executor(RESOLVERS, _machine_authorities)
        for number, address in enumerate(addresses, 1):
            try:
                return await asyncio.open_connection(address, port, ssl=trusted, server_hostname=host)
            except OSError:
                if number == len(addresses):
                    raise
        raise OSError("the host name has no address")

    async def _addresses(self, host: str, port: int) -> list[str]:
        def resolve() -> list[str]:
            return [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]

        found = list(dict.fromkeys(await asyncio.get_running_loop().run_in_executor(RESOLVERS, resolve)))
        if not all(self.allows(ipaddress.ip_address(address.partition("%")[0])) for address in found):
            raise NotPublic
        return found[:MOST_ADDRESSES]


@cache
def _machine_authorities() -> ssl.SSLContext:
    """Return the machine's trusted certificates, cached: reading them is slow."""
    return ssl.create_default_context()


def origin_of(endpoint: str) -> str:
    """Return scheme, host and port of an endpoint, as a signature names them."""
    parts = urlsplit(endpoint)
    port = f":{parts.port}" if parts.port not in (None, PORT) else ""
    host = parts.hostname or ""
    return f"https://{f'[{host}]' if ':' in host else host}{port}"


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    parts: SplitResult,
    headers: Mapping[str, str],
    body: bytes,
) -> Answer:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    own = {"Host": parts.netloc, "Content-Length": str(len(body)), "Connection": "close"}
    connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=MOST_READ)
    request = h11.Request(method="POST", target=target, headers=list({**own, **headers}.items()))
    for event in (request, h11.Data(data=body), h11.EndOfMessage()):
        writer.write(connection.send(event) or b"")
    await writer.drain()
    read = 0
    while read <= MOST_READ:
        answer = connection.next_event()
        if isinstance(answer, h11.Response):
            return Answer(answer.status_code, _seconds(dict(answer.headers).get(b"retry-after", b"")))
        if answer is h11.NEED_DATA:
            data = await reader.read(4096)
            read += len(data)
            connection.receive_data(data)
        elif not isinstance(answer, h11.InformationalResponse):
            break
    raise NotNow("a push service sent an invalid response")


def _seconds(text: bytes) -> float:
    """Return the seconds that `Retry-After` names; 0 for a date, or for none."""
    return float(text) if text.isdigit() and len(text) < 8 else 0.0
