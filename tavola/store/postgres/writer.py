"""A worker's only connection that writes to PostgreSQL: one statement per group, with a known outcome.

A statement is a transaction of its own, so a frozen worker holds no locks. If the connection breaks after a statement
was sent, its outcome is unknown. A new connection then terminates the old one on the server and compares the log:
events found with their checksum were written, and missing ones are written again.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

import psycopg

from tavola.store.checksums import EMPTY_CHECKSUM, checksums_of
from tavola.store.club_tables import PERSONAL_KINDS
from tavola.store.group_commit import Append, encode_rows, row_size
from tavola.store.interface import Conflict, Stale, Unsure, WriteFailed
from tavola.store.postgres.connections import (
    RETRY_INTERVAL,
    STATEMENT_TIMEOUT,
    DatabaseAddress,
    TimeoutConnection,
    error_line,
)

MOST_LOG_ENDS = 20_000
"""Maximum rooms whose ends are cached."""
SWITCHED_OFF = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin", "jit")
STABLE_PLANS = {"plan_cache_mode": "force_generic_plan", **dict.fromkeys(SWITCHED_OFF, "off")}
"""Settings that keep the plans the same for any number of rows: by index, one row at a time."""

FIND_LOG_ENDS = "SELECT id, seq, checksum FROM room WHERE id = ANY(%s)"
FIND_WRITTEN = """
SELECT e.room, e.seq, e.checksum FROM unnest(%s::text[], %s::int[]) AS w (room, seq)
JOIN event e ON e.room = w.room AND e.seq = w.seq
"""
TERMINATE = "SELECT pg_terminate_backend(pid, 3000) FROM pg_stat_activity WHERE application_name = %s"

APPEND = """
WITH batch AS MATERIALIZED (
    SELECT * FROM unnest(%(append)s::int[], %(room)s::text[], %(last)s::int[], %(seq)s::int[], %(at)s::float8[],
        %(awake)s::int[], %(bytes)s::int[], %(before)s::bytea[], %(checksum)s::bytea[])
        AS b (append, room, last, seq, at, awake, bytes, before, checksum)
), made AS MATERIALIZED (
    SELECT * FROM unnest(%(of)s::int[], %(where)s::text[], %(number)s::int[], %(kind)s::text[], %(body)s::text[],
        %(command)s::text[], %(when)s::float8[], %(person)s::text[], %(link)s::bytea[])
        AS e (append, room, seq, kind, body, command_id, at, person, checksum)
), wanted AS MATERIALIZED (
    SELECT * FROM unnest(%(holder)s::int[], %(leased)s::text[], %(epoch)s::bigint[]) AS w (append, room, epoch)
), held AS MATERIALIZED (
    SELECT room, epoch FROM lease WHERE room = ANY(%(leased)s::text[]) AND owner = %(worker)s ORDER BY room FOR SHARE
), locked AS MATERIALIZED (
    SELECT id, seq, checksum FROM room WHERE id = ANY(%(room)s::text[]) ORDER BY id FOR UPDATE
), bad AS MATERIALIZED (
    SELECT w.append, 'stale' AS why, w.room, 0 AS seq, NULL::bytea AS checksum FROM wanted w
        LEFT JOIN held h ON h.room = w.room AND h.epoch = w.epoch WHERE h.room IS NULL
    UNION ALL
    SELECT b.append, 'head', b.room, coalesce(l.seq, 0), l.checksum FROM batch b LEFT JOIN locked l ON l.id = b.room
        WHERE coalesce(l.seq, 0) <> b.last OR coalesce(l.checksum, '') <> b.before
    UNION ALL
    SELECT m.append, 'command', m.room, m.seq, NULL FROM made m
        JOIN event e ON e.room = m.room AND e.command_id = m.command_id AND e.command_id IS NOT NULL
), changed AS (
    UPDATE room SET seq = b.seq, at = b.at, awake = b.awake, bytes = room.bytes + b.bytes, checksum = b.checksum
        FROM batch b WHERE room.id = b.room AND b.last > 0 AND b.append NOT IN (SELECT append FROM bad)
), opened AS (
    INSERT INTO room (id, seq, at, awake, bytes, checksum)
        SELECT room, seq, at, awake, bytes, checksum FROM batch
        WHERE last = 0 AND append NOT IN (SELECT append FROM bad)
), written AS (
    INSERT INTO event (room, seq, kind, body, command_id, at, person, checksum)
        SELECT room, seq, kind, body, command_id, at, person, checksum FROM made
        WHERE append NOT IN (SELECT append FROM bad)
)
SELECT append, why, room, seq, checksum FROM bad
"""
"""Writes appends that share no rooms; returns those that are left out, each with the reason."""

LogEnds = dict[str, tuple[int, bytes]]
"""By room the number and the checksum of its last event, as far as this worker knows."""


class Writer:
    """The writing connection, with a cache of rooms' ends. For one thread."""

    def __init__(self, address: DatabaseAddress, heads: LogEnds, stopping: Callable[[], bool]) -> None:
        self._address, self._log_ends, self._is_stopping = address, heads, stopping
        self._connection: TimeoutConnection | None = None
        self._connection_numbers = count(1)
        self._purpose = ""  # the server's name for the current or last connection
        self._statement_sent = False  # whether a write was sent and not answered

    def commit(self, appends: Sequence[Append]) -> None:
        """Write appends, and set the outcome of each."""
        left = [append for append in appends if append.batches]
        while left:
            apart, left = _split_by_room(left)
            self._write_until_done(apart)
        for append in appends:
            if append.work is not None:
                self._write_until_done([append])

    def notify(self, channel: str, payloads: Sequence[str]) -> None:
        """Send messages to listeners; they are lost without a connection."""
        if self._connection is None:
            return
        try:
            self._connection.execute("SELECT pg_notify(%s, p) FROM unnest(%s::text[]) AS p", (channel, list(payloads)))
        except psycopg.Error:
            self._drop_if_lost()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    # Retries

    def _write_until_done(self, waiting: list[Append]) -> None:
        """Retry until each append is written or refused, or the oldest one times out."""
        until, unsure = min(append.queued_at for append in waiting) + STATEMENT_TIMEOUT, False
        while waiting:
            self._statement_sent = False
            try:
                connection = self._ensure_connection()
                if unsure:
                    waiting, unsure = self._find_unwritten(connection, waiting), False
                waiting = self._attempt(connection, waiting) if waiting else []
            except Exception as error:  # on any error the writer continues, and no caller waits for ever
                lost = self._drop_if_lost()
                unsure = unsure or (lost and self._statement_sent)
                if lost or isinstance(error, psycopg.errors.DeadlockDetected | psycopg.errors.SerializationFailure):
                    waiting = self._retry(waiting, error, until, unsure)
                else:
                    self._isolate_failure(waiting, error)
                    return

    def _ensure_connection(self) -> TimeoutConnection:
        """Return the connection; if it was lost, reconnect and terminate the old one on the server."""
        if self._connection is None:
            before, self._purpose = self._purpose, f"writing {next(self._connection_numbers)}"
            connection = self._address.connect(self._purpose, STABLE_PLANS)
            try:
                name = (self._address.application_name(before),)
                found = connection.execute(TERMINATE, name).fetchall() if before else []
                if not all(ended for (ended,) in found):
                    raise psycopg.OperationalError("an abandoned connection is still active")
            except BaseException:
                connection.close()
                self._purpose = before
                raise
            self._connection = connection
        return self._connection

    def _drop_if_lost(self) -> bool:
        if self._connection is not None and self._connection.closed:
            self._connection = None
        return self._connection is None

    def _retry(self, waiting: list[Append], error: Exception, until: float, unsure: bool) -> list[Append]:
        """Return the appends to retry after a pause; after the timeout, fail them and return none."""
        if time.monotonic() < until and not self._is_stopping():
            time.sleep(RETRY_INTERVAL)
            return waiting
        for append in waiting:
            kind = Unsure if unsure and append.batches else WriteFailed
            append.failure = kind(f"{self._address.name}: expected a database that responds: {error_line(error)}")
        return []

    def _isolate_failure(self, waiting: list[Append], error: Exception) -> None:
        """Write appends one by one if one may be at fault, so that only that one fails; else fail all of them."""
        # Errors of the rows to be written, not of the server, its disk or its locks.
        at_fault = isinstance(error, psycopg.DataError | psycopg.IntegrityError) or not isinstance(error, psycopg.Error)
        if len(waiting) > 1 and at_fault:
            for append in waiting:
                self._write_until_done([append])
            return
        kind = Conflict if isinstance(error, psycopg.IntegrityError | Conflict) else WriteFailed
        for append in waiting:
            append.failure = kind(f"{self._address.name}: {error_line(error)}")

    # A single attempt

    def _attempt(self, connection: TimeoutConnection, waiting: list[Append]) -> list[Append]:
        """Write what can be written; return the appends to retry because a cached end was wrong."""
        if waiting[0].work is not None:
            waiting[0].work(connection)
            return []
        if len(self._log_ends) > MOST_LOG_ENDS:
            self._log_ends.clear()
        self._load_log_ends(connection, waiting)
        able = [append for append in waiting if self._follows(append)]
        if not able:
            return []
        values = _statement_values(able, self._log_ends, self._address.worker)
        self._statement_sent = True
        bad = connection.execute(APPEND, values).fetchall()
        self._statement_sent = False
        again = self._note_failures(able, bad)
        for append in able:
            if append.failure is None and append not in again:
                self._log_ends.update({room: (seq, checksum) for room, seq, checksum in append.ends})
        return again

    def _load_log_ends(self, connection: TimeoutConnection, appends: Iterable[Append]) -> None:
        firsts = {room: events[0].seq for append in appends for room, events, _ in append.batches if events}
        wanted = [room for room, first in firsts.items() if first > 1 and self._last_seq(room) != first - 1]
        if wanted:
            found = connection.execute(FIND_LOG_ENDS, (wanted,)).fetchall()
            self._log_ends.update(dict.fromkeys(wanted, (0, EMPTY_CHECKSUM)))
            self._log_ends.update({room: (seq, checksum) for room, seq, checksum in found})

    def _last_seq(self, room: str) -> int:
        return self._log_ends.get(room, (0, EMPTY_CHECKSUM))[0]

    def _follows(self, append: Append) -> bool:
        for room, events, _ in append.batches:
            numbers = [event.seq for event in events]
            last = 0 if numbers[:1] == [1] else self._last_seq(room)
            if not numbers or numbers != list(range(last + 1, last + 1 + len(numbers))):
                append.failure = Conflict(f"room {room}: expected events numbered from {last + 1}, found {numbers[:5]}")
                return False
        return True

    def _note_failures(self, appends: list[Append], bad: list[Any]) -> list[Append]:
        again = []
        for number, why, room, seq, checksum in bad:
            append = appends[number]
            if why == "stale":
                append.failure = Stale(f"room {room}: expected a lease held by this worker")
            elif why == "command":
                append.failure = append.failure or Conflict(f"room {room}: event {seq} repeats a command")
            elif seq and self._last_seq(room) == seq and self._log_ends[room][1] != checksum:
                self._log_ends[room] = (seq, checksum)
                again.append(append)
            else:
                self._log_ends.pop(room, None)
                append.failure = append.failure or Conflict(f"room {room}: expected events numbered from {seq + 1}")
        return [append for append in again if append.failure is None]

    def _find_unwritten(self, connection: TimeoutConnection, waiting: list[Append]) -> list[Append]:
        """Return appends missing in the log: one is written if its last event is there with its checksum."""
        ends = [end for append in waiting for end in append.ends]
        rooms, numbers = [room for room, *_ in ends], [seq for _, seq, _ in ends]
        found = set(connection.execute(FIND_WRITTEN, (rooms, numbers)).fetchall())
        for room in rooms:
            self._log_ends.pop(room, None)
        return [append for append in waiting if not found.issuperset(append.ends)]


def _split_by_room(appends: Sequence[Append]) -> tuple[list[Append], list[Append]]:
    apart, left, taken = list[Append](), list[Append](), set[str]()
    for append in appends:
        rooms = [room for room, _, _ in append.batches]
        (left if taken.intersection(rooms) else apart).append(append)
        taken.update(rooms)
    return apart, left


def _statement_values(appends: Sequence[Append], heads: LogEnds, worker: str) -> dict[str, Any]:
    batches, events, leases = [], [], []
    for number, append in enumerate(appends):
        append.ends = []
        if append.lease is not None:
            leases.append((number, *append.lease))
        for room, made, awake in append.batches:
            rows = encode_rows(made)
            last, before = heads[room] if rows[0][0] > 1 else (0, EMPTY_CHECKSUM)
            chain, end = checksums_of(before, room, rows), rows[-1]
            batches.append((number, room, last, end[0], end[4], awake, sum(map(row_size, rows)), before, chain[-1]))
            append.ends.append((room, end[0], chain[-1]))
            for event, row, checksum in zip(made, rows, chain, strict=True):
                events.append((number, room, *row, named_person(event.kind, event.body), checksum))
    values = _columns(("append", "room", "last", "seq", "at", "awake", "bytes", "before", "checksum"), batches)
    values |= _columns(("of", "where", "number", "kind", "body", "command", "when", "person", "link"), events)
    return values | _columns(("holder", "leased", "epoch"), leases) | {"worker": worker}


def named_person(kind: str, body: dict[str, Any]) -> str | None:
    """Return the person that an event names, None if there is none."""
    if kind not in PERSONAL_KINDS:
        return None
    person = body.get("id") or (body.get("host") or {}).get("id")
    return person if isinstance(person, str) else None


NUMBER_COLUMNS = {"append", "last", "seq", "at", "awake", "bytes", "of", "number", "when", "holder", "epoch"}


def _columns(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Return rows as columns; numbers as text, so that the statement has the same types for all sizes."""
    columns: Iterable[Sequence[Any]] = zip(*rows, strict=True) if rows else ((),) * len(names)
    pairs = zip(names, columns, strict=True)
    return {name: _number_array(column) if name in NUMBER_COLUMNS else list(column) for name, column in pairs}


def _number_array(column: Sequence[float]) -> str:
    return "{" + ",".join(repr(float(n)) if isinstance(n, float) else str(int(n)) for n in column) + "}"
