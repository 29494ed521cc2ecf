"""Deadlines of correspondence decisions, computed from their start and the person's hours.

A decision has a number of days. Holidays do not count, and no deadline falls in the person's night. A person gets a
warning before the deadline; after it their time bank runs, if the match has one. When that is used up they get a
reminder, and only after that does a bot decide for them. The room's log keeps the result, so it stays the same if the
hours change later.
"""

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.core import get_global

HOUR = 3600.0
DAY = 24 * HOUR
GRACE = 12 * HOUR
"""Seconds from the reminder until a bot decides."""
WARNED_SHARE = 0.25
"""Share of the time for a decision that is left when its person is warned."""
LEAST_WARNING = 3 * HOUR
"""Minimum seconds between a warning and its deadline."""
NIGHT = (22, 8)
"""Default hours at which a night begins and ends."""
LONGEST_ZONE = 64
"""Maximum characters of a time zone's name."""


@dataclass(frozen=True)
class Hours:
    """The hours of a person: a holiday in seconds since 1970, and a night in whole hours of local time.

    `zone`: a name of the time zone database. The night is ignored if `zone` is empty or unknown here, or if the night
    begins and ends at the same hour.
    """

    away_from: float = 0.0
    away_until: float = 0.0
    night: tuple[int, int] = NIGHT
    zone: str = ""

    def is_away(self, at: float) -> bool:
        """Return whether a time is in the holiday."""
        return self.away_from <= at < self.away_until

    @property
    def back_on(self) -> str:
        """The day on which the holiday ends, in the person's time zone or else in UTC, as ISO 8601 writes it."""
        return datetime.fromtimestamp(self.away_until, find_zone(self.zone) or UTC).date().isoformat()

    def morning(self, at: float) -> float:
        """Return the end of the night that contains `at`, or `at` itself by day."""
        local, (_, ends) = self._asleep_at(at), self.night
        if local is None:
            return at
        wakes = local.replace(hour=ends, minute=0, second=0, microsecond=0, fold=0)
        return (wakes if wakes > local else wakes + timedelta(days=1)).timestamp()

    def evening(self, at: float) -> float:
        """Return the beginning of the night that contains `at`, or `at` itself by day."""
        local, (begins, _) = self._asleep_at(at), self.night
        if local is None:
            return at
        sleeps = local.replace(hour=begins, minute=0, second=0, microsecond=0, fold=0)
        began = (sleeps if sleeps <= local else sleeps - timedelta(days=1)).timestamp()
        return min(began, at)  # where a day is skipped, an evening in it would be the next one

    def _asleep_at(self, at: float) -> datetime | None:
        """Return the local time of `at` if it is in the night."""
        begins, ends = self.night
        if (zone := find_zone(self.zone)) is None or begins == ends:
            return None
        local = datetime.fromtimestamp(at, UTC).astimezone(zone)
        return local if (local.hour - begins) % 24 < (ends - begins) % 24 else None


AT_HOME = Hours()
"""The hours of a person who has set none."""


class Due(NamedTuple):
    """The deadline of a decision: opened at `since`, due at `until`, both in seconds since 1970.

    `prompt`: the decision's current number; `number`: the one it had when it opened. Unnoticed steps, and others'
    actions in a barter, change the first. `banked`: its time ended at `since`, and the seat's time bank runs until
    `until`. `reminded`: that, too, has ended, at `since`. `warn`: when the person is to be warned, infinity if never;
    `warned`: that has happened. `asked`: when the decision opened, also after its time.
    """

    prompt: int
    number: int
    since: float
    until: float
    reminded: bool = False
    warn: float = math.inf
    warned: bool = False
    asked: float = 0.0
    banked: bool = False

    @property
    def stage(self) -> str:
        """Return what runs now: empty for the decision's own time, `banked` or `reminded` after it."""
        return "reminded" if self.reminded else "banked" if self.banked else ""


def due_at(since: float, seconds: float, hours: Hours) -> float:
    """Return the deadline `seconds` after `since`, moved for a person's holiday and night."""
    end = since + seconds
    if since < hours.away_until and hours.away_from <= end:
        end += hours.away_until - max(since, hours.away_from)
    return hours.morning(end)


def warn_at(since: float, until: float, seconds: float, hours: Hours) -> float:
    """Return when to warn a person of a deadline, with a quarter of its `seconds` left, and never in their night.

    If the morning after is too late, they are warned an hour before the night begins.
    """
    at = until - seconds * WARNED_SHARE
    at = hours.away_until if hours.is_away(at) else at
    morning = hours.morning(at)
    return max(since, morning if until - morning >= LEAST_WARNING else hours.evening(at) - HOUR)


@cache
def _aliases(name: str) -> list[str]:
    """Return all names of a zone: `Asia/Calcutta` is also `Asia/Kolkata`."""
    known: dict[str, str] = dict(get_global("zone_aliases"))
    same = known.get(name, name)
    return [same, *(alias for alias, zone in known.items() if zone == same)]


def find_zone(name: str) -> tzinfo | None:
    """Return a time zone by any of its names; None if this machine knows none of them."""
    if not 0 < len(name) <= LONGEST_ZONE:
        return None
    for each in (name, *_aliases(name)):
        try:
            return ZoneInfo(each)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            continue
    return None
