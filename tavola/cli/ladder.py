"""`tavola ladder GAME BOT …`: any number of bots, rated by matches in changing company."""

import json
from typing import Any

import click

from tavola.cli.parameters import contest_options, guide, parse_entry, print_tables, progress_bar
from tavola.core import Game


@click.command(
    short_help="Any number of bots, rated with error bars.", epilog=f"How a bot of your own plays: {guide('programs')}"
)
@contest_options(matches=400, repeatable="Makes tables and deals repeatable.")
def command(game: Game, bots: tuple[str, ...], as_json: bool, **settings: Any) -> None:
    """Rate BOTS at GAME, any number of them: `tavola ladder GAME random greedy search:100 python:mybots:Mine`.

    For each deal bots are drawn for the seats, `--players` of them, and play it from every seat. Bots are written as
    for `tavola arena`.
    """
    from tavola.lab import ladder

    entries = [parse_entry(text) for text in bots]
    with progress_bar("deals") as progress:
        found = ladder(game.name, entries, progress=progress, **settings)
    if as_json:
        click.echo(json.dumps(found.document(), ensure_ascii=False, indent=2))
    else:
        print_tables(found.tables())
