"""When a decision by correspondence is due: a function of when it was asked and of its person's hours.

A decision has a number of days. A holiday does not count, no time ends in its person's night, and a person who lets
it pass is reminded first: only after that does a bot decide for them. The log of the room keeps the result, so it stays
the same if the hours change later.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.core import get_global

DAY = 24 * 3600.0
GRACE = 12 * 3600.0
"""Seconds from the reminder until a bot decides."""
NIGHT = (22, 8)
"""The hours at which a night begins and ends, for whoever has not said otherwise."""
LONGEST_ZONE = 64
"""Characters of a time zone's name."""


@dataclass(frozen=True)
class Hours:
    """The hours of a person: his holiday in seconds since 1970, his night in whole hours of his own clock.

    `zone`: a name of the time zone database; where it is empty, or not known here, there is no night. A night that
    begins when it ends is none.
    """

    away_from: float = 0.0
    away_until: float = 0.0
    night: tuple[int, int] = NIGHT
    zone: str = ""

    def is_away(self, at: float) -> bool:
        """True during the holiday."""
        return self.away_from <= at < self.away_until

    def morning(self, at: float) -> float:
        """Return the end of the night that `at` lies in, or `at` itself by day."""
        begins, ends = self.night
        zone = find_zone(self.zone)
        if zone is None or begins == ends:
            return at
        local = datetime.fromtimestamp(at, UTC).astimezone(zone)
        asleep = (local.hour - begins) % 24 < (ends - begins) % 24
        if not asleep:
            return at
        wakes = local.replace(hour=ends, minute=0, second=0, microsecond=0, fold=0)
        return (wakes if wakes > local else wakes + timedelta(days=1)).timestamp()


AT_HOME = Hours()
"""The hours of whoever has told none."""


class Due(NamedTuple):
    """The time of a decision: asked at `since`, due at `until`, both in seconds since 1970.

    `prompt` is the decision's number as the seat owes it, `number` the one it had when it was asked: steps that nobody
    notices and what others do in a barter move the first. `reminded`: the time has passed once, `since` is when.
    """

    prompt: int
    number: int
    since: float
    until: float
    reminded: bool = False


def due_at(since: float, seconds: float, hours: Hours) -> float:
    """Return when a time that began at `since` and lasts so many seconds ends, for somebody with these hours."""
    end = since + seconds
    if since < hours.away_until and hours.away_from <= end:
        end += hours.away_until - max(since, hours.away_from)
    return hours.morning(end)


@cache
def _aliases(name: str) -> list[str]:
    """Return the other names of a zone: `Asia/Calcutta` is `Asia/Kolkata`."""
    known: dict[str, str] = dict(get_global("zone_aliases"))
    same = known.get(name, name)
    return [same, *(alias for alias, zone in known.items() if zone == same)]


def find_zone(name: str) -> tzinfo | None:
    """Return a time zone by its name, or by another name of it; None where this machine knows none of them."""
    if not 0 < len(name) <= LONGEST_ZONE:
        return None
    for each in (name, *_aliases(name)):
        try:
            return ZoneInfo(each)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return None
