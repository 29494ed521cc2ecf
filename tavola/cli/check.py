"""`tavola check GAME`: every promise a game makes, tried on random matches."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from tavola.cli.asked import entry_of, game_argument
from tavola.contract.folder import FOLDER_CHECKS, SPOKEN_CHECKS, the_card_is_complete
from tavola.contract.golden import write_goldens
from tavola.contract.processes import compiled_and_uncompiled_agree
from tavola.contract.promises import guarded, matches_end, try_positions
from tavola.contract.words import catalogues_are_complete
from tavola.contract.worlds import Breach
from tavola.core import CHANCE, Game, stream
from tavola.core.compiled import UNCOMPILED

if TYPE_CHECKING:
    from rich.progress import Progress

WORLDS = 2_000
BOTS = ("random", "greedy", "search:4" if UNCOMPILED else "search:40")


def bots_can_play(game: Game) -> None:
    """Every level of bot plays a match to its end, and the same view gives the same choice."""
    from tavola.cli.play import outcome

    for level in BOTS:
        match, bot, rng = game.match(), entry_of(level).bot(1), stream(1)
        while not match.over:
            if CHANCE in match.to_act:
                match.play(outcome(match, 1))
                continue
            seat = match.actor(rng)
            number = bot.choose(match.view(seat))
            if number != bot.choose(match.view(seat)):
                raise Breach(f"{level} chooses something else when asked again: expected the same")
            match.play(number, seat)


BEFORE: tuple[Callable[[Game], None], ...] = (the_card_is_complete, matches_end)
AFTER: tuple[Callable[[Game], None], ...] = (*FOLDER_CHECKS, bots_can_play)
ELSEWHERE: tuple[Callable[[Game], None], ...] = () if UNCOMPILED else (compiled_and_uncompiled_agree,)
"""Who runs rules uncompiled, while he writes them, does not wait for the compiler."""
NOT_COMPILED = "; it was not compiled: at last try it without NUMBA_DISABLE_JIT"
FOLLOWING = (catalogues_are_complete,)
"""What a game that is being made may do later."""


@click.command(short_help="Try every promise a game makes.")
@game_argument
@click.option("--worlds", type=click.IntRange(1), default=WORLDS, show_default=True, help="How many positions to try.")
@click.option("--seed", type=int, default=1, show_default=True, help="Other random matches.")
@click.option("--strict", is_flag=True, help="Translations may not follow later.")
@click.option("--write-golden", is_flag=True, help="First write the goldens as the game is now.")
@click.pass_context
def command(ctx: click.Context, game: Game, worlds: int, seed: int, strict: bool, write_golden: bool) -> None:
    """Try everything that a game promises: its folder, then random matches with all invariants at every position.

    What does not hold is printed with the seed and the record of the match, and the exit status is 1.
    """
    if write_golden:
        click.echo(f"goldens written: {', '.join(write_goldens(game)) or 'none has changed'}")
    try:
        missing = check(game, worlds, seed, strict)
    except Breach as breach:
        click.echo(f"{game.name}: {breach}", err=True)
        ctx.exit(1)
    but = " but its translations" if missing else ""
    click.echo(f"{game.name} keeps every promise{but}{NOT_COMPILED if UNCOMPILED else ''}")
    for later in missing:
        click.echo(f"still to come: {later.message}", err=True)


def check(game: Game, worlds: int, seed: int, strict: bool = True) -> list[Breach]:
    """Try all promises, telling what is being done; `Breach` at the first that does not hold.

    Unless strict, what may follow later, translations, is given back instead.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        _each(progress, BEFORE, game)
        bar = progress.add_task("random matches", total=worlds)
        try_positions(game, worlds, seed, SPOKEN_CHECKS, lambda done: progress.update(bar, completed=min(done, worlds)))
        missing: list[Breach] = []
        _each(progress, (*AFTER, *ELSEWHERE), game, None if strict else missing)
        return missing


def _each(
    progress: "Progress",
    promises: Sequence[Callable[[Game], None]],
    game: Game,
    later: list[Breach] | None = None,
) -> None:
    """Try promises in turn; what may follow later goes into `later`, if that is given."""
    bar = progress.add_task("", total=len(promises))
    for promise in promises:
        progress.update(bar, description=promise.__name__.replace("_", " "))
        try:
            guarded(promise, game)
        except Breach as breach:
            if later is None or promise not in FOLLOWING:
                raise
            later.append(breach)
        progress.advance(bar)
