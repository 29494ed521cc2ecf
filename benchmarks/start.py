"""From the start of a process to the first legal actions of a match, cold, then warm.

Cold is a machine that has never run Tavola: the rules are compiled. Warm is every later start: they come from disk.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

WARM_ROUNDS = 9
FIRST = "import tavola; print(len(tavola.Match(tavola.load('lifeboats'), seed=7).legal()))"
BOT = """
import tavola
from tavola.bots import bot
match = tavola.Match(tavola.load("lifeboats"), seed=7)
print(bot("search", 1, iterations=10).choose(match.view(match.to_act[0])))
"""


def seconds(program: str, cache: str) -> tuple[float, float]:
    """How long a new process takes to run `program`: by the clock, and of CPU time."""
    environment = {**os.environ, "TAVOLA_CACHE": cache}
    begun, used = time.perf_counter(), children()
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603
    return time.perf_counter() - begun, children() - used


def children() -> float:
    """CPU seconds of all processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Measure and print."""
    for name, program in (("first legal actions", FIRST), ("first decision of search", BOT)):
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds(program, cache)
            warm = [seconds(program, cache) for _ in range(WARM_ROUNDS)]
        print(f"{name}, cold: {cold[0]:.1f} s, of them CPU {cold[1]:.1f} s (once)")
        for label, figures in (("by the clock", [w[0] for w in warm]), ("CPU", [w[1] for w in warm])):
            median, least, greatest = statistics.median(figures), min(figures), max(figures)
            print(f"{name}, warm, {label}: {median:.2f} s ({least:.2f} to {greatest:.2f}, {len(warm)} rounds)")


if __name__ == "__main__":
    main()
