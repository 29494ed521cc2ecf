"""Whoever wants to know of decisions in matches by correspondence, to tell people: rooms know nobody's address."""

from typing import NamedTuple, Protocol


class OwedDecision(NamedTuple):
    """A decision that somebody owes: `room` and `seat`, the secret id of its `person`, and `number`, its own there.

    Room, seat and number name a decision for ever: none has two such. `game` is the game's name, `due` when its
    time ends, in seconds since 1970; None where it has no end.
    """

    room: str
    game: str
    seat: int
    person: str
    number: int
    due: float | None


class DecisionWatcher(Protocol):
    """A watcher of the decisions in rooms that are looked after here. Calls come in the event loop and must be short.

    After a restart, or when another worker takes a room over, what is open is told once more: whoever writes letters
    looks by room, seat and number whether he has written already.
    """

    def decision_opened(self, decision: OwedDecision) -> None:
        """Somebody is asked, or has got more time for what he is asked already."""

    def decision_reminded(self, decision: OwedDecision) -> None:
        """His time has passed, and he has until `due`, or a bot decides."""

    def decision_closed(self, decision: OwedDecision) -> None:
        """He has decided, or need not any more."""
