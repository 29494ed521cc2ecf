"""Which rooms this worker looks after: their bots, clocks and tosses are here, and nowhere else.

A lease is taken when a room begins to await something, or when nobody living has it any more. What it permits is
checked where it counts, in the transaction that writes; to believe in one that is gone costs a refusal, nothing else.
"""

import logging
import random
from collections.abc import Callable, Collection, Iterator

from tavola.store import Lease, Together, WriteFailed

SLICE = 50
"""Leases taken at once: so several workers share what one has left behind."""
log = logging.getLogger(__name__)


class Ownership:
    """The leases of one worker; of one that is alone, all that could be. `gained` is told of rooms taken over.

    Rooms that are not `at_home` here it leaves to others for a moment.
    """

    def __init__(
        self,
        together: Together | None,
        gained: Callable[[Collection[str]], None],
        at_home: Callable[[str], bool],
    ) -> None:
        self._together, self._gained, self._at_home = together, gained, at_home
        self._left: set[str] = set()  # ownerless rooms that were left to those where they are at home
        self._inherited: set[str] | None = None  # of a worker that died while this one lived; None until it has begun
        self._leases: dict[str, Lease] = {}
        self._others: set[str] = set()  # rooms that somebody else looked after when they were asked for
        self._wanted: dict[str, None] = {}
        self._leaving = False

    def __contains__(self, room_id: str) -> bool:
        return self._together is None or room_id in self._leases

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._leases))

    def lease(self, room_id: str) -> Lease | None:
        """The lease that goes with what is written for a room; None where nobody needs one."""
        return self._leases.get(room_id)

    def want(self, room_id: str) -> bool:
        """Ask for a room that awaits something; whether it is new that it is wanted."""
        fresh = room_id not in self and room_id not in self._others and room_id not in self._wanted
        if fresh and not self._leaving:
            self._wanted[room_id] = None
        return fresh and not self._leaving

    def inherited(self, room_id: str) -> bool:
        """Whether somebody looked after it until a moment ago, and has died."""
        return self._inherited is not None and room_id in self._inherited

    async def take_wanted(self) -> None:
        """Take what is wanted."""
        rooms, self._wanted = list(self._wanted), {}
        if rooms:
            self._others |= set(rooms) - await self._take(rooms)

    async def take_ownerless(self) -> None:
        """Take what nobody living has."""
        if self._together is None or self._leaving:
            return
        rooms = [room for room in await self._together.ownerless() if room not in self._leases]
        before, self._left = self._left, {room for room in rooms if not self._at_home(room)}
        rooms = [room for room in rooms if room not in self._left or room in before]
        self._others.difference_update(rooms)
        random.shuffle(rooms)
        for first in range(0, len(rooms), SLICE):
            taken = await self._take(rooms[first : first + SLICE])
            if self._inherited is not None:
                self._inherited |= taken
        self._inherited = set() if self._inherited is None else self._inherited & self._leases.keys()

    async def _take(self, rooms: Collection[str]) -> set[str]:
        assert self._together is not None
        taken = await self._together.claim(rooms)
        self._leases.update(taken)
        self._gained(taken)
        return set(taken)

    async def release(self, rooms: Collection[str]) -> None:
        """Give rooms up; whoever wants them has them next."""
        rooms = [room for room in rooms if self._leases.pop(room, None) is not None]
        if rooms and self._together is not None:
            try:
                await self._together.release(rooms)
            except WriteFailed as failure:  # they lapse with this worker's beat
                log.warning("%s rooms could not be handed over: %s", len(rooms), failure)

    def lost(self, rooms: Collection[str]) -> None:
        """Somebody else has these by now."""
        for room_id in rooms:
            self._leases.pop(room_id, None)

    async def leave(self) -> None:
        """Take nothing any more, and give all up."""
        self._leaving = True
        await self.release(list(self._leases))
