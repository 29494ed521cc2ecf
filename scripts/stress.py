"""Run tests repeatedly on a busy machine, and print how often each failed under which load.

python -m scripts.stress [--runs N] [--loads LOAD…] [-- PYTEST ARGUMENTS…]

By default these are the tests that drive browsers and processes, as `make stress` runs them. A test that fails here has
a time limit, or acts before the page is ready: nothing else differs between the runs. The exit code is 1 if a test
failed.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parent.parent
LOADS = {"none": "", "busy": "", "core": "taskset --cpu-list 0", "nice": "nice -n 19"}
"""Command prefix of each load. With `busy` and `nice` there is also a busy loop for each core."""
PYTEST = [sys.executable, "-m", "pytest", "-n", "5", "--maxschedchunk", "1"]


@contextlib.contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """Keep `count` cores busy for the length of a block."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def run(load: str, arguments: list[str], report: Path) -> tuple[set[str], str]:
    """Run the tests once under a load; return the names of those that failed, and pytest's last line."""
    command = [*LOADS[load].split(), *PYTEST, f"--junitxml={report}", *arguments]
    with busy_loops((os.cpu_count() or 1) * (load in ("busy", "nice"))):
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)  # noqa: S603
    last = (done.stdout.strip().splitlines() or ["no output"])[-1]
    if not report.exists():
        return {f"pytest ended with {done.returncode}"}, last
    cases = ElementTree.parse(report).iter("testcase")  # noqa: S314 - pytest has just written it
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    return {f"{case.get('classname')}::{case.get('name')}" for case in failed}, last


def main() -> int:
    """Run the tests under each load in turn; print every last line, and a table of failures."""
    parser = argparse.ArgumentParser(prog="python -m scripts.stress", description="Run tests on a busy machine.")
    parser.add_argument("--runs", type=int, default=3, help="runs under each load")
    parser.add_argument("--loads", nargs="+", choices=LOADS, default=["busy", "core", "nice"])
    usual = ["-m", "(browser or process) and not soak"]
    parser.add_argument("pytest", nargs="*", default=usual, help="arguments for pytest")
    asked, failures = parser.parse_args(), defaultdict[str, Counter[str]](Counter)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.runs):
            for load in asked.loads:
                failed, last = run(load, asked.pytest, Path(folder) / f"{load}-{number}.xml")
                print(f"{load} {number + 1}: {last}", flush=True)
                for name in failed:
                    failures[name][load] += 1
    table = Table("test", *asked.loads, title=f"Failures in {asked.runs} runs under each load")
    for name, counts in sorted(failures.items(), key=lambda each: -each[1].total()):
        table.add_row(name, *(str(counts[load]) for load in asked.loads))
    Console(width=160).print(table if failures else "No test failed.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
