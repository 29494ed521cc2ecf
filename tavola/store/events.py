"""What a store keeps, and what it says when it cannot."""

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
    """One room in the list of rooms: how many events it has, and when the last one happened."""

    id: str
    seq: int
    at: float


class Conflict(Exception):
    """Events that do not follow the log as it is on disk, or a command that is in it already. Nothing was written."""


class WriteFailed(Exception):
    """The disk refused (full, gone, read-only). Nothing was written."""
