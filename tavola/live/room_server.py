"""What a room needs of the server that it is in, and what those who look after a room need of it.

A room never knows the hub, and its caretaker never knows the room: both are given something of these shapes.
"""

from collections.abc import Sequence
from typing import Protocol

from tavola.core import Moment, View
from tavola.live.cluster.leases import Leases
from tavola.live.correspondence.agenda import CorrespondenceDesk
from tavola.live.log.commands import HouseCommand
from tavola.live.log.state import State
from tavola.live.minds import Minds
from tavola.live.presence import Presence
from tavola.live.settings import HubSettings
from tavola.live.tasks import Tasks
from tavola.live.time.steady import Deadlines, SteadyClock
from tavola.store import Event, Store


class RoomServer(Protocol):
    """What a room needs: settings, clock, store, tasks, leases, bots, the desk of correspondence, and a few words."""

    settings: HubSettings
    clock: SteadyClock
    store: Store
    tasks: Tasks
    leases: Leases
    minds: Minds
    desk: CorrespondenceDesk

    def new_code(self, *, public: bool) -> str:
        """Return a code that no room in memory has."""

    def is_crowding(self, origin: str) -> bool:
        """Return whether an address has a seat at a public table already while another address looks for one."""

    def index_people(self, room_id: str, state: State) -> None:
        """Note who sits in a room's match."""

    def announce_visit(self, room_id: str, person_id: str) -> None:
        """Tell other workers that a person is here."""

    def request_lease(self, room_id: str) -> None:
        """Look after a room in which something awaits, unless another worker does."""

    def open_next(self, room_id: str, code: str, events: Sequence[Event]) -> None:
        """Open the room in which another one goes on."""


class TendedRoom(Protocol):
    """A room as its caretaker, its bargaining bots and its correspondence see it: `Room` says what each part is."""

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

    async def execute_for_house(self, command: HouseCommand) -> None: ...
