"""Sets of small numbers as bits: masks of at most 63 members, and words of 63 bits where there are more."""

import numpy as np

from tavola.core.compilation import compiled
from tavola.core.fields import WORD_BITS
from tavola.core.rng import random_below

MODULUS = 67
"""No two powers of two below 2**66 leave the same rest."""
BIT_INDEX = np.zeros(MODULUS, np.int64)
for _place in range(63):
    BIT_INDEX[(1 << _place) % MODULUS] = _place


@compiled
def count_members(mask):
    """Return the number of members of a mask."""
    left = np.int64(mask)
    count = 0
    while left:
        left &= left - 1
        count += 1
    return count


@compiled
def lowest_member(mask):
    """The lowest member of a mask that is not empty."""
    left = np.int64(mask)
    return BIT_INDEX[(left & -left) % MODULUS]


@compiled
def random_member(mask, rng):
    """Any member of a mask that is not empty, each as likely as the others."""
    left = np.int64(mask)
    for _ in range(random_below(rng, count_members(mask))):
        left &= left - 1
    return lowest_member(left)


# Sets of more than 63 members: words in a field declared with `members`


@compiled
def has_member(words, place):
    """Return 1 when the member at `place` is in the set, else 0."""
    return words[place // WORD_BITS] >> place % WORD_BITS & 1


@compiled
def add_member(words, place):
    """Put the member at `place` into the set."""
    words[place // WORD_BITS] |= 1 << np.int64(place % WORD_BITS)


@compiled
def remove_member(words, place):
    """Take the member at `place` out of the set."""
    words[place // WORD_BITS] &= ~(1 << np.int64(place % WORD_BITS))
