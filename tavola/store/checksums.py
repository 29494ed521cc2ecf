"""The chain of a room's events: each carries a checksum of itself and of all before it.

A disk that forgets or garbles a part of the log cannot be told from one that never had it, unless the rest says
what should be there. The checksum guards against accidents; whoever may write the file can write checksums too.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

from tavola.store.events import Event

DIGEST_BYTES = 16
EMPTY_CHECKSUM = b""
"""The checksum that the first event of a room follows."""

Row = tuple[int, str, str, str | None, float]
"""An event as it lies in the table: number, kind, body as JSON, command, time."""


class Log(NamedTuple):
    """The events of a room as far as they can be trusted; `fault` names the fault after them, empty without one."""

    events: list[Event]
    fault: str = ""


def next_checksum(before: bytes, room_id: str, row: Row) -> bytes:
    """Return the checksum of an event that follows one with the checksum `before`."""
    seq, kind, body, command_id, at = row
    text = repr((room_id, seq, kind, body, command_id, float(at))).encode("utf-8", "surrogatepass")
    return blake2b(before + text, digest_size=DIGEST_BYTES).digest()


def checksums_of(before: bytes, room_id: str, rows: Iterable[Row]) -> list[bytes]:
    """Return the checksums of events that follow one another."""
    chain = []
    for row in rows:
        before = next_checksum(before, room_id, row)
        chain.append(before)
    return chain


def verify_rows(room_id: str, rows: Iterable[tuple[Row, bytes | None]]) -> tuple[list[Row], str]:
    """Return the events up to the first that does not verify, and the fault of that one; empty if all do."""
    before, verified = EMPTY_CHECKSUM, list[Row]()
    for row, checksum in rows:
        try:
            expected = next_checksum(before, room_id, row)
        except (TypeError, ValueError):  # a column that holds something else
            expected = None
        if expected is None or expected != checksum or row[0] != len(verified) + 1:
            return verified, f"event {len(verified) + 1} is damaged"
        before = expected
        verified.append(row)
    return verified, ""
