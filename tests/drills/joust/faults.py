"""Faults of positions in the joust."""

from typing import Any

from joust.rules import Phase
from tavola.core import Faults


def faults(state: Any) -> list[str]:
    t, found = state.table, []
    for seat, hand in enumerate(state.hand):
        pointed = t.phase == Phase.POINT and bool(t.pointed >> seat & 1)
        if bool(hand.pointed) != pointed:
            found.append(f"hands.{seat}: expected a corner if and only if the seat has pointed")
    if bool(t.tossed) != (t.phase in (Phase.POINT, Phase.JUDGE, Phase.PRIZE)):
        found.append("tossed: expected a corner from the toss to the prize, and at no other time")
    if (t.phase == Phase.TOSS and t.done != 0b11) or (t.phase == Phase.WARES and t.done == 0b11):
        found.append("done: expected both seats at the toss, and not both before it")
    if bool(t.winner) != (t.phase == Phase.PRIZE):
        found.append("winner: expected a seat while a prize is decided, and at no other time")
    return found


FAULTS = Faults(pieces=faults)
