"""Deliver queued messages in a worker, one after the other."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial

from tavola.club.sending import outbox, push
from tavola.club.sending.outbox import MAIL, PUSH, TAKEN_FOR, NotNow, QueuedMessage, TooEarly, Undeliverable
from tavola.metrics import MESSAGES
from tavola.store import Execute, Store, WriteFailed

LOOK_EVERY = 20.0
"""Seconds between two checks of the queue without a ring: another worker may have died."""
Carry = Callable[[QueuedMessage], Awaitable[bool]]
"""Writes and delivers a message; False if there is nothing to send any more.

Raises `Undeliverable`, `NotNow` or `TooEarly`.
"""
logger = logging.getLogger(__name__)


class Mailer:
    """A loop that delivers messages of one `way`, each under a lease of `seconds`."""

    def __init__(self, store: Store, carry: Carry, way: str = MAIL, seconds: float = TAKEN_FOR) -> None:
        self._store, self._carry, self.way, self._seconds = store, carry, way, seconds
        self._name = secrets.token_hex(8)
        self.ended: Counter[str] = Counter()
        """Number of messages by outcome: `sent`, `failed` or `expired`."""
        self._bell = asyncio.Event()

    def ring(self) -> None:
        self._bell.set()

    async def run(self) -> None:
        while True:
            self._bell.clear()
            due = None
            try:
                due = await self._deliver_due()
            except WriteFailed as failure:
                logger.warning("deliveries are waiting for the database: %s", failure)
            except Exception:
                logger.exception("failed to deliver messages")
            wait = LOOK_EVERY if due is None else min(LOOK_EVERY, max(0.05, due - time.time()))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._bell.wait(), wait)

    async def _deliver_due(self) -> float | None:
        """Deliver what is due; return when the next message is. An empty queue causes no writes."""
        due = await self._next_due()
        while due is not None and due <= time.time() and await self.deliver_one():
            due = await self._next_due()
        return due

    async def _next_due(self) -> float | None:
        return await asyncio.to_thread(outbox.next_due, self._store.rows, self.way)

    async def deliver_one(self) -> bool:
        """Deliver the message that is due longest; False if none is due."""
        name, way, seconds = self._name, self.way, self._seconds
        queued = await self._store.transact(lambda execute: outbox.take(execute, name, way, seconds))
        if queued is None:
            return False
        try:
            how, refuses = "sent" if await self._carry(queued) else "expired", False
        except Undeliverable as failure:
            how, refuses = "failed", failure.counts
            logger.warning("a message was permanently refused: %s", failure)
        except TooEarly as early:
            await self._store.transact(partial(outbox.postpone, queued=queued, worker=name, after=early.after))
            return True
        except NotNow as failure:
            logger.warning("a message could not be sent and will be retried: %s", failure)
            MESSAGES.labels(way, "postponed").inc()
            await self._store.transact(partial(outbox.put_off, queued=queued, worker=name, after=failure.after))
            return True
        self.ended[how] += 1
        MESSAGES.labels(way, how).inc()
        await self._store.transact(lambda execute: self._end(execute, queued, how, refuses))
        return True

    def _end(self, execute: Execute, queued: QueuedMessage, how: str, refuses: bool) -> None:
        """End a message and record its recipient's response: a few refusals in a row stop further messages."""
        outbox.end(execute, queued, self._name, how)
        if how == "sent":
            outbox.forget_refusals(execute, queued.recipient)
        elif refuses and queued.account is not None:
            stopped = outbox.note_refusal(execute, queued.account, self.way, queued.recipient)
            if stopped and self.way == PUSH:
                push.forget_subscription(execute, queued.recipient)
