"""`tavola arena GAME BOT …`: bots against each other, with the error of the comparison."""

from typing import Any

import click

from tavola.cli.parameters import contest_options, guide, parse_entry, progress_bar
from tavola.core import Game


@click.command(
    short_help="Bots against each other, with error bars.", epilog=f"How a bot of your own plays: {guide('programs')}"
)
@contest_options(matches=100, repeatable="Makes the deals repeatable.")
@click.option("--talk", is_flag=True, help="Let bots with a temper, search:400+bold, bargain with each other.")
def command(game: Game, bots: tuple[str, ...], **settings: Any) -> None:
    """Let BOTS, one for each seat, play GAME: `tavola arena GAME search:50ms greedy greedy greedy`.

    Every deal is played from every seat. A bot is a level, or a level and its budget a decision: `search:50ms`,
    `search:400` (iterations). With iterations the same seed gives the same table on every engine.

    A bot of your own is `python:module:Class`, a class with a method choose(view), or `exec:command`, a program that
    reads and writes lines of JSON; `@500ms` behind it limits a decision. What is late, fails or is not allowed is
    replaced by anything legal, and counted.

    With --talk a bot with a temper behind it, `search:400+faithful`, bargains: it asks, offers, agrees, and keeps its
    word or breaks it. A second table tells what was said and what became of it.
    """
    from rich.console import Console

    from tavola.lab import arena

    entries = [parse_entry(text) for text in bots]
    with progress_bar("deals") as progress:
        report = arena(game.name, entries, progress=progress, **settings)
    Console().print(report.standings_table())
    told = report.talk_table()
    if told is not None:
        Console().print(told)
