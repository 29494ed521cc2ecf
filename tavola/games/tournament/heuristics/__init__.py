"""Hints for the bots of Tournament: the worth of a hand, good deals, duels, and the evaluation of positions.

`R…` cites RULES.md beside this folder.
"""

import numpy as np

from tavola.core import Heuristics, compiled, count_members
from tavola.games.tournament.cards import KIND_CARDS
from tavola.games.tournament.components import KIND_COUNT, TO_ALL, Phase
from tavola.games.tournament.heuristics.barter import draft_priors, duel_prior, market_priors, playout_priors
from tavola.games.tournament.heuristics.worth import worth


@compiled
def priors(s, seat, actions, count, weights):
    t, hand = s.table, s.hand[seat]
    if t.phase != Phase.TRADE:
        for k in range(count):
            weights[k] = duel_prior(t, hand, seat, np.int64(actions[k]))
    elif hand.draft.to:
        draft_priors(t, hand, seat, actions, count, weights)
    else:
        market_priors(t, hand, seat, actions, count, weights)


ASKED_LIKELIHOOD = np.array([4.0, 1.0, 0.5, 0.3])
"""Likelihood that a kind is asked for, by the number of its cards in hand."""
OFFERED_LIKELIHOOD = np.array([1.0, 0.3, 0.8, 1.2])
"""Likelihood that a kind is offered, by the number of its cards in hand."""
EVALUATE_AFTER = 16
"""Actions of barter after which a position is evaluated."""
SPREAD = 2.5
"""Lead in sous that makes a win likely."""


@compiled
def evaluate(s, played, chances):
    """Set the winning chances of every seat, when a duel or round begins or after `EVALUATE_AFTER` actions of barter.

    They depend on its purse and on the worth of its cards.
    """
    t = s.table
    if not played or not _can_evaluate(s, played):
        return False
    total = 0.0
    for seat in range(t.players):
        hand = s.hand[seat]
        chances[seat] = np.exp((t.purse[seat] + worth(t, seat, np.int64(hand.cards), np.int64(hand.jokers))) / SPREAD)
        total += chances[seat]
    for seat in range(t.players):
        chances[seat] /= total
    return True


@compiled
def _can_evaluate(s, played):
    t = s.table
    if t.phase == Phase.BALLOT:
        return t.duel.chosen == 0
    if t.phase != Phase.TRADE:
        return False
    fresh = t.done == 0 and played < EVALUATE_AFTER
    for seat in range(t.players):
        if s.hand[seat].draft.to:
            return False
        fresh &= t.published[seat] == 0
    return fresh or played >= EVALUATE_AFTER


@compiled
def likelihood(s, seat):
    """Return how well a hand fits its announced offers: asking for a kind suggests few of it, giving one more."""
    t = s.table
    found = 1.0
    for maker in range(t.players):
        if maker != seat and t.phase == Phase.TRADE:
            for place in range(t.published[maker]):
                offer = t.offers[maker, place]
                if offer.to == TO_ALL:
                    found *= _offer_likelihood(np.int64(s.hand[maker].cards), offer)
    return found


@compiled
def _offer_likelihood(cards, offer):
    found = 1.0
    for kind in range(KIND_COUNT):
        held = min(count_members(cards & KIND_CARDS[kind]), len(ASKED_LIKELIHOOD) - 1)
        if offer.asks[kind]:
            found *= ASKED_LIKELIHOOD[held]
        if offer.gives[kind]:
            found *= OFFERED_LIKELIHOOD[held]
    return found


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood, evaluate=evaluate, playout_priors=playout_priors)
