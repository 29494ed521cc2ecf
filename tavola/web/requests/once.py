"""Idempotent forms: a form that is sent twice is executed once, and answered the same way.

Impatient clicks, slow connections and reloads repeat requests. Each form that creates something has a `command_id`.
Answers are remembered by sender, address and contents of the form. Rooms are created only once even on another worker
or after a restart, because their logs contain the ids of their commands.
"""

import asyncio
from collections.abc import Awaitable, Callable

from cachetools import FIFOCache
from starlette.responses import Response

REMEMBERED_FOR = 600.0
"""Seconds for which an answer is remembered."""
MOST_REMEMBERED = 500


class Answers:
    """Recent answers to forms, and those under way. Refusals are not remembered, so forms can be sent again."""

    def __init__(self) -> None:
        self._known: FIFOCache[str, asyncio.Future[Response]] = FIFOCache(MOST_REMEMBERED)

    async def once(self, key: str, answer: Callable[[], Awaitable[Response]]) -> Response:
        """Return what `answer` returns, or what it has returned or is about to return under the same key."""
        known = self._known.get(key)
        if known is not None:
            return await asyncio.shield(known)
        loop = asyncio.get_running_loop()
        known = self._known[key] = loop.create_future()
        try:
            known.set_result(await answer())
        except BaseException as error:
            self._forget(key, known)
            if isinstance(error, Exception):
                known.set_exception(error)
                known.exception()  # marks it as retrieved: perhaps no one else awaits it
            else:
                known.cancel()
            raise
        loop.call_later(REMEMBERED_FOR, self._forget, key, known)
        return known.result()

    def _forget(self, key: str, known: asyncio.Future[Response]) -> None:
        if self._known.get(key) is known:
            del self._known[key]
