"""Backup of a database file while it is in use, and its restoration, with the key that signs cookies.

Without the key, no browser would be recognised: hosts would lose their rooms and players their seats.
"""

import contextlib
import itertools
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from tavola.store.checksums import ALL_ROOMS, verified_rooms
from tavola.store.database_refusals import BadDatabase, BusyDatabase
from tavola.store.files import new_file_beside, replace_durably, sync_folder, write_private, writing
from tavola.store.signing_key import KEY_SUFFIX, check_replaceable_key, read_signing_key, signing_key_path
from tavola.store.sqlite import log_ends
from tavola.store.sqlite.recognition import check_database, connect_immutable, recognise
from tavola.store.sqlite.schema import check_schema, file_errors
from tavola.store.sqlite.store import connect_readonly, lock_database

PAGES = 256
"""Pages copied at a time; others can write in between."""
COMPANION_SUFFIXES = ("-wal", "-shm", "-heads")


def backup(database: Path, file: Path) -> int:
    """Copy a database, also one in use, to a new file, verified and synced; return its number of rooms.

    Raise `BadDatabase` if it is missing or damaged, or if the file cannot be written or is another program's.
    """
    database = database.resolve()
    if not database.is_file():
        raise BadDatabase(f"{database}: expected a Tavola database, found none")
    check_database(database)
    check_target(file, database)
    key = key_beside(database)
    with replacing(file) as fresh:
        _copy_database(database, fresh)
        rooms = verify_database(fresh)
        _write_key(key, file, like=fresh)
    return rooms


def restore(file: Path, database: Path) -> Path | None:
    """Replace a database by a verified backup; return the former database's new path, None without one.

    Raise `BadDatabase` if the backup is damaged, or the database is open or another program's file.
    """
    database = database.resolve()
    if not file.is_file():
        raise BadDatabase(f"{file}: expected a backup, found none")
    verify_database(file)
    key = key_beside(file)
    with contextlib.closing(lock_database(database)), replacing(database) as fresh:
        shutil.copyfile(file, fresh)
        kept = _move_aside(database, with_key=key is not None)
        _write_key(key, database, like=fresh)
    return kept


def check_target(file: Path, source: Path | None = None) -> None:
    """Refuse a target that is not a copy: another program's file, a database in use or the source.

    Raise `BadDatabase`, or `BadSigningKey` for a file in the place of its key.
    """
    found = recognise(file)
    if found and source is not None and file.samefile(source):
        raise BadDatabase(f"{file}: expected a file other than the database itself")
    if found and (log := file.with_name(f"{file.name}-wal")).exists():
        raise BusyDatabase(f"{file}: expected a database that no other program has open, found {log.name} beside it")
    check_replaceable_key(file)


@contextlib.contextmanager
def replacing(file: Path) -> Iterator[Path]:
    """Yield an empty file that replaces `file` unless something fails; raise `BadDatabase` if it cannot."""
    with writing(file):
        fresh = new_file_beside(file)
        try:
            yield fresh
            replace_durably(fresh, file)
        finally:
            for ending in ("", "-journal", "-wal", "-shm"):
                _beside(fresh, ending).unlink(missing_ok=True)


def _copy_database(database: Path, fresh: Path) -> None:
    with (
        contextlib.closing(connect_readonly(database)) as source,
        contextlib.closing(sqlite3.connect(fresh)) as target,
        file_errors(database),
    ):
        source.execute("PRAGMA busy_timeout = 10000")
        source.backup(target, pages=PAGES, sleep=0.01)
        target.execute("PRAGMA journal_mode = DELETE")  # a single file, without companions


def verify_database(path: Path) -> int:
    """Verify a database that is not being written; return its number of rooms."""
    check_database(path)
    with contextlib.closing(connect_immutable(path)) as connection:
        number = check_schema(connection, path)
        with file_errors(path):
            if number == 1:  # without checksums
                return int(connection.execute("SELECT count(*) FROM room").fetchone()[0])
            return sum(1 for _ in verified_rooms(str(path), connection.execute(ALL_ROOMS)))


def key_beside(database: Path) -> bytes | None:
    """Return the key beside a database, None if there is none; raise `BadSigningKey` if it is damaged."""
    key = signing_key_path(database)
    return read_signing_key(key) if os.path.lexists(key) else None


def _write_key(key: bytes | None, target: Path, like: Path) -> None:
    if key is not None:
        write_private(signing_key_path(target), key, like)


def _move_aside(database: Path, *, with_key: bool) -> Path | None:
    """Rename the current database and its companions; return the new path, None for an empty one, which is replaced.

    Its key is renamed too, or copied if the backup brings none.
    """
    if not database.exists() or (database.stat().st_size == 0 and not _beside(database, "-wal").exists()):
        log_ends.log_ends_path(database).unlink(missing_ok=True)
        return None
    kept = stamped = _beside(database, f"-before-{time.strftime('%Y%m%d-%H%M%S')}")
    numbers = itertools.count(2)
    while any(os.path.lexists(_beside(kept, ending)) for ending in ("", *COMPANION_SUFFIXES, KEY_SUFFIX)):
        kept = _beside(stamped, f"-{next(numbers)}")
    endings = ("", *COMPANION_SUFFIXES, *((KEY_SUFFIX,) if with_key else ()))
    for ending in endings:
        with contextlib.suppress(FileNotFoundError):
            _beside(database, ending).replace(_beside(kept, ending))
    if not with_key:
        _write_key(key_beside(database), kept, like=kept)
    sync_folder(database.parent)
    return kept


def _beside(database: Path, ending: str) -> Path:
    return database.with_name(database.name + ending)
