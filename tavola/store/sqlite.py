"""The log in one SQLite file: a thread that writes, connections that read beside it, and nothing to set up.

Group commit: whatever was queued while the last commit was on its way to the disk goes into the next one together.
With WAL and `synchronous=FULL` every commit is synced before `append` returns, so an answer outlives a power cut.
"""

import asyncio
import contextlib
import json
import queue
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tavola.store.events import Conflict, Event, RoomLine, WriteFailed
from tavola.store.schema import UNREADABLE, BusyDatabase, corrupt, prepare

LARGEST_GROUP = 512
"""Appends in one commit at most."""

Batch = tuple[str, Sequence[Event], bool]
"""A room, its new events, and whether the room still awaits something afterwards."""


class _Append:
    """What one caller waits for: batches written together or not at all."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self.batches = batches
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

    def __init__(self, path: Path, writer: sqlite3.Connection, lock: sqlite3.Connection) -> None:
        self.path = path
        self._writer, self._lock = writer, lock
        self._queue: queue.SimpleQueue[_Append | None] = queue.SimpleQueue()
        self._readers: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
        self._closed = False
        self._gate = threading.Lock()
        self._thread = threading.Thread(target=self._write, name=f"store {path.name}", daemon=True)
        self._thread.start()

    @classmethod
    def open(cls, path: Path | str) -> "Store":
        """Open a database file, made if it is not there; `BadDatabase` says why a file cannot be used."""
        path = Path(path)
        lock = _locked(path)
        try:
            writer = _prepared(path)
        except BaseException:
            lock.close()
            raise
        return cls(path, writer, lock)

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

    def events(self, room_id: str, after: int = 0) -> list[Event]:
        """The events of a room, those numbered above `after`; from any thread, beside the writer."""
        query = "SELECT seq, kind, body, command_id, at FROM event WHERE room = ? AND seq > ? ORDER BY seq"
        rows = self._rows(query, (room_id, after))
        try:
            return [Event(seq, kind, json.loads(body), command_id, at) for seq, kind, body, command_id, at in rows]
        except UNREADABLE as error:
            raise corrupt(self.path, error) from error

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
        with contextlib.suppress(sqlite3.Error):
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._writer.close()
        self._lock.close()

    # Reading

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
            connection = _connection(self.path)
            connection.execute("PRAGMA query_only = ON")
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
            self._writer.execute("BEGIN IMMEDIATE")
            for append in group:
                self._insert(append)
            self._writer.execute("COMMIT")
        except Exception as error:  # whatever it was: the writer goes on, and nobody waits for ever
            with contextlib.suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            for append in group:
                append.failure = append.failure or WriteFailed(f"{self.path}: {error}")

    def _insert(self, append: _Append) -> None:
        self._writer.execute("SAVEPOINT append")
        try:
            for room_id, events, awake in append.batches:
                self._insert_batch(room_id, events, awake)
        except (Conflict, sqlite3.IntegrityError) as error:
            self._writer.execute("ROLLBACK TO append")
            append.failure = error if isinstance(error, Conflict) else Conflict(str(error))
        self._writer.execute("RELEASE append")

    def _insert_batch(self, room_id: str, events: Sequence[Event], awake: bool) -> None:
        row = self._writer.execute("SELECT seq FROM room WHERE id = ?", (room_id,)).fetchone()
        last = row[0] if row else 0
        numbers = [event.seq for event in events]
        if not numbers or numbers != list(range(last + 1, last + 1 + len(numbers))):
            raise Conflict(f"room {room_id}: expected events from {last + 1} on, found {numbers[:5]}")
        self._writer.executemany(
            "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)",
            [(room_id, e.seq, e.kind, _json(e.body), e.command_id, e.at) for e in events],
        )
        self._writer.execute("REPLACE INTO room VALUES (?, ?, ?, ?)", (room_id, numbers[-1], events[-1].at, awake))


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


def _connection(path: Path) -> sqlite3.Connection:
    """A connection that any thread may use, one at a time; transactions are begun by hand."""
    try:
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    except sqlite3.Error as error:
        raise corrupt(path, error) from error
    return connection


def _prepared(path: Path) -> sqlite3.Connection:
    """The writer's connection to a database that is ours and sound."""
    connection = _connection(path)
    try:
        prepare(connection, path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def _locked(path: Path) -> sqlite3.Connection:
    """Hold `path` for this process: a lock on a small file beside it, which ends with the process, however it ends."""
    lock = _connection(path.with_name(path.name + "-lock"))
    try:
        lock.execute("PRAGMA busy_timeout = 0")
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        raise BusyDatabase(f"{path}: expected a database that nobody else has open ({error})") from error
    return lock
