"""The schema of the database file: created on first use, checked later, refused with a reason if it is not ours."""

import contextlib
import json
import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from tavola import __version__
from tavola.store.checksums import EMPTY_CHECKSUM, checksums_of
from tavola.store.club_tables import CLUB, DAYS, MEASURES, NOTEPADS, PERSONAL_KINDS, REFUSED
from tavola.store.database_refusals import BadDatabase, BusyDatabase, CorruptDatabase, ForeignDatabase, newer_database
from tavola.store.sqlite.copies import keep_copy

APPLICATION_ID = 0x7461766F
"""`tavo` in the file's header, where SQLite stores the program's number."""
VERSION = 9
UNREADABLE = (sqlite3.Error, UnicodeDecodeError, json.JSONDecodeError, TypeError)
"""Errors that reading a damaged file may raise."""

TABLES = """
CREATE TABLE version (number INTEGER NOT NULL);
CREATE TABLE room (
    id TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    at REAL NOT NULL,
    awake INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE event (
    room TEXT NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    command_id TEXT,
    at REAL NOT NULL,
    PRIMARY KEY (room, seq)
) WITHOUT ROWID;
CREATE UNIQUE INDEX command ON event (room, command_id) WHERE command_id IS NOT NULL;
"""
VERSION_2 = """
ALTER TABLE event ADD COLUMN checksum BLOB;
ALTER TABLE room ADD COLUMN checksum BLOB;
CREATE TABLE fault (room TEXT PRIMARY KEY, found TEXT NOT NULL) WITHOUT ROWID;
"""
"""Additions of version 2: checksums, and rooms with missing events."""
PERSON = "CASE WHEN json_valid(body) THEN coalesce(json_extract(body, '$.id'), json_extract(body, '$.host.id')) END"
IS_PERSONAL = f"kind IN ({', '.join(map(repr, PERSONAL_KINDS))})"
VERSION_6 = f"""
DROP INDEX IF EXISTS person_of_event;
CREATE INDEX person_of_event ON event ({PERSON}, room) WHERE {IS_PERSONAL};
"""
"""Rooms by person. An index of version 3 leaves out gestures."""
VERSION_8 = f"{REFUSED} ALTER TABLE version ADD COLUMN release TEXT NOT NULL DEFAULT '';"
"""The release of Tavola that made or migrated the database, which an older release names when it refuses it."""
MIGRATIONS = {2: VERSION_2, 3: CLUB, 4: DAYS, 5: NOTEPADS, 6: VERSION_6, 8: VERSION_8, VERSION: MEASURES}
"""Scripts by the version to which they lead."""
ROOMS_NAMING = f"SELECT DISTINCT room FROM event WHERE {PERSON} = ? AND {IS_PERSONAL} ORDER BY room"  # noqa: S608 - constants
"""The rooms that name a person. Its expressions must equal those of the index, or the index is not used."""
ROOMS_SHARED = f"""
SELECT r.id FROM room r WHERE r.id IN (SELECT room FROM event WHERE {PERSON} = ? AND {IS_PERSONAL})
AND EXISTS (SELECT 1 FROM event e WHERE e.room = r.id AND {IS_PERSONAL} AND {PERSON} <> ?)
ORDER BY r.at DESC, r.id LIMIT ?
"""  # noqa: S608 - constants
logger = logging.getLogger(__name__)


def prepare_schema(
    connection: sqlite3.Connection, path: Path, *, known_sound: bool = False, is_copy: bool = False
) -> None:
    """Create the tables of an empty file, check any other one, and migrate an older one.

    Unless the file `is_copy` of a database, which stays as it is, a copy of it is kept before a migration.
    """
    with file_errors(path):
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
            tables = " ".join((TABLES, *MIGRATIONS.values()))
            connection.executescript(f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; {tables}")
            connection.execute("INSERT INTO version VALUES (?, ?)", (VERSION, __version__))
            connection.execute("COMMIT")
        number = check_schema(connection, path, known_sound=known_sound)
        if number < VERSION:
            kept = None if is_copy else keep_copy(connection, path)
            _migrate(connection, number)
            if kept is not None:
                logger.warning("%s: migrated from version %d to %d; its copy before is %s", path, number, VERSION, kept)


@contextlib.contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Raise `BadDatabase` in place of the errors of a damaged or busy file."""
    try:
        yield
    except UNREADABLE as error:
        raise database_error(path, error) from error


def database_error(path: Path, error: object) -> BadDatabase:
    """Return the error for a file that SQLite cannot read."""
    if isinstance(error, sqlite3.OperationalError) and is_busy(error):
        return BusyDatabase(f"{path}: expected a database that no other program has open ({error})")
    return CorruptDatabase(f"{path}: expected an intact Tavola database, found: {error}")


def is_busy(error: sqlite3.Error) -> bool:
    """True if another connection had a lock."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def check_application(connection: sqlite3.Connection, path: Path) -> None:
    """Raise `ForeignDatabase` for another program's file; damaged files of ours pass."""
    with file_errors(path):
        application = connection.execute("PRAGMA application_id").fetchone()[0]
    if application != APPLICATION_ID:
        raise ForeignDatabase(f"{path}: expected a Tavola database, found one made by another program")


def check_schema(connection: sqlite3.Connection, path: Path, *, known_sound: bool = False) -> int:
    """Check a file without changing it; return its version, or raise `BadDatabase` unless it is ours and sound.

    The check reads the whole file, unless it is `known_sound`.
    """
    check_application(connection, path)
    with file_errors(path):
        fault = "ok" if known_sound else connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if fault != "ok":
            raise database_error(path, fault)
        number: int = connection.execute("SELECT number FROM version").fetchone()[0]
        if number > VERSION:
            raise newer_database(str(path), VERSION, number, release_of(connection))
    return number


def release_of(connection: sqlite3.Connection) -> str:
    """Return the release that made or migrated a database; empty if it does not say."""
    row = connection.execute("SELECT * FROM version").fetchone()
    return str(row[1]) if len(row) > 1 else ""


def _migrate(connection: sqlite3.Connection, number: int) -> None:
    connection.execute("BEGIN IMMEDIATE")
    script = "".join(script for version, script in MIGRATIONS.items() if number < version)
    for statement in filter(str.strip, script.split(";")):  # `executescript` would end the transaction
        connection.execute(statement)
    if number < 2:
        _add_checksums(connection)
    connection.execute("UPDATE version SET number = ?, release = ?", (VERSION, __version__))
    connection.execute("COMMIT")


def _add_checksums(connection: sqlite3.Connection) -> None:
    for (room_id,) in connection.execute("SELECT id FROM room").fetchall():
        query = "SELECT seq, kind, body, command_id, at FROM event WHERE room = ? ORDER BY seq"
        rows = connection.execute(query, (room_id,)).fetchall()
        chain = checksums_of(EMPTY_CHECKSUM, room_id, rows)
        numbered = [(checksum, room_id, row[0]) for checksum, row in zip(chain, rows, strict=True)]
        connection.executemany("UPDATE event SET checksum = ? WHERE room = ? AND seq = ?", numbered)
        end = chain[-1] if chain else EMPTY_CHECKSUM
        connection.execute("UPDATE room SET checksum = ? WHERE id = ?", (end, room_id))
