"""Which store a database is: an address is PostgreSQL's, anything else a file of SQLite's."""

import contextlib
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tavola.store.contract import Reading, Store
from tavola.store.refusals import BadDatabase
from tavola.store.sqlite import SqliteReading, SqliteStore

ADDRESSES = ("postgresql://", "postgres://")


class MissingEngine(BadDatabase):
    """A database whose engine is not installed."""


def is_address(database: Path | str) -> bool:
    """Whether that is a database on PostgreSQL, and not a file."""
    return str(database).startswith(ADDRESSES)


def open_store(database: Path | str) -> Store:
    """Open a database, made if it is not there; `BadDatabase` says why it cannot be used."""
    if is_address(database):
        return postgres().PostgresStore.open(str(database))  # type: ignore[no-any-return]
    return SqliteStore.open(database)


def open_alone(database: Path | str) -> Store:
    """The same where nobody else may have it open meanwhile; `BusyDatabase` where somebody has."""
    if is_address(database):
        with contextlib.closing(postgres().PostgresReading.open(str(database))) as reading:
            reading.must_be_alone()
    return open_store(database)


def open_reading(database: Path | str) -> Reading:
    """Read a database that is there, also while it is being served."""
    if is_address(database):
        return postgres().PostgresReading.open(str(database))  # type: ignore[no-any-return]
    return SqliteReading.open(Path(database))


def postgres() -> ModuleType:
    """The module that knows PostgreSQL; not everybody has what it needs."""
    try:
        return import_module("tavola.store.postgres")
    except ImportError as error:
        raise MissingEngine(
            f"a database on PostgreSQL needs psycopg, {error}: pip install 'tavola[postgresql]'"
        ) from error
