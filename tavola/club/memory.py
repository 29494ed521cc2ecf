"""The memory of a person in matches that last: up to which moment he has seen one, and what he noted for himself."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tavola.club import remembered
from tavola.club.account_refusals import ClubRefusal
from tavola.club.directory import Directory
from tavola.live import Hub
from tavola.store import Execute

T = TypeVar("T")


class Memory:
    """What persons remember, guests too; every change is one transaction."""

    def __init__(self, hub: Hub, directory: Directory) -> None:
        self._hub, self._store, self._directory = hub, hub.store, directory

    async def _ask(self, work: Callable[[Execute], T]) -> T:
        return await asyncio.to_thread(work, self._store.rows)

    async def note_visit(self, person: str, room: str, moment: int) -> int:
        """Note that somebody looks at a match over days at a moment; return the one up to which he had seen it."""
        now = self._hub.settings.clock()
        known = await self._store.transact(lambda execute: remembered.note_visit(execute, person, room, moment, now))
        self._directory.note_post(person)
        return known

    async def note_seen(self, person: str, room: str, moment: int, *, live: bool) -> None:
        now = 0.0 if live else self._hub.settings.clock()
        await self._store.transact(lambda execute: remembered.note_seen(execute, person, room, moment, now))

    async def moment_seen(self, person: str, room: str) -> int | None:
        """Return the moment up to which somebody has seen a match, None where that is not known."""
        return await self._ask(lambda execute: remembered.moment_seen(execute, person, room))

    async def rooms_seen(self, person: str, most: int) -> list[str]:
        """Return the rooms of matches over days that somebody has looked at, the last one first."""
        return await self._ask(lambda execute: remembered.rooms(execute, person, most))

    async def notes(self, person: str, room: str) -> remembered.Notes:
        return await self._ask(lambda execute: remembered.notes_in(execute, person, room))

    async def write_notes(self, person: str, room: str, text: str, version: int) -> int:
        """Keep notes in place of those of a version; return the new one. Refusals as in `remembered`."""
        words, now = remembered.clean_notes(text), self._hub.settings.clock()

        def work(execute: Execute) -> int | ClubRefusal:
            return remembered.write_notes(execute, person, room, words, version, now)

        made = await self._store.transact(work)
        if isinstance(made, ClubRefusal):
            raise made
        return made
