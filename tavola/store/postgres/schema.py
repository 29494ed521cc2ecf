"""The tables in PostgreSQL: created on first use, checked later, migrated while matches run.

A migration only adds, because workers of the previous version continue during and after it. Removals follow one version
later, when no worker writes the data any more.
"""

import logging
import time

import psycopg

from tavola import __version__
from tavola.store.club_tables import CLUB, DAYS, MEASURES, NOTEPADS, REFUSED
from tavola.store.database_refusals import BadDatabase, ForeignDatabase, newer_database
from tavola.store.postgres.connections import RETRY_INTERVAL, SCHEMA, DatabaseAddress, TimeoutConnection, error_line
from tavola.store.signing_key import new_signing_key

OLDEST_SERVER = 140000
"""The first supported version of the server."""
MIGRATION_LOCK = 0x7461766F
"""The number of the advisory lock for creating and changing tables: `tavo`."""

MIGRATION_LOCK_TIMEOUT = "500ms"
"""How long a migration waits for a table in use."""
MIGRATION_TIMEOUT = 60.0
"""Seconds for which a migration is retried while tables are in use."""

FIRST_TABLES = """
CREATE TABLE version (number integer NOT NULL);
CREATE TABLE site (secret bytea NOT NULL, touched timestamptz NOT NULL DEFAULT now());
CREATE TABLE room (
    id text COLLATE "C" PRIMARY KEY,
    seq integer NOT NULL,
    at double precision NOT NULL,
    awake integer NOT NULL,
    bytes bigint NOT NULL,
    checksum bytea NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX awake ON room (id) WHERE awake = 1;
CREATE TABLE event (
    room text COLLATE "C" NOT NULL,
    seq integer NOT NULL,
    kind text NOT NULL,
    body text NOT NULL,
    command_id text COLLATE "C",
    at double precision NOT NULL,
    person text COLLATE "C",
    checksum bytea NOT NULL,
    PRIMARY KEY (room, seq)
);
CREATE UNIQUE INDEX command ON event (room, command_id) WHERE command_id IS NOT NULL;
CREATE INDEX sitting ON event (person, room) WHERE person IS NOT NULL;
CREATE TABLE fault (room text COLLATE "C" PRIMARY KEY, found text NOT NULL);
CREATE TABLE worker (id text COLLATE "C" PRIMARY KEY, beat timestamptz NOT NULL);
CREATE VIEW living AS SELECT id FROM worker WHERE beat > clock_timestamp() - interval '3 s'
    OR pg_postmaster_start_time() > clock_timestamp() - interval '3 s';
CREATE TABLE lease (room text COLLATE "C" PRIMARY KEY, owner text COLLATE "C" NOT NULL, epoch bigint NOT NULL)
    WITH (fillfactor = 70);
CREATE UNLOGGED TABLE present (
    room text COLLATE "C" NOT NULL,
    person text COLLATE "C" NOT NULL,
    worker text COLLATE "C" NOT NULL,
    PRIMARY KEY (room, person, worker)
);
"""
"""A worker lives for three seconds after its last beat; after a restart of the server, all live for three seconds."""
NAME_PERSONS = """
UPDATE event SET person = coalesce(body::json ->> 'id', body::json -> 'host' ->> 'id')
    WHERE person IS NULL AND kind IN ('created', 'said', 'muted', 'reported');
"""
CLUB_TABLES = CLUB + NAME_PERSONS
"""Accounts and outgoing messages; speakers also become names by which rooms are found."""
RELEASE = "ALTER TABLE version ADD COLUMN release text NOT NULL DEFAULT '';"
"""The release of Tavola that made or migrated the database, which an older release names when it refuses it."""
MIGRATIONS: tuple[str, ...] = (FIRST_TABLES, CLUB_TABLES, DAYS, NOTEPADS, REFUSED, RELEASE, MEASURES)
"""The scripts that lead to version 1, from there to version 2, and so on."""

FOREIGN_TABLES = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') LIMIT 1
"""
"""Finds a table of another program; those of extensions are ignored."""
logger = logging.getLogger(__name__)


def prepare_schema(connection: TimeoutConnection, address: DatabaseAddress) -> None:
    """Create the tables in an empty database, check any other one, and migrate an older one.

    Raise `BadDatabase` with the reason if the database cannot be used. Each attempt is one transaction, and workers
    take turns.
    """
    try:
        _check_server(connection, address)
        until = time.monotonic() + MIGRATION_TIMEOUT
        while not _try_migrate(connection, address, last=time.monotonic() > until):
            time.sleep(RETRY_INTERVAL)
    except psycopg.errors.InsufficientPrivilege as error:
        raise BadDatabase(
            f"{address.name}: expected a database that belongs to its user: {error_line(error)}; as a superuser, run "
            "ALTER DATABASE … OWNER TO …"
        ) from error
    except psycopg.Error as error:
        raise BadDatabase(f"{address.name}: expected a database that Tavola can use: {error_line(error)}") from error


def _try_migrate(connection: TimeoutConnection, address: DatabaseAddress, last: bool) -> bool:
    """Migrate; return False if a table was in use. Waiting migrations block all others, so the wait is short."""
    try:
        with connection.transaction():
            connection.execute("SELECT set_config('lock_timeout', %s, true)", (MIGRATION_LOCK_TIMEOUT,))
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            is_new = not _has_schema(connection)
            number = _ensure_tables(connection, address)
            for version, migration in enumerate(MIGRATIONS[number:], number + 1):
                connection.execute(migration.encode(), prepare=False)
                connection.execute("UPDATE version SET number = %s", (version,))
            if number < len(MIGRATIONS):
                connection.execute("UPDATE version SET release = %s", (__version__,))
    except psycopg.errors.LockNotAvailable:
        if last:
            raise
        return False
    if number < len(MIGRATIONS) and not is_new:
        logger.warning("%s: migrated from version %d to %d", address.name, number, len(MIGRATIONS))
    return True


def check_schema(connection: TimeoutConnection, address: DatabaseAddress) -> None:
    """Check a database without changing it; raise `BadDatabase` unless it is Tavola's."""
    if not _has_schema(connection):
        raise BadDatabase(f"{address.name}: expected a Tavola database, found none")
    _check_version(connection, address)


def check_rights(connection: TimeoutConnection, address: DatabaseAddress) -> None:
    """Check, changing nothing, that the user can serve a database, also an empty one; raise `BadDatabase` if not."""
    _check_server(connection, address)
    right = "SELECT has_database_privilege(current_database(), 'CREATE')"
    if _has_schema(connection):
        _check_version(connection, address)
        right = f"SELECT pg_has_role(nspowner, 'MEMBER') FROM pg_namespace WHERE nspname = '{SCHEMA}'"  # noqa: S608
    if connection.execute(right.encode()).fetchone() != (True,):
        raise BadDatabase(f"{address.name}: expected a database that belongs to its user")


def _check_server(connection: TimeoutConnection, address: DatabaseAddress) -> None:
    if connection.info.server_version < OLDEST_SERVER:
        version = connection.info.parameter_status("server_version")
        raise BadDatabase(f"{address.name}: expected PostgreSQL {OLDEST_SERVER // 10000} or newer, found {version}")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise BadDatabase(f"{address.name}: expected a database with the encoding UTF8, found {encoding}")


def _ensure_tables(connection: TimeoutConnection, address: DatabaseAddress) -> int:
    """Return the current version; an empty database gets the tables of version 1."""
    if not _has_schema(connection):
        if (stranger := connection.execute(FOREIGN_TABLES).fetchone()) is not None:
            raise ForeignDatabase(
                f"{address.name}: expected an empty database or a Tavola database, "
                f"found another program's table {stranger[0]}"
            )
        connection.execute(f"CREATE SCHEMA {SCHEMA}".encode())
        connection.execute(MIGRATIONS[0].encode(), prepare=False)
        connection.execute("INSERT INTO version VALUES (1)")
        connection.execute("INSERT INTO site (secret) VALUES (%s)", (new_signing_key(),))
    return _check_version(connection, address)


def _has_schema(connection: TimeoutConnection) -> bool:
    return connection.execute("SELECT oid FROM pg_namespace WHERE nspname = %s", (SCHEMA,)).rowcount > 0


def _check_version(connection: TimeoutConnection, address: DatabaseAddress) -> int:
    tables = "SELECT FROM pg_tables WHERE schemaname = %s AND tablename IN ('version', 'room', 'event')"
    if connection.execute(tables, (SCHEMA,)).rowcount != 3:
        raise ForeignDatabase(f"{address.name}: expected Tavola's tables in the schema {SCHEMA}, found other tables")
    ((number, *release),) = connection.execute("SELECT * FROM version").fetchall()
    if number > len(MIGRATIONS):
        raise newer_database(address.name, len(MIGRATIONS), number, "".join(release[:1]))
    return int(number)
