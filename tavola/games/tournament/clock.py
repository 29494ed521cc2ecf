"""What running out of time plays: `done` in the barter, a wrong corner in the judgement."""

from tavola.core import TimeOut
from tavola.games.tournament.components import Phase, Seen

BARTER_PATIENCES = 3.0
"""Patiences of a room that a barter takes at most: three minutes where one is a minute (R13)."""
POINTING_PATIENCES = 0.25
"""Patiences that pointing takes at most (R25)."""


def clock(view: Seen) -> TimeOut | None:
    """For the view's seat, which owes a decision; where it decides about its duel or its purse nothing hurries it."""
    t = view.table
    if t.phase == Phase.TRADE:
        return TimeOut("done", BARTER_PATIENCES, t.begun)
    if t.phase == Phase.POINTING:
        # R23: the corner of all three is right when three symbols differ, and only then.
        differ = len(set(t.duel.tokens)) == len(t.duel.tokens)
        return TimeOut("point crown" if differ else "point all", POINTING_PATIENCES)
    return None
