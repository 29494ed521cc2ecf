"""The heuristics of Expedition: the evaluation of positions. Tests of the arena measure the bots' strength."""

from functools import partial

import pytest

from tavola.games.expedition.fixtures import match_at, play
from tavola.games.expedition.heuristics import EVALUATE_AFTER
from tavola.show import testing

NEAR, FAR = "timbuktu pompeii", "fuji uluru"
evaluated_chances = partial(testing.evaluated_chances, played=EVALUATE_AFTER)


def test_a_position_is_judged_some_way_on_when_a_turn_begins():
    match = match_at([NEAR, FAR], red="lisbon tassili")
    assert evaluated_chances(match) is not None
    assert evaluated_chances(match, played=EVALUATE_AFTER - 1) is None
    assert evaluated_chances(play(match, "red tassili timbuktu")) is None


@pytest.mark.parametrize(
    "position",
    [{"hands": [NEAR, FAR]}, {"variant_b": "on", "tokens": {"timbuktu": 0, "pompeii": 0, "fuji": 1, "uluru": 1}}],
)
def test_chances_sum_to_one_and_grow_with_places_near_an_expedition(position):
    found = evaluated_chances(match_at(red="lisbon tassili", **position))
    assert found.sum() == pytest.approx(1)
    assert found[0] > found[1] > 0


def test_a_lead_is_worth_more_in_the_last_round():
    """Even a smaller lead: the third player has just laid the last card."""
    match = match_at(["petra", "agra", "tassili"], laid={"giza": 0, "kizhi": 0, "benin": 0}, vouchers=[0, 0, 0])
    early = evaluated_chances(match)[0]
    assert play(match, "red lisbon tassili").document()["ending"] == "cards"
    assert evaluated_chances(match)[0] > early > 1 / 3
