"""The log in PostgreSQL: many workers, on one machine or several, write the same rooms.

Every statement that writes returns when its transaction is on disk, whatever the server's defaults are. That two who
write after the same event get one success and one conflict is the database's work: the row of the room is locked, and
numbers are unique.
"""

import asyncio
import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import psycopg

from tavola.store.connecting import Address, Patient, asked, said
from tavola.store.events import Event, RoomLine, WriteFailed
from tavola.store.grouped import Append, Grouped, Logs, may_be_kept
from tavola.store.hearing import CHANNEL, written
from tavola.store.postgres_schema import check, prepare
from tavola.store.refusals import BadDatabase, BadSecret, BusyDatabase, CorruptDatabase
from tavola.store.secret import is_sound
from tavola.store.whole import EVERYTHING, Whole, wholes
from tavola.store.workers import Workers
from tavola.store.writing import Heads, Writer, person_of, size_of

EVENTS = """
SELECT room, seq, kind, body, command_id, at, checksum FROM event WHERE room = ? AND seq > ? ORDER BY seq
"""
FORGET = """
WITH gone AS (
    DELETE FROM room USING unnest(%s::text[], %s::int[]) AS line (id, seq)
    WHERE room.id = line.id AND room.seq = line.seq RETURNING room.id
), events AS (DELETE FROM event USING gone WHERE event.room = gone.id),
faults AS (DELETE FROM fault USING gone WHERE fault.room = gone.id)
DELETE FROM lease USING gone WHERE lease.room = gone.id
"""
INTO_EVENT = "COPY event (room, seq, kind, body, command_id, at, person, checksum) FROM STDIN (FORMAT BINARY)"
INTO_ROOM = "COPY room (id, seq, at, awake, bytes, checksum) FROM STDIN (FORMAT BINARY)"
EVENT_TYPES = ("text", "int4", "text", "text", "text", "float8", "text", "bytea")
ROOM_TYPES = ("text", "int4", "float8", "int4", "int8", "bytea")
TOUCH = "UPDATE site SET touched = now()"


class PostgresReading(Logs):
    """What lies in a database, read beside whoever writes it."""

    def __init__(self, address: Address, version: str) -> None:
        self.address, self.name, self.engine = address, address.name, f"PostgreSQL {version}"
        self.pool = address.pool()

    @classmethod
    def open(cls, url: str) -> "PostgresReading":
        """Read a database that is there; `BadDatabase` unless it is ours."""
        address = Address(url, secrets.token_hex(6))
        return cls(address, _looked_at(address, check))

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """What a query finds; tried again for a while where the connection is lost."""
        asks = query.replace("?", "%s").encode()
        return asked(self.pool, self.name, lambda connection: connection.execute(asks, values).fetchall())

    def size(self) -> int:
        """Bytes that the rooms take, about."""
        return int(self.rows("SELECT coalesce(sum(bytes), 0) FROM room")[0][0])

    def unreadable(self, error: Exception) -> Exception:
        """What is said of an event that is none."""
        return CorruptDatabase(f"{self.name}: expected a sound Tavola database, found: {error}")

    def secret(self) -> bytes:
        """The key of the cookies, one for all workers."""
        secret = bytes(self.rows("SELECT secret FROM site")[0][0])
        if not is_sound(secret):
            raise BadSecret(f"{self.name}: expected the key of the cookies in the table site, found it damaged")
        return secret

    def wholes(self) -> Iterator[Whole]:
        """Every room as it lies here at one moment, checked; `BadDatabase` where one does not hold."""
        with self.address.connect_at_leisure("copying") as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield from _wholes(self.name, connection)

    def must_be_alone(self) -> None:
        """`BusyDatabase` where workers serve it."""
        _must_be_alone(self.name, self.rows("SELECT id FROM living"))

    def close(self) -> None:
        """Let go of it. May be called twice."""
        self.pool.close()


def _looked_at(address: Address, look: Callable[[Patient, Address], None]) -> str:
    """Look at a database; the version of its server."""
    try:
        with address.connect_at_leisure("opening") as connection:
            look(connection, address)
            return (connection.info.parameter_status("server_version") or "").partition(" ")[0]
    except psycopg.Error as error:
        raise BadDatabase(f"{address.name}: expected a database that answers, {said(error)}") from error


class PostgresStore(Grouped):
    """All rooms' events in a database that several workers share. One store a worker."""

    def __init__(self, reading: PostgresReading) -> None:
        super().__init__(reading.name)
        self.engine, self._reading = reading.engine, reading
        self._heads: Heads = {}
        self._writer = Writer(reading.address, self._heads, lambda: self._closed)
        self.together = Workers(reading.address, reading.pool, self._events)
        self._thread.start()

    @classmethod
    def open(cls, url: str) -> "PostgresStore":
        """Open a database, its tables made if it is empty; `BadDatabase` says why it cannot be used."""
        address = Address(url, secrets.token_hex(6))
        return cls(PostgresReading(address, _looked_at(address, prepare)))

    async def forget(self, lines: Sequence[RoomLine]) -> None:
        """Delete rooms with all their events, those that have not changed since the lines were read."""
        values = [line.id for line in lines], [line.seq for line in lines]

        def delete(connection: Patient) -> None:
            connection.execute(FORGET, values)
            for line in lines:
                self._heads.pop(line.id, None)

        await self.carried_out(Append((), work=delete))

    async def shrink(self) -> None:
        """Give the space of what was deleted to what is written next; everybody goes on meanwhile."""

        def vacuum() -> None:
            with self._reading.address.connect_at_leisure("shrinking") as connection:
                connection.execute("VACUUM event, room")

        await asyncio.to_thread(vacuum)

    async def check(self) -> None:
        """Write something and sync it."""
        await self.carried_out(Append((), work=lambda connection: connection.execute(TOUCH)))

    def secret(self) -> bytes:
        """The key of the cookies, one for all workers."""
        return self._reading.secret()

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """What a query finds; tried again for a while where the connection is lost."""
        if self._closed:
            raise WriteFailed("the store is closed")
        return self._reading.rows(query, values)

    def events(self, room_id: str, after: int = 0) -> list[Event]:
        """The events of a room, those numbered above `after`; from any thread."""
        return self._events(self.rows(EVENTS, (room_id, after))).get(room_id, []) if may_be_kept(room_id) else []

    def size(self) -> int:
        """Bytes that the rooms take, about."""
        return self._reading.size()

    def unreadable(self, error: Exception) -> Exception:
        """What is said of an event that is none."""
        return self._reading.unreadable(error)

    def _events(self, rows: list[Any]) -> dict[str, list[Event]]:
        """Events by room. Where each room ends is remembered: what is appended next follows it."""
        found: dict[str, list[Any]] = {}
        for room, *row, checksum in rows:
            found.setdefault(room, []).append(row)
            self._heads[room] = (row[0], bytes(checksum))
        return {room: self.made(of_room) for room, of_room in found.items()}

    # In the store's own thread

    def _commit(self, group: Sequence[Append]) -> None:
        self._writer.commit(group)

    def _written(self, group: Sequence[Append]) -> None:
        """Tell the other workers, once a group, of what they want to hear."""
        wanted = self.together.wanted
        written_ = ((room, seq) for append in group if append.failure is None for room, seq, _ in append.ends)
        ends = {room: seq for room, seq in written_ if wanted is None or room in wanted}
        if ends and not self.together.alone:
            self._writer.notify(CHANNEL, written(self.together.worker, ends))

    def _let_go(self) -> None:
        self.together.close()
        self._writer.close()
        self._reading.close()


def fill(url: str, rooms: Iterable[Whole], secret: bytes | None) -> int:
    """Write all rooms into an empty database in one transaction, checked before it ends; how many rooms.

    `BadDatabase` where it is not empty, or workers serve it.
    """
    address = Address(url, secrets.token_hex(6))
    _looked_at(address, prepare)
    try:
        with address.connect_at_leisure("copying") as connection, connection.transaction():
            _must_be_empty(address.name, connection)
            _copied(connection, rooms)
            if secret is not None:
                connection.execute("UPDATE site SET secret = %s", (secret,))
            return sum(1 for _ in _wholes(address.name, connection))
    except psycopg.Error as error:
        raise BadDatabase(f"{address.name}: expected a database that can be written, {said(error)}") from error


def _wholes(name: str, connection: Patient) -> Iterator[Whole]:
    """Every room, read piece by piece in the transaction that is on."""
    with connection.cursor("everything") as cursor:
        yield from wholes(name, cursor.execute(EVERYTHING))


def _must_be_empty(name: str, connection: Patient) -> None:
    connection.execute("LOCK TABLE room IN SHARE ROW EXCLUSIVE MODE")
    _must_be_alone(name, connection.execute("SELECT id FROM living").fetchall())
    ((count,),) = connection.execute("SELECT count(*) FROM room").fetchall()
    if count:
        raise BadDatabase(f"{name}: expected an empty database, found {count} rooms")


def _must_be_alone(name: str, living: Sequence[Any]) -> None:
    if living:
        raise BusyDatabase(f"{name}: expected a database that no server has open, found {len(living)} workers")


def _copied(connection: Patient, rooms: Iterable[Whole]) -> None:
    """Events as they come, and then their rooms."""
    lines, faults = [], []
    with connection.cursor().copy(INTO_EVENT) as copy:
        copy.set_types(EVENT_TYPES)
        for whole in rooms:
            size = sum(size_of(row) for row in whole.rows)
            lines.append((whole.id, whole.seq, float(whole.at), whole.awake, size, whole.checksum))
            if whole.fault is not None:
                faults.append((whole.id, whole.fault))
            for row, checksum in zip(whole.rows, whole.checksums, strict=True):
                seq, kind, body, command_id, at = row
                person = person_of(kind, json.loads(body))
                copy.write_row((whole.id, seq, kind, body, command_id, float(at), person, checksum))
    with connection.cursor().copy(INTO_ROOM) as copy:
        copy.set_types(ROOM_TYPES)
        for line in lines:
            copy.write_row(line)
    connection.cursor().executemany("INSERT INTO fault VALUES (%s, %s)", faults)
