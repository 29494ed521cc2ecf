"""What moves between frames: by transform and opacity alone, so that sixty frames a second are cheap to draw."""

import re
from itertools import pairwise

import pytest

from tavola.games import load, names
from tavola.show.cards import picture_of

KEYFRAMES = re.compile(r"@keyframes ([\w-]+)\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}")
CHEAP = {"transform", "translate", "rotate", "scale", "opacity", "animation-timing-function"}
STROKES = {"stroke-opacity", "stroke-dashoffset"}
"""Of single lines: what is lit breathes, and a route is drawn once."""
LEAPS = [("lifeboats", "lifeboats-leap"), ("lifeboats", "lifeboats-aboard"), ("expedition", "ex-stride-0")]


def _keyframes(game: str) -> dict[str, str]:
    return dict(KEYFRAMES.findall(picture_of(load(game)).style))


@pytest.mark.parametrize("game", names())
def test_nothing_is_animated_that_lays_out_or_paints(game):
    found = _keyframes(game)
    assert len(found) == picture_of(load(game)).style.count("@keyframes")  # none is overlooked
    animated = {name: set(re.findall(r"([\w-]+)\s*:", frames)) for name, frames in found.items()}
    assert {name: dear for name, of in animated.items() if (dear := of - CHEAP - STROKES)} == {}


@pytest.mark.parametrize(("game", "name"), LEAPS)
def test_who_leaps_rises_before_he_comes_down(game, name):
    frames = re.findall(r"translate(?:Y\(|:\s*\S+ )(-?\d+)px", _keyframes(game)[name])
    heights = [*map(int, frames), 0]
    top = heights.index(min(heights))
    assert 0 < top < len(heights) - 1
    assert all(lower > higher for lower, higher in pairwise(heights[: top + 1]))
    assert all(higher < lower for higher, lower in pairwise(heights[top:]))


@pytest.mark.parametrize(
    ("game", "name"), [("voyage", "voyage-sail"), ("tournament", "tournament-gallop"), ("expedition", "ex-stride")]
)
def test_what_is_to_be_seen_anew_has_two_names_for_one_motion(game, name):
    found = _keyframes(game)
    assert found[f"{name}-0"] == found[f"{name}-1"]
