"""Which games can be played already. A game must be compiled once; the server is open meanwhile, and nobody else waits.

Games are made ready by workers beside the server, the one that somebody asks for first.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from tavola.live.refusals import GettingReady

Progress = Callable[[float], None]
"""Is told how far it is: 0 to 1."""
Make = Callable[[str, Progress], Awaitable[None]]
"""Makes a game ready."""
log = logging.getLogger(__name__)


async def _nothing_to_do(game: str, progress: Progress) -> None:
    """What is compiled already needs no work."""


class Readiness:
    """The games that are not ready, `waiting`, and how far each is. `make(game, progress)` makes one ready."""

    def __init__(
        self,
        waiting: Sequence[str] = (),
        make: Make = _nothing_to_do,
        workers: int = 1,
    ) -> None:
        self._queue = list(waiting)
        self._far = dict.fromkeys(waiting, 0.0)
        self._done = {game: asyncio.Event() for game in waiting}
        self._make, self._workers = make, workers
        self.changed: Callable[[str], None] = lambda game: None
        """Called in the loop with a game that has come further, or is ready."""

    def of(self, game: str) -> float | None:
        """How far a game is on its way to be ready, 0 to 1; None when it is."""
        return self._far.get(game)

    def want(self, game: str) -> None:
        """Somebody asks for this game: it comes next."""
        if game in self._queue:
            self._queue.remove(game)
            self._queue.insert(0, game)

    def check(self, game: str) -> None:
        """Refuse what a game can do only when it is ready, and let it come next."""
        far = self.of(game)
        if far is not None:
            self.want(game)
            raise GettingReady("this game is being made ready: {percent} % are done", percent=round(100 * far))

    async def until(self, game: str) -> None:
        """Return when a game is ready."""
        if game in self._far:
            await self._done[game].wait()

    async def all(self) -> None:
        """Return when every game is ready."""
        for done in self._done.values():
            await done.wait()

    async def work(self) -> None:
        """Make all games ready, as many at once as there are workers."""
        await asyncio.gather(*(self._work() for _ in range(self._workers)))

    async def _work(self) -> None:
        while self._queue:
            game = self._queue.pop(0)
            try:
                await self._make(game, lambda far, game=game: self._come(game, far))  # type: ignore[misc]
            except Exception:  # then it is compiled when it is played: late is better than never
                log.exception("%s could not be made ready", game)
            del self._far[game]
            self._done[game].set()
            self.changed(game)

    def _come(self, game: str, far: float) -> None:
        self._far[game] = far
        self.changed(game)
