"""Databases as their operators handle them: backup, restore, moving to another kind, deletion, reports."""

import asyncio
import contextlib
import itertools
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tavola.store import Event, Retention, Store, backup, move, open_store, restore
from tavola.store.database_refusals import BadDatabase, BusyDatabase, CorruptDatabase
from tavola.store.sqlite.log_ends import LogEndsFile, log_ends_path
from tests.cli import run
from tests.helpers import ROOT, releases
from tests.helpers.postgres import PostgresServer
from tests.helpers.rooms import wait_until
from tests.store.conftest import asked

ODD = {"text": "\u0000 \U0001f6a3 \\N \t '{}'", "à": [None, 1.5, True]}


@pytest.fixture
def empty(tmp_path: Path, postgres: PostgresServer):
    numbers = itertools.count(1)
    return {"sqlite": lambda: tmp_path / f"d{next(numbers)}.sqlite", "postgresql": postgres.new_database}


def filled(database: Path | str):
    with contextlib.closing(open_store(database)) as store:
        lines = [Event(k, "said", {"n": k}, f"a/{k}", 5.0 + k) for k in range(1, 41)]
        asyncio.run(store.append_batches([(f"room{n}", lines[: n + 1], n % 2 == 1) for n in range(40)]))
        joined = Event(2, "joined", {"id": "ada", "seat": 0}, "ä/1", 1e9 + 0.2)
        asyncio.run(store.append("odd", [Event(1, "created", ODD, at=1e9 + 0.1), joined]))
        return told(store)


def told(store: Store):
    lines = store.rooms()
    return lines, store.rooms(awake=True), {line.id: store.read(line.id) for line in lines}, store.signing_key()


def lies_in(database: Path | str):
    with contextlib.closing(open_store(database)) as store:
        return told(store)


@pytest.mark.parametrize(("one", "other"), list(itertools.product(["sqlite", "postgresql"], repeat=2)))
def test_a_database_moves_to_another_with_all_that_is_in_it(empty: dict[str, Callable[[], Any]], one, other):
    source, target = empty[one](), empty[other]()
    before = filled(source)
    result = run("move", source, target)
    assert result.exit_code == 0, result.output
    assert "41 rooms" in result.output
    assert "postgresql" not in result.output, "an address may hold a password"
    assert lies_in(target) == before == lies_in(source)
    assert {log.fault for log in before[2].values()} == {""}
    with contextlib.closing(open_store(target)) as store:
        if store.cluster is not None:
            assert asyncio.run(store.cluster.rooms_of_person("ada")) == ["odd"]
            assert store.size() > 41 * 150
        asyncio.run(store.append("odd", [Event(3, "said")]))
        assert store.read("odd").fault == ""
    with pytest.raises(BadDatabase, match=r"expected (an empty|no) database"):
        move(source, target)


def files_of(path: Path) -> dict[str, tuple[bytes, int]]:
    """Return content and time of a database and the files beside it."""
    return {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in path.parent.glob(f"{path.name}*")}


def test_commands_that_only_read_leave_nothing_beside_a_database(path: Path, tmp_path: Path):
    filled(path)
    before, copies = files_of(path), tmp_path / "copies"
    copies.mkdir()
    asking = [(name, "--database", path) for name in ("reports", "prune")]
    for words in (*asking, ("backup", copies / "copy", "--database", path), ("move", path, copies / "moved")):
        result = run(*words)
        assert result.exit_code == 0, result.output
        assert files_of(path) == before, words
    with contextlib.closing(open_store(path)) as store:
        written = files_of(path).keys()
        assert run(*asking[0]).exit_code == 0
        assert files_of(path).keys() == written
        asyncio.run(store.append("odd", [Event(3, "said")]))


@pytest.mark.parametrize("release", releases.listed("sqlite"), ids=str)
def test_a_move_from_an_earlier_release_leaves_its_database_as_it_is(release: releases.Release, tmp_path: Path):
    path, target = tmp_path / "tavola.sqlite", tmp_path / "moved" / "tavola.sqlite"
    release.unpack(path)
    target.parent.mkdir()
    before = path.read_bytes()
    rooms = move(path, target)
    assert {each.name for each in tmp_path.iterdir()} == {path.name, f"{path.name}-lock", "moved"}
    assert path.read_bytes() == before
    assert rooms == len(lies_in(target)[0]) > 0
    assert lies_in(target)[:3] == lies_in(path)[:3]


def test_a_move_knows_the_faults_that_the_log_ends_reveal(path: Path, tmp_path: Path):
    filled(path)
    before = path.read_bytes()
    ends = LogEndsFile(log_ends_path(path), {})
    ends.record([("odd", 3, "00")])
    ends.close(None)
    move(path, tmp_path / "moved.sqlite")
    assert path.read_bytes() == before
    assert lies_in(tmp_path / "moved.sqlite")[2]["odd"].fault == "events 3 to 3 are missing"


def test_a_database_in_use_cannot_be_moved(empty: dict[str, Callable[[], Any]]):
    path, url, other = empty["sqlite"](), empty["postgresql"](), empty["postgresql"]()
    filled(path)
    filled(url)
    with contextlib.closing(open_store(path)), pytest.raises(BusyDatabase):
        move(path, other)
    for served, source, target in ((url, url, empty["sqlite"]()), (other, path, other)):
        with contextlib.closing(open_store(served)) as serving:
            asyncio.run(serving.cluster.heartbeat())
            with pytest.raises(BusyDatabase, match="no server is using"):
                move(source, target)
            assert run("prune", "--database", served, "--yes").exit_code == 2
    assert lies_in(other)[0] == []


def test_what_does_not_hold_is_not_copied(empty: dict[str, Callable[[], Any]], tmp_path: Path):
    """Each room is deleted when its fault has been found, and another has the next."""
    url, other, path = empty["postgresql"](), empty["postgresql"](), empty["sqlite"]()
    filled(url)
    changes = {
        "room9": "UPDATE event SET body = replace(body, 'n', 'm') WHERE room = 'room9' AND seq = 3",
        "room10": "DELETE FROM event WHERE room = 'room10' AND seq = 11",
        "room11": "DELETE FROM event WHERE room = 'room11' AND seq = 5",
        "room12": "UPDATE room SET seq = 9 WHERE id = 'room12'",
    }
    for room, changed in changes.items():
        asked(url, changed)
        for copied in (lambda: move(url, other), lambda: move(url, path), lambda: backup(url, tmp_path / "copy")):
            with pytest.raises(CorruptDatabase, match=room):
                copied()
        asked(url, "DELETE FROM event WHERE room = %s", room)
        asked(url, "DELETE FROM room WHERE id = %s", room)
    assert lies_in(other)[0] == []
    assert not (tmp_path / "copy").exists()
    assert not path.exists() or path.stat().st_size == 0


@pytest.mark.process
async def test_a_backup_of_a_database_in_use_is_of_one_moment(database: Path | str, tmp_path: Path):
    copy = tmp_path / "copies" / "tavola.backup"
    copy.parent.mkdir()
    arguments = [sys.executable, "-m", "tavola", "backup", str(copy), "--database", str(database)]
    with contextlib.closing(open_store(database)) as store:
        secret, done = store.signing_key(), asyncio.Event()

        async def write():
            for seq in itertools.takewhile(lambda seq: not done.is_set(), itertools.count(1)):
                await store.append_batches([(room, [Event(seq, "said")], True) for room in ("bakvin", "talvin")])

        writing = asyncio.ensure_future(write())
        await wait_until(lambda: len(store.events("bakvin")) > 20)
        made = await asyncio.to_thread(lambda: subprocess.run(arguments, cwd=ROOT, capture_output=True, check=False))
        done.set()
        await writing
    assert made.returncode == 0, made.stderr
    lines, _, logs, key = lies_in(copy)
    assert lines[0].seq == lines[1].seq >= 20, "both rooms as they were together"
    assert ({log.fault for log in logs.values()}, key) == ({""}, secret)


def test_a_damaged_backup_is_refused_and_nothing_is_replaced(tmp_path: Path):
    path, copy = tmp_path / "t.sqlite", tmp_path / "copy"
    before = filled(path)
    backup(path, copy)
    copy.write_bytes(copy.read_bytes().replace(b'"n":39', b'"n":38'))
    with pytest.raises(CorruptDatabase):
        restore(copy, path)
    assert lies_in(path) == before
    refused = run("backup", tmp_path / "nowhere" / "copy", "--database", path)
    assert (refused.exit_code, "expected a file that can be written" in refused.output) == (2, True)


def test_a_backup_of_a_file_comes_back_on_a_server_that_is_empty(empty: dict[str, Callable[[], Any]], tmp_path: Path):
    path, url, copy = empty["sqlite"](), empty["postgresql"](), tmp_path / "copy"
    before = filled(path)
    backup(path, copy)
    assert run("restore", copy, "--database", url).exit_code == 0
    assert lies_in(url) == before
    with pytest.raises(BadDatabase, match="expected an empty database, found 41 rooms"):
        restore(copy, url)
    assert lies_in(url) == before


def test_unfinished_rooms_are_deleted_after_their_retention(database: Path | str):
    now, day = time.time(), 24 * 3600
    rooms = {
        "never": ["created", "joined"],
        "unfinished": ["created", "started", "said"],
        "finished": ["created", "started", "over"],
        "imported": ["created", "imported"],
    }
    rule = Retention(unfinished=14 * day)
    with contextlib.closing(open_store(database)) as store:
        for room, kinds in rooms.items():
            asyncio.run(store.append(room, [Event(n, kind, at=now - 21 * day) for n, kind in enumerate(kinds, 1)]))
        asyncio.run(store.append("fresh", [Event(1, "created", at=now)]))
        found = store.prunable_rooms(rule, now)
        assert {old.line.id: old.why for old in found} == {"never": "never started", "unfinished": "unfinished"}
        assert [old.line.id for old in store.prunable_rooms(rule, now, spare=["never"])] == ["unfinished"]
        asyncio.run(store.append("never", [Event(3, "said", at=now)]))
        asyncio.run(store.delete_rooms([old.line for old in found]))
        assert {line.id for line in store.rooms()} == {"finished", "fresh", "imported", "never"}
        assert store.read("unfinished") == ([], "")
        begun = [Event(seq, kind, at=now - 20 * day) for seq, kind in enumerate(("created", "started"), 1)]
        asyncio.run(store.append("unfinished", begun))
        asyncio.run(store.append("old", [Event(1, "created", at=now - 19 * day)]))
    arguments = ("prune", "--database", database, "--unfinished", "14")
    listed = run(*arguments)
    assert listed.exit_code == 0
    *rows, summary = listed.output.splitlines()
    shown = [(row.split()[0], row.split("events  ")[-1]) for row in rows]
    assert shown == [("unfinished", "unfinished"), ("old", "never started")]
    assert summary == "2 rooms would be deleted; use --yes to delete them"
    assert "2 rooms deleted" in run(*arguments, "--yes").output
    assert {line.id for line in lies_in(database)[0]} == {"finished", "fresh", "imported", "never"}


def test_a_full_database_is_held_to_its_size_by_the_oldest_rooms_of_the_person_with_the_most(database: Path | str):
    """An old match of a person with only this one stays."""
    with contextlib.closing(open_store(database)) as store:
        rooms = [
            (room, [Event(1, "created", {"maker": maker}, at=at), Event(2, "over", {"text": "x" * 4000}, at=at)], False)
            for room, maker, at in [("honest", "ada", 1.0), *((f"room{n}", "flood", n + 2.0) for n in range(200))]
        ]
        asyncio.run(store.append_batches(rooms))
        gone = store.prunable_rooms(Retention(largest=500_000), 0.0)
        assert [old.line.id for old in gone] == [f"room{n}" for n in range(len(gone))]
        asyncio.run(store.delete_rooms([old.line for old in gone]))
        assert store.size() <= 500_000
        assert len(store.rooms()) > 30


def test_reports_are_listed_newest_first_even_within_the_same_minute(database: Path | str):
    with contextlib.closing(open_store(database)) as store:
        for number, name in enumerate(("Ada", "Bruno"), 1):
            body = {"id": "x", "speaker": 1, "lines": [{"name": name, "text": f"buy {number}", "at": 5.0}]}
            events = [Event(1, "created", at=1.0), Event(2, "reported", body, at=100.0 + number)]
            asyncio.run(store.append(f"room{number}", events, awake=False))
        assert [(report.room, report.about) for report in store.reports(10)] == [("room2", "Bruno"), ("room1", "Ada")]
        assert [report.lines[0].text for report in store.reports(1)] == ["buy 2"]
    told = run("reports", "--database", database).output
    assert told.index("Bruno: buy 2") < told.index("Ada: buy 1")
    assert told.endswith("2 reports\n")
