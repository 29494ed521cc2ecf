"""Bit masks of at most 63 members in rules: how many there are, which is the lowest, any one of them."""

import numpy as np

from tavola.core.compiled import compiled
from tavola.core.draws import below

MODULUS = 67
"""No two powers of two below 2**66 leave the same rest."""
PLACE = np.zeros(MODULUS, np.int64)
for _place in range(63):
    PLACE[(1 << _place) % MODULUS] = _place


@compiled
def bits(mask):
    """How many members a mask has."""
    left = np.int64(mask)
    count = 0
    while left:
        left &= left - 1
        count += 1
    return count


@compiled
def lowest(mask):
    """The lowest member of a mask that is not empty."""
    left = np.int64(mask)
    return PLACE[(left & -left) % MODULUS]


@compiled
def any_member(mask, rng):
    """Any member of a mask that is not empty, each as likely as the others."""
    left = np.int64(mask)
    for _ in range(below(rng, bits(mask))):
        left &= left - 1
    return lowest(left)
