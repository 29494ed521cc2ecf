"""The heuristics: seats sail for their own role, and courses and votes reveal the roles."""

import math
from bisect import bisect
from itertools import accumulate

import numpy as np
import pytest

from tavola.core import CHANCE, Match, kernels, stream
from tavola.core.rng import random_below
from tavola.games.voyage.fixtures import GAME, SIX, decide, first_turn, offer, sail
from tavola.show.testing import best_code, present, priors_of

PRIORS, LIKELIHOOD = GAME.heuristics.priors, GAME.heuristics.likelihood


def play_by_priors(match, rng, until):
    while not match.over and match.view().table.turn < until:
        seat = match.to_act[0]
        odds = match.chance_weights() if seat == CHANCE else priors_of(match, seat)
        bounds = list(accumulate(odds.values()))
        drawn = bisect(bounds, random_below(rng, 1 << 30) / (1 << 30) * bounds[-1])
        match.play([*odds][drawn], seat)
    return not match.over


def posterior(match, viewer, count, rng):
    """How likely each role is for each seat, as `viewer` can infer."""
    view, belief = match.view(viewer), np.zeros((match.players, 7))
    states = view.states.copy()
    for _ in range(count):
        states[:] = view.states
        kernels.redeal_at(states, 0, viewer, rng)
        weight = LIKELIHOOD(states[0], viewer)
        for seat, role in enumerate(states["hand"]["role"][0][: match.players]):
            belief[seat, role] += weight
    return belief / belief.sum(axis=1, keepdims=True)


def test_priors_are_positive_and_read_only_the_view():
    for number in range(20):
        layout, rng = ("chart", "random")[number % 2], stream(number)
        match = Match(GAME, seed=number, players=3 + number % 5, layout=layout)
        while not match.over:
            seat = match.to_act[0]
            seen = priors_of(match, seat)
            assert all(math.isfinite(weight) and weight > 0 for weight in seen.values())
            full = np.zeros(len(seen))
            numbers = np.array(match.legal_numbers(seat), np.int32)
            PRIORS(match._states[0], seat, numbers, len(numbers), full)
            assert full.tolist() == list(seen.values()), "the whole state tells no more than the view"
            match.play(numbers[int(random_below(rng, len(numbers)))].item(), seat)


def test_the_traitor_offers_two_courses_that_lose_the_route_and_the_admiral_none():
    for role, losing in (("traitor", True), ("admiral", False), ("explorer", False)):
        match = sail(first_turn(role, *[other for other in SIX if other != role][:2]), "ssssse")
        assert match.to_act == (0,)
        assert (best_code(match, 0) in ("courses east south", "courses south east")) == losing, role


def test_near_the_fog_the_admiral_votes_for_it_and_the_traitor_against():
    match = sail(first_turn("admiral", "traitor", "sailor", captain=1), "swwwww")
    offer(match, "south", "north")
    white = {seat: priors_of(match, seat)["vote white"] for seat in range(3)}
    assert white[0] > 0.5 > white[1]


def test_a_vote_to_lose_the_route_makes_a_traitor_likely():
    match = sail(first_turn("admiral", "merchant", "traitor", "explorer"), "n")
    decide(match, "north", "west", "bbwb")
    belief = posterior(match, 0, 1500, stream(4))
    assert belief[2, 4] > 2 * 2 / 11, "who voted for the edge"
    assert belief[3, 4] < 2 / 11, "who voted against it"


@pytest.mark.bulk
@pytest.mark.parametrize("sailor", ["literal", "emended"])
def test_beliefs_sharpen_in_the_course_of_a_match(sailor):
    """The true role of another seat becomes likelier than the cards alone make it, and increasingly so."""
    gains = {}
    for turn in (4, 10):
        gain = []
        for number in range(40):
            match, rng = Match(GAME, seed=number, players=5, sailor=sailor), stream(6, number)
            if not play_by_priors(match, rng, turn):
                continue
            belief = posterior(match, 0, 300, rng)
            hands = match._states["hand"]["role"][0]
            for seat in range(1, 5):
                cards = (1 if hands[seat] == hands[0] else 2) / 11
                gain.append(math.log(max(belief[seat, hands[seat]], 1e-3) / cards))
        gains[turn] = sum(gain) / len(gain)
    assert gains[4] > 0.15
    assert gains[10] > gains[4]


def test_without_a_past_nothing_can_be_inferred():
    assert LIKELIHOOD(first_turn(*SIX[:4])._states[0], 0) == 1.0


def test_the_voyage_ends_about_as_often_in_each_way_as_the_rules_say():
    """R27, F12: simple bots for their own roles, five seats, within wide bounds."""
    endings, sailors = [], []
    for number in range(60):
        match = Match(GAME, seed=number, players=5, rules="letter")
        play_by_priors(match, stream(8, number), 99)
        endings.append(match.view().table.ending)
        points = present(match.result()).points
        sailors += [points[seat] for seat, role in enumerate(match.view().table.roles) if role == 6]
    shares = [endings.count(ending) / len(endings) for ending in (1, 2, 3)]
    assert all(0.15 < share < 0.55 for share in shares), shares
    assert 18 < sum(sailors) / len(sailors) < 27
