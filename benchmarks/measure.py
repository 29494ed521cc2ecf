"""Figures of benchmarks: contenders take turns in every round, each figure is a median with its spread over rounds."""

import statistics
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

ROUNDS = 7
Contender = Callable[[], int]
"""Does some work and says how much of it: actions, playouts, redeals."""


def rates(contenders: dict[str, Contender], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Work by CPU second of this process, for each contender one figure a round; everybody is warmed up once."""
    for work in contenders.values():
        work()
    found: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, work in contenders.items():
            begun = time.process_time()
            amount = work()
            found[name].append(amount / (time.process_time() - begun))
    return found


def show(title: str, unit: str, found: dict[str, list[float]]) -> None:
    """Print medians, and the least and greatest of the rounds."""
    table = Table(title=title)
    table.add_column("")
    for heading in (f"{unit}, median", "least", "greatest", "rounds"):
        table.add_column(heading, justify="right")
    for name, figures in found.items():
        median, least, greatest = (readable(f(figures)) for f in (statistics.median, min, max))
        table.add_row(name, median, least, greatest, str(len(figures)))
    Console(width=110).print(table)


def ratio(found: dict[str, list[float]], one: str, other: str) -> str:
    """How often `one` has the rate of `other`: median and least of the rounds, taken round by round."""
    quotients = [a / b for a, b in zip(found[one], found[other], strict=True)]
    return f"{one} / {other}: {statistics.median(quotients):.2f} (least {min(quotients):.2f})"


def readable(figure: float) -> str:
    """Three digits or so."""
    return f"{figure / 1e6:.2f} M" if figure >= 1e6 else f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"
