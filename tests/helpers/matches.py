"""Matches played at random."""

import random

from tavola.core import Match


def play_randomly(match: Match, seed: int, most: int = 10**6) -> Match:
    """Play random actions, including chance's, to the end or until `most` have been played; return the match."""
    draw = random.Random(seed)
    while not match.over and len(match.history) < most:
        seat = draw.choice(match.to_act)
        match.play(draw.choice(match.legal_numbers(seat)), seat)
    return match
