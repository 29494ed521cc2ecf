"""Copy everything between databases of any kind: rooms, accounts, the key that signs cookies.

Every event is verified as it is read and again after it was written; only then does the copy take its place.
"""

import contextlib
import fcntl
import itertools
import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tavola.store.backends import is_postgres_url, postgres_module
from tavola.store.checksums import StoredRoom
from tavola.store.club_tables import COPY_TABLES, FILL_TABLES, StoredTables
from tavola.store.database_refusals import BadDatabase
from tavola.store.files import sync_folder, writing
from tavola.store.signing_key import key_beside, signing_key_path
from tavola.store.sqlite import backup as files
from tavola.store.sqlite import log_ends
from tavola.store.sqlite.copies import copy_pages, replacing, write_key
from tavola.store.sqlite.recognition import check_database, connect_immutable
from tavola.store.sqlite.schema import VERSION, check_schema, file_errors, prepare_schema
from tavola.store.sqlite.store import (
    INSERT_EVENT,
    REPLACE_ROOM,
    SqliteReader,
    connect_readonly,
    lock_database,
    record_faults,
    remove_empty_log,
)


class Content(NamedTuple):
    """The content of a database. `secret`: the key that signs cookies, None if there is none."""

    tables: StoredTables
    rooms: Iterator[StoredRoom]
    secret: bytes | None

    @classmethod
    def of(cls, reading: Any, secret: bytes | None) -> "Content":
        """Return the content of an open database; rooms are read lazily."""
        tables = {table: [tuple(row) for row in reading.rows_of(table, query)] for table, query in COPY_TABLES.items()}
        return cls(tables, reading.stored_rooms(), secret)


def backup(database: Path | str, file: Path) -> int:
    """Copy a database, also one in use, to a new file, verified and synced; return its number of rooms.

    Raise `BadDatabase` if it is missing or damaged, or if the file cannot be written.
    """
    if not is_postgres_url(database):
        return files.backup(Path(database), file)
    files.check_target(file)
    with contextlib.closing(postgres_module().PostgresReader.open(str(database))) as reading:
        return _write_file(file, Content.of(reading, reading.signing_key()))


def restore(file: Path, database: Path | str) -> Path | None:
    """Restore a backup to a file or an empty database; return the former file's new path, None without one.

    Raise `BadDatabase` if the backup is damaged, or the database is open or, on PostgreSQL, has rooms.
    """
    if not is_postgres_url(database):
        return files.restore(file, Path(database))
    files.verify_backup(file)
    with _open_backup(file) as reading:
        postgres_module().fill_database(str(database), *Content.of(reading, key_beside(file)))
    return None


@contextlib.contextmanager
def _open_backup(file: Path) -> Iterator[SqliteReader]:
    """Open a verified backup; if an earlier release made it, a migrated copy."""
    with contextlib.ExitStack() as opened:
        with contextlib.closing(connect_immutable(file)) as connection:
            number = check_schema(connection, file)
        if number < VERSION:
            copy = Path(opened.enter_context(tempfile.TemporaryDirectory())) / file.name
            shutil.copyfile(file, copy)
            _migrate_copy(copy, file)
            file = copy
        yield opened.enter_context(contextlib.closing(SqliteReader.open(file)))


def move(source: Path | str, target: Path | str) -> int:
    """Copy everything to an empty or new database; return the number of rooms. The source is unchanged.

    Raise `BadDatabase` if the target has rooms, a server has either of them open, or events do not verify.
    """
    with _open_source(source) as content:
        if is_postgres_url(target):
            return int(postgres_module().fill_database(str(target), *content))
        path = Path(target).resolve()
        with contextlib.closing(lock_database(path)):
            if path.exists() and path.stat().st_size:
                raise BadDatabase(f"{path}: expected no database at the target, found one")
            key_beside(path)  # raises if what would be replaced is not a key
            log_ends.log_ends_path(path).unlink(missing_ok=True)
            return _write_file(path, content)


@contextlib.contextmanager
def _open_source(source: Path | str) -> Iterator[Content]:
    if is_postgres_url(source):
        with contextlib.closing(postgres_module().PostgresReader.open(str(source))) as reading:
            reading.check_unserved()
            yield Content.of(reading, reading.signing_key())
        return
    path = Path(source).resolve()
    if not path.is_file():
        raise BadDatabase(f"{path}: expected a Tavola database, found none")
    with writing(path.parent):
        folder = tempfile.TemporaryDirectory(prefix=f"{path.name}-moving-", dir=path.parent)
    with folder as name, contextlib.closing(lock_database(path)):
        copy = Path(name) / path.name
        with file_errors(path), contextlib.closing(connect_readonly(path)) as connection:
            copy_pages(connection, copy)
        remove_empty_log(path)
        _migrate_copy(copy, path)
        with contextlib.closing(SqliteReader.open(copy)) as reading:
            reading.name = str(path)
            yield Content.of(reading, key_beside(path))


def _migrate_copy(copy: Path, path: Path) -> None:
    """Migrate a copy of `path`, and record in it the faults that the log ends beside `path` reveal."""
    with file_errors(path), contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as connection:
        prepare_schema(connection, path, is_copy=True)
        record_faults(connection, log_ends.read_log_ends(log_ends.log_ends_path(path)))


def _write_file(path: Path, content: Content) -> int:
    """Write a database under another name, verify it and rename it; return its number of rooms."""
    with replacing(path, like=path) as fresh:
        _insert_content(fresh, content)
        count = files.verify_database(fresh).rooms
        write_key(content.secret, path, like=fresh)
    return count


def _insert_content(fresh: Path, content: Content) -> None:
    with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as connection, file_errors(fresh):
        prepare_schema(connection, fresh)
        connection.execute("BEGIN")
        for table, rows in content.tables.items():
            connection.executemany(FILL_TABLES[table], rows)
        for whole in content.rooms:
            connection.execute(REPLACE_ROOM, (whole.id, whole.seq, whole.at, whole.awake, whole.checksum))
            events = zip(whole.rows, whole.checksums, strict=True)
            connection.executemany(INSERT_EVENT, ((whole.id, *row, checksum) for row, checksum in events))
            if whole.fault is not None:
                connection.execute("INSERT INTO fault VALUES (?, ?)", (whole.id, whole.fault))
        connection.execute("COMMIT")


# Numbered backups: each has a name of its own, and the oldest are deleted

STAMPED = re.compile(r"-(\d{8}-\d{6})(?:-(\d{1,4}))?")
"""The end of a backup's name: the time in UTC, and a number from the second in the same second."""


class Rotated(NamedTuple):
    """A new backup with its number of rooms, and the older ones that it has replaced."""

    file: Path
    rooms: int
    deleted: list[Path]


def backup_and_rotate(database: Path | str, stem: Path, keep: int) -> Rotated:
    """Back up to a new file, `stem` and the time in UTC; then delete the oldest of these files, except `keep`.

    No file is overwritten, and no other file is deleted. Raise `BadDatabase` as `backup` does; then none is deleted.
    """
    with _alone_in(stem.parent):
        file = _unused_name(stem)
        rooms = backup(database, file)
        deleted = _backups(stem)[:-keep]
        with writing(stem.parent):
            for old in deleted:
                signing_key_path(old).unlink(missing_ok=True)
                old.unlink()
        sync_folder(stem.parent)
    return Rotated(file, rooms, deleted)


def _backups(stem: Path) -> list[Path]:
    """Return the backups with this stem, oldest first."""
    found = []
    for path in stem.parent.iterdir():
        stamp = STAMPED.fullmatch(path.name.removeprefix(stem.name)) if path.name.startswith(stem.name) else None
        if stamp is not None:
            with contextlib.suppress(BadDatabase):
                check_database(path)
                found.append((stamp[1], int(stamp[2] or 1), path))
    return [path for *_, path in sorted(found)]


def _unused_name(stem: Path) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    names = (stem.with_name(f"{stem.name}-{stamp}{ending}") for ending in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(itertools.filterfalse(lambda path: any(map(os.path.lexists, (path, signing_key_path(path)))), names))


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Let simultaneous backups take turns, so that they choose different names."""
    with writing(folder):
        handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network file systems have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
