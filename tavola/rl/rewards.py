"""Rewards: what the end of a match is worth to each seat, by a rule with a name."""

import numpy as np

from tavola.core import Refusal
from tavola.core.compilation import compiled
from tavola.core.fields import short_repr

PLACE, WIN, POINTS = range(3)
REWARDS = ("place", "win", "points")
"""`place`: from 1 for who comes first alone to -1 for who comes last alone, in even steps, the mean of the steps where
places are shared, so that all add up to zero. `win`: the share of the first place, so that all add up to one.
`points`: the points."""


class BadReward(Refusal):
    """A rule of rewards that does not exist."""


def reward_kind(name: object) -> int:
    """The number of a rule of rewards, or `BadReward` with the names there are."""
    if name not in REWARDS:
        raise BadReward(f"reward: expected {' or '.join(REWARDS)}, found {short_repr(name)}")
    return REWARDS.index(str(name))


@compiled
def write_rewards(points, places, players, kind, rewards, i):
    """Write into row `i` of `rewards` what points and places are worth to each of `players` seats."""
    for seat in range(players):
        sharing = 0
        for other in range(players):
            sharing += places[other] == places[seat]
        if kind == PLACE:
            mean = places[seat] - 1 + (sharing - 1) / 2.0
            rewards[i, seat] = 1.0 - 2.0 * mean / max(players - 1.0, 1.0)
        elif kind == WIN:
            rewards[i, seat] = 1.0 / sharing if places[seat] == 1 else 0.0
        else:
            rewards[i, seat] = points[seat]


def rewards_of(points: tuple[int, ...], places: tuple[int, ...], kind: int) -> list[float]:
    """The rewards of an ended match by seat."""
    rewards = np.zeros((1, len(points)))
    write_rewards(np.array(points, np.int64), np.array(places, np.int64), len(points), kind, rewards, 0)
    return [float(reward) for reward in rewards[0]]
