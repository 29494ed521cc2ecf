"""Checks of database files before any is created, locked, moved or changed: foreign files stay as they are.

No file is opened on which this process may hold locks, because closing it would release them. So SQLite reads the
database, without a lock; of most companion files the size is enough.
"""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

from tavola.store.database_refusals import BadDatabase, ForeignDatabase
from tavola.store.signing_key import key_beside
from tavola.store.sqlite import log_ends
from tavola.store.sqlite.schema import check_application

LOCK_SUFFIX = "-lock"
JOURNAL_MAGIC = (bytes.fromhex("d9d505f920a163d7"), bytes(8))
"""The first bytes of a rollback journal; a finished one begins with zeros."""
WAL_MAGIC = (bytes.fromhex("377f0682"), bytes.fromhex("377f0683"))
SHARED_MEMORY_UNIT = 32_768
"""The index of a write-ahead log grows by this number of bytes."""


def recognise(path: Path) -> bool:
    """Return whether there is a database at the resolved `path`; refuse foreign files there or beside it.

    An empty file is ours only beside a lock, which is created first: a killed server has left it.
    """
    found = os.path.lexists(path)
    for ending, is_ours in COMPANIONS.items():
        beside = path.with_name(path.name + ending)
        if os.path.lexists(beside) and not (_is_regular(beside) and is_ours(beside)):
            raise ForeignDatabase(
                f"{beside}: expected a file of Tavola beside {path.name}, found another program's: move it elsewhere"
            )
    if found:
        check_database(path, may_be_empty=path.with_name(path.name + LOCK_SUFFIX).exists())
        return True
    for log in (path.with_name(path.name + ending) for ending in ("-wal", "-journal")):
        if _size(log):
            raise BadDatabase(f"{log}: expected its database beside it, found none: move this file elsewhere")
    key_beside(path)  # raises if it is not a key
    return False


def check_database(path: Path, *, may_be_empty: bool = False) -> None:
    """Raise `BadDatabase` for a file that is not Tavola's, damaged or not, without changing it."""
    if not _is_regular(path):
        raise ForeignDatabase(f"{path}: expected a Tavola database, found something that is not a file")
    if not os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
        raise BadDatabase(f"{path}: expected a file that can be read: permission denied")
    if not _size(path):
        if may_be_empty:
            return
        raise ForeignDatabase(f"{path}: expected a Tavola database, found an empty file: delete it to create one")
    with contextlib.closing(connect_immutable(path)) as connection:
        check_application(connection, path)


def connect_immutable(path: Path) -> sqlite3.Connection:
    """Return a connection to a file that is not being written: it takes no lock and creates no companions."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)


def _is_regular(path: Path) -> bool:
    return stat.S_ISREG(path.lstat().st_mode)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _begins_with(*magic: bytes) -> Callable[[Path], bool]:
    """Return a check that a file is empty or begins with one of these, possibly truncated."""

    def is_ours(path: Path) -> bool:
        with path.open("rb") as stream:
            begun = stream.read(len(magic[0]))
        return any(each.startswith(begun) for each in magic)

    return is_ours


COMPANIONS: dict[str, Callable[[Path], bool]] = {
    LOCK_SUFFIX: lambda path: not _size(path),
    f"{LOCK_SUFFIX}-journal": _begins_with(*JOURNAL_MAGIC),
    "-journal": _begins_with(*JOURNAL_MAGIC),
    "-wal": _begins_with(*WAL_MAGIC),
    "-shm": lambda path: _size(path) % SHARED_MEMORY_UNIT == 0,
    log_ends.SUFFIX: log_ends.is_ours,
}
"""Companion files of a database by ending, and whether a file of that name is ours."""
