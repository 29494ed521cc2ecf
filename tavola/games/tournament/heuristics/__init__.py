"""Hints for the bots of Tournament: what a hand is worth, which deals are good, how duels are fought, the outlook.

`R…` cites RULES.md beside this folder.
"""

import numpy as np

from tavola.core import Heuristics, compiled
from tavola.games.tournament.components import Phase
from tavola.games.tournament.heuristics.barter import draft_priors, market_priors
from tavola.games.tournament.heuristics.lists import duel_prior
from tavola.games.tournament.heuristics.outlook import EVALUATE_AFTER, evaluate, likelihood
from tavola.games.tournament.heuristics.playouts import playout_priors

__all__ = ["EVALUATE_AFTER", "HEURISTICS", "evaluate", "priors"]


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


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood, evaluate=evaluate, playout_priors=playout_priors)
