"""Counter-based random numbers: SplitMix64 with random access, the same compiled and uncompiled.

A stream is an array of one `uint64`. `stream(seed, number)` depends only on its arguments. So match 17 of a batch can
be replayed by itself, regardless of earlier matches and of the number of threads.

Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014; Lemire, "Fast random integer
generation in an interval", 2019.
"""

import numpy as np

from tavola.core.compilation import compiled, inlined

GOLDEN_GAMMA = 0x9E3779B97F4A7C15
MASK_64 = 0xFFFFFFFFFFFFFFFF


@inlined
def mix(x):
    """Return 64 bits, scrambled."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK_64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK_64
    return x ^ (x >> 31)


@compiled
def seed_stream(rng, seed, number):
    """Set `rng` (uint64, shape `(1,)`) to the beginning of stream `number` of `seed`."""
    rng[0] = mix(
        (mix((int(np.uint64(seed)) + GOLDEN_GAMMA) & MASK_64) + int(np.uint64(number)) * GOLDEN_GAMMA) & MASK_64
    )


@inlined
def random_below(rng, n):
    """Return a uniform integer from 0 to n - 1, without bias; 0 < n < 2**31. Advances `rng`."""
    while True:
        rng[0] = (int(rng[0]) + GOLDEN_GAMMA) & MASK_64
        product = np.int64(mix(int(rng[0])) >> 32) * n
        low = product & 0xFFFFFFFF
        # Lemire: reject a draw only if it falls in the short last interval.
        if low >= n or low >= 0x100000000 % n:
            return product >> 32


@compiled
def random_fraction(rng):
    """Return a uniform float in [0, 1), in steps of 2**-30. Advances `rng`."""
    return random_below(rng, 1 << 30) / 1073741824.0


def stream(seed: int, number: int = 0) -> np.ndarray:
    """Return a new stream: a uint64 array of shape `(1,)`."""
    rng = np.zeros(1, np.uint64)
    seed_stream(rng, np.uint64(seed & MASK_64), np.uint64(number))
    return rng
