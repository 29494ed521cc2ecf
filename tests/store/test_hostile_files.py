"""Changes to files behind a site's back: links, damage, foreign locks, full disks, and copies."""

import asyncio
import contextlib
import itertools
import os
import shutil
import signal
import sqlite3
import stat
import struct
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from tavola.cli import main
from tavola.store import (
    BadDatabase,
    BadSigningKey,
    BusyDatabase,
    CorruptDatabase,
    Event,
    Log,
    WriteFailed,
    backup,
    open_store,
    restore,
)
from tavola.store.signing_key import load_signing_key
from tavola.store.sqlite.store import SqliteStore
from tests.helpers import PATIENCE, ROOT, wait_for
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


def tavola(*arguments):
    result = CliRunner().invoke(main, list(map(str, arguments)))
    return result.exit_code, result.output


# 7: one file, one server, one writer


def test_a_link_to_the_database_is_the_same_database(path: Path):
    link = path.with_name("link.sqlite")
    link.symlink_to(path)
    with closing(open_store(path)), pytest.raises(BusyDatabase, match="no other program has open"):
        open_store(link)


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
        log = path.with_name(path.name + "-wal").stat().st_size
        with pytest.raises(sqlite3.OperationalError):
            connection.execute("PRAGMA query_only = OFF").execute("DELETE FROM event")
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert path.with_name(path.name + "-wal").stat().st_size == log, "a reader has reset the log"


# 8: the key


@pytest.mark.parametrize("content", [b"", b"\0" * 32, b"x" * 32, bytes(range(7)), bytes(range(33))])
def test_a_damaged_key_is_refused(path: Path, content):
    load_signing_key(path)
    (key,) = path.parent.glob("*.secret")
    key.write_bytes(content)
    with pytest.raises(BadSigningKey, match="key"):
        load_signing_key(path)


def test_the_key_is_synced_before_it_has_its_name(path: Path, monkeypatch: pytest.MonkeyPatch):
    done = []
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda handle: (done.append("sync"), sync(handle))[1])
    monkeypatch.setattr(Path, "replace", lambda old, new: (done.append("name"), replace(old, new))[1])
    assert len(load_signing_key(path)) == 32
    assert done[:2] == ["sync", "name"]


def test_database_and_key_are_readable_only_by_their_owner(path: Path):
    filled(path)
    path.chmod(0o666)
    before = os.umask(0)
    try:
        with closing(open_store(path)) as store:
            load_signing_key(path)
            asyncio.run(store.append("solrum", said(3)))
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert len(modes) >= 4, modes
    assert {mode for name, mode in modes.items() if not name.endswith("-lock-journal")} == {0o600}, modes


# 9: damage


def crashed(path: Path):
    """Leave a store as a killed server does: twenty events a room, one commit each, all in the write-ahead log."""
    script = (
        "import asyncio, os, sys\nfrom tavola.store import Event, open_store\nstore = open_store(sys.argv[1])\n"
        "async def fill():\n"
        "    for seq in range(1, 21):\n"
        "        for room in ('bakvin', 'talvin'):\n"
        "            await store.append(room, [Event(seq, 'said', {'text': f'line {seq} of {room} ' + 'x' * 40})])\n"
        "    await store.append('solrum', [Event(1, 'said')])\n"
        "asyncio.run(fill())\nos._exit(9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], cwd=ROOT, timeout=PATIENCE, check=False)
    assert done.returncode == 9


@pytest.mark.process
def test_after_a_kill_a_log_is_whole_and_a_damaged_write_ahead_log_is_noticed(path: Path):
    """SQLite takes the part before the damage for the whole."""
    killed, damaged = path.parent / "killed", path.parent / "damaged"
    killed.mkdir()
    crashed(killed / path.name)
    shutil.copytree(killed, damaged)
    assert [(len(log.events), log.fault) for log in logs_of(killed / path.name, "bakvin", "solrum")] == [
        (20, ""),
        (1, ""),
    ]
    log = damaged / f"{path.name}-wal"
    content = bytearray(log.read_bytes())
    size = 24 + struct.unpack(">I", content[8:12])[0]
    at = 32 + (len(content) // size // 2) * size + 500
    content[at : at + 64] = b"\xaa" * 64
    log.write_bytes(content)
    bakvin, talvin, solrum = logs_of(damaged / path.name, "bakvin", "talvin", "solrum")
    assert 0 < len(bakvin.events) < 20
    assert "to 20 are missing" in bakvin.fault
    assert "to 20 are missing" in talvin.fault
    assert "missing" in solrum.fault
    assert "to 20 are missing" in logs_of(damaged / path.name, "bakvin")[0].fault, "it is still known after a good end"


def test_a_database_of_the_first_version_opens_and_gets_its_checksums(path: Path):
    change(path, f"PRAGMA application_id = {0x7461766F}; {VERSION_1}")
    with closing(open_store(path)) as store:
        events = [Event(1, "created", {"à": 1}, "a/1", 4.5), Event(2, "said", {}, None, 5.0)]
        assert store.read("bakvin") == (events, "")
        asyncio.run(store.append("bakvin", said(1, 3)))
        assert store.read("bakvin").fault == ""
    change(path, "UPDATE event SET body = '{\"b\": 1}' WHERE seq = 1")
    assert logs_of(path, "bakvin")[0].events == []


# 9: copies


@pytest.mark.process
def test_a_backup_is_made_while_others_write_and_comes_back(path: Path, tmp_path: Path):
    secret, copy = load_signing_key(path), tmp_path / "copy" / "tavola.backup"
    copy.parent.mkdir()
    stop = threading.Event()

    async def write():
        for seq in itertools.takewhile(lambda seq: not stop.is_set(), itertools.count(1)):
            await store.append_batches([(room, said(1, seq), True) for room in ("bakvin", "talvin")])

    with closing(open_store(path)) as store:
        writer = threading.Thread(target=lambda: asyncio.run(write()))
        writer.start()
        try:
            wait_for(store.rooms)
            arguments = [sys.executable, "-m", "tavola", "backup", str(copy), "--database", str(path)]
            done = subprocess.run(arguments, cwd=ROOT, capture_output=True, timeout=PATIENCE, check=False)
        finally:
            stop.set()
            writer.join()
    assert done.returncode == 0, done.stderr
    assert b"2 rooms" in done.stdout
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    path.unlink()
    path.with_name(path.name + ".secret").unlink()
    assert tavola("restore", copy, "--database", path)[0] == 0
    bakvin, talvin = logs_of(path, "bakvin", "talvin")
    assert bakvin.fault == talvin.fault == ""
    assert len(bakvin.events) == len(talvin.events) > 0
    assert load_signing_key(path) == secret


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
    assert (len(log.events), log.fault) == (20, "")
    assert len(logs_of(kept, "bakvin")[0].events) == 25


def test_a_damaged_backup_is_refused_and_nothing_is_replaced(path: Path, tmp_path: Path):
    filled(path)
    copy = tmp_path / "copy"
    backup(path, copy)
    content = copy.read_bytes()
    copy.write_bytes(content.replace(b"line 12", b"lies 12"))
    with pytest.raises(CorruptDatabase):
        restore(copy, path)
    assert logs_of(path, "bakvin")[0].fault == ""
    code, said_so = tavola("backup", tmp_path / "nowhere" / "copy", "--database", path)
    assert code == 2
    assert "expected a file that can be written" in said_so


# 9: foreign locks, full disks, missing files


async def test_stopping_under_a_foreign_lock_ends(path: Path):
    store = open_store(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.ensure_future(store.append("bakvin", said(1)))
        await asyncio.sleep(0.05)
        await asyncio.to_thread(store.close)
        with pytest.raises(WriteFailed):
            await waiting


async def test_a_store_whose_file_is_gone_is_not_well_and_writes_nothing(path: Path):
    store = open_store(path)
    await store.append("bakvin", said(1))
    await store.check_writable()
    path.rename(path.with_name("elsewhere"))  # noqa: ASYNC240 - in no time
    with pytest.raises(WriteFailed, match="deleted or replaced"):
        await store.check_writable()
    with pytest.raises(WriteFailed, match="deleted or replaced"):
        await store.append("bakvin", said(1, 2))
    store.close()


@pytest.mark.process
def test_a_store_whose_disk_is_full_is_not_well(path: Path):
    """A limit on the size of files acts like a full disk."""
    script = (
        "import asyncio, resource, signal, sys\nfrom tavola.store import Event, open_store, WriteFailed\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nstore = open_store(sys.argv[1])\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))\n"
        "async def fill():\n"
        "    await store.check_writable()\n"
        "    for seq in range(1, 99):\n"
        "        await store.append('bakvin', [Event(seq, 'said', {'text': 'x' * 3000})])\n"
        "try:\n    asyncio.run(fill())\nexcept WriteFailed:\n    print('full')\n"
        "try:\n    asyncio.run(store.check_writable())\nexcept WriteFailed:\n    print('not well')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], cwd=ROOT, timeout=PATIENCE, capture_output=True, check=True
    )
    assert done.stdout.split() == [b"full", b"not", b"well"]


# Other cases


@pytest.mark.process
def test_serving_says_which_sqlite_and_stops_under_a_foreign_lock(path: Path):
    serving = [sys.executable, "-m", "tests.helpers.one_game", "serve", "--port", "0", "--database", str(path)]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(serving, cwd=ROOT, text=True, stdout=pipe, stderr=pipe) as server,
        contextlib.ExitStack() as stopped,
    ):
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
    environment = {**os.environ, "TAVOLA_CACHE": str(tmp_path / "file" / "cache")}
    arguments = [sys.executable, "-c", "from tavola.core.compilation import cache_folder; print(cache_folder())"]
    done = subprocess.run(
        arguments, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert "expected a writable folder for compiled code" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not Path(done.stdout.strip()).exists(), "it went with the process"
