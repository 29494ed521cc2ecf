"""How long matches are, so that a bot knows when the end nears: what it says counts less then."""

from functools import cache

from tavola.bots import bot
from tavola.core import Game
from tavola.core.match import Match
from tavola.core.rng import stream

MATCHES = 3
LONGEST = 3000


@cache
def usual_length(game: Game, players: int) -> int:
    """Return how many actions everyone could notice in a match where all play by the priors, chance's included."""
    return max(1, sum(_length(game, players, seed) for seed in range(MATCHES)) // MATCHES)


def share_left(game: Game, players: int, played: int) -> float:
    """Return the share of a match that is still to come, about, after `played` of them; 0 where it lasts longer."""
    return max(0.0, 1.0 - played / usual_length(game, players))


def _length(game: Game, players: int, seed: int) -> int:
    match, rng, player = Match(game, seed=seed, players=players), stream(seed), bot("greedy", seed)
    while not match.over and len(match.history) < LONGEST:
        seat = match.actor(rng)
        match.play(player.choose(match.view(seat)), seat)
    return len(match.heard(None))
