"""Hints for the bots of Template. `R…` cites RULES.md in this folder."""

from tavola.core import Heuristics, compiled
from tavola.games._template.components import DECK, First


@compiled
def priors(s, seat, actions, count, weights):
    """R4: bid a strong card for a good prize, a weak one for a poor prize."""
    t = s.table
    for k in range(count):
        card = actions[k] - First.BID
        strong = DECK - card if t.low_wins else card + 1
        weights[k] = strong if t.template_prize > 1 else DECK + 1 - strong


@compiled
def likelihood(s, seat):
    """Treat all hidden cards as equally likely: bids give no hint of the hands."""
    return 1.0


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood)
