"""`tavola doctor`: check what a site needs of its machine, its proxy and the network, and say what to do.

Each check asks the module that needs the fact. Nothing is changed, and a message is sent only if an address is given.
"""

import asyncio
import ctypes
import http.client
import ipaddress
import json
import os
import secrets
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import click

from tavola.cli.database import MEGABYTE
from tavola.cli.parameters import guide, json_option
from tavola.cli.serve import command as serve
from tavola.cli.serve import limits_or_refuse, mail_or_refuse, names_of_checked
from tavola.web.requests.limits import address_of

if TYPE_CHECKING:
    from tavola.club.sending.mail import MailServer

TO_DO = 1
"""Exit status if something needs doing."""
PUSH_SERVICES = ("fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com")
"""Hosts of the push services of Chrome, Firefox and Safari."""
TIMEOUT = 10.0
"""Seconds in which the site must answer at its public address, and a name server."""
EXPIRES_SOON = 14 * 24 * 3600.0
"""Seconds before the end of a certificate in which it should be renewed."""
CLOCK_DIFFERENCE = 1.0
"""Maximum seconds between the clocks of this machine and of the database."""
UNSYNCHRONISED = 5
"""What adjtimex(2) returns for a clock that no NTP client sets (`TIME_ERROR`)."""
TIMEX_BYTES = 512
"""At least the size of `struct timex`."""
FORGED = "192.0.2.1"
"""An address reserved for documentation (RFC 5737), in place of one that a visitor invents."""

OPENING = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGF2b2xhIGRvY3RvciAgIA==",
}
"""Headers of a browser that opens a WebSocket (RFC 6455), here of a room that does not exist."""


class Finding(NamedTuple):
    """A result of a check. `cure`: what to do, in one sentence; empty if nothing. `known`: False if it is not known."""

    check: str
    found: str
    cure: str = ""
    known: bool = True

    @property
    def state(self) -> str:
        return "to do" if self.cure else "ok" if self.known else "unknown"


Options = Mapping[str, Any]


@click.command(
    short_help="Check the machine, mail, push, proxy and network of a site.",
    epilog=f"See {guide('hosting')}",
    params=[*serve.params],
    context_settings=serve.context_settings,
)
@click.option("--send-to", metavar="ADDRESS", help="Send a test message to this e-mail address.")
@json_option
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Check what the site needs, with the settings of `tavola serve`, and print what to do.

    Run it as the user of the service, or as root, with the site running or not. Nothing is changed. The exit status is
    1 if something needs doing.
    """
    names_of_checked(options)
    if options["send_to"] and not options["mail"]:
        raise click.UsageError("--send-to: expected --mail, the server that sends the message")
    found = [finding for check in CHECKS for finding in check(options)]
    if options["as_json"]:
        told = [{"check": each.check, "state": each.state, "found": each.found, "cure": each.cure} for each in found]
        click.echo(json.dumps(told, indent=2))
    else:
        for each in found:
            click.echo(f"{each.state:8} {each.check:12} {each.found}")
            if each.cure:
                click.echo(f"{'':8} {'':12} {each.cure}")
    if any(each.cure for each in found):
        ctx.exit(TO_DO)


# This machine


def check_database(options: Options) -> Iterator[Finding]:
    """Check that the database can be opened, and that its owner can write."""
    from tavola.core import Refusal
    from tavola.store import check_usable

    try:
        yield Finding("database", check_usable(options["database"]))
    except Refusal as refusal:
        cure = "Give the database what this sentence expects, or set --database to another one."
        yield Finding("database", str(refusal), cure)


def check_disk(options: Options) -> Iterator[Finding]:
    """Check that a database file has space to grow to its maximum size."""
    from tavola.store.sqlite.store import LEAST_FREE

    database = options["database"]
    if not isinstance(database, Path):
        yield Finding("disk", "the database is on PostgreSQL, whose disk is not checked", known=False)
        return
    status = os.statvfs(next(each for each in database.absolute().parents if each.exists()))
    free = status.f_bavail * status.f_frsize
    size = database.stat().st_size if database.exists() else 0
    needed = max(0, options["largest"] * MEGABYTE - size) + LEAST_FREE
    found = f"{free // MEGABYTE:,} MB are free, and the database may still grow by {needed // MEGABYTE:,} MB"
    missing = f"Free {-(-(needed - free) // MEGABYTE):,} MB of the disk, or set --largest to a smaller number."
    yield Finding("disk", found, missing if free < needed else "")


def check_descriptors(options: Options) -> Iterator[Finding]:
    """Check that a single address cannot use up the connections that the system allows."""
    from tavola.web.requests.wire import MOST_DESCRIPTORS, raise_descriptor_limit

    limits = limits_or_refuse(options)
    capacity, one = min(raise_descriptor_limit(), limits.connections), limits.connections_an_address
    cure = f"Set LimitNOFILE of the service, or ulimit -n, to {MOST_DESCRIPTORS}." if capacity < 2 * one else ""
    yield Finding("descriptors", f"{capacity:,} connections are allowed, {one:,.0f} of them for one address", cure)


def check_clock(options: Options) -> Iterator[Finding]:
    """Check that the clock is synchronised, and equals that of PostgreSQL."""
    status = clock_status()
    if status < 0:
        yield Finding("clock", "the system does not say whether it is synchronised", known=False)
    else:
        wrong, right = "the clock of this machine is not synchronised", "the clock of this machine is synchronised"
        cure = "Install an NTP client, such as Debian's chrony." if status == UNSYNCHRONISED else ""
        yield Finding("clock", wrong if cure else right, cure)
    if (difference := _difference_to_database(options["database"])) is not None:
        cure = "Synchronise the clocks of both machines by NTP." if abs(difference) > CLOCK_DIFFERENCE else ""
        yield Finding("clock", f"PostgreSQL's clock is {difference:+.1f} s from that of this machine", cure)


def clock_status() -> int:
    """Return what adjtimex(2) says about the clock; negative if it says nothing."""
    with_adjtimex = getattr(ctypes.CDLL(None), "adjtimex", None)
    return int(with_adjtimex(ctypes.create_string_buffer(TIMEX_BYTES))) if with_adjtimex else -1


def _difference_to_database(database: Path | str) -> float | None:
    from tavola.store import BadDatabase, open_reader

    if isinstance(database, Path):
        return None
    try:
        reading = open_reader(database)
    except BadDatabase:
        return None
    with closing(reading):
        return float(reading.rows("SELECT extract(epoch FROM clock_timestamp())")[0][0]) - time.time()


def check_zones(options: Options) -> Iterator[Finding]:
    """Check that the time zones in which players live can be read."""
    from tavola.club.hours import clean_zone
    from tavola.web.pages.mine import zones

    readable = sum(bool(clean_zone(name)) for name in zones())
    cure = "" if 0 < readable == len(zones()) else "Install them again: pip install --force-reinstall tzdata."
    yield Finding("time zones", f"{readable} of {len(zones())} time zones can be read", cure)


# Mail and push


def check_mail(options: Options) -> Iterator[Finding]:
    """Check the connection to the mail server, send a test message if asked, and check the sender's domain."""
    from tavola.club.sending.outbox import NotNow, Undeliverable

    if (server := mail_or_refuse(options, names_of_checked(options))) is None:
        yield Finding("mail", "no mail server is set: players can sign in only with passkeys")
        return
    try:
        yield _connected(server, asyncio.run(server.check()))
        if to := options["send_to"]:
            asyncio.run(server.send(_test_message(server.sender, to)))
            yield Finding("mail", f"{server.host} has accepted a test message to {to}")
    except (NotNow, Undeliverable) as failure:
        yield Finding("mail", str(failure), "Correct --mail, --mail-from, --mail-ca or the password for this server.")
    yield _sender_policy(server.sender.rpartition("@")[2])


def _connected(server: "MailServer", expires: float | None) -> Finding:
    found = f"{server.host}:{server.port} accepts connections" + (f" of {server.user}" if server.user else "")
    if expires is None:
        return Finding("mail", f"{found}, on this machine")
    cure = f"Renew the certificate of {server.host}." if expires < time.time() + EXPIRES_SOON else ""
    return Finding("mail", f"{found}, encrypted, with a certificate valid until {_day(expires)}", cure)


def _test_message(sender: str, to: str) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, "A test message from Tavola"
    message["Date"], message["Message-ID"] = formatdate(), f"<{secrets.token_hex(16)}@{sender.rpartition('@')[2]}>"
    message.set_content("This message was sent by `tavola doctor`. The site can send e-mails.\n")
    return message


def _sender_policy(domain: str) -> Finding:
    """Check SPF. DKIM cannot be checked: only the mail server knows the name of its key."""
    if (records := text_records(domain)) is None:
        return Finding("DNS", f"the records of {domain} were not read: that needs Debian's bind9-dnsutils", known=False)
    cure = f"Publish a TXT record of {domain} that names your mail server, such as v=spf1 mx -all."
    if any(record.lower().startswith("v=spf1") for record in records):
        return Finding("DNS", f"{domain} has an SPF record")
    return Finding("DNS", f"{domain} has no SPF record: e-mails may be treated as spam", cure)


def text_records(name: str) -> list[str] | None:
    """Return the TXT records of a name by the program dig; None without it, or without an answer."""
    if (dig := shutil.which("dig")) is None:
        return None
    command = [dig, "+short", "+tries=1", f"+time={TIMEOUT:.0f}", "TXT", name]
    asked = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)  # noqa: S603
    return [line.replace('" "', "").strip('"') for line in asked.stdout.splitlines()] if not asked.returncode else None


def check_push(options: Options) -> Iterator[Finding]:
    """Check that the push services of browsers can be reached."""
    if not names_of_checked(options).https:
        yield Finding("push", "off: without --public https://…, browsers allow neither notifications nor passkeys")
        return
    failures = asyncio.run(_unreachable())
    found = "; ".join(f"{host} cannot be reached: {reason}" for host, reason in failures.items())
    cure = "Allow outgoing connections to port 443, without a proxy." if failures else ""
    yield Finding("push", found or f"{', '.join(PUSH_SERVICES)} can be reached", cure)


async def _unreachable() -> dict[str, str]:
    from tavola.club.sending.reach import NotPublic, Reach

    failures = {}
    for host in PUSH_SERVICES:
        try:
            await Reach().knock(host)
        except (OSError, NotPublic) as error:
            failures[host] = str(error) or type(error).__name__
    return failures


# The public address


class Answer(NamedTuple):
    """An answer at the public address. `is_page`: it has the headers of a page, as no answer to a WebSocket has.

    `own`: this end of the connection. `expires`: when the certificate ends, None without one.
    """

    status: int
    text: str
    is_page: bool
    own: str
    expires: float | None


def check_proxy(options: Options) -> Iterator[Finding]:
    """Check each public address: the certificate, and what the proxy passes on."""
    if not options["public"]:
        yield Finding("proxy", "without --public, the site answers only on this machine or in its network")
    for address in options["public"]:
        home = names_of_checked({**options, "public": (address,)}).home
        try:
            yield from _check_address(home, options)
        except ssl.SSLCertVerificationError as error:
            cure = "Give the proxy a certificate that browsers accept for this name."
            yield Finding("proxy", f"{home}: {error.verify_message}", cure)
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
            yield Finding("proxy", f"{home} cannot be reached from here: {reason}", known=False)


def _check_address(home: str, options: Options) -> Iterator[Finding]:
    answer = ask(home, "/health?visitor")
    first, *rest = answer.text.splitlines() or [""]
    if answer.status != 200 or first != "ok":
        cure = "Start the site, let the proxy forward every path to it, and look into its log."
        yield Finding("proxy", f"{home}/health answers with status {answer.status}, expected 200 and ok", cure)
        return
    if answer.expires is not None:
        cure = f"Renew the certificate of {home}." if answer.expires < time.time() + EXPIRES_SOON else ""
        yield Finding("proxy", f"{home} has a certificate valid until {_day(answer.expires)}", cure)
    if ask(home, "/robots.txt").status != 200:
        cure = "Let the proxy pass the name of the site, in nginx by proxy_set_header Host $http_host."
        yield Finding("proxy", f"{home}: the proxy passes another name of the site", cure)
    elif (socket := ask(home, "/r/doctor/socket", OPENING)).is_page or socket.status != http.client.NOT_FOUND:
        cure = "Let the proxy pass the headers Upgrade and Connection, as the guide for hosting shows."
        yield Finding("proxy", f"{home}: the proxy passes no WebSockets, so pages check for changes now and then", cure)
    seen = next((line.partition(" ")[2] for line in rest if line.startswith("visitor: ")), "")
    yield _forwarded(home, seen, answer.own, options["proxy"])


def ask(home: str, path: str, headers: Mapping[str, str] | None = None) -> Answer:
    """Request a page of the site as a visitor who forges an address; raise `OSError` or `HTTPException` without one."""
    parts = urlsplit(home)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    with closing(kind(parts.hostname or "", parts.port, timeout=TIMEOUT)) as connection:
        connection.request("GET", parts.path + path, headers={"X-Forwarded-For": FORGED, **(headers or {})})
        end, own = connection.sock, connection.sock.getsockname()[0]
        certificate = end.getpeercert() if isinstance(end, ssl.SSLSocket) else None
        expires = ssl.cert_time_to_seconds(str(certificate["notAfter"])) if certificate else None
        answer = connection.getresponse()
        is_page = "Content-Security-Policy" in answer.headers
        return Answer(answer.status, answer.read(1000).decode("utf-8", "replace"), is_page, own, expires)


def _forwarded(home: str, seen: str, own: str, proxies: tuple[str, ...]) -> Finding:
    """Return whether the site knows the visitor's address: ours, unless it is translated on the way."""
    if not seen:
        return Finding("proxy", f"{home} does not say from where a request comes", known=False)
    if seen == FORGED:
        cure = "Let the proxy add the visitor's address at the end of X-Forwarded-For, or replace the header."
        return Finding("proxy", f"{home}: visitors can choose the address that the site sees", cure)
    address = address_of(seen)
    if seen == own or (address and address.is_global):
        return Finding("proxy", f"{home} knows the addresses of its visitors")
    is_declared = address is None or any(address in ipaddress.ip_network(p) for p in proxies)
    cure = "Let the proxy send X-Forwarded-For." if is_declared else f"Set --proxy {seen}."
    return Finding("proxy", f"{home}: all visitors seem to come from {seen}, and share the limits of one address", cure)


def _day(at: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(at))


CHECKS = (check_database, check_disk, check_descriptors, check_clock, check_zones, check_mail, check_push, check_proxy)
