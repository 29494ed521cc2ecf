"""Deletion leaves only anonymous moves; an export has everything of one person and nothing of another."""

import asyncio
import contextlib
import json
import re

from tavola.live.log.erasure import erase_people
from tavola.live.log.people import NOBODY
from tavola.store import Event, open_store
from tests.club.conftest import in_both
from tests.club.test_accounts import keep
from tests.helpers.rooms import matches_log, wait_until


def two_at_a_table(site, box, ada, bea):
    code = ada.create(name="Ada", **{"option-players": "3"})
    keep(ada, box, "ada@example.org")
    bea.sit(code, "Bea")
    keep(bea, box, "bea@example.org")
    ada.post(f"/r/{code}/say", data={"text": "aaa-of-ada"})
    bea.post(f"/r/{code}/say", data={"text": "bbb-of-bea"})
    bea.post(f"/r/{code}/report", data={"speaker": "1"})
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    return code


def play_some(site, code, guests, most=12):
    made = 0
    while made < most and site.room(code).state.phase == "playing":
        for guest in guests:
            prompt_id, codes = guest.choices(code)
            if codes:
                guest.play(code, prompt_id, codes[0])
                made += 1


@in_both
def test_an_export_holds_all_of_one_and_nothing_of_another(site, box, ada, bea):
    code = two_at_a_table(site, box, ada, bea)
    play_some(site, code, (ada, bea))
    persons = [place.person for place in site.room(code).state.occupants[:2]]
    for person in (ada, bea):
        person.post(f"/r/{code}/seen")
    exports = [guest.get("/account/export") for guest in (ada, bea)]
    assert exports[0].headers["content-disposition"].startswith("attachment")
    for own, guest, stranger in ((0, "ada", "bea"), (1, "bea", "ada")):
        text, told = exports[own].text, json.loads(exports[own].text)
        for word in (persons[1 - own].id, f"{stranger}@", f"-of-{stranger}", stranger.title()):
            assert word not in text
        assert (told["name"], told["address"]) == (guest.title(), f"{guest}@example.org")
        (room,) = told["rooms"]
        assert (room["room"], room["seat"], room["opened"]) == (code, own, own == 0)
        played = [each["code"] for each in room["did"] if each["kind"] == "played"]
        match = site.room(code).state.match
        assert played == [match.game.actions.code(number) for seat, number in match.history if seat == own]
        assert [each["speaker"] for each in room["did"] if each["kind"] == "reported"] == [1] * own
        assert [(each["room"], each["at"]) for each in told["seen"]] == [(code, 0)]
        assert [each["text"] for each in room["did"] if each["kind"] == "said"] == [f"{'ab'[own] * 3}-of-{guest}"]
    secrets = site.hub.store.rows("SELECT digest FROM session")
    assert not any(digest in export.text for (digest,) in secrets for export in exports)


@in_both
def test_deleting_leaves_anonymous_moves(site, box, ada, bea, eve, database):
    code = two_at_a_table(site, box, ada, bea)
    waved = eve.create(name="Eve")
    ada.post(f"/r/{waved}/gesture", data={"gesture": "thanks"})
    assert [line.name for line in site.room(waved).state.chat_log] == ["Ada"]
    assert {each["room"] for each in ada.get("/account/export").json()["rooms"]} == {code, waved}
    play_some(site, code, (ada, bea))
    room = site.room(code)
    person, before = room.state.occupants[0].person, list(room.state.match.history)
    assert ada.post("/account/delete").url.path == "/"
    assert room.state.match.history[: len(before)] == before
    assert (room.names[0], room.state.occupants[0].bot_decides) == (NOBODY, True)
    assert [line.text for line in room.state.chat_log] == ["bbb-of-bea"]
    assert set(re.findall(r"aaa-of-ada|bbb-of-bea", bea.get(f"/r/{code}").text)) == {"bbb-of-bea"}
    play_some(site, code, (bea,), 3)
    assert site.hub.store.read(code).fault == ""
    assert site.call(matches_log, site.hub, room)
    assert "Sign up" in ada.get("/account").text
    assert not site.room(waved).state.chat_log
    tables = "account", "account_person", "account_name", "session", "passkey", "outbox", "ticket", "event", "room"
    for table in tables:
        text = repr(site.hub.store.rows(f"SELECT * FROM {table}"))
        assert not re.search(rf"aaa-of-ada|ada@|\bAda\b|{person.id}", text), table
    ada.post("/settings", data={"name": "Ada"})
    keep(ada, box, "ada@example.org")  # as a new person
    assert json.loads(ada.get("/account/export").text)["rooms"] == []
    site.close()
    with contextlib.closing(open_store(database)) as store:
        log = store.read(code)
        assert (log.fault, "erased" in {event.kind for event in log.events}) == ("", True)


@in_both
def test_deleting_frees_a_seat_at_a_table_that_gathers(site, box, ada, bea):
    code = bea.create(name="Bea")
    ada.sit(code, "Ada")
    keep(ada, box)
    ada.post("/account/delete")
    assert (site.room(code).names[:2], site.hub.store.read(code).fault) == (["Bea", ""], "")


def test_a_log_is_rewritten_for_all_persons_that_one_was():
    host = {"id": "h", "name": "Hal"}
    created = {"game": "lifeboats", "host": host, "maker": "m"}
    log = [
        Event(1, "created", created),
        Event(2, "joined", {"seat": 0, **host, "origin": "o"}),
        Event(3, "joined", {"seat": 1, "id": "a", "name": "Ada"}, "a/1"),
        Event(4, "said", {"id": "a", "name": "Ada", "seat": 1, "text": "hello"}, "a/2", 5.0),
        Event(5, "gestured", {"id": "a", "name": "Ada", "seat": 1, "gesture": "praise"}, "a/3", 5.0),
    ]
    kept = erase_people(log, {"a", "nobody"})
    assert (kept[:2], [event.kind for event in kept[5:]]) == (log[:2], ["erased"])
    assert kept[5].body | {"id": ""} == {"id": "", "seat": 1, "speaker": 1, "was_host": False}
    assert kept[5].at == 5.0
    gone = erase_people(log, {"a", "h"})
    assert not re.search(r"'a'|'h'|Ada|Hal|hello|praise|\ba/1|'m'|'o'", repr(gone))
    assert len(gone) == 7
    assert erase_people(log, {"z"}) == log


@in_both
def test_a_log_that_is_rewritten_while_others_write_stays_sound(database):
    """A concurrent writer appends to the rewritten log, or gets a conflict."""

    async def write(store, number):
        done = 0
        while done < 20:
            seq = len(store.events("kabvin")) + 1
            with contextlib.suppress(Exception):
                await store.append("kabvin", [Event(seq, "said", {"id": f"w{number}", "name": "W", "text": "x"})])
                done += 1

    async def run(store):
        await store.append("kabvin", [Event(1, "created", {"host": {"id": "h", "name": "Hal"}})])
        tasks = [asyncio.create_task(write(store, number)) for number in range(3)]
        for writer in ("w0", "w1", "w2"):
            await wait_until(lambda writer=writer: writer in [e.body.get("id") for e in store.events("kabvin")])
            await store.rewrite_room("kabvin", lambda events, writer=writer: erase_people(events, {writer, "h"}))
        await asyncio.gather(*tasks)

    with contextlib.closing(open_store(database)) as store:
        asyncio.run(run(store))
        log = store.read("kabvin")
        assert (log.fault, [event.kind for event in log.events].count("said")) == ("", 60)
        assert "Hal" not in repr(log.events)
