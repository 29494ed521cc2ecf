"""Hostile clients, each with its own attack on one real server: what they get, and what others notice."""

import base64
import contextlib
import itertools
import json
import logging
import os
import socket as sockets
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tavola.store import WriteFailed
from tavola.web.requests import wire
from tavola.web.requests.guard import HostNames
from tavola.web.requests.limits import UNHURRIED, Bodies, Limits, RateLimiter, network_of
from tavola.web.requests.request_refusals import TooFast
from tavola.web.requests.wire import ConnectionLimiter
from tests.helpers import PATIENCE, ROOT, wait_for
from tests.helpers.site import Guest, Site, check_answer, check_text, code_of, next_message, site_at
from tests.web.test_security import answer_to, socket, socket_refusal

pytestmark = pytest.mark.process


def raw(site: Site, source="127.0.0.1"):
    address = httpx.URL(site.url)
    return sockets.create_connection((address.host, address.port), PATIENCE, (source, 0))


def whole_answer(line):
    return b"".join(iter(lambda: line.recv(65536), b""))


def upgraded(site: Site, code: str):
    line = raw(site)
    key, host = base64.b64encode(os.urandom(16)).decode(), httpx.URL(site.url).netloc.decode()
    line.sendall(
        f"GET /r/{code}/socket?form=json HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    head = b""
    while b"\r\n\r\n" not in head:
        head += line.recv(1)
    assert b" 101 " in head
    return line


def frame(opcode, payload, *, final=True):
    assert len(payload) < 126
    return bytes([opcode | (0x80 if final else 0), 0x80 | len(payload), 0, 0, 0, 0]) + payload


def hung_up(line, send=b""):
    """Return whether the other side closes a connection that only sends `send` again and again, or only reads."""
    line.settimeout(PATIENCE)
    try:
        while send:
            line.sendall(send)
        while line.recv(65536):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def faults_in(caplog: pytest.LogCaptureFixture):
    return [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]


def still_serves(site: Site):
    with site.guest() as guest:
        return guest.get("/health").status_code == 200


# 1: dropped cookies


def test_dropping_the_cookie_does_not_lift_the_limit_of_sockets(path: Path):
    with site_at(path, Limits()) as site, site.guest() as guest, contextlib.ExitStack() as lines:
        code, opened = guest.create(), 0
        stranger = lines.enter_context(site.guest())
        for _ in range(100):
            with contextlib.suppress(InvalidStatus):
                lines.enter_context(socket(site, stranger, code))
                opened += 1
        assert not stranger.cookies
        assert 12 <= opened <= 60
        assert guest.get(f"/r/{code}").status_code == 200


def opening(site: Site, forwarded: str = ""):
    """Return the status with which a new guest opens a room; `forwarded`: the address that their request names."""
    with site.guest(**{"X-Forwarded-For": forwarded} if forwarded else {}) as guest:
        return guest.post("/rooms", data={"game": "lifeboats", "name": "Ada", "patience": "0"}).status_code


@pytest.mark.parametrize("forwarded", [False, True])
def test_dropping_the_cookie_does_not_lift_the_limit_of_rooms(path: Path, forwarded):
    """Nor does a forged forwarding header."""
    with site_at(path, Limits(rooms=(0.0, 5), rooms_an_address=(0.0, 10))) as site:
        codes = [opening(site, f"198.51.100.{number}" if forwarded else "") for number in range(15)]
    assert codes == [200] * 10 + [429] * 5


def test_dropping_the_cookie_does_not_lift_the_limit_of_chat(path: Path):
    with site_at(path, Limits(lines_an_address=(0.0, 30))) as site, site.guest() as host:
        code = host.create()
        for _ in range(15):
            with site.guest() as guest:
                for _ in range(5):
                    guest.post(f"/r/{code}/say", data={"text": "buy!"}, follow_redirects=False)
        assert len(site.room(code).state.chat_log) == 30


def test_forwarded_addresses_count_only_from_a_trusted_proxy_and_cannot_be_forged(path: Path):
    """The proxy's own entry is the last; entries before it may be forged by the client."""
    with site_at(path, Limits(rooms_an_address=(0.0, 2)), proxies=("127.0.0.1",)) as site:
        assert [opening(site, f"203.0.113.{n}, 198.51.100.7") for n in range(4)] == [200, 200, 429, 429]
        assert opening(site, "198.51.100.8") == 200
        assert [opening(site, f"2001:db8:1:2::{n:x}") for n in range(3)] == [200, 200, 429], "64 bits are one household"
        with site.guest(**{"X-Forwarded-Proto": "https"}) as guest:
            assert "secure" in guest.get("/").headers["set-cookie"].lower()


def test_many_networks_of_one_prefix_have_their_share_together(path: Path):
    """A network of 48 bits has 65,536 households of 64: together they may do eight times as much as one."""
    with site_at(path, Limits(rooms_an_address=(0.0, 1)), proxies=("127.0.0.1",)) as site:
        assert [opening(site, f"2001:db8:1:{n:x}::7") for n in range(10)] == [200] * 8 + [429] * 2
        assert opening(site, "2001:db8:2::7") == 200


def test_work_of_many_networks_of_one_prefix_is_one_account():
    work = RateLimiter((0.0, 10))
    for number in range(8):
        assert work.allows("2001:db8:1:9::/64")
        work.charge(network_of(f"2001:db8:1:{number:x}::7"), 10)
    assert not work.allows("2001:db8:1:9::/64")
    assert work.spent("2001:db8:1:9::/64") == 0
    assert work.allows("2001:db8:2:9::/64")


def test_connections_of_many_networks_of_one_prefix_are_bounded():
    door = ConnectionLimiter(Limits(connections_an_address=2), capacity=1000)
    entered = [address for number in range(100) if door.enter(address := f"2001:db8:1:{number:x}::7")]
    assert len(entered) == 16
    assert door.enter("2001:db8:2::7")
    door.leave(entered[0])
    assert door.enter("2001:db8:1:ff::7")


def test_connections_of_all_addresses_are_bounded_by_the_system_and_the_host(caplog):
    for door in (ConnectionLimiter(Limits(connections=3), 1000), ConnectionLimiter(Limits(), capacity=3)):
        assert [door.enter(f"203.0.113.{number}") for number in range(4)] == [True, True, True, False]
        assert "all 3 that LimitNOFILE and --limit connections allow" in caplog.text
        door.leave("203.0.113.0")
        assert door.enter("203.0.113.9")


# 3: clients that do not read, that flood, that are never content


@pytest.mark.parametrize(
    ("begun", "each"),
    [
        pytest.param(b"", frame(9, b"x" * 125), id="pings"),
        pytest.param(b"", frame(1, b'{"type":"ping"}'), id="messages"),
        pytest.param(frame(1, b"x", final=False), frame(0, b"", final=False), id="countless parts of one message"),
    ],
)
def test_clients_that_never_read_are_disconnected(path: Path, begun, each):
    with site_at(path, Limits()) as site, site.guest() as guest:
        with upgraded(site, guest.create()) as line:
            line.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            line.sendall(begun)
            assert hung_up(line, each * 200)
        assert still_serves(site)


ROOMY = Limits(messages=(1e4, 10**4), messages_an_address=(1e4, 10**4), refused=(0.0, 20))
FLOOD = Limits(messages=(0.0, 60), refused=(0.0, 20)), '{"type":"ping"}', 400
REFUSED = [(ROOMY, message, 60) for message in ('{"type":"castle"}', '{"type":"start","command_id":"x"}')]


@pytest.mark.parametrize(("limits", "message", "times"), [FLOOD, *REFUSED], ids=["a flood", "unknown", "not allowed"])
def test_clients_that_keep_sending_are_disconnected(path: Path, limits, message, times):
    with site_at(path, limits) as site, site.guest() as host, site.guest() as guest:
        guest.get("/")
        with socket(site, guest, host.create()) as line, pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
            for _ in range(times):  # all answers are read, so that only what is sent counts
                line.send(message)
                next_message(line, "pong", "refused")
        assert closed.value.rcvd.code == 1008
        assert still_serves(site)


# 4: connections


def test_half_a_request_is_not_waited_for(path: Path):
    with site_at(path, Limits(headers=0.4, arriving=0.4)) as site:
        for half in (
            b"",
            b"GET / HTTP/1.1\r\nHost: x\r\n",
            b"POST /join HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nco",
        ):
            with raw(site) as line:
                line.sendall(half)
                assert hung_up(line)
        with raw(site) as line:  # a character now and then is not a request either
            line.settimeout(0.05)
            with contextlib.suppress(OSError):
                for letter in itertools.cycle(b"GET / HTTP/1.1\r\nx: y"):
                    line.sendall(bytes([letter]))
                    with contextlib.suppress(TimeoutError):
                        if line.recv(1) == b"":
                            break
        site.change_limits(headers=PATIENCE)
        assert still_serves(site)


FORM = "Content-Type: application/x-www-form-urlencoded"


def begin_body(site: Site, length: int, sent: bytes, path="/join", source="127.0.0.1"):
    line = raw(site, source)
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}\r\nContent-Length: {length}\r\n\r\n"
    line.sendall(head.encode() + sent)
    return line


def test_a_body_that_stalls_is_not_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch):
    with site_at(path, Limits(stalled=0.4)) as site:
        with begin_body(site, 900, b"code=") as line:
            assert hung_up(line)
        site.change_limits(stalled=PATIENCE)
        started, start = [], wire._LimitedConnection._start
        monkeypatch.setattr(wire._LimitedConnection, "_start", lambda *given: started.append(given[1]) or start(*given))
        with begin_body(site, 30, b"code=") as line:  # slow is not stalled: the timeout is for each piece
            for number in range(5):
                wait_for(lambda: started.count("piece") > number)  # noqa: B023 - called at once
                line.sendall(b"abcde")
            assert line.recv(100).startswith(b"HTTP/1.1 404 ")


def test_half_sent_bodies_of_one_address_use_limited_memory(path: Path, monkeypatch: pytest.MonkeyPatch):
    kept, require = list[Bodies](), Bodies._require_space
    monkeypatch.setattr(Bodies, "_require_space", lambda self, *given: kept.append(self) or require(self, *given))
    held = Limits(bodies_an_address=55_000, connections_an_address=100)
    with site_at(path, held) as site, contextlib.ExitStack() as lines:

        def begin(source):
            return lines.enter_context(begin_body(site, 30_000, b"code=" + b"x" * 20_000, source=source))

        first = [begin("127.0.0.1") for _ in range(2)]
        wait_for(lambda: kept and sum(kept[0]._held.values()) >= 40_000)
        assert begin("127.0.0.1").recv(100).startswith(b"HTTP/1.1 429 ")
        other = begin("127.0.0.2")
        other.sendall(b"x" * 9_995)
        assert other.recv(100).startswith(b"HTTP/1.1 404 ")
        first[0].close()
        wait_for(lambda: sum(kept[0]._held.values()) <= 30_000)
        again = begin("127.0.0.1")
        again.sendall(b"x" * 9_995)
        assert again.recv(100).startswith(b"HTTP/1.1 404 "), "what is over holds nothing"


def test_bodies_of_all_hold_so_much_and_each_has_a_little():
    bodies = Bodies(Limits(bodies=200_000, bodies_an_address=200_000))
    with bodies.reading("192.0.2.1") as much, bodies.reading("192.0.2.2") as little:
        much(200_000)
        little(60_000)
        for reading, more in ((little, 60_000), (much, 1)):
            with pytest.raises(TooFast):
                reading(more)
    with bodies.reading("192.0.2.2") as all_of_it:
        all_of_it(200_000)


def test_sending_on_after_a_refusal_is_disconnected(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(wire, "LINGERING", 0.4)
    with site_at(path, Limits()) as site, begin_body(site, 10**9, b"") as line:
        assert line.recv(100).startswith(b"HTTP/1.1 413 ")
        assert hung_up(line, b"x" * 1000)


def test_connections_of_one_address_are_counted(path: Path):
    with site_at(path, Limits(headers=PATIENCE)) as site, contextlib.ExitStack() as lines:
        opened = [lines.enter_context(raw(site)) for _ in range(250)]
        for line in opened:
            line.setblocking(False)
        wait_for(lambda: sum(map(open_still, opened)) <= 150)
        assert sum(map(open_still, opened)) >= 50


def open_still(line):
    try:
        return line.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def healthy(url):
    try:
        return httpx.get(f"{url}/health", timeout=PATIENCE).text == "ok"
    except httpx.TransportError:
        return False


SERVER = """
import resource, sys, time
resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))
from tests.helpers import site as sites
from tavola.web.serve.logs import configure_logging
configure_logging()
with sites.site_at(sites.Path(sys.argv[1])) as site:
    print(site.url, flush=True)
    sys.stdin.read()
"""


def test_running_out_of_descriptors_is_survived_and_fills_no_log(tmp_path: Path):
    command, pipe = [sys.executable, "-c", SERVER, str(tmp_path / "t.sqlite")], subprocess.PIPE
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=log, text=True)
    try:
        url, lines = httpx.URL(server.stdout.readline().strip()), []
        for _ in range(600):
            with contextlib.suppress(OSError):
                lines.append(sockets.create_connection((url.host, url.port), timeout=PATIENCE))
        for line in lines:
            line.setblocking(False)
        wait_for(lambda: 50 <= sum(map(open_still, lines)) <= 100)  # all others have been refused
        for line in lines:
            line.close()
        wait_for(lambda: healthy(url))
    finally:
        server.communicate("", timeout=PATIENCE)
    assert len((tmp_path / "log").read_text().splitlines()) < 40


# 5: codes


def test_after_too_many_guesses_hits_are_refused_too(path: Path):
    with site_at(path, Limits(unknown_rooms_an_address=(0.0, 5))) as site, site.guest() as host, site.guest() as guest:
        code, mine = host.create(), guest.create()
        for _ in range(9):
            assert guest.get(f"/r/{mine}").status_code == 200, "who was there goes on for nothing"
        assert [guest.get(f"/r/guess{n}").status_code for n in range(6)] == [404] * 5 + [429]
        assert (guest.get(f"/r/{code}").status_code, socket_refusal(site, guest, code)) == (429, 429)
        assert guest.get(f"/r/{mine}").status_code == 200


def test_codes_of_private_rooms_are_long(site: Site, ada: Guest):
    assert len(ada.create()) >= 9
    assert len(ada.create(public="yes")) == 6


# 12: names and cookies


def test_two_sites_on_one_host_do_not_take_each_others_guests(tmp_path: Path):
    with (
        site_at(tmp_path / "a.sqlite") as one,
        site_at(tmp_path / "b.sqlite") as other,
        httpx.Client(timeout=PATIENCE) as browser,
    ):
        for site in (one, other, one):
            browser.get(site.url)
        assert len({name for name in browser.cookies if name.startswith("tavola")}) == 2
        before = dict(browser.cookies)
        browser.get(one.url)
        browser.get(other.url)
        assert dict(browser.cookies) == before


def test_other_names_are_refused_where_ours_are_given(path: Path):
    with site_at(path, names=HostNames.parse(["https://play.example"])) as site:
        ours = {"Host": "play.example", "Origin": "https://play.example"}
        answer = httpx.get(site.url, headers=ours, timeout=PATIENCE)
        assert (answer.status_code, "secure" in answer.headers["set-cookie"].lower()) == (200, True)
        assert httpx.post(f"{site.url}/join", data={"code": "x"}, headers=ours, timeout=PATIENCE).status_code == 404
        assert httpx.get(site.url, timeout=PATIENCE).status_code == 421
        assert httpx.get(site.url, headers={"Host": "evil.example"}, timeout=PATIENCE).status_code == 421
        assert httpx.get(f"{site.url}/health", timeout=PATIENCE).status_code == 200
        with pytest.raises(InvalidStatus):
            connect(f"{site.url.replace('http', 'ws')}/r/x/socket", open_timeout=PATIENCE)


def test_a_site_without_a_name_answers_only_to_names_of_this_machine(site: Site):
    """Any name can be made to resolve here, and a page under it would then be of the same origin."""
    for host in ("localhost", "localhost:8000", "127.0.0.1:1", "127.9.8.7", "[::1]:8000", "tavola.localhost"):
        assert httpx.get(site.url, headers={"Host": host}).status_code == 200, host
    others = "evil.example", "localhost.evil.example", "localhost.", "10.0.0.1", "0.0.0.0:8000", "[::]", "[fe80::1]"
    for host in others:
        asked = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
        for path in ("/", "/static/js/main.js", "/health"):
            refused = httpx.get(f"{site.url}{path}", headers=asked)
            assert refused.status_code == 421, (host, path)
        assert "--public" in refused.text
        check_answer(httpx.post(f"{site.url}/rooms", data={"game": "lifeboats", "name": "Eve"}, headers=asked), 421)
    with pytest.raises(InvalidStatus):
        connect(f"{site.url.replace('http', 'ws')}/r/x/socket", additional_headers={"Host": "evil.example"})


def test_a_public_site_without_a_name_answers_only_to_addresses():
    names = HostNames.parse((), beyond_this_machine=True)
    for host in ("192.168.1.7:8000", "[fd00::7]", "localhost:8000", "127.0.0.1"):
        assert names.answers(host), host
    for host in ("evil.example", "tavola.local", "192.168.1.7.evil.example", "1.2.3", ""):
        assert not names.answers(host), host


# Small attacks


@pytest.mark.parametrize("host", ["x" * 3000, "[", "[::1", "a b", 'a"<b', "a:99999999"])
def test_a_host_that_is_none_is_refused_without_a_fault(site: Site, caplog: pytest.LogCaptureFixture, host):
    with raw(site) as line:
        line.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        assert whole_answer(line).startswith(b"HTTP/1.1 400 ")
    assert caplog.records == []


@pytest.mark.parametrize("order", [1, -1])
def test_a_body_of_two_lengths_is_refused(site: Site, order):
    """A proxy might go by the other length, and take what follows for another client's request."""
    lengths = ["Content-Length: 6", "Transfer-Encoding: chunked"][::order]
    with raw(site) as line:
        head = "\r\n".join(["POST /join HTTP/1.1", "Host: 127.0.0.1", *lengths])
        line.sendall(f"{head}\r\n\r\n0\r\n\r\nGET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        answer = whole_answer(line)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1 ") == 1, "and the line is closed"


@pytest.mark.parametrize("path", ["/join", "/import"])
def test_a_body_that_is_broken_off_leaves_no_traceback(tmp_path: Path, caplog: pytest.LogCaptureFixture, path):
    with site_at(tmp_path / "t.sqlite", Limits()) as site:
        with begin_body(site, 100, b"code=", path):
            assert still_serves(site)
        assert still_serves(site)
    assert faults_in(caplog) == []


def test_invalid_frames_and_refused_sockets_leave_no_traceback_and_nothing_follows_a_close_frame(
    site: Site, ada: Guest, caplog: pytest.LogCaptureFixture
):
    code = ada.create()
    with upgraded(site, code) as line:
        line.sendall(frame(1, b"\xff\xfe\xff"))
        assert hung_up(line)
    for _ in range(5):
        with socket(site, ada, code) as line:
            line.send("x" * 20_000)
            ada.post(f"/r/{code}/say", data={"text": "hello"})
            with contextlib.suppress(ConnectionClosed):
                for _ in range(20):
                    line.recv(PATIENCE)
    assert [socket_refusal(site, ada, "nowhere") for _ in range(3)] == [404] * 3
    assert still_serves(site)
    assert faults_in(caplog) == []


def test_closing_a_connection_amid_answers_leaves_no_traceback(path: Path, caplog: pytest.LogCaptureFixture):
    with site_at(path, Limits(refused=(0.0, 20))) as site, site.guest() as guest:
        for _ in range(3):
            with upgraded(site, guest.create()) as line:
                line.sendall(frame(1, b'{"type":"castle"}') * 300)
                assert hung_up(line)
    assert faults_in(caplog) == []


def test_a_ping_is_answered_without_the_whole_state(site: Site, ada: Guest):
    code = ada.quick()
    room = site.room(code)
    wait_for(lambda: room.prompt_id(0) is not None)
    with socket(site, ada, code, "?form=json") as line:
        line.recv(PATIENCE)
        wait_for(lambda: room.presence._timer is None)  # her presence has been sent
        for _ in range(5):
            line.send('{"type":"ping"}')
            next_message(line, "pong")
        for _ in range(4):
            line.send('{"type":"ping"}')
            assert json.loads(line.recv(PATIENCE))["type"] == "pong"


def test_what_cannot_be_written_is_said_in_the_readers_language(tmp_path: Path):
    with site_at(tmp_path / "t.sqlite", UNHURRIED) as site, site.guest("de") as guest:
        code = guest.create()

        async def fail(*_, **named):
            raise WriteFailed(f"{tmp_path}: disk full")

        with socket(site, guest, code) as line:
            site.hub.store.append_batches = fail
            told = answer_to(line, {"type": "say", "command_id": "x", "text": "hello"})
        assert "gespeichert" in told["message"]
        check_answer(guest.post(f"/r/{code}/say", data={"text": "hello"}), 503, "gespeichert", without=[str(tmp_path)])


def test_a_damaged_room_opens_read_only_says_so_and_others_go_on(tmp_path: Path):
    path = tmp_path / "t.sqlite"
    with site_at(path) as site, site.guest("it") as guest:
        damaged, sound, lost = (code_of(guest.post("/rooms", data={"game": "lifeboats", "name": "Ada"})) for _ in "123")
        for code in (damaged, sound, lost):
            for number in range(5):
                guest.post(f"/r/{code}/say", data={"text": f"line {number}"})
        cookies = dict(guest.cookies)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE event SET body = replace(body, 'line 3', 'LIES 3') WHERE room = ?", (damaged,))
        connection.execute("UPDATE event SET body = 'x' || body WHERE room = ? AND seq = 1", (lost,))
    with site_at(path) as site, site.guest("it") as guest:
        guest.cookies.update(cookies)
        check_answer(guest.get(f"/r/{damaged}"), 200, "danneggiata", "line 2", without=["LIES"])
        check_answer(guest.post(f"/r/{damaged}/say", data={"text": "hello"}), 409, "danneggiata")
        assert guest.post(f"/r/{sound}/say", data={"text": "hello"}).status_code == 200
        gone = guest.get(f"/r/{lost}")
        assert gone.status_code in (409, 503)
        check_text(gone.text, without=[str(tmp_path), "Traceback"])
