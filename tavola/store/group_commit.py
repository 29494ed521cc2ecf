"""Stores and their readers, as used by the rooms, whatever the database: group commit, and logs decoded from rows.

Group commit: everything queued during one commit is written by the next.
"""

import asyncio
import contextlib
import json
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

from tavola.metrics import COMMITS
from tavola.store.checksums import EMPTY_CHECKSUM, Log, Row, checksums_of, verify_rows
from tavola.store.interface import Batch, Cluster, Event, Execute, Lease, RoomLine, WriteFailed
from tavola.store.reports import REPORTED_EVENTS, ReportedLine, StoredReport
from tavola.store.retention import PrunableRoom, Retention, excess_rooms, expired_rooms

RoomEnd = tuple[str, int, bytes]
"""A room with the number and the checksum of its last event."""
# Rewriting a log is the one way to change written events, so that people can be erased. The new log has at least one
# more event than the old one. A worker that knew the old one takes it for a longer log and reads what is new. It never
# finds another event under a number whose checksum it knows.
Rewrite = Callable[[list[Event]], list[Event]]
"""Returns a changed log with at least one more event, or its argument to change nothing."""
T = TypeVar("T")
LARGEST_GROUP = 512
"""Maximum appends in one commit."""

EVENTS = "SELECT seq, kind, body, command_id, at FROM event WHERE room = ? AND seq > ? ORDER BY seq"
LOG_OF_ROOM = """
SELECT e.seq, e.kind, e.body, e.command_id, e.at, e.checksum, r.seq, f.found
FROM (SELECT ? AS id) AS asked LEFT JOIN room r ON r.id = asked.id LEFT JOIN fault f ON f.room = asked.id
LEFT JOIN event e ON e.room = asked.id ORDER BY e.seq
"""
"""At least one row, so that a single query reads everything."""
ROWS_OF_ROOM = "SELECT seq, kind, body, command_id, at, checksum FROM event WHERE room = ? ORDER BY seq"
ROOM_END = "UPDATE room SET seq = ?, checksum = ?, at = ? WHERE id = ?"
ROOMS = "SELECT id, seq, at FROM room ORDER BY at DESC, id"
AWAKE_ROOMS = "SELECT id, seq, at FROM room WHERE awake = 1 ORDER BY at DESC, id"


class StoreReader(ABC):
    """Calls that read a database. They block, so event loops call them in a thread."""

    name: str
    """The file, or the URL without its password, for messages."""
    backend: str
    """The database program, with its version."""
    naming: str
    """The query for the rooms whose logs name a person."""
    sharing: str
    """The query for those that name another person, too: the person twice, and how many."""
    tables: str
    """The query for the names of the tables; a database of an earlier release has fewer."""

    @abstractmethod
    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query with `?` for each value; raise `BadDatabase` or `WriteFailed` if it fails."""

    @abstractmethod
    def size(self) -> int:
        """Return the size of the rooms in bytes."""

    @abstractmethod
    def unreadable_error(self, error: Exception) -> Exception:
        """Return the error for an unreadable event."""

    @abstractmethod
    def close(self) -> None:
        """Close the database. May be called twice."""

    def read(self, room_id: str) -> Log:
        """Return the verified events of a room, and the fault after them."""
        if not is_storable(room_id):
            return Log([])
        found = self.rows(LOG_OF_ROOM, (room_id,))
        last, known = found[0][6:]
        rows, fault = verify_rows(room_id, ((row[:5], row[5]) for row in found if row[0] is not None))
        if not fault and last is not None and last > len(rows):
            fault = f"events {len(rows) + 1} to {last} are missing"
        return Log(self.decode_events(rows), known or fault)

    def events(self, room_id: str, after: int = 0) -> list[Event]:
        """Return the events of a room numbered above `after`; from any thread, beside the writer."""
        return self.decode_events(self.rows(EVENTS, (room_id, after))) if is_storable(room_id) else []

    def rooms(self, *, awake: bool = False) -> list[RoomLine]:
        """Return every room, the last changed first; with `awake` only those that await something."""
        return [RoomLine(*row) for row in self.rows(AWAKE_ROOMS if awake else ROOMS)]

    def rooms_naming(self, person_id: str) -> list[str]:
        """Return every room whose log names a person as player, speaker or host."""
        return [str(room) for (room,) in self.rows(self.naming, (person_id,))]

    def rooms_shared(self, person_id: str, most: int) -> list[str]:
        """Return the rooms whose logs name a person and another one, the last changed first, at most `most`."""
        return [str(room) for (room,) in self.rows(self.sharing, (person_id, person_id, most))]

    def prunable_rooms(self, keeping: Retention, now: float, spare: Collection[str] = ()) -> list[PrunableRoom]:
        """Return the rooms that `keeping` would delete now, oldest first, except those in `spare`."""
        old = [found for found in expired_rooms(self.rows, keeping, now) if found.line.id not in spare]
        return old + list(excess_rooms(self.rows, self.size(), keeping, [found.line.id for found in old], spare))

    def reports(self, most: int) -> list[StoredReport]:
        """Return the reports of people about others, newest first, at most `most`."""
        found = self.rows(REPORTED_EVENTS, (most,))
        told = self.decode_events((seq, "reported", body, None, at) for _, seq, body, at in found)
        done = {report for (report,) in self.rows_of("measure", "SELECT subject FROM measure WHERE kind = 'done'")}
        reports = []
        for (room, *_), event in zip(found, told, strict=True):
            lines = tuple(ReportedLine(**line) for line in event.body["lines"])
            reports.append(StoredReport(room, event.seq, event.at, lines, done=f"{room}/{event.seq}" in done))
        return reports

    def rows_of(self, table: str, query: str) -> list[Any]:
        """Return the rows of a query about a table; none if the database is of a release that did not have it."""
        return self.rows(query) if (table,) in map(tuple, self.rows(self.tables)) else []

    def decode_events(self, rows: Iterable[Row]) -> list[Event]:
        try:
            return [Event(seq, kind, json.loads(body), command_id, at) for seq, kind, body, command_id, at in rows]
        except (TypeError, ValueError) as error:
            raise self.unreadable_error(error) from error


class Append:
    """One caller's batches or other work, written together or not at all."""

    def __init__(
        self, batches: Sequence[Batch], lease: Lease | None = None, work: Callable[[Any], None] | None = None
    ) -> None:
        self.batches, self.lease, self.work = batches, lease, work
        self.ends: list[RoomEnd] = []
        """The new ends of its rooms, when known."""
        self.queued_at = time.monotonic()
        self.future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.failure: Exception | None = None

    def resolve(self) -> None:
        if self.failure is not None and not self.future.cancelled():
            self.future.set_exception(self.failure)
        elif not self.future.cancelled():
            self.future.set_result(None)


class Store(StoreReader):
    """The events of all rooms: acknowledged ones are on disk, conflicting ones are not written.

    A store has its own writer thread, which commits in groups, and reads beside it with a `reader`.
    """

    cluster: Cluster | None = None
    """The interface shared by several workers on one database; None for a single process."""

    def __init__(self, reader: StoreReader) -> None:
        self.name, self.backend, self._reader = reader.name, reader.backend, reader
        self.naming, self.sharing, self.tables = reader.naming, reader.sharing, reader.tables
        self._queue: queue.SimpleQueue[Append | None] = queue.SimpleQueue()
        self._closed = False
        self._queue_lock = threading.Lock()
        self._thread = threading.Thread(target=self._run_writer, name=f"store {self.name}", daemon=True)

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        if self._closed:
            raise WriteFailed("the store is closed")
        return self._reader.rows(query, values)

    def size(self) -> int:
        return self._reader.size()

    def unreadable_error(self, error: Exception) -> Exception:
        return self._reader.unreadable_error(error)

    @abstractmethod
    async def delete_rooms(self, lines: Sequence[RoomLine]) -> None:
        """Delete rooms with all their events, unless they have changed since `lines` were read."""

    @abstractmethod
    async def shrink(self) -> None:
        """Release the space of deleted rooms to the disk or to later events."""

    @abstractmethod
    async def check_writable(self) -> None:
        """Write and sync something; raise `WriteFailed` if that fails."""

    @abstractmethod
    def signing_key(self) -> bytes:
        """Return the key that signs cookies, created when first needed; blocks."""

    async def append(
        self, room_id: str, events: Sequence[Event], *, awake: bool = True, lease: Lease | None = None
    ) -> None:
        """Add events to a room's log; return when they are on disk.

        Raise `Conflict` if they do not follow the last event or repeat a command, `Stale` if the lease was taken over,
        `WriteFailed` if the disk fails. A room that is not `awake` awaits nothing.
        """
        await self.append_batches([(room_id, events, awake)], lease)

    async def append_batches(self, batches: Sequence[Batch], lease: Lease | None = None) -> None:
        """Add events to the logs of several rooms, all of them or none."""
        await self.submit(Append(batches, lease))

    async def transact(self, work: Callable[[Execute], T]) -> T:
        """Run statements in one transaction of the writer; return the result of `work` when it is on disk.

        Raise `Conflict`, with nothing written, if a row exists already. If the connection is lost during the commit,
        `work` runs again: it must be repeatable.
        """
        results: list[T] = []
        await self.submit(Append((), work=lambda connection: results.append(self.carry_out(connection, work))))
        return results[-1]

    async def rewrite_room(self, room_id: str, rewrite: Rewrite) -> None:
        """Replace a room's log by `rewrite` of it, unless that changes nothing."""
        append = Append(())

        def work(connection: Any) -> None:
            append.ends = self.carry_out(connection, lambda execute: self.rewrite_log(execute, room_id, rewrite))

        append.work = work
        await self.submit(append)

    def rewrite_log(self, execute: Execute, room_id: str, rewrite: Rewrite) -> list[RoomEnd]:
        """Rewrite a log in the current transaction; return the room's new end, an empty list if nothing changes.

        Events after a fault cannot be verified and are dropped.
        """
        known, fault = verify_rows(room_id, ((tuple(row[:5]), row[5]) for row in execute(ROWS_OF_ROOM, (room_id,))))
        before = self.decode_events(known)
        after = rewrite(list(before)) if before else before
        if after == before:
            return []
        assert len(after) > len(before), "a rewritten log is longer than the old one"
        assert [event.seq for event in after] == list(range(1, len(after) + 1)), "events are numbered from 1"
        rows = encode_rows(after)
        checksums = checksums_of(EMPTY_CHECKSUM, room_id, rows)
        execute("DELETE FROM event WHERE room = ?", (room_id,))
        for row, checksum in zip(rows, checksums, strict=True):
            self.insert_event(execute, room_id, row, checksum)
        execute(ROOM_END, (len(rows), checksums[-1], rows[-1][4], room_id))
        if fault:
            execute("INSERT INTO fault VALUES (?, ?) ON CONFLICT DO NOTHING", (room_id, fault))
        return [(room_id, len(rows), checksums[-1])]

    async def ask(self, work: Callable[[Execute], T]) -> T:
        """Return what `work` reads from the database, in a thread of its own."""
        return await asyncio.to_thread(work, self.rows)

    @abstractmethod
    def carry_out(self, connection: Any, work: Callable[[Execute], T]) -> T:
        """Run statements on the writer's connection, in a transaction."""

    @abstractmethod
    def insert_event(self, execute: Execute, room_id: str, row: Row, checksum: bytes) -> None:
        """Insert one row of a rewritten log."""

    async def submit(self, append: Append) -> None:
        """Queue an append and wait until it is written."""
        with self._queue_lock:
            if self._closed:
                raise WriteFailed("the store is closed")
            self._queue.put(append)
        await append.future

    def close(self) -> None:
        """Write everything queued and close the database. May be called twice."""
        with self._queue_lock:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._thread.join()
        self._disconnect()

    # In the store's own thread

    @abstractmethod
    def _commit(self, group: Sequence[Append]) -> None:
        """Write a group and set each append's outcome: a conflict affects only its own append."""

    @abstractmethod
    def _disconnect(self) -> None:
        """Close the connections after the last write."""

    def _run_writer(self) -> None:
        following = self._queue.get()
        while following is not None:
            group = [following]
            while len(group) < LARGEST_GROUP and not self._queue.empty() and (following := self._queue.get()):
                group.append(following)
            with COMMITS.time():
                self._commit(group)
            _resolve_group(group)
            self._after_commit(group)
            if following is not None:
                following = self._queue.get()

    def _after_commit(self, group: Sequence[Append]) -> None:
        """Run after the callers of a group have been woken."""


def _resolve_group(group: Sequence[Append]) -> None:
    """Wake the callers of a group, with one call per loop."""
    for loop in {append.future.get_loop() for append in group}:
        waiting = [append for append in group if append.future.get_loop() is loop]
        with contextlib.suppress(RuntimeError):  # the loop is closed, its callers are gone
            loop.call_soon_threadsafe(_resolve_all, waiting)


def _resolve_all(group: Sequence[Append]) -> None:
    for append in group:
        append.resolve()


def is_storable(text: str) -> bool:
    """True if a database can store a text as a name: user input may contain anything."""
    return "\0" not in text and not any(0xD800 <= ord(letter) < 0xE000 for letter in text)


def row_size(row: Row) -> int:
    """Return the approximate size of an event in bytes."""
    return len(row[2]) + 150


def encode_rows(events: Sequence[Event]) -> list[Row]:
    """Return events as they are stored."""
    written = (json.dumps(event.body, ensure_ascii=False, separators=(",", ":")) for event in events)
    return [(e.seq, e.kind, body, e.command_id, e.at) for e, body in zip(events, written, strict=True)]
