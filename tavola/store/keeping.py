"""What a store does not keep for ever: matches that nobody finished, tables where none began, and what is too much."""

import contextlib
import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tavola.store.events import RoomLine
from tavola.store.schema import UNREADABLE, check, corrupt
from tavola.store.sqlite import reading

DAY = 24 * 3600.0
ROOM_LEFT = 0.9
"""A database that has grown too large is brought down to this part of what it may be."""

KIND = """
SELECT id, seq, at,
    EXISTS (SELECT 1 FROM event WHERE room = id AND kind = 'started'),
    EXISTS (SELECT 1 FROM event WHERE room = id AND kind IN ('over', 'imported'))
FROM room WHERE at < ? ORDER BY at, id
"""
BYTES = "SELECT sum(length(body) + 150) FROM event WHERE room = ?"
"""About what a room takes; the rest of a row and of its index besides."""


@dataclass(frozen=True)
class Keeping:
    """How long rooms are kept after their last event, in seconds, and how large the database may grow, in bytes."""

    unfinished: float = 30 * DAY
    waiting: float = 7 * DAY
    largest: int = 2_000_000_000


class Doomed(NamedTuple):
    """A room that is to be deleted, and why: a match nobody finished, one that never began, or too much in all."""

    line: RoomLine
    why: str


def doomed(database: Path, keeping: Keeping, now: float, spare: Collection[str] = ()) -> list[Doomed]:
    """The rooms that `keeping` would delete now, oldest first; `spare` are kept whatever they are."""
    with contextlib.closing(reading(database.resolve())) as connection:
        check(connection, database)
        try:
            aged = [old for old in _aged(connection, keeping, now) if old.line.id not in spare]
            return aged + list(_excess(connection, keeping, [old.line.id for old in aged], spare))
        except UNREADABLE as error:
            raise corrupt(database, error) from error


def _aged(connection: sqlite3.Connection, keeping: Keeping, now: float) -> Iterator[Doomed]:
    first = now - min(keeping.unfinished, keeping.waiting)
    for room, seq, at, began, ended in connection.execute(KIND, (first,)):
        if ended:
            continue
        if at < now - (keeping.unfinished if began else keeping.waiting):
            yield Doomed(RoomLine(room, seq, at), "unfinished" if began else "never begun")


def _excess(
    connection: sqlite3.Connection, keeping: Keeping, aged: Collection[str], spare: Collection[str]
) -> Iterator[Doomed]:
    """The oldest rooms, as many as are too many when the `aged` ones are gone."""
    pages, free, each = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    if (pages - free) * each <= keeping.largest:
        return
    over = (pages - free) * each - keeping.largest * ROOM_LEFT
    over -= sum(_bytes(connection, room) for room in aged)
    for line in connection.execute("SELECT id, seq, at FROM room ORDER BY at, id").fetchall():
        if over <= 0:
            return
        if line[0] not in aged and line[0] not in spare:
            over -= _bytes(connection, line[0])
            yield Doomed(RoomLine(*line), "too much")


def _bytes(connection: sqlite3.Connection, room: str) -> int:
    return int(connection.execute(BYTES, (room,)).fetchone()[0] or 0)
