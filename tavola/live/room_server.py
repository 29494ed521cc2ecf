"""Interfaces between a room and its server, and between a room and its caretaker.

A room does not import the hub, and its caretaker does not import the room.
"""

from collections.abc import Sequence
from typing import Protocol

from tavola.core import Moment, View
from tavola.live.bots.processes import BotProcesses
from tavola.live.cluster.leases import Leases
from tavola.live.commands.commands import ServerCommand
from tavola.live.correspondence.agenda import CorrespondenceDesk
from tavola.live.log.state import State
from tavola.live.presence import Presence
from tavola.live.settings import HubSettings
from tavola.live.tasks import Tasks
from tavola.live.time.steady import Deadlines, SteadyClock
from tavola.store import Event, Store


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
