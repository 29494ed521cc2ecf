"""Rooms deleted after a time: unfinished matches, tables without a match, and the excess above a size."""

import json
from collections import defaultdict, deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from tavola.store.interface import Execute, RoomLine

DAY = 24 * 3600.0
TARGET_FILL = 0.9
"""The fraction of its limit to which an oversized database is reduced."""

UNENDED_ROOMS = """
SELECT id, seq, at,
    EXISTS (SELECT 1 FROM event WHERE room = id AND kind = 'started'),
    EXISTS (SELECT 1 FROM event WHERE room = id AND kind = 'shut'),
    (SELECT body FROM event WHERE room = id AND event.seq = 1)
FROM room WHERE at < ? AND (
    SELECT kind FROM event WHERE room = id AND kind IN ('over', 'imported') ORDER BY event.seq DESC LIMIT 1
) IS NULL ORDER BY at, id
"""
"""The end is among a room's last events: a search from the first would read every finished match."""
OLDEST = "SELECT id, seq, at FROM room ORDER BY at, id"
FIRST_EVENTS = "SELECT room, body FROM event WHERE seq = 1"
ALL_BYTES = "SELECT room, sum(length(body) + 150) FROM event GROUP BY room"
BYTES = "SELECT sum(length(body) + 150) FROM event WHERE room = ?"
"""The approximate bytes of a room; 150 stands for the rest of a row and its index."""


@dataclass(frozen=True)
class Retention:
    """Seconds for which rooms are kept after their last event, and the maximum size of the database in bytes."""

    unfinished: float = 30 * DAY
    waiting: float = 7 * DAY
    largest: int = 2_000_000_000


class PrunableRoom(NamedTuple):
    """A room to be deleted, and why: `unfinished`, `never started` or `over the size limit`."""

    line: RoomLine
    why: str


def expired_rooms(rows: Execute, keeping: Retention, now: float) -> Iterator[PrunableRoom]:
    """Yield the rooms unchanged for longer than `keeping` allows, oldest first.

    A correspondence match is kept until it ends, which bots make sure of, unless the operator has closed its room.
    """
    first = now - min(keeping.unfinished, keeping.waiting)
    for room, seq, at, began, shut, created in rows(UNENDED_ROOMS, (first,)):
        # The players of a correspondence match may also take weeks to sit down.
        over_days = bool(json.loads(created or "{}").get("days"))
        if began and over_days and not shut:
            continue
        if at < now - (keeping.unfinished if began or over_days else keeping.waiting):
            yield PrunableRoom(RoomLine(room, seq, at), "unfinished" if began else "never started")


def excess_rooms(
    rows: Execute, size: int, keeping: Retention, aged: Collection[str], spare: Collection[str]
) -> Iterator[PrunableRoom]:
    """Yield the rooms to delete from `size` bytes, not counting `aged` ones: the oldest of the maker who has most.

    So no one loses a match because another maker fills the database.
    """
    if size <= keeping.largest:
        return
    over = size - keeping.largest * TARGET_FILL
    over -= sum(int(rows(BYTES, (room,))[0][0] or 0) for room in aged)
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
        yield PrunableRoom(line, "over the size limit")
        if queues[maker]:
            heappush(totals, (total + taken.get(line.id, 0), queues[maker][0].at, maker))


def maker_of(body: str | bytes) -> str:
    """Return the maker of a room by its first event: the mark of their network, else the host."""
    created = json.loads(body)
    return str(created.get("maker") or created.get("host", {}).get("id", ""))
