"""The ways to play on are counted as a person would count them, and the corpus of old records is complete."""

from typing import Any

import numpy as np
import pytest

from tavola.core import Match, read_record
from tavola.core.match import perft
from tavola.games.lifeboats import GAME
from tavola.games.lifeboats.fixtures import FULL, match_at

CHANGING = """
    red    1:1  RRrr~.
    green  2:0  GGgg~.
    violet 3:0  VVvv..
    black  4:2  rrrgv~
"""
LATE = """
    red    1:3  ashore 1
    green  2:2  sunk
    violet 3:2  VVg~..
    yellow 4:2  gYyr~~
    blue   5:2  sunk
    black  6:1  RB~...
"""
POSITIONS: dict[str, dict[str, Any]] = {
    "all men aboard": {"drawing": FULL},
    "a third phase": {"drawing": CHANGING, "phase": "leaving", "starter": 1},
    "late": {
        "drawing": LATE,
        "phase": "move ballot",
        "starter": 3,
        "captains": (0, 1, 0, 2, 0),
        "ashore": {"left": "Rrr"},
    },
}


def slow_perft(match: Match, depth: int) -> int:
    """The number of ways to play on by playing and taking back, as a person would count."""
    if depth == 0:
        return 1
    if match.over:
        return 0
    seat, total = match.to_act[0], 0
    for number in match.legal_numbers(seat):
        match.play(number, seat)
        total += slow_perft(match, depth - 1)
        match.undo()
    return total


@pytest.mark.parametrize("name", POSITIONS)
def test_ways_are_counted_in_two_ways(name: str) -> None:
    """The kernel counts as a person does."""
    match = match_at(**POSITIONS[name])
    before = match.state_bytes()
    states = np.frombuffer(before, GAME.state.dtype)
    assert [slow_perft(match, depth) for depth in range(1, 4)] == [perft(GAME, states, depth) for depth in range(1, 4)]
    assert match.state_bytes() == before


def test_every_record_is_there() -> None:
    """Whole matches of each number of players with every option, and one from a position."""
    records = [
        read_record(path.read_text(encoding="utf-8")) for path in (GAME.folder / "golden/records").glob("*.tavola")
    ]
    assert {record.options["players"] for record in records} == {"3", "4", "5", "6"}
    assert {record.options["last_boat_stays"] for record in records} == {"off", "on"}
    assert any(record.position for record in records)
