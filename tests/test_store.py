"""The store: what it acknowledges is on disk, what clashes is not written, what is not its file is refused."""

import asyncio
import os
import sqlite3
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from live_rooms import eventually, in_loop

from tavola.store import (
    BadDatabase,
    BusyDatabase,
    Conflict,
    CorruptDatabase,
    Event,
    ForeignDatabase,
    NewerDatabase,
    Store,
    WriteFailed,
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tavola.sqlite"


@pytest.fixture
def store(path):
    store = Store.open(path)
    yield store
    store.close()


def on_disk(path):
    """What another connection reads: only what was committed."""
    connection = sqlite3.connect(path)
    try:
        return connection.execute("SELECT room, seq, kind, command_id FROM event ORDER BY room, seq").fetchall()
    finally:
        connection.close()


@in_loop
async def test_what_is_acknowledged_is_committed(store, path):
    await store.append("bakvin", [Event(1, "created", {"à": ["é", 1, None]}, "a/1", 5.0), Event(2, "joined")])
    assert on_disk(path) == [("bakvin", 1, "created", "a/1"), ("bakvin", 2, "joined", None)]
    assert store.events("bakvin") == [Event(1, "created", {"à": ["é", 1, None]}, "a/1", 5.0), Event(2, "joined")]
    assert store.events("bakvin", after=1) == [Event(2, "joined")]
    assert store.events("nobody") == []


@in_loop
async def test_commits_survive_a_power_cut(store):
    """SQLite promises it for a synced write-ahead log, and for nothing less."""
    assert store._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._writer.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("seqs", [[1], [2, 2], [3], [4, 3], [2, 4], []])
@in_loop
async def test_events_must_follow_the_log(store, seqs):
    await store.append("bakvin", [Event(1, "created")])
    with pytest.raises(Conflict):
        await store.append("bakvin", [Event(seq, "said") for seq in seqs])
    assert store.events("bakvin") == [Event(1, "created")]
    await store.append("bakvin", [Event(2, "said")])


@in_loop
async def test_a_command_is_in_a_room_once(store):
    await store.append("bakvin", [Event(1, "created", command_id="a/1")])
    with pytest.raises(Conflict):
        await store.append("bakvin", [Event(2, "said"), Event(3, "said", command_id="a/1")])
    await store.append("talvin", [Event(1, "created", command_id="a/1")])
    await store.append("bakvin", [Event(2, "said", command_id=None), Event(3, "said", command_id=None)])
    assert [event.seq for event in store.events("bakvin")] == [1, 2, 3]


@in_loop
async def test_several_rooms_together_or_not_at_all(store):
    await store.append("bakvin", [Event(1, "created")])
    with pytest.raises(Conflict):
        await store.append_together([("talvin", [Event(1, "created")], True), ("bakvin", [Event(1, "created")], True)])
    assert store.events("talvin") == []
    await store.append_together([("talvin", [Event(1, "created")], True), ("bakvin", [Event(2, "rematch")], False)])
    assert [line.id for line in store.rooms()] == ["bakvin", "talvin"]


@in_loop
async def test_a_conflict_spoils_nothing_else_in_its_group(store):
    """Hold the writer up, so that good and bad appends share one commit."""
    release = threading.Event()
    commit = store._commit
    store._commit = lambda group: (release.wait(5), commit(group))
    appends = [store.append(f"room{k % 5}", [Event(1, "created")]) for k in range(10)]
    waiting = asyncio.gather(*appends, return_exceptions=True)
    await asyncio.sleep(0.01)
    release.set()
    outcomes = await waiting
    assert [type(outcome) for outcome in outcomes] == [type(None)] * 5 + [Conflict] * 5
    assert len(store.rooms()) == 5


@in_loop
async def test_what_queues_up_shares_a_commit(store):
    commits, commit, gate = [], store._commit, threading.Event()
    store._commit = lambda group: (commits.append(len(group)), gate.wait(20), commit(group))
    appends = asyncio.gather(*(store.append(f"room{k}", [Event(1, "created")]) for k in range(200)))
    await eventually(lambda: commits and commits[0] + store._queue.qsize() == 200)
    gate.set()
    await appends
    assert sum(commits) == 200
    assert len(commits) <= 4, commits
    assert len(store.rooms()) == 200


@in_loop
async def test_a_failing_disk_fails_the_append_and_nothing_else(path):
    store = Store.open(path)
    await store.append("bakvin", [Event(1, "created")])
    pages = store._writer.execute("PRAGMA page_count").fetchone()[0]
    store._writer.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(WriteFailed):
        await store.append("bakvin", [Event(2, "said", {"text": "x" * 100_000})])
    store._writer.execute("PRAGMA max_page_count = 100000")
    await store.append("bakvin", [Event(2, "said", {"text": "x" * 100_000})])
    store.close()
    assert [row[1] for row in on_disk(path)] == [1, 2]


@in_loop
async def test_readers_see_commits_while_others_are_written(store):
    """Every reading is a whole prefix of the log, from any thread, whatever the writer is at."""
    done, readings = threading.Event(), []

    def read():
        while not done.is_set():
            readings.append([event.seq for event in store.events("bakvin")])

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for seq in range(1, 60, 2):
        await store.append("bakvin", [Event(seq, "said"), Event(seq + 1, "said")])
        assert len(store.events("bakvin")) == seq + 1
    done.set()
    for thread in threads:
        thread.join()
    assert readings
    assert all(seqs == list(range(1, len(seqs) + 1)) and len(seqs) % 2 == 0 for seqs in readings)


@in_loop
async def test_rooms_are_listed_newest_first_and_by_what_they_await(store):
    await store.append("bakvin", [Event(1, "created", at=1.0)], awake=True)
    await store.append("talvin", [Event(1, "created", at=2.0)], awake=False)
    await store.append("bakvin", [Event(2, "said", at=3.0)], awake=True)
    assert store.rooms() == [("bakvin", 2, 3.0), ("talvin", 1, 2.0)]
    assert store.rooms(awake=True) == [("bakvin", 2, 3.0)]


def test_closing_writes_what_is_queued_and_leaves_one_file(path):
    async def write():
        return [asyncio.ensure_future(store.append(f"room{k}", [Event(1, "created")])) for k in range(50)]

    async def write_and_close():
        appends = await write()
        await asyncio.sleep(0)
        await asyncio.to_thread(store.close)
        await asyncio.gather(*appends)

    store = Store.open(path)
    asyncio.run(write_and_close())
    store.close()
    assert len(on_disk(path)) == 50
    assert {name for name in os.listdir(path.parent) if "wal" in name or "shm" in name} == set()


@in_loop
async def test_a_closed_store_says_so(path):
    store = Store.open(path)
    store.close()
    with pytest.raises(WriteFailed, match="closed"):
        await store.append("bakvin", [Event(1, "created")])
    with pytest.raises(WriteFailed, match="closed"):
        store.events("bakvin")


@in_loop
async def test_what_cannot_be_written_is_refused_and_the_writer_goes_on(store):
    with pytest.raises(WriteFailed):
        await store.append("bakvin", [Event(1, "said", {"text": "\ud800"})])
    await store.append("talvin", [Event(1, "created")])
    assert [line.id for line in store.rooms()] == ["talvin"]


@in_loop
async def test_a_cancelled_caller_harms_nobody(store):
    first = asyncio.ensure_future(store.append("bakvin", [Event(1, "created")]))
    await asyncio.sleep(0)
    first.cancel()
    await store.append("talvin", [Event(1, "created")])
    assert [line.id for line in store.rooms()] == ["bakvin", "talvin"]


def test_reopening_finds_everything(path):
    store = Store.open(path)
    asyncio.run(store.append("bakvin", [Event(1, "created")]))
    store.close()
    store = Store.open(path)
    assert store.events("bakvin") == [Event(1, "created")]
    store.close()


def test_two_servers_on_one_file_are_refused(store, path):
    with pytest.raises(BusyDatabase, match="nobody else has open"):
        Store.open(path)
    store.close()
    Store.open(path).close()


# Files that cannot serve


def test_a_file_that_is_no_database(path):
    path.write_bytes(b"Dear diary, today I went to sea." * 100)
    with pytest.raises(CorruptDatabase, match="sound Tavola database"):
        Store.open(path)
    assert path.read_bytes().startswith(b"Dear diary")


def test_a_database_of_another_program(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(ForeignDatabase, match="another program"):
        Store.open(path)


def test_a_database_of_a_later_version(path):
    Store.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute("UPDATE version SET number = 99")
    connection.commit()
    connection.close()
    with pytest.raises(NewerDatabase, match="found version 99"):
        Store.open(path)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(BadDatabase):
        Store.open(tmp_path / "nowhere" / "tavola.sqlite")


def _filled(path):
    store = Store.open(path)
    batches = [(f"room{k}", [Event(n, "said", {"text": "x" * 50}) for n in range(1, 30)], True) for k in range(20)]
    asyncio.run(store.append_together(batches))
    store.close()
    return path.read_bytes()


def test_a_truncated_database(path):
    path.write_bytes(_filled(path)[:20_000])
    with pytest.raises(CorruptDatabase):
        Store.open(path)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_damaged_database_is_refused_or_read_in_order(tmp_path_factory, data):
    """Whatever bytes are overwritten: a typed refusal, or events of the right form, never a crash."""
    path = tmp_path_factory.mktemp("damaged") / "tavola.sqlite"
    content = bytearray(_filled(path))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 64))
        content[at : at + 64] = data.draw(st.binary(min_size=64, max_size=64))
    path.write_bytes(content)
    try:
        store = Store.open(path)
    except BadDatabase:
        return
    try:
        for line in store.rooms():
            assert all(isinstance(event, Event) for event in store.events(line.id))
    except BadDatabase:
        pass
    finally:
        store.close()
