"""Compiled functions for rules: members of bit masks, pieces of a pile by kind, ranks by points."""

import numpy as np

from tavola.core.compilation import compiled, inlined
from tavola.core.fields import WORD_BITS
from tavola.core.intrinsics import count_bits, lowest_bit
from tavola.core.rng import random_below


@compiled
def count_members(mask):
    """Return the number of members of a mask."""
    return count_bits(np.int64(mask))


@inlined
def lowest_member(mask):
    """Return the lowest member of a non-empty mask."""
    return lowest_bit(np.int64(mask))


@compiled
def random_member(mask, rng):
    """Return a uniformly random member of a non-empty mask."""
    left = np.int64(mask)
    for _ in range(random_below(rng, count_bits(left))):
        left &= left - 1
    return lowest_member(left)


# Sets of more than 63 members: 63-bit words in a field declared with `members`


@compiled
def has_member(words, place):
    """Return 1 if the member at `place` is in the set, else 0."""
    return words[place // WORD_BITS] >> place % WORD_BITS & 1


@compiled
def add_member(words, place):
    """Add the member at `place` to the set."""
    words[place // WORD_BITS] |= 1 << np.int64(place % WORD_BITS)


@compiled
def remove_member(words, place):
    """Remove the member at `place` from the set."""
    words[place // WORD_BITS] &= ~(1 << np.int64(place % WORD_BITS))


# Piles: the number of pieces of each kind, without an order


@compiled
def pile_size(pile):
    """Return the number of pieces in a pile, whose entries are numbers of pieces by kind."""
    count = np.int64(0)
    for kind in range(len(pile)):
        count += pile[kind]
    return count


@compiled
def legal_draws(pile, first, actions, weights):
    """Write chance's draws from a pile, with weights; return their number. `first` is the action of the first kind."""
    count = 0
    for kind in range(len(pile)):
        if pile[kind]:
            actions[count] = first + kind
            weights[count] = pile[kind]
            count += 1
    return count


@compiled
def draw_from(pile, rng):
    """Remove a random piece from a pile, each with the same probability; return its kind."""
    left = random_below(rng, pile_size(pile))
    kind = 0
    while left >= pile[kind]:
        left -= pile[kind]
        kind += 1
    pile[kind] -= 1
    return kind


# Places


@compiled
def rank_seats(points, place, players, ties=1):
    """Write the places of `players` seats by their points: most first, equal points share a place (1, 1, 3).

    If ties can be broken, `points` contain `points * ties + tie` with 0 <= tie < ties; the greater tie comes first.
    Only the points are left in them.
    """
    for seat in range(players):
        place[seat] = 1
        for other in range(players):
            place[seat] += int(points[other] > points[seat])
    if ties > 1:
        for seat in range(players):
            points[seat] //= ties
