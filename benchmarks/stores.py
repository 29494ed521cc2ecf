"""How many appends a second a store carries, every one of them on disk: SQLite in a file beside PostgreSQL.

    python benchmarks/stores.py                    so many rooms at once, in turns, a table at the end

The PostgreSQL is Debian's, started here for this alone, on a socket, syncing as it does for a host. In each round every
contender appends to so many rooms at once, each room one event after the other, for the same time. Two workers are two
processes on one database, each with half of the rooms.
"""

import argparse
import asyncio
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from database import own_postgres

from tavola.store import Event, open_store
from tavola.store.interface import Store

ROUNDS = 5
SECONDS = 2.0
ROOMS = (1, 8, 64)
BODY = {"seat": 3, "code": "choose violet", "by": "0123456789abcdef"}


async def appended(database: str, rooms: int, seconds: float) -> dict[str, float]:
    """Append for so long; appends and seconds of this process's processor, after a moment to settle."""
    store = await asyncio.to_thread(open_store, database)
    until, done = time.perf_counter() + seconds, 0

    async def fill(room: str) -> None:
        nonlocal done
        for seq in range(1, 1_000_000):
            await store.append(room, [Event(seq, "played", BODY, f"c/{seq}", time.time())])
            done += 1
            if time.perf_counter() > until:
                return

    await fill_once(store)
    began, cpu = time.perf_counter(), time.process_time()
    until = began + seconds
    prefix = f"{time.time_ns():x}"
    await asyncio.gather(*(fill(f"{prefix}-{room}") for room in range(rooms)))
    figures = {"a_second": done / (time.perf_counter() - began), "cpu_ms": (time.process_time() - cpu) / done * 1000}
    await asyncio.to_thread(store.close)
    return figures


async def fill_once(store: Store) -> None:
    """One append, after which everything is prepared."""
    await store.append(f"{time.time_ns():x}", [Event(1, "created")])


def two_workers(database: str, rooms: int, seconds: float) -> dict[str, float]:
    """The same in two processes, each with half of the rooms."""
    command = [sys.executable, __file__, "--worker", database, str(max(1, rooms // 2)), str(seconds)]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]  # noqa: S603
    found = [json.loads(worker.communicate()[0]) for worker in workers]
    return {
        "a_second": sum(each["a_second"] for each in found),
        "cpu_ms": statistics.mean(each["cpu_ms"] for each in found),
    }


@contextlib.contextmanager
def contenders() -> Iterator[dict[str, Callable[[int, float], dict[str, float]]]]:
    """Everything that is compared."""
    with contextlib.closing(own_postgres()) as server, tempfile.TemporaryDirectory() as folder:
        url, path = server.new_database(), str(Path(folder) / "tavola.sqlite")
        yield {
            "SQLite": lambda rooms, seconds: asyncio.run(appended(path, rooms, seconds)),
            "PostgreSQL": lambda rooms, seconds: asyncio.run(appended(url, rooms, seconds)),
            "PostgreSQL, two workers": lambda rooms, seconds: two_workers(url, rooms, seconds),
        }


def main() -> None:
    """Take turns, and print medians with their spread."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.worker:
        database, rooms, seconds = asked.worker
        print(json.dumps(asyncio.run(appended(database, int(rooms), float(seconds)))))
        return
    print("| | rooms at once | appends a second | least | greatest | ms of the worker's processor an append |")
    print("|---|---:|---:|---:|---:|---:|")
    with contenders() as every:
        for rooms in ROOMS:
            found: dict[str, list[dict[str, float]]] = {name: [] for name in every}
            for _ in range(asked.rounds):
                for name, append in every.items():
                    if rooms > 1 or "two" not in name:
                        found[name].append(append(rooms, asked.seconds))
            for name, rounds in found.items():
                if rounds:
                    rates = [each["a_second"] for each in rounds]
                    cpu = statistics.median(each["cpu_ms"] for each in rounds)
                    figures = " | ".join(f"{f(rates):,.0f}" for f in (statistics.median, min, max))
                    print(f"| {name} | {rooms} | {figures} | {cpu:.3f} |", flush=True)


if __name__ == "__main__":
    main()
