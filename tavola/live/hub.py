"""The hub: opens rooms, and assembles the parts that run them."""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any

from tavola import games
from tavola.core import BadRecord, read_record
from tavola.core.text import clean, shorten
from tavola.live.bots.processes import BotProcesses
from tavola.live.cluster.leases import Leases
from tavola.live.cluster.lobby import Lobby, OpenRoom
from tavola.live.cluster.peers import PRUNING_LEASE, Peers
from tavola.live.commands.require import require_time_for_races
from tavola.live.correspondence.agenda import CorrespondenceDesk, DecisionWatcher
from tavola.live.log.events import NewEvent, created_event, joined_event, number_events
from tavola.live.log.fold import fold
from tavola.live.log.people import LONGEST_NAME, Person, clean_name
from tavola.live.log.room_settings import Settings
from tavola.live.log.state import State
from tavola.live.readiness import Readiness
from tavola.live.residents import Persons, Residents
from tavola.live.room import Room
from tavola.live.room_server import Tasks
from tavola.live.settings import HubSettings
from tavola.live.time.steady import SteadyClock
from tavola.store import Conflict, Event, Store
from tavola.talk import read_talk, record_text

PRUNE_INTERVAL = 3600.0
"""Seconds between two searches for expired rooms."""
PRUNE_BATCH = 20
"""Rooms deleted in one commit, so that other writers get a turn."""
MOST_LISTED = 2
"""Maximum public rooms of one maker in the list."""
LOOK_INTERVAL = 15.0
"""Seconds between two checks for correspondence deadlines that have passed."""
SWEEP_INTERVAL = 30.0
"""Seconds between two searches for idle rooms in memory."""
LONGEST_RECORD = 262_144
"""Maximum characters of an imported record."""
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
"""Alphabet of codes, chosen to sound distinct when read aloud in syllables of three, as in `talvin`."""
SYLLABLES, PRIVATE_SYLLABLES = 2, 3
"""Syllables of a public and of a private room's code; the longer one is hard to guess."""

ReadImport = Callable[[Person, str], Awaitable[list[NewEvent]]]
"""Function from a host and a record's text to the first events of a room; see `import_events`."""
logger = logging.getLogger(__name__)


class Hub:
    """All rooms of a server, in one event loop."""

    def __init__(self, store: Store, settings: HubSettings, readiness: Readiness) -> None:
        self.store, self.settings, self.readiness = store, settings, readiness
        self.tasks, self.desk, self.lobby = Tasks(), CorrespondenceDesk(), Lobby()
        self.clock = SteadyClock(settings.clock, settings.steady)
        self.bot_processes = BotProcesses(settings)
        self.leases = Leases(store.cluster, self._attend_gained, settings.has_affinity)
        self.residents = Residents(self, readiness, self._track)
        self.persons = Persons(store, self.tasks, self.residents)
        self.peers: Peers | None = None
        if store.cluster is not None:
            self.peers = Peers(store.cluster, self.residents, self.leases, self.bot_processes, self.tasks)

    @classmethod
    async def open(cls, store: Store, settings: HubSettings | None = None, readiness: Readiness | None = None) -> "Hub":
        """Return a hub that resumes every active room of a store.

        If several hubs share the store, it resumes only rooms that no other hub looks after. `readiness`: the games
        that are still being compiled, none by default.
        """
        hub = cls(store, settings or HubSettings(), readiness or Readiness())
        if readiness is not None:
            hub.tasks.spawn(readiness.compile_all())
        if hub.peers is not None:
            hub.peers.add_topic("tables", lambda: hub.lobby.news(hub.residents.kept_states()), hub.lobby.receive)
            hub.peers.add_topic("seekers", hub.lobby.seeker_news, hub.lobby.receive_seekers)
            hub.peers.add_topic("thoughts", hub.bot_processes.thinkers.news, hub.bot_processes.thinkers.receive)
            await hub.peers.join()
        await hub._resume_all()
        hub.tasks.spawn(_repeat(SWEEP_INTERVAL, hub._sweep))
        hub.tasks.spawn(_repeat(PRUNE_INTERVAL, hub._prune_in_turn))
        hub.tasks.spawn(_repeat(LOOK_INTERVAL, hub.update_deadlines))
        return hub

    async def leave(self) -> None:
        """Hand over the rooms looked after here to other workers, if there are any; commands still work."""
        if self.peers is not None:
            await self.peers.leave()

    async def close(self) -> None:
        """Refuse new commands, finish those under way, stop bots and clocks. The store stays open.

        The time used from time banks is logged first.
        """
        banked = [room for room in self.residents if room.is_leased and room.caretaker.bank_spent()]
        await asyncio.gather(*(room.hand_over() for room in banked), return_exceptions=True)
        await self.tasks.close()
        for room in self.residents:
            room.close()
        await asyncio.to_thread(self.bot_processes.close)

    # Opening rooms

    async def create(
        self,
        person: Person,
        game: str,
        options: Mapping[str, object],
        settings: Settings,
        rules: str = "recommended",
        maker: str = "",
        code: str = "",
        key: str = "",
    ) -> Room:
        """Open a room; its creator is the host and takes seat 0. Options not given are as in the set `rules`.

        `maker`: whose share of thinking time the room's bots use, the host by default. `code` and `key`: a code from
        `new_code`, and the key of the command; repeating a command returns the room that it opened.
        """
        card = games.load(game)
        require_time_for_races(card, settings)
        words = card.options.to_words(card.options.array(options, rules))
        host = person._replace(name=clean_name(person.name))
        new_events = [created_event(card, words, settings, host), joined_event(0, host, maker)]
        return await self.tasks.run(self._write_new_room(new_events, settings.public, maker, code, key))

    async def import_record(
        self, person: Person, text: str, read: ReadImport | None = None, maker: str = "", code: str = "", key: str = ""
    ) -> Room:
        """Open a room with a finished match from a record's text; raise `BadRecord` unless the match is complete.

        `read`: reads the text, in a thread by default. `code` and `key` as in `create`.
        """
        host = person._replace(name=clean_name(person.name))
        new_events = await (read(host, text) if read is not None else asyncio.to_thread(import_events, host, text))
        return await self.tasks.run(self._write_new_room(new_events, False, maker, code, key))

    async def _write_new_room(self, new_events: list[NewEvent], public: bool, maker: str, code: str, key: str) -> Room:
        """Open a room with these first events, or return the room that a command with this key has opened."""
        if maker:
            new_events[0][1]["maker"] = maker
        events = number_events(new_events, 1, key or None, self.settings.clock())
        while True:
            code = code or self.new_code(public=public)
            try:
                await self.store.append(code, events, awake=False)
                break
            except Conflict:  # a stored room has this code, perhaps the one that this command opened
                if key and key in (opened := await self.room(code)).state.command_ids:
                    return opened
                code = ""
        self._set_maker(code, maker)
        imported = any(event.kind == "imported" for event in events)  # a whole match is slow to fold
        room = Room(self, code, await asyncio.to_thread(fold, events) if imported else fold(events))
        self.residents.add(room)
        return room

    def new_code(self, *, public: bool) -> str:
        """Return an unused random code of a room whose connections this worker serves; it can be pronounced."""
        pattern = (CONSONANTS, VOWELS, CONSONANTS) * (SYLLABLES if public else PRIVATE_SYLLABLES)
        while (code := "".join(map(secrets.choice, pattern))) in self.residents or not self.settings.has_affinity(code):
            pass
        return code

    def open_next(self, room_id: str, code: str, events: Sequence[Event]) -> None:
        """Open the next room of a rematch, for the same maker."""
        self._set_maker(code, self.bot_processes.maker_of(room_id, ""))
        self.residents.add(Room(self, code, fold(events)))

    def _set_maker(self, room_id: str, maker: str) -> None:
        if maker:
            self.bot_processes.set_maker(room_id, maker)
            if self.peers is not None:
                self.peers.broadcast_soon("maker", {room_id: maker})

    # Rooms

    async def room(self, id_or_code: str) -> Room:
        """Return the room of a code, from memory or from its log; raise `UnknownRoom` if there is none."""
        return await self.residents.room(id_or_code)

    @property
    def rooms(self) -> list[Room]:
        """All rooms in memory."""
        return list(self.residents)

    def open_rooms(self) -> list[OpenRoom]:
        """Return public rooms that are gathering, here and at other workers, newest first, `MOST_LISTED` a maker."""
        shown, made = [], Counter[str]()
        for table in self.lobby.open_rooms(self.residents.kept_states()):
            maker = self.bot_processes.maker_of(table.code, table.code)
            made[maker] += 1
            if made[maker] <= MOST_LISTED:
                shown.append(table)
        return shown

    def is_crowding(self, origin: str) -> bool:
        """Return whether an address already has a seat at a public table while another address looks for one."""
        if not origin or not self.lobby.others_look(origin):
            return False
        return any(origin in table.origins for table in self.lobby.open_rooms(self.residents.kept_states()))

    def index_people(self, room_id: str, state: State) -> None:
        """Index the players in a room's match."""
        self.persons.index(room_id, state)

    async def ask(self, query: str, values: Sequence[Any]) -> list[Any]:
        """Return the rows of a query with `?` for each value."""
        return await asyncio.to_thread(self.store.rows, query, values)

    # Among workers

    def _track(self, room: Room) -> None:
        if self.peers is not None:
            self.peers.track_room(room)

    async def _resume_all(self) -> None:
        if self.peers is not None:
            await self.leases.claim_ownerless()
            return
        for line in await asyncio.to_thread(self.store.rooms, awake=True):
            await self.residents.resume(line.id)

    def _attend_gained(self, rooms: Collection[str]) -> None:
        self.tasks.spawn(self.residents.attend([room_id for room_id in rooms if room_id != PRUNING_LEASE]))

    def request_lease(self, room_id: str) -> None:
        """Look after an active room, unless another worker does."""
        if self.leases.request(room_id):
            self.tasks.spawn(self.leases.claim_requested())

    def announce_visit(self, room_id: str, person_id: str) -> None:
        """Notify other workers that a person is here."""
        if self.peers is not None:
            self.peers.broadcast_visit(room_id, person_id)

    # Periodic work

    async def _sweep(self) -> None:
        self.residents.sweep()

    def watch_decisions(self, watcher: DecisionWatcher) -> None:
        """Notify a watcher of decisions in correspondence matches, beginning with those that are already open."""
        self.desk.watchers.append(watcher)
        for room in self.residents:
            room.caretaker.correspondence.tell(watcher)

    async def update_deadlines(self) -> None:
        """Load and check every correspondence room in which a deadline has passed."""
        for room_id in self.desk.due(self.settings.clock()):
            await self.residents.resume(room_id)
            room = self.residents.get(room_id)
            if room is None:
                self.desk.note(room_id, None)
            else:
                room.caretaker.correspondence.look()

    async def _prune_in_turn(self) -> None:
        if self.peers is None or await self.peers.claim_pruning():
            await self.prune()

    async def prune(self) -> int:
        """Delete expired rooms, except those in memory or with people in them; return the number deleted."""
        spare = {room.id for room in self.residents}
        if self.peers is not None:
            spare |= await self.peers.cluster.occupied_rooms()
        found = await asyncio.to_thread(
            self.store.prunable_rooms, self.settings.retention, self.settings.clock(), spare
        )
        for first in range(0, len(found), PRUNE_BATCH):
            await self.store.delete_rooms(
                [old.line for old in found[first : first + PRUNE_BATCH] if old.line.id not in self.residents]
            )
        if found:
            logger.warning("deleted %s rooms: abandoned, or the oldest of a full database", len(found))
            if self.peers is not None:
                await self.peers.broadcast("gone", {old.line.id: 1 for old in found})
        return len(found)


async def _repeat(seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        await work()


def import_events(host: Person, text: str) -> list[NewEvent]:
    """Return the first events of a room for a record; raise `BadRecord` unless its match is complete."""
    if len(text) > LONGEST_RECORD:
        raise BadRecord(f"expected a record of at most {LONGEST_RECORD} characters, found {len(text)}")
    record = read_record(text)
    match = record.match()
    if not match.over:
        raise BadRecord("expected the record of a complete match, found one that is not over after its last action")
    talk = read_talk(text, match)
    names = [record.names[seat] if seat < len(record.names) else "" for seat in range(match.players)]
    titles = [shorten(clean(name), LONGEST_NAME) or f"P{seat + 1}" for seat, name in enumerate(names)]
    words = match.game.options.to_words(match.options)
    return [
        created_event(match.game, words, Settings(public=False, patience=0), host),
        ("imported", {"record": record_text(match.record(), talk), "names": titles}),
    ]
