"""From the start of a process to the first legal actions of a match, in wall-clock seconds: cold, then warm.

Cold is a machine that has never run Tavola: the rules are compiled. Warm is every later start: they come from disk.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

WARM_ROUNDS = 9
FIRST = "import tavola; print(len(tavola.load('lifeboats').match(seed=7).legal()))"
BOT = """
import tavola
from tavola.bots import bot
match = tavola.load("lifeboats").match(seed=7)
print(bot("search", 1, iterations=10).choose(match.view(match.to_act[0])))
"""


def seconds(program: str, cache: str) -> float:
    """How long a new process takes to run `program`."""
    environment = {**os.environ, "TAVOLA_CACHE": cache}
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603
    return time.perf_counter() - begun


def main() -> None:
    """Measure and print."""
    for name, program in (("first legal actions", FIRST), ("first decision of search", BOT)):
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds(program, cache)
            warm = [seconds(program, cache) for _ in range(WARM_ROUNDS)]
        print(f"{name}: cold {cold:.1f} s (once)")
        print(f"{name}: warm {statistics.median(warm):.2f} s, {min(warm):.2f} to {max(warm):.2f} in {len(warm)} rounds")


if __name__ == "__main__":
    main()
