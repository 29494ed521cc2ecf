"""Backups that are kept, sent, verified and restored; what an update would affect."""

import asyncio
import contextlib
import logging
import shutil
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tavola
from tavola.store import BadDatabase, Event, NewerDatabase, backup, backup_and_rotate, open_store
from tavola.store.postgres import schema
from tavola.store.sqlite.schema import VERSION
from tests.cli import answer, check_answer
from tests.helpers import releases
from tests.helpers.postgres import PostgresServer
from tests.helpers.releases import Release
from tests.store.conftest import change

RELEASES = releases.listed("sqlite")
KEYLESS = "without a key: after a restore every visitor is a new guest"


def fill(database: Path | str):
    """Write ten rooms of three events each."""
    with contextlib.closing(open_store(database)) as store:
        batches = [(f"room{n}", [Event(k, "said", {"n": n}, at=1.0) for k in (1, 2, 3)], False) for n in range(10)]
        asyncio.run(store.append_batches(batches))
        store.signing_key()


@pytest.fixture
def filled(path: Path):
    fill(path)
    return path


def content(database: Path | str):
    with contextlib.closing(open_store(database)) as store:
        return {f"room{n}": store.read(f"room{n}") for n in range(10)}, store.signing_key()


def kept(folder: Path):
    return sorted(path.name for path in folder.glob("site-*") if path.suffix != ".secret" and path.is_file())


def test_backups_have_names_of_their_own_and_the_oldest_are_deleted(database: Path | str, tmp_path: Path):
    fill(database)
    folder = tmp_path / "backups"
    folder.mkdir()
    stem, newer = folder / "site", [f"site-20250102-000000{ending}" for ending in ("", "-2", "-10")]
    backup(database, folder / "site-20250101-000000")
    others = ("site-before-update", "site-20250101-000000x", "sites-20250101-000000", "other-20250101-000000")
    for name in (*newer, *others):
        shutil.copy(folder / "site-20250101-000000", folder / name)
    (folder / "site-20250103-000000").write_text("a text of someone else")
    (folder / "site-20250104-000000").mkdir()
    (folder / "site-20250105-000000").symlink_to(folder / "other-20250101-000000")
    strange = {path.name for path in folder.iterdir()} - {"site-20250101-000000", "site-20250101-000000.secret"}
    code, output = answer("backup", stem, "--keep", 4, "--database", database)
    first, *deleted = output.splitlines()
    assert (code, deleted) == (0, [f"{folder}/site-20250101-000000: deleted"])
    assert first.endswith(": 10 rooms")
    new = Path(first.partition(": ")[0])
    assert {path.name for path in folder.iterdir()} == strange | {new.name, f"{new.name}.secret"}
    assert content(new) == content(database)
    assert stat.S_IMODE(new.stat().st_mode) == 0o600
    code, output = answer("backup", stem, "--keep", 1, "--database", database)
    told = [line.rpartition("/")[2] for line in output.splitlines()[1:]]
    assert told == [f"{name}: deleted" for name in (*newer, new.name)]
    assert {*others, "site-20250103-000000"} <= {path.name for path in folder.iterdir()}


def test_a_backup_that_fails_deletes_none(filled: Path, tmp_path: Path):
    assert answer("backup", tmp_path / "site", "--keep", 1, "--database", filled)[0] == 0
    before = kept(tmp_path)
    change(filled, "UPDATE event SET body = '{}' WHERE room = 'room3' AND seq = 2")
    check_answer(2, "room3", "backup", tmp_path / "site", "--keep", 1, "--database", filled)
    assert kept(tmp_path) == before
    for stem, count in ((tmp_path / "nowhere" / "site", 1), (tmp_path / "site", 0)):
        assert answer("backup", stem, "--keep", count, "--database", filled)[0] == 2


def test_simultaneous_backups_are_all_kept(filled: Path, tmp_path: Path):
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: backup_and_rotate(filled, tmp_path / "site", 9), range(4)))
    assert sorted(rotated.file.name for rotated in made) == kept(tmp_path)
    assert len(kept(tmp_path)) == 4


def script(path: Path, text: str):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.process
def test_a_program_gets_the_finished_backup_and_its_key_and_no_shell_reads_their_names(filled: Path, tmp_path: Path):
    away = tmp_path / "away"
    away.mkdir()
    program = script(tmp_path / "send", 'into=$1; shift; exec cp -- "$@" "$into/"')
    file = tmp_path / "a $(touch gone) 'b"
    assert answer("backup", file, "--database", filled, "--to", f"{program} {away}") == (0, f"{file}: 10 rooms\n")
    assert answer("verify", away / file.name)[0] == 0
    assert not Path("gone").exists()


@pytest.mark.process
def test_a_program_that_fails_is_a_status_and_the_backup_is_kept(filled: Path, tmp_path: Path):
    file, failing = tmp_path / "copy", script(tmp_path / "send", "exit 3")
    words = ("backup", file, "--database", filled, "--to")
    assert str(file) in check_answer(1, "expected exit status 0, got 3", *words, failing)
    assert answer("verify", file)[0] == 0
    check_answer(1, "expected a program that can be run", *words, "/no/such/program")
    for wrong in ("", "'"):
        assert answer("backup", tmp_path / "new", "--database", filled, "--to", wrong)[0] == 2
    assert not (tmp_path / "new").exists()


def test_verify_counts_what_it_has_checked_and_changes_nothing(database: Path | str, tmp_path: Path):
    fill(database)
    file = tmp_path / "copy"
    backup(database, file)
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.glob("copy*")}
    version = f"version {VERSION}, written by Tavola {tavola.__version__}"
    said = [f"{file}: 10 rooms, 30 events, {version}", f"{file}: its key is intact"]
    assert answer("verify", file) == (0, "\n".join(said) + "\n")
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.glob("copy*")} == before


def test_a_backup_without_its_key_says_so_everywhere(filled: Path, tmp_path: Path):
    file, third = tmp_path / "copy", tmp_path / "third.sqlite"
    backup(filled, file)
    filled.with_name("tavola.sqlite.secret").unlink()
    assert answer("backup", file, "--database", filled) == (0, f"{file}: 10 rooms; {KEYLESS}\n")
    assert not file.with_name("copy.secret").exists(), "that of the earlier backup is not its key"
    code, output = answer("verify", file)
    assert (code, output.splitlines()[1]) == (1, f"{file}: {KEYLESS}")
    fill(third)
    for target, said in (
        (tmp_path / "other.sqlite", "the next start makes a new one, and every visitor is a new guest"),
        (third, "the database keeps the key that it has"),
    ):
        code, output = answer("restore", file, "--database", target)
        assert (code, output.splitlines()[1]) == (0, f"{file}: without a key: {said}")


def test_verify_refuses_what_is_not_a_whole_backup(filled: Path, tmp_path: Path):
    file = tmp_path / "copy"
    backup(filled, file)
    file.with_name("copy.secret").write_bytes(b"damaged")
    check_answer(2, "found a damaged one", "verify", file)
    with contextlib.closing(open_store(filled)) as store:
        asyncio.run(store.append("more", [Event(1, "said")]))
        for words in (("verify", filled), ("restore", filled, "--database", tmp_path / "new")):
            check_answer(2, "tavola.sqlite-wal beside it: back it up first", *words)
    (tmp_path / "text").write_text("a text")
    assert [answer("verify", tmp_path / name)[0] for name in ("nowhere", "text")] == [2, 2]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("whole")
    with ThreadPoolExecutor(1) as pool:  # the loop of a browser may be running in this thread
        pool.submit(fill, folder / "t.sqlite").result()
    backup(folder / "t.sqlite", folder / "copy")
    return folder / "copy", content(folder / "t.sqlite")


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_what_verify_accepts_is_restored_whole_and_nothing_else_is_restored(whole, tmp_path_factory, data):
    """Damage of any bytes of the backup or its key, or none."""
    copy, expected = whole
    folder = tmp_path_factory.mktemp("damaged")
    file, target = folder / "copy", folder / "t.sqlite"
    for path in (copy, copy.with_name("copy.secret")):
        damaged = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(0, 2))):
            at = data.draw(st.integers(0, len(damaged) - 1))
            damaged[at] ^= data.draw(st.integers(1, 255))
        (folder / path.name).write_bytes(damaged)
    is_key_whole = (folder / "copy.secret").read_bytes() == copy.with_name("copy.secret").read_bytes()
    verified = answer("verify", file)[0]
    restored, output = answer("restore", file, "--database", target)
    assert restored == verified, output
    if verified == 0:
        logs, key = content(target)
        assert logs == expected[0]
        assert key == expected[1] or not is_key_whole
    else:
        assert not target.exists()


@pytest.mark.parametrize("release", RELEASES, ids=str)
def test_a_copy_is_kept_before_a_migration_and_the_log_says_so_once(release: Release, path: Path, caplog):
    """A database of the present version is neither copied nor migrated."""
    release.install(path)
    number, before = releases.version_of(path), dumped(path)
    with caplog.at_level(logging.WARNING):
        open_store(path).close()
        open_store(path).close()
    copies = [file for file in path.parent.glob("tavola.sqlite-before-*") if file.suffix != ".secret"]
    messages = [record.getMessage() for record in caplog.records if "migrated" in record.getMessage()]
    assert len(copies) == len(messages) == (number < VERSION)
    for kept_copy, message in zip(copies, messages, strict=True):
        assert message.startswith(f"{path}: migrated from version {number} to {VERSION}")
        assert message.endswith(str(kept_copy))
        assert dumped(kept_copy) == before
        check_answer(0, f"version {number}", "verify", kept_copy)
        assert answer("restore", kept_copy, "--database", path)[0] == 0
        open_store(path).close()


def dumped(path: Path):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_a_migration_without_space_for_its_copy_is_refused_and_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    RELEASES[0].install(path)

    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as context:
        context.setattr("tavola.store.sqlite.copies.copy_pages", full)
        with pytest.raises(BadDatabase, match="expected space for a copy of the database before its migration"):
            open_store(path)
    assert list(path.parent.glob("*-before-*")) == []
    assert "version 3" in answer("verify", path)[1]


def test_a_newer_database_names_the_release_that_can_read_it(database: Path | str):
    open_store(database).close()
    change(database, "UPDATE version SET number = 99, release = '9.8.7'")
    expected = rf"found version 99: it needs Tavola 9\.8\.7 or newer, this is {tavola.__version__}$"
    with pytest.raises(NewerDatabase, match=expected):
        open_store(database)
    check_answer(2, "it needs Tavola 9.8.7", "running", "--database", database)
    change(database, "ALTER TABLE version DROP COLUMN release")
    with pytest.raises(NewerDatabase, match=r"found version 99$"):
        open_store(database)


def test_postgresql_is_migrated_with_one_line_in_the_log(postgres: PostgresServer, caplog: pytest.LogCaptureFixture):
    url, newest = postgres.new_database(), len(schema.MIGRATIONS)
    with caplog.at_level(logging.WARNING):
        open_store(url).close()
        assert caplog.messages == [], "a new database is not migrated"
        change(url, "DROP TABLE measure")
        change(url, f"UPDATE version SET number = {newest - 1}, release = '0.3.0'")
        with contextlib.closing(open_store(url)) as store:
            assert store.rows("SELECT release FROM version") == [(tavola.__version__,)]
        open_store(url).close()
    assert [text.partition(": ")[2] for text in caplog.messages] == [f"migrated from version {newest - 1} to {newest}"]


PRESENT = tavola.load("tournament").version
ROOMS = (
    ("old-days", "tournament", 1, {"days": 3}, True),
    ("old-live", "tournament", 1, {}, True),
    ("present", "tournament", PRESENT, {}, True),
    ("past", "voyage", 1, {}, False),
)
WENT = ("gone-open", "tournament", 99, {"days": 1}, True)
GONE = ("gone-over", "whist", 1, {}, False)


def running(database, rooms):
    with contextlib.closing(open_store(database)) as store:
        for code, game, version, more, awake in rooms:
            events = [Event(1, "created", {"game": game, "version": version, **more})]
            asyncio.run(store.append(code, events, awake=awake))
    code, output = answer("running", "--database", database)
    return code, output.splitlines()


def test_rooms_that_an_update_affects_are_listed_by_game_and_version(database):
    """Finished matches block no update, even if they cannot be viewed; open ones that cannot go on are a status."""
    assert running(database, []) == (0, ["0 open, 0 of them by correspondence; 0 cannot continue"])
    kept_rules = f"continues with its own rules, kept beside version {PRESENT}"
    listed = [
        f"tournament  version 1  2 open (1 by correspondence), 0 over  {kept_rules}",
        f"tournament  version {PRESENT}  1 open (0 by correspondence), 0 over  continues",
        "voyage  version 1  0 open (0 by correspondence), 1 over  continues",
    ]
    summary = "3 open, 1 of them by correspondence; 0 cannot continue"
    assert running(database, ROOMS) == (0, [*listed, summary])
    status, lines = running(database, [GONE])
    assert (status, lines[-1]) == (0, summary)
    assert any(line.endswith("1 over  cannot continue: its rules are missing") for line in lines)
    status, lines = running(database, [WENT])
    assert (status, lines[-1]) == (1, "4 open, 2 of them by correspondence; 1 cannot continue")
