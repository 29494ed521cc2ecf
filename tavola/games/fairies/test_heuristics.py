"""What looks good in Fairies: the outlook of a position. How strong the bots are by it, tests of the arena tell."""

import numpy as np
import pytest

from tavola.games.fairies.by_hand import play, table
from tavola.games.fairies.heuristics import FAR, outlook

THREE = "green:1/1 blue:1/1 red:1/1"
STRONG = "green:3/3 blue:3/3 red:2/2"


def chances(match, played=FAR):
    """What each seat may hope for; None where the position cannot be judged."""
    worth = np.zeros(4)
    return worth[: match.document()["players"]] if outlook(match._states[0], played, worth) else None


def test_a_position_is_judged_some_way_on_when_a_turn_begins():
    assert chances(table(["gold-1", ""], [STRONG, THREE])) is not None
    assert chances(table(["gold-1", ""], [STRONG, THREE]), FAR - 1) is None
    assert chances(table(["gold-1", ""], [STRONG, THREE], phase="energy", energy=1)) is None
    assert chances(play(table(["gold-1", ""], [STRONG, THREE]), "joker 1 0 green-star")) is None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chances_are_shared_and_the_better_garden_has_more(players):
    found = chances(table([""] * players, [THREE, STRONG, *[THREE] * (players - 2)]))
    assert found.sum() == pytest.approx(1)
    assert found.argmax() == 1
    assert found.min() > 0


def test_the_same_lead_is_worth_more_near_the_end():
    early, late = (chances(table(["", ""], [STRONG, THREE], begun=begun)) for begun in (1, 30))
    whole = chances(table(["crown", ""], [STRONG, THREE], begun=30, healed="123456789"))
    assert early[0] > 0.5
    assert whole[0] > late[0] > 0.5
