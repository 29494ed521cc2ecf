"""Shared code of the benchmarks: contenders take turns in every round; each script prints one table for the README."""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.helpers.postgres import PostgresServer

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 7
Contender = Callable[[], int]
"""Work to measure: returns its amount in actions, playouts or redeals."""
SPREAD = ("median", "min", "max")


def rates(contenders: dict[str, Contender], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Return the work of each contender per CPU second of this process, one figure for each round, after a warm-up."""
    for work in contenders.values():
        work()
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, work in contenders.items():
            begun = time.process_time()
            amount = work()
            found[name].append(amount / (time.process_time() - begun))
    return found


def spread(figures: Sequence[float]) -> list[str]:
    """Return the median, minimum and maximum of the rounds."""
    return [readable(choose(figures)) for choose in (statistics.median, min, max)]


def ratio(found: dict[str, list[float]], one: str, other: str) -> list[str]:
    """Return a row: the rate of `one` divided by that of `other`, round by round."""
    quotients = [a / b for a, b in zip(found[one], found[other], strict=True)]
    return [f"{one} / {other}", "ratio", *spread(quotients)]


def readable(figure: float) -> str:
    """Return a figure with about three digits."""
    return f"{figure / 1e6:.2f} M" if figure >= 1e6 else f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


def show(headings: Sequence[str], rows: Iterable[Sequence[object]], good: str) -> None:
    """Print a table row by row, and below it what a good figure is."""
    print(f"| {' | '.join(headings)} |")
    print("|---|" + "---:|" * (len(headings) - 1))
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |", flush=True)
    print(f"\nA good figure: {good}")


def run_parts(
    about: str | None,
    parts: Mapping[str, Callable[[argparse.Namespace], Iterable[Sequence[object]]]],
    headings: Sequence[str],
    good: str,
    options: Mapping[str, float],
) -> None:
    """Measure the parts named on the command line, by default all, and print their rows as one table."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="part", default=list(parts), help=", ".join(parts))
    for name, usual in options.items():
        parser.add_argument(f"--{name}", type=type(usual), default=usual)
    asked = parser.parse_args()
    show(headings, (row for part in asked.parts for row in parts[part](asked)), good)


def start_postgres() -> "PostgresServer":
    """Start a PostgreSQL that syncs as in production, on a socket; the caller closes it."""
    sys.path.append(str(ROOT))
    from tests.helpers.postgres import PostgresServer

    server = PostgresServer(safe=True)
    server.start()
    return server


def processor_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
