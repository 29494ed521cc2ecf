"""The correspondence desk of a server: when to check which room, and whom to notify of decisions.

Rooms do not have e-mail addresses: watchers notify people.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import NamedTuple, Protocol

from tavola.live.correspondence.hours import Hours

HoursOf = Callable[[Collection[str]], Awaitable[Mapping[str, Hours]]]
"""Function that returns the hours of persons by id; persons who have set none are left out."""


class OwedDecision(NamedTuple):
    """A decision that a person owes, identified for ever by `room`, `seat` and `number`.

    `person`: their secret id. `number`: 0 for news of the match itself. `due`: the deadline in seconds since 1970, None
    without one.
    """

    room: str
    game: str
    seat: int
    person: str
    number: int
    due: float | None


class DecisionWatcher(Protocol):
    """A watcher of decisions in the rooms looked after here. It is called in the event loop and must be quick.

    Open decisions are announced again after a restart, or when another worker takes over a room. A watcher that sends
    e-mails must check by room, seat and number whether it has already sent one.
    """

    def hear(self, decision: OwedDecision, news: str, at: float) -> None:
        """Handle what has happened to a decision.

        - `opened`: it has opened, or has got a later deadline; `warned`: its deadline is near.
        - `banked`: its deadline is missed; the person's time bank runs until `due`.
        - `reminded`: that is used up, too; the person has until `due`, then a bot decides.
        - `nudged`: another player has nudged the person, `at` seconds since 1970.
        - `missed`: a bot, or the game's clock, has made it for the person; `due` is when.
        - `closed`: the person has made it, or need not make it any more.
        - `ended`: the match is over, since `at`; `rematch`: one opened `at` and waits for the person. Both are
          announced again when the room is loaded.
        """


class CorrespondenceDesk:
    """Correspondence rooms looked after here, in memory or not, with their watchers and the source of hours."""

    def __init__(self) -> None:
        self.watchers: list[DecisionWatcher] = []
        self.hours_of: HoursOf = _no_hours
        self._times: dict[str, float] = {}  # by room: the next check, in seconds since 1970

    def note(self, room: str, at: float | None) -> None:
        """Set when to check a room, by the site's clock; None for never."""
        if at is None:
            self._times.pop(room, None)
        else:
            self._times[room] = at

    def due(self, now: float) -> list[str]:
        """Return the rooms to check now, in the order of their times."""
        return sorted((room for room, at in self._times.items() if at <= now), key=self._times.__getitem__)


async def _no_hours(persons: Collection[str]) -> Mapping[str, Hours]:
    return {}
