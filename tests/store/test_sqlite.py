"""The store in a file: links, damage, foreign locks, full disks, copies, and what a start reads."""

import asyncio
import contextlib
import os
import shutil
import signal
import sqlite3
import stat
import struct
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavola.store import Event, Log, WriteFailed, backup, open_store, restore
from tavola.store.database_refusals import BadDatabase, BadSigningKey, BusyDatabase, CorruptDatabase
from tavola.store.retention import Retention
from tavola.store.signing_key import load_signing_key
from tavola.store.sqlite.store import SqliteStore
from tests.cli import run
from tests.helpers import PATIENCE, ROOT, environment, run_python
from tests.helpers.rooms import refused, wait_until
from tests.store.conftest import change

VERSION_1 = """
CREATE TABLE version (number INTEGER NOT NULL);
CREATE TABLE room (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, at REAL NOT NULL, awake INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE event (room TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, command_id TEXT,
    at REAL NOT NULL, PRIMARY KEY (room, seq)) WITHOUT ROWID;
CREATE UNIQUE INDEX command ON event (room, command_id) WHERE command_id IS NOT NULL;
INSERT INTO version VALUES (1);
INSERT INTO room VALUES ('bakvin', 2, 5.0, 1);
INSERT INTO event VALUES ('bakvin', 1, 'created', '{"à": 1}', 'a/1', 4.5), ('bakvin', 2, 'said', '{}', NULL, 5);
"""


def said(count, first=1):
    return [Event(seq, "said", {"text": f"line {seq}"}) for seq in range(first, first + count)]


def filled(path: Path):
    with closing(open_store(path)) as store:
        for room in ("bakvin", "talvin"):
            asyncio.run(store.append(room, said(20)))


def logs_of(path: Path, *rooms: str) -> list[Log]:
    with closing(open_store(path)) as store:
        return [store.read(room) for room in rooms]


def test_two_servers_on_one_file_are_refused_whatever_it_is_called(path: Path):
    link = path.with_name("link.sqlite")
    link.symlink_to(path)
    with closing(open_store(path)):
        for name in (path, link):
            with pytest.raises(BusyDatabase, match="no other program has open"):
                open_store(name)
        assert run("prune", "--yes", "--database", path).exit_code == 2
    open_store(path).close()


def test_a_database_under_two_names_is_refused(path: Path):
    filled(path)
    os.link(path, path.with_name("other.sqlite"))
    with pytest.raises(BadDatabase, match="one hard link"):
        open_store(path)


def test_one_connection_writes_and_no_other_can(path: Path):
    """This rules out SQLite's fault with several connections that write or reset the log."""
    with closing(SqliteStore.open(path)) as store, store._reader.connection() as connection:
        asyncio.run(store.append("bakvin", said(3)))
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute("DELETE FROM event")
        log = path.with_name(path.name + "-wal")
        size = log.stat().st_size
        with pytest.raises(sqlite3.OperationalError):
            connection.execute("PRAGMA query_only = OFF").execute("DELETE FROM event")
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert log.stat().st_size == size, "a reader has reset the log"


@pytest.mark.parametrize("content", [b"", b"\0" * 32, b"x" * 32, bytes(range(7)), bytes(range(33))])
def test_a_damaged_key_is_refused(path: Path, content):
    load_signing_key(path)
    (key,) = path.parent.glob("*.secret")
    key.write_bytes(content)
    with pytest.raises(BadSigningKey, match="key"):
        load_signing_key(path)


def test_the_key_is_synced_before_it_has_its_name(path: Path, monkeypatch: pytest.MonkeyPatch):
    done, sync, replace = [], os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (done.append("sync"), sync(handle))[1])
    monkeypatch.setattr(Path, "replace", lambda old, new: (done.append("name"), replace(old, new))[1])
    assert len(load_signing_key(path)) == 32
    assert done[:2] == ["sync", "name"]


def test_database_and_key_are_readable_only_by_their_owner(path: Path):
    filled(path)
    path.chmod(0o666)
    with contextlib.ExitStack() as restored:
        restored.callback(os.umask, os.umask(0))
        store = restored.enter_context(closing(open_store(path)))
        load_signing_key(path)
        asyncio.run(store.append("solrum", said(3)))
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    assert len(modes) >= 4, modes
    assert {mode for name, mode in modes.items() if not name.endswith("-lock-journal")} == {0o600}, modes


CRASH = """
import asyncio, os, sys
from tavola.store import Event, open_store
store = open_store(sys.argv[1])
async def fill():
    for seq in range(1, 21):
        for room in ("bakvin", "talvin"):
            await store.append(room, [Event(seq, "said", {"text": f"line {seq} of {room} " + "x" * 40})])
    await store.append("solrum", [Event(1, "said")])
asyncio.run(fill())
os._exit(0)
"""
"""Leaves a store as a killed server does: twenty events a room, one commit each, all in the write-ahead log."""


@pytest.mark.process
def test_after_a_kill_a_log_is_whole_and_a_damaged_write_ahead_log_is_noticed(path: Path):
    """SQLite takes the part before the damage for the whole."""
    killed, damaged = path.parent / "killed", path.parent / "damaged"
    killed.mkdir()
    run_python(CRASH, str(killed / path.name))
    shutil.copytree(killed, damaged)
    whole = [(len(log.events), log.fault) for log in logs_of(killed / path.name, "bakvin", "solrum")]
    assert whole == [(20, ""), (1, "")]
    log = damaged / f"{path.name}-wal"
    content = bytearray(log.read_bytes())
    size = 24 + struct.unpack(">I", content[8:12])[0]
    at = 32 + (len(content) // size // 2) * size + 500
    content[at : at + 64] = b"\xaa" * 64
    log.write_bytes(content)
    bakvin, talvin, solrum = logs_of(damaged / path.name, "bakvin", "talvin", "solrum")
    assert 0 < len(bakvin.events) < 20
    again = logs_of(damaged / path.name, "bakvin")[0].fault  # it is still known after a good end
    assert all("to 20 are missing" in fault for fault in (bakvin.fault, talvin.fault, again))
    assert "missing" in solrum.fault


def test_a_database_of_the_first_version_opens_and_gets_its_checksums(path: Path):
    change(path, f"PRAGMA application_id = {0x7461766F}; {VERSION_1}")
    with closing(open_store(path)) as store:
        events = [Event(1, "created", {"à": 1}, "a/1", 4.5), Event(2, "said", {}, None, 5.0)]
        assert store.read("bakvin") == (events, "")
        asyncio.run(store.append("bakvin", said(1, 3)))
        assert store.read("bakvin").fault == ""
    change(path, "UPDATE event SET body = '{\"b\": 1}' WHERE seq = 1")
    assert logs_of(path, "bakvin")[0].events == []


def test_a_restored_database_is_not_held_against_what_was_there(path: Path, tmp_path: Path):
    """Notes about the database that was replaced do not apply to the backup."""
    filled(path)
    backup(path, tmp_path / "copy")
    with closing(open_store(path)) as store:
        asyncio.run(store.append("bakvin", said(5, 21)))
        with pytest.raises(BusyDatabase):
            restore(tmp_path / "copy", path)
    kept = restore(tmp_path / "copy", path)
    (log,) = logs_of(path, "bakvin")
    assert (len(log.events), log.fault, len(logs_of(kept, "bakvin")[0].events)) == (20, "", 25)


async def test_stopping_under_a_foreign_lock_ends(path: Path):
    store = open_store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.ensure_future(store.append("bakvin", said(1)))
        await asyncio.sleep(0)  # it is queued
        await wait_until(store._queue.empty)
        await asyncio.to_thread(store.close)
        await refused(WriteFailed, waiting)


async def test_a_store_whose_file_is_gone_is_not_well_and_writes_nothing(path: Path):
    store = open_store(path)
    await store.append("bakvin", said(1))
    await store.check_writable()
    path.rename(path.with_name("elsewhere"))  # noqa: ASYNC240 - in no time
    await refused(WriteFailed, store.check_writable(), "deleted or replaced")
    await refused(WriteFailed, store.append("bakvin", said(1, 2)), "deleted or replaced")
    store.close()


FULL = """
import asyncio, resource, sys
from tavola.store import Event, open_store, WriteFailed
store = open_store(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
async def fill():
    await store.check_writable()
    for seq in range(1, 99):
        await store.append("bakvin", [Event(seq, "said", {"text": "x" * 3000})])
for work, failed in ((fill, "full"), (store.check_writable, "not well")):
    try:
        asyncio.run(work())
    except WriteFailed:
        print(failed)
"""
"""A limit on the size of files acts like a full disk."""


@pytest.mark.process
def test_a_store_whose_disk_is_full_is_not_well(path: Path):
    assert run_python(FULL, str(path)) == "full\nnot well"


async def test_a_failing_disk_fails_the_append_and_nothing_else(path: Path):
    with closing(SqliteStore.open(path)) as store:
        await store.append("bakvin", [Event(1, "created")])
        (pages,) = store._writer.execute("PRAGMA page_count").fetchone()
        long = [Event(2, "said", {"text": "x" * 100_000})]
        store._writer.execute(f"PRAGMA max_page_count = {pages}")
        await refused(WriteFailed, store.append("bakvin", long))
        store._writer.execute("PRAGMA max_page_count = 100000")
        await store.append("bakvin", long)
        assert [event.seq for event in store.events("bakvin")] == [1, 2]


def _bytes_read(work: Callable[[], object]) -> int:
    """Return the bytes that this process reads from files while it works."""
    counted = Path("/proc/self/io")
    before = counted.read_text().split()[1]
    work()
    return int(counted.read_text().split()[1]) - int(before)


def _finished(path: Path) -> int:
    """Fill a database with 40 finished matches of 400 events; return its bytes."""
    lines = [Event(seq, "said", {"text": "x" * 200}, None, 1.0) for seq in range(2, 400)]
    log = [Event(1, "created", {}, None, 1.0), *lines, Event(400, "over", {}, None, 1.0)]
    with closing(open_store(path)) as store:
        for room in range(40):
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
    with contextlib.suppress(BadDatabase), closing(open_store(path)) as store:
        for line in store.rooms():
            assert all(isinstance(event, Event) for event in store.events(line.id))


@pytest.mark.process
def test_serving_says_which_sqlite_and_stops_under_a_foreign_lock(path: Path):
    serving = [sys.executable, "-m", "tests.helpers.one_game", "serve", "--port", "0", "--database", str(path)]
    pipe = subprocess.PIPE
    with contextlib.ExitStack() as stopped:
        server = stopped.enter_context(subprocess.Popen(serving, cwd=ROOT, text=True, stdout=pipe, stderr=pipe))
        stopped.callback(server.kill)
        lines = server.stdout.readline() + server.stdout.readline()
        assert sqlite3.sqlite_version in lines
        assert "http://localhost" in lines or "http://127.0.0.1" in lines
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            server.send_signal(signal.SIGTERM)
            _, errors = server.communicate(timeout=PATIENCE)
        assert (server.returncode, errors) == (0, "")


@pytest.mark.process
def test_a_cache_folder_that_cannot_be_made_gets_a_sentence_and_a_substitute(tmp_path: Path):
    (tmp_path / "file").touch()
    arguments = [sys.executable, "-c", "from tavola.core.compilation import cache_folder; print(cache_folder())"]
    found = environment(TAVOLA_CACHE=str(tmp_path / "file" / "cache"))
    done = subprocess.run(arguments, env=found, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert "expected a writable folder for compiled code" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not Path(done.stdout.strip()).exists(), "it went with the process"
