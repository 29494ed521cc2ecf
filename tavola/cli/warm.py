"""`tavola warm`: compile everything once, so that no later process has to."""

import asyncio
import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import click

from tavola.cli.asked import GameName, entry_of
from tavola.core import Game, Match, kernels, shelf, stream
from tavola.core.compiled import UNCOMPILED, cache_folder, home_of
from tavola.core.match import perft
from tavola.games import names

LEVELS = ("random", "greedy", "search:8")


@click.command(short_help="Compile all games, so that everything else starts at once.")
@click.argument("games", type=GameName(), nargs=-1)
@click.option("--beside", is_flag=True, hidden=True, help="Give way to others, and print how far it is.")
def command(games: tuple[Game, ...], beside: bool) -> None:
    """Compile the rules and the bots of GAMES (all unless told) into the cache; nothing to do the second time."""
    if games:
        if beside:
            os.nice(10)
        for game in games:
            compile_game(game, (lambda far: print(far, flush=True)) if beside else lambda far: None)
        return
    missing = cold()
    if missing:
        with_progress(missing)
    click.echo(f"compiled: {', '.join(names())}")


def cold() -> list[str]:
    """The games that have not been compiled from the sources as they are."""
    return [] if UNCOMPILED else [name for name in names() if not _mark(shelf.folder(name)).exists()]


def compile_all(missing: Sequence[str], done: Callable[[str], None] = lambda name: None) -> None:
    """Compile games, each in a process of its own, as many at once as there are cores."""

    def one(name: str) -> None:
        command = [sys.executable, "-m", "tavola", "warm", name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        done(name)

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(one, missing))


def with_progress(missing: Sequence[str]) -> None:
    """Compile games and show how far it is."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as progress:
        bar = progress.add_task("Compiling the games, once", total=len(missing))
        compile_all(missing, lambda name: progress.advance(bar))


async def compile_beside(name: str, progress: Callable[[float], None]) -> None:
    """Compile a game in a process of its own, which ends with us; `progress` is told how far it is, 0 to 1."""
    command = (sys.executable, "-m", "tavola", "warm", "--beside", name)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        async for line in process.stdout:
            progress(float(line))
        if await process.wait():
            raise RuntimeError(f"compiling {name} ended with {process.returncode}")
    finally:
        if process.returncode is None:
            process.terminate()


def compile_game(game: Game, progress: Callable[[float], None] = lambda far: None) -> None:
    """Ask for everything that anybody asks of a game, if nobody has yet; `progress` is told how far it is, 0 to 1."""
    mark = _mark(game.folder)
    with mark.with_suffix(".compiling").open("w") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)  # several workers may want it at once: one of them compiles
        if mark.exists():
            return
        steps = _steps(game)
        for number, step in enumerate(steps, 1):
            step()
            progress(number / len(steps))
        mark.touch()


def _steps(game: Game) -> list[Callable[[], object]]:
    from tavola.cli.bench import signature_of, speed
    from tavola.contract.worlds import states_of
    from tavola.lab.simulation import tally_of

    return [
        lambda: signature_of(game, 1),
        lambda: speed(game, 0),
        lambda: tally_of(game, {}, "random", 1, 0, 1),
        lambda: perft(game, states_of(game, game.match(seed=1).state_bytes()), 1),
        *(partial(_play, game, level, 12) for level in LEVELS),
        lambda: _look_back(_play(game, LEVELS[0])),
    ]


def _play(game: Game, level: str, most: int = sys.maxsize) -> Match:
    """A match of bots, as far as so many decisions."""
    match, bot = game.match(seed=1), entry_of(level).bot(1)
    for _ in range(most):
        if match.over:
            break
        seat = match.to_act[0]
        match.play(bot.choose(match.view(seat)), seat)
    return match


def _look_back(match: Match) -> None:
    """What is asked of a match that was played."""
    from tavola.core.matchfile import replayed

    match.standing()
    kernels.redeal_at(match.view(0).states.copy(), 0, 0, stream(1))
    replayed(match.game, match.options, match.history)


def _mark(folder: Path) -> Path:
    """A file that says that everything was compiled for the game in `folder`."""
    return cache_folder(home_of(folder / "rules.py")) / f"{folder.name}.compiled"
