"""Decisions per second of batches on a GPU, with observations and masks, beside the processors and Pgx.

    python benchmarks/gpu.py [--seconds S] [--most EXPONENT] [game …]

First, 10,000 matches of each game are compared with those of the processors, byte for byte. Pgx is left out if it is
not installed: pip install pgx 'jax[cuda13]'. Needs an NVIDIA GPU and pip install 'tavola[gpu]'.
"""

import argparse
import importlib.util
import time
from collections.abc import Callable, Iterator
from typing import Any

from learning import batch_step, pgx_step
from measure import readable, show

import tavola
from tavola.rl.gpu import cuda

GOOD = "Lifeboats makes 50 M decisions a second in 2^20 matches on an H100, and every game 10 M."
HEADINGS = ("", "matches", "decisions a second", "bytes a match on the device")
COMPARED, STEPS = 10_000, 50
WARM_UP = 3


def compare(game: str) -> None:
    """Raise `AssertionError` unless a step on the device shows the same bytes as on the processors, every time."""
    here = tavola.Batch(game, n=COMPARED, seed=1, opponents="greedy")
    there: Any = tavola.Batch(game, n=COMPARED, seed=1, opponents="greedy", device="cuda")
    for step in range(STEPS):
        assert here.observe().tobytes() == there.observe().copy_to_host().tobytes(), f"{game}: observations, {step}"
        assert here.mask().tobytes() == there.mask().copy_to_host().tobytes(), f"{game}: masks, {step}"
        chosen = here.sample(step)
        (rewards, done), (again, ended) = here.step(chosen), there.step(chosen)
        assert rewards.tobytes() == again.copy_to_host().tobytes(), f"{game}: rewards, {step}"
        assert done.tobytes() == ended.copy_to_host().tobytes(), f"{game}: ends, {step}"


def rate(step: Callable[[int], object], wait: Callable[[], object], matches: int, seconds: float) -> float:
    """Return the decisions per second of wall time."""
    for number in range(WARM_UP):
        step(number)
    wait()
    begun, calls = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        step(WARM_UP + calls)
        calls += 1
        wait()
    return matches * calls / (time.perf_counter() - begun)


def measure(game: str, matches: int, device: str, seconds: float) -> tuple[object, ...]:
    """Return a row about a game."""
    free = cuda.current_context().get_memory_info().free
    batch = tavola.Batch(game, n=matches, seed=1, device=device)
    step = batch_step(batch)  # it keeps its arrays until memory has been measured
    found = rate(step, cuda.synchronize, matches, seconds)
    taken = (free - cuda.current_context().get_memory_info().free) // matches
    return f"{game}, {device}", matches, readable(found), readable(taken) if device == "cuda" else ""


def measured(given: argparse.Namespace) -> Iterator[tuple[object, ...]]:
    """Measure every game on both, then Pgx."""
    sizes = [1 << exponent for exponent in range(10, given.most + 1, 2)]
    for game in given.games or tavola.game_names():
        compare(game)
        yield measure(game, 4096, "cpu", given.seconds)
        for matches in sizes:
            yield measure(game, matches, "cuda", given.seconds)
    if importlib.util.find_spec("pgx"):
        for name in ("connect_four", "leduc_holdem", "backgammon"):
            for matches in sizes:
                found = rate(pgx_step(name, matches), lambda: None, matches, given.seconds)
                yield f"Pgx, {name}", matches, readable(found), ""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure decisions per second on a GPU.")
    parser.add_argument("games", nargs="*", metavar="game", help="measure only these games")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--most", type=int, default=20, metavar="EXPONENT", help="of two, for the number of matches")
    show(HEADINGS, measured(parser.parse_args()), GOOD)
