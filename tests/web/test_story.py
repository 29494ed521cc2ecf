"""The story of a match: points in each part, the effects of seats on each other, and the curve."""

import re
from itertools import pairwise

import pytest

from tavola.core import CHANCE, Match, PlayedAction, Result
from tavola.games import names
from tavola.games.expedition.network import ORIGIN, TARGET
from tavola.show.cards import words_of
from tavola.web.table.story import (
    HEIGHT,
    PITCH,
    WIDTH,
    Effect,
    Story,
    _deciders,
    choice_moments,
    curve,
    settled_moment,
    states_of,
    story_of,
    story_of_match,
    told_effects,
)
from tests.helpers.staged import random_match

PLAYERS = {"lifeboats": 4, "voyage": 5, "fairies": 3, "expedition": 3, "tournament": 4}


@pytest.mark.parametrize("game", names())
def test_a_game_declares_nothing_and_its_matches_have_a_story(game):
    match = random_match(game, PLAYERS[game], 2)
    story = story_of_match(match)
    assert list(story.marks) == sorted(set(story.marks))
    assert (story.marks[-1], story.points[-1]) == (len(match.history), match.result().points)
    middle = len(story.marks) // 2
    assert story.points[middle] == Result.of(match.states_at(story.marks[middle]), match.players).points
    assert 0 < story.settled <= len(match.history)
    assert len(story.marks) >= 5
    assert all(effect.doer != effect.other and effect.points for effect in story.effects)


def test_points_settled_by_the_deal_count_as_the_last_decision():
    """Points that a role had from the start are known only at the end: no decision could change them."""
    match = random_match("voyage", 4, 2)
    states = list(states_of(match))
    assert settled_moment([Result.of(state, match.players) for state in states]) == 3, "the third role that was dealt"
    settled = story_of(match.game, states, match.history, match.players).settled
    assert settled == choice_moments(match.game, states, match.history)[-1]


@pytest.mark.parametrize("game", names())
def test_what_settled_a_match_is_a_decision_with_a_choice(game):
    """Neither what chance did nor an answer without an alternative. The last card of a ballot stands for all of it."""
    for seed in range(3):
        match = random_match(game, PLAYERS[game], seed)
        settled = story_of_match(match).settled
        seat, _ = match.history[settled - 1]
        before = Match.from_states(match.game, match.states_at(settled - 1))
        assert seat != CHANCE
        assert before.open or before.to_act == (seat,)
        together = settled > 1 and len(Match.from_states(match.game, match.states_at(settled - 2)).to_act) > 1
        assert together or len(before.legal_numbers(seat)) > 1


def test_the_story_names_the_seats_whose_arrows_led_to_a_goal():
    """In an expedition, it is the seat whose arrow ends where the arrow to the goal begins."""
    match = random_match("expedition", 3, 2)
    effects = [effect for effect in story_of_match(match).effects if effect.led]
    assert effects
    led_by, colour, other = words_of(match.game).led_by, 1, 2
    there = next(way for way, target in enumerate(TARGET) if target == ORIGIN[0])
    two, one, elsewhere = (
        PlayedAction(seat, "arrow", (paint, there)) for seat, paint in ((2, colour), (1, colour), (0, other))
    )
    reached = PlayedAction(0, "arrow", (colour, 0))
    assert led_by(match.view(0), reached, [two, one, elsewhere]) == 1
    assert led_by(match.view(0), reached, [elsewhere]) is None


def test_a_ballot_is_decided_by_the_voters_of_the_most_frequent_choice():
    assert _deciders({0: 5, 2: 7, 3: 7}) == [2, 3]
    assert _deciders({1: 4}) == [1]
    assert _deciders({0: 1, 1: 2}) == [0, 1]


def test_a_seat_sees_its_own_helpers_first():
    effects = [Effect(1, 2, 9), Effect(2, 1, -8), Effect(1, 0, -3), Effect(0, 2, 2)]
    assert told_effects(effects, 0) == [Effect(1, 0, -3), Effect(0, 2, 2), Effect(1, 2, 9), Effect(2, 1, -8)]
    assert told_effects(effects, None, most=1) == [Effect(1, 2, 9)]
    assert told_effects([], 0) == []


@pytest.mark.parametrize("points", [(3, 3, 3, 3, 3, 3, 3), (0, 50, 49, 48, 47, 1, 0), (-9, 0, 0, 0, 0, 0, 12)])
def test_what_stands_at_the_ends_of_the_curve_is_read(points):
    """If they are nearly equal, names are written one below another, whole on the drawing."""
    story = Story(4, (0, 4, 9), ((0,) * 7, points[::-1], points), ())
    drawn = str(curve(story, [*(f"Guest {seat}62" for seat in range(6)), "Bartholomea"], "Points", "Round 2"))
    places = sorted(float(y) for y in re.findall(r'<circle cx="242" cy="([\d.-]+)"', drawn))
    assert len(places) == 7
    assert all(below - above >= PITCH - 0.2 for above, below in pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= HEIGHT
    assert [f">{name}<" in drawn for name in ("Guest 062", "Bartholom…")] == [True, True]
    assert "Round 2" in drawn
    assert "-9" not in re.sub(r"<[^>]*>", " ", drawn)
    assert f'viewBox="0 0 {WIDTH} {HEIGHT}"' in drawn
