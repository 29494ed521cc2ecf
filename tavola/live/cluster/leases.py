"""The rooms that this worker looks after: their bots, clocks and tosses are here, and nowhere else.

A lease is taken when a room begins to await something, or when nobody living has it any more. What it permits is
checked where it counts, in the transaction that writes; to believe in one that is gone costs a refusal, nothing else.
"""

import logging
import secrets
from collections.abc import Callable, Collection, Iterator

from tavola.store import Cluster, Lease, WriteFailed

CLAIM_BATCH = 50
"""Leases taken at once: so several workers share what one has left behind."""
_dice = secrets.SystemRandom()
logger = logging.getLogger(__name__)


class Leases:
    """The leases of one worker; of one that is alone, all that could be. `gained` is told of rooms taken over.

    Rooms that are not `at_home` here it leaves to others for a moment.
    """

    def __init__(
        self,
        together: Cluster | None,
        gained: Callable[[Collection[str]], None],
        at_home: Callable[[str], bool],
    ) -> None:
        self._cluster, self._on_gained, self._has_affinity = together, gained, at_home
        self._deferred: set[str] = set()  # ownerless rooms that were left to those where they are at home
        self._inherited: set[str] | None = None  # of a worker that died while this one lived; None until it has begun
        self._leases: dict[str, Lease] = {}
        self._held_elsewhere: set[str] = set()  # rooms that somebody else looked after when they were asked for
        self._requested: dict[str, None] = {}
        self._leaving = False

    def __contains__(self, room_id: str) -> bool:
        return self._cluster is None or room_id in self._leases

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._leases))

    def lease(self, room_id: str) -> Lease | None:
        """The lease that goes with what is written for a room; None where nobody needs one."""
        return self._leases.get(room_id)

    def request(self, room_id: str) -> bool:
        """Ask for a room that awaits something; return True when it was not wanted before."""
        fresh = room_id not in self and room_id not in self._held_elsewhere and room_id not in self._requested
        if fresh and not self._leaving:
            self._requested[room_id] = None
        return fresh and not self._leaving

    def is_inherited(self, room_id: str) -> bool:
        """True when somebody looked after it until a moment ago, and has died."""
        return self._inherited is not None and room_id in self._inherited

    async def claim_requested(self) -> None:
        """Take what is wanted."""
        rooms, self._requested = list(self._requested), {}
        if rooms:
            self._held_elsewhere |= set(rooms) - await self._claim(rooms)

    async def claim_ownerless(self) -> None:
        """Take what nobody living has."""
        if self._cluster is None or self._leaving:
            return
        rooms = [room for room in await self._cluster.unleased_rooms() if room not in self._leases]
        before, self._deferred = self._deferred, {room for room in rooms if not self._has_affinity(room)}
        rooms = [room for room in rooms if room not in self._deferred or room in before]
        self._held_elsewhere.difference_update(rooms)
        _dice.shuffle(rooms)
        for first in range(0, len(rooms), CLAIM_BATCH):
            taken = await self._claim(rooms[first : first + CLAIM_BATCH])
            if self._inherited is not None:
                self._inherited |= taken
        self._inherited = set() if self._inherited is None else self._inherited & self._leases.keys()

    async def _claim(self, rooms: Collection[str]) -> set[str]:
        assert self._cluster is not None
        taken = await self._cluster.claim(rooms)
        self._leases.update(taken)
        self._on_gained(taken)
        return set(taken)

    async def release(self, rooms: Collection[str]) -> None:
        """Give rooms up; whoever wants them has them next."""
        rooms = [room for room in rooms if self._leases.pop(room, None) is not None]
        if rooms and self._cluster is not None:
            try:
                await self._cluster.release(rooms)
            except WriteFailed as failure:  # they lapse with this worker's beat
                logger.warning("%s rooms could not be handed over: %s", len(rooms), failure)

    def drop(self, rooms: Collection[str]) -> None:
        """Somebody else has these by now."""
        for room_id in rooms:
            self._leases.pop(room_id, None)

    async def release_all(self) -> None:
        """Take nothing any more, and give all up."""
        self._leaving = True
        await self.release(list(self._leases))
