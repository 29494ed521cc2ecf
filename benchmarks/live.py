"""How many moves a second one server carries, and how long a move takes to the last of six people at a table.

    python benchmarks/live.py                      both kinds of clients, rising rates, a table at the end
    python benchmarks/live.py --mode html --rooms 100 --rates 300 --seconds 20
    python benchmarks/live.py --mode html --kept sqlite postgresql postgresql-2 --rates 100 200 --rounds 3

Rooms are kept in a file, or on a PostgreSQL of the benchmark's own that syncs every commit, there by so many workers:
each a server of its own port. The six of a table are with one of them, as behind a proxy that goes by the path, or
with `postgresql-2-spread` each with another, as behind one that goes by nothing. Rounds of all kinds alternate, so that
whatever else the machine does falls on each of them.

The server is the real one, a process of its own on 127.0.0.1, every move synced to its file before anybody hears of it.
This process is the load: six clients a room over real WebSockets, pages (`html`) or programs (`json`). Moves are due at
fixed times whatever the server does (open loop): a move that is late because the one before it was late counts from
when it was due. What is measured: from that moment until the last of the six has received the change.
"""

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
from websockets.asyncio.client import ClientConnection, connect

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
SEATS = 6
PATIENT = 30.0
"""Seconds after which a move that nobody heard of counts as lost, and the run ends."""
MOST_MOVES = 20_000
WARM_UP = 2.0
"""Seconds at the beginning of a run that are not counted."""
PROMPT = re.compile(r'name="prompt_id" value="(\d+)"')
HAVE = re.compile(r'data-have="([^"]*)"')
CODE = re.compile(r'(?:name="code" value|<option value)="([^"]+)"')

COLUMNS = {
    "kept": "kept in",
    "mode": "clients",
    "rooms": "rooms",
    "sockets": "sockets",
    "moves_a_second": "moves a second",
    "p50_ms": "50 %, ms",
    "p99_ms": "99 %, ms",
    "bytes_a_move_and_client": "bytes a move and client",
    "server_cpu": "server, processors",
    "server_ms_a_move": "server, ms a move",
    "database_ms_a_move": "PostgreSQL, ms a move",
    "load_ms_a_move": "load, ms a move",
}


# The server, in a process of its own


def serve(database: str) -> None:
    """The real server; only its limits for single visitors are lifted, because all of them come from one machine."""
    from tavola.web.guard import Limits
    from tavola.web.server import serve as serve_site

    many = (1e6, 10**6)
    rates = {name: many for name, value in vars(Limits()).items() if isinstance(value, tuple)}
    limits = Limits(**rates, sockets=10**6, sockets_an_address=10**6, connections=10**6)  # type: ignore[arg-type]
    kept = database if "://" in database else Path(database)
    serve_site("127.0.0.1", 0, kept, limits=limits, ready=lambda address: print(address, flush=True))


def spent(pid: int) -> float:
    """Seconds that a process has had of a processor."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Server:
    """The running server as seen from outside: one process, or several workers on one PostgreSQL."""

    def __init__(self, folder: str, kept: str) -> None:
        self.postgres = None if kept == "sqlite" else own_postgres()
        database = f"{folder}/live.sqlite" if self.postgres is None else self.postgres.fresh()
        command = [sys.executable, __file__, "--serve", database]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.processes = [
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603 - ourselves
            for _ in range(int("".join(filter(str.isdecimal, kept)) or 1))
        ]
        self.addresses = [said.stdout.readline().strip() for said in self.processes if said.stdout is not None]
        self.address, self.spread = self.addresses[0], kept.endswith("-spread")

    def place(self, table: int, seat: int) -> str:
        """Where somebody is connected."""
        return self.addresses[(seat if self.spread else table) % len(self.addresses)]

    def kilobytes(self) -> int:
        """Resident memory of all workers."""
        texts = (Path(f"/proc/{process.pid}/status").read_text() for process in self.processes)
        return sum(int(text.partition("VmRSS:")[2].split()[0]) for text in texts)

    def seconds(self) -> float:
        """Time on a processor so far, of all workers."""
        return sum(spent(process.pid) for process in self.processes)

    def database_seconds(self) -> float:
        """The same of PostgreSQL; 0 where the workers keep the file themselves."""
        if self.postgres is None:
            return 0.0
        children = Path(f"/proc/{self.postgres.pid}/task/{self.postgres.pid}/children").read_text().split()
        return sum(spent(pid) for pid in (self.postgres.pid, *map(int, children)))

    def close(self) -> None:
        """Stop it as a person would."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(30)
        if self.postgres is not None:
            self.postgres.close()


def own_postgres() -> Any:
    """A PostgreSQL that syncs, as the tests start it."""
    sys.path.append(str(ROOT / "tests"))
    from postgres import Server as Postgres  # type: ignore[import-not-found]

    server = Postgres(safe=True)
    server.start()
    return server


# The load


class Client:
    """One person at a table, with a page or as a program."""

    def __init__(self, seat: int, cookie: str) -> None:
        self.seat, self.cookie = seat, cookie
        self.seq, self.seen = 0, 0.0
        self.prompt_id: int | None = None
        self.codes: list[str] = []
        self.bytes = 0
        self.socket: ClientConnection | None = None

    def take(self, text: str, now: float) -> dict[str, object]:
        """Note what a message says and when it came."""
        message: dict[str, object] = json.loads(text)
        self.bytes += len(text)
        if message["type"] == "state":
            self.prompt_id, self.codes = message["prompt_id"], message["legal"]  # type: ignore[assignment]
        elif message["type"] == "fragments" and "actions" in message["fragments"]:  # type: ignore[operator]
            self._read(message["fragments"]["actions"])  # type: ignore[index]
        if message["type"] in ("state", "fragments"):
            self.seq, self.seen = message["seq"], now  # type: ignore[assignment]
        return message

    def read(self, page: str) -> str:
        """Note what a page says; how to ask for what changes on it."""
        self._read(page)
        return f"have={HAVE.findall(page)[0]}"

    def _read(self, actions: str) -> None:
        prompt = PROMPT.search(actions)
        self.prompt_id = int(prompt[1]) if prompt else None
        self.codes = CODE.findall(actions) if prompt else []


class Table:
    """Six clients of one room, who play one move after the other."""

    def __init__(self, code: str, clients: list[Client], dice: random.Random) -> None:
        self.code, self.clients, self.dice = code, clients, dice
        self.changed = asyncio.Event()
        self.acknowledged: dict[str, int] = {}
        self.moves = 0

    async def listen(self, client: Client) -> None:
        """Take whatever one client is sent, until his socket closes."""
        assert client.socket is not None
        async for text in client.socket:
            message = client.take(str(text), time.perf_counter())
            if message["type"] == "acknowledged":
                self.acknowledged[str(message["command_id"])] = int(str(message["seq"]))
            elif message["type"] == "refused":
                raise AssertionError(f"a legal move was refused: {message}")
            self.changed.set()

    async def move(self, due: float) -> float:
        """Whoever owes a decision makes one; seconds from when it was due until the last client knew."""
        client = await self._until(lambda: next((c for c in self.clients if c.prompt_id is not None), None))
        assert client.socket is not None
        self.moves += 1
        command_id = f"{self.code}-{self.moves}"
        play = {"type": "play", "command_id": command_id, "prompt_id": client.prompt_id}
        play["code"] = self.dice.choice(client.codes)
        client.prompt_id = None
        await client.socket.send(json.dumps(play))
        seq = await self._until(lambda: self.acknowledged.pop(command_id, None))
        await self._until(lambda: all(other.seq >= seq for other in self.clients) or None)
        return max(other.seen for other in self.clients) - due

    async def _until(self, found: Callable[[], T | None]) -> T:
        async with asyncio.timeout(PATIENT):
            while (value := found()) is None:
                self.changed.clear()
                await self.changed.wait()
        return value


async def opened_tables(server: Server, count: int) -> list[Table]:
    """Rooms with six people each, by the same forms as in a browser; the match has begun, no socket is open yet."""
    tables, dice = [], random.Random(1)
    async with httpx.AsyncClient(timeout=30) as web:
        for number in range(count):
            web.base_url = httpx.URL(server.place(number, 0))
            cookies, code = [], ""
            for seat in range(SEATS):
                web.cookies.clear()
                if seat == 0:
                    form = {"game": "lifeboats", "option-players": str(SEATS), "patience": "0", "name": "P0"}
                    answer = await web.post("/rooms", data=form)
                    code = answer.headers["location"].rpartition("/")[2]
                else:
                    answer = await web.post(f"/r/{code}/join", data={"name": f"P{seat}"})
                cookies.append(who(answer))
            web.cookies.clear()
            started = await web.post(f"/r/{code}/start", headers={"Cookie": cookies[0]})
            assert started.status_code == 303, started.text
            tables.append(Table(code, [Client(seat, cookie) for seat, cookie in enumerate(cookies)], dice))
    return tables


def who(answer: httpx.Response) -> str:
    """The cookie that says who somebody is, as it is sent back: its name carries the port."""
    return next(f"{name}={value}" for name, value in answer.cookies.items() if name.startswith("tavola"))


@contextlib.asynccontextmanager
async def connected(server: Server, tables: list[Table], mode: str) -> AsyncIterator[None]:
    """A socket for everybody, with html after the page it belongs to; leaving closes them."""
    listeners = []
    async with httpx.AsyncClient(timeout=30) as web:
        for number, table in enumerate(tables):
            web.base_url = httpx.URL(server.place(number, 0))
            for client in table.clients:
                room, headers = f"r/{table.code}", {"Cookie": client.cookie}
                asked = "form=json" if mode == "json" else client.read((await web.get(room, headers=headers)).text)
                place = server.place(number, client.seat).replace("http", "ws", 1)
                address = f"{place}{room}/socket?{asked}"
                client.socket = await connect(address, additional_headers=headers, compression=None, max_queue=256)
                listeners.append(asyncio.create_task(table.listen(client)))
    try:
        yield
    finally:
        for table in tables:
            await asyncio.gather(*(client.socket.close() for client in table.clients if client.socket))
        await asyncio.gather(*listeners)


def due_times(rate: float, seconds: float) -> Iterator[float]:
    """When moves are due, in seconds from the beginning."""
    return (number / rate for number in range(min(MOST_MOVES, int(rate * seconds))))


async def run(tables: list[Table], rate: float, seconds: float) -> list[float]:
    """Moves at this rate, the tables in turn; the latencies of those that count."""
    began = time.perf_counter() + 0.1
    dues: list[list[float]] = [[] for _ in tables]
    for number, due in enumerate(due_times(rate, seconds)):
        dues[number % len(tables)].append(due)
    latencies: list[float] = []

    async def play(table: Table, mine: list[float]) -> None:
        for due in mine:
            await asyncio.sleep(max(0.0, began + due - time.perf_counter()))
            latency = await table.move(began + due)
            if due >= WARM_UP:
                latencies.append(latency)

    await asyncio.gather(*(play(table, mine) for table, mine in zip(tables, dues, strict=True)))
    return latencies


async def measure(kept: str, mode: str, rooms: int, rates: list[float], seconds: float) -> list[dict[str, object]]:
    """All rates on one server; a row each, and one for memory."""
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder, kept)
        try:
            await server_at_rest(server, mode)
            empty = server.kilobytes()
            tables = await opened_tables(server, rooms)
            with_rooms = server.kilobytes()
            async with connected(server, tables, mode):
                await asyncio.sleep(1)
                with_sockets = server.kilobytes()
                for rate in rates:
                    rows.append({"kept": kept, **await one_rate(server, tables, mode, rate, seconds)})
                    print(json.dumps(rows[-1]), flush=True)
                played = server.kilobytes()
        finally:
            server.close()
    memory = {
        "kept": kept,
        "mode": mode,
        "kilobytes_a_room": round((with_rooms - empty) / rooms),
        "kilobytes_a_socket": round((with_sockets - with_rooms) / rooms / SEATS),
        "kilobytes_a_room_with_sockets_after_play": round((played - empty) / rooms),
        "moves_a_room": tables[0].moves,
        "server_megabytes": round(played / 1024),
    }
    print(json.dumps(memory), flush=True)
    return rows


async def server_at_rest(server: Server, mode: str) -> None:
    """After a little play, when everything that is loaded once has been: its memory has stopped growing."""
    tables = await opened_tables(server, 2)
    async with connected(server, tables, mode):
        await run(tables, 20, 5)
    before = 0
    while before < (before := server.kilobytes()):  # noqa: ASYNC110 - it has no event
        await asyncio.sleep(3)


async def one_rate(server: Server, tables: list[Table], mode: str, rate: float, seconds: float) -> dict[str, object]:
    """One run at one rate, as a row of the table."""
    cpu, database = server.seconds(), server.database_seconds()
    mine, began = time.process_time(), time.perf_counter()
    sent = sum(client.bytes for table in tables for client in table.clients)
    latencies = await run(tables, rate, seconds)
    took = time.perf_counter() - began
    sent = sum(client.bytes for table in tables for client in table.clients) - sent
    cuts = statistics.quantiles(latencies, n=100)
    moves = min(MOST_MOVES, int(rate * seconds))
    return {
        "mode": mode,
        "rooms": len(tables),
        "sockets": len(tables) * SEATS,
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
    """Parse, measure, print a table for people."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mode", choices=["json", "html", "both"], default="both")
    parser.add_argument(
        "--kept",
        nargs="+",
        default=["sqlite"],
        help="sqlite, postgresql, postgresql-2, postgresql-2-spread: so many workers",
    )
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--rates", type=float, nargs="+", default=[50, 100, 200, 300, 400])
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve(asked.serve)
        return
    rows = []
    modes = ("json", "html") if asked.mode == "both" else (asked.mode,)
    for _, mode, kept in itertools.product(range(asked.rounds), modes, asked.kept):
        rows += asyncio.run(measure(kept, mode, asked.rooms, asked.rates, asked.seconds))
    print()
    print("| " + " | ".join(COLUMNS.values()) + " |")
    print("|" + "---|" * len(COLUMNS))
    for row in rows:
        print("| " + " | ".join(str(row[name]) for name in COLUMNS) + " |")


if __name__ == "__main__":
    main()
