"""The log in PostgreSQL: many workers, on one machine or several, write the same rooms.

Every statement that writes returns when its transaction is on disk, whatever the server's defaults are. When two
writers follow the same event, the database gives one of them success and the other a conflict: the row of the room is
locked, and numbers are unique.
"""

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import psycopg

from tavola.store.checksums import Row
from tavola.store.club_tables import FILL_TABLES, StoredTables
from tavola.store.database_refusals import BadDatabase, BadSigningKey, BusyDatabase, CorruptDatabase
from tavola.store.events import Event, RoomLine, WriteFailed
from tavola.store.group_commit import Append, GroupCommitStore, LogReader, RoomEnd, is_storable, row_size
from tavola.store.interface import Execute
from tavola.store.postgres.cluster import PostgresCluster
from tavola.store.postgres.connections import DatabaseAddress, TimeoutConnection, error_line, run_with_retry
from tavola.store.postgres.notifications import CHANNEL, encode_log_messages
from tavola.store.postgres.schema import check_schema, prepare_schema
from tavola.store.postgres.writer import LogEnds, Writer, named_person
from tavola.store.rewriting import Rewrite
from tavola.store.signing_key import is_valid_key
from tavola.store.stored_rooms import ALL_ROOMS, StoredRoom, verified_rooms

EVENTS_WITH_CHECKSUMS = """
SELECT room, seq, kind, body, command_id, at, checksum FROM event WHERE room = ? AND seq > ? ORDER BY seq
"""
DELETE_ROOMS = """
WITH gone AS (
    DELETE FROM room USING unnest(%s::text[], %s::int[]) AS line (id, seq)
    WHERE room.id = line.id AND room.seq = line.seq RETURNING room.id
), events AS (DELETE FROM event USING gone WHERE event.room = gone.id),
faults AS (DELETE FROM fault USING gone WHERE fault.room = gone.id),
looks AS (DELETE FROM seen USING gone WHERE seen.room = gone.id),
notes AS (DELETE FROM notepad USING gone WHERE notepad.room = gone.id)
DELETE FROM lease USING gone WHERE lease.room = gone.id
"""
COPY_EVENTS = "COPY event (room, seq, kind, body, command_id, at, person, checksum) FROM STDIN (FORMAT BINARY)"
COPY_ROOMS = "COPY room (id, seq, at, awake, bytes, checksum) FROM STDIN (FORMAT BINARY)"
EVENT_TYPES = ("text", "int4", "text", "text", "text", "float8", "text", "bytea")
ROOM_TYPES = ("text", "int4", "float8", "int4", "int8", "bytea")
ROOMS_NAMING = "SELECT DISTINCT room FROM event WHERE person = ? AND person IS NOT NULL ORDER BY room"
INSERT_EVENT = """
INSERT INTO event (room, seq, kind, body, command_id, at, checksum, person) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
BYTES_OF_ROOM = """
UPDATE room SET bytes = (SELECT sum(length(body) + 150) FROM event WHERE event.room = room.id) WHERE id = ?
"""
T = TypeVar("T")
TOUCH = "UPDATE site SET touched = now()"


class PostgresReader(LogReader):
    """The rooms in a database, read beside whoever writes it."""

    naming = ROOMS_NAMING

    def __init__(self, address: DatabaseAddress, version: str) -> None:
        self.address, self.name, self.backend = address, address.name, f"PostgreSQL {version}"
        self.pool = address.open_pool()

    @classmethod
    def open(cls, url: str) -> "PostgresReader":
        """Read a database that is there; `BadDatabase` unless it is ours."""
        address = DatabaseAddress(url, secrets.token_hex(6))
        return cls(address, _inspect(address, check_schema))

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query; try again for a while where the connection is lost."""
        asks = query.replace("?", "%s").encode()
        return run_with_retry(self.pool, self.name, lambda connection: connection.execute(asks, values).fetchall())

    def size(self) -> int:
        """Return the bytes that the rooms take, about."""
        return int(self.rows("SELECT coalesce(sum(bytes), 0) FROM room")[0][0])

    def unreadable_error(self, error: Exception) -> Exception:
        """Return the error that refuses an unreadable event."""
        return CorruptDatabase(f"{self.name}: expected a sound Tavola database, found: {error}")

    def signing_key(self) -> bytes:
        """Return the key of the cookies, one for all workers."""
        secret = bytes(self.rows("SELECT secret FROM site")[0][0])
        if not is_valid_key(secret):
            raise BadSigningKey(f"{self.name}: expected the key of the cookies in the table site, found it damaged")
        return secret

    def stored_rooms(self) -> Iterator[StoredRoom]:
        """Yield every room as it lies here at one moment, checked; `BadDatabase` where one does not hold."""
        with self.address.connect_without_timeout("copying") as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield from _read_rooms(self.name, connection)

    def check_unserved(self) -> None:
        """Refuse with `BusyDatabase` where workers serve it."""
        _check_unserved(self.name, self.rows("SELECT id FROM living"))

    def close(self) -> None:
        """Let go of it. May be called twice."""
        self.pool.close()


def _inspect(address: DatabaseAddress, look: Callable[[TimeoutConnection, DatabaseAddress], None]) -> str:
    """Look at a database; return the version of its server."""
    try:
        with address.connect_without_timeout("opening") as connection:
            look(connection, address)
            return (connection.info.parameter_status("server_version") or "").partition(" ")[0]
    except psycopg.Error as error:
        raise BadDatabase(f"{address.name}: expected a database that answers, {error_line(error)}") from error


class PostgresStore(GroupCommitStore):
    """All rooms' events in a database that several workers share. One store a worker."""

    naming = ROOMS_NAMING

    def __init__(self, reading: PostgresReader) -> None:
        super().__init__(reading.name)
        self.backend, self._reader = reading.backend, reading
        self._log_ends: LogEnds = {}
        self._writer = Writer(reading.address, self._log_ends, lambda: self._closed)
        self.cluster = PostgresCluster(reading.address, reading.pool, self._decode_by_room)
        self._thread.start()

    @classmethod
    def open(cls, url: str) -> "PostgresStore":
        """Open a database, its tables made if it is empty; `BadDatabase` says why it cannot be used."""
        address = DatabaseAddress(url, secrets.token_hex(6))
        return cls(PostgresReader(address, _inspect(address, prepare_schema)))

    async def delete_rooms(self, lines: Sequence[RoomLine]) -> None:
        """Delete rooms with all their events, those that have not changed since the lines were read."""
        values = [line.id for line in lines], [line.seq for line in lines]

        def delete(connection: TimeoutConnection) -> None:
            connection.execute(DELETE_ROOMS, values)
            for line in lines:
                self._log_ends.pop(line.id, None)

        await self.submit(Append((), work=delete))

    async def shrink(self) -> None:
        """Give the space of deleted rooms to later events; everybody goes on meanwhile."""

        def vacuum() -> None:
            with self._reader.address.connect_without_timeout("shrinking") as connection:
                connection.execute("VACUUM event, room")

        await asyncio.to_thread(vacuum)

    async def check_writable(self) -> None:
        """Write something and sync it."""
        await self.submit(Append((), work=lambda connection: connection.execute(TOUCH)))

    def signing_key(self) -> bytes:
        """Return the key of the cookies, one for all workers."""
        return self._reader.signing_key()

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query; try again for a while where the connection is lost."""
        if self._closed:
            raise WriteFailed("the store is closed")
        return self._reader.rows(query, values)

    def events(self, room_id: str, after: int = 0) -> list[Event]:
        """Return the events of a room, those numbered above `after`; from any thread."""
        return (
            self._decode_by_room(self.rows(EVENTS_WITH_CHECKSUMS, (room_id, after))).get(room_id, [])
            if is_storable(room_id)
            else []
        )

    def size(self) -> int:
        """Return the bytes that the rooms take, about."""
        return self._reader.size()

    def unreadable_error(self, error: Exception) -> Exception:
        """Return the error that refuses an unreadable event."""
        return self._reader.unreadable_error(error)

    def _decode_by_room(self, rows: list[Any]) -> dict[str, list[Event]]:
        """Return events by room, and remember the end of each room: the next events follow it."""
        found: dict[str, list[Any]] = {}
        for room, *row, checksum in rows:
            found.setdefault(room, []).append(row)
            self._log_ends[room] = (row[0], bytes(checksum))
        return {room: self.decode_events(of_room) for room, of_room in found.items()}

    # In the store's own thread

    def carry_out(self, connection: TimeoutConnection, work: Callable[[Execute], T]) -> T:
        """Carry out statements in a transaction of their own."""

        def execute(query: str, values: Sequence[Any] = ()) -> list[Any]:
            cursor = connection.execute(query.replace("?", "%s").encode(), values)
            return cursor.fetchall() if cursor.description is not None else []

        with connection.transaction():
            return work(execute)

    def rewrite_log(self, execute: Execute, room_id: str, rewrite: Rewrite) -> list[RoomEnd]:
        """Rewrite a log while nobody else writes in it; return the room's new end, nothing where it is the old one."""
        execute("SELECT seq FROM room WHERE id = ? FOR UPDATE", (room_id,))
        ends = super().rewrite_log(execute, room_id, rewrite)
        execute(BYTES_OF_ROOM, (room_id,))
        self._log_ends.pop(room_id, None)
        return ends

    def insert_event(self, execute: Execute, room_id: str, row: Row, checksum: bytes) -> None:
        """Add one row to a log that is written anew."""
        execute(INSERT_EVENT, (room_id, *row, checksum, named_person(row[1], json.loads(row[2]))))

    def _commit(self, group: Sequence[Append]) -> None:
        self._writer.commit(group)

    def _after_commit(self, group: Sequence[Append]) -> None:
        """Tell the other workers, once a group, of the events that they want to hear of."""
        wanted = self.cluster.rooms_to_announce
        written_ = ((room, seq) for append in group if append.failure is None for room, seq, _ in append.ends)
        ends = {room: seq for room, seq in written_ if wanted is None or room in wanted}
        if ends and not self.cluster.is_alone:
            self._writer.notify(CHANNEL, encode_log_messages(self.cluster.worker, ends))

    def _disconnect(self) -> None:
        self.cluster.close()
        self._writer.close()
        self._reader.close()


def fill_database(url: str, tables: StoredTables, rooms: Iterable[StoredRoom], secret: bytes | None) -> int:
    """Write tables and rooms into an empty database in one transaction, checked before it ends; return their number.

    `BadDatabase` where it is not empty, or workers serve it.
    """
    address = DatabaseAddress(url, secrets.token_hex(6))
    _inspect(address, prepare_schema)
    try:
        with address.connect_without_timeout("copying") as connection, connection.transaction():
            _check_empty(address.name, connection)
            for table, rows in tables.items():
                connection.cursor().executemany(FILL_TABLES[table].replace("?", "%s").encode(), rows)
            _copy_rooms(connection, rooms)
            if secret is not None:
                connection.execute("UPDATE site SET secret = %s", (secret,))
            return sum(1 for _ in _read_rooms(address.name, connection))
    except psycopg.Error as error:
        raise BadDatabase(f"{address.name}: expected a database that can be written, {error_line(error)}") from error


def _read_rooms(name: str, connection: TimeoutConnection) -> Iterator[StoredRoom]:
    """Yield every room, read piece by piece in the transaction that is on."""
    with connection.cursor("everything") as cursor:
        yield from verified_rooms(name, cursor.execute(ALL_ROOMS))


def _check_empty(name: str, connection: TimeoutConnection) -> None:
    connection.execute("LOCK TABLE room IN SHARE ROW EXCLUSIVE MODE")
    _check_unserved(name, connection.execute("SELECT id FROM living").fetchall())
    ((count,),) = connection.execute("SELECT count(*) FROM room").fetchall()
    if count:
        raise BadDatabase(f"{name}: expected an empty database, found {count} rooms")


def _check_unserved(name: str, living: Sequence[Any]) -> None:
    if living:
        raise BusyDatabase(f"{name}: expected a database that no server has open, found {len(living)} workers")


def _copy_rooms(connection: TimeoutConnection, rooms: Iterable[StoredRoom]) -> None:
    """Copy events as they come, and then their rooms."""
    lines, faults = [], []
    with connection.cursor().copy(COPY_EVENTS) as copy:
        copy.set_types(EVENT_TYPES)
        for whole in rooms:
            size = sum(row_size(row) for row in whole.rows)
            lines.append((whole.id, whole.seq, float(whole.at), whole.awake, size, whole.checksum))
            if whole.fault is not None:
                faults.append((whole.id, whole.fault))
            for row, checksum in zip(whole.rows, whole.checksums, strict=True):
                seq, kind, body, command_id, at = row
                person = named_person(kind, json.loads(body))
                copy.write_row((whole.id, seq, kind, body, command_id, float(at), person, checksum))
    with connection.cursor().copy(COPY_ROOMS) as copy:
        copy.set_types(ROOM_TYPES)
        for line in lines:
            copy.write_row(line)
    connection.cursor().executemany("INSERT INTO fault VALUES (%s, %s)", faults)
