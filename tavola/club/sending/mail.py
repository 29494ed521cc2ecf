"""Mail servers, sending messages to them, and e-mail addresses.

An address has one normal form and cannot contain a second address or a header.
"""

import asyncio
import contextlib
import re
import ssl
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from pathlib import Path
from typing import cast
from urllib.parse import unquote, urlsplit

import aiosmtplib

from tavola.club.account_refusals import BadAddress
from tavola.club.sending.mailer import Carry
from tavola.club.sending.outbox import NotNow, QueuedMessage, Undeliverable
from tavola.core import Refusal
from tavola.core.text import composed

TIMEOUT = 30.0
"""Seconds for one step of a mail server; all steps take less than a worker's lease on a message."""
LONG_LINES = SMTP.clone(max_line_length=900)
"""Policy with long lines: shorter ones would turn a link in a header into an encoded word."""
LONGEST_REPLY = 300
OF_SENDER = re.compile(r"\b5\.1\.[78]\b|\bsender\b", re.IGNORECASE)
"""Matches replies about the sender: the site's fault, which its operator can repair (RFC 3463)."""
ANY_ADDRESS = re.compile(r"\S+@\S+")
PORTS = {"smtp": 587, "smtps": 465}
Write = Callable[[QueuedMessage], Awaitable[EmailMessage | None]]
"""Writes an e-mail; None if there is nothing to send any more."""


class BadMailServer(Refusal):
    """An invalid address of a mail server."""


@dataclass(frozen=True)
class MailServer:
    """A mail server and the sender's address.

    Connections are encrypted and certificates are checked, by default against the authorities that this machine knows.
    On this machine neither is required.
    """

    host: str
    port: int
    encrypted_from_start: bool
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    tls: ssl.SSLContext | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, address: str, sender: str, password: str = "", authority: Path | None = None) -> "MailServer":
        """Parse `smtp://user@mail.example:587`, encrypted by STARTTLS, or `smtps://…`; else raise `BadMailServer`.

        `authority`: a file with the certificate that has signed the server's, or the server's own.
        """
        parts = urlsplit(address)
        try:
            port = parts.port or PORTS[parts.scheme]
        except (KeyError, ValueError) as error:
            raise BadMailServer("expected a mail server such as smtp://user@mail.example:587") from error
        if not parts.hostname or parts.password or parts.path.strip("/"):
            raise BadMailServer("expected a mail server without password or path, such as smtp://user@mail.example:587")
        encrypted, user = parts.scheme == "smtps", unquote(parts.username or "")
        made = cls(parts.hostname, port, encrypted, sender, user, password)
        return replace(made, tls=made.encryption(authority))

    @property
    def is_here(self) -> bool:
        """True for a server on this machine: no network is involved."""
        return self.host in ("localhost", "127.0.0.1", "::1")

    def encryption(self, authority: Path | None) -> ssl.SSLContext | None:
        """Return how the server is checked; None for the usual way. Raise `BadMailServer` for an unreadable file."""
        try:
            context = ssl.create_default_context(cafile=authority) if authority else None
        except OSError as error:
            raise BadMailServer(f"expected a certificate (PEM) in {authority}, {error.strerror or error}") from error
        if context is None and self.is_here:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context

    async def send(self, message: EmailMessage) -> None:
        """Send a message; raise `NotNow` if a retry may help, else `Undeliverable`."""
        sender, recipient = (parseaddr(message[header])[1] for header in ("From", "To"))
        with self._failures():
            async with self._connection() as connection:
                await connection.sendmail(sender, [recipient], message.as_bytes(policy=LONG_LINES))

    async def check(self) -> float | None:
        """Connect, encrypt and log in; raise `NotNow` with the reason if that fails.

        Return when the server's certificate expires, in seconds since 1970; None if none was checked.
        """
        with self._failures():
            async with self._connection() as connection:
                certificate = connection.get_transport_info("peercert")
        return ssl.cert_time_to_seconds(certificate["notAfter"]) if certificate else None

    def _connection(self) -> "_Connection":
        return _Connection(
            hostname=self.host,
            port=self.port,
            username=self.user or None,
            password=self.password or None,
            timeout=TIMEOUT,
            use_tls=self.encrypted_from_start,
            start_tls=False if self.encrypted_from_start else (None if self.is_here else True),
            tls_context=self.tls,
        )

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        """Raise `NotNow` or `Undeliverable` in place of the errors of a mail server."""
        try:
            yield
        except aiosmtplib.SMTPRecipientsRefused as error:
            worst = min(error.recipients, key=lambda refused: refused.code)
            if OF_SENDER.search(worst.message):  # many servers refuse a sender only after the recipient
                raise NotNow(f"sender {self.sender} rejected by {self._reply(worst)}") from error
            raise (Undeliverable if worst.code >= 500 else NotNow)(self._reply(worst)) from error
        except aiosmtplib.SMTPAuthenticationError as error:  # the site's fault, not the message's
            raise NotNow(f"login rejected by {self._reply(error)}") from error
        except aiosmtplib.SMTPSenderRefused as error:
            raise NotNow(f"sender {self.sender} rejected by {self._reply(error)}") from error
        except aiosmtplib.SMTPResponseException as error:
            raise (Undeliverable if error.code >= 500 else NotNow)(self._reply(error)) from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise NotNow(f"{self.host}:{self.port}: {str(error.__cause__ or error) or type(error).__name__}") from error

    def _reply(self, error: aiosmtplib.SMTPResponseException) -> str:
        """Return the server and its reply for the log, which never names a recipient."""
        reply = " ".join(error.message.split())[:LONGEST_REPLY]
        return f"{self.host}:{self.port}: {error.code} {ANY_ADDRESS.sub('…', reply)}"


class _Connection(aiosmtplib.SMTP):
    """A connection that ends at once: a server may be slow to answer the goodbye of TLS, and the loop may end first."""

    def close(self) -> None:
        if self.transport is not None:
            cast(asyncio.WriteTransport, self.transport).abort()
        super().close()


def mail_carrier(server: MailServer, write: Write) -> Carry:
    """Return a carrier for a mail server. Secrets in an e-mail are created only when it is written."""

    async def carry(queued: QueuedMessage) -> bool:
        message = await write(queued)
        if message is not None:
            await server.send(message)
        return message is not None

    return carry


LONGEST = 254
LOCAL_PART = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ADDRESS = re.compile(rf"{LOCAL_PART}@(?:{LABEL}\.)+{LABEL}")


def clean_address(text: str) -> str:
    """Return an address in lower case, its host in ASCII form; raise `BadAddress` if it is invalid."""
    text = composed(text).strip()
    local, at, host = text.rpartition("@")
    try:
        host = host.encode("idna").decode().lower() if not host.isascii() else host.lower()
    except UnicodeError as error:
        raise BadAddress from error
    address = f"{local}{at}{host}"
    if len(address) > LONGEST or not ADDRESS.fullmatch(address):
        raise BadAddress
    return address.lower()


def mask_address(address: str) -> str:
    """Return an address that its owner recognises and others cannot use: `a…@example.org`."""
    local, _, host = address.rpartition("@")
    return f"{local[:1]}…@{host}"
