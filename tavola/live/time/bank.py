"""The bank of a seat: seconds for the whole match, used where a decision takes longer than the table's patience.

Each decision has its own seconds first; only then the bank runs down, and what is left of those seconds is nobody's.
Where all decide in one time, in a barter and in a race, there is none.
"""

from collections.abc import Mapping, Sequence

from tavola.live.log.events import NewEvent
from tavola.live.log.state import State

ENDS_DECISION = ("played", "taken", "left")
"""Events with which a person's time for a decision is over."""


def usable_bank(state: State, seat: int) -> float:
    """Return the seconds of its bank that a seat may use for the decision it owes."""
    if not state.settings.bank or seat not in state.open_decisions or state.match is None:
        return 0.0
    return 0.0 if state.match.open or state.is_racing(seat) else state.bank_left(seat)


def charge(happenings: Sequence[NewEvent], spent: Mapping[int, float]) -> list[NewEvent]:
    """Return events, the first that ends a seat's decision with the seconds which it has used of its bank."""
    left, charged = dict(spent), list[NewEvent]()
    for kind, body in happenings:
        seconds = left.pop(body["seat"], 0.0) if left and kind in ENDS_DECISION else 0.0
        charged.append((kind, {**body, "spent": seconds} if seconds else body))
    return charged
