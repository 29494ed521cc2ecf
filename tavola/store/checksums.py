"""The chain of a room's events: each carries a checksum of itself and of all before it.

It reveals when a disk has lost or corrupted a part of the log. It guards against accidents, not attacks: anyone who can
write the file can also write checksums.
"""

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from itertools import groupby
from typing import Any, NamedTuple

from tavola.store.database_refusals import CorruptDatabase
from tavola.store.events import Event

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
    chain = []
    for row in rows:
        before = next_checksum(before, room_id, row)
        chain.append(before)
    return chain


def verify_rows(room_id: str, rows: Iterable[tuple[Row, bytes | None]]) -> tuple[list[Row], str]:
    """Return the events before the first that does not verify, and its fault; empty if all verify."""
    before, verified = EMPTY_CHECKSUM, list[Row]()
    for row, checksum in rows:
        try:
            expected = next_checksum(before, room_id, row)
        except (TypeError, ValueError):  # a column with another type
            expected = None
        if expected is None or expected != checksum or row[0] != len(verified) + 1:
            return verified, f"event {len(verified) + 1} is damaged"
        before = expected
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


# Rewriting a log is the one way to change written events, so that people can be erased. The new log has at least one
# more event than the old one. A worker that knew the old one takes it for a longer log and reads what is new. It never
# finds another event under a number whose checksum it knows.


Rewrite = Callable[[list[Event]], list[Event]]
"""Returns a changed log with at least one more event, or its argument to change nothing."""


class Rewritten(NamedTuple):
    """A log that replaces another. `fault`: the fault at which the old one was cut off."""

    rows: list[Row]
    checksums: list[bytes]
    fault: str

    @property
    def end(self) -> tuple[int, bytes]:
        """The number of its last event, with its checksum."""
        return len(self.rows), self.checksums[-1]


def rewrite_rows(
    room_id: str,
    found: Iterable[tuple[Row, bytes | None]],
    rewrite: Rewrite,
    decode: Callable[[list[Row]], list[Event]],
    encode: Callable[[list[Event]], list[Row]],
) -> Rewritten | None:
    """Return the log that `rewrite` makes of rows and their checksums; None if it changes nothing.

    Events after a fault cannot be verified and are dropped.
    """
    known, fault = verify_rows(room_id, found)
    before = decode(known)
    after = rewrite(list(before)) if before else before
    if after == before:
        return None
    assert len(after) > len(before), "a rewritten log is longer than the old one"
    assert [event.seq for event in after] == list(range(1, len(after) + 1)), "events are numbered from 1"
    rows = encode(after)
    return Rewritten(rows, checksums_of(EMPTY_CHECKSUM, room_id, rows), fault)
