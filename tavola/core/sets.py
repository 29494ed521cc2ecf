"""Sets of more than 63 members, as rules read and change them: words of 63 bits in a field declared with `members`."""

import numpy as np

from tavola.core.compiled import compiled
from tavola.core.fields import WORD


@compiled
def holds(words, place):
    """Whether the member at `place` is in the set: 1 or 0."""
    return words[place // WORD] >> place % WORD & 1


@compiled
def put_in(words, place):
    """Put the member at `place` into the set."""
    words[place // WORD] |= 1 << np.int64(place % WORD)


@compiled
def take_out(words, place):
    """Take the member at `place` out of the set."""
    words[place // WORD] &= ~(1 << np.int64(place % WORD))
