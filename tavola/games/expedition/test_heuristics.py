"""What looks good in Expedition: the outlook of a position. How strong the bots are by it, tests of the arena tell."""

import numpy as np
import pytest

from tavola.games.expedition.by_hand import play, table
from tavola.games.expedition.heuristics import AHEAD, outlook

NEAR, FAR = "timbuktu pompeii", "fuji uluru"


def chances(match, played=AHEAD):
    """What each seat may hope for; None where the position cannot be judged."""
    worth = np.zeros(6)
    return worth[: match.document()["players"]] if outlook(match._states[0], played, worth) else None


def test_a_position_is_judged_some_way_on_when_a_turn_begins():
    match = table([NEAR, FAR], {"red": "lisbon tassili"})
    assert chances(match) is not None
    assert chances(match, AHEAD - 1) is None
    assert chances(play(match, "red tassili timbuktu")) is None


@pytest.mark.parametrize("options", [{}, {"variant_b": "on"}])
def test_chances_are_shared_and_who_has_places_near_an_expedition_has_more(options):
    if options:
        tokens = {"timbuktu": 0, "pompeii": 0, "fuji": 1, "uluru": 1}
        match = table(["", ""], {"red": "lisbon tassili"}, tokens=tokens, **options)
    else:
        match = table([NEAR, FAR], {"red": "lisbon tassili"})
    found = chances(match)
    assert found.sum() == pytest.approx(1)
    assert found[0] > found[1] > 0


def test_a_lead_is_worth_more_in_the_last_round():
    """Even a smaller one: the third has just laid the last card."""
    reached = {"giza": 0, "kizhi": 0, "benin": 0}
    early = table(["petra", "agra", "tassili"], laid=reached, vouchers=[0, 0, 0])
    late = play(table(["petra", "agra", "tassili"], laid=reached, vouchers=[0, 0, 0]), "red lisbon tassili")
    assert late.document()["ending"] == "cards"
    assert chances(late)[0] > chances(early)[0] > 1 / 3
