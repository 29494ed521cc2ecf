import sys
from typing import NamedTuple

import numba
import numpy as np

from tavola.core.borrowing import borrow


class Pair(NamedTuple):
    numbers: np.ndarray
    flags: np.ndarray


class Nest(NamedTuple):
    pair: Pair
    more: np.ndarray


@numba.njit
def doubled(numbers):
    bare = borrow(numbers)
    bare *= 2
    return bare.sum()


def interpreted(nest):
    bare = borrow(nest)
    total = 0
    for k in range(len(bare.pair.numbers)):
        if bare.pair.flags[k]:
            total += bare.pair.numbers[k] + bare.more[k]
    bare.more[0] = total
    return total


summed = numba.njit(interpreted)


def nest():
    return Nest(Pair(np.arange(5), np.array([True, False, True, True, False])), np.full(5, 10.0))


def test_it_is_the_same_array():
    numbers = np.arange(4)
    assert doubled(numbers) == 12
    assert numbers.tolist() == [0, 2, 4, 6]
    assert borrow(numbers) is numbers


def test_named_tuples_keep_their_names():
    one, two = nest(), nest()
    assert summed(one) == interpreted(two) == 35
    assert one.more.tolist() == two.more.tolist() == [35, 10, 10, 10, 10]


def test_owners_are_neither_lost_nor_leaked():
    given = nest()
    arrays = [given.pair.numbers, given.pair.flags, given.more]
    before = [sys.getrefcount(array) for array in arrays]
    for _ in range(100):
        summed(given)
    assert [sys.getrefcount(array) for array in arrays] == before
    assert given.pair.numbers.tolist() == [0, 1, 2, 3, 4]
