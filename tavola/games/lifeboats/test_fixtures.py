"""Positions drawn in text are read, drawn back, and refused where no match reaches them."""

import pytest

from tavola.core import BadPosition
from tavola.games.lifeboats.fixtures import drawing_of, lost_men, match_at, phase_of


def test_a_drawing_is_read_and_drawn() -> None:
    drawing = """
        red    1:3  ashore 1
        green  2:1  rrGGg.
        violet 3:0  sunk
        black  7:2  rVVv~~
    """
    match = match_at(drawing, starter=1, ashore={"left": "RRrr"})
    assert drawing_of(match).split() == drawing.split()
    assert (phase_of(match), match.view().table.rounds, lost_men(match)) == ("leak ballot", 7, "ggggvvvv")
    assert match.score().points == (28, 0, 0)


def test_a_drawing_that_no_match_reaches_is_refused() -> None:
    with pytest.raises(BadPosition, match="no more leaks than men"):
        match_at("red 1:0 R~~...\ngreen 2:0 GGgggg\nviolet 3:0 VVvvvv\nblack 4:0 rrrrr.")
