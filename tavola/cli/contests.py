"""Contests of bots, `tavola arena` and `tavola ladder`, and statistics of very many matches, `tavola simulate`."""

import json
from collections.abc import Callable
from typing import Any

import click

from tavola.cli.parameters import (
    contest_options,
    engine_options,
    game_argument,
    game_options,
    guide,
    parse_entry,
    print_tables,
    progress_bar,
)
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


# Simulations


def percent(value: str) -> float:
    """Return a percentage, `0.5%`, as a fraction."""
    try:
        return float(value.removesuffix("%")) / 100
    except ValueError:
        raise click.BadParameter(f"{value!r}: expected a percentage, for example 0.5%") from None


def _one_option(ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> str | None:
    """Return the option to vary; refuse several, because each needs its own run."""
    if len(given) > 1:
        raise click.BadParameter(f"expected one option, found {' and '.join(given)}; run the command once for each")
    return given[0] if given else None


@click.command(short_help="Simulate many matches and report statistics, with intervals.")
@game_argument
@game_options
@click.option(
    "--vary",
    multiple=True,
    callback=_one_option,
    metavar="OPTION[=A,B]",
    help="Compare all values of an option, or those listed.",
)
@click.option("--play", default="random", help="How seats choose actions: random, or prior (by the game's heuristics).")
@click.option(
    "--matches",
    type=click.IntRange(1),
    help="Matches per variant; the maximum with --until.  [default: 100000 without --until]",
)
@click.option("--until", type=percent, help="Stop when all win rates are known to within this margin, such as 0.5%.")
@click.option("--seed", type=int, default=0, help="Seed of the matches.")
@engine_options
def simulate_command(game: Game, as_json: bool, **settings: Any) -> None:
    """Play GAME very often: `tavola simulate GAME --matches 1000000`, `--vary OPTION`, `--until 0.5%`.

    Intervals are 95 % confidence intervals. With --until they are valid while it runs, and therefore wider. The same
    seed gives the same figures on every engine.
    """
    from tavola.lab import simulate
    from tavola.lab.report import json_document, result_tables

    with progress_bar("matches") as progress:
        found = simulate(game.name, progress=progress, **settings)
    if as_json:
        click.echo(json.dumps(json_document(found), ensure_ascii=False, indent=2))
        return
    print_tables(result_tables(found))
