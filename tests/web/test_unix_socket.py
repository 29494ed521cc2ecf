"""A site on a Unix socket, behind a proxy on the same machine: real processes, one and several."""

import contextlib
import json
import signal
import socket
import stat
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, unix_connect
from websockets.typing import Origin

from tavola.cli import main
from tests.cli.test_cli import started
from tests.helpers import PATIENCE
from tests.helpers.site import code_of

pytestmark = pytest.mark.process
PUBLIC = "https://play.example"
AHEAD = ("--public", PUBLIC, "--no-scenes", "--limit", "sockets_an_address=1")


@contextlib.contextmanager
def served(place: Path, *more: str):
    """Serve at a Unix socket, and stop as a service does."""
    with started("serve", "--host", f"unix:{place}", *AHEAD, *more, module="tests.helpers.one_game") as server:
        assert server.stdout is not None
        try:
            assert server.stdout.readline() == f"Tavola is running: unix:{place}\n", server.stderr.read()
            yield
        finally:
            server.send_signal(signal.SIGTERM)
            _, errors = server.communicate(timeout=PATIENCE)
    assert server.returncode == 0
    told = "the limit sockets_an_address refused a request from 203.0.113.0/24; --limit changes it"
    assert all(line.endswith(told) for line in errors.splitlines()), errors


class Forwarding(httpx.HTTPTransport):
    """Sends without encryption, as a proxy does, what a browser has sent to it encrypted."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url.copy_with(scheme="http")
        passed = httpx.Request(request.method, url, headers=request.headers, stream=request.stream)
        return super().handle_request(passed)


def visitor(place: Path, address: str) -> httpx.Client:
    """Return a client whose requests the proxy forwards from this address."""
    forwarded = {"X-Forwarded-For": address, "X-Forwarded-Proto": "https", "Accept-Language": "en"}
    way: dict[str, Any] = {"transport": Forwarding(uds=str(place)), "follow_redirects": True, "timeout": PATIENCE}
    return httpx.Client(base_url=PUBLIC, headers=forwarded, **way)


def opened(place: Path, guest: httpx.Client, code: str, address: str) -> ClientConnection:
    cookies = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
    headers = {"Cookie": cookies, "X-Forwarded-For": address, "X-Forwarded-Proto": "https"}
    uri = f"wss://play.example/r/{code}/socket?form=json"
    settings: dict[str, Any] = {"origin": Origin(PUBLIC), "compression": None, "open_timeout": PATIENCE}
    return unix_connect(str(place), uri.replace("wss", "ws"), additional_headers=headers, **settings)


def play_at(place: Path) -> None:
    """Play from two addresses at once: each has the limits of one address."""
    with contextlib.ExitStack() as open_pages:
        for address in ("203.0.113.7", "203.0.113.8"):
            guest = open_pages.enter_context(visitor(place, address))
            code = code_of(guest.post("/quick", data={"game": "lifeboats", "level": "random"}))
            line = open_pages.enter_context(opened(place, guest, code, address))
            assert json.loads(line.recv(PATIENCE))["type"] == "state"
            with pytest.raises(InvalidStatus) as refused, opened(place, guest, code, address):
                pass
            assert refused.value.response.status_code == 429
            assert code in guest.get(f"/r/{code}").text


def test_one_process_serves_a_proxy_at_a_unix_socket(tmp_path: Path):
    place, database = tmp_path / "tavola.sock", str(tmp_path / "t.sqlite")
    with socket.socket(socket.AF_UNIX) as left:  # by a server that was killed
        left.bind(str(place))
    with served(place, "--database", database):
        assert stat.S_IMODE(place.stat().st_mode) == 0o660
        play_at(place)
        with httpx.Client(transport=Forwarding(uds=str(place)), base_url=PUBLIC) as here:
            assert here.get("http://localhost/metrics", timeout=PATIENCE).status_code == 200
            assert here.get("/metrics").status_code == 403, "by the name of the site, as a proxy asks"
            assert here.get("http://localhost/metrics", headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 403
            same = ("--host", f"unix:{place}", "--public", PUBLIC, "--database", database)
            done = CliRunner().invoke(main, ["admin", *same, "announce", "Closed on Monday"])
            assert done.exit_code == 0, done.output
            assert "Closed on Monday" in here.get("/", timeout=PATIENCE).text
        with started("serve", "--host", f"unix:{place}", "--database", f"{database}2") as second:
            _, said = second.communicate(timeout=PATIENCE)
        assert f"unix:{place}: expected an address that is free to listen on, address already in use" in said
    assert not place.exists()


def test_several_workers_share_a_unix_socket(tmp_path: Path, postgres):
    place = tmp_path / "tavola.sock"
    with served(place, "--database", postgres.new_database(), "--workers", "2"):
        for _ in range(2):  # new rooms belong to both workers in turn
            play_at(place)
    assert not place.exists()


@pytest.mark.parametrize(
    ("host", "more", "expected"),
    [
        ("unix:tavola.sock", (), "expected an absolute path, such as unix:/run/tavola/tavola.sock"),
        ("unix:/nosuch/tavola.sock", (), "free to listen on, no such file or directory"),
        ("unix:/etc/passwd", (), "free to listen on, address already in use"),
        (f"unix:/{'long' * 40}", (), "free to listen on, af_unix path too long"),
        ("unix:/run/t.sock", ("--bot", "mine=exec:true"), "without --public, --proxy or a Unix socket"),
    ],
)
def test_a_place_that_cannot_be_used_is_refused(tmp_path: Path, host: str, more: tuple[str, ...], expected: str):
    done = CliRunner().invoke(main, ["serve", "--host", host, "--database", str(tmp_path / "t.sqlite"), *more])
    assert (done.exit_code, done.output.count("\n")) == (2, 1)
    assert expected in done.output
