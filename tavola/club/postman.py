"""The postman of a worker: takes one letter after the other out of the queue, and has it carried to where it goes."""

import asyncio
import logging
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable

from tavola.club import outbox, refused, subscriptions
from tavola.club.outbox import MAIL, PUSH, TAKEN_FOR, Letter
from tavola.store import Execute, Store, WriteFailed

LOOK_EVERY = 20.0
"""Seconds between two looks into the queue where nobody rings: another worker may have died."""
Carry = Callable[[Letter], Awaitable[bool]]
"""Writes a letter and hands it over; False where there is nothing to tell any more. `Undeliverable`, `NotNow`."""
logger = logging.getLogger(__name__)


class Undeliverable(Exception):
    """A letter was refused for good. `counts`: its recipient refused it, who may do so again."""

    def __init__(self, reason: str, *, counts: bool = True) -> None:
        super().__init__(reason)
        self.counts = counts


class NotNow(Exception):
    """Whom a letter is handed to could not be reached, or asked to try again: `after` so many seconds at least."""

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


class Postman:
    """Delivers while it runs what goes one `way`. `seconds`: for how long it takes a letter."""

    def __init__(self, store: Store, carry: Carry, way: str = MAIL, seconds: float = TAKEN_FOR) -> None:
        self._store, self._carry, self.way, self._seconds = store, carry, way, seconds
        self._name = secrets.token_hex(8)
        self.ended: Counter[str] = Counter()
        """The letters that have ended here, by how: `sent`, `failed` or `expired`."""
        self._bell = asyncio.Event()

    def ring(self) -> None:
        self._bell.set()

    async def run(self) -> None:
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
        return await asyncio.to_thread(outbox.next_due, self._store.rows, self.way)

    async def deliver_one(self) -> bool:
        """Deliver the letter that has waited longest; False where none is due."""
        name, way, seconds = self._name, self.way, self._seconds
        letter = await self._store.transact(lambda execute: outbox.take(execute, name, way, seconds))
        if letter is None:
            return False
        try:
            how, refuses = "sent" if await self._carry(letter) else "expired", False
        except Undeliverable as failure:
            how, refuses = "failed", failure.counts
            logger.warning("a letter was refused for good: %s", failure)
        except NotNow as failure:
            logger.warning("a letter could not be sent yet: %s", failure)
            after = failure.after
            await self._store.transact(lambda execute: outbox.put_off(execute, letter, name, after))
            return True
        self.ended[how] += 1
        await self._store.transact(lambda execute: self._end(execute, letter, how, refuses))
        return True

    def _end(self, execute: Execute, letter: Letter, how: str, refuses: bool) -> None:
        """End a letter, and note what its recipient made of it: what refuses a few in a row is sent nothing more."""
        outbox.end(execute, letter, self._name, how)
        if how == "sent":
            refused.forget(execute, letter.recipient)
        elif refuses and letter.account is not None:
            stopped = refused.note(execute, letter.account, self.way, letter.recipient, time.time())
            if stopped and self.way == PUSH:
                subscriptions.forget(execute, letter.recipient)
