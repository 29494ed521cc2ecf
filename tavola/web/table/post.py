"""A match by correspondence in words: how many days it has run, how long somebody has."""

from typing import Any

from tavola.live import Room
from tavola.live.correspondence.due_dates import next_due
from tavola.live.correspondence.hours import DAY
from tavola.show.speech import Say

HOUR = 3600.0


def post_values(room: Room, say: Say) -> dict[str, Any]:
    """Return what a room's header says of its days, empty where the match is live.

    `began`, `until`: when the match began and when the first time ends, in milliseconds; `day`: which day it is, from
    1; `left`: the time left, in words.
    """
    state = room.state
    if not state.settings.days or state.phase != "playing":
        return {"began": 0, "day": 0, "until": 0, "left": ""}
    due, now = next_due(state), room.now
    left = time_left(due.until - now, say) if due is not None else ""
    until = round(due.until) * 1000 if due is not None else 0
    return {"began": round(state.created_at) * 1000, "day": match_day(room), "until": until, "left": left}


def match_day(room: Room) -> int:
    """Return which day of its match it is, counted from 1."""
    return int((room.now - room.state.created_at) // DAY) + 1


def time_left(seconds: float, say: Say) -> str:
    """Return a time in words: in days and hours, or in hours, or that it is less than one."""
    days, hours = divmod(int(max(seconds, 0.0) // HOUR), 24)
    if not days and not hours:
        return say("less than an hour")
    parts = [say.many("{count} day", "{count} days", days)] if days else []
    return " ".join([*parts, *([say.many("{count} hour", "{count} hours", hours)] if hours else [])])
