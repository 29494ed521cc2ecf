"""A whole copy of a database file while it is in use, and back again. The key of the cookies goes with it.

Without the key, nobody would be known any more: hosts would lose their rooms and players their seats.
"""

import contextlib
import os
import shutil
import sqlite3
import time
from pathlib import Path

from tavola.store.files import PRIVATE_MODE, replace_durably, sync_folder
from tavola.store.refusals import BadDatabase
from tavola.store.signing_key import signing_key_path
from tavola.store.sqlite import log_ends
from tavola.store.sqlite.schema import UNREADABLE, check_schema, database_error
from tavola.store.sqlite.store import connect_readonly, lock_database
from tavola.store.stored_rooms import ALL_ROOMS, verified_rooms

PAGES = 256
"""Pages copied at a time: in between others write."""
COMPANION_SUFFIXES = ("-wal", "-shm", "-heads")
NEW_SUFFIX = "-new"


def backup(database: Path, file: Path) -> int:
    """Copy a database, also one in use, to a new file, checked and synced; return its number of rooms.

    `BadDatabase` when there is none, when it is damaged, or when the file cannot be written.
    """
    database = database.resolve()
    if not database.is_file():
        raise BadDatabase(f"{database}: expected a Tavola database, found none")
    fresh = file.with_name(file.name + NEW_SUFFIX)
    try:
        new_private_file(file)
        _copy_database(database, fresh)
        rooms = verify_database(fresh)
        _copy_signing_key(database, file)
        replace_durably(fresh, file)
    except OSError as error:
        raise BadDatabase(f"{file}: expected a file that can be written, {error.strerror}") from error
    finally:
        delete_database_files(fresh)
    return rooms


def restore(file: Path, database: Path) -> Path | None:
    """Put a backup in a database's place, checked before; return the former one's new path, None without one.

    `BadDatabase` when the backup is damaged or somebody has the database open.
    """
    database = database.resolve()
    if not file.is_file():
        raise BadDatabase(f"{file}: expected a backup, found none")
    verify_database(file)
    lock = lock_database(database)
    try:
        fresh = new_private_file(database)
        shutil.copyfile(file, fresh)
        kept = _move_aside(database)
        _copy_signing_key(file, database)
        replace_durably(fresh, database)
    except OSError as error:
        raise BadDatabase(f"{database}: expected a file that can be written, {error.strerror}") from error
    finally:
        lock.close()
    return kept


def new_private_file(path: Path) -> Path:
    """Return an empty private file beside the one that it will replace."""
    fresh = path.with_name(path.name + NEW_SUFFIX)
    delete_database_files(fresh)
    os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE))
    return fresh


def _copy_database(database: Path, fresh: Path) -> None:
    with contextlib.closing(connect_readonly(database)) as source, contextlib.closing(sqlite3.connect(fresh)) as target:
        try:
            source.execute("PRAGMA busy_timeout = 10000")
            source.backup(target, pages=PAGES, sleep=0.01)
            target.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
        except sqlite3.Error as error:
            raise database_error(database, error) from error


def verify_database(path: Path) -> int:
    """Check everything in a database that nobody writes; return its number of rooms."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    with contextlib.closing(connection):
        check_schema(connection, path)
        try:
            if connection.execute("SELECT number FROM version").fetchone()[0] == 1:  # it has no checksums
                return int(connection.execute("SELECT count(*) FROM room").fetchone()[0])
            return sum(1 for _ in verified_rooms(str(path), connection.execute(ALL_ROOMS)))
        except UNREADABLE as error:
            raise database_error(path, error) from error


def _copy_signing_key(source: Path, target: Path) -> None:
    """Copy the key of the cookies, where there is one."""
    key = signing_key_path(source)
    if key.is_file():
        fresh = new_private_file(signing_key_path(target))
        shutil.copyfile(key, fresh)
        replace_durably(fresh, signing_key_path(target))


def _move_aside(database: Path) -> Path | None:
    """Give the present database, and what belongs to it, another name; an empty one just goes."""
    if database.stat().st_size == 0 and not database.with_name(database.name + "-wal").exists():
        delete_database_files(log_ends.log_ends_path(database))
        return None
    kept = database.with_name(f"{database.name}-before-{time.strftime('%Y%m%d-%H%M%S')}")
    for ending in ("", *COMPANION_SUFFIXES):
        with contextlib.suppress(FileNotFoundError):
            database.with_name(database.name + ending).replace(kept.with_name(kept.name + ending))
    _copy_signing_key(database, kept)
    sync_folder(database.parent)
    return kept


def delete_database_files(path: Path) -> None:
    """Take a database file away, with what SQLite keeps beside it."""
    for ending in ("", "-journal", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + ending).unlink()
