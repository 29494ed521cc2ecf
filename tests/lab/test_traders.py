"""The traders of Tournament among the first ones: by a sequential test they win more than their share."""

import pytest

from tavola.lab import Entry, arena
from tavola.lab.intervals import anytime_share
from tests.helpers.first_traders import FirstTrader

MOST, AT_ONCE, PLAYERS = 480, 24, 4
"""Matches of the test, those between two looks at it, and at a table: every deal is played from each seat."""


class FirstTraders(Entry):
    """An entry of the arena that plays as the first traders did."""

    def bot(self, seed: int) -> FirstTrader:
        return FirstTrader(seed)

    def __str__(self) -> str:
        return "first traders"


@pytest.mark.soak
def test_greedy_traders_beat_the_first_ones():
    entries, played, wins, low = [Entry("greedy"), *[FirstTraders("greedy")] * (PLAYERS - 1)], 0, 0.0, 0.0
    while low <= 1 / PLAYERS and played < MOST:
        report = arena("tournament", entries, AT_ONCE, seed=2026 + played, processes=1)
        played += report.matches
        wins += report.standings[0].wins * report.matches
        low, _ = anytime_share(wins / played, played)
    assert low > 1 / PLAYERS
