"""Accounts over several workers, in copies, and in databases of earlier versions."""

import asyncio
import contextlib

import pytest

from tavola.live.log.people import NOBODY
from tavola.store import Event, backup, move, open_store, restore
from tavola.store.club_tables import COPY_TABLES
from tavola.store.postgres import schema
from tests.club.conftest import in_both
from tests.club.test_accounts import keep, sits
from tests.helpers import wait_for
from tests.helpers.site import site_at
from tests.store.conftest import change

INDEX_OF_VERSION_5 = """
CREATE INDEX person_of_event ON event (
    CASE WHEN json_valid(body) THEN coalesce(json_extract(body, '$.id'), json_extract(body, '$.host.id')) END, room
) WHERE kind IN ('created', 'joined', 'said', 'muted', 'reported');
"""
"""Gestures did not name a person then."""


def test_what_one_worker_changes_holds_at_the_others(served, mail):
    box, server = mail
    with (
        site_at(served, mail=server) as first,
        site_at(served) as second,
        first.guest() as ada,
        second.guest() as same,
        second.guest() as old,
    ):
        code = ada.create(name="Ada")
        old.cookies.update(ada.cookies)
        assert sits(old, code)
        keep(ada, box)
        wait_for(lambda: not sits(old, code))
        same.cookies.clear()
        same.cookies.update(ada.cookies)
        assert sits(same, code)
        assert same.post("/settings", data={"name": "Ada B"}).status_code == 200
        ada.post(f"/r/{code}/say", data={"text": "aaa-of-ada"})
        wait_for(lambda: [line.text for line in second.room(code).state.chat_log] == ["aaa-of-ada"])
        ada.post(f"/r/{code}/fill", data={"level": "random"})
        wait_for(lambda: second.room(code).state.phase == "playing")
        assert ada.post("/account/delete").url.path == "/"
        wait_for(lambda: second.room(code).names[0] == NOBODY)
        assert second.room(code).state.chat_log == []
        wait_for(lambda: "as a guest" in same.get("/account").text)
        assert second.hub.store.read(code).fault == ""


def copies(database, tmp_path, served):
    backup(database, tmp_path / "copy")
    restore(tmp_path / "copy", tmp_path / "restored")
    yield tmp_path / "restored"
    move(tmp_path / "restored", served)
    yield served


@in_both
def test_copies_contain_accounts_and_no_emails(database, mail, tmp_path, postgres):
    box, server = mail
    with site_at(database, mail=server) as site, site.guest() as ada:
        code = ada.create(name="Ada")
        keep(ada, box)
        ada.post("/account/notices", data={"manner": "day"})
        ada.post("/mine/away", data={"until": "", "zone": "Europe/Rome"})
        box.refusals = ["451 later"]
        ada.post("/account/again")
        cookies = dict(ada.cookies)
    for copy in copies(database, tmp_path, postgres.new_database()):
        with contextlib.closing(open_store(copy)) as store:
            counts = {table: store.rows(f"SELECT count(*) FROM {table}")[0][0] for table in COPY_TABLES}
            kept = ("account", "account_person", "account_name", "session", "hours", "notice")
            assert counts == {table: int(table in kept) for table in COPY_TABLES}
        with site_at(copy) as site, site.guest() as again:
            again.cookies.update(cookies)
            assert "<h1>Ada</h1>" in again.get("/account").text
            assert sits(again, code)


@pytest.mark.parametrize("version", [2, 5])
def test_a_file_of_an_earlier_version_is_brought_up_to_date(path, version):
    with site_at(path) as site, site.guest() as ada, site.guest() as bea, site.guest() as carla:
        code = ada.create(name="Ada")
        bea.post(f"/r/{code}/say", data={"text": "hello"})
        carla.post(f"/r/{code}/gesture", data={"gesture": "thanks"})
        persons = [site.room(code).state.host.id, *site.room(code).state.speakers]
    tables = (*COPY_TABLES, "ticket", "outbox") if version < 3 else ()
    gone = "".join(f"DROP TABLE {table}; " for table in tables) + "ALTER TABLE version DROP COLUMN release;"
    before = "" if version < 3 else INDEX_OF_VERSION_5
    change(path, f"DROP INDEX person_of_event; {gone} {before} UPDATE version SET number = {version}")
    with site_at(path) as site, site.guest() as guest:
        guest.cookies.update(ada.cookies)
        assert [site.hub.store.rooms_naming(person) for person in persons] == [[code]] * 3
        assert sits(guest, code)
        assert site.hub.store.read(code).fault == ""


def test_postgresql_of_version_1_is_brought_up_to_date(served, monkeypatch):
    said = {"id": "w", "name": "W", "seat": None, "text": "hello"}
    events = [Event(1, "created", {"host": {"id": "h", "name": "H"}}), Event(2, "said", said)]
    with monkeypatch.context() as context:
        context.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        with contextlib.closing(open_store(served)) as store:
            asyncio.run(store.append("kabvin", events))
            asyncio.run(store.transact(lambda execute: execute("UPDATE event SET person = NULL")))
    with contextlib.closing(open_store(served)) as store:
        assert [store.rooms_naming(person) for person in "hw"] == [["kabvin"], ["kabvin"]]
        assert store.rows("SELECT number FROM version") == [(len(schema.MIGRATIONS),)]
