"""Rooms in memory, and the persons in them. Other rooms are only in the store, and are loaded when requested."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from weakref import WeakValueDictionary

from tavola.core import Refusal
from tavola.core.text import mark
from tavola.live.commands.commands import ServerCommand
from tavola.live.commands.server_commands import Adopt, Rename, TransferHost
from tavola.live.log.erasure import erase_people
from tavola.live.log.fold import fold
from tavola.live.log.people import NOBODY, Person
from tavola.live.log.state import State
from tavola.live.protocol import Leave
from tavola.live.readiness import Readiness
from tavola.live.room import Room
from tavola.live.room_refusals import Damaged, UnknownRoom
from tavola.live.room_server import RoomServer, Tasks, retrieve_exception
from tavola.metrics import ROOMS
from tavola.store import Store, WriteFailed

LINGER = 600.0
"""Seconds for which an empty room stays in memory after its last event."""
logger = logging.getLogger(__name__)


class Residents:
    """The rooms in memory of one server. `loaded` is called with each room read from the store."""

    def __init__(self, server: RoomServer, readiness: Readiness, loaded: Callable[[Room], None]) -> None:
        self._server, self._readiness, self._on_load = server, readiness, loaded
        self._rooms: WeakValueDictionary[str, Room] = WeakValueDictionary()
        self._kept: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}

    def __iter__(self) -> Iterator[Room]:
        return iter(list(self._rooms.values()))

    def __contains__(self, room_id: str) -> bool:
        return room_id in self._rooms

    async def room(self, id_or_code: str) -> Room:
        """Return the room of a code, from memory or from its log; raise `UnknownRoom` if there is none."""
        key = id_or_code.strip().lower()
        if (room := self._rooms.get(key)) is None:
            if (loading := self._loading.get(key)) is None:
                loading = self._loading[key] = asyncio.create_task(self._load(key))
                loading.add_done_callback(lambda task: self._finish_loading(key, task))
            room = await asyncio.shield(loading)
        self._keep(room)
        room.last_used = time.monotonic()
        room.visit()
        return room

    def get(self, room_id: str) -> Room | None:
        """Return the room of a code, if it is in memory."""
        return self._rooms.get(room_id)

    def kept_states(self) -> dict[str, State]:
        """Return the states of the rooms that are kept in memory, by code."""
        return {code: room.state for code, room in self._kept.items()}

    def add(self, room: Room) -> None:
        """Keep a room in memory and start its bots and clocks."""
        self._rooms[room.id] = room
        self._keep(room)
        game, is_over = room.state.game, room.state.phase == "over"
        # Its game is compiled first; earlier versions of its rules only if the match is not over.
        if game.ruleset is not None and not is_over and self._readiness.admit(game.reference):
            self._server.tasks.spawn(self._readiness.compile_next())
        self._readiness.prefer(game.reference)
        self._server.index_people(room.id, room.state)
        room.attend()

    def forget(self, rooms: Iterable[str]) -> None:
        """Remove deleted rooms from memory."""
        for room_id in rooms:
            self._kept.pop(room_id, None)
            self._rooms.pop(room_id, None)
        ROOMS.set(len(self._kept))

    async def resume(self, room_id: str) -> None:
        """Load an active room so that its match continues; a failure is logged and does not affect other rooms."""
        try:
            await self.room(room_id)
        except Refusal as refusal:
            logger.warning("cannot resume room %s: %s", room_id, refusal)
        except Exception:  # one bad log must not stop other matches
            logger.exception("cannot resume room %s", room_id)

    async def attend(self, rooms: Iterable[str]) -> None:
        """Look after rooms from now on; load those that are not in memory."""
        for room_id in rooms:
            if (room := self.get(room_id)) is not None:
                room.attend()
            else:
                await self.resume(room_id)

    def sweep(self, linger: float = LINGER) -> None:
        """Remove empty, idle rooms from memory; they stay in the store."""
        before, has_peers = time.monotonic() - linger, self._server.store.cluster is not None
        for room in list(self._kept.values()):
            rests = not room.state.will_continue() or (room.is_idle and not room.caretaker.has_deadline)
            # Another worker can write events that set new deadlines; without others, a writer has the room in memory.
            shared = has_peers and room.state.settings.days > 0 and room.state.phase == "playing"
            if rests and not shared and not room.watched and room.last_used <= before:
                del self._kept[room.id]
            elif room.heir() is not None:
                self._server.tasks.spawn(room.execute_internal(TransferHost()))
        ROOMS.set(len(self._kept))

    def _keep(self, room: Room) -> None:
        self._kept[room.id] = room
        ROOMS.set(len(self._kept))

    async def _load(self, room_id: str) -> Room:
        events, fault = await asyncio.to_thread(self._server.store.read, room_id)
        state = await asyncio.to_thread(fold, events) if events else None
        if fault:
            logger.error("room %s: %s: earlier events can be read, but none can be added", room_id, fault)
        if state is None:
            if fault:
                raise Damaged(mark("this room is damaged and can’t be read"))
            raise UnknownRoom(code=room_id[:12])
        room = Room(self._server, room_id, state, fault)
        room.restore_race()
        self.add(room)
        self._on_load(room)
        return room

    def _finish_loading(self, key: str, task: asyncio.Task[Room]) -> None:
        del self._loading[key]
        retrieve_exception(task)


class Persons:
    """Persons who sit in matches. Rooms that are not in memory do not change, so their people stay indexed."""

    def __init__(self, store: Store, tasks: Tasks, residents: Residents) -> None:
        self._store, self._tasks, self._residents = store, tasks, residents
        self._rooms: defaultdict[str, set[str]] = defaultdict(set)  # codes of running matches by person

    def index(self, room_id: str, state: State) -> None:
        """Index the players of a running match; drop those who have left, or whose match is over."""
        for place in state.occupants:
            if place.person is None:
                continue
            if state.phase == "playing" and not state.shut and not place.has_left:
                self._rooms[place.person.id].add(room_id)
            elif room_id in self._rooms.get(place.person.id, ()):
                self._rooms[place.person.id].discard(room_id)
                if not self._rooms[place.person.id]:
                    del self._rooms[place.person.id]

    async def rooms_of(self, person_id: str) -> list[Room]:
        """Return the running matches in which a person has a seat and has not left, last changed first."""
        found = []
        for code in {*self._rooms.get(person_id, ()), *await self._rooms_elsewhere(person_id)}:
            with contextlib.suppress(Refusal):  # under rules of another version, or not compiled yet
                found.append(await self._residents.room(code))
        sits = (room for room in found if room.id in self._rooms.get(person_id, ()))
        return sorted(sits, key=lambda room: room.state.updated_at, reverse=True)

    async def _rooms_elsewhere(self, person_id: str) -> list[str]:
        """Return codes from the database, where other workers write; none while it cannot be reached."""
        with contextlib.suppress(WriteFailed):
            return [] if self._store.cluster is None else await self._store.cluster.rooms_of_person(person_id)
        return []

    async def adopt(self, guest_id: str, person: Person, *, everywhere: bool = True) -> None:
        """Give a person their seats as a guest: in running matches now, in all other rooms soon if `everywhere`."""
        for room in await self.rooms_of(guest_id):
            with contextlib.suppress(Refusal):  # a damaged room must not block the others
                await room.execute_internal(Adopt(guest_id, person))
        if everywhere:
            self._tasks.spawn(self._execute_everywhere(guest_id, Adopt(guest_id, person)))

    async def _execute_everywhere(self, person_id: str, command: ServerCommand) -> None:
        for code in await self._rooms_naming(person_id):
            with contextlib.suppress(Refusal):  # under rules of another version, or damaged
                await (await self._residents.room(code)).execute_internal(command)

    async def rename(self, person: Person) -> None:
        """Give a person another name in every room."""
        await self._execute_everywhere(person.id, Rename(person))

    async def erase(self, persons: Collection[str]) -> None:
        """Erase persons' names and messages from every log; their games stay, anonymised."""
        found = [await self._rooms_naming(person_id) for person_id in persons]
        for code in sorted({code for rooms in found for code in rooms}):
            for person_id in persons:
                await self._leave(code, person_id)
            await self._store.rewrite_room(code, lambda events: erase_people(events, persons))
            if (room := self._residents.get(code)) is not None:
                await room.catch_up()

    async def leave_seats(self, person_id: str) -> None:
        """Let a person leave every room: running matches now, where bots take over, and all others soon."""
        for room in await self.rooms_of(person_id):
            await self._leave(room.id, person_id)
        self._tasks.spawn(self._leave_elsewhere(person_id))

    async def _leave_elsewhere(self, person_id: str) -> None:
        for code in await self._rooms_naming(person_id):
            await self._leave(code, person_id)

    async def _leave(self, code: str, person_id: str) -> None:
        with contextlib.suppress(Refusal):  # it is over, or they have no seat there
            room = await self._residents.room(code)
            if (seat := room.state.seat_of(person_id)) is not None and not room.state.occupants[seat].has_left:
                await room.execute(Person(person_id, NOBODY), Leave(secrets.token_hex(8)))

    async def rooms_shared(self, person_id: str, most: int) -> list[str]:
        """Return the codes of rooms with a person and another one, the last changed first, at most `most`."""
        return await asyncio.to_thread(self._store.rooms_shared, person_id, most)

    async def _rooms_naming(self, person_id: str) -> list[str]:
        return await asyncio.to_thread(self._store.rooms_naming, person_id)

    async def look_at_hours(self, person_id: str) -> None:
        """Recompute a person's correspondence deadlines after their hours have changed."""
        for room in await self.rooms_of(person_id):
            if room.state.settings.days and room.is_leased:
                room.caretaker.correspondence.look(anyway=True)
