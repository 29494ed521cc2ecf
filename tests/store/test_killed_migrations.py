"""A process is killed before each step of a migration; the next start completes it, and nothing is lost.

`python -m tests.store.test_killed_migrations` is its nursery: it forks a process that opens a database for each line
that it reads.
"""

import contextlib
import os
import re
import signal
import sqlite3
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tavola.store import open_store, verify_backup
from tavola.store.postgres import connections
from tavola.store.postgres.schema import MIGRATIONS
from tavola.store.signing_key import signing_key_path
from tavola.store.sqlite import copies, schema, store
from tavola.store.sqlite.schema import VERSION
from tests.helpers import releases
from tests.helpers.failures import Nursery, report, run_nursery
from tests.helpers.postgres import PostgresServer

pytestmark = pytest.mark.process
FILE_EVENTS = {"open", "os.rename", "os.remove", "sqlite3.connect", "tempfile.mkstemp"}
COPY = re.compile(r"tavola\.sqlite-before-[0-9-]+")
OLDEST = {release.kind: release for release in reversed(releases.listed())}


# The process that is killed


def open_and_die(order: dict[str, Any]) -> None:
    steps = count(1)

    def step(*_: object) -> None:
        if next(steps) == order["step"]:
            os.kill(os.getpid(), signal.SIGKILL)

    database = order["database"]
    watch_postgres(step) if "://" in database else watch_file(step)
    open_store(database).close()
    report(migrated=True)


def watch_file(step: Callable[..., None]) -> None:
    """Call `step` before each statement, each page of the copy and each change of files."""
    prepare, copy = schema.prepare_schema, copies.copy_pages

    def copied(source: sqlite3.Connection, fresh: Path) -> None:
        with contextlib.closing(sqlite3.connect(fresh)) as target:
            source.backup(target, pages=1, progress=step)
        copy(source, fresh)

    def prepared(connection: sqlite3.Connection, path: Path, **more: Any) -> None:
        connection.set_trace_callback(step)
        sys.addaudithook(lambda event, _: step() if event in FILE_EVENTS else None)
        prepare(connection, path, **more)

    vars(copies)["copy_pages"], vars(store)["prepare_schema"] = copied, prepared


def watch_postgres(step: Callable[..., None]) -> None:
    """Call `step` before each request to the server."""
    wait = connections.TimeoutConnection.wait

    def waited(connection: Any, *how: Any, **more: Any) -> Any:
        step()
        return wait(connection, *how, **more)

    connections.TimeoutConnection.wait = waited  # type: ignore[assignment]


# The test


def each_or_every(number: int) -> pytest.MarkDecorator:
    """Let every `number`th step of a migration be tried, and each step in the soak."""
    return pytest.mark.parametrize("every", [number, pytest.param(1, marks=pytest.mark.soak)])


class Dying(Nursery):
    def dies(self, database: Path | str, step: int) -> bool:
        """Return whether the process was killed before this step; otherwise it has migrated the database."""
        self.begin(database=str(database), step=step)
        killed = self.until("ended") == signal.SIGKILL
        assert killed or "migrated" in self._told
        return killed


@pytest.fixture(scope="module")
def dying():
    with contextlib.closing(Dying("tests.store.test_killed_migrations")) as nursery:
        yield nursery


@each_or_every(9)
def test_a_file_is_whole_wherever_its_migration_is_killed(dying: Dying, tmp_path: Path, every: int):
    """Copies that are there are whole, too; an unfinished one has the name of a temporary file."""
    release, found = OLDEST["sqlite"], set()
    for step in count(1, every):
        path = tmp_path / str(step) / "tavola.sqlite"
        path.parent.mkdir()
        release.install(path)
        tables, key = releases.columns_of(path), signing_key_path(path).read_bytes()
        before = releases.rows_of(path, tables)
        killed = dying.dies(path, step)
        open_store(path).close()
        assert (releases.version_of(path), releases.rows_of(path, tables)) == (VERSION, before)
        copied = [file for file in path.parent.iterdir() if COPY.fullmatch(file.name)]
        for file in copied:
            assert verify_backup(file).version == 3
            assert (releases.rows_of(file, tables), signing_key_path(file).read_bytes()) == (before, key)
        found.add(len(copied))
        if not killed:
            break
    assert step > 40
    assert found == {1, 2}, "some were killed after their copy"


@each_or_every(5)
def test_a_database_in_postgresql_is_whole_wherever_its_migration_is_killed(
    dying: Dying, postgres: PostgresServer, every: int
):
    """It is migrated wholly or not at all."""
    release, found = OLDEST["postgresql"], list[int]()
    for step in count(1, every):
        url = postgres.new_database()
        release.install(url)
        tables = releases.columns_of(url)
        before = releases.rows_of(url, tables)
        killed = dying.dies(url, step)
        found.append(releases.version_of(url))
        if found[-1] != len(MIGRATIONS):
            assert releases.columns_of(url) == tables
        open_store(url).close()
        assert (releases.version_of(url), releases.rows_of(url, tables)) == (len(MIGRATIONS), before)
        postgres.recycle()
        if not killed:
            break
    assert step > 10
    assert (found, set(found)) == (sorted(found), {2, len(MIGRATIONS)})


if __name__ == "__main__":
    run_nursery(open_and_die)
