"""The log in one SQLite file: a thread that writes, connections that read beside it, and nothing to set up.

Group commit: whatever was queued while the last commit was on its way to the disk goes into the next one together.
With WAL and `synchronous=FULL` every commit is synced before `append` returns, so an answer outlives a power cut.

One connection writes and checkpoints, and no other can: all that read are opened for reading alone, and a lock keeps
other processes out. So SQLite's fault that damages a write-ahead log which several connections write or reset at once
(3.7.0 to 3.51.2) cannot come about, whatever version there is.
"""

import asyncio
import contextlib
import json
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tavola.store import heads
from tavola.store.chain import FIRST, Log, Row, links, sound
from tavola.store.events import Conflict, Event, RoomLine, WriteFailed
from tavola.store.files import make_private
from tavola.store.schema import UNREADABLE, BadDatabase, BusyDatabase, corrupt, is_busy, prepare

LARGEST_GROUP = 512
"""Appends in one commit at most."""
BUSY = 0.25
"""Seconds that SQLite waits for another connection before it gives up; the writer then looks whether it should stop."""
PATIENCE = 10.0
"""Seconds that the writer tries again while somebody else has the file."""
UNWELL = 60.0
"""Seconds that a store is not well after the disk refused something, unless something is written meanwhile."""
LEAST_FREE = 8_000_000
"""Bytes free on the disk below which the store is not well."""

HEADS = "SELECT id, seq, checksum FROM room"
Batch = tuple[str, Sequence[Event], bool]
"""A room, its new events, and whether the room still awaits something afterwards."""


Work = Callable[[sqlite3.Connection], None]
"""Something else that is done in a transaction of the writer."""


class _Append:
    """What one caller waits for: batches, or other work, written together or not at all."""

    def __init__(self, batches: Sequence[Batch], work: Work | None = None) -> None:
        self.batches, self.work = batches, work
        self.ends: list[tuple[str, int, str]] = []
        self.loop = asyncio.get_running_loop()
        self.done: asyncio.Future[None] = self.loop.create_future()
        self.failure: Exception | None = None

    def tell(self) -> None:
        """Release the caller, in his loop."""
        if self.done.cancelled():
            return
        if self.failure is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(self.failure)


class Store:
    """All rooms' events. One store a file, one process a store."""

    def __init__(self, path: Path, writer: sqlite3.Connection, lock: sqlite3.Connection, notes: heads.Notes) -> None:
        self.path = path
        self._writer, self._lock, self._notes = writer, lock, notes
        self._file = _identity(path)
        self._failed: float | None = None  # when the disk refused, if nothing was written since
        self._queue: queue.SimpleQueue[_Append | None] = queue.SimpleQueue()
        self._readers: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
        self._closed = False
        self._gate = threading.Lock()
        self._thread = threading.Thread(target=self._write, name=f"store {path.name}", daemon=True)
        self._thread.start()

    @classmethod
    def open(cls, path: Path | str) -> "Store":
        """Open a database file, made if it is not there; `BadDatabase` says why a file cannot be used."""
        path = Path(path).resolve()
        lock = locked(path)
        try:
            writer, found = _prepared(path), heads.read(heads.beside(path))
            _note_faults(writer, found)
            return cls(path, writer, lock, heads.Notes(heads.beside(path), found))
        except BaseException:
            lock.close()
            raise

    async def append(self, room_id: str, events: Sequence[Event], *, awake: bool = True) -> None:
        """Add events to a room's log; return when they are on disk.

        `Conflict` when they do not follow the last event or repeat a command; `WriteFailed` when the disk refuses.
        A room that is not `awake` awaits nothing: `rooms(awake=True)` leaves it out.
        """
        await self.append_together([(room_id, events, awake)])

    async def append_together(self, batches: Sequence[Batch]) -> None:
        """The same for several rooms (room, events, awake): all of it or nothing."""
        append = _Append(batches)
        self._put(append)
        await append.done

    async def forget(self, lines: Sequence[RoomLine]) -> None:
        """Delete rooms with all their events, those that have not changed since the lines were read."""

        def delete(connection: sqlite3.Connection) -> None:
            for line in lines:
                if connection.execute("DELETE FROM room WHERE id = ? AND seq = ?", line[:2]).rowcount:
                    connection.execute("DELETE FROM event WHERE room = ?", line[:1])
                    connection.execute("DELETE FROM fault WHERE room = ?", line[:1])

        # Before it is done: afterwards a power cut could leave notes of rooms that are rightly gone.
        self._notes.note([(line.id, 0, "-") for line in lines], synced=True)
        append = _Append((), delete)
        self._put(append)
        await append.done

    async def shrink(self) -> None:
        """Give the space of what was deleted back to the disk; nobody else can read or write meanwhile."""
        await asyncio.to_thread(lambda: self._writer.execute("VACUUM"))

    async def check(self) -> None:
        """Write something and sync it; `WriteFailed` when the disk is full or the file is not there any more."""
        status = os.statvfs(self.path.parent)
        if status.f_bavail * status.f_frsize < LEAST_FREE:
            raise WriteFailed(f"{self.path}: expected {LEAST_FREE} bytes free on the disk")
        if self._failed is not None and time.monotonic() - self._failed < UNWELL:
            raise WriteFailed(f"{self.path}: the disk refused what was to be written")
        append = _Append((), _touch)
        self._put(append)
        await append.done

    def read(self, room_id: str) -> Log:
        """All events of a room whose checksums hold, and what is wrong with those after them."""
        query = "SELECT seq, kind, body, command_id, at, checksum FROM event WHERE room = ? ORDER BY seq"
        rows, fault = sound(room_id, ((row[:5], row[5]) for row in self._rows(query, (room_id,))))
        found = self._rows("SELECT found FROM fault WHERE room = ?", (room_id,))
        line = self._rows("SELECT seq FROM room WHERE id = ?", (room_id,))
        if not fault and line and line[0][0] > len(rows):
            fault = f"events {len(rows) + 1} to {line[0][0]} are missing"
        return Log(self._events(rows), found[0][0] if found else fault)

    def size(self) -> int:
        """Bytes that the rooms take."""
        (pages,), (free,), (each,) = (
            self._rows(f"PRAGMA {name}", ())[0] for name in ("page_count", "freelist_count", "page_size")
        )
        return int(pages - free) * int(each)

    def events(self, room_id: str, after: int = 0) -> list[Event]:
        """The events of a room, those numbered above `after`; from any thread, beside the writer."""
        query = "SELECT seq, kind, body, command_id, at FROM event WHERE room = ? AND seq > ? ORDER BY seq"
        return self._events(self._rows(query, (room_id, after)))

    def rooms(self, *, awake: bool = False) -> list[RoomLine]:
        """Every room, the one that changed last first; with `awake` only those that await something."""
        query = "SELECT id, seq, at FROM room WHERE awake >= ? ORDER BY at DESC, id"
        return [RoomLine(*row) for row in self._rows(query, (int(awake),))]

    def close(self) -> None:
        """Write what is queued, fold the write-ahead log into the file, and let go of it. May be called twice."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._thread.join()
        while not self._readers.empty():
            self._readers.get().close()
        whole = False
        with contextlib.suppress(sqlite3.Error):
            whole = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        self._writer.close()
        self._notes.close(forget=whole)
        self._lock.close()

    # Reading

    def _events(self, rows: Iterable[Row]) -> list[Event]:
        try:
            return [Event(seq, kind, json.loads(body), command_id, at) for seq, kind, body, command_id, at in rows]
        except UNREADABLE as error:
            raise corrupt(self.path, error) from error

    def _rows(self, query: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            with self._reader() as connection:
                return connection.execute(query, values).fetchall()
        except UNREADABLE as error:
            raise corrupt(self.path, error) from error

    @contextlib.contextmanager
    def _reader(self) -> Iterator[sqlite3.Connection]:
        if self._closed:
            raise WriteFailed("the store is closed")
        try:
            connection = self._readers.get_nowait()
        except queue.Empty:
            connection = reading(self.path)
        try:
            yield connection
        finally:
            self._readers.put(connection)

    # Writing, in the store's own thread

    def _put(self, append: _Append) -> None:
        with self._gate:
            if self._closed:
                raise WriteFailed("the store is closed")
            self._queue.put(append)

    def _write(self) -> None:
        while (first := self._queue.get()) is not None:
            group = [first]
            last = False
            while len(group) < LARGEST_GROUP and not self._queue.empty():
                following = self._queue.get()
                if following is None:
                    last = True
                    break
                group.append(following)
            self._commit(group)
            _tell(group)
            if last:
                return

    def _commit(self, group: Sequence[_Append]) -> None:
        """One transaction: a conflict leaves out the append it concerns, a failing disk all of them."""
        try:
            self._begin()
            for append in group:
                self._insert(append)
            self._writer.execute("COMMIT")
            if any(append.batches for append in group):
                self._failed = None
            self._notes.note(end for append in group if append.failure is None for end in append.ends)
        except Exception as error:  # whatever it was: the writer goes on, and nobody waits for ever
            with contextlib.suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            self._failed = time.monotonic()
            for append in group:
                append.failure = append.failure or WriteFailed(f"{self.path}: {error}")

    def _begin(self) -> None:
        """Begin to write; who stops does not wait for others who have the file."""
        if _identity(self.path) != self._file:
            raise WriteFailed(f"{self.path}: the file is not there any more")
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if not is_busy(error) or self._closed or time.monotonic() > until:
                    raise
            else:
                return

    def _insert(self, append: _Append) -> None:
        self._writer.execute("SAVEPOINT append")
        try:
            if append.work is not None:
                append.work(self._writer)
            for room_id, events, awake in append.batches:
                append.ends.append(self._insert_batch(room_id, events, awake))
        except (Conflict, sqlite3.IntegrityError) as error:
            self._writer.execute("ROLLBACK TO append")
            append.failure = error if isinstance(error, Conflict) else Conflict(str(error))
        self._writer.execute("RELEASE append")

    def _insert_batch(self, room_id: str, events: Sequence[Event], awake: bool) -> tuple[str, int, str]:
        """Add the events of one room; where it ends then."""
        row = self._writer.execute("SELECT seq, checksum FROM room WHERE id = ?", (room_id,)).fetchone()
        last, before = row or (0, FIRST)
        numbers = [event.seq for event in events]
        if not numbers or numbers != list(range(last + 1, last + 1 + len(numbers))):
            raise Conflict(f"room {room_id}: expected events from {last + 1} on, found {numbers[:5]}")
        rows = [(e.seq, e.kind, _json(e.body), e.command_id, e.at) for e in events]
        chain = links(before, room_id, rows)
        self._writer.executemany(
            "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(room_id, *row, checksum) for row, checksum in zip(rows, chain, strict=True)],
        )
        self._writer.execute(
            "REPLACE INTO room VALUES (?, ?, ?, ?, ?)", (room_id, last + len(rows), rows[-1][4], awake, chain[-1])
        )
        return room_id, last + len(rows), chain[-1].hex()


def _tell(group: Sequence[_Append]) -> None:
    """Release everybody who waits for a group: one wake-up a loop."""
    for loop in {append.loop for append in group}:
        waiting = [append for append in group if append.loop is loop]
        with contextlib.suppress(RuntimeError):  # the loop is closed, and whoever waited is gone
            loop.call_soon_threadsafe(_tell_all, waiting)


def _tell_all(group: Sequence[_Append]) -> None:
    for append in group:
        append.tell()


def _json(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def reading(path: Path) -> sqlite3.Connection:
    """A connection that can neither write nor checkpoint; any thread may use it, one at a time."""
    return _connection(f"{path.as_uri()}?mode=ro", path)


def _connection(address: str, path: Path) -> sqlite3.Connection:
    """A connection that any thread may use, one at a time; transactions are begun by hand."""
    try:
        return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY)
    except sqlite3.Error as error:
        raise corrupt(path, error) from error


def _prepared(path: Path) -> sqlite3.Connection:
    """The writer's connection to a database that is ours and sound."""
    connection = _connection(path.as_uri(), path)
    try:
        prepare(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error as error:
        connection.close()
        raise corrupt(path, error) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _note_faults(connection: sqlite3.Connection, found: heads.Heads) -> None:
    """Remember the rooms of which more was written than is there, or something else."""
    have = {room: (seq, (checksum or b"").hex()) for room, seq, checksum in connection.execute(HEADS)}
    for room, (seq, checksum) in found.items():
        there, other = have.get(room, (0, ""))
        if there < seq or (there == seq and seq and checksum != other):
            fault = f"events {there + 1} to {seq} are missing" if there < seq else f"event {seq} is another one"
            connection.execute("INSERT OR IGNORE INTO fault VALUES (?, ?)", (room, fault))


def _touch(connection: sqlite3.Connection) -> None:
    """Change a number that nobody reads."""
    connection.execute(f"PRAGMA user_version = {int(time.time()) & 0x7FFFFFFF}")


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file has that name now."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def locked(path: Path) -> sqlite3.Connection:
    """Hold `path`, resolved, for this process: a lock on a file beside it, which ends with the process.

    The files are their owner's alone from here on.
    """
    beside = path.with_name(path.name + "-lock")
    try:
        make_private(beside)
        make_private(path)
        names = path.stat().st_nlink
    except OSError as error:
        raise BadDatabase(f"{path}: expected a file that can be written, {error.strerror}") from error
    if names > 1:
        raise BadDatabase(f"{path}: expected a file with one name, found {names}: the others would not share its log")
    lock = _connection(beside.as_uri(), path)
    try:
        lock.execute("PRAGMA busy_timeout = 0")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        raise BusyDatabase(f"{path}: expected a database that nobody else has open ({error})") from error
    return lock
