"""The records that a store keeps, and its refusals when it cannot write them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a room. Numbered from 1 without gaps; never changed, never taken back.

    `body` is a JSON object; `command_id` names the command that caused it, where a person gave one; `at` is the time
    in seconds since 1970.
    """

    seq: int
    kind: str
    body: dict[str, Any] = field(default_factory=dict)
    command_id: str | None = None
    at: float = 0.0


class RoomLine(NamedTuple):
    """One room in the list of rooms: the number of its events, and the time of the last one."""

    id: str
    seq: int
    at: float


class Lease(NamedTuple):
    """A worker's right to act for a room by itself, until somebody takes it over: then the epoch is a later one."""

    room: str
    epoch: int


Batch = tuple[str, Sequence[Event], bool]
"""A room, its new events, and True when the room still awaits something afterwards."""


class Conflict(Exception):
    """Events that do not follow the log as it is on disk, or a command that is in it already. Nothing was written."""


class Stale(Exception):
    """Somebody else has taken the lease over under which this was to be written. Nothing was written."""


class WriteFailed(Exception):
    """The disk or the database refused (full, gone, read-only). Nothing was written."""


class Unsure(WriteFailed):
    """The connection broke at the moment of writing and did not come back: nobody knows whether it was written."""
