"""What a server gives its rooms: tasks in its event loop, and the interfaces between them.

A room does not import the hub, and its caretaker does not import the room.
"""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol, TypeVar

from tavola.core import Moment, View
from tavola.live.bots.processes import BotProcesses
from tavola.live.cluster.leases import Leases
from tavola.live.commands.commands import ServerCommand
from tavola.live.correspondence.agenda import CorrespondenceDesk
from tavola.live.log.state import State
from tavola.live.presence import Presence
from tavola.live.room_refusals import Closing
from tavola.live.settings import HubSettings
from tavola.live.time.steady import Deadlines, SteadyClock
from tavola.store import Event, Store

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


class RoomServer(Protocol):
    """The server as a room sees it; `Hub` documents the members."""

    settings: HubSettings
    clock: SteadyClock
    store: Store
    tasks: Tasks
    leases: Leases
    bot_processes: BotProcesses
    desk: CorrespondenceDesk

    def new_code(self, *, public: bool) -> str: ...

    def is_crowding(self, origin: str) -> bool: ...

    def index_people(self, room_id: str, state: State) -> None: ...

    def announce_visit(self, room_id: str, person_id: str) -> None: ...

    def request_lease(self, room_id: str) -> None: ...

    def open_next(self, room_id: str, code: str, events: Sequence[Event]) -> None: ...


class TendedRoom(Protocol):
    """A room as its caretaker, negotiation and correspondence see it; `Room` documents the members."""

    server: RoomServer
    id: str
    state: State
    presence: Presence
    deadlines: Deadlines
    scene_until: float
    race_shown_at: float | None

    @property
    def is_leased(self) -> bool: ...

    @property
    def is_idle(self) -> bool: ...

    @property
    def is_for_programs(self) -> bool: ...

    @property
    def window_ends(self) -> float | None: ...

    @property
    def scene_left(self) -> float: ...

    def view(self, seat: int | None, at: int | Moment | None = None) -> View: ...

    def note_pass(self, seat: int, prompt: int) -> None: ...

    async def execute_internal(self, command: ServerCommand) -> None: ...
