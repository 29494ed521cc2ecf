"""Engines beside each other: the same chunks in this process, in a pool and on Ray.

    python benchmarks/engines.py [seconds a chunk] [rounds]

Chunks are random matches of Lifeboats, as many as take so long (1 second unless told) on a core of one's own.
Contenders take turns in every round. A rate is by wall time, for what counts is when it is over, from the moment that
all workers have brought a chunk: what it costs to start them stands apart.

Where others use the cores the rates say more of them than of the engines. So two more figures are taken in the workers:
the CPU time of a chunk, and the share of the time in which a worker is at chunks, not waiting for one. A pool of two on
two free cores is as many times faster than one process as these two, each beside the process's own, and 2 come to.
"""

import os
import statistics
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from itertools import count, islice, pairwise
from typing import NamedTuple

from measure import ROUNDS, ratio, show

import tavola
from tavola.lab.engines import Engine, InProcessEngine, PoolEngine
from tavola.lab.ray_engine import RayEngine, session
from tavola.lab.simulation import SimulationWork, count_matches

CHUNKS = 8
"""How many a rate is taken over."""


class Done(NamedTuple):
    """One chunk: which worker was at it, from when to when, and its CPU seconds."""

    worker: int
    begun: float
    ended: float
    cpu: float


@dataclass(frozen=True)
class Timed:
    """Chunks that tell how they were done."""

    work: SimulationWork

    def warm(self) -> str:
        """As the work does."""
        return self.work.warm()

    def __call__(self, chunk: int) -> Done:
        """Do a chunk."""
        begun, cpu = time.perf_counter(), time.process_time()
        self.work(chunk)
        return Done(os.getpid(), begun, time.perf_counter(), time.process_time() - cpu)


def main() -> None:
    """Measure and print."""
    seconds, rounds = (float(sys.argv[1]) if sys.argv[1:] else 1.0), (int(sys.argv[2]) if sys.argv[2:] else ROUNDS)
    workers = len(os.sched_getaffinity(0))
    work = Timed(batches(seconds))
    engines: tuple[Engine, ...] = InProcessEngine(), PoolEngine(workers), RayEngine(workers=workers)
    contenders = dict(zip(("process", f"pool of {workers}", f"Ray, {workers}"), engines, strict=True))
    starts, found, cpus, busy = ({name: list[float]() for name in contenders} for _ in range(4))
    with session(workers=workers):
        for _ in range(rounds):
            for name, engine in contenders.items():
                started, done = steady(engine, work, 2 * workers)
                starts[name].append(started)
                found[name].append(work.work.size * (len(done) - 1) / (done[-1].ended - done[0].ended))
                cpus[name].append(statistics.median(one.cpu for one in done))
                busy[name].append(at_chunks(done))
            print(f"load {os.getloadavg()[0]:.1f}")
    show(f"Engines, {work.work.size:,} matches a chunk", "matches/s", found)
    show("CPU time of a chunk", "seconds", cpus)
    show("Share of a worker's time at chunks", "of 1", busy)
    show("From the start to the first chunk", "seconds", starts)
    one, pool, ray = found
    print(ratio(found, pool, one))
    print(ratio(found, ray, pool))
    alone, pooled, rayed = (statistics.median(busy[name]) / statistics.median(cpus[name]) for name in contenders)
    print(f"as far as the last two tell, on free cores: {workers * pooled / alone:.2f} and {rayed / pooled:.2f}")


def batches(seconds: float) -> SimulationWork:
    """Chunks that take so long by this process's CPU time."""
    game, number = tavola.load("lifeboats"), 5000
    options = game.options.to_words(game.options.array({}))
    for _ in range(2):  # the first compiles
        begun = time.process_time()
        count_matches(game, options, "random", 1, 0, number)
    size = int(number * seconds / (time.process_time() - begun))
    return SimulationWork(game.name, "random", 1, (options,), size, None)


def steady(engine: Engine, work: Timed, first: int) -> tuple[float, list[Done]]:
    """Seconds to the first chunk; then chunks after the first few, in the order in which they were ready."""
    begun = time.perf_counter()
    results = engine.run(work, count())
    next(results)
    started = time.perf_counter() - begun
    done = [found for _, found in islice(results, first - 1, first + CHUNKS)]
    results.close()  # type: ignore[attr-defined]  # a generator, as every engine gives
    return started, sorted(done, key=lambda one: one.ended)


def at_chunks(done: list[Done]) -> float:
    """The share of the time between their first chunk and their last in which workers were at one."""
    by_worker = defaultdict[int, list[Done]](list)
    for one in done:
        by_worker[one.worker].append(one)
    waited = sum(after.begun - before.ended for mine in by_worker.values() for before, after in pairwise(mine))
    passed = sum(mine[-1].ended - mine[0].begun for mine in by_worker.values())
    return 1 - waited / passed


if __name__ == "__main__":
    main()
