"""Engines beside each other: the same chunks in this process, in a pool and on Ray.

    python benchmarks/engines.py [seconds a chunk] [rounds]

Chunks are random matches of Lifeboats, as many as take so long (1 second unless told) on a core of one's own.
Contenders take turns in every round. A rate is by wall time, for what counts is when it is over, from the moment that
all workers have brought a chunk: what it costs to start them stands apart.
"""

import os
import sys
import time
from itertools import count, islice

from measure import ROUNDS, ratio, show

import tavola
from tavola.lab.cluster import Ray, session
from tavola.lab.engines import Engine, Pool, Process
from tavola.lab.simulation import Batches, tally_of

CHUNKS = 8
"""How many a rate is taken over."""


def main() -> None:
    """Measure and print."""
    seconds, rounds = (float(sys.argv[1]) if sys.argv[1:] else 1.0), (int(sys.argv[2]) if sys.argv[2:] else ROUNDS)
    workers = len(os.sched_getaffinity(0))
    work = batches(seconds)
    with session(workers=workers):
        engines: tuple[Engine, ...] = Process(), Pool(workers), Ray(workers=workers)
        contenders = dict(zip(("process", f"pool of {workers}", f"Ray, {workers}"), engines, strict=True))
        found: dict[str, list[float]] = {name: [] for name in contenders}
        starts: dict[str, list[float]] = {name: [] for name in contenders}
        for _ in range(rounds):
            for name, engine in contenders.items():
                started, rate = steady(engine, work, 2 * workers)
                starts[name].append(started)
                found[name].append(rate * work.size)
            print(f"load {os.getloadavg()[0]:.1f}", {name: f"{rates[-1]:,.0f}" for name, rates in found.items()})
    show(f"Engines, {work.size:,} matches a chunk", "matches/s", found)
    show("From the start to the first chunk", "seconds", starts)
    one, pool, ray = found
    print(ratio(found, pool, one))
    print(ratio(found, ray, pool))


def batches(seconds: float) -> Batches:
    """Chunks that take so long by this process's CPU time."""
    game, number = tavola.load("lifeboats"), 5000
    options = game.options.words(game.options.array({}))
    for _ in range(2):  # the first compiles
        begun = time.process_time()
        tally_of(game, options, "random", 1, 0, number)
    size = int(number * seconds / (time.process_time() - begun))
    return Batches(game.name, "random", 1, (options,), size, None)


def steady(engine: Engine, work: Batches, first: int) -> tuple[float, float]:
    """Seconds to the first chunk; chunks a second after the first few."""
    begun = time.perf_counter()
    results = engine.run(work, count())
    next(results)
    started = time.perf_counter() - begun
    for _ in islice(results, first - 1):
        pass
    begun = time.perf_counter()
    for _ in islice(results, CHUNKS):
        pass
    rate = CHUNKS / (time.perf_counter() - begun)
    results.close()
    return started, rate


if __name__ == "__main__":
    main()
