"""Select a store by the name of a database: a URL for PostgreSQL, anything else is an SQLite file."""

import contextlib
from importlib import import_module
from pathlib import Path
from types import ModuleType

from tavola.store.database_refusals import BadDatabase
from tavola.store.group_commit import Store, StoreReader
from tavola.store.signing_key import read_signing_key, signing_key_path
from tavola.store.sqlite.store import SqliteReader, SqliteStore
from tavola.store.sqlite.store import check_usable as sqlite_check

POSTGRES_SCHEMES = ("postgresql://", "postgres://")


class MissingBackend(BadDatabase):
    """A database whose driver is not installed."""


def is_postgres_url(database: Path | str) -> bool:
    """True if `database` is a URL of PostgreSQL."""
    return str(database).startswith(POSTGRES_SCHEMES)


def open_store(database: Path | str) -> Store:
    """Open a database, created if missing; raise `BadDatabase` with the reason if it cannot be used."""
    if is_postgres_url(database):
        return postgres_module().PostgresStore.open(str(database))  # type: ignore[no-any-return]
    return SqliteStore.open(database)


def open_exclusive(database: Path | str) -> Store:
    """Open a database for exclusive use; raise `BusyDatabase` if it is open elsewhere."""
    if is_postgres_url(database):
        with contextlib.closing(postgres_module().PostgresReader.open(str(database))) as reading:
            reading.check_unserved()
    return open_store(database)


def open_reader(database: Path | str) -> StoreReader:
    """Open an existing database for reading, also while it is being served."""
    if is_postgres_url(database):
        return postgres_module().PostgresReader.open(str(database))  # type: ignore[no-any-return]
    return SqliteReader.open(Path(database))


def check_usable(database: Path | str) -> str:
    """Check, changing nothing, that a database can be served or created; return what it is.

    Raise `BadDatabase` or `BadSigningKey` with the reason if not.
    """
    if is_postgres_url(database):
        return f"PostgreSQL {postgres_module().check_database(str(database))}"
    return sqlite_check(Path(database))


def stored_key(database: Path | str) -> bytes:
    """Return the key that signs the cookies of an existing database, also while it is being served."""
    if is_postgres_url(database):
        with contextlib.closing(postgres_module().PostgresReader.open(str(database))) as reading:
            return bytes(reading.signing_key())
    return read_signing_key(signing_key_path(Path(database).resolve()))


def postgres_module() -> ModuleType:
    """Return the module of the PostgreSQL store; its driver is an extra."""
    try:
        return import_module("tavola.store.postgres.store")
    except ImportError as error:
        raise MissingBackend(
            f"PostgreSQL databases need psycopg ({error}); install it with: pip install 'tavola[postgresql]'"
        ) from error
