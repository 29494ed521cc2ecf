"""Speed of stores: durable appends per second, and the time until a lost worker's rooms have another worker.

    python benchmarks/stores.py appends            SQLite in a file and PostgreSQL, by number of concurrent rooms
    python benchmarks/stores.py takeover           40 workers each killed, frozen, or cut off from the database
    python benchmarks/stores.py takeover --times 200

Without a name both are measured. PostgreSQL is Debian's, started for this, syncing as in production. Appends: in each
round every contender appends to some rooms concurrently for the same time, event after event in each room. Two workers
are two processes on one database, each with half of the rooms.

Take-over: two workers; in each of their rooms three players play as fast as they are answered, as in
`tests/cluster/test_crash.py`. A worker counts as alive for three seconds. The time runs from the failure of a worker
until every room with a pending action has a living worker. Then every acknowledged command is looked up on disk.
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

from measure import ROOT, SPREAD, run_parts, start_postgres

from tavola.store import Event, open_store

GOOD = """1,000 appends per second from eight concurrent rooms; rooms have another worker within 3.5 s, and no \
acknowledged command is lost."""
ROUNDS = 5
SECONDS = 2.0
ROOMS = (1, 8, 64)
BODY = {"seat": 3, "code": "choose violet", "by": "0123456789abcdef"}


async def appended(database: str, rooms: int, seconds: float) -> dict[str, float]:
    """Append for `seconds` after a warm-up; return appends per second and this process's CPU ms per append."""
    store = await asyncio.to_thread(open_store, database)
    until, done = time.perf_counter() + seconds, 0

    async def fill(room: str) -> None:
        nonlocal done
        for seq in range(1, 1_000_000):
            await store.append(room, [Event(seq, "played", BODY, f"c/{seq}", time.time())])
            done += 1
            if time.perf_counter() > until:
                return

    await store.append(f"{time.time_ns():x}", [Event(1, "created")])  # so that everything is prepared
    began, cpu = time.perf_counter(), time.process_time()
    until = began + seconds
    prefix = f"{time.time_ns():x}"
    await asyncio.gather(*(fill(f"{prefix}-{room}") for room in range(rooms)))
    figures = {"a_second": done / (time.perf_counter() - began), "cpu_ms": (time.process_time() - cpu) / done * 1000}
    await asyncio.to_thread(store.close)
    return figures


def two_workers(database: str, rooms: int, seconds: float) -> dict[str, float]:
    """Append in two processes, each with half of the rooms."""
    command = [sys.executable, __file__, "--worker", database, str(max(1, rooms // 2)), str(seconds)]
    workers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]  # noqa: S603
    found = [json.loads(worker.communicate()[0]) for worker in workers]
    cpu = statistics.mean(each["cpu_ms"] for each in found)
    return {"a_second": sum(each["a_second"] for each in found), "cpu_ms": cpu}


@contextlib.contextmanager
def contenders() -> Iterator[dict[str, Callable[[int, float], dict[str, float]]]]:
    """Yield all contenders by name."""
    with contextlib.closing(start_postgres()) as server, tempfile.TemporaryDirectory() as folder:
        url, path = server.new_database(), str(Path(folder) / "tavola.sqlite")
        yield {
            "SQLite": lambda rooms, seconds: asyncio.run(appended(path, rooms, seconds)),
            "PostgreSQL": lambda rooms, seconds: asyncio.run(appended(url, rooms, seconds)),
            "PostgreSQL, two workers": lambda rooms, seconds: two_workers(url, rooms, seconds),
        }


Row = tuple[object, ...]


def measure_appends(asked: argparse.Namespace) -> Iterator[Row]:
    """Measure appends to some rooms at once, contenders in turns."""
    with contenders() as every:
        for rooms in ROOMS:
            found: dict[str, list[dict[str, float]]] = {name: [] for name in every}
            for _ in range(asked.rounds):
                for name, append in every.items():
                    if rooms > 1 or "two" not in name:
                        found[name].append(append(rooms, asked.seconds))
            for name, rounds in found.items():
                if rounds:
                    a_second = [each["a_second"] for each in rounds]
                    cpu = statistics.median(each["cpu_ms"] for each in rounds)
                    what = f"{name}, {rooms} concurrent rooms, {cpu:.3f} ms of the worker's CPU time each"
                    yield what, "appends per second", *(f"{f(a_second):,.0f}" for f in (statistics.median, min, max))


def measure_takeover(asked: argparse.Namespace) -> Iterator[Row]:
    """Measure take-overs: workers fail in turn."""
    sys.path.append(str(ROOT))
    from tests.cluster.test_crash import Stage
    from tests.helpers.postgres import running_postgres

    with running_postgres(safe=True, on_port=True) as server:
        stage = Stage(server, server.port)
        for number in range(asked.times):
            for strike in (stage.kill_worker, stage.freeze_worker, stage.cut_off_worker):
                stage.play(20)
                strike(number % 2)
        stage.play(20)
        stage.close()
        faults = stage.faults()
    for happening, took in stage.took.items():
        cuts = statistics.quantiles(took, n=100, method="inclusive")
        figures = (f"{seconds:.2f}" for seconds in (cuts[49], min(took), max(took)))
        yield f"a worker is {happening}, {len(took)} times, 99 % {cuts[98]:.2f}", "seconds", *figures
    yield f"acknowledged and verified, {len(faults)} faults", "commands", len(stage.history.acknowledged), "", ""
    assert not faults, faults


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        database, rooms, seconds = sys.argv[2:]
        print(json.dumps(asyncio.run(appended(database, int(rooms), float(seconds)))))
    else:
        options = {"rounds": ROUNDS, "seconds": SECONDS, "times": 40}
        parts = {"appends": measure_appends, "takeover": measure_takeover}
        run_parts(__doc__, parts, ("", "unit", *SPREAD), GOOD, options)
