"""Actions played when time runs out: `done` in the barter, a wrong corner in the judgement."""

from tavola.core import TimeOut
from tavola.games.tournament.components import Phase, Seen

BARTER_PATIENCES = 3.0
"""Maximum length of a barter as a multiple of the room's patience: three minutes if that is one minute (R13)."""
POINTING_PATIENCES = 0.25
"""Maximum time for pointing, as a multiple of the room's patience (R25)."""


def clock(view: Seen) -> TimeOut | None:
    """Return the action and time limit of the view's seat; None for the ballot, the boxes and purchases."""
    t = view.table
    if t.phase == Phase.TRADE:
        return TimeOut("done", BARTER_PATIENCES, t.begun)
    if t.phase == Phase.POINTING:
        # R23: the corner of all three is right when three symbols differ, and only then.
        differ = len(set(t.duel.tokens)) == len(t.duel.tokens)
        return TimeOut("point crown" if differ else "point all", POINTING_PATIENCES)
    return None
