"""Leases on rooms: only the worker with the lease runs a room's bots, clocks and tosses.

A worker takes a lease when a room becomes active, or when no living worker has it. The transaction that writes checks
the lease, so a worker that still believes in a lost one only gets a refusal.
"""

import logging
import secrets
from collections.abc import Callable, Collection, Iterator

from tavola.store import Cluster, Lease, WriteFailed

CLAIM_BATCH = 50
"""Leases taken at once, so that several workers share the rooms of one that has ended."""
_dice = secrets.SystemRandom()
logger = logging.getLogger(__name__)


class Leases:
    """The leases of one worker; without other workers, it has every room. `gained` is called with new rooms.

    Rooms that are not `at_home` here are left to other workers for a moment.
    """

    def __init__(
        self, together: Cluster | None, gained: Callable[[Collection[str]], None], at_home: Callable[[str], bool]
    ) -> None:
        self._cluster, self._on_gained, self._has_affinity = together, gained, at_home
        self._deferred: set[str] = set()  # ownerless rooms left to their home workers
        self._inherited: set[str] | None = None  # from workers that died since this one started; None until then
        self._leases: dict[str, Lease] = {}
        self._held_elsewhere: set[str] = set()  # requested rooms that another worker had
        self._requested: dict[str, None] = {}
        self._leaving = False

    def __contains__(self, room_id: str) -> bool:
        return self._cluster is None or room_id in self._leases

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._leases))

    def lease(self, room_id: str) -> Lease | None:
        """Return the lease to write with for a room; None if there is none."""
        return self._leases.get(room_id)

    def request(self, room_id: str) -> bool:
        """Request an active room; return whether `claim_requested` must be called."""
        fresh = room_id not in self and room_id not in self._held_elsewhere and room_id not in self._requested
        if fresh and not self._leaving:
            self._requested[room_id] = None
        return fresh and not self._leaving

    def is_inherited(self, room_id: str) -> bool:
        """Return whether the room was taken over from a worker that died while this one was running."""
        return self._inherited is not None and room_id in self._inherited

    async def claim_requested(self) -> None:
        """Claim the requested rooms."""
        rooms, self._requested = list(self._requested), {}
        if rooms:
            self._held_elsewhere |= set(rooms) - await self._claim(rooms)

    async def claim_ownerless(self) -> None:
        """Claim rooms that no living worker has."""
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

    async def claim_again(self) -> None:
        """Claim the rooms held here after this worker counted as dead: others may have taken some of them meanwhile.

        The leases that no one has taken are still this worker's, so `claim_ownerless` would not find them.
        """
        rooms, self._leases = list(self._leases), {}
        if rooms:
            await self._claim(rooms)

    async def _claim(self, rooms: Collection[str]) -> set[str]:
        assert self._cluster is not None
        taken = await self._cluster.claim(rooms)
        self._leases.update(taken)
        self._on_gained(taken)
        return set(taken)

    async def release(self, rooms: Collection[str]) -> None:
        """Release rooms, so that other workers can claim them."""
        rooms = [room for room in rooms if self._leases.pop(room, None) is not None]
        if rooms and self._cluster is not None:
            try:
                await self._cluster.release(rooms)
            except WriteFailed as failure:  # they expire when this worker's heartbeat stops
                logger.warning("failed to release %s rooms: %s", len(rooms), failure)

    def drop(self, rooms: Collection[str]) -> None:
        """Forget leases that another worker has by now."""
        for room_id in rooms:
            self._leases.pop(room_id, None)

    async def release_all(self) -> None:
        """Stop claiming rooms, and release all."""
        self._leaving = True
        await self.release(list(self._leases))
