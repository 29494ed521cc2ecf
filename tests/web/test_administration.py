"""The operator administers a site, on a page and by commands; what they decide holds at once and at every worker."""

import contextlib
import json
import re
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from websockets.exceptions import InvalidStatus

from tavola.cli import main
from tavola.live.log.people import NOBODY
from tests.club.test_accounts import keep, read_to_the_end
from tests.helpers import PATIENCE, wait_for
from tests.helpers.rooms import matches_log
from tests.helpers.site import Guest, Site, check_answer, check_text, next_message, open_socket, site_at

TOMORROW = datetime.fromtimestamp(time.time() + 24 * 3600, UTC).date().isoformat()
in_both = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def database(request: pytest.FixtureRequest, path: Path) -> Path | str:
    return path if getattr(request, "param", "sqlite") == "sqlite" else request.getfixturevalue("served")


@pytest.fixture
def site(database: Path | str):
    with site_at(database, proxies=("127.0.0.1",)) as running:
        yield running


def admin(site: Site, *words: str) -> Result:
    given = "admin", "--database", str(site.database), "--port", site.url.rpartition(":")[2], *words
    return CliRunner().invoke(main, given, catch_exceptions=False)


@contextlib.contextmanager
def administrator(site: Site):
    """Yield a browser that has opened the link that the command prints."""
    with site.guest() as guest:
        link = admin(site).output.strip()
        assert link.startswith(f"{site.url.replace('127.0.0.1', 'localhost')}/admin/enter/"), link
        path = link.partition("/admin")[2]
        assert "The link works once" in guest.get(f"/admin{path}").text
        page = guest.post(f"/admin{path}")
        assert page.url.path == "/admin", page.text
        guest.used = f"/admin{path}"  # type: ignore[attr-defined]
        yield guest


@in_both
def test_only_a_browser_with_the_link_administers_and_the_link_works_once(site: Site, ada: Guest):
    with administrator(site) as office:
        assert (office.get("/admin").status_code, ada.post(office.used).status_code) == (200, 400)
        for path in ("done", "close", "ban"):
            refused = ada.post(f"/admin/{path}", data={"room": "x", "report": "x/1", "who": "x", "until": TOMORROW})
            assert refused.status_code == 403
        assert "tavola admin" in ada.get("/admin").text
        assert ada.get("/admin/enter/x.y.z").status_code == 400
        office.post("/admin/leave")
        assert office.get("/admin").status_code == 403


@in_both
def test_a_report_has_its_lines_and_a_state_and_is_not_in_the_log(site: Site, ada: Guest, bruno: Guest, caplog):
    code = ada.create(name="Ada")
    ada.post(f"/r/{code}/say", data={"text": "buy now"})
    bruno.post(f"/r/{code}/report", data={"speaker": "1"})
    check_text(caplog.text, "was reported", without=["buy now"])
    with administrator(site) as office:
        check_text(office.get("/admin").text, "buy now", f'href="/r/{code}"')
        (report,) = site.run(site.app.state.site.administration.reports())
        assert "Reopen" in office.post("/admin/done", data={"report": f"{code}/{report.number}"}).text
    listed = CliRunner().invoke(main, ["reports", "--database", str(site.database)]).output
    assert f"{code}/{report.number}  done  Ada" in listed
    assert admin(site, "done", "--reopen", f"{code}/{report.number}").exit_code == 0
    assert not site.run(site.app.state.site.administration.reports())[0].done
    refused = admin(site, "done", f"{code}/1")
    assert (refused.exit_code, "There’s no report" in refused.output) == (2, True)


@in_both
def test_a_closed_room_ends_for_everyone_and_its_log_stays(site: Site, ada: Guest):
    code = ada.create(name="Ada", public="yes")
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    room = site.room(code)
    with open_socket(site.url, ada, code, "json") as line, administrator(site) as office:
        assert admin(site, "close", code).exit_code == 0
        read_to_the_end(line)
        assert not site.call(room.state.will_continue)
        check_answer(ada.get(f"/r/{code}"), 410, "has closed this room")
        assert ada.post(f"/r/{code}/say", data={"text": "hello"}).status_code == 410
        with pytest.raises(InvalidStatus):
            open_socket(site.url, ada, code, "json")
        assert code not in ada.get("/").text
        assert office.get(f"/r/{code}").status_code == 200
        assert office.post(f"/r/{code}/say", data={"text": "hello"}).status_code == 410
        before = room.state.seq
        assert (admin(site, "close", code).exit_code, room.state.seq) == (0, before)
    assert [event.kind for event in site.hub.store.read(code).events][-1] == "shut"
    assert "doesn’t exist" in admin(site, "close", "nowhere").output


@in_both
def test_a_banned_person_is_refused_until_a_day_and_bots_play_on(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(name="Ada", **{"option-players": "3"})
    bruno.sit(code, "Bea")
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    with open_socket(site.url, bruno, code, "json") as line:
        assert admin(site, "ban", f"{code}/Bea", "--until", TOMORROW).output == ""
        read_to_the_end(line)
    check_answer(bruno.get("/"), 403, "has excluded you until")
    assert bruno.post("/quick", data={"game": "lifeboats"}).status_code == 403
    with pytest.raises(InvalidStatus):
        open_socket(site.url, bruno, code, "json")
    assert bruno.get("/account").status_code == 200
    assert site.room(code).state.occupants[1].bot_decides
    assert ada.get(f"/r/{code}").status_code == 200
    with administrator(site) as office:
        assert f"{code}/Bea" in office.get("/admin").text
    assert (admin(site, "unban", f"{code}/Bea").exit_code, bruno.get("/").status_code) == (0, 200)


def test_a_network_and_the_address_of_a_seat_can_be_banned(site: Site):
    addresses = "203.0.113.7", "203.0.114.7", "203.0.114.7", "2001:db8:1::7"
    with contextlib.ExitStack() as stack:
        guests = [stack.enter_context(site.guest(**{"X-Forwarded-For": address})) for address in addresses]
        code = guests[0].create(name="Ada")
        guests[1].sit(code, "Bea")
        everyone = lambda: [guest.get("/").status_code for guest in guests]  # noqa: E731
        assert everyone() == [200] * 4
        admin(site, "ban", "203.0.113.0/24", "--until", TOMORROW)
        assert everyone() == [403, 200, 200, 200]
        admin(site, "ban", "2001:db8::/32", "--until", TOMORROW)
        admin(site, "ban", f"{code}/Bea", "--address", "--until", TOMORROW)
        assert everyone() == [403] * 4
        admin(site, "unban", f"{code}/Bea")
        admin(site, "unban", "203.0.113.0/24")
        assert everyone() == [200, 200, 200, 403]
        stored = repr(site.hub.store.rows("SELECT * FROM event")) + repr(site.hub.store.rows("SELECT * FROM measure"))
        assert "203.0" not in stored


@in_both
def test_a_person_gets_another_name_wherever_it_is_shown(site: Site, ada: Guest, bruno: Guest):
    ada.cookies.set("face", "cook")
    code = ada.create(name="Rude")
    ada.post(f"/r/{code}/say", data={"text": "hello"})
    with administrator(site) as office:
        assert 'value="' + code + '/Rude"' in office.get("/admin/room", params={"code": code}).text
        assert office.post("/admin/rename", data={"who": f"{code}/Rude", "name": "Ada"}).status_code == 200
    room = site.room(code)
    assert (room.names[0], room.state.host.name, room.state.chat_log[0].name) == ("Ada", "Ada", "Ada")
    assert room.state.occupants[0].person.face == "cook"
    assert "Rude" not in bruno.get(f"/r/{code}").text
    assert site.call(matches_log, site.hub, room)
    assert "is reserved" in admin(site, "rename", f"{code}/Ada", "Tavola").output


@in_both
def test_a_guest_is_forgotten_by_the_operator(site: Site, bruno: Guest):
    with site.guest(**{"X-Forwarded-For": "203.0.113.7"}) as ada:
        code, person = forgotten_guest(site, ada, bruno)
        admin(site, "ban", f"{code}/Ada", "--address", "--until", TOMORROW)
        assert admin(site, "forget", f"{code}/Ada").output == ""
        assert ada.get("/").status_code == 403, "the address is still banned"
    assert_no_trace(site, code, person, bruno)


@in_both
def test_guests_see_and_delete_their_own_data(site: Site, ada: Guest, bruno: Guest):
    code, person = forgotten_guest(site, ada, bruno)
    assert "Delete my data" in ada.get("/account").text
    told = ada.get("/account/export").json()
    (room,) = told["rooms"]
    assert [each["text"] for each in room["did"] if each["kind"] == "said"] == ["aaa-of-ada"]
    assert [each["text"] for each in told["notes"]] == ["my notes"]
    assert "bbb-of-bea" not in str(told)
    assert "Delete your data?" in ada.get("/account/delete").text
    with open_socket(site.url, ada, code, "json") as line:
        assert ada.post("/account/delete").url.path == "/"
        read_to_the_end(line)
    assert_no_trace(site, code, person, bruno)
    assert ada.get("/account/export").json()["rooms"] == []


def forgotten_guest(site: Site, ada: Guest, bruno: Guest) -> tuple[str, str]:
    """Return a room in which a guest, Ada, plays, talks and has notes, and the id of her person."""
    code = ada.create(name="Ada", **{"option-players": "3"})
    bruno.sit(code, "Bea")
    ada.post(f"/r/{code}/say", data={"text": "aaa-of-ada"})
    bruno.post(f"/r/{code}/say", data={"text": "bbb-of-bea"})
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    assert ada.post(f"/r/{code}/notes", data={"words": "my notes", "version": "0"}).status_code == 200
    ada.post("/mine/away", data={"until": "", "zone": "Europe/Rome"})
    return code, site.room(code).state.host.id


def assert_no_trace(site: Site, code: str, person: str, bruno: Guest) -> None:
    assert site.room(code).names[0] == NOBODY
    assert site.room(code).state.occupants[0].bot_decides
    check_text(bruno.get(f"/r/{code}").text, "bbb-of-bea", without=["aaa-of-ada"])
    for table in ("event", "room", "seen", "notepad", "hours", "measure"):
        rows = repr(site.hub.store.rows(f"SELECT * FROM {table}"))
        assert not re.search(rf"aaa-of-ada|my notes|\bAda\b|Rome|{person}", rows), table
    assert site.hub.store.read(code).fault == ""


@in_both
def test_everyone_reads_an_announcement_on_pages_and_at_open_tables(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(name="Ada")
    with open_socket(site.url, ada, code, "page") as line:
        line.recv(PATIENCE)
        assert admin(site, "announce", "Quiz on <Friday>").output == ""
        assert next_message(line, "announcement")["words"] == "Quiz on <Friday>"
    with open_socket(site.url, ada, code, "page") as later:  # its page may have been made before
        while json.loads(later.recv(PATIENCE)) != {"type": "announcement", "words": "Quiz on <Friday>"}:
            pass
    shown = '<p id="announcement" class="announcement" role="status"><bdi>Quiz on &lt;Friday&gt;</bdi></p>'
    for path in ("/", f"/r/{code}", "/games/lifeboats/rules", "/account", "/nowhere"):
        assert shown in bruno.get(path).text, path
    admin(site, "announce")
    assert 'role="status" hidden><bdi></bdi>' in bruno.get("/").text


def test_before_a_restart_no_match_begins_and_running_ones_go_on(site: Site, ada: Guest, bruno: Guest):
    running, gathering, over = (ada.create(name="Ada") for _ in range(3))
    for code in (running, over):
        ada.post(f"/r/{code}/fill", data={"level": "random"})
    site.finish(over)
    until = f"{TOMORROW}T22:00"
    with open_socket(site.url, ada, gathering, "json") as line:
        assert admin(site, "drain", until).output == ""
        line.send(json.dumps({"type": "fill", "command_id": "f", "level": "random"}))
        assert next_message(line, "refused")["kind"] == "Draining"
    begin = (
        ("/rooms", {"game": "lifeboats", "name": "Bea"}),
        ("/quick", {"game": "lifeboats"}),
        (f"/r/{gathering}/fill", {}),
        (f"/r/{over}/rematch", {}),
    )
    for path, fields in begin:
        check_answer(ada.post(path, data=fields), 503, "22:00 UTC")
    assert site.room(gathering).state.phase == "gathering"
    prompt_id, codes = ada.choices(running)
    assert prompt_id is not None
    assert ada.play(running, prompt_id, codes[0]).status_code == 200
    assert "no new match can begin before" in bruno.get("/").text
    admin(site, "drain")
    assert "no new match can begin before" not in bruno.get("/").text
    assert ada.post(f"/r/{gathering}/fill").status_code == 200


def test_what_names_no_one_or_no_day_is_refused_in_one_sentence(site: Site, ada: Guest):
    code = ada.create(name="Ada")
    for who, until, expected in (
        (f"{code}/Eve", TOMORROW, "isn’t one person"),
        ("Eve", TOMORROW, "isn’t one person"),
        (f"{code}/Ada", "2020-01-01", "isn’t a date"),
        (f"{code}/Ada", "soon", "isn’t a date"),
    ):
        refused = admin(site, "ban", who, "--until", until)
        assert (refused.exit_code, expected in refused.output) == (2, True), refused.output
    assert ada.get("/").status_code == 200
    site.close()
    assert "expected the running site" in admin(site, "close", code).output


def test_texts_of_the_operator_are_linked_in_every_footer_and_open_to_all(path: Path, ada: Guest):
    assert 'class="texts"' not in ada.get("/").text
    assert ada.get("/privacy").status_code == 404
    texts = {"contact": "# Who we are\n\nAda, <script>x</script>", "privacy": "# Your data"}
    with site_at(path.with_name("other.sqlite"), texts=texts) as other, other.guest("de") as bruno:
        code = bruno.create(name="Bea")
        links = '<p class="texts"><a href="/contact">Kontakt</a> · <a href="/privacy">Datenschutz</a></p>'
        for shown in ("/", f"/r/{code}", "/games/lifeboats/rules", "/nowhere", "/contact"):
            assert links in bruno.get(shown).text, shown
        assert admin(other, "ban", f"{code}/Bea", "--until", TOMORROW).output == ""
        check_text(bruno.get("/contact").text, "<h1>Who we are</h1>", "&lt;script&gt;x")
        assert [bruno.get(shown).status_code for shown in ("/terms", "/")] == [404, 403]


def test_at_a_closed_club_only_people_with_an_invitation_or_an_account_play(path: Path, mail, ada: Guest):
    ada.create(name="Ada")  # elsewhere no invitation is needed
    box, server = mail
    with (
        site_at(path.with_name("closed.sqlite"), by_invitation=True, mail=server) as club,
        club.guest() as host,
        club.guest() as bruno,
        club.guest() as phone,
    ):
        assert host.get("/invited/x.y.z").status_code == 400
        link = "/invited" + admin(club, "invitation").output.strip().partition("/invited")[2]
        assert host.get(link).url.path == "/"
        code = host.create(name="Ada", **{"option-players": "3"})
        keep(host, box, "ada@example.org")
        assert bruno.get(f"/r/{code}").status_code == 200, "everyone can watch"
        for form, fields in (
            ("/rooms", {"game": "lifeboats", "name": "Bea"}),
            ("/quick", {"game": "lifeboats"}),
            (f"/r/{code}/join", {"name": "Bea"}),
        ):
            check_answer(bruno.post(form, data=fields), 403, "need an invitation")
        with open_socket(club.url, bruno, code, "json") as line:
            line.send(json.dumps({"type": "join", "command_id": "j"}))
            assert next_message(line, "refused")["kind"] == "NotInvited"
        bruno.post("/account/mail", data={"address": "bea@example.org"})
        assert bruno.post(box.link(2)).status_code == 403, "no account without an invitation"
        phone.post("/account/mail", data={"address": "ada@example.org"})
        assert phone.post(box.link(3), data={"seats": "leave"}).url.path == "/account"
        phone.create(name="Ada")
        bruno.get(link)
        assert bruno.sit(code, "Bea").status_code == 200


@pytest.mark.process
def test_a_ban_and_a_closed_room_hold_at_every_worker(served: str):
    with site_at(served) as first, site_at(served) as second, second.guest() as ada, second.guest() as bruno:
        code = ada.create(name="Ada")
        bruno.sit(code, "Bea")
        wait_for(lambda: first.room(code).names[1] == "Bea")
        with open_socket(second.url, bruno, code, "json") as line:
            admin(first, "ban", f"{code}/Bea", "--until", TOMORROW)
            read_to_the_end(line)
        wait_for(lambda: bruno.get("/").status_code == 403)
        admin(first, "close", code)
        wait_for(lambda: ada.get(f"/r/{code}").status_code == 410)
