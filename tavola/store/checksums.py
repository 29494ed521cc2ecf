"""The chain of a room's events: each carries a checksum of itself and of all before it.

It reveals when a disk has lost or corrupted a part of the log. It guards against accidents, not attacks: anyone who can
write the file can also write checksums.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import accumulate, groupby
from typing import Any, NamedTuple

from tavola.store.database_refusals import CorruptDatabase
from tavola.store.interface import Event

DIGEST_BYTES = 16
EMPTY_CHECKSUM = b""
"""The checksum before the first event of a room."""

Row = tuple[int, str, str, str | None, float]
"""An event as it is stored: number, kind, body as JSON, command, time."""


class Log(NamedTuple):
    """The verified events of a room; `fault` describes the fault after them, empty without one."""

    events: list[Event]
    fault: str = ""


def next_checksum(before: bytes, room_id: str, row: Row) -> bytes:
    """Return the checksum of an event that follows one with the checksum `before`."""
    seq, kind, body, command_id, at = row
    text = repr((room_id, seq, kind, body, command_id, float(at))).encode("utf-8", "surrogatepass")
    return blake2b(before + text, digest_size=DIGEST_BYTES).digest()


def checksums_of(before: bytes, room_id: str, rows: Iterable[Row]) -> list[bytes]:
    """Return the checksums of consecutive events."""
    return list(accumulate(rows, lambda last, row: next_checksum(last, room_id, row), initial=before))[1:]


def verify_rows(room_id: str, rows: Iterable[tuple[Row, bytes | None]]) -> tuple[list[Row], str]:
    """Return the events before the first that does not verify, and its fault; empty if all verify."""
    before, verified = EMPTY_CHECKSUM, list[Row]()
    for row, checksum in rows:
        try:
            before = next_checksum(before, room_id, row)
        except (TypeError, ValueError):  # a column with another type
            before = EMPTY_CHECKSUM
        if not before or before != checksum or row[0] != len(verified) + 1:
            return verified, f"event {len(verified) + 1} is damaged"
        verified.append(row)
    return verified, ""


# Whole rooms as stored, copied from one database to another and checked on the way


ALL_ROOMS = """
SELECT r.id, r.seq, r.at, r.awake, r.checksum, f.found, e.seq, e.kind, e.body, e.command_id, e.at, e.checksum
FROM room r LEFT JOIN fault f ON f.room = r.id LEFT JOIN event e ON e.room = r.id ORDER BY r.id, e.seq
"""
"""One event per row, rooms in order."""


class StoredRoom(NamedTuple):
    """A room with all its events. `fault`: its known fault, None if there is none."""

    id: str
    seq: int
    at: float
    awake: int
    checksum: bytes
    fault: str | None
    rows: list[Row]
    checksums: list[bytes]


def verified_rooms(name: str, found: Iterable[Any]) -> Iterator[StoredRoom]:
    """Yield the rooms in the rows of `ALL_ROOMS`; raise `CorruptDatabase` if events do not verify."""
    for (room, seq, at, awake, checksum, fault), lines in groupby(found, lambda line: line[:6]):
        events = [line[6:] for line in lines if line[6] is not None]
        rows, checksums = [event[:5] for event in events], [event[5] or EMPTY_CHECKSUM for event in events]
        whole = StoredRoom(room, seq, at, awake, checksum or EMPTY_CHECKSUM, fault, rows, checksums)
        _, damage = verify_rows(room, zip(rows, checksums, strict=True))
        if not damage and (len(rows) != seq or (checksums or [EMPTY_CHECKSUM])[-1] != whole.checksum):
            damage = f"expected {seq} events, found {len(rows)} or a different last event"
        if damage:
            raise CorruptDatabase(f"{name}: expected an intact Tavola database, found: room {room}: {damage}")
        yield whole
