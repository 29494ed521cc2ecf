"""Latency for other users while one address attacks: median and 99 % in windows with and without the attack.

    python benchmarks/attack.py                              every attack by itself, then all at once
    python benchmarks/attack.py --attacks replay home --rounds 5 --seconds 6

The server is `tavola serve` with its defaults, a separate process on 127.0.0.1 with its own file. The attacker, a
second process, sends requests from 127.0.0.1. Other users have three more addresses: players at tables who load the
home page, their room and the table in words, and send messages on their sockets. One request is due every 20
milliseconds, whatever the server does (open loop): one delayed by the request before it counts from when it was due.
Windows alternate, so that other load on the machine affects both. Bounded: 20,000 requests for each connection and
window, on loopback only.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import multiprocessing
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from measure import ROOT, processor_seconds, show
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from tavola import games
from tavola.core import Match
from tavola.live import Hub, Person
from tavola.show import speech
from tavola.store import open_store

GOOD = "an attack adds at most 3 ms to the other users' median and 15 ms to their 99th percentile."
HEADINGS = ("attack", "others 50 %, off", "on", "99 %, off", "on", "answered", "refused", "server, CPU cores")
ATTACKER = "127.0.0.1"
OTHERS = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
LONG_GAMES = ("fairies", "tournament")
MATCHES_EACH = 12
EVERY = 0.02
"""Seconds between two requests of other users."""
REST = 2.0
"""Seconds for which a server must be nearly idle before it is attacked."""
MOST_REQUESTS = 20_000
LANGUAGES = tuple(speech.LANGUAGES)
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
Attack = Callable[["Line"], str]
"""Does one thing over a connection, and returns the result: a status, or a word."""
HALVES_OPEN = 40
"""Maximum half-sent bodies of one attacker, each on its own connection."""
PAUSE = 0.005
"""Seconds between two half-sent bodies, or two messages on a socket."""
MESSAGES = (
    '{{"type":"note","command_id":"{id}","about":1,"mark":"{mark}"}}',
    '{{"type":"say","command_id":"{id}","text":"buy {id}"}}',
    '{{"type":"plan","command_id":"{id}","prompt_id":1,"codes":["x"]}}',
    '{{"type":"ping"}}',
)
"""Messages on sockets: changing guesses, chat lines, plans, and one that costs nothing."""


class Line:
    """A connection that stays open, from an address of this machine."""

    def __init__(self, port: int, source: str) -> None:
        self.port, self.source = port, source
        self._socket: socket.socket | None = None
        self.halves: deque[socket.socket] = deque()
        self.talk: ClientConnection | None = None
        self.numbers = itertools.count()

    def connect(self) -> socket.socket:
        return socket.create_connection((ATTACKER, self.port), 30, (self.source, 0))

    def ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request; return the status and the whole response."""
        if self._socket is None:
            self._socket = self.connect()
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(request)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self._read()
        head, _, body = answer.partition(b"\r\n\r\n")
        found = LENGTH.search(head)
        while found is not None and len(body) < int(found[1]):
            body += self._read()
        if b"connection: close" in head.lower():
            self.close()
        return int(head[9:12]), head + body

    def _read(self) -> bytes:
        assert self._socket is not None
        piece = self._socket.recv(1 << 18)
        if not piece:
            raise ConnectionError
        return piece

    def close(self) -> None:
        """Close the connection."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def get(path: str, language: str = "en", cookie: str = "") -> bytes:
    """Return a request for a page."""
    more = f"Cookie: {cookie}\r\n" if cookie else ""
    return f"GET {path} HTTP/1.1\r\nHost: {ATTACKER}\r\nAccept-Language: {language}\r\n{more}\r\n".encode()


def post(path: str, **fields: str) -> bytes:
    """Return a request that posts a form."""
    head, body = f"POST {path} HTTP/1.1\r\nHost: {ATTACKER}", urlencode(fields)
    kind = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}"
    return f"{head}\r\n{kind}\r\n\r\n{body}".encode()


# The matches on the site


def long_record(game: str, seed: int) -> str:
    """Return the record of a random match, played to its end."""
    match, dice = Match(games.load(game), seed=seed), random.Random(seed)
    while not match.over:
        seat = dice.choice(match.to_act)
        match.play(dice.choice(match.legal_numbers(seat)), seat)
    return str(match.record())


async def keep_matches(database: Path) -> dict[str, list[str]]:
    """Store long matches in a database; return the codes of their rooms by game."""
    hub, codes = await Hub.open(open_store(database)), dict[str, list[str]]()
    for game, seed in itertools.product(LONG_GAMES, range(MATCHES_EACH)):
        room = await hub.import_record(Person("0" * 32, "Ada"), long_record(game, seed))
        codes.setdefault(game, []).append(room.id)
    await hub.close()
    hub.store.close()
    return codes


@contextlib.contextmanager
def served(database: Path) -> Iterator[tuple[int, int]]:
    """Run the site with its defaults; yield its port and its process id."""
    command = [sys.executable, "-m", "tavola", "serve", "--port", "0", "--database", str(database)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603 - ourselves
    assert process.stdout is not None
    try:
        port = re.search(r":(\d+)/", process.stdout.readline())
        assert port is not None
        yield int(port[1]), process.pid
    finally:
        process.terminate()
        process.wait(60)


def wait_for_rest(pid: int) -> None:
    """Wait until a new server has loaded the bots' data and is idle."""
    spent = processor_seconds(pid)
    while True:
        time.sleep(REST)
        before, spent = spent, processor_seconds(pid)
        if spent - before < REST / 20:
            return


# The attacks


def asking(ask: Callable[[], bytes]) -> Attack:
    """Return an attack that requests a page."""
    return lambda line: str(line.ask(ask())[0])


def half(line: "Line") -> str:
    """Begin a request with a large body and leave it unfinished; beyond `HALVES_OPEN` the oldest is closed."""
    time.sleep(PAUSE)
    while len(line.halves) >= HALVES_OPEN:
        line.halves.popleft().close()
    opened = line.connect()
    opened.settimeout(0.5)
    line.halves.append(opened)
    opened.sendall(post("/import", text="x" * 500_000)[:250_000])
    return "half"


def message(line: "Line") -> str:
    """Send a message on the socket of a match against bots; another thread reads the replies."""
    time.sleep(PAUSE)
    if line.talk is None:
        line.talk = socket_of(line, *begin_match(line))
        threading.Thread(target=_read_all, args=(line.talk,), daemon=True).start()
    number = next(line.numbers)
    try:
        line.talk.send(MESSAGES[number % len(MESSAGES)].format(id=f"x{number}", mark=("", "sailor")[number >> 2 & 1]))
    except WebSocketException:
        line.talk = None
        return "hung up"
    return "sent"


def _read_all(talk: ClientConnection) -> None:
    with contextlib.suppress(WebSocketException):
        for _ in talk:
            pass


def begin_match(line: "Line") -> tuple[str, str]:
    """Begin a match against bots; return the code of its room and the player's cookie."""
    answer = line.ask(post("/quick", game="voyage", level="greedy"))[1]
    code = re.search(rb"location: \S*/r/(\w+)", answer)
    cookie = re.search(rb"set-cookie: (tavola-[^;]+|__Host-tavola-[^;]+)", answer)
    if code is None or cookie is None:
        raise ConnectionError(answer[:300])
    return code[1].decode(), cookie[1].decode()


def socket_of(line: "Line", code: str, cookie: str) -> ClientConnection:
    """Open the socket of a room, for a program."""
    opened = connect(
        f"ws://{ATTACKER}:{line.port}/r/{code}/socket?form=json",
        additional_headers={"Cookie": cookie},
        source_address=(line.source, 0),
        compression=None,
        ping_interval=None,
    )
    return contextlib.ExitStack().enter_context(opened)


def attacks(codes: dict[str, list[str]]) -> dict[str, list[Attack]]:
    """Return, by name, what each connection of an attack does repeatedly."""
    every, record = [code for mine in codes.values() for code in mine], long_record("fairies", 99)

    def of_room(path: str = "") -> str:
        return f"/r/{random.choice(every)}{path}"

    def page(path: str) -> bytes:
        return get(path, random.choice(LANGUAGES))

    asked: dict[str, list[Callable[[], bytes]]] = {
        "replay": [lambda: page(of_room(f"/replay?at={random.randrange(400)}&as={random.choice(('', '0', '1'))}"))] * 3,
        "home": [lambda: page("/")] * 4,
        "open": [lambda: page(of_room())] * 3,
        "import": [lambda: post("/import", text=record), *[lambda: get(of_room("/record"))] * 2],
        "rules": [lambda: page(f"/games/{random.choice(LONG_GAMES)}/rules?{random.random()}")] * 2,
        "forms": [lambda: post(of_room(random.choice(("/say", "/note", "/mute", "/play"))), text="buy!", code="x")] * 2,
        "guesses": [lambda: get(f"/r/{''.join(random.choices('bdfgaeiou', k=6))}")] * 2,
    }
    over_lines = {name: [asking(ask) for ask in all_] for name, all_ in asked.items()}
    return {**over_lines, "halves": [half], "messages": [message] * 2}


def attack(port: int, act: Attack, over: threading.Event, told: Counter[str]) -> None:
    """Attack over one connection while the window is open."""
    line = Line(port, ATTACKER)
    for _ in range(MOST_REQUESTS):
        if over.is_set():
            return
        try:
            told[act(line)] += 1
        except (OSError, WebSocketException):
            told["hung up"] += 1
            time.sleep(PAUSE)
            line.close()


def attacker(port: int, codes: dict[str, list[str]], orders: Any) -> None:
    """Run the attacking process: an attack's name begins a window, an empty one ends it, None ends the process."""
    os.nice(5)
    known = attacks(codes)
    while (names := orders.recv()) is not None:
        over, told = threading.Event(), Counter[str]()
        acts = (act for name in names for act in known[name])
        working = [threading.Thread(target=attack, args=(port, act, over, told)) for act in acts]
        for thread in working:
            thread.start()
        orders.recv()
        over.set()
        for thread in working:
            thread.join()
        orders.send(dict(told))


# The others


class Guest:
    """A player at a table, and their requests."""

    def __init__(self, port: int, source: str) -> None:
        self.line = Line(port, source)
        code, cookie = begin_match(self.line)
        self.socket = socket_of(self.line, code, cookie)
        self.asked = [get(path, cookie=cookie) for path in ("/", f"/r/{code}", f"/r/{code}/words")]

    def do(self, number: int) -> None:
        """Send one request, or a message on the socket, and wait for the answer."""
        place = number % (len(self.asked) + 1)
        if place < len(self.asked):
            status, answer = self.line.ask(self.asked[place])
            assert status == 200, answer[:300]
            return
        self.socket.send('{"type":"ping"}')
        while (told := json.loads(self.socket.recv(30)))["type"] != "pong":
            assert told["type"] != "refused", told


class Others:
    """Some players who take turns, with the latency of each request."""

    def __init__(self, port: int) -> None:
        self.guests = [Guest(port, source) for source in OTHERS]

    def watch(self, seconds: float) -> list[float]:
        """Return the latencies in a window, in milliseconds from when requests were due."""
        for guest in self.guests:  # the server closes idle connections
            guest.line.close()
        began, took = time.perf_counter(), []
        for number in range(int(seconds / EVERY)):
            due = began + number * EVERY
            time.sleep(max(0.0, due - time.perf_counter()))
            self.guests[number % len(self.guests)].do(number // len(self.guests))
            took.append((time.perf_counter() - due) * 1000)
        return took


def windows(others: Others, names: list[str], orders: Any, rounds: int, seconds: float, pid: int) -> dict[str, Any]:
    """Run one attack in windows; return latencies without and with it, and the results of the attacker's requests."""
    off, on, told, spent = list[tuple[float, float]](), list[tuple[float, float]](), Counter[str](), 0.0
    for _ in range(rounds):
        off.append(percentiles(others.watch(seconds)))
        orders.send(names)
        before = processor_seconds(pid)
        on.append(percentiles(others.watch(seconds)))
        spent += processor_seconds(pid) - before
        orders.send("")
        told.update(orders.recv())
        time.sleep(1)
    used = round(spent / rounds / seconds, 2)
    return {"attack": " + ".join(names), "off": off, "on": on, "answered": {**told}, "server, processors": used}


def percentiles(took: list[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile."""
    cuts = statistics.quantiles(took, n=100)
    return round(cuts[49], 2), round(cuts[98], 2)


def shown(row: dict[str, Any]) -> list[str]:
    """Return a row of the table: medians over the windows."""
    off, on = ([statistics.median(column) for column in zip(*row[which], strict=True)] for which in ("off", "on"))
    told = row["answered"]
    well = sum(number for status, number in told.items() if status[0] in "23" or status in ("half", "sent"))
    figures = (f"{figure:.1f}" for pair in zip(off, on, strict=True) for figure in pair)
    return [row["attack"], *figures, str(well), str(sum(told.values()) - well), f"{row['server, processors']:.2f}"]


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--attacks", nargs="+", default=[])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "attack.sqlite"
        codes = asyncio.run(keep_matches(database))
        show(HEADINGS, map(shown, list(measured(asked, database, codes))), GOOD)


def measured(asked: argparse.Namespace, database: Path, codes: dict[str, list[str]]) -> Iterator[dict[str, Any]]:
    """Measure every attack on a newly started server, so that nothing attacked is in its memory."""
    context = multiprocessing.get_context("spawn")
    for name in asked.attacks or [*attacks(codes), "all"]:
        names = list(attacks(codes)) if name == "all" else [name]
        with served(database) as (port, pid):
            orders, theirs = context.Pipe()
            process = context.Process(target=attacker, args=(port, codes, theirs))
            process.start()
            others = Others(port)
            others.watch(4)
            wait_for_rest(pid)
            row = windows(others, names, orders, asked.rounds, asked.seconds, pid)
            print(json.dumps(row), flush=True)
            yield row
            orders.send(None)
            process.join(60)


if __name__ == "__main__":
    main()
