"""Contests of bots: `tavola arena GAME BOT …` with fixed opponents, `tavola ladder GAME BOT …` with changing ones."""

import json
from collections.abc import Callable
from typing import Any

import click

from tavola.cli.parameters import contest_options, guide, parse_entry, print_tables, progress_bar
from tavola.core import Game


@click.command(
    short_help="Play bots against each other, with error bars.", epilog=f"To write a bot, see {guide('programs')}"
)
@contest_options(matches=100, repeatable="Seed of the deals.")
@click.option("--talk", is_flag=True, help="Let bots with a temper, such as search:400+bold, negotiate.")
def arena_command(game: Game, bots: tuple[str, ...], as_json: bool, **settings: Any) -> None:
    """Let BOTS, one for each seat, play GAME: `tavola arena GAME search:50ms greedy greedy greedy`.

    Every deal is played from every seat. A bot is a level, or a level with its budget per decision: `search:50ms`,
    `search:400` (iterations). With iterations, the same seed gives the same table on every engine.

    A bot of your own is `python:module:Class`, a class with a method choose(view), or `exec:command`, a program that
    reads and writes lines of JSON; append `@500ms` to limit a decision. Late, failed and illegal choices are replaced
    by random legal ones, and counted with the reason. `batch:module:Class` is a class in this process whose method
    choose_many(views) chooses for many matches at once, for neural networks.

    With --talk, a bot with a temper, `search:400+faithful`, negotiates: it requests, offers, agrees, and keeps or
    breaks its promises. A second table shows the statements and their outcomes.
    """
    from tavola.lab import arena

    _run_contest(arena, game, bots, as_json, settings)


@click.command(
    short_help="Rate any number of bots, with error bars.", epilog=f"To write a bot, see {guide('programs')}"
)
@contest_options(matches=400, repeatable="Seed of the tables and deals.")
def ladder_command(game: Game, bots: tuple[str, ...], as_json: bool, **settings: Any) -> None:
    """Rate BOTS at GAME, any number of them: `tavola ladder GAME random greedy search:100 python:mybots:Mine`.

    For each deal, `--players` bots are drawn for the seats, and play it from every seat. Bots are written as for
    `tavola arena`.
    """
    from tavola.lab import ladder

    _run_contest(ladder, game, bots, as_json, settings)


def _run_contest(
    hold: Callable[..., Any], game: Game, bots: tuple[str, ...], as_json: bool, settings: dict[str, Any]
) -> None:
    with progress_bar("deals") as progress:
        found = hold(game.name, [parse_entry(text) for text in bots], progress=progress, **settings)
    if as_json:
        click.echo(json.dumps(found.document(), ensure_ascii=False, indent=2))
    else:
        print_tables(found.tables())
