"""A form that is sent twice takes effect once, and one from a browser without cookies creates nothing."""

import re
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tavola.web.requests.visitor import WEB_FOLDER
from tests.helpers import wait_for
from tests.helpers.site import TOKEN, Guest, Site, code_of, site_at

FORM = re.compile(r'<form method="post"[^>]*>(?:\{\{ (?:once|with_cookies) \}\})?')
OTHERWISE = {
    "actions.html": "a decision has its number",
    "pad.html": "notes have their version",
    "quiet.html": "a mail program sends it, which has no cookies; said twice it is the same",
}
"""Forms without an id, and the reasons."""
OPENING = {
    "/quick": {"game": "lifeboats", "level": "random"},
    "/rooms": {"game": "lifeboats", "name": "Ada", "option-players": "4", "bots": "2", "level": "random"},
}


def token_on(guest: Guest, path: str) -> str:
    (token,) = set(TOKEN.findall(guest.get(path).text))
    assert token
    return token


def at_once(*calls: Callable[[], httpx.Response]) -> list[httpx.Response]:
    answers: list[httpx.Response] = []
    threads = [threading.Thread(target=lambda call=call: answers.append(call())) for call in calls]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return answers


def test_every_form_has_an_id_or_a_reason():
    for file in sorted((WEB_FOLDER / "templates").glob("*.html")):
        forms = FORM.findall(file.read_text(encoding="utf-8").replace("{{ room.id }}", ""))
        named = [form.endswith("}}") for form in forms]
        assert all(named) != (file.name in OTHERWISE) or not forms, file.name
    source = "".join(file.read_text(encoding="utf-8") for file in WEB_FOLDER.rglob("*.py"))
    assert "<form" not in source, "forms stand in templates"


@pytest.mark.parametrize("path", OPENING)
def test_a_room_is_opened_once_at_the_same_time_and_later(site: Site, ada: Guest, path: str):
    fields = {**OPENING[path], "command_id": token_on(ada, "/shelf")}
    before = len(site.hub.rooms)
    answers = at_once(*[lambda: ada.post(path, data=fields)] * 3)
    (code,) = {code_of(answer) for answer in [*answers, ada.post(path, data=fields)]}
    assert len(site.hub.rooms) == before + 1
    levels = [chair.level for chair in site.room(code).seats]
    assert levels.count("random") == (3 if path == "/quick" else 2)
    other = {code_of(ada.post(path, data=given)) for given in ({**fields, "game": "fairies"}, OPENING[path])}
    assert len({code, *other}) == 3, "another game, or another page, is another room"


def test_a_room_is_created_once_even_if_the_server_restarts(tmp_path: Path):
    database, codes, fields, cookies = tmp_path / "t.sqlite", [], {}, {}
    for _ in range(2):
        with site_at(database) as site, site.guest() as ada:
            ada.cookies.update(cookies)
            fields = fields or {**OPENING["/rooms"], "command_id": token_on(ada, "/shelf")}
            cookies = dict(ada.cookies)
            codes.append(code_of(ada.post("/rooms", data=fields)))
            assert sum(chair.level is not None for chair in site.room(codes[0]).seats) == 2
    assert codes[0] == codes[1]
    with sqlite3.connect(database) as kept:
        assert kept.execute("SELECT count(*) FROM room").fetchone() == (1,)


def test_what_is_sent_twice_happens_once(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(**{"option-players": "4"})
    room, state = site.room(code), site.room(code).state

    def twice(guest: Guest, path: str, page: str = f"/r/{code}", **fields: str) -> set[str]:
        fields["command_id"] = token_on(guest, page)
        answers = at_once(*[lambda: guest.post(path, data=fields)] * 2)
        assert {answer.status_code for answer in answers} == {200}
        return {TOKEN.sub("", answer.text) for answer in answers}

    twice(bruno, f"/r/{code}/join", name="Bea")
    assert [place.person and place.person.name for place in state.occupants] == ["Ada", "Bea", None, None]
    twice(ada, f"/r/{code}/bot", level="random")
    assert sum(place.level is not None for place in state.occupants) == 1
    twice(bruno, f"/r/{code}/say", text="Ahoy")
    assert [line.text for line in state.chat_log] == ["Ahoy"]
    bruno.post(f"/r/{code}/say", data={"text": "Ahoy", "command_id": token_on(bruno, f"/r/{code}")})
    assert len(state.chat_log) == 2, "it is said again from another page"
    reports = len(site.hub.store.reports(99))
    twice(ada, f"/r/{code}/report", f"/r/{code}/people", speaker=str(state.chat_log[0].speaker))
    assert len(site.hub.store.reports(99)) == reports + 1
    assert len(twice(ada, f"/r/{code}/program", f"/r/{code}/program", name="Robot")) == 1, "one address for a program"
    assert len(twice(bruno, "/account/device", "/account")) == 1, "one link to another device"
    twice(ada, f"/r/{code}/fill", level="random")
    assert room.state.phase == "playing"


def test_an_imported_record_and_a_rematch_are_one_room_each(site: Site, ada: Guest):
    code = ada.quick()
    site.finish(code)
    record = ada.get(f"/r/{code}/record").text
    for path, fields, page in (("/import", {"text": record}, "/shelf"), (f"/r/{code}/rematch", {}, f"/r/{code}")):
        told = {**fields, "command_id": token_on(ada, page)}
        assert len({code_of(answer) for answer in at_once(*[lambda: ada.post(path, data=told)] * 2)}) == 1  # noqa: B023


def test_what_was_refused_may_be_asked_again(ada: Guest):
    fields = {"code": "zzzzzz", "command_id": token_on(ada, "/shelf")}
    assert [ada.post("/join", data=fields).status_code for _ in range(2)] == [404, 404]


class Forgetful(httpx.Cookies):
    def extract_cookies(self, response: httpx.Response) -> None:
        pass


@pytest.fixture
def forgetful(site: Site):
    with site.guest() as guest:
        guest._cookies = Forgetful()
        yield guest


def test_without_cookies_a_form_makes_nothing_and_says_why(site: Site, forgetful: Guest, ada: Guest):
    code = ada.create()
    rooms, seq = len(site.hub.rooms), site.room(code).state.seq
    forms = {
        **{path: (fields, "/shelf") for path, fields in OPENING.items()},
        "/import": ({"text": "Hello"}, "/shelf"),
        f"/r/{code}/join": ({"name": "Bea"}, f"/r/{code}"),
        f"/r/{code}/say": ({"text": "Hello"}, f"/r/{code}"),
        "/account/device": ({}, "/account"),
    }
    for path, (fields, page) in forms.items():
        answer = forgetful.post(path, data={**fields, "command_id": token_on(forgetful, page)})
        assert (answer.status_code, "Allow cookies for this site" in answer.text) == (400, True), path
    told = forgetful.post("/settings", data={"theme": "dark", "with_cookies": "yes"})
    assert "Allow cookies for this site" in told.text
    passkey = forgetful.post(
        "/account/passkey/make/options", headers={"X-Command-Id": "x", "Accept": "application/json"}
    )
    assert passkey.json()["refused"] == "NoCookies" or passkey.status_code == 404
    assert (len(site.hub.rooms), site.room(code).state.seq) == (rooms, seq)
    with site.guest() as guest:
        fields = {**OPENING["/quick"], "command_id": token_on(guest, "/shelf")}
        guest.cookies.clear()
        assert [guest.post("/quick", data=fields).status_code for _ in range(2)] == [400, 200], "they are allowed now"


@pytest.mark.parametrize("path", OPENING)
def test_a_program_without_cookies_hears_so_too_and_one_with_them_comes_in(site: Site, forgetful: Guest, path: str):
    assert "Allow cookies for this site" in forgetful.post(path, data=OPENING[path]).text
    with site.guest() as program:
        made = program.post(path, data=OPENING[path], follow_redirects=False)
        code = made.headers["location"].rpartition("/")[2]
        assert site.room(code).state.phase in ("gathering", "playing")
        arrived = program.get(made.headers["location"])
        assert arrived.url.path == f"/r/{code}"
        again = program.post(path, data={**OPENING[path], "command_id": token_on(program, "/shelf")})
        assert len(again.history) == 1, "whoever has a cookie goes straight to the room"


@pytest.mark.parametrize("path", ["//evil.example", "/%2Fevil.example", "/%5Cevil.example"])
def test_the_check_of_cookies_leads_only_to_our_own_pages(ada: Guest, path: str):
    ada.get("/shelf")
    assert ada.get(f"/cookie-check{path}", follow_redirects=False).headers["location"] == "/"


def test_two_workers_open_one_room_for_a_form_that_comes_to_both(served: str):
    with site_at(served) as one, site_at(served) as other, one.guest() as ada:
        fields = {**OPENING["/rooms"], "command_id": token_on(ada, "/shelf")}
        with httpx.Client(cookies=dict(ada.cookies)) as browser:
            doors = [lambda site=site: browser.post(f"{site.url}/rooms", data=fields) for site in (one, other)]
            (address,) = {answer.headers["location"] for answer in at_once(*doors)}
        rooms = [site.room(address.rpartition("/")[2]) for site in (one, other)]
        wait_for(lambda: all(sum(chair.level is not None for chair in room.seats) == 2 for room in rooms))
