"""What is played when time runs out in the joust: done, or a wrong corner; a winner is not hurried."""

from typing import Any

from joust.rules import CORNERS, Phase
from tavola.core import TimeOut, View


def clock(view: View[Any, Any]) -> TimeOut | None:
    t = view.table
    if t.phase == Phase.WARES:
        return TimeOut("done", 2, t.bout)
    if t.phase == Phase.POINT:
        return TimeOut(f"point {CORNERS[t.tossed % len(CORNERS)]}", 0.5)  # the corner after the right one
    return None
