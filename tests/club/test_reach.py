"""What is sent to servers elsewhere: encrypted, never into a private network, and never waiting for long."""

import asyncio
import contextlib
import gc
import socket
import ssl
import threading
from dataclasses import replace
from ipaddress import ip_address
from typing import Any, cast

import pytest

from tavola.club.sending import reach
from tavola.club.sending.mail import MailServer
from tavola.club.sending.outbox import NotNow, Undeliverable
from tavola.club.sending.reach import BadEndpoint, NotPublic, Reach, is_public, origin_of
from tests.club.test_outbox import message
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR
from tests.helpers.mail import ELSEWHERE, encrypted_mail_server, mail_server
from tests.helpers.push import is_loopback, push_service
from tests.helpers.rooms import refused, wait_until

PRIVATE = (
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
    *("255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "2001:db8::1", "::ffff:127.0.0.1"),
    *("fec0::1", "feff::1", "192.88.99.1", "2002:c058:6301::", "192.0.0.8", "192.0.0.100", "198.18.0.1", "240.0.0.1"),
    *("192.31.196.1", "192.52.193.1", "192.175.48.1", "198.51.100.1", "203.0.113.1", "100::1", "100:0:0:1::1"),
    *("64:ff9b:1::101:101", "2001:2::1", "2001:20::1", "2620:4f:8000::1", "3fff::1", "5f00::1", "fd12::1", "4000::1"),
    *("64:ff9b::a00:1", "2002:7f00:1::", "2001:0:1:1:0:0:80ff:fffe", "::127.0.0.1", "::ffff:169.254.169.254"),
)
"""The last ones contain such an IPv4 address."""
REFUSED = (
    *("http://push.example/x", "https://push.example:8443/x", "https://localhost/x", "https://intranet/x"),
    *("https://ada@push.example/x", "https://ada:secret@push.example/x", "https://push.example/x#y"),
    *("https://push.example./x", "https://push.example\\@127.0.0.1/x", "https://push.example/x y"),
    *("https://push.example/x\r\nHost: y", "https://push.example:x/", "https://[::1/x", "https://2130706433/x"),
    *("https://127.1/x", "https://0x7f.0.0.1/x", "https://é.example/x", "ftp://push.example/x", "//push.example/x", ""),
)


@pytest.mark.parametrize("address", PRIVATE)
def test_no_address_inside_a_network_is_public(address):
    assert not is_public(ip_address(address))
    with pytest.raises(BadEndpoint):
        Reach().check(f"https://{f'[{address}]' if ':' in address else address}/x")


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1"])
def test_what_is_on_the_internet_is(address):
    assert is_public(ip_address(address))


@pytest.mark.parametrize("endpoint", REFUSED)
def test_invalid_push_addresses_are_refused(endpoint):
    with pytest.raises(BadEndpoint):
        Reach().check(endpoint)


def test_push_services_as_they_are_may_be_used():
    for endpoint in (
        "https://fcm.googleapis.com/fcm/send/abc:APA91-_x",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
        "https://web.push.apple.com/QKx",
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAA%2bx",
        "https://push.example:443/x",
    ):
        Reach().check(endpoint)
    assert origin_of("https://push.example:443/x?y") == "https://push.example"
    assert origin_of("https://[2606:4700::1]:8443/x") == "https://[2606:4700::1]:8443"


async def send(way, endpoint="https://push.example/x"):
    return await way.post(endpoint, {"TTL": "1"}, b"sealed")


@pytest.fixture
def names(monkeypatch):
    """Host names with lists of addresses: each lookup takes the next one, and repeats the last."""
    known: dict[str, list[list[str]]] = {}

    def resolve(host, port, **more):
        meant = known[host].pop(0) if len(known[host]) > 1 else known[host][0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in meant]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return known


async def test_a_name_that_leads_inside_is_never_connected_to(names, tmp_path, monkeypatch):
    async def connect(*arguments, **more):
        raise AssertionError("nothing is connected to")

    monkeypatch.setattr(asyncio, "open_connection", connect)
    for meant in (["127.0.0.1"], ["1.1.1.1", "10.0.0.1"], ["::1"], ["fe80::1%eth0"]):
        names["push.example"] = [meant]
        await refused(NotPublic, send(Reach()))


async def test_a_name_that_means_something_else_a_moment_later_leads_nowhere_else(names, monkeypatch):
    tried = []

    async def connect(host, port, **more):
        tried.append((host, port, more["server_hostname"]))
        raise OSError("refused")

    monkeypatch.setattr(asyncio, "open_connection", connect)
    names["push.example"] = [["1.1.1.1", "2.2.2.2"], ["127.0.0.1"]]
    await refused(NotNow, send(Reach()))
    assert tried == [("1.1.1.1", 443, "push.example"), ("2.2.2.2", 443, "push.example")]


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_connection_ends_before_a_slow_mail_server_answers_the_goodbye_of_tls(tmp_path, scheme):
    ended = threading.Event()

    async def linger(smtp: Any, *_: object) -> str:
        await smtp.push("221 Bye")
        ended.wait(PATIENCE)  # nothing else happens in the server
        return "221 Bye"

    with encrypted_mail_server(tmp_path, scheme) as (box, server):
        cast(Any, box).handle_QUIT = linger
        asyncio.run(server.check())
        gc.collect()  # would warn of a socket that is still open
        ended.set()


# After a failed handshake asyncio leaves a socket to the garbage collector; here it may be collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_push_service_without_a_valid_certificate_gets_nothing(tmp_path):
    with push_service(tmp_path) as service:
        strict = Reach(is_loopback, None, ssl.create_default_context())
        with pytest.raises(NotNow):
            asyncio.run(send(strict, f"{service.url}/push/x"))
        assert service.asked == 0
        assert asyncio.run(send(service.reach, f"{service.url}/push/x")).status == 403
    gc.collect()


def test_a_knock_reaches_a_push_service_and_sends_nothing(tmp_path):
    with push_service(tmp_path) as service:
        port = int(service.url.rpartition(":")[2])
        asyncio.run(service.reach.knock("127.0.0.1", port))
        with pytest.raises(ssl.SSLCertVerificationError):
            asyncio.run(Reach(is_loopback, None, ssl.create_default_context()).knock("127.0.0.1", port))
        with pytest.raises(NotPublic):
            asyncio.run(Reach().knock("127.0.0.1", port))
        assert service.asked == 0
    with pytest.raises(ConnectionRefusedError):
        asyncio.run(service.reach.knock("127.0.0.1", port))
    gc.collect()


async def post_plainly(monkeypatch, said, wait=0.0):
    """Return the answer of a server that says `said` and closes the connection after `wait` seconds."""
    writers, connect = [], asyncio.open_connection

    async def serve(reader, writer):
        writers.append(writer)
        await reader.readuntil(b"sealed")
        writer.write(said)
        await asyncio.sleep(wait)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    monkeypatch.setattr(asyncio, "open_connection", lambda host, port, **more: connect(host, port))
    try:
        return await Reach(is_loopback, None).post(f"https://127.0.0.1:{port}/x", {}, b"sealed")
    finally:
        server.close()
        for writer in writers:
            writer.transport.abort()
            with contextlib.suppress(OSError):
                await writer.wait_closed()


@pytest.mark.parametrize(
    "said",
    [
        *(b"", b"HTTP/1.1 20", b"hello\r\n\r\n"),
        *(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 40_000, b"HTTP/1.1 100 Go\r\n\r\n" * 900),
    ],
)
async def test_an_answer_that_is_none_or_too_long_is_not_read_on(monkeypatch, said):
    await refused(NotNow, post_plainly(monkeypatch, said))


async def test_of_an_answer_the_status_is_read_and_how_long_to_wait(monkeypatch):
    said = b"HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 429 Many\r\nRetry-After: 60\r\nContent-Length: 999999999\r\n\r\nx"
    assert await post_plainly(monkeypatch, said, HOUR) == (429, 60.0)
    date = b"HTTP/1.1 503 No\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n\r\n"
    assert await post_plainly(monkeypatch, date, HOUR) == (503, 0.0)


async def test_a_service_that_says_nothing_is_left_in_time(monkeypatch):
    monkeypatch.setattr(reach, "TIMEOUT", 0.2)
    await refused(NotNow, post_plainly(monkeypatch, b"", HOUR), "did not answer")


# E-mails: to a server that proves its identity, or not at all


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
async def test_an_email_is_encrypted_by_starttls_or_from_the_start(tmp_path, scheme):
    with encrypted_mail_server(tmp_path, scheme) as (box, server):
        await hand_over(server)
        assert (box.recipients, box.encrypted) == (["ada@example.org"], [True])


# After a failed handshake asyncio leaves a socket to the garbage collector; here it may be collected.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_mail_server_without_a_valid_certificate_gets_nothing(tmp_path, scheme):
    with encrypted_mail_server(tmp_path, scheme) as (box, server):
        with pytest.raises(NotNow):
            asyncio.run(hand_over(replace(server, tls=None)))
        assert box.emails == []
    gc.collect()


@pytest.mark.parametrize("address", ["127.0.0.1", ELSEWHERE])
async def test_a_mail_server_may_have_its_own_certificate(tmp_path, address):
    """On this machine it is not checked; elsewhere it is given as a file."""
    with encrypted_mail_server(tmp_path, "smtp", address) as (box, server):
        given = tmp_path / "certificate.pem" if address == ELSEWHERE else None
        await hand_over(MailServer.parse(f"smtp://{address}:{server.port}", server.sender, authority=given))
    assert box.encrypted == [True]


@pytest.mark.parametrize(
    ("reply", "kind"), [("550 5.7.1 ada@example.org is unknown here", Undeliverable), ("451 4.3.0 try later", NotNow)]
)
async def test_the_reason_names_the_server_and_its_reply_but_no_recipient(reply, kind):
    with mail_server() as (box, server):
        box.refusals.append(reply)
        with pytest.raises(kind) as failed:
            await hand_over(server)
    assert str(failed.value) == f"{server.host}:{server.port}: {reply.replace('ada@example.org', '…')}"


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("MAIL", "550 5.7.1 not allowed to send as this address"),
        ("RCPT", "553 5.7.1 <table@play.example>: Sender address rejected: not owned by user tavola"),
        ("RCPT", "550 5.1.8 the domain does not exist"),
    ],
)
async def test_a_refused_sender_costs_no_message(command, reply):
    """The operator can repair it, and no recipient is to blame."""
    with mail_server() as (box, server):
        box.refused_at[command] = reply
        await refused(NotNow, hand_over(server), f"sender {server.sender} rejected by")
        box.refused_at.clear()
        await hand_over(server)
    assert box.recipients == ["ada@example.org"]


async def test_a_server_elsewhere_without_encryption_gets_nothing():
    with mail_server(ELSEWHERE) as (box, server):
        await refused(NotNow, hand_over(server))
        assert box.emails == []


async def hand_over(server: MailServer) -> None:
    selector = cast(Any, asyncio.get_running_loop())._selector
    idle = set(selector.get_map())
    await server.send(message())
    # TLS is still closing: if the loop ended now, the connection would be left to the garbage collector.
    await wait_until(lambda: set(selector.get_map()) <= idle)
