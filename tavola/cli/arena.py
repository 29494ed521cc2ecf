"""`tavola arena GAME BOT …`: bots against each other, with the error of the comparison."""

from typing import Any

import click

from tavola.cli.asked import entry_of, game_argument, options_of
from tavola.core import Game


@click.command(short_help="Bots against each other, with error bars.")
@game_argument
@click.argument("bots", nargs=-1, required=True)
@options_of
@click.option("--matches", type=click.IntRange(1), default=100, show_default=True, help="At least so many.")
@click.option("--seed", type=int, default=0, show_default=True, help="Makes the deals repeatable.")
@click.option("--processes", type=click.IntRange(1), help="How many at once, one a core unless told.")
def command(
    game: Game,
    bots: tuple[str, ...],
    options: dict[str, Any],
    rules: str,
    matches: int,
    seed: int,
    processes: int | None,
) -> None:
    """Let BOTS, one for each seat, play GAME: `tavola arena GAME search:50ms greedy greedy greedy`.

    Every deal is played from every seat. A bot is a level, or a level and its budget a decision: `search:50ms`,
    `search:400` (iterations).
    """
    from rich.console import Console
    from rich.progress import Progress

    from tavola.lab import arena

    entries = [entry_of(text) for text in bots]
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("deals")

        def advance(done: int, deals: int) -> None:
            progress.update(bar, completed=done, total=deals)

        report = arena(game.name, entries, matches, seed, options, processes, advance, rules)
    Console().print(report.table())
