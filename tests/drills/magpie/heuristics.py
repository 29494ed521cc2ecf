"""No opinion; nothing can be inferred beyond the notes."""

from tavola.core import Heuristics, compiled


@compiled
def priors(s, seat, actions, count, weights):
    for k in range(count):
        weights[k] = 1.0


@compiled
def likelihood(s, seat):
    return 1.0


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood)
