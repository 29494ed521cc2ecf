import sys
from typing import NamedTuple

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavola.core import Record, clear_record, copy_record, each, layout, number, one
from tavola.core.compilation import as_records
from tavola.core.intrinsics import address_of, borrow, count_bits, lowest_bit


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


@numba.njit
def filled(numbers):
    bare = address_of(numbers)
    for k in range(len(numbers)):
        bare[k] += k
    return bare[len(numbers) - 1]


def test_the_address_of_an_array_writes_to_it():
    numbers = np.full(4, 7)
    assert (filled(numbers), filled.py_func(numbers)) == (10, 13)
    assert numbers.tolist() == [7, 9, 11, 13]


@numba.njit
def lowest_and_count(mask):
    return lowest_bit(mask), count_bits(mask)


@given(st.integers(1, 2**63 - 1))
def test_bits_are_found_and_counted(mask):
    digits = f"{mask:b}"
    expected = len(digits) - len(digits.rstrip("0")), digits.count("1")
    assert lowest_and_count(mask) == lowest_and_count.py_func(np.int64(mask)) == expected


class Purse(Record):
    coins: int = number(0, 9)
    piles: tuple[int, ...] = each(2, number(0, 999))


class Owner(Record):
    age: int = number(0, 99)
    purse: Purse = one(Purse)
    bags: tuple[Purse, ...] = each(2, Purse)


class Two(Record):
    owners: tuple[Owner, ...] = each(2, Owner)


def copy_and_clear(state):
    copy_record(state.owners[1], state.owners[0])
    clear_record(state.owners[0].bags[1])
    clear_record(state.owners[1].purse)


@pytest.mark.parametrize("change", [copy_and_clear, numba.njit(copy_and_clear)], ids=["plain", "compiled"])
def test_whole_records_are_copied_and_cleared_with_all_that_is_in_them(change):
    first, second = Purse(1, (200, 3)), Purse(4, (500, 6))
    owner = Owner(70, first, (first, second))
    packed = layout(Two).pack(Two((owner, Owner(0, second, (second, second)))))
    states = np.frombuffer(bytearray(packed), layout(Two).dtype)
    change(as_records(states)[0] if change is copy_and_clear else states[0])
    nothing = Purse(0, (0, 0))
    expected = Two((owner._replace(bags=(first, nothing)), owner._replace(purse=nothing)))
    assert layout(Two).unpack(states.tobytes()) == expected


def test_records_of_two_kinds_are_not_copied():
    with pytest.raises(numba.TypingError):
        numba.njit(lambda state: copy_record(state.owners[0], state.owners[0].purse))(np.zeros(1, layout(Two).dtype)[0])
