"""The choice of a store by the name of a database: an address means PostgreSQL, anything else a file of SQLite."""

import contextlib
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tavola.store.database_refusals import BadDatabase
from tavola.store.interface import Store, StoreReader
from tavola.store.sqlite.store import SqliteReader, SqliteStore

POSTGRES_SCHEMES = ("postgresql://", "postgres://")


class MissingBackend(BadDatabase):
    """A database whose engine is not installed."""


def is_postgres_url(database: Path | str) -> bool:
    """True when that is a database on PostgreSQL, and not a file."""
    return str(database).startswith(POSTGRES_SCHEMES)


def open_store(database: Path | str) -> Store:
    """Open a database, made if it is not there; `BadDatabase` says why it cannot be used."""
    if is_postgres_url(database):
        return postgres_module().PostgresStore.open(str(database))  # type: ignore[no-any-return]
    return SqliteStore.open(database)


def open_exclusive(database: Path | str) -> Store:
    """Open a database that nobody else may have open meanwhile; `BusyDatabase` where somebody has."""
    if is_postgres_url(database):
        with contextlib.closing(postgres_module().PostgresReader.open(str(database))) as reading:
            reading.check_unserved()
    return open_store(database)


def open_reader(database: Path | str) -> StoreReader:
    """Read a database that is there, also while it is being served."""
    if is_postgres_url(database):
        return postgres_module().PostgresReader.open(str(database))  # type: ignore[no-any-return]
    return SqliteReader.open(Path(database))


def postgres_module() -> ModuleType:
    """Return the module that knows PostgreSQL; not everybody has its driver."""
    try:
        return import_module("tavola.store.postgres.store")
    except ImportError as error:
        raise MissingBackend(
            f"a database on PostgreSQL needs psycopg, {error}: pip install 'tavola[postgresql]'"
        ) from error
