"""Search guided by Python functions: they evaluate in batches, and never see the world that is played."""

import numpy as np
import pytest

import tavola
from tavola.bots import search
from tavola.bots.levels import BadBot
from tavola.core import NotYourTurn
from tavola.core.match import Match
from tests.helpers.matches import ballot

GAME = "lifeboats"


def begun():
    return Match(tavola.load(GAME), players=3, seed=7)


def first_view(match):
    return match.view(match.to_act[0])


def test_positions_and_actions_are_judged_in_batches():
    view, sizes, asked = first_view(ballot()), [], []

    def values(states):
        sizes.append(len(states))
        assert states.dtype == view.states.dtype
        return np.full((len(states), 4), 0.5)

    def policy(states, seats):
        asked.append(len(states))
        assert seats.shape == (len(states),)
        return np.ones((len(states), len(view.game.actions)))

    found = search(view, 100, evaluate=values, priors=policy, batch=20)
    assert (found.actions, sum(found.tries), max(sizes)) == (view.legal, 100, 20)
    assert len(sizes) <= 5, "as often as there are batches"
    assert max(asked) > 1
    assert found == search(view, 100, evaluate=values, priors=policy, batch=20)
    assert found != search(view, 100, evaluate=values, priors=policy, batch=20, seed=1)


def test_what_is_worth_most_is_tried_most():
    view, lane = first_view(begun()), 3

    def values(states):
        return np.where(states["table"]["boats"]["lane"].max(axis=1)[:, None] == lane, 1.0, 0.0) * np.ones(3)

    found = search(view, 200, evaluate=values)
    assert found.worth[found.actions.index(found.best)] == max(found.worth)


def test_priors_that_rule_out_are_followed():
    view = first_view(begun())
    wanted = view.legal[4]

    def policy(states, seats):
        weights = np.zeros((len(states), len(view.game.actions)))
        weights[:, wanted] = 1.0
        return weights

    assert search(view, 60, priors=policy).best == wanted


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == GAME else pytest.mark.soak) for game in tavola.game_names()]
)
def test_playouts_judge_where_nothing_is_given(game):
    view = first_view(Match(tavola.load(game), seed=3))
    found = search(view, 6, batch=3)
    assert (found.best in view.legal, sum(found.tries)) == (True, 6)
    assert all(0.0 <= worth <= 1.0 for worth in found.worth)


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        (lambda states: np.zeros(3), "evaluate returned shape"),
        (lambda states: np.zeros((len(states) + 1, 3)), "evaluate returned shape"),
        (lambda states: np.full((len(states), 3), np.nan), "NaN or infinity"),
    ],
)
def test_what_has_another_shape_is_refused(returned, said):
    with pytest.raises(BadBot, match=said):
        search(first_view(ballot()), 10, evaluate=returned)


def test_search_refuses_views_that_owe_no_decision():
    match = begun()
    other = next(seat for seat in range(3) if seat not in match.to_act)
    with pytest.raises(NotYourTurn):
        search(match.view(other), 10)
    with pytest.raises(BadBot, match="expected at least 1"):
        search(first_view(match), 0)
