"""Turn notifications: at each turn, one a day, or none; for all matches or for one. And invitations to rooms.

They are sent by e-mail and to each browser that the player subscribed, or only to browsers. Rooms report decisions and
know no addresses; this module finds the account and its settings. The topic is room, seat and number of the decision,
so each decision is notified once per channel, even after a restart. Decisions that open while a notification is still
waiting to be sent are added to it, so eighteen decisions of one minute are one message. The text is written when it is
sent: the queue contains nothing of a match, and nothing is sent if no decision is pending any more.
"""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from datetime import time as hour_of_day
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tavola.club.account_refusals import ClubRefusal
from tavola.club.hours import hours_of_account, owner_of, zone_of
from tavola.club.sending import outbox, push
from tavola.core.text import mark
from tavola.live import Room
from tavola.live.correspondence.agenda import OwedDecision
from tavola.live.correspondence.due_dates import open_dues
from tavola.live.correspondence.hours import DAY
from tavola.store import Execute, WriteFailed

if TYPE_CHECKING:
    from tavola.club.club import Club

logger = logging.getLogger(__name__)
PREFERENCES = ("turn", "day", "push", "none")
"""For each turn, once a day, for each turn in browsers only, or never."""
PAUSE = 300.0
"""Seconds before a notification is sent: a player at the table decides sooner."""
LONGEST_LOOK = 3600.0
"""Seconds after which players are notified although they look at the match: their page may be left open."""
PUT_AGAIN = 1.0
"""Seconds until a notification is queued again after the database could not be reached."""
GATHERS = 60.0
"""Maximum seconds before a warning or reminder is sent: deadlines of several matches pass in the same minute."""
MORNING = hour_of_day(8)
"""When the daily e-mail is sent, in the reader's time zone."""
DAY_LASTS = 12 * 3600.0
"""Seconds for which the daily e-mail is useful."""
LEAST_LASTS = 3600.0
NEWS_LASTS = 24 * 3600.0
"""Seconds for which a message about a bot's decision, the end of a match or a rematch is useful."""
NEWS_OF_MATCH = ("ended", "rematch")
NEWS = ("missed", *NEWS_OF_MATCH)
"""Subjects of messages that do not ask for a decision."""
JOINED_STAGES = ("", "warned", "banked", "reminded")
"""Stages of which one message lists all decisions. Others have their own words."""
ACCOUNT_OF = """
SELECT a.id, a.address, a.language FROM account_person p JOIN account a ON a.id = p.account WHERE p.person = ?
"""


class BadManner(ClubRefusal):
    """An unknown notification setting."""

    message = mark("Choose: at each turn, once a day, in browsers only, or never.")


class Waiting(NamedTuple):
    """A match in which an account owes a decision; `until` is in seconds since 1970.

    For one of `NEWS`, `until` is 0 if nothing else is owed there. `zone`: the account's time zone, empty if unknown.
    """

    room: Room
    seat: int
    until: float
    zone: str


def preference_of(execute: Execute, account: str, room: str = "") -> str:
    """Return an account's notification setting for a match; a setting of that match has priority."""
    query = "SELECT manner FROM notice WHERE account = ? AND room IN (?, '') ORDER BY room DESC LIMIT 1"
    found = execute(query, (account, room))
    return str(found[0][0]) if found and found[0][0] in PREFERENCES else PREFERENCES[0]


def set_preference(execute: Execute, account: str, preference: str, room: str = "") -> None:
    """Store an account's notification setting, for all matches or for one."""
    if not room:
        execute("DELETE FROM notice WHERE account = ?", (account,))
    query = "INSERT INTO notice VALUES (?, ?, ?) ON CONFLICT (account, room) DO UPDATE SET manner = excluded.manner"
    execute(query, (account, room, preference))


class Notices:
    """A watcher of decisions that queues notifications after `pause` seconds."""

    def __init__(self, club: "Club", pause: float = PAUSE) -> None:
        self.club, self.pause = club, pause

    def hear(self, decision: OwedDecision, news: str, at: float) -> None:
        """Queue a notification. When it is due, it is sent only if its reader still needs it.

        One about a bot's decision has the next question, too, if that is asked by then.
        """
        now, by_mail = self.club.hub.settings.clock(), self.club.mailer is not None
        if news == "closed" or (news in NEWS_OF_MATCH and now - at > NEWS_LASTS):
            return
        soon = min(GATHERS, self.pause)
        wait = {"warned": soon, "banked": soon, "reminded": soon, "nudged": 0.0}.get(news, self.pause)
        stage, ending = news if news != "opened" else "", f"/{at:.0f}" if news == "nudged" else ""
        notification = Notification(decision, wait, now, stage=stage, ending=ending, by_mail=by_mail)
        self.club.hub.tasks.spawn(self._put(notification))

    async def _put(self, notification: "Notification") -> None:
        """Queue a notification, however long the database cannot be reached: its topic makes a repetition harmless."""
        while True:
            try:
                if await self.club.store.transact(partial(queue_notification, notification=notification)):
                    self.club.ring()
                return
            except WriteFailed as failure:
                logger.warning("a notification is waiting for the database: %s", failure)
                await asyncio.sleep(PUT_AGAIN)

    async def stopped(self, account: str) -> list[outbox.Stopped]:
        """Return where an account is sent nothing any more after too many refusals."""
        return await asyncio.to_thread(outbox.stopped_of, self.club.store.rows, account)

    async def try_again(self, account: str) -> None:
        await self.club.store.transact(lambda execute: outbox.try_again(execute, account, outbox.MAIL))

    async def waiting(self, account: str) -> list[Waiting]:
        """Return the matches in which an account owes a decision, the earliest deadline first."""
        found = []
        zone = (await self.club.store.ask(lambda execute: hours_of_account(execute, account))).zone
        async for room, seat in self._seats(account):
            if (due := open_dues(room.state).get(seat)) is not None:
                found.append(Waiting(room, seat, due.until, zone))
        return sorted(found, key=lambda match: match.until)

    async def wait_for_morning(self, account: str) -> None:
        """Raise `TooEarly` while it is night for an account: a message may have waited for a server until then."""
        now = self.club.hub.settings.clock()
        wait = await self.club.store.ask(lambda execute: awake_in(execute, account, now, 0.0))
        if wait > 0:
            raise outbox.TooEarly(wait)

    def seconds_early(self, told: Sequence[Waiting]) -> float:
        """Return in how many seconds to notify of open decisions: when the first one has been open for the pause.

        While its player looks at the match, the pause begins again, for at most `LONGEST_LOOK` seconds.
        """
        return min((self._seconds_early(match.room, match.seat) for match in told), default=0.0)

    def _seconds_early(self, room: Room, seat: int) -> float:
        due, person = room.state.dues[seat], room.state.occupants[seat].person
        asked = room.now - (due.asked or due.since)
        looks = person is not None and person.id in room.presence and room.presence.is_looking(person.id)
        return self.pause if looks and asked < LONGEST_LOOK else self.pause - asked

    async def news(self, account: str, told: Mapping[str, Any]) -> Waiting | None:
        """Return the match of a message of one of `NEWS`, while its reader does not know."""
        if told["stage"] == "missed":
            return await self._missed(account, told["room"], told["number"])
        room = await self.club.hub.room(told["room"])
        for person in await self.club.persons_of(account):
            if room.state.seat_of(person) == told["seat"] and not await self._knows(person, room, told["stage"]):
                return Waiting(room, told["seat"], 0.0, "")
        return None

    async def _knows(self, person: str, room: Room, news: str) -> bool:
        if person in room.presence:
            return True
        if news == "rematch":
            return room.state.seat_of(person) not in room.state.unready_seats()
        seen = await self.club.memory.moment_seen(person, room.id)
        return seen is not None and seen >= room.moments

    async def _missed(self, account: str, room_id: str, number: int) -> Waiting | None:
        """Return the match in which a bot made a decision for an account, while that is its last one there."""
        async for room, seat in self._seats(account):
            made = room.state.bot_decisions.get(seat)
            if made is not None and (room.id, made.number) == (room_id, number):
                due = open_dues(room.state).get(seat)
                return Waiting(room, seat, due.until if due is not None else 0.0, "")
        return None

    async def _seats(self, account: str) -> AsyncIterator[tuple[Room, int]]:
        """Yield the running matches of an account's persons, each with the seat."""
        for person in await self.club.persons_of(account):
            for room in await self.club.hub.persons.rooms_of(person):
                if (seat := room.state.seat_of(person)) is not None:
                    yield room, seat


@dataclass(frozen=True)
class Notification:
    """A notification to queue: the decision, the delay `wait` in seconds, and the current time.

    `stage`: what has happened, as in `DecisionWatcher.hear`; empty if a decision has opened.
    `ending`: of the topic, if there can be several of a stage.
    """

    decision: OwedDecision
    wait: float
    now: float
    stage: str = ""
    ending: str = ""
    by_mail: bool = True


class Way(NamedTuple):
    """A channel to a person: kind of message, recipient, and the ending of its topics."""

    kind: str
    recipient: str
    ending: str = ""


class Reader(NamedTuple):
    """The reader of messages to a person: their account, language and channels, none if they want no messages."""

    account: str
    language: str
    ways: list[Way]


def ways_to(execute: Execute, person: str, kind: str, *, by_mail: bool, room: str = "") -> Reader:
    """Return the channels to a person for messages of a kind, by their settings for a match or in general."""
    found = execute(ACCOUNT_OF, (person,))
    if not found:
        return Reader("", "", [])
    account, address, language = found[0]
    preference = preference_of(execute, account, room)
    if preference == "none":
        return Reader(account, language, [])
    by_mail = by_mail and preference != "push" and address is not None and not outbox.is_stopped(execute, address)
    ways = [Way(kind, address)] if by_mail else []
    ways += [Way(outbox.PUSH, each.endpoint, f"/{each.mark}") for each in push.subscriptions_of(execute, account)]
    return Reader(account, language, ways)


def queue_notification(execute: Execute, notification: Notification) -> bool:
    """Queue a notification of a decision, or the daily one, for each channel.

    Return False if no one is to be notified, or they have been already.
    """
    decision, by_mail = notification.decision, notification.by_mail
    reader = ways_to(execute, decision.person, "turn", by_mail=by_mail, room=decision.room)
    body = {"language": reader.language, "account": reader.account}
    if not notification.stage and preference_of(execute, reader.account, decision.room) == "day":
        ways = [way._replace(kind="day") if way.kind == "turn" else way for way in reader.ways]
        return sum(put_day(execute, notification, way, body) for way in ways) > 0
    return sum(put_turn(execute, notification, way, body) for way in reader.ways) > 0


def put_day(execute: Execute, notification: Notification, way: Way, body: dict[str, Any]) -> bool:
    """Queue the daily notification for the next morning."""
    account = body["account"]
    morning = next_morning(execute, account, notification.now)
    topic, left = f"day/{account}/{morning:%Y-%m-%d}{way.ending}", morning.timestamp() - notification.now
    return outbox.put(execute, topic, way.kind, way.recipient, "", left + DAY_LASTS, body, account, left)


def put_turn(execute: Execute, notification: Notification, way: Way, body: dict[str, Any]) -> bool:
    """Queue a notification of one decision, which expires when the decision is due, or add it to one that waits."""
    decision, stage = notification.decision, notification.stage
    ending = f"/{stage}{notification.ending}" if stage else ""
    topic = f"turn/{decision.room}/{decision.seat}/{decision.number}{ending}{way.ending}"
    own = {**body, "stage": stage, "room": decision.room, "seat": decision.seat, "number": decision.number}
    wait = awake_in(execute, body["account"], notification.now, notification.wait)
    left = decision.due - notification.now if decision.due is not None else 0.0
    lasts = max(wait + LEAST_LASTS, left, NEWS_LASTS if stage in NEWS else 0.0)
    if not outbox.put(execute, topic, way.kind, way.recipient, "", lasts, own, body["account"], wait):
        return False
    if stage in JOINED_STAGES:
        join_waiting(execute, topic, way, own, time.time() + lasts)
    return True


WAITING = """
SELECT id, body FROM outbox WHERE ended = '' AND attempts = 0 AND kind = ? AND recipient = ? AND topic <> ?
AND substr(topic, 1, 5) = 'turn/' AND due_at <= (SELECT due_at FROM outbox WHERE topic = ?) ORDER BY due_at
"""
JOIN = """
UPDATE outbox SET body = ?, expires_at = CASE WHEN expires_at < ? THEN ? ELSE expires_at END
WHERE id = ? AND attempts = 0 RETURNING id
"""
JOINED = f"UPDATE outbox SET {outbox.ENDED} WHERE topic = ?"  # noqa: S608 - constants


def join_waiting(execute: Execute, topic: str, way: Way, own: dict[str, Any], expires_at: float) -> None:
    """Add a decision just queued to a notification of the same recipient that has not been sent, if there is one."""
    for number, text in execute(WAITING, (way.kind, way.recipient, topic, topic)):
        body = json.loads(text)
        if body.get("stage") != own["stage"]:
            continue
        body["also"] = [*body.get("also", []), {name: own[name] for name in OF_DECISION}]
        if execute(JOIN, (json.dumps(body, ensure_ascii=False), expires_at, expires_at, number)):
            execute(JOINED, ("joined", topic))
            return


OF_DECISION = ("room", "seat", "number", "stage")
"""Fields of a notification that identify a decision, and what has happened to it."""


def decisions_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the decisions of a queued notification, each with the fields of `OF_DECISION`; none if it is daily."""
    return [body, *body.get("also", [])] if "room" in body else []


def awake_in(execute: Execute, account: str, now: float, wait: float) -> float:
    """Return the seconds from `now` to a message that is due in `wait` seconds: until morning if that is at night."""
    return hours_of_account(execute, account).morning(now + wait) - now


def next_morning(execute: Execute, account: str, now: float) -> datetime:
    """Return the next morning in an account's time zone, or in UTC if it is not known."""
    hours = hours_of_account(execute, account)
    here = datetime.fromtimestamp(now, zone_of(hours.zone))
    morning = datetime.combine(here.date(), MORNING, here.tzinfo)
    morning = morning if morning > here else morning + timedelta(days=1)
    return datetime.fromtimestamp(hours.morning(morning.timestamp()), here.tzinfo)


# Invitations: one message a room to people who have played with the sender and have allowed messages. It is written
# when it is sent, from the room: the queue contains no names.

MOST_INVITATIONS = 5
"""Maximum invitations that an account is sent in a day, by all players together."""
INVITATION_LASTS = 2 * DAY
"""Seconds for which an invitation is useful."""
INVITATION = "invitation"
"""Kind of the e-mails."""


class NotReachable(ClubRefusal):
    """An invitation to a player without an account, or without messages."""

    status = 409
    message = mark("This player gets no messages here. Send them the link.")


class TooManyInvitations(ClubRefusal):
    """More than `MOST_INVITATIONS` invitations to an account in a day."""

    status = 429
    message = mark("This player has been invited often today. Send them the link.")


def is_invited(execute: Execute, person: str, room: str) -> bool:
    """Return whether a person has been invited to a room."""
    topic = f"{INVITATION}/{room}/{owner_of(execute, person)}"
    query = "SELECT 1 FROM outbox WHERE topic = ? OR substr(topic, 1, ?) = ? LIMIT 1"
    return bool(execute(query, (topic, len(topic) + 1, f"{topic}/")))


def invite(execute: Execute, person: str, room: str, seat: int, now: float, *, by_mail: bool) -> ClubRefusal | None:
    """Queue an invitation to a room from the player of a seat, once a room; return the reason if it is refused.

    `now` is the site's time in seconds since 1970.
    """
    reader = ways_to(execute, person, INVITATION, by_mail=by_mail)
    if not reader.ways:
        return NotReachable()
    sign = f"{INVITATION} {reader.account}"  # by which they are counted
    if outbox.count_since(execute, sign, now - DAY) >= MOST_INVITATIONS * len(reader.ways):
        return TooManyInvitations()
    body: dict[str, Any] = {"language": reader.language, "account": reader.account, "invited": room, "by": seat}
    wait = awake_in(execute, reader.account, now, 0.0)
    for way in reader.ways:
        topic = f"{INVITATION}/{room}/{reader.account}{way.ending}"
        lasts = wait + INVITATION_LASTS
        outbox.put(execute, topic, way.kind, way.recipient, sign, lasts, body, reader.account, wait)
    return None
