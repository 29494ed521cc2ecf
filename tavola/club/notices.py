"""Word of a turn: a letter for each decision that waits, or one a day, or none; for all matches, or for one.

Rooms tell of decisions and know nobody's address; here it is known whose account a person is, and how he wants to hear.
A decision is written of once, whatever restarts: its room, seat and number are the letter's topic. What a letter says
is looked up when it is sent, so nothing of a match lies in the queue; where nothing waits any more, none is.
"""

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from tavola.club import outbox
from tavola.club.hours import hours_of_account
from tavola.club.refusals import ClubRefusal
from tavola.live import Room
from tavola.live.decisions import OwedDecision
from tavola.live.log.dues import open_dues
from tavola.store import Execute

if TYPE_CHECKING:
    from tavola.club.club import Club

MANNERS = ("turn", "day", "none")
"""A letter for each turn, one a day, or none."""
PAUSE = 300.0
"""Seconds after which somebody is written to: who sits at the table decides before."""
MORNING = time(8)
"""When the one letter a day is sent, by the clock of whoever reads it."""
DAY_LASTS = 12 * 3600.0
"""Seconds in which the letter of a day is of use."""
LEAST_LASTS = 3600.0
ACCOUNT_OF = """
SELECT a.id, a.address, a.language FROM account_person p JOIN account a ON a.id = p.account
WHERE p.person = ? AND a.address IS NOT NULL
"""
KEEP_MANNER = "INSERT INTO notice VALUES (?, ?, ?) ON CONFLICT (account, room) DO UPDATE SET manner = excluded.manner"


class BadManner(ClubRefusal):
    """A way to be told that there is not."""

    message = "Expected a letter for each turn, one a day, or none."


class Waiting(NamedTuple):
    """A match in which somebody owes a decision, until when, in seconds since 1970."""

    room: Room
    seat: int
    until: float


def manner_of(execute: Execute, account: str, room: str = "") -> str:
    """Return how an account wants to hear of its turns in a match; what it said of that one comes first."""
    query = "SELECT manner FROM notice WHERE account = ? AND room IN (?, '') ORDER BY room DESC LIMIT 1"
    found = execute(query, (account, room))
    return str(found[0][0]) if found else MANNERS[0]


def require_manner(manner: str) -> None:
    """`BadManner` for a way to be told that there is not."""
    if manner not in MANNERS:
        raise BadManner


def keep_manner(execute: Execute, account: str, manner: str, room: str = "") -> None:
    """Remember how an account wants to hear of its turns: in all matches, or in one."""
    if not room:
        execute("DELETE FROM notice WHERE account = ?", (account,))
    execute(KEEP_MANNER, (account, room, manner))


class Notices:
    """A watcher of decisions that puts letters into the queue. `pause`: seconds until the letter of a turn is due."""

    def __init__(self, club: "Club", pause: float = PAUSE) -> None:
        self.club, self.pause = club, pause

    def decision_opened(self, decision: OwedDecision) -> None:
        """Have whoever owes it told, unless he decides before."""
        self._spawn(partial(put_word, decision=decision, wait=self.pause, now=self.club.hub.settings.clock()))

    def decision_reminded(self, decision: OwedDecision) -> None:
        """Have him told that his time has passed, at once."""
        now = self.club.hub.settings.clock()
        self._spawn(partial(put_word, decision=decision, wait=0.0, now=now, reminded=True))

    def decision_closed(self, decision: OwedDecision) -> None:
        """Nothing: who writes the letter sees that nothing waits."""

    def _spawn(self, work: Callable[[Execute], bool]) -> None:
        self.club.hub.spawn(self._put(work))

    async def _put(self, work: Callable[[Execute], bool]) -> None:
        if await self.club.store.transact(work) and self.club.postman is not None:
            self.club.postman.ring()

    async def waiting(self, account: str) -> list[Waiting]:
        """Return the matches in which an account owes a decision, those first whose time ends first."""
        found = []
        for person in await self.club.persons_of(account):
            for room in await self.club.hub.rooms_of(person):
                seat, dues = room.state.seat_of(person), open_dues(room.state)
                if seat in dues:
                    found.append(Waiting(room, seat, dues[seat].until))
        return sorted(found, key=lambda match: match.until)


def put_word(execute: Execute, decision: OwedDecision, wait: float, now: float, *, reminded: bool = False) -> bool:
    """Queue the letter of a decision, or that of the day; False where nobody is to be told, or has been."""
    found = execute(ACCOUNT_OF, (decision.person,))
    if not found:
        return False
    account, address, language = found[0]
    manner, body = manner_of(execute, account, decision.room), {"language": language, "account": account}
    if manner == "none":
        return False
    if manner == "day" and not reminded:
        morning = next_morning(execute, account, now)
        topic, left = f"day/{account}/{morning:%Y-%m-%d}", morning.timestamp() - now
        return outbox.put(execute, topic, "day", address, "", left + DAY_LASTS, body, account, left)
    topic = f"turn/{decision.room}/{decision.seat}/{decision.number}{'/reminded' * reminded}"
    own = {**body, "room": decision.room, "seat": decision.seat, "number": decision.number, "reminded": reminded}
    lasts = max(LEAST_LASTS, decision.due - now if decision.due is not None else LEAST_LASTS)
    return outbox.put(execute, topic, "turn", address, "", lasts, own, account, wait)


def next_morning(execute: Execute, account: str, now: float) -> datetime:
    """Return the next morning at which an account is written to, by its own clock where that is known."""
    zone = hours_of_account(execute, account).zone
    here = datetime.fromtimestamp(now, ZoneInfo(zone) if zone else UTC)
    morning = datetime.combine(here.date(), MORNING, here.tzinfo)
    return morning if morning > here else morning + timedelta(days=1)
