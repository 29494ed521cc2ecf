"""Seats of persons in all rooms: found, given to another id, left, erased."""

import asyncio
import contextlib
import secrets
from collections import defaultdict
from collections.abc import Collection

from tavola.core import Refusal
from tavola.live.commands.commands import Adopt
from tavola.live.log.erasure import erase_people
from tavola.live.log.people import NOBODY, Person
from tavola.live.log.state import State
from tavola.live.protocol import Leave
from tavola.live.residents import Residents
from tavola.live.room import Room
from tavola.live.tasks import Tasks
from tavola.store import Store, WriteFailed


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
            if state.phase == "playing" and not place.has_left:
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
            self._tasks.spawn(self._adopt_elsewhere(guest_id, person))

    async def _adopt_elsewhere(self, guest_id: str, person: Person) -> None:
        for code in await self._rooms_naming(guest_id):
            with contextlib.suppress(Refusal):  # under rules of another version, or damaged
                await (await self._residents.room(code)).execute_internal(Adopt(guest_id, person))

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
            seat = room.state.seat_of(person_id)
            if seat is not None and not room.state.occupants[seat].has_left:
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
