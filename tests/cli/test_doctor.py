"""`tavola doctor` with a real site, proxies that make mistakes, a mail server, and databases."""

import contextlib
import http.client
import json
import os
import ssl
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tavola.cli import doctor
from tavola.store import open_store
from tavola.web.requests.guard import HostNames
from tests.cli import role_without_rights, run
from tests.helpers import PATIENCE, free_port, serving
from tests.helpers.mail import encrypted_mail_server, mail_server, tls_contexts
from tests.helpers.postgres import PostgresServer
from tests.helpers.site import site_at

DECLARED, UNDECLARED = "127.0.0.3", "127.0.0.4"
"""Addresses of this machine from which a proxy forwards."""


class Proxy(ThreadingHTTPServer):
    """Forwards to a port from an address of this machine. `forwarding`: what happens to X-Forwarded-For.

    `upgrades`: it passes WebSockets. `host`: the name that it passes, by default that of the request.
    """

    daemon_threads = True

    def __init__(
        self, site: int, way: str = DECLARED, forwarding: str = "append", host: str = "", upgrades: bool = True
    ) -> None:
        super().__init__(("127.0.0.1", 0), ForwardingHandler)
        self.site, self.way, self.forwarding, self.host, self.upgrades = site, way, forwarding, host, upgrades


class ForwardingHandler(BaseHTTPRequestHandler):
    server: Proxy

    def do_GET(self) -> None:
        given = self.headers["X-Forwarded-For"]
        passed = {"append": f"{given}, {self.client_address[0]}", "pass": given, "drop": None}[self.server.forwarding]
        headers = {"Host": self.server.host or self.headers["Host"]} | ({"X-Forwarded-For": passed} if passed else {})
        if self.server.upgrades:
            headers |= {name: value for name, value in self.headers.items() if name in doctor.OPENING}
        way = (self.server.way, 0)
        connection = http.client.HTTPConnection("127.0.0.1", self.server.site, PATIENCE, source_address=way)
        try:
            connection.request("GET", self.path, headers=headers)
            answer = connection.getresponse()
            status, policy, body = answer.status, answer.headers["Content-Security-Policy"], answer.read()
        except ConnectionRefusedError:
            status, policy, body = 502, None, b"no answer"
        finally:
            connection.close()
        self.send_response(status)
        if policy is not None:
            self.send_header("Content-Security-Policy", policy)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def proxied(*given: Any, tls: ssl.SSLContext | None = None, **more: Any) -> Iterator[str]:
    """Yield the public address of a site behind a proxy."""
    proxy = Proxy(*given, **more)
    if tls is not None:
        proxy.socket = tls.wrap_socket(proxy.socket, server_side=True)
    with serving(proxy):
        yield f"http{'s' if tls else ''}://127.0.0.1:{proxy.server_port}"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a site that trusts one proxy."""
    database, names = tmp_path_factory.mktemp("doctor") / "t.sqlite", HostNames(frozenset({"127.0.0.1"}))
    with site_at(database, proxies=(DECLARED,), names=names) as site:
        yield int(site.url.rpartition(":")[2])


@pytest.fixture(autouse=True)
def _sound_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Synchronise the clock, and reach no push service."""
    monkeypatch.setattr(doctor, "clock_status", lambda: 0)
    monkeypatch.setattr(doctor, "PUSH_SERVICES", ())
    monkeypatch.setattr(doctor, "TIMEOUT", PATIENCE)


def findings(path: Path | str, *words: object, **environment: str) -> dict[str, list[tuple[str, str, str]]]:
    """Return state, finding and cure by check; the exit status says whether anything needs doing."""
    result = run("doctor", "--json", "--largest", 1, "--database", path, *words, **environment)
    found: dict[str, list[tuple[str, str, str]]] = {}
    for each in json.loads(result.output):
        found.setdefault(each["check"], []).append((each["state"], each["found"], each["cure"]))
        assert (each["state"] == "to do") == bool(each["cure"]) == each["cure"].endswith(".")
    needed = any(state == "to do" for rows in found.values() for state, *_ in rows)
    assert result.exit_code == (doctor.TO_DO if needed else 0)
    return found


def test_a_sound_machine_needs_nothing(path: Path):
    found = findings(path)
    assert {state for rows in found.values() for state, *_ in rows} == {"ok"}
    assert list(found) == ["database", "disk", "descriptors", "clock", "time zones", "mail", "push", "proxy"]
    assert not path.exists()
    said = run("doctor", "--largest", 1, "--database", path)
    assert (said.exit_code, said.output.count("\n")) == (0, len(found))
    assert said.output.startswith(f"ok       database     {path} will be created\n")


def test_a_machine_that_lacks_something_is_told_the_cure(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(doctor, "clock_status", lambda: doctor.UNSYNCHRONISED)
    found = findings(path, "--largest", 10**9, "--people", 100_000)
    assert "or set --largest to a smaller number" in found["disk"][0][2]
    assert "Set LimitNOFILE of the service" in found["descriptors"][0][2]
    assert "Install an NTP client" in found["clock"][0][2]
    assert "\n                      Install an NTP client" in run("doctor", "--database", path).output
    monkeypatch.setattr(doctor, "clock_status", lambda: -1)
    assert findings(path)["clock"][0][0] == "unknown"


def test_the_settings_are_those_of_the_site(path: Path, tmp_path: Path):
    file = tmp_path / "tavola.toml"
    file.write_text('mail = "smtp://mail.example"\n')
    assert "expected --mail and --mail-from together" in run("doctor", "--config", file).output
    file.write_text("send-to = 'ada@play.example'\n")
    assert "found 'send-to'" in run("doctor", "--config", file).output
    assert "--send-to: expected --mail" in run("doctor", "--database", path, "--send-to", "a@play.example").output


def test_a_database_that_cannot_be_used_is_told_the_reason(path: Path):
    path.write_text("a text of someone else")
    ((state, found, _),) = findings(path)["database"]
    assert (state, path.read_text()) == ("to do", "a text of someone else")
    assert "expected a Tavola database" in found or "expected an intact Tavola database" in found


def test_a_database_in_use_is_only_read(database: Path | str):
    with contextlib.closing(open_store(database)) as store:
        store.signing_key()
        ((state, found, _),) = findings(database)["database"]
    assert (state, "SQLite" in found) == ("ok", isinstance(database, Path))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
def test_the_owner_of_a_database_must_be_able_to_write_beside_it(path: Path):
    open_store(path).close()
    os.chown(path, 12345, 12345)
    ((state, found, _),) = findings(path)["database"]
    assert (state, found) == ("to do", f"{path.parent}: expected a folder in which the owner of the database can write")
    os.chown(path.parent, 12345, 12345)
    assert findings(path)["database"][0][0] == "ok"


def test_a_role_must_own_its_database_and_have_the_same_time(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch):
    address = postgres.new_database()
    with role_without_rights(address) as stranger:
        assert findings(address)["database"][0][0] == "ok"
        assert "expected a database that belongs to its user" in findings(stranger)["database"][0][1]
        open_store(address).close()
        assert findings(address)["clock"][1][0] == "ok"
        assert "expected a database that" in findings(stranger)["database"][0][1]
        monkeypatch.setattr(doctor, "CLOCK_DIFFERENCE", -1.0)
        assert "Synchronise the clocks" in findings(address)["clock"][1][2]


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_the_mail_server_is_asked_and_sends_a_message(path: Path, tmp_path: Path, scheme: str):
    public = ("--public", "http://play.example")
    with encrypted_mail_server(tmp_path, scheme) as (box, server):
        given = ("--mail", f"{scheme}://{server.host}:{server.port}", "--mail-from", server.sender, *public)
        trusted = ("--mail-ca", tmp_path / "certificate.pem")
        mail = findings(path, *given, *trusted)["mail"]
        assert box.emails == []
        assert ("encrypted, with a certificate valid until" in mail[0][1], mail[0][0]) == (True, "to do")
        assert mail[0][2] == f"Renew the certificate of {server.host}.", "it is valid for an hour"
        mail = findings(path, *given, *trusted, "--send-to", "ada@play.example")["mail"]
        assert mail[1][:2] == ("ok", f"{server.host} has accepted a test message to ada@play.example")
        assert (box.recipients, box.encrypted) == (["ada@play.example"], [True])
        ((state, found, cure),) = findings(path, *given)["mail"]
        assert (state, "certificate verify failed" in found, "--mail-ca" in cure) == ("to do", True, True)
    assert findings(path, *given, *trusted)["mail"][0][0] == "to do"


def test_a_refused_test_message_is_told_with_the_reply(path: Path):
    with mail_server() as (box, server):
        given = ("--mail", f"smtp://{server.host}:{server.port}", "--mail-from", server.sender)
        box.unknown.add("ada@play.example")
        mail = findings(path, *given, "--public", "http://play.example", "--send-to", "ada@play.example")["mail"]
    assert mail[0][:2] == ("ok", f"{server.host}:{server.port} accepts connections, on this machine")
    assert (mail[1][0], "550 5.1.1 no such mailbox" in mail[1][1]) == ("to do", True)


@pytest.mark.process
@pytest.mark.parametrize(
    ("program", "state"),
    [
        ('echo \'"google=1"\'; echo \'"v=spf1" " mx -all"\'', "ok"),
        ("echo '\"google=1\"'", "to do"),
        ("exit 9", "unknown"),
        (None, "unknown"),
    ],
)
def test_the_records_of_the_sender_are_read(tmp_path: Path, program: str | None, state: str):
    """By a program in place of dig: tests reach no name server."""
    if program is not None:
        (tmp_path / "dig").write_text(f"#!/bin/sh\n{program}\n")
        (tmp_path / "dig").chmod(0o755)
    given = ("--mail", f"smtp://127.0.0.1:{free_port()}", "--mail-from", "a@play.example")
    found = findings(tmp_path / "t.sqlite", *given, "--public", "http://play.example", PATH=str(tmp_path))
    assert found["DNS"][0][0] == state
    assert "play.example" in found["DNS"][0][1]


def test_push_services_must_be_reached_from_an_encrypted_site(path: Path, monkeypatch: pytest.MonkeyPatch):
    public = f"https://127.0.0.1:{free_port()}"
    assert findings(path, "--public", public)["push"][0][0] == "ok"
    monkeypatch.setattr(doctor, "PUSH_SERVICES", ("localhost",))
    ((state, found, cure),) = findings(path, "--public", public)["push"]
    assert (state, "localhost cannot be reached" in found, "port 443" in cure) == ("to do", True, True)


@pytest.mark.parametrize(
    ("way", "forwarding", "expected"),
    [
        (DECLARED, "append", ""),
        (UNDECLARED, "append", f"Set --proxy {UNDECLARED}."),
        (DECLARED, "drop", "Let the proxy send X-Forwarded-For."),
        (DECLARED, "pass", "Let the proxy add the visitor's address at the end of X-Forwarded-For"),
    ],
)
def test_a_proxy_must_pass_the_addresses_of_visitors(path: Path, port: int, way: str, forwarding: str, expected: str):
    with proxied(port, way, forwarding) as public:
        ((state, _, cure),) = findings(path, "--public", public, "--proxy", DECLARED)["proxy"]
    assert (state, cure.startswith(expected)) == ("to do" if expected else "ok", True)


def test_a_proxy_must_pass_the_name_of_the_site_and_websockets_and_reach_it(path: Path, port: int):
    with proxied(port, host="backend.internal") as public:
        named, forwarded = findings(path, "--public", public, "--proxy", DECLARED)["proxy"]
    assert ("proxy_set_header Host $http_host" in named[2], forwarded[0]) == (True, "ok")
    with proxied(port, upgrades=False) as public:
        plain, forwarded = findings(path, "--public", public, "--proxy", DECLARED)["proxy"]
    assert ("Upgrade and Connection" in plain[2], forwarded[0]) == (True, "ok")
    with proxied(free_port()) as public:
        ((_, found, cure),) = findings(path, "--public", public)["proxy"]
    assert ("status 502" in found, cure.startswith("Start the site")) == (True, True)
    ((state, found, _),) = findings(path, "--public", public)["proxy"]
    assert (state, "cannot be reached from here" in found) == ("unknown", True)


def test_the_certificate_of_the_site_must_be_valid_and_for_long(
    path: Path, port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    own, _ = tls_contexts("127.0.0.1", tmp_path)
    with proxied(port, tls=own) as public:
        ((_, found, cure),) = findings(path, "--public", public, "--proxy", DECLARED)["proxy"]
        assert ("certificate" in found, cure.startswith("Give the proxy a certificate")) == (True, True)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
        dated, forwarded = findings(path, "--public", public, "--proxy", DECLARED)["proxy"]
    assert (dated[2], forwarded[0]) == (f"Renew the certificate of {public}.", "ok")
