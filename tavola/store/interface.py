"""Interfaces of stores, as used by the rooms."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from tavola.store.checksums import Log, Rewrite
from tavola.store.events import Batch, Event, Lease, RoomLine
from tavola.store.reports import StoredReport
from tavola.store.retention import PrunableRoom, Retention

LOG_TOPIC = "log"
"""The topic of new events: `[["room", number], …]` in JSON, with the number of each room's last event."""
RESYNC_TOPIC = "everything"
"""The topic published when messages may have been lost: listeners read everything again."""
MessageHandler = Callable[[str, str], None]
"""Called with a topic and a text."""
Execute = Callable[..., list[Any]]
"""Runs a statement with `?` for each value, given the values; returns its rows."""
T = TypeVar("T")


class StoreReader(Protocol):
    """Calls that read a database. They block, so event loops call them in a thread."""

    name: str
    """The file, or the URL without its password, for messages."""
    backend: str
    """The database program, with its version."""

    def read(self, room_id: str) -> Log:
        """Return the verified events of a room, and the fault after them."""

    def events(self, room_id: str, after: int = 0) -> list[Event]:
        """Return the events of a room numbered above `after`."""

    def rooms(self, *, awake: bool = False) -> list[RoomLine]:
        """Return every room, the last changed first; with `awake` only those that await something."""

    def size(self) -> int:
        """Return the size of the rooms in bytes."""

    def prunable_rooms(self, keeping: Retention, now: float, spare: Collection[str] = ()) -> list[PrunableRoom]:
        """Return the rooms that `keeping` would delete now, oldest first, except those in `spare`."""

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query with `?` for each value."""

    def rooms_naming(self, person_id: str) -> list[str]:
        """Return every room whose log names a person as player, speaker or host."""

    def reports(self, most: int) -> list[StoredReport]:
        """Return the reports of people about others, newest first, at most `most`."""

    def close(self) -> None:
        """Close the database. May be called twice."""


class Store(StoreReader, Protocol):
    """The events of all rooms: acknowledged ones are on disk, conflicting ones are not written."""

    @property
    def cluster(self) -> "Cluster | None":
        """The interface shared by several workers on one database; None for a single process."""

    async def append(
        self, room_id: str, events: Sequence[Event], *, awake: bool = True, lease: Lease | None = None
    ) -> None:
        """Add events to a room's log; return when they are on disk.

        Raise `Conflict` if they do not follow the last event or repeat a command, `Stale` if the lease was taken over,
        `WriteFailed` if the disk fails. A room that is not `awake` awaits nothing.
        """

    async def append_batches(self, batches: Sequence[Batch], lease: Lease | None = None) -> None:
        """Add events to the logs of several rooms, all of them or none."""

    async def transact(self, work: Callable[[Execute], T]) -> T:
        """Run statements in one transaction of the writer; return the result of `work` when it is on disk.

        Raise `Conflict`, with nothing written, if a row exists already. If the connection is lost during the commit,
        `work` runs again: it must be repeatable.
        """

    async def rewrite_room(self, room_id: str, rewrite: Rewrite) -> None:
        """Replace a room's log by `rewrite` of it, unless that changes nothing."""

    async def delete_rooms(self, lines: Sequence[RoomLine]) -> None:
        """Delete rooms with all their events, unless they have changed since `lines` were read."""

    async def shrink(self) -> None:
        """Release the space of deleted rooms to the disk or to later events."""

    async def check_writable(self) -> None:
        """Write and sync something; raise `WriteFailed` if that fails."""

    def signing_key(self) -> bytes:
        """Return the key that signs cookies, created when first needed; blocks."""


class ClusterPresence(Protocol):
    """Connections of persons to workers; those of dead workers do not count."""

    async def record_presence(self, came: Collection[tuple[str, str]], went: Collection[tuple[str, str]]) -> None:
        """Record the rooms and persons that this worker has gained and lost."""

    async def persons_elsewhere(self, rooms: Collection[str]) -> dict[str, set[str]]:
        """Return by room the persons connected to other living workers."""

    async def occupied_rooms(self) -> set[str]:
        """Return every room with a person connected to a living worker."""


class Cluster(Protocol):
    """The interface shared by workers on one database. Calls raise `WriteFailed` if it does not answer."""

    worker: str
    """This worker's name, never used before."""
    rooms_to_announce: Collection[str] | None
    """Rooms whose new events are announced to other workers at once; None for all."""

    @property
    def presence(self) -> ClusterPresence:
        """The connections of persons to workers."""

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
