"""Connections to PostgreSQL: their settings, timeouts, and the pool for reading.

Nothing waits for ever: the server ends a statement after `STATEMENT_TIMEOUT`, and a connection without an answer for a
little longer is closed, whatever the cause.
"""

import time
from collections.abc import Callable, Generator
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolTimeout

from tavola.store.database_refusals import BadDatabase
from tavola.store.interface import WriteFailed

SCHEMA = "tavola"
"""The schema of all tables, which separates their names from others."""
STATEMENT_TIMEOUT = 10.0
"""Maximum seconds for a statement, and for a writer while the server is away."""
ANSWER_TIMEOUT = STATEMENT_TIMEOUT + 2.0
"""Seconds without an answer after which a connection is closed."""
RETRY_INTERVAL = 0.05
"""Seconds between two attempts to reach the server."""
MOST_READERS = 6
"""Maximum connections for reading."""

SessionSettings = dict[str, str]
SESSION_SETTINGS: SessionSettings = {
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "search_path": SCHEMA,
    "statement_timeout": f"{STATEMENT_TIMEOUT:.0f}s",
    "idle_in_transaction_session_timeout": f"{STATEMENT_TIMEOUT:.0f}s",
    "client_encoding": "UTF8",
}
"""Settings of every connection, whatever the server's defaults are."""
NO_TIMEOUT: SessionSettings = {"statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}
DAY = 24 * 3600.0
T = TypeVar("T")


class TimeoutConnection(psycopg.Connection[Any]):
    """A connection that closes if the server does not answer for too long."""

    answer_timeout = ANSWER_TIMEOUT

    def wait(self, gen: Generator[Any, Any, T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Wait for an answer, `answer_timeout` seconds by default."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        try:
            return super().wait(gen, interval, self.answer_timeout)
        except psycopg.errors._WaitTimeout:
            self.close()
            raise psycopg.OperationalError(f"no answer within {self.answer_timeout:.0f} seconds") from None


class DatabaseAddress:
    """The address of a database, with the name of its `user`. `name` is for messages: it omits the password."""

    def __init__(self, url: str, worker: str) -> None:
        self.url, self.worker = url, worker
        try:
            parts = conninfo_to_dict(url)
        except psycopg.Error:  # its message may contain the password
            raise BadDatabase("expected an address such as postgresql://user@host:5432/database") from None
        host, port, self.user = (str(parts.get(part) or "") for part in ("host", "port", "user"))
        place = "" if host.startswith("/") else host + (f":{port}" if port else "")
        self.name = f"postgresql://{self.user + '@' if self.user else ''}{place}/{parts.get('dbname', '')}"
        self.connect_options: dict[str, Any] = {
            "autocommit": True,
            "prepare_threshold": 0,
            "connect_timeout": 3,
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            "keepalives_count": 3,
            "tcp_user_timeout": 6000,
        }

    def connect(self, part: str, settings: SessionSettings | None = None) -> TimeoutConnection:
        """Return a new connection, `part` naming its purpose; raise psycopg's errors if that fails."""
        name = self.application_name(part)
        connection = TimeoutConnection.connect(self.url, application_name=name, **self.connect_options)
        try:
            _apply_settings(connection, SESSION_SETTINGS | (settings or {}))
        except BaseException:
            connection.close()
            raise
        return connection

    def connect_without_timeout(self, part: str) -> TimeoutConnection:
        connection = self.connect(part, NO_TIMEOUT)
        connection.answer_timeout = DAY
        return connection

    def application_name(self, part: str) -> str:
        """Return the name by which the server identifies a connection of this worker."""
        return f"tavola {self.worker} {part}"

    def open_pool(self) -> ConnectionPool[TimeoutConnection]:
        """Return a pool for reading, whose connections are opened on demand."""
        return ConnectionPool(
            self.url,
            connection_class=TimeoutConnection,
            kwargs={**self.connect_options, "application_name": self.application_name("reading")},
            configure=lambda connection: _apply_settings(connection, SESSION_SETTINGS),
            min_size=1,
            max_size=MOST_READERS,
            timeout=1.0,  # a caller that times out retries, and the pool tries again
            reconnect_timeout=1.0,
            open=True,
            name=self.application_name("reading"),
        )


def _apply_settings(connection: TimeoutConnection, settings: SessionSettings) -> None:
    pairs = [word for pair in settings.items() for word in pair]
    connection.execute(("SELECT " + ", ".join(["set_config(%s, %s, false)"] * len(settings))).encode(), pairs)


def run_with_retry(
    pool: ConnectionPool[TimeoutConnection],
    name: str,
    work: Callable[[TimeoutConnection], T],
    patience: float = STATEMENT_TIMEOUT,
) -> T:
    """Run repeatable work and return its result; if the connection is lost, retry for `patience` seconds.

    Raise `WriteFailed` if the server does not answer or refuses.
    """
    until = time.monotonic() + patience
    while True:
        connection = None
        try:
            with pool.connection() as connection:
                connection.answer_timeout = patience / 2  # leaves time for another connection
                return work(connection)
        except psycopg.Error as error:
            is_lost = connection is None or connection.closed or isinstance(error, PoolTimeout)
            if not is_lost or time.monotonic() > until or pool.closed:
                raise WriteFailed(f"{name}: expected a database that responds: {error_line(error)}") from error
            time.sleep(RETRY_INTERVAL)


def error_line(error: Exception) -> str:
    """Return an error of the server in one line."""
    return " ".join(str(error).split())
