"""Coordination of workers on one PostgreSQL: living workers, leases, connected persons, messages.

A worker without a beat for three seconds of the database's clock is dead (the view `living`). A lease is a row with
owner and epoch, which grows at every take-over; the statement that appends under it checks both. So a worker that was
frozen cannot write when it resumes.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from psycopg_pool import ConnectionPool

from tavola.store.interface import Cluster, Event, Lease, MessageHandler
from tavola.store.postgres.connections import DatabaseAddress, TimeoutConnection, run_with_retry
from tavola.store.postgres.notifications import CHANNEL, Listener, encode_message

CLUSTER_TIMEOUT = 2.0
"""Seconds after which calls fail; some are due every second."""
T = TypeVar("T")

BEAT = """
WITH before AS (SELECT FROM worker WHERE id = %(worker)s AND beat > clock_timestamp() - interval '3 s'),
said AS (
    INSERT INTO worker (id, beat) VALUES (%(worker)s, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET beat = excluded.beat
), gone AS (DELETE FROM worker WHERE beat < clock_timestamp() - interval '1 hour' AND id <> %(worker)s RETURNING id),
left_behind AS (DELETE FROM present USING gone WHERE present.worker = gone.id)
SELECT EXISTS (SELECT FROM before), (SELECT count(*) FROM living WHERE id <> %(worker)s)
"""
CLAIM = """
WITH taken AS (
    INSERT INTO lease AS l (room, owner, epoch)
    SELECT room, %(worker)s, 1 FROM unnest(%(rooms)s::text[]) AS room ORDER BY room
    ON CONFLICT (room) DO UPDATE SET owner = %(worker)s, epoch = l.epoch + 1
        WHERE l.owner <> %(worker)s AND NOT EXISTS (SELECT FROM living WHERE id = l.owner)
    RETURNING room, epoch
)
SELECT room, epoch FROM taken
UNION ALL SELECT room, epoch FROM lease WHERE owner = %(worker)s AND room = ANY(%(rooms)s)
"""
RELEASE = "UPDATE lease SET owner = '' WHERE owner = %s AND room = ANY(%s)"
UNLEASED_ROOMS = """
SELECT r.id FROM room r LEFT JOIN lease l ON l.room = r.id LEFT JOIN living w ON w.id = l.owner
WHERE r.awake = 1 AND w.id IS NULL ORDER BY r.at
"""
NEWER_SEQS = """
SELECT r.id, r.seq FROM unnest(%s::text[], %s::int[]) AS k (id, seq) JOIN room r ON r.id = k.id WHERE r.seq > k.seq
"""
EVENTS_SINCE = """
SELECT e.room, e.seq, e.kind, e.body, e.command_id, e.at, e.checksum
FROM unnest(%s::text[], %s::int[]) AS k (room, seq) JOIN event e ON e.room = k.room AND e.seq > k.seq
ORDER BY e.room, e.seq
"""
ROOMS_OF_PERSON = """
SELECT DISTINCT r.id FROM event e JOIN room r ON r.id = e.room
WHERE e.person = %s AND e.person IS NOT NULL AND r.awake = 1 ORDER BY r.id
"""
INSERT_PRESENCE = """
INSERT INTO present (worker, room, person)
SELECT %(worker)s, room, person FROM unnest(%(rooms)s::text[], %(persons)s::text[]) AS p (room, person)
ON CONFLICT DO NOTHING
"""
DELETE_PRESENCE = """
DELETE FROM present USING unnest(%(rooms)s::text[], %(persons)s::text[]) AS p (room, person)
WHERE present.room = p.room AND present.person = p.person AND present.worker = %(worker)s
"""
PERSONS_ELSEWHERE = """
SELECT p.room, p.person FROM present p JOIN living w ON w.id = p.worker WHERE p.room = ANY(%s) AND p.worker <> %s
"""
OCCUPIED_ROOMS = "SELECT DISTINCT p.room FROM present p JOIN living w ON w.id = p.worker"


class PostgresCluster(Cluster):
    """One worker of a database; `made` decodes rows into events by room."""

    def __init__(
        self,
        address: DatabaseAddress,
        pool: ConnectionPool[TimeoutConnection],
        made: Callable[[list[Any]], dict[str, list[Event]]],
    ) -> None:
        self._address, self._pool, self._decode = address, pool, made
        self.worker = address.worker
        self.is_alone = False
        """True if no other worker lived at the last beat, so that messages are unnecessary."""
        self.rooms_to_announce: Collection[str] | None = None
        self._listeners = list[Listener]()

    async def heartbeat(self) -> bool:
        (lived, others), *_ = await self._rows(BEAT, {"worker": self.worker})
        self.is_alone = not others
        return bool(lived)

    async def living_workers(self) -> list[str]:
        return [str(name) for (name,) in await self._rows("SELECT id FROM living ORDER BY id")]

    async def claim(self, rooms: Collection[str]) -> dict[str, Lease]:
        found = await self._rows(CLAIM, {"worker": self.worker, "rooms": sorted(set(rooms))})
        return {room: Lease(room, epoch) for room, epoch in found}

    async def release(self, rooms: Collection[str]) -> None:
        await self._execute(RELEASE, (self.worker, sorted(set(rooms))))

    async def unleased_rooms(self) -> list[str]:
        return [str(room) for (room,) in await self._rows(UNLEASED_ROOMS)]

    async def newer_seqs(self, rooms: Mapping[str, int]) -> dict[str, int]:
        return dict(await self._rows(NEWER_SEQS, (list(rooms), list(rooms.values()))))

    async def events_since(self, rooms: Mapping[str, int]) -> dict[str, list[Event]]:
        return self._decode(await self._rows(EVENTS_SINCE, (list(rooms), list(rooms.values()))))

    async def rooms_of_person(self, person_id: str) -> list[str]:
        return [str(room) for (room,) in await self._rows(ROOMS_OF_PERSON, (person_id,))]

    def listen(self, heard: MessageHandler) -> None:
        self._listeners.append(Listener(self._address, heard))

    async def publish(self, topic: str, payload: str) -> None:
        await self._execute("SELECT pg_notify(%s, %s)", (CHANNEL, encode_message(self.worker, topic, payload)))

    def close(self) -> None:
        for listener in self._listeners:
            listener.close()

    # Connected persons

    async def record_presence(self, came: Collection[tuple[str, str]], went: Collection[tuple[str, str]]) -> None:
        for query, pairs in ((INSERT_PRESENCE, came), (DELETE_PRESENCE, went)):
            if pairs:
                rooms, persons = map(list, zip(*sorted(set(pairs)), strict=True))
                await self._execute(query, {"worker": self.worker, "rooms": rooms, "persons": persons})

    async def persons_elsewhere(self, rooms: Collection[str]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for room, person in await self._rows(PERSONS_ELSEWHERE, (list(rooms), self.worker)):
            found.setdefault(room, set()).add(person)
        return found

    async def occupied_rooms(self) -> set[str]:
        return {str(room) for (room,) in await self._rows(OCCUPIED_ROOMS)}

    # Queries

    async def _rows(self, query: str, values: Any = None) -> list[Any]:
        return await self._run(lambda connection: connection.execute(query.encode(), values).fetchall())

    async def _execute(self, query: str, values: Any) -> None:
        await self._run(lambda connection: connection.execute(query.encode(), values))

    async def _run(self, work: Callable[[TimeoutConnection], T]) -> T:
        return await asyncio.to_thread(run_with_retry, self._pool, self._address.name, work, CLUSTER_TIMEOUT)
