"""Piles in rules: how many of each kind lie in them, in no order, for nobody knows what is drawn next."""

import numpy as np

from tavola.core.compilation import compiled
from tavola.core.rng import random_below


@compiled
def pile_size(pile):
    """Return the number of pieces in a pile."""
    count = np.int64(0)
    for kind in range(len(pile)):
        count += pile[kind]
    return count


@compiled
def legal_draws(pile, first, actions, weights):
    """Write what chance may draw, `first` being the action of the first kind, and how likely; return how many."""
    count = 0
    for kind in range(len(pile)):
        if pile[kind]:
            actions[count] = first + kind
            weights[count] = pile[kind]
            count += 1
    return count


@compiled
def draw_from(pile, rng):
    """Take one away at random, each as likely as the others: its kind."""
    left = random_below(rng, pile_size(pile))
    kind = 0
    while left >= pile[kind]:
        left -= pile[kind]
        kind += 1
    pile[kind] -= 1
    return kind
