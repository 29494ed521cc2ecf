"""What stores have in common, without a driver: events, errors, statements, and what workers on one database share."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

LOG_TOPIC = "log"
"""The topic of new events: `[["room", number], …]` in JSON, with the number of each room's last event."""
RESYNC_TOPIC = "everything"
"""The topic published when messages may have been lost: listeners read everything again."""
MessageHandler = Callable[[str, str], None]
"""Called with a topic and a text."""
Execute = Callable[..., list[Any]]
"""Runs a statement with `?` for each value, given the values; returns its rows."""
T = TypeVar("T")


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


class Cluster(Protocol):
    """The interface shared by workers on one database. Calls raise `WriteFailed` if it does not answer."""

    worker: str
    """This worker's name, never used before."""
    rooms_to_announce: Collection[str] | None
    """Rooms whose new events are announced to other workers at once; None for all."""

    async def heartbeat(self) -> bool:
        """Record that this worker lives; return False if others may have considered it dead before."""

    async def living_workers(self) -> list[str]:
        """Return the names of living workers."""

    async def claim(self, rooms: Collection[str]) -> dict[str, Lease]:
        """Lease rooms without another living owner; those of this worker keep their epoch."""

    async def release(self, rooms: Collection[str]) -> None:
        """Give leases back."""

    async def unleased_rooms(self) -> list[str]:
        """Return rooms that await something and have no living owner."""

    async def newer_seqs(self, rooms: Mapping[str, int]) -> dict[str, int]:
        """Return by room the number of its last event, if it is above the given one."""

    async def events_since(self, rooms: Mapping[str, int]) -> dict[str, list[Event]]:
        """Return by room the events above the given number; rooms without newer events are left out."""

    async def rooms_of_person(self, person_id: str) -> list[str]:
        """Return rooms that await something and in which that person has ever had a seat."""

    def listen(self, heard: MessageHandler) -> None:
        """Call `heard` in this event loop for messages and events of other workers, and if some may have been lost."""

    async def publish(self, topic: str, payload: str) -> None:
        """Send a message of at most 7,000 bytes to all other workers. It may get lost."""

    async def record_presence(self, came: Collection[tuple[str, str]], went: Collection[tuple[str, str]]) -> None:
        """Record the rooms and persons that this worker has gained and lost; those of dead workers do not count."""

    async def persons_elsewhere(self, rooms: Collection[str]) -> dict[str, set[str]]:
        """Return by room the persons connected to other living workers."""

    async def occupied_rooms(self) -> set[str]:
        """Return every room with a person connected to a living worker."""


def split_by_size(items: Iterable[T], most: int) -> list[list[T]]:
    """Return items in as few messages as possible, in order, each at most `most` bytes of JSON; at least one."""
    parts, length = list[list[T]]([[]]), 2
    for item in items:
        size = len(json.dumps(item)) + 2
        if parts[-1] and length + size > most:
            parts.append([])
            length = 2
        parts[-1].append(item)
        length += size
    return parts
