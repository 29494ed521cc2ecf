"""What is pushed to a device, in the language of who asked for it: nothing of a match but that it waits."""

import time
from collections.abc import Sequence

from tavola.club import Club
from tavola.club.notices import Waiting
from tavola.club.outbox import Letter
from tavola.club.push import PushNotice, WriteNotice
from tavola.web.door.visitor import site_say
from tavola.web.letters import is_of
from tavola.web.render import game_title
from tavola.web.table.post import time_left

MOST_TOLD = 3
"""Matches that one notice names."""


def notice_writer(club: Club) -> WriteNotice:
    """Return what writes what is pushed: of a turn, or of a day; None where nothing waits any more."""

    async def write(letter: Letter) -> PushNotice | None:
        waiting = await club.notices.waiting(letter.body["account"])
        if "room" not in letter.body:
            return day_notice(letter, waiting)
        return next((turn_notice(letter, match) for match in waiting if is_of(letter, match)), None)

    return write


def turn_notice(letter: Letter, match: Waiting) -> PushNotice:
    """Word of a turn, as a device shows it: which game and room, and how long one has."""
    language, room = letter.body["language"], match.room
    say, seconds = site_say(language), match.until - room.now
    left = time_left(seconds, say)
    body = say("It is your turn: {left} left.", left=left)
    if letter.body.get("reminded"):
        body = say("Your time has passed. After {left} a bot decides for you.", left=left)
    title = say("{game}, room {code}", game=game_title(room.state.game, language), code=room.id)
    return PushNotice(title, body, language, room.id, f"/r/{room.id}", seconds)


def day_notice(letter: Letter, waiting: Sequence[Waiting]) -> PushNotice | None:
    """Word of the day: how many matches wait, and the first of them."""
    if not waiting:
        return None
    language, count = letter.body["language"], len(waiting)
    say, now = site_say(language), waiting[0].room.now
    rows = (
        f"{game_title(match.room.state.game, language)} · {time_left(match.until - now, say)}"
        for match in waiting[:MOST_TOLD]
    )
    title = say.many("{count} match waits for you", "{count} matches wait for you", count)
    return PushNotice(title, "\n".join(rows), language, "day", "/mine", letter.expires_at - time.time())
