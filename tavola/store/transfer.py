"""Everything from one database into another, of whichever kind: rooms, accounts, the key of the cookies.

A copy is checked event by event as it is read and once more where it has been written, and only then is it there.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tavola.store.backends import is_postgres_url, postgres_module
from tavola.store.club_tables import FILL_TABLES, StoredTables, stored_tables
from tavola.store.database_refusals import BadDatabase
from tavola.store.files import write_private
from tavola.store.signing_key import check_replaceable_key, signing_key_path
from tavola.store.sqlite import backup as files
from tavola.store.sqlite import log_ends
from tavola.store.sqlite.schema import database_error, prepare_schema
from tavola.store.sqlite.store import SqliteReader, SqliteStore, lock_database
from tavola.store.stored_rooms import StoredRoom

INTO_ROOM = "INSERT INTO room (id, seq, at, awake, checksum) VALUES (?, ?, ?, ?, ?)"
INTO_EVENT = "INSERT INTO event (room, seq, kind, body, command_id, at, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Content(NamedTuple):
    """All that goes from one database into another. `secret`: the key of the cookies, None where there is none."""

    tables: StoredTables
    rooms: Iterator[StoredRoom]
    secret: bytes | None

    @classmethod
    def of(cls, reading: Any, secret: bytes | None) -> "Content":
        """Return the content of a database that is being read; rooms are read as they are asked for."""
        return cls(stored_tables(reading.rows), reading.stored_rooms(), secret)


def backup(database: Path | str, file: Path) -> int:
    """Copy a database, also one in use, to a new file, checked and synced; return its number of rooms.

    `BadDatabase` when there is none, when it is damaged, or when the file cannot be written.
    """
    if not is_postgres_url(database):
        return files.backup(Path(database), file)
    files.check_target(file)
    with contextlib.closing(postgres_module().PostgresReader.open(str(database))) as reading:
        return _write_file(file, Content.of(reading, reading.signing_key()))


def restore(file: Path, database: Path | str) -> Path | None:
    """Put a backup in a file's place, or into an empty database; return the former file's new path, None without one.

    `BadDatabase` when the backup is damaged, somebody has the database open, or one on PostgreSQL has rooms.
    """
    if not is_postgres_url(database):
        return files.restore(file, Path(database))
    with contextlib.closing(SqliteReader.open(file)) as reading:
        postgres_module().fill_database(str(database), *Content.of(reading, files.key_beside(file)))
    return None


def move(source: Path | str, target: Path | str) -> int:
    """Copy all to a database that is empty or not there yet; return the number of rooms. The source stays as it is.

    `BadDatabase` when the target has rooms, a server has either of them open, or events do not hold.
    """
    with _open_source(source) as content:
        if is_postgres_url(target):
            return int(postgres_module().fill_database(str(target), *content))
        return _write_new_file(Path(target).resolve(), content)


@contextlib.contextmanager
def _open_source(source: Path | str) -> Iterator[Content]:
    """Yield the content of a database that nobody serves meanwhile."""
    if is_postgres_url(source):
        with contextlib.closing(postgres_module().PostgresReader.open(str(source))) as reading:
            reading.check_unserved()
            yield Content.of(reading, reading.signing_key())
        return
    path = Path(source).resolve()
    if not path.is_file():
        raise BadDatabase(f"{path}: expected a Tavola database, found none")
    with contextlib.closing(SqliteStore.open(path)), contextlib.closing(SqliteReader.open(path)) as lying:
        yield Content.of(lying, files.key_beside(path))


def _write_new_file(path: Path, content: Content) -> int:
    """Make a database file where there is none; return its number of rooms."""
    with contextlib.closing(lock_database(path)):
        if path.exists() and path.stat().st_size:
            raise BadDatabase(f"{path}: expected no database there yet, found one")
        check_replaceable_key(path)
        log_ends.log_ends_path(path).unlink(missing_ok=True)
        return _write_file(path, content)


def _write_file(path: Path, content: Content) -> int:
    """Write a database aside and, when it has been checked, give it its name; return its number of rooms."""
    with files.replacing(path) as fresh:
        _insert_content(fresh, content)
        count = files.verify_database(fresh)
        if content.secret is not None:
            write_private(signing_key_path(path), content.secret, like=fresh)
    return count


def _insert_content(fresh: Path, content: Content) -> None:
    """Write all of it into an empty file, in one transaction."""
    with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
        try:
            prepare_schema(connection, fresh)
            connection.execute("BEGIN")
            for table, rows in content.tables.items():
                connection.executemany(FILL_TABLES[table], rows)
            for whole in content.rooms:
                connection.execute(INTO_ROOM, (whole.id, whole.seq, whole.at, whole.awake, whole.checksum))
                events = zip(whole.rows, whole.checksums, strict=True)
                connection.executemany(INTO_EVENT, ((whole.id, *row, checksum) for row, checksum in events))
                if whole.fault is not None:
                    connection.execute("INSERT INTO fault VALUES (?, ?)", (whole.id, whole.fault))
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise database_error(fresh, error) from error
