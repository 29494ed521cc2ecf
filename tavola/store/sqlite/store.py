"""The log in one SQLite file: a writer thread, and connections that read beside it.

With WAL and `synchronous=FULL`, every commit is synced before `append` returns, so it survives a power cut.

Only one connection can write and checkpoint: the others are read-only, and a lock excludes other processes. This avoids
the bug of SQLite 3.7.0 to 3.51.2 that damages a write-ahead log written or reset by several connections at once.
"""

import asyncio
import contextlib
import os
import queue
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from tavola.store.checksums import ALL_ROOMS, EMPTY_CHECKSUM, Row, StoredRoom, checksums_of, verified_rooms
from tavola.store.database_refusals import BadDatabase, BusyDatabase
from tavola.store.files import create_private, make_private, owner_of, writing
from tavola.store.group_commit import Append, Store, StoreReader, encode_rows
from tavola.store.interface import Conflict, Event, Execute, RoomLine, WriteFailed
from tavola.store.signing_key import key_beside, load_signing_key
from tavola.store.sqlite import log_ends
from tavola.store.sqlite.recognition import LOCK_SUFFIX, check_database, recognise
from tavola.store.sqlite.schema import (
    ROOMS_NAMING,
    ROOMS_SHARED,
    VERSION,
    check_schema,
    database_error,
    file_errors,
    is_busy,
    prepare_schema,
)

T = TypeVar("T")
BUSY_WAIT = 0.25
"""Seconds that SQLite waits for another connection; between attempts the writer checks whether it should stop."""
WRITE_TIMEOUT = 10.0
"""Seconds for which the writer retries while another process has the file."""
UNHEALTHY_SECONDS = 60.0
"""Seconds for which a store is unhealthy after a disk error, unless a write succeeds."""
LEAST_FREE = 8_000_000
"""Minimum free bytes on the disk of a healthy store."""

INSERT_EVENT = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)"
REPLACE_ROOM = "REPLACE INTO room VALUES (?, ?, ?, ?, ?)"


class SqliteReader(StoreReader):
    """The rooms in a database file, read beside the writer."""

    backend, naming, sharing = f"SQLite {sqlite3.sqlite_version}", ROOMS_NAMING, ROOMS_SHARED
    tables = "SELECT name FROM sqlite_master WHERE type = 'table'"

    def __init__(self, path: Path, *, is_beside_writer: bool = True) -> None:
        self.path, self.name, self._is_beside_writer = path, str(path), is_beside_writer
        self._idle: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()

    @classmethod
    def open(cls, path: Path) -> "SqliteReader":
        """Open an existing file; raise `BadDatabase` unless it is ours and sound."""
        path = path.resolve()
        if not path.is_file():
            raise BadDatabase(f"{path}: expected a Tavola database, found none")
        check_database(path)
        found = cls(path, is_beside_writer=False)
        try:
            with found.connection() as connection:
                check_schema(connection, path)
        except BaseException:
            found.close()
            raise
        return found

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        with file_errors(self.path), self.connection() as connection:
            return connection.execute(query, tuple(values)).fetchall()

    def size(self) -> int:
        pages, free, each = (
            self.rows(f"PRAGMA {name}")[0][0] for name in ("page_count", "freelist_count", "page_size")
        )
        return int(pages - free) * int(each)

    def unreadable_error(self, error: Exception) -> Exception:
        return database_error(self.path, error)

    def stored_rooms(self) -> Iterator[StoredRoom]:
        """Yield every room from one snapshot, verified; raise `BadDatabase` if one does not verify."""
        with self.connection() as connection:
            ((number,),) = connection.execute("SELECT number FROM version").fetchall()
            if number < VERSION:
                raise BadDatabase(
                    f"{self.path}: expected a database of version {VERSION}, found version {number}: "
                    "start a server on it once to upgrade it"
                )
            with file_errors(self.path):
                yield from verified_rooms(self.name, connection.execute(ALL_ROOMS))

    @contextlib.contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Yield a read-only connection for exclusive use."""
        try:
            connection = self._idle.get_nowait()
        except queue.Empty:
            connection = connect_readonly(self.path)
        try:
            yield connection
        finally:
            self._idle.put(connection)

    def close(self) -> None:
        while not self._idle.empty():
            self._idle.get().close()
        if not self._is_beside_writer:
            remove_log_of_readers(self.path)


class SqliteStore(Store):
    """The events of all rooms in a file, for one process."""

    _reader: SqliteReader

    def __init__(
        self, path: Path, writer: sqlite3.Connection, lock: sqlite3.Connection, notes: log_ends.LogEndsFile
    ) -> None:
        super().__init__(SqliteReader(path))
        self.path, self._opened_file = path, _file_identity(path)
        self._writer, self._lock, self._log_ends = writer, lock, notes
        self._failed_at: float | None = None  # when the disk last failed, None after a successful write
        self._thread.start()

    @classmethod
    def open(cls, path: Path | str) -> "SqliteStore":
        """Open a database file, created if missing; raise `BadDatabase` with the reason if it cannot be used."""
        path = Path(path).resolve()
        lock = lock_database(path)
        try:
            with writing(path):
                create_private(path, like=path)
                make_private(path)
            writer = _open_writer(path, known_sound=log_ends.is_as_closed(path))
            notes = log_ends.log_ends_path(path)
            if found := log_ends.read_log_ends(notes):
                record_faults(writer, found)
            create_private(notes, like=path)
            return cls(path, writer, lock, log_ends.LogEndsFile(notes, found))
        except BaseException:
            lock.close()
            raise

    async def delete_rooms(self, lines: Sequence[RoomLine]) -> None:
        def delete(connection: sqlite3.Connection) -> None:
            for line in lines:
                if connection.execute("DELETE FROM room WHERE id = ? AND seq = ?", line[:2]).rowcount:
                    for table in ("event", "fault", "seen", "notepad"):
                        connection.execute(f"DELETE FROM {table} WHERE room = ?", line[:1])  # noqa: S608 - constants

        # Recorded first: otherwise a power cut could leave ends of rooms that have been deleted.
        self._log_ends.record([(line.id, 0, "-") for line in lines], synced=True)
        await self.submit(Append((), work=delete))

    async def shrink(self) -> None:
        """Release the space of deleted rooms to the disk, blocking reads and writes."""
        await asyncio.to_thread(lambda: self._writer.execute("VACUUM"))

    async def check_writable(self) -> None:
        """Write and sync something; raise `WriteFailed` if the disk is full or the file is gone."""
        status = os.statvfs(self.path.parent)
        if status.f_bavail * status.f_frsize < LEAST_FREE:
            raise WriteFailed(f"{self.path}: expected at least {LEAST_FREE} bytes of free disk space")
        if self._failed_at is not None and time.monotonic() - self._failed_at < UNHEALTHY_SECONDS:
            raise WriteFailed(f"{self.path}: a recent write to the disk failed")
        unused = f"PRAGMA user_version = {int(time.time()) & 0x7FFFFFFF}"
        await self.submit(Append((), work=lambda connection: connection.execute(unused)))

    def signing_key(self) -> bytes:
        """Return the key that signs cookies, in a file beside the database, created when first needed."""
        return load_signing_key(self.path)

    def carry_out(self, connection: sqlite3.Connection, work: Callable[[Execute], T]) -> T:
        return work(lambda query, values=(): connection.execute(query, tuple(values)).fetchall())

    def insert_event(self, execute: Execute, room_id: str, row: Row, checksum: bytes) -> None:
        execute(INSERT_EVENT, (room_id, *row, checksum))

    def _disconnect(self) -> None:
        self._reader.close()
        whole = False
        with contextlib.suppress(sqlite3.Error):
            whole = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        self._writer.close()
        self._log_ends.close(self.path if whole else None)
        self._lock.close()

    # In the store's own thread

    def _commit(self, group: Sequence[Append]) -> None:
        """Write one transaction: a conflict fails its own append, a disk error all of them."""
        try:
            self._begin_transaction()
            for append in group:
                self._insert_append(append)
            self._writer.execute("COMMIT")
            if any(append.batches for append in group):
                self._failed_at = None
            written = (end for append in group if append.failure is None for end in append.ends)
            self._log_ends.record((room, seq, checksum.hex()) for room, seq, checksum in written)
        except Exception as error:  # on any error the writer continues, and no caller waits for ever
            with contextlib.suppress(sqlite3.Error):
                self._writer.execute("ROLLBACK")
            self._failed_at = time.monotonic()
            for append in group:
                append.failure = append.failure or WriteFailed(f"{self.path}: {error}")

    def _begin_transaction(self) -> None:
        """Begin a transaction; a closed store does not wait for other processes."""
        if _file_identity(self.path) != self._opened_file:
            raise WriteFailed(f"{self.path}: the file was deleted or replaced")
        until = time.monotonic() + WRITE_TIMEOUT
        while True:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if not is_busy(error) or self._closed or time.monotonic() > until:
                    raise

    def _insert_append(self, append: Append) -> None:
        self._writer.execute("SAVEPOINT append")
        try:
            if append.work is not None:
                append.work(self._writer)
            for room_id, events, awake in append.batches:
                append.ends.append(self._insert_batch(room_id, events, awake))
        except (Conflict, sqlite3.IntegrityError) as error:
            self._writer.execute("ROLLBACK TO append")
            append.failure = error if isinstance(error, Conflict) else Conflict(str(error))
        except sqlite3.Error:  # the disk's: fails the whole group
            raise
        except Exception as error:  # of this append's own work
            self._writer.execute("ROLLBACK TO append")
            append.failure = WriteFailed(f"{self.path}: {error}")
        self._writer.execute("RELEASE append")

    def _insert_batch(self, room_id: str, events: Sequence[Event], awake: bool) -> tuple[str, int, bytes]:
        row = self._writer.execute("SELECT seq, checksum FROM room WHERE id = ?", (room_id,)).fetchone()
        last, before = row or (0, EMPTY_CHECKSUM)
        numbers = [event.seq for event in events]
        if not numbers or numbers != list(range(last + 1, last + 1 + len(numbers))):
            raise Conflict(f"room {room_id}: expected events numbered from {last + 1}, found {numbers[:5]}")
        rows = encode_rows(events)
        chain = checksums_of(before, room_id, rows)
        made = [(room_id, *row, checksum) for row, checksum in zip(rows, chain, strict=True)]
        self._writer.executemany(INSERT_EVENT, made)
        self._writer.execute(REPLACE_ROOM, (room_id, last + len(rows), rows[-1][4], awake, chain[-1]))
        return room_id, last + len(rows), chain[-1]


def check_usable(path: Path) -> str:
    """Check, changing nothing, that the owner of a database can serve it, or that it can be created; return what it is.

    Raise `BadDatabase` or `BadSigningKey` with the reason if not.
    """
    path = path.resolve()
    folder = next(each for each in path.parents if each.exists())
    owner = owner_of(path) if path.exists() else None
    if not os.access(folder, os.W_OK | os.X_OK) or (owner and not _can_write(folder, *owner)):
        raise BadDatabase(f"{folder}: expected a folder in which the owner of the database can write")
    if not recognise(path):
        return f"{path} will be created"
    with contextlib.closing(SqliteReader.open(path)) as reading:
        key_beside(path)  # raises if it is not a key
        return f"{path}, {reading.size() / 1e6:.0f} MB, {reading.backend}"


def _can_write(folder: Path, user: int, group: int) -> bool:
    """Return whether a user with this main group can write in a folder."""
    status = folder.stat()
    owned = stat.S_IWUSR if status.st_uid == user else 0
    grouped = stat.S_IWGRP if status.st_gid == group else 0
    return user == 0 or bool(status.st_mode & (stat.S_IWOTH | owned | grouped))


def connect_readonly(path: Path) -> sqlite3.Connection:
    """Return a connection that cannot write or checkpoint; usable by any thread, one at a time."""
    return _connect(f"{path.as_uri()}?mode=ro", path)


def remove_log_of_readers(path: Path) -> None:
    """Remove the empty write-ahead log that readers leave, unless another program has the database open."""
    with contextlib.suppress(BadDatabase):
        if path.with_name(f"{path.name}-wal").exists():
            with contextlib.closing(lock_database(path)):
                remove_empty_log(path)


def remove_empty_log(path: Path) -> None:
    """Remove the write-ahead log of a locked database if it is empty; only a connection that may write can do so."""
    with contextlib.suppress(BadDatabase, OSError, sqlite3.Error):
        if path.with_name(f"{path.name}-wal").stat().st_size == 0:
            with contextlib.closing(_connect(path.as_uri(), path)) as connection:
                connection.execute("SELECT number FROM version").fetchone()


def _connect(address: str, path: Path) -> sqlite3.Connection:
    with file_errors(path):
        return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=BUSY_WAIT)


def _open_writer(path: Path, *, known_sound: bool) -> sqlite3.Connection:
    connection = _connect(path.as_uri(), path)
    try:
        with file_errors(path):
            prepare_schema(connection, path, known_sound=known_sound)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")  # erased people must leave no traces
            connection.execute("SELECT number FROM version").fetchone()  # creates the log, by which others see the use
    except BaseException:
        connection.close()
        raise
    return connection


def record_faults(connection: sqlite3.Connection, found: log_ends.LogEnds) -> None:
    """Record the rooms that end before the log ends found, or differently."""
    ends = connection.execute("SELECT id, seq, checksum FROM room")
    have = {room: (seq, (checksum or b"").hex()) for room, seq, checksum in ends}
    for room, (seq, checksum) in found.items():
        there, other = have.get(room, (0, ""))
        if there < seq or (there == seq and seq and checksum != other):
            differs = f"event {seq} differs from the one that was written"
            fault = f"events {there + 1} to {seq} are missing" if there < seq else differs
            connection.execute("INSERT OR IGNORE INTO fault VALUES (?, ?)", (room, fault))


def _file_identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def lock_database(path: Path) -> sqlite3.Connection:
    """Lock the resolved `path` for this process, by a file beside it; the lock ends with the process.

    Raise `BadDatabase` if another process has the lock or the file is another program's.
    """
    beside = path.with_name(path.name + LOCK_SUFFIX)
    if recognise(path) and (names := path.stat().st_nlink) > 1:
        raise BadDatabase(
            f"{path}: expected a file with one hard link, found {names}: the other links would not share its log"
        )
    with writing(path):
        create_private(beside, like=path)
    lock = _connect(beside.as_uri(), path)
    try:
        lock.execute("BEGIN EXCLUSIVE")  # waits for a reader, which holds it for milliseconds to tidy up
    except sqlite3.Error as error:
        lock.close()
        raise BusyDatabase(f"{path}: expected a database that no other program has open ({error})") from error
    return lock
