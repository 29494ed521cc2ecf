"""The postman of a worker: takes one letter after the other out of the queue and hands it to the mail server."""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from email.message import EmailMessage

from tavola.club import outbox
from tavola.club.mail import MailServer, NotNow, Undeliverable
from tavola.club.outbox import TAKEN_FOR, Letter
from tavola.store import Store, WriteFailed

LOOK_EVERY = 20.0
"""Seconds between two looks into the queue where nobody rings: another worker may have died."""
Write = Callable[[Letter], Awaitable[EmailMessage | None]]
"""Writes a letter; None where there is nothing to tell any more."""
logger = logging.getLogger(__name__)


class Postman:
    """Delivers while it runs. `write` makes messages of letters: what is secret in one comes to be only then.

    `seconds`: for how long it takes a letter.
    """

    def __init__(self, store: Store, server: MailServer, write: Write, seconds: float = TAKEN_FOR) -> None:
        self._store, self._server, self._write, self._seconds = store, server, write, seconds
        self._name = secrets.token_hex(8)
        self._bell = asyncio.Event()

    def ring(self) -> None:
        """A letter has been put into the queue."""
        self._bell.set()

    async def run(self) -> None:
        """Deliver for ever."""
        while True:
            self._bell.clear()
            try:
                while await self.deliver_one():
                    pass
                due = await asyncio.to_thread(outbox.next_due, self._store.rows)
            except WriteFailed as failure:
                due = None
                logger.warning("the post waits for the database: %s", failure)
            except Exception:
                due = None
                logger.exception("the post could not be carried")
            wait = LOOK_EVERY if due is None else min(LOOK_EVERY, max(0.05, due - time.time()))
            try:
                await asyncio.wait_for(self._bell.wait(), wait)
            except TimeoutError:
                continue

    async def deliver_one(self) -> bool:
        """Deliver the letter that has waited longest; False where none is due."""
        name, seconds = self._name, self._seconds
        letter = await self._store.transact(lambda execute: outbox.take(execute, name, seconds))
        if letter is None:
            return False
        try:
            message = await self._write(letter)
            if message is not None:
                await self._server.send(message)
            how = "sent" if message is not None else "expired"
        except Undeliverable as refused:
            how = "failed"
            logger.warning("a letter was refused by the mail server: %s", refused)
        except NotNow as failure:
            logger.warning("a letter could not be sent yet: %s", failure)
            await self._store.transact(lambda execute: outbox.put_off(execute, letter, name))
            return True
        await self._store.transact(lambda execute: outbox.end(execute, letter, name, how))
        return True
