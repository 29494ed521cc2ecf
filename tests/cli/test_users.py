"""Administration commands by root and by other users: every file stays the service's, or the right command is said."""

import asyncio
import contextlib
import os
import pwd
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tavola.cli import database as _  # noqa: F401 - what a stranger cannot read is imported before
from tavola.store import Event, open_reader, open_store
from tests.cli import answer, check_answer, role_without_rights
from tests.helpers.postgres import PostgresServer

SERVICE, STRANGER = 12345, 12346
IS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can act as other users")


@contextlib.contextmanager
def acting_as(user: int) -> Iterator[None]:
    """Have the rights of a user and a group of the same number; modules must be imported before."""
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(user)
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


def serve(database: Path):
    """Open a database as a server does, write to it, and return its number of events."""
    with contextlib.closing(open_store(database)) as store:
        store.signing_key()
        seq = len(store.events("bakvin")) + 1
        asyncio.run(store.append("bakvin", [Event(seq, "said", at=float(seq))]))
        return seq


@pytest.fixture
def home():
    """A folder with the state of a service, and one for backups, which is root's."""
    with tempfile.TemporaryDirectory(prefix="tavola-users-") as made:  # those of pytest only one user can enter
        folder = Path(made)
        folder.chmod(0o755)
        for name in ("state", "backups"):
            (folder / name).mkdir()
        if IS_ROOT:
            os.chown(folder / "state", SERVICE, SERVICE)
        with acting_as(SERVICE) if IS_ROOT else contextlib.nullcontext():
            serve(folder / "state" / "t.sqlite")
        yield folder


def owners(folder: Path):
    return {(path.stat().st_uid, path.stat().st_gid) for path in folder.rglob("*")}


@needs_root
def test_what_root_writes_belongs_to_the_service(home: Path):
    """Also without the files that a server leaves, with a log beside the database, and where there was none before."""
    database, copy = home / "state" / "t.sqlite", home / "backups" / "copy"
    moved, back = home / "state" / "moved.sqlite", home / "state" / "back.sqlite"
    commands = [
        ("backup", copy, "--database", database),
        ("backup", copy, "--database", database, "--keep", 2),
        ("reports", "--database", database),
        ("running", "--database", database),
        ("prune", "--yes", "--unfinished", 1e9, "--waiting", 1e9, "--database", database),
        ("restore", copy, "--database", database),
        ("move", database, moved),
        ("restore", copy, "--database", back),
    ]
    for number, words in enumerate(commands, 2):
        for ending in ("-heads", "-lock"):
            database.with_name(f"{database.name}{ending}").unlink(missing_ok=True)
        assert answer(*words)[0] == 0
        assert owners(home / "state") | owners(home / "backups") == {(SERVICE, SERVICE)}, words
        with acting_as(SERVICE):
            assert serve(database) >= min(number, 2)
    with acting_as(SERVICE):
        assert serve(moved) > 1
        assert serve(back) == 2


@needs_root
def test_the_first_database_of_a_new_machine_belongs_to_the_owner_of_its_folder(home: Path):
    """But not in a folder for everyone, whose owner may be anyone."""
    database, copy = home / "state" / "t.sqlite", home / "backups" / "copy"
    assert answer("backup", copy, "--database", database)[0] == 0
    for path in (home / "state").iterdir():
        path.unlink()
    assert answer("restore", copy, "--database", database)[0] == 0
    assert owners(home / "state") == {(SERVICE, SERVICE)}
    with acting_as(SERVICE):
        assert serve(database) == 2
    (home / "state").chmod(0o1777)
    assert answer("restore", copy, "--database", home / "state" / "mine.sqlite")[0] == 0
    assert (home / "state" / "mine.sqlite").stat().st_uid == 0


@needs_root
def test_a_stranger_is_refused_with_the_command_to_type(home: Path):
    database, copy = home / "state" / "t.sqlite", home / "backups" / "copy"
    os.chown(home / "backups", STRANGER, STRANGER)
    names = {path: path.stat() for path in home.rglob("*")}
    for mode, listed in ((0o755, True), (0o700, False)):
        (home / "state").chmod(mode)
        for words in (("backup", copy), ("restore", copy), ("prune", "--yes"), ("reports",), ("running",)):
            owner = f"{database}: expected the user #{SERVICE}, to whom it belongs, or root: run sudo -u"
            with acting_as(STRANGER):
                output = check_answer(2, owner, *words, "--database", database)
            assert output.endswith(f"-- tavola {' '.join(map(str, words))} --database {database}\n"), listed
        with acting_as(STRANGER):
            assert "or root: run sudo" in answer("move", database, copy)[1]
    assert {path: path.stat() for path in home.rglob("*")}.keys() == names.keys()


def test_the_owner_of_a_database_is_told_from_others(home: Path, monkeypatch: pytest.MonkeyPatch):
    database = home / "state" / "t.sqlite"
    if not IS_ROOT:
        assert answer("reports", "--database", database) == (0, "0 reports\n")
    monkeypatch.setattr(os, "geteuid", lambda: STRANGER)
    check_answer(2, "run sudo -u", "reports", "--database", database)
    assert answer("reports", "--database", home / "missing")[1].count("expected a Tavola database, found none") == 1


@needs_root
def test_a_file_that_this_user_cannot_read_is_not_called_damaged(home: Path):
    with acting_as(STRANGER), pytest.raises(Exception, match="can be read: permission denied"):
        open_reader(home / "state" / "t.sqlite")


@needs_root
def test_a_backup_that_this_user_cannot_read_is_refused_in_one_line(home: Path):
    database, copy = home / "state" / "t.sqlite", home / "backups" / "copy"
    assert answer("backup", copy, "--database", database)[0] == 0
    os.chown(copy, STRANGER, -1)
    key = "copy.secret: expected the cookie signing key: Permission denied"
    for mode, reason in ((0o755, key), (0o700, "can be read")):
        (home / "backups").chmod(mode)
        for words in (("verify", copy), ("restore", copy, "--database", home / "new")):
            with acting_as(STRANGER):
                assert check_answer(2, reason, *words).count("\n") == 1


@needs_root
def test_the_cache_of_a_service_is_not_filled_by_root(home: Path, monkeypatch: pytest.MonkeyPatch):
    cache = home / "cache"
    cache.mkdir()
    os.chown(cache, pwd.getpwnam("nobody").pw_uid, -1)
    monkeypatch.setenv("TAVOLA_CACHE", str(cache))
    expected = f"{cache}: expected the user nobody, to whom it belongs"
    line = f"runuser -u nobody -- env TAVOLA_CACHE={cache} tavola warm"
    assert answer("warm") == (2, f"tavola: {expected}: run {line}\n")
    assert list(cache.iterdir()) == []


def test_root_learns_whose_cache_it_has_filled(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr("tavola.cli.warm.uncompiled_games", lambda part: ["lifeboats"])
    monkeypatch.setattr("tavola.cli.warm.compile_all", lambda missing: None)
    assert "the cache of root; a service with another user compiles its own" in answer("warm")[1]


def test_peer_authentication_names_the_user_to_become(postgres: PostgresServer):
    url = postgres.new_database()
    rules = next(postgres.folder.glob("data/pg_hba.conf"))
    before = rules.read_text()
    with role_without_rights(url) as visiting, psycopg.connect(url, autocommit=True) as connection:
        try:
            rules.write_text(f"local all visitor peer\n{before}")
            connection.execute("SELECT pg_reload_conf()")
            while "peer" not in (reason := answer("reports", "--database", visiting)[1].lower()):
                assert "found none" in reason, "the rules are read soon"
            assert reason.endswith(f" -u visitor -- tavola reports --database '{visiting}'\n")
        finally:
            rules.write_text(before)
            connection.execute("SELECT pg_reload_conf()")


def test_a_role_that_does_not_own_its_database_is_told_the_cure(postgres: PostgresServer):
    with role_without_rights(postgres.new_database()) as visiting:
        check_answer(2, "found none", "prune", "--yes", "--database", visiting)
        with pytest.raises(Exception, match=r"belongs to its user: permission denied .* OWNER TO"):
            open_store(visiting)
