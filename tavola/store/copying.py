"""Everything from one database into another, of whichever kind: rooms, what is known of them, the key of the cookies.

A copy is checked event by event as it is read and once more where it has been written, and only then is it there.
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from tavola.store import backup as files
from tavola.store import heads
from tavola.store.files import put_in_place, write_private
from tavola.store.opening import is_address, postgres
from tavola.store.refusals import BadDatabase
from tavola.store.schema import corrupt, prepare
from tavola.store.secret import beside, secret_beside
from tavola.store.sqlite import SqliteReading, SqliteStore, locked
from tavola.store.whole import Whole

INTO_ROOM = "INSERT INTO room (id, seq, at, awake, checksum) VALUES (?, ?, ?, ?, ?)"
INTO_EVENT = "INSERT INTO event (room, seq, kind, body, command_id, at, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)"


def backup(database: Path | str, file: Path) -> int:
    """Copy a database, also one in use, to a new file, checked and synced; how many rooms it holds.

    `BadDatabase` when there is none, when it is damaged, or when the file cannot be written.
    """
    if not is_address(database):
        return files.backup(Path(database), file)
    with contextlib.closing(postgres().PostgresReading.open(str(database))) as reading:
        return _into_file(file, reading.wholes(), reading.secret())


def restore(file: Path, database: Path | str) -> Path | None:
    """Put a backup in a file's place, or into an empty database; where the former file is now, None if there was none.

    `BadDatabase` when the backup is damaged, somebody has the database open, or one on PostgreSQL has rooms.
    """
    if not is_address(database):
        return files.restore(file, Path(database))
    with contextlib.closing(SqliteReading.open(file)) as reading:
        postgres().fill(str(database), reading.wholes(), _key(file))
    return None


def move(source: Path | str, target: Path | str) -> int:
    """Copy everything to a database that is empty or not there yet; how many rooms. The source stays as it is.

    `BadDatabase` when the target has rooms, a server has either of them open, or events do not hold.
    """
    with _alone(source) as (rooms, secret):
        if is_address(target):
            return int(postgres().fill(str(target), rooms, secret))
        return _into_new_file(Path(target).resolve(), rooms, secret)


@contextlib.contextmanager
def _alone(source: Path | str) -> Iterator[tuple[Iterator[Whole], bytes | None]]:
    """The rooms and the key of a database that nobody serves meanwhile."""
    if is_address(source):
        with contextlib.closing(postgres().PostgresReading.open(str(source))) as reading:
            reading.must_be_alone()
            yield reading.wholes(), reading.secret()
        return
    path = Path(source).resolve()
    if not path.is_file():
        raise BadDatabase(f"{path}: expected a Tavola database, found none")
    with contextlib.closing(SqliteStore.open(path)), contextlib.closing(SqliteReading.open(path)) as lying:
        yield lying.wholes(), _key(path)


def _key(path: Path) -> bytes | None:
    """The key beside a file, if there is one."""
    return secret_beside(path) if beside(path.resolve()).is_file() else None


def _into_new_file(path: Path, rooms: Iterable[Whole], secret: bytes | None) -> int:
    """Make a database file where there is none."""
    if path.exists() and path.stat().st_size:
        raise BadDatabase(f"{path}: expected no database there yet, found one")
    lock = locked(path)
    try:
        heads.beside(path).unlink(missing_ok=True)
        return _into_file(path, rooms, secret)
    finally:
        lock.close()


def _into_file(path: Path, rooms: Iterable[Whole], secret: bytes | None) -> int:
    """Write a database aside and, when it has been checked, give it its name; how many rooms it holds."""
    fresh = path.with_name(path.name + files.NEW)
    try:
        files.aside(path)
        _fill(fresh, rooms)
        count = files.verified(fresh)
        if secret is not None:
            write_private(beside(path), secret)
        put_in_place(fresh, path)
    except OSError as error:
        raise BadDatabase(f"{path}: expected a file that can be written, {error.strerror}") from error
    finally:
        files.drop(fresh)
    return count


def _fill(fresh: Path, rooms: Iterable[Whole]) -> None:
    """Write all rooms into an empty file, in one transaction."""
    with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
        try:
            prepare(connection, fresh)
            connection.execute("BEGIN")
            for whole in rooms:
                connection.execute(INTO_ROOM, (whole.id, whole.seq, whole.at, whole.awake, whole.checksum))
                events = zip(whole.rows, whole.checksums, strict=True)
                connection.executemany(INTO_EVENT, ((whole.id, *row, checksum) for row, checksum in events))
                if whole.fault is not None:
                    connection.execute("INSERT INTO fault VALUES (?, ?)", (whole.id, whole.fault))
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise corrupt(fresh, error) from error
