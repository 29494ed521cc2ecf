"""Pointing correctly and taking look better; nothing can be inferred."""

from joust.rules import First
from tavola.core import Heuristics, compiled


@compiled
def priors(s, seat, actions, count, weights):
    for k in range(count):
        poor = actions[k] == First.DONE or actions[k] == First.SHARE
        weights[k] = 0.1 if poor else 20.0 if actions[k] == First.POINT + s.table.tossed - 1 else 1.0


@compiled
def likelihood(s, seat):
    return 1.0


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood)
