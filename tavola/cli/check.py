"""`tavola check GAME`: every promise a game makes, tried on random matches."""

from collections.abc import Callable

import click

from tavola.cli.asked import entry_of, game_argument
from tavola.core import CHANCE, Game
from tavola.core.contract import (
    Breach,
    World,
    compiled_and_uncompiled_agree,
    guarded,
    matches_end,
    try_positions,
)
from tavola.core.contract_folder import GAME_CHECKS, SPOKEN_CHECKS
from tavola.core.golden import write_goldens

WORLDS = 2_000
BOTS = ("random", "greedy", "search:40")


def bots_can_play(game: Game) -> None:
    """Every level of bot plays a match to its end, and the same view gives the same choice."""
    from tavola.cli.play import outcome

    for level in BOTS:
        match, bot = game.match(), entry_of(level).bot(1)
        while not match.over:
            if CHANCE in match.to_act:
                match.play(outcome(match, 1))
                continue
            seat = match.to_act[-1]
            number = bot.choose(match.view(seat))
            if number != bot.choose(match.view(seat)):
                raise Breach(f"{level} chooses something else when asked again: expected the same")
            match.play(number, seat)


ONCE: tuple[Callable[[Game], None], ...] = (*GAME_CHECKS, matches_end, bots_can_play, compiled_and_uncompiled_agree)


@click.command(short_help="Try every promise a game makes.")
@game_argument
@click.option("--worlds", type=click.IntRange(1), default=WORLDS, show_default=True, help="How many positions to try.")
@click.option("--seed", type=int, default=1, show_default=True, help="Other random matches.")
@click.option("--write-golden", is_flag=True, help="First write the goldens as the game is now.")
@click.pass_context
def command(ctx: click.Context, game: Game, worlds: int, seed: int, write_golden: bool) -> None:
    """Try everything that a game promises: its folder, then random matches with all invariants at every position.

    What does not hold is printed with the seed and the record of the match, and the exit status is 1.
    """
    if write_golden:
        click.echo(f"goldens written: {', '.join(write_goldens(game)) or 'none has changed'}")
    try:
        check(game, worlds, seed)
    except Breach as breach:
        click.echo(f"{game.name}: {breach}", err=True)
        ctx.exit(1)
    click.echo(f"{game.name} keeps every promise")


def check(game: Game, worlds: int, seed: int) -> None:
    """Try all promises, telling what is being done; `Breach` at the first that does not hold."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True)) as progress:
        bar = progress.add_task("folder, bots, processes", total=len(ONCE))
        for promise in ONCE:
            progress.update(bar, description=promise.__name__.replace("_", " "))
            guarded(promise, game)
            progress.advance(bar)
        positions = progress.add_task("random matches", total=worlds)
        checks: tuple[Callable[[World], None], ...] = SPOKEN_CHECKS
        try_positions(game, worlds, seed, checks, lambda done: progress.update(positions, completed=done))
