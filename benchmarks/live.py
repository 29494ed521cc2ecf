"""Moves per second that one server can carry, and the delay until the last of six people at a table sees a move.

    python benchmarks/live.py                      both kinds of clients, rising rates, a table at the end
    python benchmarks/live.py --mode html --rooms 100 --rates 300 --seconds 20
    python benchmarks/live.py --mode html --kept sqlite postgresql postgresql-2 --rates 100 200 --rounds 3

Rooms are stored in a file, or on a PostgreSQL of the benchmark's own that syncs every commit, with the given number of
workers. With `-shared` the workers share one port, as with `tavola serve --workers`, and hand connections over.
Otherwise each has its own port: the six clients of a table use the same one, as behind a proxy that routes by path, or
with `-spread` different ones, as behind a proxy that does not. Rounds of all kinds alternate, so that other load on the
machine affects all of them.

The server is the real one, a separate process on 127.0.0.1; every move is synced to disk before it is sent to anyone.
This process is the load: six clients for each room over real WebSockets, either pages (`html`) or programs (`json`), at
tables that are at different points of their matches. Moves are due at fixed times whatever the server does (open loop):
a move delayed by the one before it counts from when it was due. The latency is the time from then until the last of the
six has received the change.

The load runs on the cores of the server it measures. So it parses only a message's kind and number, and the choices.
"""

import argparse
import asyncio
import base64
import contextlib
import heapq
import itertools
import json
import os
import random
import re
import select
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
from measure import ROOT, processor_seconds, show, start_postgres

GOOD = """99 % within 50 ms at 300 moves per second with one worker, and at 1.6 times that rate with two on \
PostgreSQL; a room with six sockets takes at most 420 KB."""
SEATS = 6
MOST_MOVES = 20_000
APART = 40
"""Maximum difference between tables in moves: about two rounds, so that they do not all reveal their ballots
together."""
WARM_UP = 2.0
"""Seconds at the beginning of a run that are not measured."""
HAVE = re.compile(r'data-have="([^"]*)"')
PATIENT = 30.0
"""Seconds after which a move that was not sent to everyone counts as lost, and the run ends."""
MOST = 1 << 18
"""Maximum bytes in a read."""
TEXT, PING, PONG = 1, 9, 10
CHANGE = re.compile(rb'\{"type":"(?:state|fragments)","seq":(\d+)')
ANSWER = (b'{"type":"acknowledged"', b'{"type":"refused"')
OVER = b'{"type":"page"'
ACTIONS = b'"actions":'
PROMPT = re.compile(r'name="prompt_id" value="(\d+)"')
CODE = re.compile(r'(?:name="code" value|<option value)="([^"]+)"')
STATE = re.compile(rb'"prompt_id":(\d+),"undo_id":\w+,"legal":(\[[^\]]*\])')

COLUMNS = {
    "kept": "stored in",
    "mode": "clients",
    "rooms": "rooms",
    "sockets": "sockets",
    "moves_a_second": "moves per second",
    "p50_ms": "50 %, ms",
    "p99_ms": "99 %, ms",
    "bytes_a_move_and_client": "bytes per move and client",
    "server_cpu": "server, CPU cores",
    "server_ms_a_move": "server, ms per move",
    "database_ms_a_move": "PostgreSQL, ms per move",
    "load_ms_a_move": "load, ms per move",
}


# The server, in a process of its own


def serve(asked: argparse.Namespace) -> None:
    """Run the real server without rate limits for single visitors, because all of them use one machine.

    It is one process, or `workers` that share a port, or one of those.
    """
    if asked.workers > 1 and asked.listening is None:
        serve_together(asked)
        return
    from tavola.web.requests.limits import UNHURRIED, Limits
    from tavola.web.serve.affinity import AffinityRouter
    from tavola.web.serve.server import serve as serve_site
    from tavola.web.serve.settings import SiteSettings
    from tavola.web.serve.supervisor import READY

    settings = SiteSettings(
        asked.serve if "://" in asked.serve else Path(asked.serve),
        port=0,
        limits=replace(UNHURRIED, sockets=10**6, niceness=Limits.niceness),
        listening=None if asked.listening is None else socket.socket(fileno=asked.listening),
        affinity=None if asked.place is None else AffinityRouter(asked.place, asked.workers),
    )
    serve_site(settings, lambda address: print(address if asked.listening is None else READY, flush=True))


def serve_together(asked: argparse.Namespace) -> None:
    """Run workers that share a port, as `tavola serve --workers` starts them."""
    from tavola.web.requests.wire import BACKLOG
    from tavola.web.serve.listening import site_url
    from tavola.web.serve.supervisor import Supervisor

    with socket.create_server(("127.0.0.1", 0), backlog=BACKLOG) as listening, tempfile.TemporaryDirectory() as places:
        command = [sys.executable, __file__, "--serve", asked.serve, "--workers", str(asked.workers)]
        crew = Supervisor(asked.workers, command, listening.fileno(), Path(places))

        async def serve_all() -> None:
            serving = asyncio.create_task(crew.serve(lambda: None))
            while len(crew.workers) < asked.workers and not serving.done():  # noqa: ASYNC110 - it has no event
                await asyncio.sleep(0.1)
            print(site_url(listening.getsockname()), flush=True)
            await serving

        asyncio.run(serve_all())


def children(pid: int) -> list[int]:
    """Return the child processes of a process."""
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


class Server:
    """The running server from outside: one process, or several workers on one PostgreSQL."""

    def __init__(self, folder: str, kept: str) -> None:
        self.postgres = None if kept == "sqlite" else start_postgres()
        database = f"{folder}/live.sqlite" if self.postgres is None else self.postgres.new_database()
        count, self.shared = int("".join(filter(str.isdecimal, kept)) or 1), kept.endswith("-shared")
        command = [sys.executable, __file__, "--serve", database]
        commands = [[*command, "--workers", str(count)]] if self.shared else [command] * count
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.started = [
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603 - ourselves
            for command in commands
        ]
        self.addresses = [said.stdout.readline().strip() for said in self.started if said.stdout is not None]
        self.address, self.spread = self.addresses[0], kept.endswith("-spread")

    @property
    def processes(self) -> list[int]:
        """Process ids of all workers."""
        first = [process.pid for process in self.started]
        return first + (children(first[0]) if self.shared else [])

    def place(self, table: int, seat: int) -> str:
        """Return the address to which a client is connected."""
        return self.addresses[(seat if self.spread else table) % len(self.addresses)]

    def kilobytes(self) -> int:
        """Return the resident memory of all workers in kilobytes."""
        texts = (Path(f"/proc/{pid}/status").read_text() for pid in self.processes)
        return sum(int(text.partition("VmRSS:")[2].split()[0]) for text in texts)

    def seconds(self) -> float:
        """Return the CPU seconds of all workers so far."""
        return sum(map(processor_seconds, self.processes))

    def database_seconds(self) -> float:
        """Return the CPU seconds of PostgreSQL so far; 0 for SQLite."""
        if self.postgres is None:
            return 0.0
        return sum(map(processor_seconds, (self.postgres.pid, *children(self.postgres.pid))))

    def close(self) -> None:
        """Stop the server as an operator would."""
        for process in self.started:
            process.terminate()
        for process in self.started:
            process.wait(60)
        if self.postgres is not None:
            self.postgres.close()


# The load: clients at tables, over real WebSockets, in one loop that uses little CPU time


class Client:
    """A client at a table, a page or a program: what it has received, and its prompt."""

    def __init__(self, seat: int, cookie: str) -> None:
        self.seat, self.cookie = seat, cookie
        self.seq, self.seen, self.bytes = 0, 0.0, 0
        self.prompt_id: int | None = None
        self._choices: list[str] = []
        self._actions = ""
        self._socket: socket.socket | None = None
        self._rest = b""

    def connect(self, host: str, port: int, path: str) -> int:
        """Open the connection; return its descriptor."""
        line = socket.create_connection((host, port), timeout=PATIENT)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {self.cookie}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += line.recv(MOST)
            assert answer, "the connection was refused"
        head, _, self._rest = answer.partition(b"\r\n\r\n")
        assert b" 101 " in head.partition(b"\r\n")[0], head
        line.setblocking(False)
        self._socket = line
        return line.fileno()

    def close(self) -> None:
        """Close the connection."""
        assert self._socket is not None
        self._socket.close()

    def received(self) -> Iterator[bytes]:
        """Yield the messages that have arrived."""
        assert self._socket is not None
        piece = self._socket.recv(MOST)
        self.seen = time.perf_counter()
        assert piece, "the server closed the connection"
        data, at = self._rest + piece if self._rest else piece, 0
        while (found := frame(data, at)) is not None:
            kind, begin, at = found
            if kind == TEXT:
                self.bytes += at - begin
                yield data[begin:at]
            elif kind == PING:
                self._send(PONG, data[begin:at])
            else:
                raise AssertionError(f"the server closed the connection: {data[begin:at]!r}")
        self._rest = data[at:]

    def take(self, message: bytes) -> bool:
        """Record what a message shows; return whether it shows anything."""
        change = CHANGE.match(message)
        if change is None:
            return False
        self.seq = int(change[1])
        if message.startswith(b'{"type":"state"'):
            asked = STATE.search(message)
            self.prompt_id, self._choices = (int(asked[1]), json.loads(asked[2])) if asked else (None, [])
        elif ACTIONS in message and (actions := json.loads(message)["fragments"].get("actions")) is not None:
            self._actions = actions if isinstance(actions, str) else patched(self._actions, actions)
            self.read(self._actions)
        return True

    def read(self, page: str) -> None:
        """Record the prompt of a page, or of its actions."""
        prompt = PROMPT.search(page)
        self.prompt_id, self._choices = (int(prompt[1]), CODE.findall(page)) if prompt else (None, [])

    def play(self, command_id: str, dice: random.Random) -> None:
        """Answer the prompt with a random choice."""
        code = dice.choice(self._choices)
        document = {"type": "play", "command_id": command_id, "prompt_id": self.prompt_id, "code": code}
        self.prompt_id = None
        self._send(TEXT, json.dumps(document).encode())

    def _send(self, kind: int, payload: bytes) -> None:
        """Send a frame, with the required mask, all zeros."""
        assert self._socket is not None
        assert len(payload) < 1 << 16
        short = len(payload) < 126
        size = bytes([0x80 | len(payload)]) if short else struct.pack("!BH", 0x80 | 126, len(payload))
        self._socket.sendall(bytes([0x80 | kind]) + size + bytes(4) + payload)


def patched(before: str, patch: list[Any]) -> str:
    """Return a text after a patch: triples of a start, an end, and what replaces the characters between."""
    parts, at = [], 0
    for start, end, part in zip(*[iter(patch)] * 3, strict=True):
        parts += [before[at:start], part]
        at = end
    return "".join([*parts, before[at:]])


def frame(data: bytes, at: int) -> tuple[int, int, int] | None:
    """Return a frame's kind, and the beginning and end of its content; None unless it has arrived completely."""
    if len(data) < at + 2:
        return None
    length, begin = data[at + 1], at + 2
    if length >= 126:
        size = 2 if length == 126 else 8
        length, begin = int.from_bytes(data[begin : begin + size]), begin + size
    if len(data) < begin + length or begin > len(data):
        return None
    assert data[at] & 0x80, "expected a message in one frame"
    return data[at] & 15, begin, begin + length


class Table:
    """Six clients of one room, who play one move after the other."""

    def __init__(self, code: str, clients: list[Client], dice: random.Random) -> None:
        self.code, self.clients, self.dice = code, clients, dice
        self.moves = 0
        self.due: float | None = None
        """Time when the current move was due."""
        self._sent = ""
        self._acknowledged = 0

    def begin(self, due: float) -> None:
        """Begin a move that is or was due."""
        self.due, self._acknowledged = due, 0
        self._play()

    def hear(self, client: Client) -> float | None:
        """Process what has arrived for a client; return the move's latency in seconds once everyone has received it."""
        for message in client.received():
            if not client.take(message) and message.startswith(ANSWER):
                answer = json.loads(message)
                assert answer["type"] == "acknowledged", f"a legal move was refused: {answer}"
                if answer.get("command_id") == self._sent:
                    self._acknowledged = answer["seq"]
            assert not message.startswith(OVER), "expected matches that continue: use more rooms or fewer moves"
        if self.due is None:
            return None
        if not self._sent:
            self._play()
        elif self._acknowledged and all(other.seq >= self._acknowledged for other in self.clients):
            took, self.due, self._sent = max(other.seen for other in self.clients) - self.due, None, ""
            return took
        return None

    def _play(self) -> None:
        client = next((client for client in self.clients if client.prompt_id is not None), None)
        if client is not None:
            self.moves += 1
            self._sent = f"{self.code}-{self.moves}"
            client.play(self._sent, self.dice)


class Lines:
    """All connections of all tables."""

    def __init__(self) -> None:
        self._poll = select.epoll()
        self._ends: dict[int, tuple[Table, Client]] = {}

    def add(self, table: Table, client: Client, descriptor: int) -> None:
        self._ends[descriptor] = table, client
        self._poll.register(descriptor, select.EPOLLIN)

    def close(self) -> None:
        self._poll.close()
        for _, client in self._ends.values():
            client.close()

    def run(self, dues: dict[Table, Sequence[float]], warm_up: float) -> list[float]:
        """Play moves of tables when they are due, in seconds from now; return latencies of those after `warm_up`."""
        waits, latencies = {table: iter(mine) for table, mine in dues.items()}, list[float]()
        began, left = time.perf_counter() + 0.1, sum(map(len, dues.values()))
        following = [(next(mine), number, table) for number, (table, mine) in enumerate(waits.items())]
        heapq.heapify(following)
        numbers = {table: number for _, number, table in following}
        heard = began
        while left:
            now = time.perf_counter()
            while following and began + following[0][0] <= now:
                due, _, table = heapq.heappop(following)
                table.begin(began + due)
            for table, due, took in self._hear(following[0][0] + began - now if following else 1.0):
                heard, left = time.perf_counter(), left - 1
                if due - began >= warm_up:
                    latencies.append(took)
                if (more := next(waits[table], None)) is not None:
                    heapq.heappush(following, (more, numbers[table], table))
            assert time.perf_counter() - heard < PATIENT, "a move was lost"
        return latencies

    def _hear(self, seconds: float) -> Iterator[tuple[Table, float, float]]:
        """Process what arrives within `seconds`; yield tables whose move is complete, its due time and its latency."""
        for descriptor, _ in self._poll.poll(min(1.0, max(0.0, seconds))):
            table, client = self._ends[descriptor]
            due = table.due
            took = table.hear(client)
            if took is not None and due is not None:
                yield table, due, took


def opened_tables(server: Server, count: int) -> list[Table]:
    """Open rooms with six people each, using the same forms as a browser; begin matches, but open no sockets."""
    tables, dice = [], random.Random(1)
    with httpx.Client(timeout=30) as web:
        for number in range(count):
            web.base_url = httpx.URL(server.place(number, 0))
            cookies, code = [], ""
            for seat in range(SEATS):
                web.cookies.clear()
                form = {"game": "lifeboats", "option-players": str(SEATS), "patience": "0", "name": f"P{seat}"}
                answer = web.post(f"/r/{code}/join" if code else "/rooms", data=form)
                code = code or answer.headers["location"].rpartition("/")[2]
                # The cookie that identifies a client, as it is sent back: its name includes the port.
                own = (f"{name}={value}" for name, value in answer.cookies.items() if name.startswith("tavola"))
                cookies.append(next(own))
            web.cookies.clear()
            started = web.post(f"/r/{code}/start", headers={"Cookie": cookies[0]})
            assert started.status_code == 303, started.text
            tables.append(Table(code, [Client(seat, cookie) for seat, cookie in enumerate(cookies)], dice))
    return tables


@contextlib.contextmanager
def connected(server: Server, tables: list[Table], mode: str) -> Iterator[Lines]:
    """Connect all clients, with html after loading the page; close the sockets at the end of the block."""
    lines = Lines()
    with contextlib.closing(lines), httpx.Client(timeout=30) as web:
        for number, table in enumerate(tables):
            for client in table.clients:
                page, asked = f"{server.place(number, 0)}r/{table.code}", "form=json"
                if mode == "html":
                    text = web.get(page, headers={"Cookie": client.cookie}).text
                    client.read(text)
                    asked = f"have={HAVE.findall(text)[0]}&patches=related"
                at = httpx.URL(server.place(number, client.seat))
                assert at.port is not None
                lines.add(table, client, client.connect(at.host, at.port, f"/r/{table.code}/socket?{asked}"))
        yield lines


def spread(lines: Lines, tables: list[Table]) -> None:
    """Bring tables to different points of their matches, as in real use."""
    ahead = {table: [0.0] * (APART * number // len(tables)) for number, table in enumerate(tables)}
    lines.run({table: mine for table, mine in ahead.items() if mine}, 0)


def dues(tables: list[Table], rate: float, seconds: float) -> dict[Table, Sequence[float]]:
    """Return when moves are due, in seconds from the beginning: at that rate, of the tables in turn."""
    times = [number / rate for number in range(moves_of(rate, seconds))]
    return {table: times[number :: len(tables)] for number, table in enumerate(tables)}


def moves_of(rate: float, seconds: float) -> int:
    """Return the number of moves."""
    return min(MOST_MOVES, int(rate * seconds))


def measure(kept: str, mode: str, rooms: int, rates: list[float], seconds: float) -> list[dict[str, object]]:
    """Measure all rates on one server, each on rooms of its own; return a row for each."""
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(Server(folder, kept)) as server:
        server_at_rest(server, mode)
        for rate in rates:
            rows.append({"kept": kept, **one_rate(server, mode, rooms, rate, seconds)})
            print(json.dumps(rows[-1]), flush=True)
    return rows


def server_at_rest(server: Server, mode: str) -> None:
    """Play a little until everything that is loaded once has been loaded: memory has stopped growing."""
    tables = opened_tables(server, 2)
    with connected(server, tables, mode) as lines:
        lines.run(dues(tables, 20, 5), WARM_UP)
    before = 0
    while before < (before := server.kilobytes()):
        time.sleep(3)


def one_rate(server: Server, mode: str, rooms: int, rate: float, seconds: float) -> dict[str, object]:
    """Measure one rate, as a row of the table. Memory is what the first run adds to a server at rest."""
    empty = server.kilobytes()
    tables = opened_tables(server, rooms)
    with_rooms = server.kilobytes()
    with connected(server, tables, mode) as lines:
        time.sleep(1)
        with_sockets = server.kilobytes()
        spread(lines, tables)
        row = played(server, lines, tables, rate, seconds)
        after = server.kilobytes()
    return {
        "mode": mode,
        "rooms": rooms,
        "sockets": rooms * SEATS,
        **row,
        "kilobytes_a_room": round((with_rooms - empty) / rooms),
        "kilobytes_a_socket": round((with_sockets - with_rooms) / rooms / SEATS),
        "kilobytes_a_room_with_sockets_after_play": round((after - empty) / rooms),
        "moves_a_room": tables[0].moves,
        "server_megabytes": round(after / 1024),
    }


def played(server: Server, lines: Lines, tables: list[Table], rate: float, seconds: float) -> dict[str, object]:
    """Play moves at a rate; return their measurements."""
    cpu, database = server.seconds(), server.database_seconds()
    mine, began = time.process_time(), time.perf_counter()
    sent = sum(client.bytes for table in tables for client in table.clients)
    latencies = lines.run(dues(tables, rate, seconds), WARM_UP)
    took = time.perf_counter() - began
    sent = sum(client.bytes for table in tables for client in table.clients) - sent
    cuts, moves = statistics.quantiles(latencies, n=100), moves_of(rate, seconds)
    return {
        "rate": rate,
        "moves_a_second": round(moves / took, 1),
        "p50_ms": round(cuts[49] * 1000, 1),
        "p99_ms": round(cuts[98] * 1000, 1),
        "worst_ms": round(max(latencies) * 1000, 1),
        "bytes_a_move_and_client": round(sent / moves / SEATS),
        "server_cpu": round((server.seconds() - cpu) / took, 2),
        "server_ms_a_move": round((server.seconds() - cpu) / moves * 1000, 2),
        "database_ms_a_move": round((server.database_seconds() - database) / moves * 1000, 2),
        "load_ms_a_move": round((time.process_time() - mine) / moves * 1000, 2),
        "load_cpu": round((time.process_time() - mine) / took, 2),
    }


def main() -> None:
    """Parse arguments, measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mode", choices=["json", "html", "both"], default="both")
    stores = "where rooms are stored, with how many workers: sqlite, postgresql, postgresql-2, -2-shared, -2-spread"
    parser.add_argument("--kept", nargs="+", default=["sqlite"], help=stores)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--rates", type=float, nargs="+", default=[50, 100, 200, 300, 400])
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--listening", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--place", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve(asked)
        return
    rows = []
    modes = ("json", "html") if asked.mode == "both" else (asked.mode,)
    for _, mode, kept in itertools.product(range(asked.rounds), modes, asked.kept):
        rows += measure(kept, mode, asked.rooms, asked.rates, asked.seconds)
    show(list(COLUMNS.values()), ([row[name] for name in COLUMNS] for row in rows), GOOD)


if __name__ == "__main__":
    main()
