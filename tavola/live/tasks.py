"""Work of a server in its event loop: commands, which always finish, and background tasks."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from tavola.live.room_refusals import Closing

T = TypeVar("T")
logger = logging.getLogger(__name__)


class Tasks:
    """The tasks of one server. None can be added once it is `closing`."""

    def __init__(self) -> None:
        self.closing = False
        self._commands: set[asyncio.Task[Any]] = set()
        self._background: set[asyncio.Task[Any]] = set()

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a command to its end, even if the caller is cancelled; raise `Closing` if the server shuts down."""
        if self.closing:
            work.close()
            raise Closing
        return await asyncio.shield(self._start(work, self._commands))

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a background task; closing cancels it."""
        if self.closing:
            work.close()
        else:
            self._start(work, self._background)

    async def close(self) -> None:
        """Refuse new commands, finish those under way, and cancel background tasks."""
        self.closing = True
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._commands, *self._background, return_exceptions=True)

    def _start(self, work: Coroutine[Any, Any, T], running: set[asyncio.Task[Any]]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        running.add(task)
        task.add_done_callback(self._finish)
        return task

    def _finish(self, task: asyncio.Task[Any]) -> None:
        self._commands.discard(task)
        failure = retrieve_exception(task)
        if task in self._background:
            self._background.discard(task)
            if failure is not None:
                logger.error("a background task failed", exc_info=failure)


def retrieve_exception(task: asyncio.Task[Any]) -> BaseException | None:
    """Return a task's exception, so that asyncio does not report it as never retrieved."""
    return None if task.cancelled() else task.exception()
