"""Matches played as a test says, or at random."""

import random
from typing import Any

from tavola.bots import bot
from tavola.core import Game, Match
from tavola.games import load


def played(game: Game, *plays: tuple[int, str], **options: Any) -> Match:
    """Return a match after `plays`: seats, or chance, with their codes."""
    match = Match(game, **options)
    for seat, code in plays:
        match.play(code, seat)
    return match


def ballot() -> Match:
    """Return a match of Lifeboats at its first ballot, in which all four vote; greedy bots have played."""
    match, greedy = Match(load("lifeboats"), seed=1, players=4), bot("greedy", 2)
    while len(match.to_act) < 4:
        match.play(greedy.choose(match.view(match.to_act[0])))
    return match


def play_randomly(match: Match, seed: int, most: int = 10**6) -> Match:
    """Play random actions, including chance's, to the end or until `most` have been played; return the match."""
    draw = random.Random(seed)
    while not match.over and len(match.history) < most:
        seat = draw.choice(match.to_act)
        match.play(draw.choice(match.legal_numbers(seat)), seat)
    return match
