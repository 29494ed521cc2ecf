"""`tavola simulate GAME`: statistics of a game over very many matches, with error bars."""

import json
from typing import Any

import click

from tavola.cli.parameters import (
    game_argument,
    game_options,
    json_option,
    on_option,
    print_tables,
    processes_option,
    progress_bar,
    results_option,
)
from tavola.core import Game


class Percent(click.ParamType[float]):
    """A percentage, `0.5%`."""

    name = "percent"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            return float(str(value).removesuffix("%")) / 100
        except ValueError:
            self.fail(f"{value!r}: expected a percentage, for example 0.5%")


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
@click.option(
    "--play",
    default="random",
    show_default=True,
    help="How seats choose actions: random, or prior (by the game's heuristics).",
)
@click.option(
    "--matches",
    type=click.IntRange(1),
    help="Matches per variant; the maximum with --until.  [default: 100000 without --until]",
)
@click.option("--until", type=Percent(), help="Stop when all win rates are known to within this margin, such as 0.5%.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the matches.")
@on_option
@processes_option
@results_option
@json_option
def command(game: Game, as_json: bool, **settings: Any) -> None:
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
