"""`tavola arena GAME BOT …`: bots against each other, with the error of the comparison."""

import json
from typing import Any

import click

from tavola.cli.parameters import contest_options, guide, parse_entry, print_tables, progress_bar
from tavola.core import Game


@click.command(
    short_help="Bots against each other, with error bars.", epilog=f"How a bot of your own plays: {guide('programs')}"
)
@contest_options(matches=100, repeatable="Makes the deals repeatable.")
@click.option("--talk", is_flag=True, help="Let bots with a temper, search:400+bold, bargain with each other.")
def command(game: Game, bots: tuple[str, ...], as_json: bool, **settings: Any) -> None:
    """Let BOTS, one for each seat, play GAME: `tavola arena GAME search:50ms greedy greedy greedy`.

    Every deal is played from every seat. A bot is a level, or a level and its budget a decision: `search:50ms`,
    `search:400` (iterations). With iterations the same seed gives the same table on every engine.

    A bot of your own is `python:module:Class`, a class with a method choose(view), or `exec:command`, a program that
    reads and writes lines of JSON; `@500ms` behind it limits a decision. What is late, fails or is not allowed is
    replaced by anything legal, and counted with the reason. `batch:module:Class` is a class in this process with a
    method choose_many(views), which is asked for many matches at once: for nets.

    With --talk a bot with a temper behind it, `search:400+faithful`, bargains: it asks, offers, agrees, and keeps its
    word or breaks it. A second table tells what was said and what became of it.
    """
    from tavola.lab import arena

    entries = [parse_entry(text) for text in bots]
    with progress_bar("deals") as progress:
        report = arena(game.name, entries, progress=progress, **settings)
    if as_json:
        click.echo(json.dumps(report.document(), ensure_ascii=False, indent=2))
    else:
        print_tables(report.tables())
