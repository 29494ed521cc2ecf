"""A real mail server for tests, which accepts or refuses e-mails as configured."""

import asyncio
import contextlib
import re
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from ipaddress import ip_address
from pathlib import Path
from typing import Any, cast

from aiosmtpd.controller import Controller
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tavola.club.sending.mail import MailServer
from tests.helpers import PATIENCE, free_port, wait_for


class Mailbox:
    """The e-mails received, and in `refusals` the SMTP statuses for the next ones; without one, they are accepted.

    `taken` is called when an e-mail has arrived, before its sender gets the answer. `unknown`: refused recipients.
    `refused_at`: replies to the commands `MAIL` and `RCPT`.
    """

    def __init__(self) -> None:
        self.emails: list[Message] = []
        self.recipients: list[str] = []
        self.encrypted: list[bool] = []
        self.refusals: list[str] = []
        self.unknown: set[str] = set()
        self.taken: Callable[[], None] = lambda: None
        self.refused_at: dict[str, str] = {}

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if refusal := self.refused_at.get("MAIL"):
            return refusal
        envelope.mail_from = address
        return "250 accepted"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if refusal := self.refused_at.get("RCPT", "550 5.1.1 no such mailbox" if address in self.unknown else ""):
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 accepted"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if self.refusals:
            return self.refusals.pop(0)
        self.emails.append(message_from_bytes(envelope.content))
        self.recipients += envelope.rcpt_tos
        self.encrypted.append(server.transport.get_extra_info("sslcontext") is not None)
        self.taken()
        return "250 accepted"

    def wait(self, count: int = 1) -> Message:
        wait_for(lambda: len(self.emails) >= count, lambda: f"{len(self.emails)} e-mails received")
        return self.emails[-1]

    def link(self, count: int = 1) -> str:
        """Wait until `count` e-mails have arrived; return the path of the link in the last one."""
        text = text_of(self.wait(count))
        found = re.search(r"https?://[^/\s]+(/account/link/\S+)", text)
        assert found is not None, text
        return found[1]


def text_of(email: Message) -> str:
    return _part(email, "text/plain")


def page_of(email: Message) -> str:
    return _part(email, "text/html")


def _part(email: Message, kind: str) -> str:
    (payload,) = (part.get_payload(decode=True) for part in email.walk() if part.get_content_type() == kind)
    assert isinstance(payload, bytes)
    return payload.decode()


ELSEWHERE = "127.0.0.2"
"""An address of this machine that does not count as local: nothing is sent there unencrypted."""


class PatientController(Controller):
    """A mail server that may start slowly, and may be encrypted from the start.

    aiosmtpd would wait for its greeting for a second, and probe an encrypted one with a server's context, which fails.
    """

    def _trigger_server(self) -> None:
        with socket.create_connection((self.hostname, self.port), PATIENCE):
            return

    def stop(self, *args: Any, **settings: Any) -> None:
        asyncio.run_coroutine_threadsafe(self._end_connections(), self.loop).result(PATIENCE)
        super().stop(*args, **settings)

    async def _end_connections(self) -> None:
        """End what is still open: asyncio would leave it to the garbage collector, which warns in some later test."""
        cast(asyncio.Server, self.server).close()
        await asyncio.sleep(0)  # what has just been accepted becomes a transport
        for transport in list(cast(Any, self.loop)._transports.values()):
            transport.abort()
        await asyncio.sleep(0)


@contextlib.contextmanager
def encrypted_mail_server(folder: Path, scheme: str, address: str = ELSEWHERE) -> Iterator[tuple[Mailbox, MailServer]]:
    """Yield a mail server and how to reach it: encrypted from the start (`smtps`), or by STARTTLS."""
    own, trusted = tls_contexts(address, folder)
    manner = {"ssl_context": own} if scheme == "smtps" else {"tls_context": own, "require_starttls": True}
    with _running(address, scheme, **manner) as (box, way):
        yield box, replace(way, tls=trusted)


def tls_contexts(address: str, folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return the context of a server at `address`, with a certificate made in `folder`, and that of its clients."""
    certificate = certificate_for(address, folder)
    own = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    own.load_cert_chain(certificate)
    return own, ssl.create_default_context(cafile=str(certificate))


def certificate_for(address: str, folder: Path) -> Path:
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, address)])
    now = datetime.now(UTC)
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(x509.random_serial_number()).add_extension(alternative, critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    made = made.not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(hours=1))
    path, pem = folder / "certificate.pem", serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(secret + made.sign(key, hashes.SHA256()).public_bytes(pem))
    return path


def mail_server(address: str = "127.0.0.1") -> contextlib.AbstractContextManager[tuple[Mailbox, MailServer]]:
    """Yield a mail server on a port of this machine, and how to reach it."""
    return _running(address, "smtp")


@contextlib.contextmanager
def _running(address: str, scheme: str, **manner: Any) -> Iterator[tuple[Mailbox, MailServer]]:
    box, port = Mailbox(), free_port(address)
    controller = PatientController(box, hostname=address, port=port, ready_timeout=PATIENCE, **manner)
    controller.start()
    try:
        yield box, MailServer.parse(f"{scheme}://{address}:{port}", "table@tavola.example")
    finally:
        controller.stop()
