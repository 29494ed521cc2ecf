"""Bots against each other: `tavola arena GAME BOT …`, and `tavola ladder GAME BOT …` in changing company."""

import json
from collections.abc import Callable
from typing import Any

import click

from tavola.cli.parameters import contest_options, guide, parse_entry, print_tables, progress_bar
from tavola.core import Game


@click.command(
    short_help="Bots against each other, with error bars.", epilog=f"How a bot of your own plays: {guide('programs')}"
)
@contest_options(matches=100, repeatable="Makes the deals repeatable.")
@click.option("--talk", is_flag=True, help="Let bots with a temper, search:400+bold, bargain with each other.")
def arena_command(game: Game, bots: tuple[str, ...], as_json: bool, **settings: Any) -> None:
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

    run_contest(arena, game, bots, as_json, settings)


@click.command(
    short_help="Any number of bots, rated with error bars.", epilog=f"How a bot of your own plays: {guide('programs')}"
)
@contest_options(matches=400, repeatable="Makes tables and deals repeatable.")
def ladder_command(game: Game, bots: tuple[str, ...], as_json: bool, **settings: Any) -> None:
    """Rate BOTS at GAME, any number of them: `tavola ladder GAME random greedy search:100 python:mybots:Mine`.

    For each deal bots are drawn for the seats, `--players` of them, and play it from every seat. Bots are written as
    for `tavola arena`.
    """
    from tavola.lab import ladder

    run_contest(ladder, game, bots, as_json, settings)


def run_contest(
    hold: Callable[..., Any], game: Game, bots: tuple[str, ...], as_json: bool, settings: dict[str, Any]
) -> None:
    """Hold an arena or a ladder, and print what it found."""
    with progress_bar("deals") as progress:
        found = hold(game.name, [parse_entry(text) for text in bots], progress=progress, **settings)
    if as_json:
        click.echo(json.dumps(found.document(), ensure_ascii=False, indent=2))
    else:
        print_tables(found.tables())
