"""Trading looks better than leaving; nothing can be inferred."""

from bazaar.rules import First
from tavola.core import Heuristics, compiled


@compiled
def priors(s, seat, actions, count, weights):
    for k in range(count):
        weights[k] = 0.2 if actions[k] == First.DONE else 1.0


@compiled
def likelihood(s, seat):
    return 1.0


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood)
