"""Hints for bots: sensible barter, and the evaluation of positions. Tests of the arena measure playing strength."""

from functools import partial
from itertools import product

import numpy as np
import pytest

from tavola.core import Match
from tavola.games.tournament import GAME
from tavola.games.tournament.fixtures import finish_trade, match_at, offer, trade
from tavola.games.tournament.heuristics import EVALUATE_AFTER
from tavola.games.tournament.heuristics.barter import KEPT, STALL, playout_priors
from tavola.games.tournament.heuristics.worth import duel_chance
from tavola.show import testing
from tavola.show.testing import best_code, play

SET = "s5 h5 l5 a5"
evaluated_chances = partial(testing.evaluated_chances, played=1)


def test_what_completes_a_set_is_bought_a_gift_is_taken_and_begging_is_not_heard():
    """The only card of a kind is kept."""
    match = offer(match_at([SET, "s2 h2 l2", ""]), 0, 1, "give armour-5", "charge 2")
    assert best_code(match, 1) == "accept 0 1"
    match = offer(match_at([SET, "s2 h2 l2 a2", ""]), 0, 1, "ask armour-2", "pay 2")
    assert best_code(match, 1) != "accept 0 1"
    match = offer(match_at([SET, "s2 h2 l2 a2", ""]), 0, 1, "give armour-5")
    assert best_code(offer(match, 0, 1, "charge 3"), 1) == "accept 0 1"
    assert not best_code(play(match, "accept 0 1", seat=1), 1).startswith("accept")


def offered(match, seat):
    """Build and publish a seat's best offer, and return its steps; empty if it offers nothing."""
    steps = []
    while (code := best_code(match, seat)).split()[0] in ("offer", "give", "ask", "pay", "charge", "publish"):
        steps.append(code)
        match.play(code, seat)
        if code == "publish":
            return steps[:-1]
    assert not steps, f"begun and not ended: {steps}, {code}"
    return steps


def sous(steps):
    """Return the sous that an offer pays, negative if it charges them."""
    verb, _, amount = steps[-1].partition(" ")
    return int(amount) if verb == "pay" else -int(amount) if verb == "charge" else 0


@pytest.mark.parametrize("chances", [(0.5, 0.5, 0.5, 0.5), (0.1, 0.4, 0.7, 0.95), (1, 1, 0, 0), (1, 1, 1, 0)])
def test_the_chance_of_a_duel_is_exact(chances):
    """R21: three boxes or four win; at two each, the judgement is even."""
    found = 0.0
    for won in product((0, 1), repeat=4):
        likely = np.prod([chance if box else 1 - chance for chance, box in zip(chances, won, strict=True)])
        found += likely * (1 if sum(won) >= 3 else 0.5 if sum(won) == 2 else 0)
    assert duel_chance(*map(float, chances)) == pytest.approx(found)


@pytest.mark.parametrize("seed", range(4))
def test_at_the_opening_every_seat_offers_goods(seed):
    """Even a seat with a full set and many sous."""
    for seat in range(4):
        assert offered(Match(GAME, players=4, seed=seed), seat)


def test_a_seat_that_lacks_a_kind_pays_what_a_duel_is_worth():
    hands = ["s1 h1 l1 a5 a6", "s8 h8 l8 s5 h5", "s2 h2", ""]
    assert best_code(offer(match_at(hands), 0, 1, "give armour-5", "charge 6"), 1) == "accept 0 1"
    crying = match_at(hands)
    paid = [sous(offered(crying, 1)) for _ in range(2)]
    assert paid[1] > paid[0] >= 2


def test_a_whisper_that_does_not_suit_is_answered_with_the_same_goods_for_other_sous():
    match = match_at(["s9 h9 l9 a9", "s2 h2 l2 a2 s4 h4 l4 a4", "s5 h5 l5", ""])
    offer(match, 0, 1, "ask sword-2", "pay 1")
    steps = offered(match, 1)
    assert steps[:2] == ["offer 0", "give sword-2"]
    assert sous(steps) < -1
    assert not best_code(match, 1).startswith("offer 0"), "one answer stands for each whisper"
    match = match_at(["s9 h9 l9 a9", "s2 h2 l2 a2 s4 s6 s7", "s5 h5 l5", ""])
    offer(match, 0, 1, "ask armour-2", "pay 1")  # what one cannot spare
    assert offered(match, 1)[0] == "offer 0"


def test_two_are_given_for_one_where_that_suits():
    match, listed = Match(GAME, players=4, seed=3), []
    for seat in (0, 1, 2, 3) * 2:
        verbs = [step.split()[0] for step in offered(match, seat)]
        listed.append({verbs.count("give"), verbs.count("ask")})
    assert {1, 2} in listed


def test_few_cries_of_a_seat_stand_and_offers_are_left_for_answers():
    match = Match(GAME, players=4, seed=3)
    while (code := best_code(match, 3)) != "done":
        match.play(code, 3)
        table = match.view().table
        assert sum(bool(one.to) for one in table.offers[3]) <= STALL
    assert 0 < table.published[3] <= table.offer_limit - KEPT


def test_an_offer_that_would_harm_by_now_is_withdrawn():
    match = offer(match_at(["s2 h2 l2 a2 a3", "s4 h4 l4 j", ""]), 0, "all", "give armour-2", "charge 1")
    assert best_code(trade(match, 0, 1, "give armour-3", "charge 6"), 0) == "withdraw 1"


def test_playouts_weigh_whatever_is_legal_and_end():
    """Every legal action can be drawn, good bargains are accepted, and matches end."""
    match, draws, taken = Match(GAME, players=4, seed=2), np.random.default_rng(1), 0
    while not match.over:
        seat = match.to_act[draws.integers(len(match.to_act))]
        legal, weights = match.legal_numbers(seat), np.zeros(len(GAME.actions))
        playout_priors(match.view(seat).states[0], seat, np.array(legal, np.int32), len(legal), weights)
        found = weights[: len(legal)]
        assert np.isfinite(found).all()
        assert found.min() > 0
        code = GAME.actions.code(int(draws.choice(legal, p=found / found.sum())))
        taken += code.startswith("accept")
        match.play(code, seat)
    assert taken


@pytest.mark.parametrize("players", [3, 4, 6])
def test_barter_of_greedy_bots_does_not_freeze(players):
    """Deals are made, offers end, and every match ends."""
    match, codes = Match(GAME, players=players, seed=5), list[str]()
    while not match.over and len(codes) < 4000:
        seat = match.to_act[len(codes) * 7 % len(match.to_act)]
        codes.append(best_code(match, seat))
        match.play(codes[-1], seat)
    assert match.over
    assert any(code.startswith("accept") for code in codes)


def test_positions_are_judged_when_a_round_or_a_duel_begins_or_barter_has_gone_on():
    match = match_at([SET, "s2 h2 l2 a2", ""])
    assert evaluated_chances(match) is not None
    assert evaluated_chances(match, played=0) is None
    assert evaluated_chances(offer(match, 0, "all", "give sword-5", "charge 1")) is None
    assert evaluated_chances(match, played=EVALUATE_AFTER) is not None
    assert evaluated_chances(play(match, "offer 2", seat=1), played=EVALUATE_AFTER) is None
    assert evaluated_chances(finish_trade(match)) is not None


def test_the_rich_and_the_armed_may_hope_for_more():
    found = evaluated_chances(match_at([SET, "s2", ""], purse=(10, 10, 10), rest=2, out=["1"]))
    assert found.sum() == pytest.approx(1)
    assert found[0] > found[1] > 0
    hands = [SET, "s2 h2 l2 a2", ""]
    rich, poor = (evaluated_chances(match_at(hands, purse=(own, 20 - own, 10)))[0] for own in (15, 5))
    assert rich > poor
