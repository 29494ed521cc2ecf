"""What strangers try: other sites, other seats, malformed input."""

import json
import os
import re
import stat
from pathlib import Path

import httpx
import pytest
from itsdangerous import URLSafeSerializer
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tavola.show.speech import LANGUAGES
from tavola.store.signing_key import load_signing_key
from tavola.web.requests.guard import HEADERS
from tavola.web.requests.limits import UNHURRIED, Limits
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR
from tests.helpers.site import Guest, Site, site_at

NASTY = "<script>alert(1)</script>"
PATHS = ("/", "/games/lifeboats/new", "/games/lifeboats/rules", "/games/lifeboats/style.css", "/nowhere", "/r/nowhere")


def cookie_of(guest: Guest) -> dict[str, str]:
    cookies = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
    return {"Cookie": cookies} if cookies else {}


def socket(site: Site, guest: Guest, code: str, query: str = "", origin: str | None = None):
    headers = {"Accept-Language": guest.headers["accept-language"], **cookie_of(guest)}
    url, ours = f"{site.url.replace('http', 'ws')}/r/{code}/socket{query}", Origin(origin or site.url)
    return connect(url, additional_headers=headers, origin=ours, compression=None, open_timeout=PATIENCE)


def socket_refusal(site: Site, guest: Guest, code: str, origin: str | None = None) -> int:
    """Return the status with which a socket is refused."""
    with pytest.raises(InvalidStatus) as refused, socket(site, guest, code, origin=origin):
        pass
    return refused.value.response.status_code


def answer_to(line, message: dict) -> dict:
    line.send(json.dumps(message))
    while True:
        answer = json.loads(line.recv(PATIENCE))
        if answer.get("command_id") == message["command_id"]:
            return answer


# Headers


@pytest.mark.parametrize("path", [*PATHS, "/static/js/main.js", "/health"])
def test_every_answer_carries_the_policy(ada: Guest, path):
    answer = ada.get(path)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


def test_a_fault_of_ours_shows_no_insides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def fail(*_):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("tavola.web.pages.home.game_entry", fail)
    with site_at(tmp_path / "t.sqlite") as site, site.guest("it") as guest:
        answer = guest.get("/")
    assert answer.status_code == 500
    assert "secret detail" not in answer.text
    assert "Traceback" not in answer.text
    assert "Qualcosa è andato storto" in answer.text
    assert answer.headers["content-security-policy"]
    assert "secret detail" in caplog.text


def in_all_languages(guest: Guest, *paths: str) -> list[str]:
    return [guest.get(path, headers={"Accept-Language": each}).text for path in paths for each in LANGUAGES]


@pytest.mark.bulk
def test_pages_hold_neither_inline_script_nor_inline_style(site: Site):
    with site.guest() as guest:
        code, room = guest.quick(), guest.create(bots="1")
        pages = in_all_languages(guest, *PATHS, f"/r/{code}", f"/r/{code}/why?code=vote red", f"/r/{room}")
        site.finish(code)
        pages += in_all_languages(guest, f"/r/{code}", f"/r/{code}/replay?at=50")
    for page in pages:
        assert not re.search(r"<[^>]+\sstyle=", page)
        assert not re.search(r"<[^>]+\son\w+=", page)
        assert not re.search(r"<script(?![^>]+src=)", page)
        assert "<style" not in page


def test_the_cookie_is_only_for_this_site(site: Site):
    with site.guest() as guest:
        header = guest.get("/").headers["set-cookie"].lower()
    assert "httponly" in header
    assert "samesite=lax" in header
    assert "secure" not in header
    with site.guest() as guest:
        header = guest.get("/", headers={"X-Forwarded-Proto": "https"}).headers["set-cookie"].lower()
    assert "secure" not in header, "nobody was named who may say so"


def test_the_signing_key_is_readable_only_by_its_owner(tmp_path: Path):
    database = tmp_path / "t.sqlite"
    secret = load_signing_key(database)
    assert load_signing_key(database) == secret
    assert len(secret) == 32
    (path,) = tmp_path.iterdir()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600


# Other sites


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_forms_of_other_sites_are_refused(site: Site, ada: Guest, headers):
    code = ada.create(bots="3")
    for path in ("/quick", "/rooms", "/join", "/import", "/settings", f"/r/{code}/start", f"/r/{code}/say"):
        assert ada.post(path, headers=headers, data={"game": "lifeboats"}).status_code == 403
    assert site.room(code).state.phase == "gathering"


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
def test_sockets_of_other_sites_are_refused(site: Site, ada: Guest, origin):
    assert socket_refusal(site, ada, ada.create(), origin) == 403


# Other people


def test_a_cookie_tampered_with_is_nobodys(site: Site, ada: Guest, bruno: Guest):
    code = ada.create()
    host = site.room(code).state.host
    forged = URLSafeSerializer(b"guess", salt="tavola person").dumps([host.id, "Ada"])
    (name,) = (name for name in ada.cookies if name.startswith("tavola-"))
    for cookie in (forged, ada.cookies[name][:-2] + "xx", "", "x" * 4000, '["' + host.id + '","Ada"]'):
        answer = httpx.post(f"{site.url}/r/{code}/fill", cookies={name: cookie}, timeout=PATIENCE)
        assert answer.status_code == 403
    assert site.room(code).state.phase == "gathering"
    assert ada.post(f"/r/{code}/fill").status_code == 200


def test_players_cannot_act_for_another_seat(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(**{"option-players": "3"})
    bruno.sit(code, "Bea")
    ada.post(f"/r/{code}/fill")
    room = site.room(code)
    while not (owed := ada.choices(code))[1] and room.state.phase == "playing":
        prompt_id, codes = bruno.choices(code)
        if codes:
            bruno.play(code, prompt_id, codes[0])
    prompt_id, codes = owed
    before = sum(seat == 0 for seat, _ in room.state.match.history)
    bruno_owed = bruno.choices(code)[0]
    answer = bruno.play(code, prompt_id + 50, codes[0])
    assert answer.status_code == 409
    with site.guest() as stranger:
        assert stranger.play(code, prompt_id, codes[0]).status_code == 403
        with socket(site, stranger, code) as line:
            told = answer_to(line, {"type": "play", "command_id": "x", "code": codes[0], "prompt_id": prompt_id})
        assert told["kind"] == "NotSeated"
    with socket(site, ada, code) as line:
        line.send(json.dumps({"type": "play", "command_id": "y", "code": codes[0], "prompt_id": prompt_id, "seat": 1}))
        while (told := json.loads(line.recv(PATIENCE)))["type"] != "refused":
            pass
        assert told["kind"] == "BadMessage"
    assert sum(seat == 0 for seat, _ in room.state.match.history) == before
    assert bruno.choices(code)[0] == bruno_owed


# Malformed input


def test_names_and_chat_are_text(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(name="<b>Ada</b>", **{"option-players": "3"})
    bruno.sit(code, "<i>'\"&Bea")
    bruno.post(f"/r/{code}/say", data={"text": NASTY})
    ada.post(f"/r/{code}/fill")
    for guest in (ada, bruno):
        page = guest.get(f"/r/{code}").text
        assert "<b>Ada" not in page
        assert "<i>'" not in page
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        assert "&lt;b&gt;Ada&lt;/b&gt;" in page
    with socket(site, bruno, code) as line:
        fragments = json.loads(line.recv(PATIENCE))["fragments"]
    assert not any("<b>Ada" in text or "<script>" in text for text in fragments.values())


@pytest.mark.parametrize("length", [40_000, 2_000_000])
def test_bodies_are_limited(ada: Guest, length):
    try:
        answer = ada.post("/join", content=b"x" * length)
    except httpx.WriteError:
        return  # refused before it was read
    assert answer.status_code == 413


def test_a_body_that_hides_its_length_is_limited(ada: Guest):
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    try:
        answer = ada.post("/join", content=(b"code=" + b"x" * 10_000 for _ in range(10)), headers=form)
    except httpx.WriteError:
        return
    assert answer.status_code == 413


MALFORMED = (
    "{",
    "[]",
    "null",
    "7",
    '"play"',
    '{"type":[]}',
    '{"type":"play"}',
    '{"type":"castle","command_id":"x"}',
    '{"type":"say","command_id":7,"text":"x"}',
    '{"type":"say","command_id":"x","text":{}}',
    '{"type":"say","command_id":"","text":"x"}',
    '{"type":"play","command_id":"x","code":"vote red","prompt_id":true}',
    "[" * 5000,
)


def test_malformed_messages_are_refused_and_the_line_lives_on(site: Site, ada: Guest):
    with socket(site, ada, ada.create()) as line:
        for text in MALFORMED:
            line.send(text)
            while (message := json.loads(line.recv(PATIENCE)))["type"] != "refused":
                pass
            assert message["kind"] == "BadMessage", text
        line.send('{"type":"ping"}')
        while json.loads(line.recv(PATIENCE))["type"] != "pong":
            pass


def test_oversized_messages_end_the_line(site: Site, ada: Guest):
    code = ada.create()
    with socket(site, ada, code) as line:
        line.send("x" * 20_000)
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
            for _ in range(50):
                line.recv(PATIENCE)
    assert closed.value.rcvd.code == 1009


@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"])
def test_malformed_forms_are_refused(ada: Guest, kind):
    for body in (b"\xff\xfe=\x00", b"code", b"a=1&" * 200, b"--x\r\n\r\n--x--"):
        answer = ada.post("/join", content=body, headers={"Content-Type": kind})
        assert answer.status_code in (400, 404), body
        assert "Traceback" not in answer.text


# Too fast

SELDOM = 0.0001
"""Tokens per second: too few to restore one during a test."""


def test_rates_are_limited(tmp_path: Path):
    with site_at(tmp_path / "t.sqlite", Limits(posts=(SELDOM, 3), rooms=(SELDOM, 2))) as site:
        with site.guest("fr") as guest:
            codes = [guest.post("/quick", data={"game": "lifeboats"}).status_code for _ in range(3)]
            assert codes == [200, 200, 429]
            answer = guest.post("/join", data={"code": "x"})
            assert answer.status_code == 429
            assert "trop rapide" in answer.text
        with site.guest() as other:
            other.get("/")
            assert other.post("/quick", data={"game": "lifeboats"}).status_code == 200


def test_chat_and_messages_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tavola.live.presence.CHAT_WINDOW", HOUR)
    limits = Limits(messages=(SELDOM, 8), posts=UNHURRIED.posts)
    with site_at(tmp_path / "t.sqlite", limits) as site, site.guest("de") as guest:
        code = guest.quick()
        with socket(site, guest, code) as line:
            says = [{"type": "say", "command_id": f"c{n}", "text": f"{n}"} for n in range(9)]
            kinds = [answer_to(line, message).get("kind") for message in says[:8]]
            assert kinds[:6] == [None] * 5 + ["TooFast"]
            assert "zu schnell" in answer_to(line, says[8])["message"]


def test_sockets_of_one_person_are_counted(tmp_path: Path):
    with site_at(tmp_path / "t.sqlite", Limits(sockets=2)) as site, site.guest() as guest:
        code = guest.quick()
        with socket(site, guest, code), socket(site, guest, code) as second:
            second.recv(PATIENCE)
            assert socket_refusal(site, guest, code) == 429
