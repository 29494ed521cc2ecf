"""Files of other programs keep their bytes, mode, owner and times, whatever command is given their name."""

import asyncio
import contextlib
import os
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tavola.cli import serve
from tavola.contract import golden
from tavola.core.errors import ForeignFile
from tavola.store import Event, open_store
from tests.cli import answer, check_answer

DATABASE, FILE, NEW, COPY = "ours.sqlite", "theirs", "new.sqlite", "ours.copy"
COMMANDS = [
    f"serve --port 0 --database {FILE}",
    f"prune --database {FILE}",
    f"prune --yes --database {FILE}",
    f"running --database {FILE}",
    f"reports --database {FILE}",
    f"backup {NEW} --database {FILE}",
    f"backup {FILE} --database {DATABASE}",
    f"restore {FILE} --database {NEW}",
    f"restore {COPY} --database {FILE}",
    f"move {FILE} {NEW}",
    f"move {DATABASE} {FILE}",
    f"play lifeboats --bots random --record {FILE}",
    f"simulate lifeboats --matches 10 --on process --results {FILE}",
    f"arena lifeboats random random random --matches 3 --on process --results {FILE}",
    f"ladder lifeboats random greedy --matches 3 --on process --results {FILE}",
    f"check lifeboats --sheet {FILE}",
]
TAKING = [
    f"serve --port 0 --database {NEW}",
    f"backup {NEW} --database {DATABASE}",
    f"restore {COPY} --database {NEW}",
    f"move {DATABASE} {NEW}",
]
"""Commands that create a database, with files beside it."""


def text(path: Path):
    path.write_text("root:x:0:0:root:/root:/bin/bash\n")


def database(path: Path):
    """Create another program's database like Firefox's: opening it for writing creates files beside it."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA journal_mode = WAL; CREATE TABLE bookmark (address TEXT);")


def link(path: Path):
    text(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(serve, "_serve_site", lambda *settings: pytest.fail("it is served"))
    with contextlib.closing(open_store(DATABASE)) as store:
        asyncio.run(store.append("bakvin", [Event(1, "said")]))
        store.signing_key()
    assert answer(*f"backup {COPY} --database {DATABASE}".split())[0] == 0
    return tmp_path


def state_of(path: Path):
    """Return a file's bytes and status; the time of its last status change covers mode and owner, too."""
    status = path.lstat()
    content = path.read_bytes() if path.is_file() else None
    return content, status.st_mode, status.st_uid, status.st_gid, status.st_ino, status.st_mtime_ns, status.st_ctime_ns


def states(folder: Path):
    return {path.name: state_of(path) for path in folder.iterdir() if not path.name.startswith(DATABASE)}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_is_not_ours_is_refused_and_stays_as_it_is(folder: Path, command):
    for make in (text, Path.touch, database, link, os.mkfifo):
        if make is os.mkfifo and ("--record" in command or "--sheet" in command):
            continue  # what is written into a pipe goes to its reader
        make(folder / FILE)
        before = states(folder)
        output = check_answer(2, "expected", *command.split())
        assert states(folder) == before, make
        assert len(output.splitlines()) < 8, "a sentence, and no traceback"
        (folder / FILE).unlink()


@pytest.mark.parametrize("command", [*TAKING, f"serve --port 0 --database {DATABASE}"])
def test_a_file_beside_a_database_that_is_not_ours_is_refused_and_stays_as_it_is(folder: Path, command):
    database = command.split()[-1] if "serve" in command else NEW
    for ending in ("-lock", "-lock-journal", "-heads", "-wal", "-shm", "-journal", ".secret"):
        beside = folder / f"{database}{ending}"
        beside.unlink(missing_ok=True)
        text(beside)
        before = state_of(beside), set(folder.glob(f"{NEW}*"))
        check_answer(2, f"{database}{ending}: expected", *command.split())
        assert (state_of(beside), set(folder.glob(f"{NEW}*"))) == before
        beside.unlink()


def test_what_is_written_aside_has_a_name_of_its_own(folder: Path):
    for name in ("ours.sqlite-new", "ours.sqlite-heads-new", "ours.sqlite.secret-new", "ours.copy-new"):
        text(folder / name)
        before = state_of(folder / name)
        for command in (f"backup {COPY} --database {DATABASE}", f"restore {COPY} --database {DATABASE}"):
            assert answer(*command.split())[0] == 0
        assert state_of(folder / name) == before
        assert not [path for path in folder.glob("*-new") if path.name != name]
        (folder / name).unlink()


def test_a_copy_is_written_over_a_copy_but_never_over_a_database_in_use(folder: Path):
    assert answer(*f"backup {COPY} --database {DATABASE}".split())[0] == 0
    assert answer(*f"backup {DATABASE} --database {DATABASE}".split())[0] == 2
    with contextlib.closing(open_store(NEW)) as store:
        before = state_of(folder / NEW)
        check_answer(2, "no other program has open", "backup", NEW, "--database", DATABASE)
        assert state_of(folder / NEW) == before
        assert store.rooms() == []


def test_two_databases_put_aside_in_the_same_second_are_both_kept(folder: Path):
    for _ in range(3):
        assert answer(*f"restore {COPY} --database {DATABASE}".split())[0] == 0
    assert len({*folder.glob("ours.sqlite-before-*.secret")}) == 3


def test_a_damaged_key_goes_aside_with_its_database(folder: Path):
    (folder / f"{DATABASE}.secret").write_bytes(b"damaged")
    before = state_of(folder / f"{DATABASE}.secret")[:6]
    assert answer(*f"serve --port 0 --database {DATABASE}".split())[0] == 2
    assert answer(*f"restore {COPY} --database {DATABASE}".split())[0] == 0
    (kept,) = folder.glob("ours.sqlite-before-*.secret")
    assert state_of(kept)[:6] == before
    assert (folder / f"{DATABASE}.secret").read_bytes() == (folder / f"{COPY}.secret").read_bytes()


def test_goldens_are_written_over_goldens_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(golden, "_goldens", lambda game: {"perft.txt": lambda game: iter(["; players"])})
    drill: Any = SimpleNamespace(folder=tmp_path)
    (tmp_path / "golden").mkdir()
    sketch = tmp_path / "golden" / "sketch.svg"
    sketch.write_text('<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>')
    before = state_of(sketch)
    assert golden.write_goldens(drill) == ["perft.txt"]
    assert state_of(sketch) == before
    text(tmp_path / "golden" / "perft.txt")
    before = states(tmp_path / "golden")
    with pytest.raises(ForeignFile, match="golden"):
        golden.write_goldens(drill)
    assert states(tmp_path / "golden") == before
