"""Nights and holidays of accounts, and of guests: their rows have the person in place of the account."""

from datetime import UTC, datetime, tzinfo

from tavola.club.account_refusals import ClubRefusal
from tavola.core.text import mark
from tavola.live.correspondence.hours import DAY, NIGHT, Hours, find_zone
from tavola.store import Execute

MOST_AWAY = 21 * DAY
"""Maximum seconds of holiday in one season, a quarter of the year."""
FAR = 253_000_000_000.0
"""The latest time of a holiday, in seconds since 1970: the year 9987."""
HOURS_OF = "SELECT zone, night_begins, night_ends, away_from, away_until FROM hours WHERE account = ?"
STORE = """
INSERT INTO hours VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account) DO UPDATE SET zone = excluded.zone,
night_begins = excluded.night_begins, night_ends = excluded.night_ends, away_from = excluded.away_from,
away_until = excluded.away_until, season = excluded.season, used = excluded.used
"""


class TooLongAway(ClubRefusal):
    """More holiday than a season has."""

    message = mark("You can take at most 21 days of holiday in a season.")


class BadNight(ClubRefusal):
    """Invalid hours of a night, or an unknown time zone."""

    message = mark("Choose a start time, an end time and a time zone.")


def keep_night(execute: Execute, account: str, begins: int, ends: int, zone: str) -> bool:
    """Store when an account's night begins and ends, and return True; its holiday is unchanged."""
    before = hours_of_account(execute, account)
    rows = execute("SELECT season, used FROM hours WHERE account = ?", (account,))
    season, used = rows[0] if rows else (0, 0.0)
    execute(STORE, (account, zone, begins, ends, before.away_from, before.away_until, season, used))
    return True


def keep_zone(execute: Execute, owner: str, zone: str) -> bool:
    """Store the time zone of a browser for an account or a guest, unless one is known; return whether it was stored.

    From then on the usual night applies.
    """
    before, known = hours_of_account(execute, owner), clean_zone(zone)
    if find_zone(before.zone) is not None or not known:
        return False
    return keep_night(execute, owner, *before.night, known)


def owner_of(execute: Execute, person: str) -> str:
    """Return the account of a person, or the person while they are a guest."""
    found = execute("SELECT account FROM account_person WHERE person = ?", (person,))
    return str(found[0][0]) if found else person


def bring_hours(execute: Execute, guest: str, account: str) -> None:
    """Move a guest's hours to the account that they open or sign in to, unless that has some."""
    if not execute("SELECT 1 FROM hours WHERE account = ?", (account,)):
        execute("UPDATE hours SET account = ? WHERE account = ?", (account, guest))
    execute("DELETE FROM hours WHERE account = ?", (guest,))


def zone_of(name: str) -> tzinfo:
    """Return a time zone, UTC if the name is not known."""
    return find_zone(name) or UTC


def clean_zone(zone: str) -> str:
    """Return the name of a time zone as a browser gives it; empty if it is not known."""
    return zone if find_zone(zone) is not None else ""


def hours_of_account(execute: Execute, account: str) -> Hours:
    """Return an account's hours, with defaults for missing or invalid values."""
    found = execute(HOURS_OF, (account,))
    if not found:
        return Hours()
    ((zone, begins, ends, away_from, away_until),) = found
    night = (begins, ends) if 0 <= begins < 24 and 0 <= ends < 24 else NIGHT
    away = (away_from, away_until) if 0 <= away_from <= away_until < FAR else (0.0, 0.0)
    return Hours(away[0], away[1], night, zone)


def go_away(execute: Execute, account: str, until: float, zone: str, now: float) -> bool:
    """Set a holiday from now; `until` now or before ends it. False if the season has too few days left.

    Ending a holiday early returns the unused days.
    """
    day, before = datetime.fromtimestamp(now, UTC), hours_of_account(execute, account)
    season = day.year * 4 + (day.month - 1) // 3
    rows = execute("SELECT season, used FROM hours WHERE account = ?", (account,))
    used = float(rows[0][1]) if rows and rows[0][0] == season else 0.0
    used -= max(0.0, before.away_until - max(now, before.away_from)) if rows else 0.0
    used = max(0.0, used) + max(0.0, until - now)
    if used > MOST_AWAY:
        return False
    night = before.night if rows else NIGHT
    away_from = before.away_from if before.is_away(now) else now
    execute(STORE, (account, zone or before.zone, *night, away_from, max(until, now), season, used))
    return True
