"""Invitations: one message a room to people who have played with the sender and have allowed messages.

The message is written when it is sent, from the room: the queue contains no names.
"""

from typing import Any

from tavola.club import outbox
from tavola.club.account_refusals import ClubRefusal
from tavola.club.notices import awake_in, ways_to
from tavola.core.text import mark
from tavola.live.correspondence.hours import DAY
from tavola.store import Execute

MOST = 5
"""Maximum invitations that an account is sent in a day, by all players together."""
LASTS = 2 * DAY
"""Seconds for which an invitation is useful."""
INVITATION = "invitation"
"""Kind of the e-mails."""


class NotReachable(ClubRefusal):
    """An invitation to a player without an account, or without messages."""

    status = 409
    message = mark("This player gets no messages here. Send them the link.")


class TooManyInvitations(ClubRefusal):
    """More than `MOST` invitations to an account in a day."""

    status = 429
    message = mark("This player has been invited often today. Send them the link.")


def is_invited(execute: Execute, person: str, room: str) -> bool:
    """Return whether a person has been invited to a room."""
    found = execute("SELECT account FROM account_person WHERE person = ?", (person,))
    topics = [f"{INVITATION}/{room}/{account}" for (account,) in found]
    query = "SELECT 1 FROM outbox WHERE topic = ? OR substr(topic, 1, ?) = ? LIMIT 1"
    return any(execute(query, (topic, len(topic) + 1, f"{topic}/")) for topic in topics)


def invite(execute: Execute, person: str, room: str, seat: int, now: float, *, by_mail: bool) -> ClubRefusal | None:
    """Queue an invitation to a room from the player of a seat, once a room; return the reason if it is refused.

    `now` is the site's time in seconds since 1970.
    """
    reader = ways_to(execute, person, INVITATION, by_mail=by_mail)
    if not reader.ways:
        return NotReachable()
    if outbox.count_since(execute, reader_mark(reader.account), now - DAY) >= MOST * len(reader.ways):
        return TooManyInvitations()
    body: dict[str, Any] = {"language": reader.language, "account": reader.account, "invited": room, "by": seat}
    wait = awake_in(execute, reader.account, now, 0.0)
    for way in reader.ways:
        topic = f"{INVITATION}/{room}/{reader.account}{way.ending}"
        lasts, sign = wait + LASTS, reader_mark(reader.account)
        outbox.put(execute, topic, way.kind, way.recipient, sign, lasts, body, reader.account, wait)
    return None


def reader_mark(account: str) -> str:
    """Return the sign by which the invitations to an account are counted."""
    return f"{INVITATION} {account}"
