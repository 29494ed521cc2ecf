"""A hub among others: it hears what they write, tells them who is here, and takes over from who is gone.

What workers say to one another may be lost. So nothing rests on it: twice a second all that it could have told is read
from the database, and a lost word costs that moment.
"""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable
from typing import TYPE_CHECKING, Any

from tavola.live.happenings import awaits
from tavola.store import EVERYTHING, LOG, Stale, Together, WriteFailed, fitting

if TYPE_CHECKING:
    from tavola.live.hub import Hub
    from tavola.live.room import Room

TICK = 0.5
"""Seconds between two readings of what nobody may have told, and between two beats."""
TOLD = 0.5
"""Seconds between two tellings of what is counted here."""
LONGEST = 6_000
"""Bytes of one telling."""
FORGOTTEN = 5.0
"""Seconds for which a telling holds, where the next one does not come."""
VISITS = 10.0
"""Seconds between two tellings of one person's visits to one room."""
MOST_VISITS = 5_000
PRUNING = "(pruning)"
"""The lease of the worker who deletes what is not kept any longer."""

Teller = Callable[[], dict[str, Any]]
"""What is to be told now, by key; nothing where nothing is."""
Hearer = Callable[[str, dict[str, Any]], None]
"""Hears which worker told what."""
log = logging.getLogger(__name__)


class Circle:
    """One hub's part in what several share."""

    def __init__(self, hub: "Hub", together: Together) -> None:
        self.hub, self.together = hub, together
        self._here: set[tuple[str, str]] = set()  # room and person, as the others know
        self._behind: set[str] = set()  # rooms of which the log has more
        self._reading = False
        self._visits: dict[tuple[str, str], float] = {}
        self._tellers: dict[str, Teller] = {}
        self._read_elsewhere: set[str] = set()  # rooms that other workers have in memory, too
        self._hearers: dict[str, Hearer] = {
            "visited": self._visited,
            "maker": self._made,
            "gone": self._gone,
            "reading": self._also_read,
        }

    async def join(self) -> None:
        """Be one of them."""
        self.together.listen(self._hear)
        self.together.wanted = self._read_elsewhere
        await self.together.beat()
        self.hub.spawn(self._again_and_again(self.live))
        self.hub.spawn(self._again_and_again(self.look))
        self.hub.spawn(self._tell_for_ever())

    async def leave(self) -> None:
        """Hand over what is looked after here; others take it at once."""
        rooms = [room for room in map(self.hub.at_hand, self.hub.ownership) if room is not None]
        await asyncio.gather(*(self._quietly(room.hand_over) for room in rooms))
        await self.hub.ownership.leave()
        await self._quietly(lambda: self.say("free", {"": 1}))

    # What is said

    def tells(self, topic: str, tell: Teller, hear: Hearer) -> None:
        """Have `tell()` told to all others twice a second, and `hear(worker, told)` what they tell."""
        self._tellers[topic], self._hearers[topic] = tell, hear

    async def say(self, topic: str, told: dict[str, Any]) -> None:
        """Tell all others, in as many parts as it takes."""
        for part in fitting(told.items(), LONGEST):
            await self.together.say(topic, json.dumps([self.together.worker, dict(part)]))

    def say_soon(self, topic: str, told: dict[str, Any]) -> None:
        """The same, when nobody waits for it."""
        self.hub.spawn(self._quietly(lambda: self.say(topic, told)))

    def visited(self, room_id: str, person_id: str) -> None:
        """Somebody is here, perhaps without a connection that stays: others hear of it now and then."""
        now = time.monotonic()
        if now - self._visits.get((room_id, person_id), -VISITS) < VISITS:
            return
        self._visits[room_id, person_id] = now
        if len(self._visits) > MOST_VISITS:
            del self._visits[next(iter(self._visits))]
        self.say_soon("visited", {room_id: person_id})

    def _hear(self, topic: str, payload: str) -> None:
        if topic == LOG:
            self._written(json.loads(payload))
        elif topic == EVERYTHING:
            self._here = set()  # a database that crashed has forgotten who is where
            self.hub.spawn(self._quietly(self.look))
        elif topic == "free":
            self.hub.spawn(self._quietly(self.hub.ownership.take_ownerless))
        elif topic in self._hearers:
            worker, told = json.loads(payload)
            if worker != self.together.worker:
                self._hearers[topic](worker, told)

    def _visited(self, worker: str, told: dict[str, Any]) -> None:
        for room_id, person_id in told.items():
            room = self.hub.at_hand(room_id)
            if room is not None:
                room.visit(person_id, told=True)

    def _made(self, worker: str, told: dict[str, Any]) -> None:
        for room_id, maker in told.items():
            self.hub.made_by(room_id, maker, told=True)

    def _gone(self, worker: str, told: dict[str, Any]) -> None:
        self.hub.forget(told)

    async def _tell_for_ever(self) -> None:
        while True:
            await asyncio.sleep(TOLD)
            for topic, tell in self._tellers.items():
                if told := tell():
                    await self._quietly(lambda topic=topic, told=told: self.say(topic, told))  # type: ignore[misc]

    # What is read

    def loaded(self, room: "Room") -> None:
        """A room has come into memory: what was written while it was being read is read as well.

        Who has it, too, is asked to tell of what he writes, and to say that he has it.
        """
        self._behind.add(room.id)
        self._written(())
        self.say_soon("reading", {room.id: 1})

    def _also_read(self, worker: str, told: dict[str, Any]) -> None:
        """Another worker has these in memory: he hears of them from now on, and if he asks, that they are read here."""
        shared = {room_id: asks for room_id, asks in told.items() if self.hub.at_hand(room_id) is not None}
        self._read_elsewhere.update(shared)
        if asked := {room_id: 0 for room_id, asks in shared.items() if asks}:
            self.say_soon("reading", asked)

    async def prunes(self) -> bool:
        """Whether this is the worker who deletes what is not kept any longer."""
        return PRUNING in await self.together.claim([PRUNING])

    def _written(self, rooms: Iterable[tuple[str, int]]) -> None:
        """The log of these rooms goes so far: what is missing here is read, all of it that came meanwhile at once."""
        for room_id, seq in rooms:
            room = self.hub.at_hand(room_id)
            if room is not None and room.state.seq < seq:
                self._behind.add(room_id)
        if self._behind and not self._reading:
            self._reading = True
            self.hub.spawn(self._quietly(self._read))

    async def _read(self) -> None:
        try:
            while self._behind:
                rooms = list(filter(None, map(self.hub.at_hand, self._behind)))
                self._behind.clear()
                found = await self.together.since({room.id: room.state.seq for room in rooms})
                await asyncio.gather(*(room.hear(found[room.id]) for room in rooms if room.id in found))
        finally:
            self._reading = False

    async def _again_and_again(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(TICK)
            await self._quietly(work)

    async def live(self) -> None:
        """Say that this worker lives, and take over from who does not any more."""
        if not await self.together.beat():
            self.hub.ownership.lost(list(self.hub.ownership))  # taken by others, or to be taken again
        await self.hub.ownership.take_ownerless()

    async def look(self) -> None:
        """Read what nobody may have told: new events, who is where, how many workers there are."""
        rooms = {room.id: room.state.seq for room in self.hub.rooms}
        self._read_elsewhere.intersection_update(rooms)
        behind = await self.together.behind(rooms)
        self._written(behind.items())
        if behind:  # perhaps nobody knows that they are read here
            await self.say("reading", dict.fromkeys(behind, 0))
        await self._meet(rooms)
        await self._release(rooms)
        self.hub.counted(max(1, len(await self.together.workers())))

    async def _meet(self, rooms: Collection[str]) -> None:
        """Tell who is here, and see who is elsewhere; a room looked after here wakes up where somebody is."""
        here = {(room.id, person) for room in self.hub.rooms for person in room.presence.people}
        await self.together.present.note(here - self._here, self._here - here)
        self._here = here
        elsewhere = await self.together.present.elsewhere({*rooms, *self.hub.ownership})
        for room in self.hub.rooms:
            room.met(frozenset(elsewhere.get(room.id, ())))
        for room_id in elsewhere.keys() - rooms:
            await self.hub.take_up(room_id)

    async def _release(self, rooms: Collection[str]) -> None:
        """Look no more after what awaits nothing."""
        kept = (self.hub.at_hand(room_id) for room_id in self.hub.ownership)
        await self.hub.ownership.release([room.id for room in kept if room is not None and not awaits(room.state, ())])

    async def _quietly(self, work: Callable[[], Awaitable[None]]) -> None:
        """What fails because the database is away is done again with the next tick."""
        try:
            await work()
        except WriteFailed as failure:
            log.warning("the database cannot be reached: %s", failure)
        except Stale:
            pass
        except Exception:
            log.exception("what workers do for one another failed")
