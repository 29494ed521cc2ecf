"""A whole copy of a database file while it is in use, and back again. The key of the cookies goes with it.

Without the key, nobody would be known any more: hosts would lose their rooms and players their seats.
"""

import contextlib
import os
import shutil
import sqlite3
import time
from pathlib import Path

from tavola.store import heads
from tavola.store.files import OWNERS, put_in_place, sync_folder
from tavola.store.refusals import BadDatabase
from tavola.store.schema import UNREADABLE, check, corrupt
from tavola.store.secret import beside
from tavola.store.sqlite import locked, reading
from tavola.store.whole import EVERYTHING, wholes

PAGES = 256
"""Pages copied at a time: in between others write."""
COMPANIONS = ("-wal", "-shm", "-heads")
NEW = "-new"


def backup(database: Path, file: Path) -> int:
    """Copy a database, also one in use, to a new file, checked and synced; how many rooms it holds.

    `BadDatabase` when there is none, when it is damaged, or when the file cannot be written.
    """
    database = database.resolve()
    if not database.is_file():
        raise BadDatabase(f"{database}: expected a Tavola database, found none")
    fresh = file.with_name(file.name + NEW)
    try:
        aside(file)
        _copy(database, fresh)
        rooms = verified(fresh)
        _carry_key(database, file)
        put_in_place(fresh, file)
    except OSError as error:
        raise BadDatabase(f"{file}: expected a file that can be written, {error.strerror}") from error
    finally:
        drop(fresh)
    return rooms


def restore(file: Path, database: Path) -> Path | None:
    """Put a backup in a database's place, checked before; where the former one is now, None if there was none.

    `BadDatabase` when the backup is damaged or somebody has the database open.
    """
    database = database.resolve()
    if not file.is_file():
        raise BadDatabase(f"{file}: expected a backup, found none")
    verified(file)
    lock = locked(database)
    try:
        fresh = aside(database)
        shutil.copyfile(file, fresh)
        kept = _set_aside(database)
        _carry_key(file, database)
        put_in_place(fresh, database)
    except OSError as error:
        raise BadDatabase(f"{database}: expected a file that can be written, {error.strerror}") from error
    finally:
        lock.close()
    return kept


def aside(path: Path) -> Path:
    """An empty private file beside the one that it will replace."""
    fresh = path.with_name(path.name + NEW)
    drop(fresh)
    os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNERS))
    return fresh


def _copy(database: Path, fresh: Path) -> None:
    with contextlib.closing(reading(database)) as source, contextlib.closing(sqlite3.connect(fresh)) as target:
        try:
            source.execute("PRAGMA busy_timeout = 10000")
            source.backup(target, pages=PAGES, sleep=0.01)
            target.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
        except sqlite3.Error as error:
            raise corrupt(database, error) from error


def verified(path: Path) -> int:
    """Check everything in a database that nobody writes; how many rooms it has."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    with contextlib.closing(connection):
        check(connection, path)
        try:
            if connection.execute("SELECT number FROM version").fetchone()[0] == 1:  # it has no checksums
                return int(connection.execute("SELECT count(*) FROM room").fetchone()[0])
            return sum(1 for _ in wholes(str(path), connection.execute(EVERYTHING)))
        except UNREADABLE as error:
            raise corrupt(path, error) from error


def _carry_key(source: Path, target: Path) -> None:
    """Copy the key of the cookies, where there is one."""
    key = beside(source)
    if key.is_file():
        fresh = aside(beside(target))
        shutil.copyfile(key, fresh)
        put_in_place(fresh, beside(target))


def _set_aside(database: Path) -> Path | None:
    """Give the present database, and what belongs to it, another name; an empty one just goes."""
    if database.stat().st_size == 0 and not database.with_name(database.name + "-wal").exists():
        drop(heads.beside(database))
        return None
    kept = database.with_name(f"{database.name}-before-{time.strftime('%Y%m%d-%H%M%S')}")
    for ending in ("", *COMPANIONS):
        with contextlib.suppress(FileNotFoundError):
            database.with_name(database.name + ending).replace(kept.with_name(kept.name + ending))
    _carry_key(database, kept)
    sync_folder(database.parent)
    return kept


def drop(path: Path) -> None:
    """Take a database file away, with what SQLite keeps beside it."""
    for ending in ("", "-journal", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + ending).unlink()
