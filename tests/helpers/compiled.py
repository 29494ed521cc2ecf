"""`python -m tests.helpers.compiled`: compile once, on all cores, the machine code that tests need, and the tests.

Otherwise tests would wait for the compiler and for one another, and every worker would rewrite all assertions.
"""

import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

import tavola
from tavola.bots import LEVELS, bot
from tavola.cli.warm import FOR_ALL, compile_game
from tavola.core import Match
from tavola.core.compilation import UNCOMPILED, cache_folder
from tests.helpers import ROOT, environment

BATCHED = "lifeboats"
"""The game of which the tests of `tavola.rl` play batches."""
PLAYED = ("drill", "bazaar", "joust", "magpie")
"""Drills that bots play in tests, as machine code."""


def compile_template() -> None:
    from tavola.games._template import GAME

    compile_game(GAME, FOR_ALL)


def compile_drill(name: str) -> None:
    for level in LEVELS:
        match = Match(importlib.import_module(name).GAME, seed=1)
        view = match.view(match.to_act[0])
        match.play(bot(level, 1).choose(Match.from_view(view, 1).view(view.seat)), view.seat)


def compile_batches() -> None:
    for settings in ({"threads": 2}, {"opponents": "random"}, {"opponents": "greedy"}):
        batch = tavola.Batch(BATCHED, n=2, seed=1, recall=1, **settings)
        batch.observe(np.zeros((2, *batch.encoder.shape), np.int16))
        batch.mask(np.zeros((2, len(batch.game.actions)), np.int8))
        batch.observe()
        batch.mask()
        batch.sample(1, "greedy")
        batch.step(batch.sample(1))


def rewrite_assertions() -> None:
    """Import every test, so that pytest writes its assertions to disk."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq"]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)  # the tests themselves report errors


PARTS: dict[str, Callable[[], None]] = {
    "batches": compile_batches,
    "assertions": rewrite_assertions,
    "template": compile_template,
    **{name: partial(compile_drill, name) for name in PLAYED},
}
"""By name what each process compiles, the longest first."""


def _mark_file(name: str) -> Path:
    """Return a file that marks a part as compiled: from the present sources, or for tests once in this checkout."""
    if name == "assertions":
        return ROOT / ".pytest_cache" / "assertions"
    if name == "batches":
        return cache_folder(tavola.load(BATCHED).source_folder, "rl") / "batches.tests"
    if name == "template":
        return cache_folder(ROOT / "tavola" / "games" / "_template") / "template.tests"
    return cache_folder(importlib.import_module(name).GAME.source_folder) / f"{name}.tests"


def _compile_apart(*command: str) -> None:
    subprocess.run([sys.executable, "-m", *command], cwd=ROOT, env=environment(), check=True)


def main() -> None:
    """Compile all that is missing: the games first, then in a process for each part what is made on top of them."""
    sys.path.append(str(ROOT / "tests" / "drills"))
    if len(sys.argv) > 1:
        PARTS[sys.argv[1]]()
        mark = _mark_file(sys.argv[1])
        mark.parent.mkdir(exist_ok=True)
        mark.touch()
        return
    _compile_apart("tavola", "warm")
    useless = {"assertions"} if sys.dont_write_bytecode else set(PARTS) - {"assertions"} if UNCOMPILED else set()
    missing = [name for name in PARTS if name not in useless and not _mark_file(name).exists()]
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(partial(_compile_apart, "tests.helpers.compiled"), missing))


if __name__ == "__main__":
    main()
