"""Numbers that any change of the rules moves, and that compiled and uncompiled rules share."""

import numpy as np
import pytest

from tavola.core import Match, kernels
from tavola.core.view import Buffers
from tavola.games.voyage.components import BESIDE, CELL_COUNT, SEA
from tavola.games.voyage.fixtures import GAME, SIX, courses_of, first_turn, sail

SIGNATURES = {
    "chart": ({"players": 5}, 1714568518),
    "random": ({"players": 7, "layout": "random", "captaincy": "alternative", "safe_course": "on"}, 1475492299),
    "three": ({"players": 3, "captaincy": "alternative-or-tie", "sailor": "emended", "first_captain": 1}, 174738321),
}


def signature(options, count):
    """One number for the actions of seeded random matches by the letter."""
    scratch = Buffers(GAME)
    values = GAME.options.array(options, "letter")
    return int(kernels.signature(GAME.states(2), values, 1, 0, count, scratch.actions, scratch.weights))


def perft(match, depth):
    """The number of ways to play on, the lowest seat that owes a decision first."""
    states = GAME.states(depth + 1)
    states[0] = match._states[0]
    actions = np.zeros((depth + 1, len(GAME.actions)), np.int32)
    return int(kernels.perft(states, 0, depth, actions, Buffers(GAME).weights))


@pytest.mark.parametrize("name", SIGNATURES)
def test_seeded_matches_are_played_as_ever(name):
    options, expected = SIGNATURES[name]
    assert signature(options, 1000) == expected


def test_perft_of_the_first_turn():
    """Twelve offers and two cards a seat; after each ballot the next captain has twelve offers."""
    match = first_turn(*SIX[:3])
    assert [perft(match, depth) for depth in range(1, 5)] == [12, 24, 48, 96]
    assert perft(match, 5) == 96 * 12


def test_perft_counts_what_chance_may_turn():
    match = sail(first_turn(*SIX[:3]), courses_of("swwwwws"))
    assert perft(match, 4) == 12 * 8
    assert perft(match, 5) == 3 * 24 * 12 + 24 * 4, (
        "each course is sailed in 24 ways; the fog in the south has four faces"
    )


def test_perft_of_the_deals():
    assert [perft(Match(GAME, players=3, first_captain=0), depth) for depth in (1, 2, 3)] == [6, 36, 216 - 6]
    sea = [cell for cell in range(CELL_COUNT) if SEA >> cell & 1]
    pairs = sum(bin(SEA & ~int(BESIDE[cell])).count("1") for cell in sea)
    assert [perft(Match(GAME, layout="random"), depth) for depth in (1, 2)] == [47, pairs]
