"""Backup of a database file while it is in use, and its restoration, with the key that signs cookies.

Without the key, no browser would be recognised: hosts would lose their rooms and players their seats.
"""

import contextlib
import shutil
from pathlib import Path
from typing import NamedTuple

from tavola.store.checksums import ALL_ROOMS, verified_rooms
from tavola.store.database_refusals import BadDatabase, BusyDatabase
from tavola.store.files import sync_folder
from tavola.store.signing_key import KEY_SUFFIX, key_beside, signing_key_path
from tavola.store.sqlite import log_ends
from tavola.store.sqlite.copies import COMPANION_SUFFIXES, copy_pages, former_name, path_beside, replacing, write_key
from tavola.store.sqlite.recognition import check_database, connect_immutable, recognise
from tavola.store.sqlite.schema import check_schema, file_errors, release_of
from tavola.store.sqlite.store import connect_readonly, lock_database, remove_log_of_readers


class Verified(NamedTuple):
    """A database file whose checksums match. `release`: the release of Tavola that made or migrated it, if known.

    A database of version 1 has no checksums.
    """

    rooms: int
    events: int
    version: int
    release: str
    has_key: bool


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
    with replacing(file, like=database) as fresh:
        with contextlib.closing(connect_readonly(database)) as source, file_errors(database):
            source.execute("PRAGMA busy_timeout = 10000")
            copy_pages(source, fresh)
        remove_log_of_readers(database)
        rooms = verify_database(fresh).rooms
        write_key(key, file, like=fresh)
    if key is None:
        signing_key_path(file).unlink(missing_ok=True)  # of an earlier backup
    return rooms


def restore(file: Path, database: Path) -> Path | None:
    """Replace a database by a verified backup; return the former database's new path, None without one.

    Raise `BadDatabase` if the backup is damaged, or the database is open or another program's file.
    """
    database = database.resolve()
    verify_backup(file)
    key = key_beside(file)
    with contextlib.closing(lock_database(database)), replacing(database, like=database) as fresh:
        shutil.copyfile(file, fresh)
        kept = _move_aside(database, with_key=key is not None)
        write_key(key, database, like=fresh)
    return kept


def check_target(file: Path, source: Path | None = None) -> None:
    """Refuse a target that is not a copy: another program's file, a database in use or the source.

    Raise `BadDatabase`, or `BadSigningKey` for a file in the place of its key.
    """
    found = recognise(file)
    if found and source is not None and file.samefile(source):
        raise BadDatabase(f"{file}: expected a file other than the database itself")
    if found and (log := path_beside(file, "-wal")).exists():
        raise BusyDatabase(f"{file}: expected a database that no other program has open, found {log.name} beside it")
    key_beside(file)  # raises if what would be replaced is not a key


def verify_backup(file: Path) -> Verified:
    """Verify a backup and its key; raise `BadDatabase` or `BadSigningKey` with the damage.

    A database with a write-ahead log beside it is refused: without the log it is not whole.
    """
    try:
        found = file.is_file()
    except PermissionError as error:
        raise BadDatabase(f"{file}: expected a file that can be read: permission denied") from error
    if not found:
        raise BadDatabase(f"{file}: expected a backup, found none")
    if (log := path_beside(file, "-wal")).exists() and log.stat().st_size:
        raise BusyDatabase(f"{file}: expected a backup, found a database with {log.name} beside it: back it up first")
    return verify_database(file)._replace(has_key=key_beside(file) is not None)


def verify_database(path: Path) -> Verified:
    """Verify a database that is not being written, without its key."""
    check_database(path)
    with contextlib.closing(connect_immutable(path)) as connection:
        number = check_schema(connection, path)
        with file_errors(path):
            if number == 1:  # without checksums
                counted = connection.execute("SELECT (SELECT count(*) FROM room), (SELECT count(*) FROM event)")
                rooms, events = counted.fetchone()
            else:
                lengths = [len(room.rows) for room in verified_rooms(str(path), connection.execute(ALL_ROOMS))]
                rooms, events = len(lengths), sum(lengths)
            return Verified(rooms, events, number, release_of(connection), has_key=False)


def _move_aside(database: Path, *, with_key: bool) -> Path | None:
    """Rename the current database and its companions; return the new path, None for an empty one, which is replaced.

    Its key is renamed too, or copied if the backup brings none.
    """
    if not database.exists() or (database.stat().st_size == 0 and not path_beside(database, "-wal").exists()):
        log_ends.log_ends_path(database).unlink(missing_ok=True)
        return None
    kept = former_name(database)
    endings = ("", *COMPANION_SUFFIXES, *((KEY_SUFFIX,) if with_key else ()))
    for ending in endings:
        with contextlib.suppress(FileNotFoundError):
            path_beside(database, ending).replace(path_beside(kept, ending))
    if not with_key:
        write_key(key_beside(database), kept, like=kept)
    sync_folder(database.parent)
    return kept
