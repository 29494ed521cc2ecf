"""The traders of Tournament against its first bots: by a sequential test they win more than their share."""

import pytest

from tests.helpers.first_traders import PLAYERS, shares_against_first_traders

MOST = 480
"""Maximum number of matches."""


@pytest.mark.soak
def test_greedy_traders_beat_the_first_ones():
    *_, (_, _, low, _) = shares_against_first_traders(MOST)
    assert low > 1 / PLAYERS
