"""The store in a file and in PostgreSQL: group commits, readers, cancelled callers, and changes behind its back.

What it keeps and refuses is compared with a plain list in `test_properties`.
"""

import asyncio
import contextlib
import os
import threading
from pathlib import Path

import pytest

from tavola.store import Conflict, Event, Store, WriteFailed, open_reader, open_store
from tests.helpers.rooms import refused, wait_until
from tests.store.conftest import change, held_up


@pytest.fixture
def store(database: Path | str):
    with contextlib.closing(open_store(database)) as store:
        yield store


async def test_conflicts_and_failing_work_spoil_nothing_else_in_their_group(store: Store):
    """The writer is held up, so that all of it shares one commit; appends to one room may wait together."""

    def fail(execute):
        execute("DELETE FROM room")
        raise KeyError("a fault of this work")

    appends = [store.append(f"room{k % 5}", [Event(1, "created")]) for k in range(10)]
    rows = [store.append("bakvin", [Event(seq, "said"), Event(seq + 1, "said")]) for seq in range(1, 21, 2)]
    async with held_up(store, 21):
        waiting = asyncio.gather(*appends, store.transact(fail), *rows, return_exceptions=True)
    outcomes = await waiting
    fine = type(None)
    assert [type(outcome) for outcome in outcomes] == [fine] * 5 + [Conflict] * 5 + [WriteFailed] + [fine] * 10
    assert (len(store.rooms()), len(store.read("bakvin").events), store.read("bakvin").fault) == (6, 20, "")


async def test_what_queues_up_shares_a_commit(store: Store):
    async with held_up(store, 200) as commits:
        appends = asyncio.gather(*(store.append(f"room{k}", [Event(1, "created")]) for k in range(200)))
    await appends
    assert sum(commits) == 200
    assert len(commits) <= 4, commits
    assert len(store.rooms()) == 200


async def test_readers_see_commits_while_others_are_written(store: Store):
    """Every read returns a whole prefix of the log, in any thread, whatever the writer does."""
    done, readings = threading.Event(), []

    def read():
        while not done.is_set():
            readings.append([event.seq for event in store.events("bakvin")])

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    await wait_until(lambda: readings)
    for seq in range(1, 60, 2):
        await store.append("bakvin", [Event(seq, "said"), Event(seq + 1, "said")])
        assert len(store.events("bakvin")) == seq + 1
    done.set()
    for thread in threads:
        thread.join()
    assert readings
    assert all(seqs == list(range(1, len(seqs) + 1)) and len(seqs) % 2 == 0 for seqs in readings)


async def test_a_cancelled_caller_does_not_affect_other_appends(store: Store):
    first = asyncio.ensure_future(store.append("bakvin", [Event(1, "created")]))
    await asyncio.sleep(0)
    first.cancel()
    await store.append("talvin", [Event(1, "created")])
    assert [line.id for line in store.rooms()] == ["bakvin", "talvin"]


async def test_closing_writes_what_is_queued_and_leaves_one_file(store: Store, database: Path | str, tmp_path: Path):
    appends = [asyncio.ensure_future(store.append(f"room{k}", [Event(1, "created")])) for k in range(50)]
    await asyncio.sleep(0)
    await asyncio.to_thread(store.close)
    await asyncio.gather(*appends)
    store.close()
    await refused(WriteFailed, store.append("bakvin", [Event(1, "created")]), "closed")
    with pytest.raises(WriteFailed, match="closed"):
        store.events("bakvin")
    assert [name for name in os.listdir(tmp_path) if "wal" in name or "shm" in name] == []
    with contextlib.closing(open_reader(database)) as reading:
        assert all(reading.events(f"room{k}") == [Event(1, "created")] for k in range(50))


CHANGES = (
    "UPDATE event SET body = replace(body, 'line', 'lies') WHERE room = 'room0' AND seq = 12",
    "UPDATE event SET at = 7 WHERE room = 'room1' AND seq = 12",
    "UPDATE event SET kind = 'left' WHERE room = 'room2' AND seq = 12",
    "DELETE FROM event WHERE room = 'room3' AND seq = 12",
    "DELETE FROM event WHERE room = 'room4' AND seq >= 12",
    "UPDATE event SET checksum = substr(checksum, 2) WHERE room = 'room5' AND seq = 12",
)
"""Each in a room of its own."""


def test_an_event_changed_behind_its_back_ends_what_is_trusted(database: Path | str):
    events = [Event(seq, "said", {"text": f"line {seq}"}) for seq in range(1, 21)]
    changed = [f"room{number}" for number in range(len(CHANGES))]
    with contextlib.closing(open_store(database)) as store:
        asyncio.run(store.append_batches([(room, events, True) for room in (*changed, "talvin")]))
        for each in CHANGES:
            change(database, each)
        logs = [store.read(room) for room in changed]
    with contextlib.closing(open_store(database)) as store:
        logs += [store.read(room) for room in changed]
        assert store.read("talvin") == (events, "")
    for log in logs:
        assert log.events == events[:11]
        assert log.fault


def test_whatever_is_asked_for_there_is_no_such_room(store: Store):
    for asked in ("", "\0", "bak\0vin", "\ud800", "'; DROP TABLE event; --", "x" * 100_000):
        assert (*store.read(asked), store.events(asked)) == ([], "", [])


async def test_only_what_cannot_be_written_fails(store: Store):
    """Names and chat come from outside."""
    await refused(WriteFailed, store.append("bakvin", [Event(1, "said", {"text": "\ud800"})]))
    odd = {"text": "\u0000 \U0001f6a3 ' \" \\ { } NULL", "name": "{,}"}
    await store.append("bakvin", [Event(1, "said", odd, command_id='{"NULL",\\}')])
    assert store.read("bakvin") == ([Event(1, "said", odd, command_id='{"NULL",\\}')], "")
