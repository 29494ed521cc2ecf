"""What strangers try: other sites, other seats, malformed input; and limits, which an operator can change."""

import contextlib
import json
import logging
import os
import re
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from itsdangerous import URLSafeSerializer
from starlette.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tavola.show.speech import LANGUAGES
from tavola.store.signing_key import load_signing_key
from tavola.web.requests.guard import HEADERS, HostNames
from tavola.web.requests.limits import PEOPLE, UNHURRIED, Limits
from tavola.web.requests.request_refusals import OF_ADDRESS
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR
from tests.helpers.site import Guest, Site, check_answer, check_text, next_message, site_at

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
    check_text(policy, "default-src 'self'", "frame-ancestors 'none'", without=["unsafe"])


def test_a_fault_of_ours_shows_no_insides(path: Path, monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("tavola.web.pages.home.game_entry", fail)
    with site_at(path) as site, site.guest("it") as guest:
        answer = guest.get("/")
    check_answer(answer, 500, "Qualcosa è andato storto", without=["secret detail", "Traceback"])
    assert answer.headers["content-security-policy"]
    assert "secret detail" in caplog.text


INLINE = re.compile(r"<[^>]+\s(?:style|on\w+)=|<script(?![^>]+src=)|<style")


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
        assert not INLINE.search(page)


def test_the_cookie_is_only_for_this_site(site: Site):
    with site.guest() as guest:
        header = guest.get("/").headers["set-cookie"].lower()
    check_text(header, "httponly", "samesite=lax", without=["secure"])
    with site.guest() as guest:
        header = guest.get("/", headers={"X-Forwarded-Proto": "https"}).headers["set-cookie"].lower()
    assert "secure" not in header, "nobody was named who may say so"


def test_the_signing_key_is_readable_only_by_its_owner(tmp_path: Path):
    database = tmp_path / "t.sqlite"
    secret = load_signing_key(database)
    assert (load_signing_key(database), len(secret)) == (secret, 32)
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
        assert httpx.post(f"{site.url}/r/{code}/fill", cookies={name: cookie}, timeout=PATIENCE).status_code == 403
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
    before, bruno_owed = sum(seat == 0 for seat, _ in room.state.match.history), bruno.choices(code)[0]
    assert bruno.play(code, prompt_id + 50, codes[0]).status_code == 409
    with site.guest() as stranger:
        assert stranger.play(code, prompt_id, codes[0]).status_code == 403
        with socket(site, stranger, code) as line:
            told = answer_to(line, {"type": "play", "command_id": "x", "code": codes[0], "prompt_id": prompt_id})
        assert told["kind"] == "NotSeated"
    with socket(site, ada, code) as line:
        line.send(json.dumps({"type": "play", "command_id": "y", "code": codes[0], "prompt_id": prompt_id, "seat": 1}))
        assert next_message(line, "refused")["kind"] == "BadMessage"
    assert sum(seat == 0 for seat, _ in room.state.match.history) == before
    assert bruno.choices(code)[0] == bruno_owed


# Malformed input


def test_names_and_chat_are_text(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(name="<b>Ada</b>", **{"option-players": "3"})
    bruno.sit(code, "<i>'\"&Bea")
    bruno.post(f"/r/{code}/say", data={"text": "<script>alert(1)</script>"})
    ada.post(f"/r/{code}/fill")
    shown = "&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;b&gt;Ada&lt;/b&gt;"
    for guest in (ada, bruno):
        check_text(guest.get(f"/r/{code}").text, *shown, without=["<b>Ada", "<i>'", "<script>alert"])
    with socket(site, bruno, code) as line:
        fragments = json.loads(line.recv(PATIENCE))["fragments"]
    assert not any("<b>Ada" in text or "<script>" in text for text in fragments.values())


@pytest.mark.parametrize("body", [b"x" * 2_000_000, [b"code=" + b"x" * 10_000] * 10])
def test_bodies_are_limited_even_if_they_hide_their_length(ada: Guest, body: bytes | list[bytes]):
    content = body if isinstance(body, bytes) else iter(body)
    try:
        answer = ada.post("/join", content=content, headers={"Content-Type": "application/x-www-form-urlencoded"})
    except httpx.WriteError:
        return  # refused before it was read
    assert answer.status_code == 413


MALFORMED = (
    *("{", "[]", "null", "7", '"play"', '{"type":[]}', '{"type":"play"}', "[" * 5000),
    '{"type":"castle","command_id":"x"}',
    '{"type":"say","command_id":7,"text":"x"}',
    '{"type":"say","command_id":"x","text":{}}',
    '{"type":"say","command_id":"","text":"x"}',
    '{"type":"play","command_id":"x","code":"vote red","prompt_id":true}',
)


def test_malformed_messages_are_refused_and_the_line_lives_on(site: Site, ada: Guest):
    with socket(site, ada, ada.create()) as line:
        for text in MALFORMED:
            line.send(text)
            assert next_message(line, "refused")["kind"] == "BadMessage", text
        line.send('{"type":"ping"}')
        next_message(line, "pong")


def test_oversized_messages_end_the_line(site: Site, ada: Guest):
    with socket(site, ada, ada.create()) as line:
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


def test_rates_are_limited(path: Path):
    with site_at(path, Limits(posts=(SELDOM, 3), rooms=(SELDOM, 2))) as site:
        with site.guest("fr") as guest:
            assert [guest.post("/quick", data={"game": "lifeboats"}).status_code for _ in range(3)] == [200, 200, 429]
            check_answer(guest.post("/join", data={"code": "x"}), 429, "trop rapide")
        with site.guest() as other:
            other.get("/")
            assert other.post("/quick", data={"game": "lifeboats"}).status_code == 200


def test_chat_and_messages_are_limited(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tavola.live.presence.CHAT_WINDOW", HOUR)
    limits = Limits(messages=(SELDOM, 8), posts=UNHURRIED.posts)
    with site_at(path, limits) as site, site.guest("de") as guest, socket(site, guest, guest.quick()) as line:
        says = [{"type": "say", "command_id": f"c{n}", "text": f"{n}"} for n in range(9)]
        assert [answer_to(line, message).get("kind") for message in says[:8]][:6] == [None] * 5 + ["TooFast"]
        assert "zu schnell" in answer_to(line, says[8])["message"]


def test_sockets_of_one_person_are_counted(path: Path):
    with site_at(path, Limits(sockets=2)) as site, site.guest() as guest:
        code = guest.quick()
        with socket(site, guest, code), socket(site, guest, code) as second:
            second.recv(PATIENCE)
            assert socket_refusal(site, guest, code) == 429


# Limits as settings


HALL = 200
"""People who play at one address."""


def test_limits_of_an_address_grow_with_its_people_and_no_others():
    some, many = vars(Limits()), vars(Limits().for_people(2 * PEOPLE))
    for name, value in some.items():
        double = tuple(2 * part for part in value) if isinstance(value, tuple) else 2 * value
        assert many[name] == (double if name.endswith(OF_ADDRESS) else value), name


@given(st.integers(1, 100_000))
def test_no_limit_of_an_address_is_ever_zero(people):
    for name, value in vars(Limits().for_people(people)).items():
        if name.endswith(OF_ADDRESS):
            assert min(value if isinstance(value, tuple) else [value]) > 0, name
    assert Limits().for_people(PEOPLE) == Limits()


@given(st.sampled_from(sorted(vars(Limits()))), st.floats(0, 1e6), st.integers(0, 10**6))
def test_every_limit_can_be_changed_alone(name, rate, number):
    known = vars(Limits())[name]
    text = f"{name}={rate},{number}" if isinstance(known, tuple) else f"{name}={number}"
    expected = vars(Limits()) | {name: (rate, number) if isinstance(known, tuple) else number}
    assert vars(Limits().with_changes([text])) == expected


@pytest.mark.parametrize("text", ["sockets", "sockets=", "sockets=-1", "sockets=1,2", "rooms=1", "rooms=inf,2", "x=1"])
def test_what_is_no_limit_is_refused(text):
    with pytest.raises(ValueError, match=r"expected"):
        Limits().with_changes([text])


def watching(site: Site, code: str, form: str) -> ClientConnection:
    address = f"{site.url.replace('http', 'ws')}/r/{code}/socket?{form}"
    # A socket that stops reading, or is late with an answer to a ping, would be closed on a slow machine.
    waits: dict[str, Any] = {"open_timeout": PATIENCE, "ping_interval": None, "max_queue": None}
    return connect(address, compression=None, origin=Origin(site.url), **waits)


@pytest.mark.process
def test_a_hall_of_people_watches_from_one_address(path: Path, caplog: pytest.LogCaptureFixture):
    with site_at(path, Limits().for_people(HALL)) as site, site.guest() as host, contextlib.ExitStack() as lines:
        code = host.create()
        for _ in range(HALL):
            assert lines.enter_context(watching(site, code, "form=json")).recv(PATIENCE)
        assert caplog.records == []
        beyond = lines.enter_context(watching(site, code, "patches=related"))
        with pytest.raises(ConnectionClosed) as closed:
            beyond.recv(PATIENCE)
    assert closed.value.rcvd.code == 4029
    assert "the limit sockets_an_address refused a request from 127.0.0.0/24" in caplog.text


def test_the_log_names_a_limit_of_requests(path: Path, caplog: pytest.LogCaptureFixture):
    with site_at(path, replace(UNHURRIED, posts_an_address=(0.0, 1))) as site, site.guest() as guest:
        guest.post("/settings", data={"theme": "dark"})
        refused = guest.post("/settings", data={"theme": "dark"})
    check_answer(refused, 429, "too much traffic from your network")
    assert "the limit posts_an_address refused a request from 127.0.0.0/24; --limit changes it" in caplog.text


# Proxies


@pytest.mark.parametrize(
    ("origin", "host", "ours"),
    [
        ("https://play.example:8443", "play.example:8443", True),
        ("https://play.example:8443", "play.example", True),
        ("https://play.example", "play.example", True),
        ("https://play.example:9999", "play.example", False),
        ("https://evil.example", "play.example", False),
    ],
)
def test_a_proxy_may_pass_the_name_without_the_port(origin, host, ours):
    names = HostNames.parse(["https://play.example:8443"])
    assert names.is_same_origin(Headers({"origin": origin, "host": host})) is ours


def test_the_log_says_which_public_address_is_missing(path: Path, caplog: pytest.LogCaptureFixture):
    with site_at(path, names=HostNames.parse(["http://play.example"])) as site:
        headers = {"Host": "play.example", "Origin": "http://play.example:8080"}
        assert httpx.post(f"{site.url}/settings", headers=headers).status_code == 403
    assert "the proxy passes the name play.example: expected --public http://play.example:8080" in caplog.text


@pytest.mark.parametrize("proxies", [(), ("127.0.0.1",)])
def test_the_log_says_once_that_a_proxy_is_not_declared(path: Path, caplog: pytest.LogCaptureFixture, proxies):
    with caplog.at_level(logging.WARNING), site_at(path, proxies=proxies) as site:
        for _ in range(2):
            httpx.get(f"{site.url}/health", headers={"X-Forwarded-For": "203.0.113.7"})
    said = [record.getMessage() for record in caplog.records]
    assert [text.partition(":")[0] for text in said] == ([] if proxies else ["127.0.0.1 forwards requests"])
