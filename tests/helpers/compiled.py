"""`python -m tests.helpers.compiled`: compile the machine code and the assertions of the tests once, on all cores.

Otherwise tests would wait for the compiler and each other, and every worker would rewrite all assertions.
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
from tavola.cli.warm import FOR_ALL, collect_garbage_rarely, compile_game
from tavola.core import Match
from tavola.core.compilation import UNCOMPILED, cache_folder
from tests.helpers import ROOT, environment

BATCHED = "lifeboats"
"""Game that the tests of `tavola.rl` play in batches."""
PLAYED = ("drill", "bazaar", "joust")
"""Drills that bots play in compiled form."""


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
    """Import every test, so that pytest writes the rewritten assertions to disk."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq"]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)  # the tests themselves report errors


PARTS: dict[str, Callable[[], None]] = {
    "assertions": rewrite_assertions,
    "template": compile_template,
    **{name: partial(compile_drill, name) for name in PLAYED},
    "batches": compile_batches,
}
"""Functions that compile, by name of the part; last the one that needs a whole game, which is compiled by then."""


def _mark_file(name: str) -> Path:
    """Return the file that marks a part as compiled: from the present sources, or for assertions once per checkout."""
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
    """Compile everything that is missing, each part in its own process beside the games."""
    sys.path.append(str(ROOT / "tests" / "drills"))
    if len(sys.argv) > 1:
        collect_garbage_rarely()
        PARTS[sys.argv[1]]()
        mark = _mark_file(sys.argv[1])
        mark.parent.mkdir(exist_ok=True)
        mark.touch()
        return
    useless = {"assertions"} if sys.dont_write_bytecode else set(PARTS) - {"assertions"} if UNCOMPILED else set()
    missing = [name for name in PARTS if name not in useless and not _mark_file(name).exists()]
    with ThreadPoolExecutor(1 + (os.cpu_count() or 1)) as pool:
        games = pool.submit(_compile_apart, "tavola", "warm")
        list(pool.map(partial(_compile_apart, "tests.helpers.compiled"), missing))
        games.result()


if __name__ == "__main__":
    main()
