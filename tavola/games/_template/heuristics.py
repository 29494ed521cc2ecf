"""Hints for the bots of Template. `R…` cites RULES.md beside this file."""

from tavola.core import Heuristics, compiled
from tavola.games._template.components import DECK, First


@compiled
def priors(s, seat, actions, count, weights):
    """R4: a good prize asks for a strong card, a poor one for a weak one."""
    t = s.table
    for k in range(count):
        card = actions[k] - First.BID
        strong = DECK - card if t.low_wins else card + 1
        weights[k] = strong if t.template_prize > 1 else DECK + 1 - strong


@compiled
def likelihood(s, seat):
    """Any hidden card is as likely as another: bids are not read for what they may mean."""
    return 1.0


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood)
