"""A worker among others: it reads their events, announces who is here, and takes over from workers that have ended.

Messages between workers can be lost, so nothing depends on them: twice a second, each worker reads the same facts from
the database. A lost message costs only that delay.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import Any

from cachetools import FIFOCache

from tavola.live.bots.processes import BotProcesses
from tavola.live.cluster.leases import Leases
from tavola.live.log.events import stays_awake
from tavola.live.residents import Residents
from tavola.live.room import Room
from tavola.live.room_server import Tasks
from tavola.store import LOG_TOPIC, RESYNC_TOPIC, Cluster, Stale, WriteFailed, split_by_size

TICK = 0.5
"""Seconds between two polls of the database, and between two heartbeats."""
NEWS_INTERVAL = 0.5
"""Seconds between two announcements of each topic."""
LARGEST_PAYLOAD = 6_000
"""Maximum bytes of one message."""
VISIT_INTERVAL = 10.0
"""Minimum seconds between two announcements of one person's visits to one room."""
MOST_VISITS = 5_000
PRUNING_LEASE = "(pruning)"
"""Lease of the worker that deletes expired rooms."""

NewsSource = Callable[[], dict[str, Any]]
"""Function that returns the current announcement by key, empty if there is none."""
NewsHandler = Callable[[str, dict[str, Any]], None]
"""Function that receives a worker's name and its announcement."""
logger = logging.getLogger(__name__)


class Peers:
    """One worker's side of the communication between workers."""

    def __init__(
        self, cluster: Cluster, residents: Residents, leases: Leases, bot_processes: BotProcesses, tasks: Tasks
    ) -> None:
        self.cluster, self._residents, self._leases = cluster, residents, leases
        self._bot_processes, self._tasks = bot_processes, tasks
        self._present_here: set[tuple[str, str]] = set()  # rooms and persons, as last recorded
        self._behind_rooms: set[str] = set()  # rooms whose log has newer events
        self._reading = False
        self._visit_times: FIFOCache[tuple[str, str], float] = FIFOCache(MOST_VISITS)
        self._news_sources: dict[str, NewsSource] = {}
        self._shared_rooms: set[str] = set()  # rooms that other workers also have in memory
        self._news_handlers: dict[str, NewsHandler] = {
            "visited": self._receive_visits,
            "maker": self._receive_creators,
            "gone": lambda worker, told: self._residents.forget(told),
            "reading": self._receive_reading,
        }

    async def join(self) -> None:
        """Join the other workers."""
        self.cluster.listen(self._receive)
        self.cluster.rooms_to_announce = self._shared_rooms
        await self.cluster.heartbeat()
        self._tasks.spawn(self._repeat(self.beat))
        self._tasks.spawn(self._repeat(self.poll))
        self._tasks.spawn(self._broadcast_forever())

    async def leave(self) -> None:
        """Hand over the rooms looked after here, which other workers claim at once."""
        rooms = [room for room in map(self._residents.get, self._leases) if room is not None]
        await asyncio.gather(*(self._log_failures(room.hand_over) for room in rooms))
        await self._leases.release_all()
        await self._log_failures(lambda: self.broadcast("free", {"": 1}))

    # Messages

    def add_topic(self, topic: str, tell: NewsSource, hear: NewsHandler) -> None:
        """Send the result of `tell()` to all others twice a second, and call `hear(worker, told)` with theirs."""
        self._news_sources[topic], self._news_handlers[topic] = tell, hear

    async def broadcast(self, topic: str, told: dict[str, Any]) -> None:
        """Send an announcement to all others, in parts of at most `LARGEST_PAYLOAD` bytes."""
        for part in split_by_size(told.items(), LARGEST_PAYLOAD):
            await self.cluster.publish(topic, json.dumps([self.cluster.worker, dict(part)]))

    def broadcast_soon(self, topic: str, told: dict[str, Any]) -> None:
        """Send an announcement in the background."""
        self._tasks.spawn(self._log_failures(lambda: self.broadcast(topic, told)))

    def broadcast_visit(self, room_id: str, person_id: str) -> None:
        """Announce that a person is here, with or without a connection, at most once per `VISIT_INTERVAL` seconds."""
        now = time.monotonic()
        if now - self._visit_times.get((room_id, person_id), -VISIT_INTERVAL) < VISIT_INTERVAL:
            return
        self._visit_times[room_id, person_id] = now
        self.broadcast_soon("visited", {room_id: person_id})

    def _receive(self, topic: str, payload: str) -> None:
        if topic == LOG_TOPIC:
            self._mark_behind(json.loads(payload))
        elif topic == RESYNC_TOPIC:
            self._present_here = set()  # a crashed database has lost who is where
            self._tasks.spawn(self._log_failures(self.poll))
        elif topic == "free":
            self._tasks.spawn(self._log_failures(self._leases.claim_ownerless))
        elif topic in self._news_handlers:
            worker, told = json.loads(payload)
            if worker != self.cluster.worker:
                self._news_handlers[topic](worker, told)

    def _receive_visits(self, worker: str, told: dict[str, Any]) -> None:
        for room_id, person_id in told.items():
            if (room := self._residents.get(room_id)) is not None:
                room.visit(person_id, told=True)

    def _receive_creators(self, worker: str, told: dict[str, Any]) -> None:
        for room_id, maker in told.items():
            self._bot_processes.set_maker(room_id, maker)

    async def _broadcast_forever(self) -> None:
        while True:
            await asyncio.sleep(NEWS_INTERVAL)
            for topic, tell in self._news_sources.items():
                if told := tell():
                    await self._log_failures(lambda topic=topic, told=told: self.broadcast(topic, told))  # type: ignore[misc]

    # Events

    def track_room(self, room: Room) -> None:
        """Read the events that were written while a room was being loaded.

        Also ask other workers that have the room to announce their events, and to answer that they have it.
        """
        self._behind_rooms.add(room.id)
        self._mark_behind(())
        self.broadcast_soon("reading", {room.id: 1})

    def _receive_reading(self, worker: str, told: dict[str, Any]) -> None:
        """Announce events of these rooms to a worker that has them too; if it asks, answer that they are here."""
        shared = {room_id: asks for room_id, asks in told.items() if self._residents.get(room_id) is not None}
        self._shared_rooms.update(shared)
        if asked := {room_id: 0 for room_id, asks in shared.items() if asks}:
            self.broadcast_soon("reading", asked)

    async def claim_pruning(self) -> bool:
        """Return whether this is the worker that deletes expired rooms."""
        return PRUNING_LEASE in await self.cluster.claim([PRUNING_LEASE])

    def _mark_behind(self, rooms: Iterable[tuple[str, int]]) -> None:
        """Read the events missing here up to these numbers; those announced during a read are read together."""
        for room_id, seq in rooms:
            if (room := self._residents.get(room_id)) is not None and room.state.seq < seq:
                self._behind_rooms.add(room_id)
        if self._behind_rooms and not self._reading:
            self._reading = True
            self._tasks.spawn(self._log_failures(self._read_behind))

    async def _read_behind(self) -> None:
        try:
            while self._behind_rooms:
                rooms = list(filter(None, map(self._residents.get, self._behind_rooms)))
                self._behind_rooms.clear()
                found = await self.cluster.events_since({room.id: room.state.seq for room in rooms})
                await asyncio.gather(*(room.receive(found[room.id]) for room in rooms if room.id in found))
        finally:
            self._reading = False

    async def _repeat(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(TICK)
            await self._log_failures(work)

    async def beat(self) -> None:
        """Renew this worker's heartbeat, and take over the rooms of workers that have ended."""
        if not await self.cluster.heartbeat():
            await self._leases.claim_again()
        await self._leases.claim_ownerless()

    async def poll(self) -> None:
        """Read what announcements may have missed: new events, presence, the number of workers."""
        rooms = {room.id: room.state.seq for room in self._residents}
        self._shared_rooms.intersection_update(rooms)
        behind = await self.cluster.newer_seqs(rooms)
        self._mark_behind(behind.items())
        if behind:  # perhaps their writer does not know that they are in memory here
            await self.broadcast("reading", dict.fromkeys(behind, 0))
        await self._exchange_presence(rooms)
        kept = (self._residents.get(room_id) for room_id in self._leases)
        await self._leases.release([room.id for room in kept if room is not None and not stays_awake(room.state, ())])
        self._bot_processes.thinkers.workers = max(1, len(await self.cluster.living_workers()))

    async def _exchange_presence(self, rooms: Collection[str]) -> None:
        here = {(room.id, person) for room in self._residents for person in room.presence.people}
        await self.cluster.record_presence(here - self._present_here, self._present_here - here)
        self._present_here = here
        elsewhere = await self.cluster.persons_elsewhere({*rooms, *self._leases})
        for room in self._residents:
            room.set_elsewhere(frozenset(elsewhere.get(room.id, ())))
        for room_id in elsewhere.keys() - rooms:
            await self._residents.resume(room_id)

    async def _log_failures(self, work: Callable[[], Awaitable[None]]) -> None:
        """Log failures of the work: what fails without the database is tried again at the next tick."""
        try:
            await work()
        except WriteFailed as failure:
            logger.warning("the database cannot be reached: %s", failure)
        except Stale:
            pass
        except Exception:
            logger.exception("coordination with other workers failed")
