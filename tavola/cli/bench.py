"""Checks of a rules engine: `tavola bench` for a signature and the speed, `tavola perft` to count action sequences."""

import hashlib
import json
import time
from typing import Any

import click
import numpy as np

from tavola.cli.parameters import GameName, game_argument, game_options, read_text
from tavola.contract.samples import states_of
from tavola.core import RULES, BadPosition, Game, kernels
from tavola.core.match import Match, perft
from tavola.core.view import Buffers
from tavola.games import load, names

MATCHES = 200
SEED = 1


@click.command(short_help="Print a signature of the rules and measure their speed.")
@click.argument("games", type=GameName(), nargs=-1)
@click.option("--rules", type=click.Choice(RULES), default="letter", help="Set of options to use.")
@click.option("--seconds", type=click.FloatRange(0), default=1.0, help="Seconds to run each game.")
def command(games: tuple[Game, ...], rules: str, seconds: float) -> None:
    """Play seeded random matches of GAMES (default: all), compiled, on one core.

    The signature is a hash over every action of 200 matches for each number of players: a change that does not alter
    the rules does not alter it. By default the options are those of the printed rules, not the recommended ones.
    """
    digest = hashlib.sha256()
    click.echo(f"rules: {rules}")
    click.echo(f"{'game':16}{'signature':>12}{'matches/s':>12}{'actions/s':>14}{'actions/match':>18}")
    for game in games or tuple(load(name) for name in names()):
        signature = signature_of(game, rules=rules)
        digest.update(signature.encode())
        matches, actions, taken = speed(game, seconds, rules)
        rates = f"{matches / taken:12,.0f}{actions / taken:14,.0f}{actions / matches:18.1f}"
        click.echo(f"{game.name:16}{signature:>12}{rates}")
    click.echo(f"signature {digest.hexdigest()[:16]}")


def signature_of(game: Game, matches: int = MATCHES, rules: str = "letter") -> str:
    """Return eight hexadecimal digits over random matches for each number of players."""
    digest, scratch = hashlib.sha256(), Buffers(game)
    few, many = game.players
    for players in range(few, many + 1):
        options = game.options.array({"players": players}, rules)
        number = kernels.signature(game.states(2), options, SEED, 0, matches, scratch.actions, scratch.weights)
        digest.update(f"{game.name} {game.version} {players} {number}\n".encode())
    return digest.hexdigest()[:8]


def speed(game: Game, seconds: float, rules: str = "letter") -> tuple[int, int, float]:
    """Return the matches and actions played, and the seconds they took."""
    scratch, options = Buffers(game), game.options.array({}, rules)
    points, places = (np.zeros((MATCHES, int(options[0])), np.int64) for _ in range(2))
    lengths, states = np.zeros(MATCHES, np.int64), game.states(2)
    played = actions = 0
    # The first batch includes compilation, so it is not counted.
    kernels.play_batch(states, options, SEED, 0, points, places, lengths, scratch.actions, scratch.weights)
    started = time.perf_counter()
    while not played or time.perf_counter() - started < seconds:
        kernels.play_batch(states, options, SEED, played, points, places, lengths, scratch.actions, scratch.weights)
        played, actions = played + MATCHES, actions + int(lengths.sum())
    return played, actions, time.perf_counter() - started


@click.command(short_help="Count the possible sequences of actions.")
@game_argument
@game_options
@click.option("--depth", type=click.IntRange(0, 60), default=3, help="Maximum length of the sequences.")
@click.option("--position", "file", help="Position document to start from; `-` for standard input.")
def perft_command(game: Game, options: dict[str, Any], rules: str, depth: int, file: str | None) -> None:
    """Count the sequences of actions of GAME, those of chance included, from the start or from a position.

    If several seats decide in secret, the lowest acts first. In an open decision, each of them can act first.
    """
    try:
        position = None if file is None else json.loads(read_text(file))
    except json.JSONDecodeError as error:
        raise BadPosition(f"the position: expected a JSON document, {error}") from error
    match = Match(game, position=position, rules=rules, **options)
    states = states_of(game, match.state_bytes())
    for deep in range(1, depth + 1):
        started = time.perf_counter()
        count = perft(game, states, deep)
        taken = time.perf_counter() - started
        click.echo(f"{deep:3} {count:15,}   {taken:.2f} s")
