"""Copies of a database file, written under another name first; its former states, kept beside it."""

import contextlib
import itertools
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from tavola.store.database_refusals import BadDatabase
from tavola.store.files import new_file_beside, replace_durably, write_private, writing
from tavola.store.signing_key import KEY_SUFFIX, key_beside, signing_key_path

PAGES = 256
"""Pages copied at a time; others can write in between."""
COMPANION_SUFFIXES = ("-wal", "-shm", "-heads")


@contextlib.contextmanager
def replacing(file: Path, like: Path) -> Iterator[Path]:
    """Yield an empty file that replaces `file` unless something fails; it belongs to the owner of `like`.

    Raise `BadDatabase` if it cannot be written.
    """
    with writing(file):
        fresh = new_file_beside(file, like)
        try:
            yield fresh
            replace_durably(fresh, file)
        finally:
            for ending in ("", "-journal", "-wal", "-shm"):
                path_beside(fresh, ending).unlink(missing_ok=True)


def copy_pages(source: sqlite3.Connection, fresh: Path) -> None:
    """Copy an open database to an empty file, which gets no companions."""
    with contextlib.closing(sqlite3.connect(fresh)) as target:
        source.backup(target, pages=PAGES, sleep=0.01)
        target.execute("PRAGMA journal_mode = DELETE")


def keep_copy(connection: sqlite3.Connection, path: Path) -> Path:
    """Copy an open database and its key to an unused name beside it, before a migration; return the name.

    Raise `BadDatabase` if the disk has no space for the copy.
    """
    kept = former_name(path)
    try:
        with replacing(kept, like=path) as fresh:
            copy_pages(connection, fresh)
            write_key(key_beside(path), kept, like=fresh)
    except sqlite3.Error as error:
        raise BadDatabase(f"{kept}: expected space for a copy of the database before its migration: {error}") from error
    return kept


def former_name(database: Path) -> Path:
    """Return an unused name beside a database for its present state: `-before-` and the local time."""
    kept = stamped = path_beside(database, f"-before-{time.strftime('%Y%m%d-%H%M%S')}")
    numbers = itertools.count(2)
    while any(os.path.lexists(path_beside(kept, ending)) for ending in ("", *COMPANION_SUFFIXES, KEY_SUFFIX)):
        kept = path_beside(stamped, f"-{next(numbers)}")
    return kept


def write_key(key: bytes | None, target: Path, like: Path) -> None:
    """Write a key beside a database, if there is one; it belongs to the owner of `like`."""
    if key is not None:
        write_private(signing_key_path(target), key, like)


def path_beside(database: Path, ending: str) -> Path:
    """Return the path of a companion file."""
    return database.with_name(database.name + ending)
