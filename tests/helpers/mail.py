"""A real mail server of the tests' own: it takes what is sent, or refuses it, as it is told."""

import contextlib
import re
import socket
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import Message
from typing import Any

from aiosmtpd.controller import Controller

from tavola.club.mail import MailServer

LINK = re.compile(r"https?://\S+/account/link/\S+")
WAIT = 15.0
"""Seconds in which a letter comes."""


class Postbox:
    """The letters that came, and what the server says of the next ones: a status line each, taken where none is.

    `taken` is called when one has come, before its sender hears of it.
    """

    def __init__(self) -> None:
        self.letters: list[Message] = []
        self.recipients: list[str] = []
        self.refusals: list[str] = []
        self.taken: Callable[[], None] = lambda: None

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Take a letter, or refuse it."""
        if self.refusals:
            return self.refusals.pop(0)
        self.letters.append(message_from_bytes(envelope.content))
        self.recipients += envelope.rcpt_tos
        self.taken()
        return "250 taken"

    def wait(self, count: int = 1) -> Message:
        """Wait until so many letters have come; return the last one."""
        end = time.monotonic() + WAIT
        while len(self.letters) < count:
            assert time.monotonic() < end, f"{len(self.letters)} letters have come"
            time.sleep(0.02)
        return self.letters[-1]

    def link(self, count: int = 1) -> str:
        """Wait for so many letters; return the path of the link in the last one."""
        text = text_of(self.wait(count))
        found = LINK.search(text)
        assert found is not None, text
        return found[0].partition("://")[2].partition("/")[2].join(("/", ""))


def text_of(letter: Message) -> str:
    """Return the text of a letter."""
    payload = letter.get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode()


@contextlib.contextmanager
def mail_server() -> Iterator[tuple[Postbox, MailServer]]:
    """Yield a mail server on a port of this machine, and the way to it."""
    box = Postbox()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield box, MailServer.parse(f"smtp://127.0.0.1:{port}", "table@tavola.example")
    finally:
        controller.stop()
