"""`tavola warm`: compile all games once, so that later processes start at once."""

import asyncio
import fcntl
import gc
import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from tavola.cli.parameters import GameName
from tavola.core import Game, registry
from tavola.core.compilation import UNCOMPILED, cache_folder, machine_code, source_folder_of
from tavola.core.match import Match, perft
from tavola.games import names
from tavola.live.bots.rehearsal import GLANCING, rehearse

FOR_ROOMS, FOR_ALL = "played", "all"
"""What is compiled: the code for rooms, or also that for simulations, benchmarks and tests."""


@click.command(short_help="Compile the games, so that other commands start at once.")
@click.argument("games", type=GameName(), nargs=-1)
@click.option("--beside", is_flag=True, hidden=True, help="Run at low priority, and compile only what rooms need.")
def command(games: tuple[Game, ...], beside: bool) -> None:
    """Compile the rules and bots of GAMES (default: all) into the cache. Repeating it has no effect."""
    if beside:
        os.nice(10)
    else:
        _refuse_cache_of_another()
    if games:
        collect_garbage_rarely()
        for game in games:
            compile_game(game, FOR_ROOMS if beside else FOR_ALL)
        return
    if missing := uncompiled_games(FOR_ALL):
        compile_all(missing)
    click.echo(f"compiled: {', '.join(names())}")
    if os.geteuid() == 0 and missing:
        click.echo(f"{cache_folder().parent}: the cache of root; a service with another user compiles its own")


def collect_garbage_rarely() -> None:
    """Collect garbage rarely in a process that only compiles: most of the compiler's objects last as long as it."""
    gc.set_threshold(50_000, 20, 1_000)


def _refuse_cache_of_another() -> None:
    """Refuse to fill another user's cache as root, because that user could not add to it."""
    from tavola.cli import OtherUser
    from tavola.cli.database import user_name

    named = os.environ.get("TAVOLA_CACHE")
    owner = Path(named).stat().st_uid if named and Path(named).is_dir() else 0
    if named and os.geteuid() == 0 and owner:
        user = user_name(owner)
        raise OtherUser(f"{named}: expected the user {user}, to whom it belongs", user, TAVOLA_CACHE=named)


def uncompiled_games(part: str) -> list[str]:
    """Return the games of which a part, `FOR_ROOMS` or `FOR_ALL`, is not compiled from the current sources."""
    return [] if UNCOMPILED else [name for name in names() if not _is_compiled(registry.game_folder(name), part)]


def compile_all(missing: Sequence[str]) -> None:
    """Compile games, each in its own process, as many at once as there are cores, and show a progress bar.

    Those with the longest rules begin, so that no core is idle while the last one is compiled.
    """
    from rich.console import Console
    from rich.progress import Progress

    def one(name: str) -> None:
        command = [sys.executable, "-m", "tavola", "warm", name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        progress.advance(bar)

    with Progress(console=Console(stderr=True)) as progress, ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        bar = progress.add_task("Compiling the games, only once", total=len(missing))
        list(pool.map(one, sorted(missing, key=_length_of_rules, reverse=True)))


def _length_of_rules(name: str) -> int:
    """Return the size of a game's rules in bytes, to which the time for compiling them is roughly proportional."""
    files = registry.game_folder(name).glob("*.py")
    return sum(path.stat().st_size for path in files if not path.name.startswith("test_"))


async def compile_in_background(name: str) -> None:
    """Compile all that rooms need of a game in another process, which ends with this one."""
    command = (sys.executable, "-m", "tavola", "warm", "--beside", name)
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL)
    try:
        if await process.wait():
            raise RuntimeError(f"compiling {name} failed with exit status {process.returncode}")
    finally:
        if process.returncode is None:
            process.terminate()


def compile_game(game: Game, part: str) -> None:
    """Compile a part of a game, `FOR_ROOMS` or `FOR_ALL`, unless it is compiled already."""
    home, name = game.source_folder, game.folder.name
    with machine_code(), _mark_file(home, name, "compiling").open("w") as alone:
        fcntl.flock(alone, fcntl.LOCK_EX)  # if several workers need it at once, one of them compiles
        for each, steps in ((FOR_ROOMS, _compile_for_rooms), (FOR_ALL, _compile_for_lab)):
            mark = _mark_file(home, name, each)
            if not mark.exists() and each in (FOR_ROOMS, part):
                steps(game)
                mark.touch()


def _compile_for_rooms(game: Game) -> None:
    """Compile all that rooms need, in the order in which they need it: for the opening, then for a whole match."""
    rehearse(game)
    rehearse(game, GLANCING[:1], sys.maxsize)


def _compile_for_lab(game: Game) -> None:
    from tavola.cli.bench import signature_of, speed
    from tavola.contract.samples import states_of
    from tavola.lab.simulation import count_matches

    signature_of(game, 1)
    speed(game, 0)
    count_matches(game, {}, "random", 1, 0, 1)
    perft(game, states_of(game, Match(game, seed=1).state_bytes()), 1)


def _is_compiled(folder: Path, part: str) -> bool:
    return _mark_file(source_folder_of(folder / "rules.py"), folder.name, part).exists()


def _mark_file(home: Path | None, name: str, part: str) -> Path:
    """Return the file that marks a part as compiled, for the game or the earlier version at `home`."""
    return cache_folder(home) / f"{name}.{part}"
