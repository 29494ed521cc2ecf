"""`tavola perft GAME`: the number of ways to play on, the classic check of a rules engine."""

import json
import time
from typing import Any

import click

from tavola.cli.parameters import game_argument, game_options, read_text
from tavola.contract.samples import states_of
from tavola.core import BadPosition, Game
from tavola.core.match import Match, perft


@click.command(short_help="Count the ways to play on.")
@game_argument
@game_options
@click.option("--depth", type=click.IntRange(0, 60), default=3, show_default=True, help="How many actions deep.")
@click.option("--position", "file", help="Start from this position document, `-` for what is piped in.")
def command(game: Game, options: dict[str, Any], rules: str, depth: int, file: str | None) -> None:
    """Count the sequences of actions, chance's included, from the start or from a position.

    Of several seats that decide in secret the lowest acts first; where whoever comes first acts, each of them may.
    """
    match = Match(game, position=None if file is None else _parse_document(read_text(file)), rules=rules, **options)
    states = states_of(game, match.state_bytes())
    for deep in range(1, depth + 1):
        started = time.perf_counter()
        count = perft(game, states, deep)
        taken = time.perf_counter() - started
        click.echo(f"{deep:3} {count:15,}   {taken:.2f} s")


def _parse_document(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadPosition(f"the position: expected a JSON document, {error}") from error
