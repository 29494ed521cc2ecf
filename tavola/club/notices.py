"""Word of a turn: one for each decision that waits, or one a day, or none; for all matches, or for one.

It goes by letter, and to each browser in which somebody has asked to be notified; that way alone where he wants no
letters. Rooms tell of decisions and know nobody's address; here it is known whose account a person is, and how he wants
to hear. A decision is told of once each way, whatever restarts: its room, seat and number are the topic. What is said
is looked up when it is sent, so nothing of a match lies in the queue; where nothing waits any more, nothing is.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from tavola.club import outbox, refused, subscriptions
from tavola.club.account_refusals import ClubRefusal
from tavola.club.hours import hours_of_account, zone_of
from tavola.core.text import mark
from tavola.live import Room
from tavola.live.correspondence.agenda import OwedDecision
from tavola.live.correspondence.due_dates import open_dues
from tavola.store import Execute

if TYPE_CHECKING:
    from tavola.club.club import Club

MANNERS = ("turn", "day", "push", "none")
"""Word of each turn, once a day, of each turn in browsers alone, or none."""
PAUSE = 300.0
"""Seconds after which somebody is written to: who sits at the table decides before."""
MORNING = time(8)
"""When the one letter a day is sent, by the clock of whoever reads it."""
DAY_LASTS = 12 * 3600.0
"""Seconds in which the letter of a day is of use."""
LEAST_LASTS = 3600.0
ACCOUNT_OF = """
SELECT a.id, a.address, a.language FROM account_person p JOIN account a ON a.id = p.account WHERE p.person = ?
"""
KEEP_MANNER = "INSERT INTO notice VALUES (?, ?, ?) ON CONFLICT (account, room) DO UPDATE SET manner = excluded.manner"


class BadManner(ClubRefusal):
    """A way to be told that there is not."""

    message = mark("Expected word of each turn, once a day, in browsers alone, or none.")


class Waiting(NamedTuple):
    """A match in which somebody owes a decision, until when, in seconds since 1970."""

    room: Room
    seat: int
    until: float


def manner_of(execute: Execute, account: str, room: str = "") -> str:
    """Return how an account wants to hear of its turns in a match; what it said of that one comes first."""
    query = "SELECT manner FROM notice WHERE account = ? AND room IN (?, '') ORDER BY room DESC LIMIT 1"
    found = execute(query, (account, room))
    return str(found[0][0]) if found and found[0][0] in MANNERS else MANNERS[0]


def require_manner(manner: str) -> None:
    """`BadManner` for a way to be told that there is not."""
    if manner not in MANNERS:
        raise BadManner


def hear_again(execute: Execute, account: str) -> None:
    """Who wanted to hear of no turns is told of them in his browsers: he has just asked for it."""
    if manner_of(execute, account) == "none":
        keep_manner(execute, account, "push")


def hush_letters(execute: Execute, account: str) -> None:
    """Who wants no letters any more is told of his turns in his browsers alone, if he has asked for that."""
    keep_manner(execute, account, "push" if subscriptions.of_account(execute, account) else "none")


def keep_manner(execute: Execute, account: str, manner: str, room: str = "") -> None:
    """Remember how an account wants to hear of its turns: in all matches, or in one."""
    if not room:
        execute("DELETE FROM notice WHERE account = ?", (account,))
    execute(KEEP_MANNER, (account, room, manner))


class Notices:
    """A watcher of decisions that puts letters into the queue. `pause`: seconds until word of a turn is due."""

    def __init__(self, club: "Club", pause: float = PAUSE) -> None:
        self.club, self.pause = club, pause

    def decision_opened(self, decision: OwedDecision) -> None:
        """Have whoever owes it told, unless he decides before."""
        self._spawn(self._word(decision, self.pause))

    def decision_reminded(self, decision: OwedDecision) -> None:
        """Have him told that his time has passed, at once."""
        self._spawn(self._word(decision, 0.0, reminded=True))

    def decision_closed(self, decision: OwedDecision) -> None:
        """Nothing: who writes the letter sees that nothing waits."""

    def _word(self, decision: OwedDecision, wait: float, *, reminded: bool = False) -> "Word":
        now = self.club.hub.settings.clock()
        return Word(decision, wait, now, reminded=reminded, by_mail=self.club.postman is not None)

    def _spawn(self, word: "Word") -> None:
        self.club.hub.tasks.spawn(self._put(word))

    async def _put(self, word: "Word") -> None:
        if await self.club.store.transact(partial(put_word, word=word)):
            self.club.ring()

    async def stopped(self, account: str) -> list[refused.Stopped]:
        """Return where an account is sent nothing any more: too much was refused there."""
        return await asyncio.to_thread(refused.of_account, self.club.store.rows, account)

    async def try_again(self, account: str) -> None:
        await self.club.store.transact(lambda execute: refused.try_again(execute, account, outbox.MAIL))

    async def waiting(self, account: str) -> list[Waiting]:
        """Return the matches in which an account owes a decision, those first whose time ends first."""
        found = []
        for person in await self.club.persons_of(account):
            for room in await self.club.hub.persons.rooms_of(person):
                seat, dues = room.state.seat_of(person), open_dues(room.state)
                if seat in dues:
                    found.append(Waiting(room, seat, dues[seat].until))
        return sorted(found, key=lambda match: match.until)


@dataclass(frozen=True)
class Word:
    """What is to be told: of which decision, in how many seconds, and what time it is; `by_mail`: letters go, too."""

    decision: OwedDecision
    wait: float
    now: float
    reminded: bool = False
    by_mail: bool = True


class Way(NamedTuple):
    """One way to somebody: letters of a kind, to whom, and what their topics end with."""

    kind: str
    recipient: str
    ending: str = ""


def put_word(execute: Execute, word: Word) -> bool:
    """Queue word of a decision, or that of the day, each way; False where nobody is to be told, or has been."""
    found = execute(ACCOUNT_OF, (word.decision.person,))
    if not found:
        return False
    account, address, language = found[0]
    manner, body = manner_of(execute, account, word.decision.room), {"language": language, "account": account}
    if manner == "none":
        return False
    daily = manner == "day" and not word.reminded
    by_mail = word.by_mail and manner != "push" and address is not None and not refused.is_stopped(execute, address)
    ways = [Way("day" if daily else "turn", address)] if by_mail else []
    ways += [Way(outbox.PUSH, each.endpoint, f"/{each.mark}") for each in subscriptions.of_account(execute, account)]
    put = put_day if daily else put_turn
    return sum(put(execute, word, way, body) for way in ways) > 0


def put_day(execute: Execute, word: Word, way: Way, body: dict[str, Any]) -> bool:
    """Queue the word of the day, for the next morning."""
    account = body["account"]
    morning = next_morning(execute, account, word.now)
    topic, left = f"day/{account}/{morning:%Y-%m-%d}{way.ending}", morning.timestamp() - word.now
    return outbox.put(execute, topic, way.kind, way.recipient, "", left + DAY_LASTS, body, account, left)


def put_turn(execute: Execute, word: Word, way: Way, body: dict[str, Any]) -> bool:
    """Queue word of one decision, which is of use as long as there is time for it."""
    decision, told = word.decision, {"reminded": word.reminded}
    topic = f"turn/{decision.room}/{decision.seat}/{decision.number}{'/reminded' * word.reminded}{way.ending}"
    own = {**body, **told, "room": decision.room, "seat": decision.seat, "number": decision.number}
    lasts = max(LEAST_LASTS, decision.due - word.now if decision.due is not None else LEAST_LASTS)
    return outbox.put(execute, topic, way.kind, way.recipient, "", lasts, own, body["account"], word.wait)


def next_morning(execute: Execute, account: str, now: float) -> datetime:
    """Return the next morning at which an account is written to, by its own clock where that is known."""
    here = datetime.fromtimestamp(now, zone_of(hours_of_account(execute, account).zone))
    morning = datetime.combine(here.date(), MORNING, here.tzinfo)
    return morning if morning > here else morning + timedelta(days=1)
