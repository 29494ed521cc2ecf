"""Records that a store keeps, and the errors of writing them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Event:
    """A recorded change of a room. Numbered from 1 without gaps; never changed or removed.

    `body` is a JSON object; `command_id` names the command that caused it, if a person gave one; `at` is the time in
    seconds since 1970.
    """

    seq: int
    kind: str
    body: dict[str, Any] = field(default_factory=dict)
    command_id: str | None = None
    at: float = 0.0


class RoomLine(NamedTuple):
    """A room in a list: the number of its events, and the time of the last one."""

    id: str
    seq: int
    at: float


class Lease(NamedTuple):
    """A worker's exclusive right to act for a room; a later lease has a higher epoch."""

    room: str
    epoch: int


Batch = tuple[str, Sequence[Event], bool]
"""A room, its new events, and whether the room awaits something afterwards."""


class Conflict(Exception):
    """Events do not follow the log, or repeat a command. Nothing was written."""


class Stale(Exception):
    """Another worker has taken over the lease. Nothing was written."""


class WriteFailed(Exception):
    """The disk or the database failed (full, gone, read-only). Nothing was written."""


class Unsure(WriteFailed):
    """The connection broke while writing and was not restored: the outcome is unknown."""
