"""`tavola arena GAME BOT …`: bots against each other, with the error of the comparison."""

from pathlib import Path
from typing import Any

import click

from tavola.cli.parameters import (
    game_argument,
    game_options,
    guide,
    on_option,
    parse_entry,
    processes_option,
    progress_bar,
    results_option,
)
from tavola.core import Game


@click.command(
    short_help="Bots against each other, with error bars.", epilog=f"How a bot of your own plays: {guide('programs')}"
)
@game_argument
@click.argument("bots", nargs=-1, required=True)
@game_options
@click.option("--matches", type=click.IntRange(1), default=100, show_default=True, help="At least so many.")
@click.option("--seed", type=int, default=0, show_default=True, help="Makes the deals repeatable.")
@on_option
@processes_option
@results_option
def command(
    game: Game,
    bots: tuple[str, ...],
    options: dict[str, Any],
    rules: str,
    matches: int,
    seed: int,
    on: str | None,
    processes: int | None,
    results: Path | None,
) -> None:
    """Let BOTS, one for each seat, play GAME: `tavola arena GAME search:50ms greedy greedy greedy`.

    Every deal is played from every seat. A bot is a level, or a level and its budget a decision: `search:50ms`,
    `search:400` (iterations). With iterations the same seed gives the same table on every engine.

    A bot of your own is `python:module:Class`, a class with a method choose(view), or `exec:command`, a program that
    reads and writes lines of JSON; `@500ms` behind it limits a decision. What is late, fails or is not allowed is
    replaced by anything legal, and counted.
    """
    from rich.console import Console

    from tavola.lab import arena

    entries = [parse_entry(text) for text in bots]
    with progress_bar("deals") as progress:
        report = arena(game.name, entries, matches, seed, options, processes, progress, rules, on, results)
    Console().print(report.standings_table())
