"""What anyone gets: styles, scripts and icons, previews of links, a language; and forms, which take effect once."""

import contextlib
import html
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tavola import games
from tavola.live.log.occupants import CAST, FACES, Occupant, seat_faces
from tavola.live.log.people import Person
from tavola.show.speech import DRAFTS
from tavola.web.files import FOLDER, static_version
from tavola.web.requests.visitor import WEB_FOLDER, asked_language
from tests.helpers import wait_for
from tests.helpers.site import TOKEN, Guest, Site, begin_correspondence, check_answer, check_text, code_of, site_at

SCRIPTS = sorted(FOLDER.glob("js/**/*.js"))
SCRIPT_FOLDERS = ("site", "app", "board", "choices", "pages", "room")
"""From the lowest to the highest; `main.js` is above them all."""
PREVIEW = re.compile(r'<meta property="([^"]+)" content="([^"]*)">')


# Files


def imports_of(script: Path) -> list[Path]:
    names = re.findall(r'^import (?:.* from )?"([^"]+)"', script.read_text(encoding="utf-8"), re.MULTILINE)
    return [(script.parent / name).resolve() for name in names]


def height_of(script: Path) -> int:
    folder = script.parent.name
    return SCRIPT_FOLDERS.index(folder) if folder in SCRIPT_FOLDERS else len(SCRIPT_FOLDERS)


def test_pages_link_below_the_version_and_scripts_stay_there(ada: Guest):
    links = re.findall(r'(?:href|src)="(/static/[^"]+)"', ada.get("/").text)
    assert len(links) > 10
    assert {link.split("/")[2] for link in links} == {static_version()}
    for script in SCRIPTS:
        assert not re.findall(r'(?:from|import|import\() ?"(?!\.\.?/)', script.read_text(encoding="utf-8")), script.name
        assert all(imported.is_relative_to(FOLDER / "js") for imported in imports_of(script)), script.name


def test_folders_of_scripts_import_only_those_below_them():
    folders = [script.relative_to(FOLDER / "js").parts[0] for script in SCRIPTS]
    assert {folder for folder in folders if not folder.endswith(".js")} == set(SCRIPT_FOLDERS)
    for script in SCRIPTS:
        for imported in imports_of(script):
            assert imported in SCRIPTS
            assert height_of(imported) <= height_of(script), f"{script.name} imports {imported.name}"


def test_only_one_script_uses_browser_storage():
    stores = re.compile(r"\b(?:local|session)Storage\b|\bindexedDB\b|\bdocument\.cookie\b")
    scripts = [*SCRIPTS, *FOLDER.parent.glob("templates/*.html")]
    assert [script.name for script in scripts if stores.search(script.read_text(encoding="utf-8"))] == ["storage.js"]


def test_every_file_is_the_one_on_disk_packed_or_not(ada: Guest):
    for path in sorted(str(file.relative_to(FOLDER)) for file in FOLDER.rglob("*") if file.is_file()):
        body = (FOLDER / path).read_bytes()
        for packing in ("gzip", "identity"):
            kept = ada.get(f"/static/{static_version()}/{path}", headers={"Accept-Encoding": packing})
            assert kept.content == body, path
            assert kept.headers["cache-control"] == "public, max-age=31536000, immutable"
            if packing == "identity":
                assert "content-encoding" not in kept.headers
            elif path.endswith((".js", ".css", ".svg")):
                assert (kept.headers["content-encoding"], kept.headers["vary"]) == ("gzip", "Accept-Encoding")
        fresh = ada.get(f"/static/{path}")
        assert (fresh.content, fresh.headers["cache-control"]) == (body, "no-cache"), path
        assert fresh.headers["content-type"] == kept.headers["content-type"]


def test_another_release_is_answered_as_it_is_now_and_not_kept(ada: Guest):
    other = ada.get(f"/static/{'0' * 16}/js/main.js")
    assert (other.content, other.headers["cache-control"]) == ((FOLDER / "js" / "main.js").read_bytes(), "no-cache")


@pytest.mark.parametrize("path", ["js/none.js", "js", "", "../app.py", "%2e%2e/app.py", "js/../../app.py"])
def test_what_is_not_there_is_not_found(ada: Guest, path):
    for version in ("", f"{static_version()}/", f"{'0' * 16}/"):
        assert ada.get(f"/static/{version}{path}").status_code == 404


# Search engines, link previews, and what browsers request by themselves: visitors without a cookie


def preview_in(page: str) -> dict[str, str]:
    return {name: html.unescape(content) for name, content in PREVIEW.findall(page)}


def stranger(site: Site, path: str) -> httpx.Response:
    return httpx.get(f"{site.url}{path}", headers={"User-Agent": "WhatsApp/2.23 A"})


def test_private_pages_are_not_listed_and_public_ones_are(site: Site, ada: Guest):
    code = ada.quick()
    seat = re.search(r'value="[^"]+(/seat/[^"]+)"', ada.post("/account/device").text)[1]
    quiet = f"/quiet/{site.app.state.site.visitors.seal_quiet('a', code)}"
    pages = "", "/minute", "/people", "/why", "/words", "/program", "/replay", "/leave"
    inside = [f"/r/{code}{page}" for page in pages]
    own = ["/account", "/account/again", f"/account/link/{'x' * 43}", "/mine", "/mine/away", seat, quiet, "/nothing"]
    for path in [*inside, *own, "/r/zzzzzz", "/health"]:
        assert stranger(site, path).headers["x-robots-tag"] == "noindex", path
    assert ada.post("/join", data={"code": code}).headers["x-robots-tag"] == "noindex"
    for path in ("/", "/shelf", "/games/lifeboats/rules", "/games/lifeboats/new", "/robots.txt", "/favicon.ico"):
        answer = stranger(site, path)
        assert (answer.status_code, "x-robots-tag" in answer.headers) == (200, path == "/robots.txt"), path


def test_robots_may_read_that_pages_are_not_to_be_listed(site: Site):
    rules = [line for line in stranger(site, "/robots.txt").text.splitlines() if not line.startswith("#")]
    assert rules == ["User-agent: *", "Disallow:"]


@pytest.mark.parametrize("path", ["/favicon.ico", "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png"])
def test_icons_lie_where_browsers_look_for_them(site: Site, path: str):
    icon = stranger(site, path)
    assert (icon.status_code, icon.headers["content-type"], icon.content[:4]) == (200, "image/png", b"\x89PNG")
    assert "set-cookie" not in icon.headers


def test_a_link_preview_shows_only_the_game_and_the_inviting_host(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(name='Ada "A" <b>', bots="1", level="random")
    bruno.sit(code, "Bea")
    shown = preview_in(stranger(site, f"/r/{code}").text)
    assert shown["og:title"] == 'Ada "A" <b> invites you to play Lifeboats'
    assert shown["og:url"] == f"{site.url}/r/{code}"
    assert shown["og:description"].endswith(".")
    picture = httpx.get(shown["og:image"])
    told = [picture.headers[name] for name in ("content-type", "cross-origin-resource-policy")]
    assert told == ["image/jpeg", "cross-origin"]
    assert len(picture.content) < 300_000, "WhatsApp shows none that is larger"
    ada.post(f"/r/{code}/fill", data={"level": "random"})
    assert preview_in(stranger(site, f"/r/{code}").text) == shown, "nothing is said of the match"
    assert preview_in(bruno.get(f"/r/{code}").text) == shown
    german = preview_in(httpx.get(f"{site.url}/r/{code}", headers={"Accept-Language": "de"}).text)
    assert german["og:title"] == 'Ada "A" <b> lädt dich ein, „Rettungsboote“ zu spielen'
    assert preview_in(ada.get("/account").text) == {}


def test_a_robot_that_reads_a_room_is_not_a_visitor(site: Site, ada: Guest):
    live, by_post = ada.quick(), begin_correspondence(site, ada)
    seen = "SELECT count(*) FROM seen"
    before = site.run(site.hub.ask(seen, ())), dict(site.room(live).presence._seen_at)
    for code in (live, by_post):
        assert stranger(site, f"/r/{code}").status_code == 200
    assert (site.run(site.hub.ask(seen, ())), site.room(live).presence._seen_at) == before


# Languages


ACCEPTED = {
    "en": ("", "*", "de;q=0.3, *;q=0.5", "de;q=0, *", "en;q=0, it;q=0, fr;q=0, de;q=0"),
    "de": (
        *("de", "de-AT,de;q=0.9,en;q=0.8", "*;q=0.5, de", "de-CH;q=0, de;q=0.5", "it;q=nan, de;q=0.2"),
        *("it;q=1e9, de;q=0.2", ",,;q=1,it;;q=2,de;q=0.4", "xx," * 20 + "de;q=0.9"),
    ),
    "it": (
        *("de ; q=0.9 , it ; q=0.95", "de\t;\tQ = 0.9, it;q=0.95", "zh-Hans-CN, it-IT;q=0.7"),
        *("en;q=0, *", "en;q=0"),
    ),
    "fr": ("en;q=0.1, fr;q=0.2", "pt-BR, pt;q=0.9, fr;q=0.5", "en;q=0.0, it;q=0, *;q=0.1", "fr;q=1.000,de;q=1"),
}


@pytest.mark.parametrize(("language", "accepted"), [(best, each) for best, all_ in ACCEPTED.items() for each in all_])
def test_the_language_is_the_best_that_a_browser_accepts(language, accepted):
    assert asked_language("", accepted) == language


def test_a_language_that_was_chosen_comes_first():
    assert asked_language("a=b; language=fr", "de") == "fr"


def test_a_draft_opens_rooms_of_every_game_and_is_in_no_menu(site: Site, monkeypatch):
    monkeypatch.setitem(DRAFTS, "es", "Español")
    with site.guest("es") as guest:
        check_text(guest.get("/").text, '<html lang="en"', without=["Español"])
        assert guest.get("/language/eo").status_code == 404
        check_text(guest.get("/language/es").text, '<html lang="es"', "Español")  # the menu shows what was chosen
        for name in games.names():
            code = guest.create(game=name)
            guest.post(f"/r/{code}/fill", data={"level": "random"})
            check_answer(guest.get(f"/r/{code}"), 200, '<html lang="es"')
            assert guest.get(f"/games/{name}/rules").status_code == 200
    with site.guest("en") as guest:
        assert "Español" not in guest.get("/").text


# Forms


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


def at_once(*calls) -> list[httpx.Response]:
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(lambda call: call(), calls))


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
    assert [chair.level for chair in site.room(code).seats].count("random") == (3 if path == "/quick" else 2)
    other = {code_of(ada.post(path, data=given)) for given in ({**fields, "game": "fairies"}, OPENING[path])}
    assert len({code, *other}) == 3, "another game, or another page, is another room"


def test_a_room_is_created_once_even_if_the_server_restarts(path: Path):
    database, codes, fields, cookies = path, [], {}, {}
    for _ in range(2):
        with site_at(database) as site, site.guest() as ada:
            ada.cookies.update(cookies)
            fields = fields or {**OPENING["/rooms"], "command_id": token_on(ada, "/shelf")}
            cookies = dict(ada.cookies)
            codes.append(code_of(ada.post("/rooms", data=fields)))
            assert sum(chair.level is not None for chair in site.room(codes[0]).seats) == 2
    assert codes[0] == codes[1]
    with contextlib.closing(sqlite3.connect(database)) as kept:
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
    by_script = {"X-Command-Id": "x", "Accept": "application/json"}
    passkey = forgetful.post("/account/passkey/make/options", headers=by_script)
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
        assert program.get(made.headers["location"]).url.path == f"/r/{code}"
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


# Faces


def face_at(page: str, seat: int) -> str:
    found = re.search(rf'id="(?:chair|player)-{seat}".*?#face-([a-z]+)"', page, re.DOTALL)
    return found[1] if found else ""


def test_guests_have_different_faces_and_keep_the_one_they_choose(site: Site, ada: Guest, bruno: Guest):
    code = ada.create()
    bruno.sit(code, "Zita")
    page = ada.get(f"/r/{code}").text
    drawn = [face_at(page, seat) for seat in (0, 1, 2)]
    assert (drawn[2], len({*drawn} & {*FACES})) == ("free", 2)
    chosen = next(face for face in FACES if face not in drawn)
    assert re.findall(r'name="face" value="([a-z]+)"', bruno.get(f"/r/{code}/face").text) == list(FACES)
    bruno.post(f"/r/{code}/join", data={"face": chosen})
    assert [face_at(ada.get(f"/r/{code}").text, seat) for seat in (0, 1)] == [drawn[0], chosen]
    assert site.room(code).names[1] == "Zita"
    again = bruno.create(name="Zita")
    assert face_at(ada.get(f"/r/{again}").text, 0) == chosen
    assert bruno.post(f"/r/{again}/join", data={"face": "none"}).status_code == 400


def test_a_face_is_also_chosen_away_from_a_table(site: Site, ada: Guest):
    assert 'action="/settings"' in ada.get("/faces?back=/mine").text
    assert 'name="back" value="/"' in ada.get("/faces?back=//elsewhere.example").text
    ada.post("/settings", data={"face": "turban", "back": "/"})
    assert face_at(ada.get(f"/r/{ada.create()}").text, 0) == "turban"


def test_faces_that_are_drawn_are_never_alike_at_a_table():
    places = [Occupant(Person(f"{number:032x}", "Ada", FACES[3] if number == 2 else "")) for number in range(7)]
    faces = seat_faces([*places, Occupant(), Occupant(level="greedy", member=CAST[1])])
    assert (len({*faces}), faces[2], faces[7:]) == (9, FACES[3], ["free", "bruno"])
    assert seat_faces(places[:1]) == faces[:1]
