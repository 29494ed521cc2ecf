"""The desk of correspondence of a server: which room it looks at when, who is told of decisions, and who knows hours.

Rooms know no addresses: watchers tell people.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import NamedTuple, Protocol

from tavola.live.correspondence.hours import Hours

HoursOf = Callable[[Collection[str]], Awaitable[Mapping[str, Hours]]]
"""Asks for the hours of persons, by their ids; persons who have set none are left out."""


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


class CorrespondenceDesk:
    """The rooms by correspondence that are looked after here, in memory or not, and who is asked and told of them."""

    def __init__(self) -> None:
        self.watchers: list[DecisionWatcher] = []
        self.hours_of: HoursOf = _no_hours
        self._times: dict[str, float] = {}  # by room when a time ends, in seconds since 1970

    def note(self, room: str, at: float | None) -> None:
        """Look at a room at a time of the site's clock; None: not again."""
        if at is None:
            self._times.pop(room, None)
        else:
            self._times[room] = at

    def due(self, now: float) -> list[str]:
        """Return the rooms to be looked at now, in the order in which their times ended."""
        return sorted((room for room, at in self._times.items() if at <= now), key=self._times.__getitem__)


async def _no_hours(persons: Collection[str]) -> Mapping[str, Hours]:
    return {}
