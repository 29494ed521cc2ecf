"""`tavola warm`: compile everything once, so that no later process has to."""

import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from tavola.cli.asked import GameName, entry_of
from tavola.core import Game, kernels, shelf, stream
from tavola.core.compiled import UNCOMPILED, cache_folder, home_of
from tavola.core.match import perft
from tavola.games import names

LEVELS = ("random", "greedy", "search:8")


@click.command(short_help="Compile all games, so that everything else starts at once.")
@click.argument("games", type=GameName(), nargs=-1)
def command(games: tuple[Game, ...]) -> None:
    """Compile the rules and the bots of GAMES (all unless told) into the cache; nothing to do the second time."""
    if games:
        for game in games:
            compile_game(game)
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


def compile_game(game: Game) -> None:
    """Ask for everything that anybody asks of a game, if nobody has yet."""
    from tavola.cli.bench import signature_of, speed
    from tavola.contract.promises import states_of
    from tavola.core.matchfile import replayed

    if _mark(game.folder).exists():
        return
    signature_of(game, 1)
    speed(game, 0)
    match = game.match(seed=1)
    perft(game, states_of(game, match.state_bytes()), 1)
    for decision in itertools.count():
        if match.over:
            break
        seat = match.to_act[0]
        for level in LEVELS if decision < 12 else LEVELS[:1]:
            number = entry_of(level).bot(1).choose(match.view(seat))
        match.play(number, seat)
    match.standing()
    kernels.redeal_at(match.view(0).states.copy(), 0, 0, stream(1))
    replayed(game, match.options, match.history)
    _mark(game.folder).touch()


def _mark(folder: Path) -> Path:
    """A file that says that everything was compiled for the game in `folder`."""
    return cache_folder(home_of(folder / "rules.py")) / f"{folder.name}.compiled"
