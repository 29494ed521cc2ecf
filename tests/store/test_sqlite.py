"""The store in a file: what SQLite guarantees, and unusable files."""

import asyncio
import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from tavola.cli import main
from tavola.store import BadDatabase, BusyDatabase, CorruptDatabase, Event, ForeignDatabase, WriteFailed, open_store
from tavola.store.retention import Retention
from tavola.store.sqlite.store import SqliteStore
from tests.store.conftest import change
from tests.store.test_appends import committed


def test_commits_survive_a_power_cut(path: Path):
    """SQLite guarantees it for a synced write-ahead log, and for nothing less."""
    with closing(SqliteStore.open(path)) as store:
        assert store._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert store._writer.execute("PRAGMA synchronous").fetchone() == (2,)


async def test_a_failing_disk_fails_the_append_and_nothing_else(path: Path):
    with closing(SqliteStore.open(path)) as store:
        await store.append("bakvin", [Event(1, "created")])
        pages = store._writer.execute("PRAGMA page_count").fetchone()[0]
        store._writer.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(WriteFailed):
            await store.append("bakvin", [Event(2, "said", {"text": "x" * 100_000})])
        store._writer.execute("PRAGMA max_page_count = 100000")
        await store.append("bakvin", [Event(2, "said", {"text": "x" * 100_000})])
    assert [event.seq for event in committed(path, "bakvin")] == [1, 2]


def test_two_servers_on_one_file_are_refused(path: Path):
    with closing(open_store(path)):
        with pytest.raises(BusyDatabase, match="no other program has open"):
            open_store(path)
        assert CliRunner().invoke(main, ["prune", "--yes", "--database", str(path)]).exit_code == 2
    open_store(path).close()


# What a start reads


def _bytes_read(work: Callable[[], object]) -> int:
    """Return the bytes that this process reads from files while it works."""
    counted = Path("/proc/self/io")
    before = counted.read_text().split()[1]
    work()
    return int(counted.read_text().split()[1]) - int(before)


def _finished(path: Path, rooms: int = 40) -> int:
    """Fill a database with finished matches of 400 events; return its bytes."""
    lines = [Event(seq, "said", {"text": "x" * 200}, None, 1.0) for seq in range(2, 400)]
    log = [Event(1, "created", {}, None, 1.0), *lines, Event(400, "over", {}, None, 1.0)]
    with closing(open_store(path)) as store:
        for room in range(rooms):
            asyncio.run(store.append(f"room{room}", log))
    return path.stat().st_size


def test_a_start_reads_finished_matches_only_if_the_file_is_not_as_a_server_closed_it(path: Path):
    size = _finished(path)
    assert size > 3_000_000

    def start():
        open_store(path).close()

    assert _bytes_read(start) < size / 20
    os.utime(path)
    assert _bytes_read(start) > size
    assert _bytes_read(start) < size / 20
    path.with_name(f"{path.name}-heads").unlink()
    assert _bytes_read(start) > size


def test_looking_for_rooms_to_delete_reads_no_finished_match(path: Path):
    size = _finished(path)
    with closing(open_store(path)) as store:
        assert _bytes_read(lambda: store.prunable_rooms(Retention(), now=1e9)) < size / 8


# Unusable files


def test_a_file_that_is_not_a_database_is_refused(path: Path):
    path.write_bytes(b"Dear diary, today I went to sea." * 100)
    with pytest.raises(CorruptDatabase, match="intact Tavola database"):
        open_store(path)
    assert path.read_bytes().startswith(b"Dear diary")


def test_a_database_of_another_program(path: Path):
    change(path, "CREATE TABLE recipes (name TEXT)")
    with pytest.raises(ForeignDatabase, match="another program"):
        open_store(path)


def test_a_folder_that_is_not_there_or_is_one(tmp_path: Path):
    for path in (tmp_path / "nowhere" / "tavola.sqlite", tmp_path):
        with pytest.raises(BadDatabase):
            open_store(path)


def _filled(path: Path):
    batches = [(f"room{k}", [Event(n, "said", {"text": "x" * 50}) for n in range(1, 30)], True) for k in range(20)]
    with closing(open_store(path)) as store:
        asyncio.run(store.append_batches(batches))
    return path.read_bytes()


def test_a_truncated_database(path: Path):
    path.write_bytes(_filled(path)[:20_000])
    with pytest.raises(CorruptDatabase):
        open_store(path)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_damaged_database_is_refused_or_read_in_order(tmp_path_factory: pytest.TempPathFactory, data):
    path = tmp_path_factory.mktemp("damaged") / "tavola.sqlite"
    content = bytearray(_filled(path))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 64))
        content[at : at + 64] = data.draw(st.binary(min_size=64, max_size=64))
    closed = path.stat()
    path.write_bytes(content)
    if data.draw(st.booleans()):  # the disk's own damage: the file looks as the server left it
        os.utime(path, ns=(closed.st_atime_ns, closed.st_mtime_ns))
    with suppress(BadDatabase), closing(open_store(path)) as store:
        for line in store.rooms():
            assert all(isinstance(event, Event) for event in store.events(line.id))
