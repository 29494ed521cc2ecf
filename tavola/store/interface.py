"""The interface of every store to the rooms."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from tavola.store.checksums import Log, Rewrite
from tavola.store.events import Batch, Event, Lease, RoomLine
from tavola.store.reports import StoredReport
from tavola.store.retention import PrunableRoom, Retention

LOG_TOPIC = "log"
"""The topic of new events: `[["room", number], …]` in JSON, each room with the number of its last event."""
RESYNC_TOPIC = "everything"
"""The topic that says that messages may have been lost: whoever listens reads everything anew."""
MessageHandler = Callable[[str, str], None]
"""A function that is told a topic and a text."""
Execute = Callable[..., list[Any]]
"""A statement with `?` for each value, and the values; its rows."""
T = TypeVar("T")


class StoreReader(Protocol):
    """The calls that read a database. They block: an event loop makes them from a thread."""

    name: str
    """The file, or the address without its password, for sentences."""
    backend: str
    """The program that keeps it, with its version."""

    def read(self, room_id: str) -> Log:
        """Return all events of a room whose checksums hold, and the fault of those after them."""

    def events(self, room_id: str, after: int = 0) -> list[Event]:
        """Return the events of a room, those numbered above `after`."""

    def rooms(self, *, awake: bool = False) -> list[RoomLine]:
        """Return every room, the one that changed last first; with `awake` only those that await something."""

    def size(self) -> int:
        """Return the bytes that the rooms take."""

    def prunable_rooms(self, keeping: Retention, now: float, spare: Collection[str] = ()) -> list[PrunableRoom]:
        """Return the rooms that `keeping` would delete now, oldest first; `spare` are kept whatever they are."""

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query with `?` for each value."""

    def rooms_naming(self, person_id: str) -> list[str]:
        """Return every room whose log names a person: he has sat, spoken, or been the host there."""

    def reports(self, most: int) -> list[StoredReport]:
        """Return the reports of people about others, the newest first, at most so many."""

    def close(self) -> None:
        """Let go of it. May be called twice."""


class Store(StoreReader, Protocol):
    """All rooms' events: acknowledged ones are on disk, clashing ones are not written."""

    @property
    def cluster(self) -> "Cluster | None":
        """The part that several workers on one database share; None where there is only one."""

    async def append(
        self, room_id: str, events: Sequence[Event], *, awake: bool = True, lease: Lease | None = None
    ) -> None:
        """Add events to a room's log; return when they are on disk.

        `Conflict` when they do not follow the last event or repeat a command, `Stale` when the lease is somebody
        else's, `WriteFailed` when the disk refuses. A room that is not `awake` awaits nothing.
        """

    async def append_batches(self, batches: Sequence[Batch], lease: Lease | None = None) -> None:
        """Add events to the logs of several rooms: all of them or none."""

    async def transact(self, work: Callable[[Execute], T]) -> T:
        """Carry out statements in one transaction of the writer's; return what `work` returns when it is on disk.

        `Conflict` where a row is there already, with nothing done. Where the database is lost while it commits, `work`
        is carried out again: it must bear that.
        """

    async def rewrite_room(self, room_id: str, rewrite: Rewrite) -> None:
        """Write a room's log anew, as `rewrite` makes it of what is there; nothing where it leaves it alone."""

    async def delete_rooms(self, lines: Sequence[RoomLine]) -> None:
        """Delete rooms with all their events, those that have not changed since the lines were read."""

    async def shrink(self) -> None:
        """Give the space of deleted rooms back, to the disk or to later events."""

    async def check_writable(self) -> None:
        """Write something and sync it; `WriteFailed` when that cannot be done."""

    def signing_key(self) -> bytes:
        """Return the key of the cookies, made when first needed; blocks."""


class ClusterPresence(Protocol):
    """The connections of persons to workers. The word of dead workers does not count."""

    async def record_presence(self, came: Collection[tuple[str, str]], went: Collection[tuple[str, str]]) -> None:
        """Record the rooms and persons that this worker has now, and has no more."""

    async def persons_elsewhere(self, rooms: Collection[str]) -> dict[str, set[str]]:
        """Return by room the persons whom other living workers have there."""

    async def occupied_rooms(self) -> set[str]:
        """Return every room where any living worker has anybody."""


class Cluster(Protocol):
    """The part that several workers on one database share. `WriteFailed` where the database does not answer."""

    worker: str
    """This one's own name, never used before."""
    rooms_to_announce: Collection[str] | None
    """The rooms of which others are told at once when something is written here; None for all."""

    @property
    def presence(self) -> ClusterPresence:
        """The connections of persons to workers."""

    async def heartbeat(self) -> bool:
        """Say that this worker lives; return False when the others may have thought it dead meanwhile."""

    async def living_workers(self) -> list[str]:
        """Return the names of the workers that live."""

    async def claim(self, rooms: Collection[str]) -> dict[str, Lease]:
        """Lease the rooms that nobody else living has: under a new epoch, or the one that is this worker's."""

    async def release(self, rooms: Collection[str]) -> None:
        """Give leases back."""

    async def unleased_rooms(self) -> list[str]:
        """Return rooms that await something and have no living owner."""

    async def newer_seqs(self, rooms: Mapping[str, int]) -> dict[str, int]:
        """Return by room the number of its last event, for rooms where it is above the number given."""

    async def events_since(self, rooms: Mapping[str, int]) -> dict[str, list[Event]]:
        """Return by room the events above the number one knows of; rooms without newer events are left out."""

    async def rooms_of_person(self, person_id: str) -> list[str]:
        """Return rooms that await something and in which that person has sat down at some time."""

    def listen(self, heard: MessageHandler) -> None:
        """Report, in this event loop, all that other workers say and write, and that something may have been lost."""

    async def publish(self, topic: str, payload: str) -> None:
        """Tell all other workers, in at most 7,000 bytes. It may get lost."""
