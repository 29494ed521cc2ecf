"""What looks good in Fairies: the outlook of a position. How strong the bots are by it, tests of the arena tell."""

import numpy as np
import pytest

from tavola.games.fairies.fixtures import match_at, play
from tavola.games.fairies.heuristics import EVALUATE_AFTER, evaluate

THREE = "green:1/1 blue:1/1 red:1/1"
STRONG = "green:3/3 blue:3/3 red:2/2"


def evaluated_chances(match, played=EVALUATE_AFTER):
    """Return what each seat may hope for; None where the position cannot be judged."""
    worth = np.zeros(4)
    return worth[: match.document()["players"]] if evaluate(match._states[0], played, worth) else None


def test_a_position_is_judged_some_way_on_when_a_turn_begins():
    assert evaluated_chances(match_at(["gold-1", ""], [STRONG, THREE])) is not None
    assert evaluated_chances(match_at(["gold-1", ""], [STRONG, THREE]), EVALUATE_AFTER - 1) is None
    assert evaluated_chances(match_at(["gold-1", ""], [STRONG, THREE], phase="energy", energy=1)) is None
    assert evaluated_chances(play(match_at(["gold-1", ""], [STRONG, THREE]), "joker 1 0 green-star")) is None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chances_are_shared_and_the_better_garden_has_more(players):
    found = evaluated_chances(match_at([""] * players, [THREE, STRONG, *[THREE] * (players - 2)]))
    assert found.sum() == pytest.approx(1)
    assert found.argmax() == 1
    assert found.min() > 0


def test_the_same_lead_is_worth_more_near_the_end():
    early, late = (evaluated_chances(match_at(["", ""], [STRONG, THREE], begun=begun)) for begun in (1, 30))
    whole = evaluated_chances(match_at(["crown", ""], [STRONG, THREE], begun=30, healed="123456789"))
    assert early[0] > 0.5
    assert whole[0] > late[0] > 0.5
