"""What looks good in Tournament: sensible barter, and the outlook. How strong the bots are, tests of the arena tell."""

import numpy as np
import pytest

from tavola.games.tournament import GAME
from tavola.games.tournament.fixtures import finish_trade, match_at, offer, play
from tavola.games.tournament.heuristics import EVALUATE_AFTER, evaluate, priors

SET = "s5 h5 l5 a5"


def evaluated_chances(match, played=1):
    """Return what each seat may hope for; None where the position cannot be judged."""
    worth = np.zeros(6)
    return worth[: match.players] if evaluate(match._states[0], played, worth) else None


def best_code(match, seat):
    """Return the action of the greatest weight."""
    view, scores = match.view(seat), np.zeros(len(GAME.actions))
    priors(view.states[0], seat, np.array(view.legal, np.int32), len(view.legal), scores)
    return GAME.actions.code(view.legal[int(scores[: len(view.legal)].argmax())])


def test_what_completes_a_set_is_bought_and_the_only_card_of_a_kind_is_kept():
    match = match_at([SET, "s2 h2 l2", ""])
    offer(match, 0, 1, "give armour-5", "charge 2")
    assert best_code(match, 1) == "accept 0 1"
    match = match_at([SET, "s2 h2 l2 a2", ""])
    offer(match, 0, 1, "ask armour-2", "pay 2")
    assert best_code(match, 1) != "accept 0 1"


def test_a_gift_is_taken_and_begging_is_not_heard():
    match = match_at([SET, "s2 h2 l2 a2", ""])
    offer(match, 0, 1, "give armour-5")
    offer(match, 0, 1, "charge 3")
    assert best_code(match, 1) == "accept 0 1"
    play(match, "accept 0 1", seat=1)
    assert not best_code(match, 1).startswith("accept")


@pytest.mark.parametrize("players", [3, 4, 6])
def test_barter_of_greedy_bots_does_not_freeze(players):
    """Deals are made, nobody offers without end, and every match ends."""
    match, deals = GAME.match(players=players, seed=5), 0
    for turn in range(4000):
        if match.over:
            break
        seat = match.to_act[turn * 7 % len(match.to_act)]
        code = best_code(match, seat)
        deals += code.startswith("accept")
        match.play(code, seat)
    assert match.over
    assert deals


def test_positions_are_judged_when_a_round_or_a_duel_begins_or_barter_has_gone_on():
    match = match_at([SET, "s2 h2 l2 a2", ""])
    assert evaluated_chances(match) is not None
    assert evaluated_chances(match, 0) is None
    offer(match, 0, "all", "give sword-5", "charge 1")
    assert evaluated_chances(match) is None
    assert evaluated_chances(match, EVALUATE_AFTER) is not None
    play(match, "offer 2", seat=1)
    assert evaluated_chances(match, EVALUATE_AFTER) is None
    assert evaluated_chances(finish_trade(match)) is not None


def test_the_rich_and_the_armed_may_hope_for_more():
    found = evaluated_chances(match_at([SET, "s2", ""], purse=(10, 10, 10), rest=2, out=["1"]))
    assert found.sum() == pytest.approx(1)
    assert found[0] > found[1] > 0
    rich, poor = (
        evaluated_chances(match_at([SET, "s2 h2 l2 a2", ""], purse=(own, 20 - own, 10)))[0] for own in (15, 5)
    )
    assert rich > poor
