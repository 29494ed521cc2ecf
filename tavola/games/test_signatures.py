"""Random matches under random options are played and scored as ever: changed rules change a game's number.

The numbers are of rules that agreed action by action with models written from the rulebooks alone. To change rules on
purpose, change the tests of their paragraphs first, then write the number that this test finds.
"""

from zlib import crc32

import numpy as np
import pytest

import tavola
from tavola.contract.samples import random_options
from tavola.core import kernels, stream
from tavola.core.view import Buffers

SIGNATURES = {
    "expedition": 114623610310,
    "fairies": 121129540612,
    "lifeboats": 145174570771,
    "tournament": 125004688029,
    "voyage": 124384266446,
}
OPTIONS, MATCHES = 40, 50
"""Number of random sets of options, and of seeded random matches under each."""


@pytest.mark.parametrize("name", SIGNATURES)
def test_seeded_matches_are_played_and_scored_as_ever(name):
    game, found = tavola.load(name), 0
    scratch = Buffers(game)
    for number in range(OPTIONS):
        options, first = game.options.array(random_options(game, stream(number))), MATCHES * number
        found += kernels.signature(game.states(2), options, 1, first, MATCHES, scratch.actions, scratch.weights)
        points, places = np.zeros((2, MATCHES, int(options[0])), np.int64)
        lengths = np.zeros(MATCHES, np.int64)
        kernels.play_batch(game.states(2), options, 1, first, points, places, lengths, scratch.actions, scratch.weights)
        found += crc32(points.tobytes() + places.tobytes())
    assert found == SIGNATURES[name]
