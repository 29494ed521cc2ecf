"""The postman of a worker: takes one letter after the other out of the queue, and has it carried to where it goes."""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable

from tavola.club import outbox
from tavola.club.outbox import MAIL, TAKEN_FOR, Letter
from tavola.store import Store, WriteFailed

LOOK_EVERY = 20.0
"""Seconds between two looks into the queue where nobody rings: another worker may have died."""
Carry = Callable[[Letter], Awaitable[bool]]
"""Writes a letter and hands it over; False where there is nothing to tell any more. `Undeliverable`, `NotNow`."""
logger = logging.getLogger(__name__)


class Undeliverable(Exception):
    """A letter was refused for good."""


class NotNow(Exception):
    """Whom a letter is handed to could not be reached, or asked to try again: `after` so many seconds at least."""

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


class Postman:
    """Delivers while it runs what goes one `way`. `seconds`: for how long it takes a letter."""

    def __init__(self, store: Store, carry: Carry, way: str = MAIL, seconds: float = TAKEN_FOR) -> None:
        self._store, self._carry, self._way, self._seconds = store, carry, way, seconds
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
                due = await self._deliver_due()
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

    async def _deliver_due(self) -> float | None:
        """Deliver what is due; return when the next letter is. While nothing waits, nothing is written."""
        due = await self._next_due()
        while due is not None and due <= time.time() and await self.deliver_one():
            due = await self._next_due()
        return due

    async def _next_due(self) -> float | None:
        return await asyncio.to_thread(outbox.next_due, self._store.rows, self._way)

    async def deliver_one(self) -> bool:
        """Deliver the letter that has waited longest; False where none is due."""
        name, way, seconds = self._name, self._way, self._seconds
        letter = await self._store.transact(lambda execute: outbox.take(execute, name, way, seconds))
        if letter is None:
            return False
        try:
            how = "sent" if await self._carry(letter) else "expired"
        except Undeliverable as refused:
            how = "failed"
            logger.warning("a letter was refused for good: %s", refused)
        except NotNow as failure:
            logger.warning("a letter could not be sent yet: %s", failure)
            after = failure.after
            await self._store.transact(lambda execute: outbox.put_off(execute, letter, name, after))
            return True
        await self._store.transact(lambda execute: outbox.end(execute, letter, name, how))
        return True
