"""`tavola ladder GAME BOT …`: any number of bots, rated by matches in changing company."""

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
    short_help="Any number of bots, rated with error bars.", epilog=f"How a bot of your own plays: {guide('programs')}"
)
@game_argument
@click.argument("bots", nargs=-1, required=True)
@game_options
@click.option("--matches", type=click.IntRange(1), default=400, show_default=True, help="At least so many.")
@click.option("--seed", type=int, default=0, show_default=True, help="Makes tables and deals repeatable.")
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
    """Rate BOTS at GAME, any number of them: `tavola ladder GAME random greedy search:100 python:mybots:Mine`.

    For each deal bots are drawn for the seats, `--players` of them, and play it from every seat. Bots are written as
    for `tavola arena`.
    """
    from rich.console import Console

    from tavola.lab import ladder

    entries = [parse_entry(text) for text in bots]
    with progress_bar("deals") as progress:
        found = ladder(game.name, entries, matches, seed, options, processes, progress, rules, on, results)
    Console().print(found.ratings_table())
