"""A room's log written anew: the one way in which what was written changes, so that people can be forgotten.

The new log has an event more than the old one, so whoever knew the old one takes it for a log that has gone on, reads
what is new, and never finds another event under a number he knows the checksum of.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from tavola.store.checksums import EMPTY_CHECKSUM, Row, checksums_of, verify_rows
from tavola.store.events import Event

Rewrite = Callable[[list[Event]], list[Event]]
"""A function of a whole log: returns it with events changed and at least one more, or as it is to leave it alone."""


class Rewritten(NamedTuple):
    """A log to be written in the place of another. `fault`: what was wrong with the old one, which is cut off there."""

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
    """Return the log that `rewrite` makes of rows and their checksums; None where it leaves them alone.

    What no checksum vouches for can be read by nobody, and is not kept.
    """
    known, fault = verify_rows(room_id, found)
    before = decode(known)
    after = rewrite(list(before)) if before else before
    if after == before:
        return None
    assert len(after) > len(before), "a log that is written anew has an event more"
    assert [event.seq for event in after] == list(range(1, len(after) + 1)), "events are numbered from 1"
    rows = encode(after)
    return Rewritten(rows, checksums_of(EMPTY_CHECKSUM, room_id, rows), fault)
