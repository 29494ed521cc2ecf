"""The log in PostgreSQL, written by many workers on one machine or several.

Every write returns when its transaction is on disk, whatever the server's defaults are. If two writers follow the same
event, one succeeds and the other gets a conflict: the room's row is locked, and numbers are unique.
"""

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import psycopg

from tavola.store.checksums import ALL_ROOMS, Row, StoredRoom, verified_rooms
from tavola.store.club_tables import FILL_TABLES, StoredTables
from tavola.store.database_refusals import BadDatabase, BadSigningKey, BusyDatabase, CorruptDatabase, WrongUser
from tavola.store.group_commit import Append, Rewrite, RoomEnd, Store, StoreReader, is_storable, row_size
from tavola.store.interface import Event, Execute, RoomLine
from tavola.store.postgres.cluster import PostgresCluster
from tavola.store.postgres.connections import SCHEMA, DatabaseAddress, TimeoutConnection, error_line, run_with_retry
from tavola.store.postgres.notifications import CHANNEL, encode_log_messages
from tavola.store.postgres.schema import check_rights, check_schema, prepare_schema
from tavola.store.postgres.writer import LogEnds, Writer, named_person
from tavola.store.signing_key import is_valid_key

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
ROOMS_SHARED = """
SELECT r.id FROM room r WHERE r.id IN (SELECT room FROM event WHERE person = ? AND person IS NOT NULL)
AND EXISTS (SELECT 1 FROM event e WHERE e.room = r.id AND e.person <> ?) ORDER BY r.at DESC, r.id LIMIT ?
"""
INSERT_EVENT = """
INSERT INTO event (room, seq, kind, body, command_id, at, checksum, person) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
BYTES_OF_ROOM = """
UPDATE room SET bytes = (SELECT sum(length(body) + 150) FROM event WHERE event.room = room.id) WHERE id = ?
"""
T = TypeVar("T")
TOUCH = "UPDATE site SET touched = now()"


class PostgresReader(StoreReader):
    """The rooms in a database, read while workers may write."""

    naming, sharing = ROOMS_NAMING, ROOMS_SHARED
    tables = f"SELECT tablename FROM pg_tables WHERE schemaname = '{SCHEMA}'"  # noqa: S608 - a constant

    def __init__(self, address: DatabaseAddress, version: str) -> None:
        self.address, self.name, self.backend = address, address.name, f"PostgreSQL {version}"
        self.pool = address.open_pool()

    @classmethod
    def open(cls, url: str) -> "PostgresReader":
        """Open an existing database; raise `BadDatabase` unless it is Tavola's."""
        address = DatabaseAddress(url, secrets.token_hex(6))
        return cls(address, _inspect(address, check_schema))

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        asks = query.replace("?", "%s").encode()
        return run_with_retry(self.pool, self.name, lambda connection: connection.execute(asks, values).fetchall())

    def size(self) -> int:
        return int(self.rows("SELECT coalesce(sum(bytes), 0) FROM room")[0][0])

    def unreadable_error(self, error: Exception) -> Exception:
        return CorruptDatabase(f"{self.name}: expected an intact Tavola database, found: {error}")

    def signing_key(self) -> bytes:
        """Return the key that signs cookies, shared by all workers."""
        secret = bytes(self.rows("SELECT secret FROM site")[0][0])
        if not is_valid_key(secret):
            raise BadSigningKey(f"{self.name}: expected the cookie signing key in the table site, found a damaged one")
        return secret

    def stored_rooms(self) -> Iterator[StoredRoom]:
        """Yield every room from one snapshot, verified; raise `BadDatabase` if one does not verify."""
        with self.address.connect_without_timeout("copying") as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield from _read_rooms(self.name, connection)

    def check_unserved(self) -> None:
        """Raise `BusyDatabase` if workers serve the database."""
        _check_unserved(self.name, self.rows("SELECT id FROM living"))

    def close(self) -> None:
        self.pool.close()


def _inspect(address: DatabaseAddress, look: Callable[[TimeoutConnection, DatabaseAddress], None]) -> str:
    try:
        with address.connect_without_timeout("opening") as connection:
            look(connection, address)
            return (connection.info.parameter_status("server_version") or "").partition(" ")[0]
    except psycopg.Error as error:
        said = f"{address.name}: expected a database that responds: {error_line(error)}"
        if "peer" in str(error).lower():  # in every language of the server
            raise WrongUser(said, address.user) from error
        raise BadDatabase(said) from error


class PostgresStore(Store):
    """The events of all rooms in a database shared by several workers; one store per worker."""

    _reader: PostgresReader
    cluster: PostgresCluster

    def __init__(self, reading: PostgresReader) -> None:
        super().__init__(reading)
        self._log_ends: LogEnds = {}
        self._writer = Writer(reading.address, self._log_ends, lambda: self._closed)
        self.cluster = PostgresCluster(reading.address, reading.pool, self._decode_by_room)
        self._thread.start()

    @classmethod
    def open(cls, url: str) -> "PostgresStore":
        """Open a database, created if empty; raise `BadDatabase` with the reason if it cannot be used."""
        address = DatabaseAddress(url, secrets.token_hex(6))
        return cls(PostgresReader(address, _inspect(address, prepare_schema)))

    async def delete_rooms(self, lines: Sequence[RoomLine]) -> None:
        values = [line.id for line in lines], [line.seq for line in lines]

        def delete(connection: TimeoutConnection) -> None:
            connection.execute(DELETE_ROOMS, values)
            for line in lines:
                self._log_ends.pop(line.id, None)

        await self.submit(Append((), work=delete))

    async def shrink(self) -> None:
        """Release the space of deleted rooms to later events, without blocking others."""

        def vacuum() -> None:
            with self._reader.address.connect_without_timeout("shrinking") as connection:
                connection.execute("VACUUM event, room")

        await asyncio.to_thread(vacuum)

    async def check_writable(self) -> None:
        await self.submit(Append((), work=lambda connection: connection.execute(TOUCH)))

    def signing_key(self) -> bytes:
        return self._reader.signing_key()

    def events(self, room_id: str, after: int = 0) -> list[Event]:
        if not is_storable(room_id):
            return []
        return self._decode_by_room(self.rows(EVENTS_WITH_CHECKSUMS, (room_id, after))).get(room_id, [])

    def _decode_by_room(self, rows: list[Any]) -> dict[str, list[Event]]:
        """Return events by room, and remember the end of each room for the next append."""
        found: dict[str, list[Any]] = {}
        for room, *row, checksum in rows:
            found.setdefault(room, []).append(row)
            self._log_ends[room] = (row[0], bytes(checksum))
        return {room: self.decode_events(of_room) for room, of_room in found.items()}

    # In the store's own thread

    def carry_out(self, connection: TimeoutConnection, work: Callable[[Execute], T]) -> T:
        def execute(query: str, values: Sequence[Any] = ()) -> list[Any]:
            cursor = connection.execute(query.replace("?", "%s").encode(), values)
            return cursor.fetchall() if cursor.description is not None else []

        with connection.transaction():
            return work(execute)

    def rewrite_log(self, execute: Execute, room_id: str, rewrite: Rewrite) -> list[RoomEnd]:
        """Rewrite a log under a lock; return the room's new end, an empty list if nothing changes."""
        execute("SELECT seq FROM room WHERE id = ? FOR UPDATE", (room_id,))
        ends = super().rewrite_log(execute, room_id, rewrite)
        execute(BYTES_OF_ROOM, (room_id,))
        self._log_ends.pop(room_id, None)
        return ends

    def insert_event(self, execute: Execute, room_id: str, row: Row, checksum: bytes) -> None:
        execute(INSERT_EVENT, (room_id, *row, checksum, named_person(row[1], json.loads(row[2]))))

    def _commit(self, group: Sequence[Append]) -> None:
        self._writer.commit(group)

    def _after_commit(self, group: Sequence[Append]) -> None:
        """Announce the new events of a group to other workers, once."""
        wanted = self.cluster.rooms_to_announce
        written_ = ((room, seq) for append in group if append.failure is None for room, seq, _ in append.ends)
        ends = {room: seq for room, seq in written_ if wanted is None or room in wanted}
        if ends and not self.cluster.is_alone:
            self._writer.notify(CHANNEL, encode_log_messages(self.cluster.worker, ends))

    def _disconnect(self) -> None:
        self.cluster.close()
        self._writer.close()
        self._reader.close()


def check_database(url: str) -> str:
    """Check, changing nothing, that this user can serve a database; return the version of its server.

    Raise `BadDatabase` with the reason if it cannot.
    """
    return _inspect(DatabaseAddress(url, secrets.token_hex(6)), check_rights)


def fill_database(url: str, tables: StoredTables, rooms: Iterable[StoredRoom], secret: bytes | None) -> int:
    """Write tables and rooms into an empty database in one transaction, verified before it ends; return their number.

    Raise `BadDatabase` if it is not empty or is being served.
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
        raise BadDatabase(f"{address.name}: expected a database that can be written: {error_line(error)}") from error


def _read_rooms(name: str, connection: TimeoutConnection) -> Iterator[StoredRoom]:
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
        raise BusyDatabase(f"{name}: expected a database that no server is using, found {len(living)} workers")


def _copy_rooms(connection: TimeoutConnection, rooms: Iterable[StoredRoom]) -> None:
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
