"""Let many people play on a site at once, all from this machine's address, and print what they noticed.

    python scripts/visitors.py https://play.example --people 200 --seconds 30
    python scripts/visitors.py https://play.example --people 3 --whole

Tables of three open the home page and a room, take their seats and play Lifeboats over WebSockets. An answer that does
not arrive is sent again on the next connection. The exit code is 1 if the site refused something or lost an answer, or
with `--whole` if a match did not end. Only for a site whose name leads to this machine.
"""

import argparse
import asyncio
import collections
import contextlib
import http.client
import ipaddress
import json
import random
import socket
import ssl
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

GAME, SEATS = "lifeboats", 3
MOST_PEOPLE, MOST_SECONDS = 600, 600.0
TOO_MANY = 1008
"""Code with which the site closes a socket that a limit refuses."""
LATE = ("StalePrompt", "Gone", "Changed")
"""Refusals of an answer that others overtook: the site decides alone where there is one choice."""


class Site:
    """The address of a site, and what all visitors noticed."""

    def __init__(self, address: str, authority: str | None) -> None:
        parts = urlsplit(address)
        assert parts.hostname, "expected an address like https://play.example"
        self.address, self.host = address.rstrip("/"), parts.hostname
        self.port = parts.port or (443 if parts.scheme == "https" else 80)
        self.tls = ssl.create_default_context(cafile=authority) if parts.scheme == "https" else None
        self.refused, self.closed = collections.Counter[str](), collections.Counter[str]()
        self.answers: list[float] = []
        self.over = False

    def is_here(self) -> bool:
        """Return whether the name of the site leads to this machine alone."""
        found = {entry[4][0] for entry in socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)}
        return all(ipaddress.ip_address(each).is_loopback for each in found)

    def request(self, path: str, cookies: dict[str, str], form: dict[str, str] | None = None) -> str:
        """Open a page, or send a form and return where it leads; keep cookies, and count what is refused."""
        kind = http.client.HTTPConnection if self.tls is None else http.client.HTTPSConnection
        more: dict[str, Any] = {} if self.tls is None else {"context": self.tls}
        with contextlib.closing(kind(self.host, self.port, timeout=60, **more)) as connection:
            headers = {"Origin": self.address, "Cookie": cookie_header(cookies), "Accept-Language": "en"}
            if form is None:
                connection.request("GET", path, headers=headers)
            else:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
                connection.request("POST", path, urlencode(form), headers)
            response = connection.getresponse()
            response.read()
        for cookie in response.headers.get_all("set-cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            cookies[name] = value
        if response.status >= 400:
            self.refused[f"{response.status} of {'a page' if form is None else 'a form'}"] += 1
        return urlsplit(response.headers.get("location", "")).path


def cookie_header(cookies: dict[str, str]) -> str:
    """Return the header in which a browser sends its cookies."""
    return "; ".join(f"{name}={value}" for name, value in cookies.items())


class Visitor:
    """A person at a table: takes a seat, then answers after `pause` seconds on average."""

    def __init__(self, site: Site, number: int, pause: float) -> None:
        self.site, self.name, self.dice, self.pause = site, f"Guest {number}", random.Random(number), pause
        self.cookies: dict[str, str] = {}
        self.code, self.sent, self.sent_at, self.finished = "", 0, 0.0, False
        self.waiting: dict[str, Any] | None = None
        self.state: dict[str, Any] = {}

    async def open(self, path: str, form: dict[str, str] | None = None) -> str:
        """Open a page or send a form, as `Site.request` does."""
        return await asyncio.to_thread(self.site.request, path, self.cookies, form)

    async def host(self) -> str:
        """Open the home page and a room; return its code."""
        await self.open("/")
        fields = {"game": GAME, "name": self.name, "patience": "0", "option-players": str(SEATS)}
        self.code = (await self.open("/rooms", fields)).split("/")[-1]
        return self.code

    async def join(self, code: str) -> None:
        """Open the home page and a room, and take a seat."""
        self.code = code
        await self.open("/")
        await self.open(f"/r/{code}")
        await self.open(f"/r/{code}/join", {"name": self.name})

    async def play(self) -> None:
        """Play until the match or the visit is over; connect again whenever the connection breaks."""
        address = f"{self.site.address.replace('http', 'ws', 1)}/r/{self.code}/socket?form=json"
        while self._is_here():
            try:
                cookie = {"Cookie": cookie_header(self.cookies)}
                async with connect(address, ssl=self.site.tls, additional_headers=cookie, compression=None) as line:
                    if self.waiting:
                        await line.send(json.dumps(self.waiting))
                    await self._converse(line)
            except ConnectionClosed as end:
                code = end.rcvd.code if end.rcvd else "cut"
                (self.site.refused if code == TOO_MANY else self.site.closed)[f"{code} of a socket"] += 1
            except InvalidStatus as error:
                status = error.response.status_code
                (self.site.refused if status < 500 else self.site.closed)[f"{status} of a socket"] += 1
            except (OSError, InvalidHandshake) as error:
                self.site.closed[type(error).__name__] += 1
            await asyncio.sleep(self.dice.uniform(0.2, 0.6))

    async def _converse(self, line: ClientConnection) -> None:
        answering = asyncio.create_task(self._answer(line))
        try:
            while self._is_here():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        await self._take(line, await line.recv())
        finally:
            answering.cancel()

    def _is_here(self) -> bool:
        """Return whether the visitor stays: until the match or the visit is over, and every answer has arrived."""
        return self.waiting is not None or not (self.finished or self.site.over)

    async def _answer(self, line: ClientConnection) -> None:
        """Answer each decision once, as long as the visit lasts."""
        while not self.site.over:
            await asyncio.sleep(self.dice.uniform(0.5, 1.5) * self.pause)
            if self.waiting is None and self.state.get("prompt_id") is not None:
                self.sent += 1
                code, prompt = self.dice.choice(self.state["legal"]), self.state["prompt_id"]
                self.waiting = {"type": "play", "command_id": f"v{self.sent}", "prompt_id": prompt, "code": code}
                self.state, self.sent_at = {}, time.monotonic()
                with contextlib.suppress(ConnectionClosed):  # it is sent again on the next one
                    await line.send(json.dumps(self.waiting))

    async def _take(self, line: ClientConnection, text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "echo":
            await line.send(text)
        elif message["type"] == "state":
            self.state, self.finished = message, message["phase"] == "over"
        elif self.waiting and message.get("command_id") == self.waiting["command_id"]:
            self.waiting = None
            self.site.answers.append(time.monotonic() - self.sent_at)
            if message["type"] == "refused" and message["kind"] not in LATE:
                self.site.refused[message["kind"]] += 1


async def visit(site: Site, people: int, seconds: float, pause: float) -> list[Visitor]:
    """Let people come at once, play for some seconds or, with 0, to the end; return them."""
    visitors = [Visitor(site, number, pause) for number in range(people)]
    tables = [visitors[first : first + SEATS] for first in range(0, people - people % SEATS, SEATS)]
    codes = await asyncio.gather(*(table[0].host() for table in tables))
    await asyncio.gather(*(guest.join(code) for table, code in zip(tables, codes, strict=True) for guest in table[1:]))
    await asyncio.gather(*(table[0].open(f"/r/{table[0].code}/start", {}) for table in tables))
    seated = [guest for table in tables for guest in table]
    if site.refused:
        return seated
    print(f"{people} people took their seats", flush=True)
    for guest in visitors[len(seated) :]:
        guest.code = codes[0]  # they watch
    playing = asyncio.gather(*(guest.play() for guest in visitors))
    if seconds:
        await asyncio.sleep(seconds)
        site.over = True
    await playing
    return seated


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--people", type=int, default=SEATS, help=f"at most {MOST_PEOPLE}")
    parser.add_argument("--seconds", type=float, default=30.0, help=f"at most {MOST_SECONDS:.0f}")
    parser.add_argument("--whole", action="store_true", help="play whole matches without pauses")
    parser.add_argument("--ca", help="certificate of the site, if no authority knows it")
    asked = parser.parse_args(arguments)
    site = Site(asked.address, asked.ca)
    if not site.is_here():
        parser.error(f"{site.host}: expected a name that leads to this machine")
    people, seconds = min(asked.people, MOST_PEOPLE), 0.0 if asked.whole else min(asked.seconds, MOST_SECONDS)
    seated = asyncio.run(asyncio.wait_for(visit(site, people, seconds, 0.05 if asked.whole else 2.0), 2 * MOST_SECONDS))
    unfinished = sum(not guest.finished for guest in seated) if asked.whole else 0
    middle, *_, late = statistics.quantiles(site.answers, n=100)[49:] if len(site.answers) > 1 else (0.0, 0.0)
    print(f"{len(site.answers)} answers, 50 % within {1000 * middle:.0f} ms, 99 % within {1000 * late:.0f} ms")
    print(f"connections that broke: {dict(site.closed) or 'none'}; refused: {dict(site.refused) or 'nothing'}")
    return int(bool(site.refused or unfinished or not site.answers))


if __name__ == "__main__":
    sys.exit(main())
