"""A game's rules on time: what running out of it plays, and whether an answer that comes late still means the same.

A game has no clock of its own, a room has.
"""

from collections.abc import Callable
from typing import Any, NamedTuple


class TimeOut(NamedTuple):
    """The play for one seat whose time runs out: `code`, a legal action of his, such as `done` or a wrong corner.

    `patiences`: how much time there is, in patiences of the room. `period`: where whoever comes first acts, the seats
    are asked anew again and again, and have one time for all of it while the number stays the same: the round of a
    barter.
    """

    code: str
    patiences: float = 1.0
    period: int = 0


Clock = Callable[[Any], TimeOut | None]
"""`clock(view)`: what running out of time plays for the view's seat, which owes a decision.

It depends on nothing but the view. None: as in games without a clock a bot decides from then on, unhurried.
"""

Unchanged = Callable[[Any, Any, int], bool]
"""`unchanged(then, now, number)`: whether an action means the same to a seat in both of its views.

Where whoever comes first acts, the others are asked anew with every change. Who answers what he was asked before is
heard if what he chose is legal now and unchanged: the same bargain, for what he held when he saw it. It is legal in
both views, and depends on nothing but them.
"""
