"""A form that is sent twice is carried out once: what was answered to it is answered again.

A finger is impatient, a line slow, a page loaded again. Each form that makes something carries an id, `command_id`, and
an answer is known by who sent the form, where to, and all that it says. Rooms are made once on any worker and after a
restart, too: their logs know the ids of their commands.
"""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.responses import Response

REMEMBERED_FOR = 600.0
"""Seconds for which an answer is known."""
MOST_REMEMBERED = 500


class Answers:
    """The last answers to forms, and those under way. What was refused is not known: it may be asked again."""

    def __init__(self) -> None:
        self._known: dict[str, asyncio.Future[Response]] = {}

    async def once(self, key: str, answer: Callable[[], Awaitable[Response]]) -> Response:
        """Return what `answer` returns, or what it returned under the same key a while ago or is about to return."""
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
                known.exception()  # perhaps nobody else waits for it
            else:
                known.cancel()
            raise
        loop.call_later(REMEMBERED_FOR, self._forget, key, known)
        if len(self._known) > MOST_REMEMBERED:
            del self._known[next(iter(self._known))]
        return known.result()

    def _forget(self, key: str, known: asyncio.Future[Response]) -> None:
        if self._known.get(key) is known:
            del self._known[key]
