"""Compilation of games in the background: until its machine code is ready, a game runs as plain Python.

Both produce the same bytes. Workers beside the server compile games. While a game that people play is not ready, no
other is compiled, so that the server keeps a core. Games are named by their references, because earlier versions of
the rules are compiled too, once a match under them continues.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from tavola.core.compilation import interpret, use_machine_code
from tavola.core.registry import find
from tavola.metrics import COMPILING

Compile = Callable[[str], Awaitable[None]]
"""Function that compiles a game and loads its machine code. It can be cancelled and repeated without losing work."""
logger = logging.getLogger(__name__)


async def _nothing_to_do(game: str) -> None:
    """Do nothing: the default if all games are compiled."""


class Readiness:
    """The games that are not compiled yet. `make(game)` compiles one, and up to `workers` run at once."""

    def __init__(self, waiting: Sequence[str] = (), make: Compile = _nothing_to_do, workers: int = 1) -> None:
        self._queue, self._preferred = list(waiting), set[str]()
        self._compiling: dict[str, asyncio.Task[None]] = {}
        self._done = {game: asyncio.Event() for game in waiting}
        self._compiler, self._workers = make, workers
        self._change = asyncio.Event()
        COMPILING.set(len(self.waiting))
        for game in waiting:
            interpret(find(game).source_folder)

    @property
    def waiting(self) -> list[str]:
        """Games that still run as plain Python."""
        return [game for game, done in self._done.items() if not done.is_set()]

    def prefer(self, game: str) -> None:
        """Compile a game that people play before all others; cancel the compilation of games that no one plays."""
        if game not in self.waiting or game in self._preferred:
            return
        self._preferred.add(game)
        self._change.set()
        for other, task in self._compiling.items():
            if other not in self._preferred:
                task.cancel()

    def admit(self, game: str) -> bool:
        """Add an earlier version to the queue; return whether it was added, and `compile_next` must be called."""
        if self._compiler is _nothing_to_do or game in self._done:
            return False
        self._done[game] = asyncio.Event()
        self._queue.append(game)
        return True

    async def wait_all(self) -> None:
        """Wait until every game is ready."""
        for done in list(self._done.values()):
            await done.wait()

    async def compile_all(self) -> None:
        """Compile all games, as many at once as there are workers."""
        await asyncio.gather(*(self.compile_next() for _ in range(self._workers)))

    async def compile_next(self) -> None:
        """Compile the games in the queue, during `compile_all` or after it."""
        while self.waiting:
            if (game := self._next()) is None:
                self._change.clear()
                await self._change.wait()
            else:
                await self._compile(game)

    def _next(self) -> str | None:
        """Return the game to compile next: one that is played, and another only if none is."""
        wanted = [game for game in self._queue if game in self._preferred]
        played = self._preferred & set(self.waiting)
        return next(iter(wanted), None) if played else next(iter(self._queue), None)

    async def _compile(self, game: str) -> None:
        self._queue.remove(game)
        task = self._compiling[game] = asyncio.ensure_future(self._compiler(game))
        try:
            await asyncio.wait({task})
        finally:
            task.cancel()
            del self._compiling[game]
            if task.cancelled():
                self._queue.append(game)
            elif task.done():
                self._finish(game, task.exception())
            COMPILING.set(len(self.waiting))
            self._change.set()

    def _finish(self, game: str, failure: BaseException | None) -> None:
        if failure is None:
            use_machine_code(find(game).source_folder)
        else:
            logger.error("%s could not be compiled and runs as plain Python", game, exc_info=failure)
        self._done[game].set()
