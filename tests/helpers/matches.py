"""Matches played as a test says, or at random."""

import random
from typing import Any

from tavola.core import Game, Match


def played(game: Game, *plays: tuple[int, str], **options: Any) -> Match:
    """Return a match after `plays`: seats, or chance, with their codes."""
    match = Match(game, **options)
    for seat, code in plays:
        match.play(code, seat)
    return match


def play_randomly(match: Match, seed: int, most: int = 10**6) -> Match:
    """Play random actions, including chance's, to the end or until `most` have been played; return the match."""
    draw = random.Random(seed)
    while not match.over and len(match.history) < most:
        seat = draw.choice(match.to_act)
        match.play(draw.choice(match.legal_numbers(seat)), seat)
    return match
