"""A whole room as it lies in the tables: it is copied from one database to another, and checked on the way."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from tavola.store.checksums import EMPTY_CHECKSUM, Row, verify_rows
from tavola.store.database_refusals import CorruptDatabase

ALL_ROOMS = """
SELECT r.id, r.seq, r.at, r.awake, r.checksum, f.found, e.seq, e.kind, e.body, e.command_id, e.at, e.checksum
FROM room r LEFT JOIN fault f ON f.room = r.id LEFT JOIN event e ON e.room = r.id ORDER BY r.id, e.seq
"""
"""An event a row, the rooms one after the other."""


class StoredRoom(NamedTuple):
    """One room with all its events. `fault`: the fault known of it, None if there is none."""

    id: str
    seq: int
    at: float
    awake: int
    checksum: bytes
    fault: str | None
    rows: list[Row]
    checksums: list[bytes]


def verified_rooms(name: str, found: Iterable[Any]) -> Iterator[StoredRoom]:
    """Yield the rooms in the rows of `ALL_ROOMS` in the database `name`; `CorruptDatabase` where events do not hold."""
    for (room, seq, at, awake, checksum, fault), lines in groupby(found, lambda line: line[:6]):
        events = [line[6:] for line in lines if line[6] is not None]
        rows, checksums = [event[:5] for event in events], [event[5] or EMPTY_CHECKSUM for event in events]
        whole = StoredRoom(room, seq, at, awake, checksum or EMPTY_CHECKSUM, fault, rows, checksums)
        _verify_room(name, whole)
        yield whole


def _verify_room(name: str, whole: StoredRoom) -> None:
    """Refuse a room unless every event's checksum holds and the last one is the room's."""
    rows, fault = verify_rows(whole.id, zip(whole.rows, whole.checksums, strict=True))
    if not fault and (len(rows) != whole.seq or (whole.checksums or [EMPTY_CHECKSUM])[-1] != whole.checksum):
        fault = f"expected {whole.seq} events, found {len(rows)} or another one at the end"
    if fault:
        raise CorruptDatabase(f"{name}: expected a sound Tavola database, found: room {whole.id}: {fault}")
