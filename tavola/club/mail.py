"""The way to a mail server: which one, as whom, encrypted; whether it has taken a message; and addresses.

An address has one form, and holds nothing that could be more than one address or a header of its own.
"""

import re
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr
from urllib.parse import unquote, urlsplit

import aiosmtplib

from tavola.club.account_refusals import BadAddress
from tavola.club.outbox import Letter
from tavola.club.postman import Carry, NotNow, Undeliverable
from tavola.core import Refusal
from tavola.core.text import composed

TIMEOUT = 30.0
"""Seconds that a mail server may take for one step; less in all than a letter is a worker's."""
LONG_LINES = SMTP.clone(max_line_length=900)
"""How a message is written: a link in a header may be no encoded word, which shorter lines make of it."""
PORTS = {"smtp": 587, "smtps": 465}
Write = Callable[[Letter], Awaitable[EmailMessage | None]]
"""Writes a letter; None where there is nothing to tell any more."""


class BadMailServer(Refusal):
    """An address of a mail server that is none."""


@dataclass(frozen=True)
class MailServer:
    """A mail server, and the address from which the site writes. Nothing is sent unencrypted but to this machine."""

    host: str
    port: int
    encrypted_from_start: bool
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    tls: ssl.SSLContext | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, address: str, sender: str, password: str = "") -> "MailServer":
        """Read `smtp://user@mail.example:587`, encrypted by STARTTLS, or `smtps://…`; `BadMailServer` for others."""
        parts = urlsplit(address)
        try:
            port = parts.port or PORTS[parts.scheme]
        except (KeyError, ValueError) as error:
            raise BadMailServer("expected a mail server such as smtp://user@mail.example:587") from error
        if not parts.hostname or parts.password or parts.path.strip("/"):
            raise BadMailServer("expected a mail server such as smtp://user@mail.example:587, without its password")
        return cls(parts.hostname, port, parts.scheme == "smtps", sender, unquote(parts.username or ""), password)

    @property
    def is_here(self) -> bool:
        """True for a server on this machine: what goes there crosses no network."""
        return self.host in ("localhost", "127.0.0.1", "::1")

    async def send(self, message: EmailMessage) -> None:
        """Hand a message over; `NotNow` where it may be tried again, `Undeliverable` where that is of no use."""
        try:
            await aiosmtplib.send(
                message.as_bytes(policy=LONG_LINES),
                sender=parseaddr(message["From"])[1],
                recipients=[parseaddr(message["To"])[1]],
                hostname=self.host,
                port=self.port,
                username=self.user or None,
                password=self.password or None,
                timeout=TIMEOUT,
                use_tls=self.encrypted_from_start,
                start_tls=False if self.encrypted_from_start else (None if self.is_here else True),
                tls_context=self.tls,
            )
        except aiosmtplib.SMTPRecipientsRefused as error:
            codes = [refused.code for refused in error.recipients]
            raise (Undeliverable if min(codes, default=0) >= 500 else NotNow)(str(codes)) from error
        except aiosmtplib.SMTPAuthenticationError as error:  # the site's fault, and not the letter's
            raise NotNow(f"the mail server does not let us in: {error.code}") from error
        except aiosmtplib.SMTPSenderRefused as error:
            raise NotNow(f"the mail server takes nothing from {self.sender}: {error.code}") from error
        except aiosmtplib.SMTPResponseException as error:
            raise (Undeliverable if error.code >= 500 else NotNow)(f"{error.code}") from error
        except (aiosmtplib.SMTPException, OSError) as error:
            raise NotNow(type(error).__name__) from error


def mail_carrier(server: MailServer, write: Write) -> Carry:
    """Return what carries letters to a mail server. What is secret in one comes to be only when it is written."""

    async def carry(letter: Letter) -> bool:
        message = await write(letter)
        if message is not None:
            await server.send(message)
        return message is not None

    return carry


LONGEST = 254
LOCAL_PART = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
ADDRESS = re.compile(rf"{LOCAL_PART}@(?:{LABEL}\.)+{LABEL}")


def clean_address(text: str) -> str:
    """Return an address in small letters; `BadAddress` for what is none. Hosts beyond ASCII in their ASCII form."""
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
    """Return an address so that its owner knows it and others cannot write to it: `a…@example.org`."""
    local, _, host = address.rpartition("@")
    return f"{local[:1]}…@{host}"
