"""The rooms that a store deletes in time: matches nobody finished, tables where none began, and all above a size."""

import json
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from tavola.store.events import RoomLine

DAY = 24 * 3600.0
TARGET_FILL = 0.9
"""A database that has grown too large is brought down to this part of its limit."""

OLD_ROOMS = """
SELECT id, seq, at,
    EXISTS (SELECT 1 FROM event WHERE room = id AND kind = 'started'),
    EXISTS (SELECT 1 FROM event WHERE room = id AND kind IN ('over', 'imported')),
    (SELECT body FROM event WHERE room = id AND event.seq = 1)
FROM room WHERE at < ? ORDER BY at, id
"""
OLDEST = "SELECT id, seq, at FROM room ORDER BY at, id"
FIRST_EVENTS = "SELECT room, body FROM event WHERE seq = 1"
ALL_BYTES = "SELECT room, sum(length(body) + 150) FROM event GROUP BY room"
BYTES = "SELECT sum(length(body) + 150) FROM event WHERE room = ?"
"""The bytes of a room, about; the rest of a row and of its index besides."""

Rows = Callable[..., list[Any]]
"""A query with `?` for values, and the values; its rows."""


@dataclass(frozen=True)
class Retention:
    """The seconds for which rooms are kept after their last event, and the bytes to which the database may grow."""

    unfinished: float = 30 * DAY
    waiting: float = 7 * DAY
    largest: int = 2_000_000_000


class PrunableRoom(NamedTuple):
    """A room that is to be deleted, and why: a match nobody finished, one that never began, or too much in all."""

    line: RoomLine
    why: str


def expired_rooms(rows: Rows, keeping: Retention, now: float) -> Iterator[PrunableRoom]:
    """Yield the rooms that nobody went on with for so long, oldest first.

    A match by correspondence ends by itself, as bots decide for whoever does not: until then it is kept.
    """
    first = now - min(keeping.unfinished, keeping.waiting)
    for room, seq, at, began, ended, created in rows(OLD_ROOMS, (first,)):
        over_days = is_over_days(created)
        if ended or (began and over_days):
            continue
        if at < now - (keeping.unfinished if began or over_days else keeping.waiting):
            yield PrunableRoom(RoomLine(room, seq, at), "unfinished" if began else "never begun")


def excess_rooms(
    rows: Rows, size: int, keeping: Retention, aged: Collection[str], spare: Collection[str]
) -> Iterator[PrunableRoom]:
    """Yield the rooms that are too many in `size` bytes without the `aged` ones: always the oldest of whoever has most.

    So nobody loses a match because another one fills the database with his.
    """
    if size <= keeping.largest:
        return
    over = size - keeping.largest * TARGET_FILL
    over -= sum(_bytes(rows, room) for room in aged)
    taken: dict[str, int] = {room: int(most or 0) for room, most in rows(ALL_BYTES)}
    makers = {room: maker_of(body) for room, body in rows(FIRST_EVENTS)}
    queues: dict[str, deque[RoomLine]] = defaultdict(deque)
    for line in rows(OLDEST):
        if line[0] not in aged and line[0] not in spare:
            queues[makers.get(line[0], "")].append(RoomLine(*line))
    totals = [(-sum(taken.get(line.id, 0) for line in lines), lines[0].at, maker) for maker, lines in queues.items()]
    heapify(totals)
    while totals and over > 0:
        total, _, maker = heappop(totals)
        line = queues[maker].popleft()
        over -= taken.get(line.id, 0)
        yield PrunableRoom(line, "too much")
        if queues[maker]:
            heappush(totals, (total + taken.get(line.id, 0), queues[maker][0].at, maker))


def maker_of(body: str | bytes) -> str:
    """Return the maker of a room by its first event: the mark of his network, else the host."""
    created = json.loads(body)
    return str(created.get("maker") or created.get("host", {}).get("id", ""))


def is_over_days(body: str | bytes | None) -> bool:
    """True for the first event of a room by correspondence, whose people may take weeks to sit down, too."""
    return bool(body) and bool(json.loads(body or "{}").get("days"))


def _bytes(rows: Rows, room: str) -> int:
    return int(rows(BYTES, (room,))[0][0] or 0)
