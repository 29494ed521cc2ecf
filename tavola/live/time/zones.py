"""Time zones by the names that browsers give and accounts keep: a machine may know fewer of them than another."""

from datetime import tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel.core import get_global

LONGEST_ZONE = 64


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
