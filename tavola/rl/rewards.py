"""Rewards: the value of a match's end to each seat, by a named rule."""

import numpy as np

from tavola.core import Refusal
from tavola.core.compilation import compiled
from tavola.core.fields import short_repr

PLACE, WIN, POINTS = range(3)
REWARDS = ("place", "win", "points")
"""`place`: from 1 for the first place to -1 for the last, in even steps; shared places get the mean of their steps, so
that the sum is 0. `win`: the share of the first place, so that the sum is 1. `points`: the points."""


class BadReward(Refusal):
    """An unknown rule of rewards."""


def reward_kind(name: object) -> int:
    """Return the number of a rule of rewards; raise `BadReward` for an unknown one."""
    if name not in REWARDS:
        raise BadReward(f"reward: expected {' or '.join(REWARDS)}, found {short_repr(name)}")
    return REWARDS.index(str(name))


@compiled
def write_rewards(points, places, players, kind, rewards, i):
    """Write the rewards of `players` seats, by points and places, into row `i` of `rewards`."""
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
    """Return the rewards of an ended match by seat."""
    rewards = np.zeros((1, len(points)))
    write_rewards(np.array(points, np.int64), np.array(places, np.int64), len(points), kind, rewards, 0)
    return [float(reward) for reward in rewards[0]]
