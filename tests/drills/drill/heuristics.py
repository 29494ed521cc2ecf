"""No opinion on actions; seat 1 is known to show its own card 20 times as often as another."""

from drill.rules import Drill, Phase
from tavola.core import Heuristics, compiled


@compiled
def priors(s, seat, actions, count, weights):
    for k in range(count):
        weights[k] = 1.0


@compiled
def likelihood(s, seat):
    t = s.table
    if t.drill == Drill.THIMBLES and t.phase >= Phase.GUESS and seat == 0:
        return 20.0 if s.hand[1].card == t.shown + 1 else 1.0
    return 1.0


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood)
