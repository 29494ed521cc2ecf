"""The hub: every room of a server. Rooms at rest live in the store alone and come back when somebody asks for them."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from tavola import games
from tavola.bargain import Bargainer, Heard
from tavola.bots import LEVELS
from tavola.bots.levels import DEFAULT_MILLISECONDS
from tavola.core import BadRecord, MatchRecord, Refusal, View, read_record
from tavola.core.text import clean, mark, shorten
from tavola.live.cluster.leases import Leases
from tavola.live.cluster.lobby import Lobby, OpenRoom
from tavola.live.cluster.peers import PRUNING_LEASE, Peers
from tavola.live.decisions import DecisionWatcher
from tavola.live.log.commands import Adopt, SpeakForBot, TransferHost
from tavola.live.log.erasure import erase_people
from tavola.live.log.events import NewEvent, created_event, joined_event, number_events
from tavola.live.log.fold import fold
from tavola.live.log.people import LONGEST_NAME, NOBODY, Person, Settings, clean_name
from tavola.live.log.require import require_time_for_races
from tavola.live.log.state import State
from tavola.live.outside import OutsideBots
from tavola.live.protocol import Leave
from tavola.live.readiness import Readiness
from tavola.live.room import Room
from tavola.live.room_refusals import Closing, Damaged, UnknownRoom
from tavola.live.settings import HubSettings
from tavola.live.thinking import BRISK_BUDGET, Thinkers
from tavola.live.time.agenda import Agenda
from tavola.live.time.correspondence import Hours
from tavola.live.time.steady import SteadyClock
from tavola.store import Conflict, Log, Store, WriteFailed
from tavola.talk import Statement, read_talk, record_text

LINGER = 600.0
"""Seconds that a room stays in memory when nobody is there and nothing happens."""
PRUNE_INTERVAL = 3600.0
"""Seconds between two looks for rooms that are not kept any longer."""
PRUNE_BATCH = 20
"""Rooms deleted in one commit: others want to write too."""
MOST_CREATORS = 20_000
"""Rooms of which it is remembered who made them."""
MOST_LISTED = 2
"""Public rooms of one maker that are listed."""
LOOK_INTERVAL = 15.0
"""Seconds between two looks for times by correspondence that have ended."""
SWEEP_INTERVAL = 30.0
"""Seconds between two looks for such rooms."""
LONGEST_RECORD = 262_144
"""Characters of a record that may be imported."""
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
"""Letters of a code that sound unlike when read aloud: syllables of three, as in `talvin`."""
SYLLABLES, PRIVATE_SYLLABLES = 2, 3
"""Of a public room's code, and of a private one's, which nobody should find who was not told it."""

HoursOf = Callable[[Collection[str]], Awaitable[Mapping[str, Hours]]]
"""Asks for the hours of persons, by their ids; who has told none is left out."""
ReadImport = Callable[[Person, str], Awaitable[list[NewEvent]]]
"""Makes the first events of a room out of who brings a record and its text: see `import_events`."""
T = TypeVar("T")
logger = logging.getLogger(__name__)


class Hub:
    """All rooms. One hub a store, in one event loop."""

    def __init__(self, store: Store, settings: HubSettings, readiness: Readiness) -> None:
        self.store, self.settings, self.readiness = store, settings, readiness
        self.closing = False
        self._creators: dict[str, str] = {}  # by room: for whom its bots think
        self._rooms: WeakValueDictionary[str, Room] = WeakValueDictionary()
        self._resident: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._rooms_by_person: defaultdict[str, set[str]] = defaultdict(set)  # codes of running matches by person
        self._command_tasks: set[asyncio.Task[Any]] = set()
        self._background_tasks: set[asyncio.Task[Any]] = set()
        self._thinkers = Thinkers(settings.bots)
        self.outside = OutsideBots(settings.outside)
        self.clock = SteadyClock(settings.clock, settings.steady)
        self.agenda = Agenda()
        self.decision_watchers: list[DecisionWatcher] = []
        self.hours_of: HoursOf = _all_at_home
        self.lobby = Lobby()
        self.leases = Leases(store.cluster, self._resume_gained, settings.has_affinity)
        self.peers = Peers(self, store.cluster) if store.cluster is not None else None

    @classmethod
    async def open(cls, store: Store, settings: HubSettings | None = None, readiness: Readiness | None = None) -> "Hub":
        """Take up every room of a store where something awaits: matches go on, patience begins anew.

        One hub of several over one store takes up those that no other looks after. `readiness`: the games that are
        still being compiled, none unless told.
        """
        hub = cls(store, settings or HubSettings(), readiness or Readiness())
        if readiness is not None:
            hub.spawn(readiness.compile_all())
        if hub.peers is not None:
            hub.peers.add_topic("tables", hub._lobby_news, hub.lobby.receive)
            hub.peers.add_topic("seekers", hub.lobby.seeker_news, hub.lobby.receive_seekers)
            hub.peers.add_topic("thoughts", hub._thinkers.news, hub._thinkers.receive)
            await hub.peers.join()
        await hub._resume_all()
        hub.spawn(hub._sweep_for_ever())
        hub.spawn(hub._prune_for_ever())
        hub.spawn(hub._look_for_ever())
        return hub

    async def leave(self) -> None:
        """Hand over what is looked after here to other workers, if there are any; commands are carried out still."""
        if self.peers is not None:
            await self.peers.leave()

    async def close(self) -> None:
        """Refuse new commands, finish those under way, stop bots and clocks. The store stays open.

        What has been used of banks is written down first.
        """
        banked = [room for room in self._rooms.values() if room.is_leased and room.caretaker.bank_spent()]
        await asyncio.gather(*(room.hand_over() for room in banked), return_exceptions=True)
        self.closing = True
        for task in self._background_tasks:
            task.cancel()
        await asyncio.gather(*self._command_tasks, *self._background_tasks, return_exceptions=True)
        for room in list(self._rooms.values()):
            room.close()
        await asyncio.to_thread(self._thinkers.close)
        await asyncio.to_thread(self.outside.close)

    # Rooms

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

        `maker`: for whom the room's bots think, where he may come as many people; the host unless told. `code` and
        `key`: a code from `new_code` and the key of the command; where that was carried out before it is that room.
        """
        card = games.load(game)
        require_time_for_races(card, settings)
        words = card.options.to_words(card.options.array(options, rules))
        host = Person(person.id, clean_name(person.name))
        happenings = [created_event(card, words, settings, host), joined_event(0, host, maker)]
        return await self.run(self._write_new_room(happenings, settings.public, maker, code, key))

    async def import_record(
        self, person: Person, text: str, read: ReadImport | None = None, maker: str = "", code: str = "", key: str = ""
    ) -> Room:
        """A room that is over, made of a record's text; `BadRecord` unless it is that of a whole match.

        `read`: where the text is read, in a thread unless told. `code` and `key` as in `create`.
        """
        host = Person(person.id, clean_name(person.name))
        happenings = await (read(host, text) if read is not None else asyncio.to_thread(import_events, host, text))
        return await self.run(self._write_new_room(happenings, False, maker, code, key))

    async def room(self, id_or_code: str) -> Room:
        """The room of that code, from memory or from its log; `UnknownRoom` if there is none."""
        key = id_or_code.strip().lower()
        room = self._rooms.get(key)
        if room is None:
            loading = self._loading.get(key)
            if loading is None:
                loading = self._loading[key] = asyncio.create_task(self._load(key))
                loading.add_done_callback(lambda task: self._finish_loading(key, task))
            room = await asyncio.shield(loading)
        self._resident[room.id] = room
        room.last_used = time.monotonic()
        room.visit()
        return room

    @property
    def rooms(self) -> list[Room]:
        """Every room in memory."""
        return list(self._rooms.values())

    def loaded_room(self, room_id: str) -> Room | None:
        """The room of that code, if it is in memory."""
        return self._rooms.get(room_id)

    def open_rooms(self) -> list[OpenRoom]:
        """Public rooms that are gathering, here and at other workers, the newest first; of one maker only so many."""
        shown, made = [], Counter[str]()
        for table in self.lobby.open_rooms(self._resident_states()):
            maker = self._creators.get(table.code, table.code)
            made[maker] += 1
            if made[maker] <= MOST_LISTED:
                shown.append(table)
        return shown

    def is_crowding(self, origin: str) -> bool:
        """True when an address has a seat at a public table already and somebody of another one looks for one."""
        if not origin or not self.lobby.others_look(origin):
            return False
        return any(origin in table.origins for table in self.lobby.open_rooms(self._resident_states()))

    def _lobby_news(self) -> dict[str, Any]:
        return self.lobby.news(self._resident_states())

    def _resident_states(self) -> dict[str, State]:
        return {code: room.state for code, room in self._resident.items()}

    async def rooms_of(self, person_id: str) -> list[Room]:
        """The running matches in which a person has a seat that he did not give up, the one that changed last first."""
        found = []
        for code in {*self._rooms_by_person.get(person_id, ()), *await self._rooms_elsewhere(person_id)}:
            with contextlib.suppress(Refusal):  # under rules of another version, or not compiled yet
                found.append(await self.room(code))
        sits = (room for room in found if room.id in self._rooms_by_person.get(person_id, ()))
        return sorted(sits, key=lambda room: room.state.updated_at, reverse=True)

    async def _rooms_elsewhere(self, person_id: str) -> list[str]:
        """Rooms where he may sit that need not be in memory here; none while the database is away."""
        with contextlib.suppress(WriteFailed):
            return [] if self.store.cluster is None else await self.store.cluster.rooms_of_person(person_id)
        return []

    async def adopt(self, guest_id: str, person: Person, *, everywhere: bool = True) -> None:
        """Give a person the seats they had as a guest: at once where matches run, with `everywhere` soon elsewhere."""
        for room in await self.rooms_of(guest_id):
            with contextlib.suppress(Refusal):  # it was damaged: the other seats are given all the same
                await room.execute_for_house(Adopt(guest_id, person))
        if everywhere:
            self.spawn(self._adopt_elsewhere(guest_id, person))

    async def _adopt_elsewhere(self, guest_id: str, person: Person) -> None:
        for code in await asyncio.to_thread(self.store.rooms_naming, guest_id):
            with contextlib.suppress(Refusal):  # under rules of another version, or damaged
                await (await self.room(code)).execute_for_house(Adopt(guest_id, person))

    async def erase(self, persons: Collection[str]) -> None:
        """Forget persons: their names and what they said go from every log, what they played stays as nobody's."""
        found = [await asyncio.to_thread(self.store.rooms_naming, person_id) for person_id in persons]
        for code in sorted({code for rooms in found for code in rooms}):
            for person_id in persons:
                await self._get_up(code, person_id)
            await self.store.rewrite_room(code, lambda events: erase_people(events, persons))
            if (room := self.loaded_room(code)) is not None:
                await room.catch_up()

    async def leave_seats(self, person_id: str) -> None:
        """Let a person leave every table: bots play on at once where matches run, elsewhere seats are free soon."""
        for room in await self.rooms_of(person_id):
            await self._get_up(room.id, person_id)
        self.spawn(self._leave_elsewhere(person_id))

    async def _leave_elsewhere(self, person_id: str) -> None:
        for code in await asyncio.to_thread(self.store.rooms_naming, person_id):
            await self._get_up(code, person_id)

    async def _get_up(self, code: str, person_id: str) -> None:
        """Let a person leave a table for good: a bot plays on."""
        with contextlib.suppress(Refusal):  # it is over, or he has no seat there
            room = await self.room(code)
            seat = room.state.seat_of(person_id)
            if seat is not None and not room.state.occupants[seat].has_left:
                await room.execute(Person(person_id, NOBODY), Leave(secrets.token_hex(8)))

    def index_people(self, room: Room) -> None:
        """Note who sits in a match that runs; a room at rest does not change, so its people stay noted."""
        for place in room.state.occupants:
            if place.person is None:
                continue
            if room.state.phase == "playing" and not place.has_left:
                self._rooms_by_person[place.person.id].add(room.id)
            elif room.id in self._rooms_by_person.get(place.person.id, ()):
                self._rooms_by_person[place.person.id].discard(room.id)
                if not self._rooms_by_person[place.person.id]:
                    del self._rooms_by_person[place.person.id]

    def new_code(self, *, public: bool) -> str:
        """A code that no room in memory has, of one that is at home here."""
        while True:
            pattern = (CONSONANTS, VOWELS, CONSONANTS) * (SYLLABLES if public else PRIVATE_SYLLABLES)
            code = "".join(map(secrets.choice, pattern))
            if code not in self._rooms and self.settings.has_affinity(code):
                return code

    def add_room(self, room: Room) -> None:
        """Keep a room in memory and let its bots and clocks go on."""
        self._rooms[room.id] = self._resident[room.id] = room
        self._make_ready(room.state)
        self.index_people(room)
        room.attend()

    def _make_ready(self, state: State) -> None:
        """Have what somebody plays compiled first; an earlier version of a game's rules only where a match goes on."""
        game = state.game.reference
        if state.game.ruleset is not None and state.phase != "over" and self.readiness.admit(game):
            self.spawn(self.readiness.compile_next())
        self.readiness.prefer(game)

    def set_creator(self, room_id: str, maker: str, *, told: bool = False) -> None:
        """Remember for whom a room's bots think. `told`: another worker says so."""
        if maker:
            self._creators[room_id] = maker
            if self.peers is not None and not told:
                self.peers.broadcast_soon("maker", {room_id: maker})
            if len(self._creators) > MOST_CREATORS:
                del self._creators[next(iter(self._creators))]

    def inherit_creator(self, room_id: str, following: str) -> None:
        """A room goes on in another one: for the same maker."""
        self.set_creator(following, self._creators.get(room_id, ""))

    async def _write_new_room(self, happenings: list[NewEvent], public: bool, maker: str, code: str, key: str) -> Room:
        """Open a room with these first events, or return the one that a command with this key has opened before."""
        if maker:
            happenings[0][1]["maker"] = maker
        events = number_events(happenings, 1, key or None, self.settings.clock())
        while True:
            code = code or self.new_code(public=public)
            try:
                await self.store.append(code, events, awake=False)
                break
            except Conflict:  # a room at rest has this code, perhaps the one that this command has opened
                if key and key in (opened := await self.room(code)).state.command_ids:
                    return opened
                code = ""
        self.set_creator(code, maker)
        imported = any(event.kind == "imported" for event in events)  # a whole match, which takes its time
        room = Room(self, code, await asyncio.to_thread(fold, events) if imported else fold(events))
        self.add_room(room)
        return room

    async def _load(self, room_id: str) -> Room:
        log_of_room = await asyncio.to_thread(self.store.read, room_id)
        state, fault = await asyncio.to_thread(_fold_log, log_of_room)
        if fault:
            logger.error("room %s: %s: what is left can be read, and nothing is added", room_id, fault)
        if state is None:
            if fault:
                raise Damaged(mark("this room was damaged on the disk, and nothing of it can be read"))
            raise UnknownRoom(code=room_id[:12])
        room = Room(self, room_id, state, fault)
        room.restore_race()
        self.add_room(room)
        if self.peers is not None:
            self.peers.track_room(room)
        return room

    def _finish_loading(self, key: str, task: asyncio.Task[Room]) -> None:
        del self._loading[key]
        _retrieve_exception(task)

    async def _resume_all(self) -> None:
        if self.peers is not None:
            await self.leases.claim_ownerless()
            return
        for line in await asyncio.to_thread(self.store.rooms, awake=True):
            await self.resume_room(line.id)

    async def resume_room(self, room_id: str) -> None:
        """Let a room go on where something awaits; what keeps it from that must not keep others."""
        try:
            await self.room(room_id)
        except Refusal as refusal:
            logger.warning("room %s cannot be taken up: %s", room_id, refusal)
        except Exception:  # one odd log must not keep all other matches down
            logger.exception("room %s cannot be taken up", room_id)

    def _resume_gained(self, rooms: Collection[str]) -> None:
        """These are looked after here from now on."""
        self.spawn(self._resume_rooms(rooms))

    async def _resume_rooms(self, rooms: Collection[str]) -> None:
        for room_id in rooms:
            room = self.loaded_room(room_id)
            if room is not None:
                room.attend()
            elif room_id != PRUNING_LEASE:
                await self.resume_room(room_id)

    def set_worker_count(self, workers: int) -> None:
        """So many workers live."""
        self._thinkers.workers = workers

    def request_lease(self, room_id: str) -> None:
        """Something awaits in a room: look after it, unless another worker does."""
        if self.leases.request(room_id):
            self.spawn(self.leases.claim_requested())

    def announce_visit(self, room_id: str, person_id: str) -> None:
        """Let other workers know that somebody is here."""
        if self.peers is not None:
            self.peers.broadcast_visit(room_id, person_id)

    def forget(self, rooms: Iterable[str]) -> None:
        """These have been deleted."""
        for room_id in rooms:
            self._resident.pop(room_id, None)
            self._rooms.pop(room_id, None)

    # Work

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Carry a command out to its end, whatever becomes of who asked for it."""
        if self.closing:
            work.close()
            raise Closing
        task = asyncio.create_task(work)
        self._command_tasks.add(task)
        task.add_done_callback(self._finish_task)
        return await asyncio.shield(task)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Work that nobody waits for; closing the hub ends it."""
        if self.closing:
            work.close()
            return
        task = asyncio.create_task(work)
        self._background_tasks.add(task)
        task.add_done_callback(self._finish_task)

    def _finish_task(self, task: asyncio.Task[Any]) -> None:
        self._command_tasks.discard(task)
        if task in self._background_tasks:
            self._background_tasks.discard(task)
            if not task.cancelled() and task.exception() is not None:
                logger.error("work in the background failed", exc_info=task.exception())
        _retrieve_exception(task)

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of bots that a host may seat, and the names of those from outside."""
        return (*LEVELS, *self.settings.outside)

    async def think(self, room: Room, level: str | None, view: View) -> int:
        """A bot's choice for a room; without a level, that of bots who take over.

        A bot from outside that is not known here any more is replaced by one of that level, too.
        """
        if level is not None and level in self.settings.outside:
            number = await self.outside.choose(room.id, room.state, level, view)
            await self._say_for_bot(room, view)
            return number
        ours = level if level in LEVELS else self.settings.level
        maker, player = self._creators.get(room.id, room.state.host.id), room.listener(view.seat)
        most = BRISK_BUDGET if room.state.haste == "end" else DEFAULT_MILLISECONDS
        if player is not None and view.seat is not None:
            heard = room.bargaining.heard(view.seat)
            return await self._thinkers.work(maker, room.id, partial(_choose, player, view, heard), most)
        return await self._thinkers.think(maker, room.id, ours, view, most)

    async def bargain(
        self, room: Room, player: Bargainer, turn: Callable[..., list[Statement]], view: View, heard: Heard
    ) -> list[Statement]:
        """What a bot says in a turn of its own, for a room."""
        maker = self._creators.get(room.id, room.state.host.id)
        return await self._thinkers.work(maker, room.id, partial(_speak, player, turn, view, heard))

    async def _say_for_bot(self, room: Room, view: View) -> None:
        """Let a bot from outside say what it wrote before its choice, as far as it can be said."""
        assert view.seat is not None
        for texts in self.outside.said(room.id, view.seat):
            await room.execute_for_house(SpeakForBot(view.seat, texts))

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_INTERVAL)
            self.sweep()

    def sweep(self, linger: float = LINGER) -> None:
        """Let go of rooms where nobody is and nothing happens; they stay in the store."""
        before = time.monotonic() - linger
        for room in list(self._resident.values()):
            rests = not room.state.will_continue() or (room.is_idle and not room.caretaker.has_deadline)
            # Others may write what makes new times here; alone, whoever writes has the room in memory.
            shared = self.peers is not None and room.state.settings.days > 0 and room.state.phase == "playing"
            if rests and not shared and not room.watched and room.last_used <= before:
                del self._resident[room.id]
            elif room.heir() is not None:
                self.spawn(room.execute_for_house(TransferHost()))

    # Matches by correspondence

    def watch_decisions(self, watcher: DecisionWatcher) -> None:
        """Tell a watcher of the decisions of matches by correspondence, those first that are open already."""
        self.decision_watchers.append(watcher)
        for room in self.rooms:
            room.caretaker.correspondence.tell(watcher)

    async def look_at_dues(self) -> None:
        """Look at every room where a time has ended; it comes into memory for that."""
        for room_id in self.agenda.due(self.settings.clock()):
            await self.resume_room(room_id)
            room = self.loaded_room(room_id)
            if room is None:
                self.agenda.drop(room_id)
            else:
                room.caretaker.correspondence.look()

    async def ask(self, query: str, values: Sequence[Any]) -> list[Any]:
        """Return the rows of a query with `?` for each value."""
        return await asyncio.to_thread(self.store.rows, query, values)

    async def look_at_hours(self, person_id: str) -> None:
        """Somebody's hours have changed: he may have more time wherever he owes a decision."""
        for room in await self.rooms_of(person_id):
            if room.state.settings.days and room.is_leased:
                room.caretaker.correspondence.look(anyway=True)

    async def _look_for_ever(self) -> None:
        while True:
            await asyncio.sleep(LOOK_INTERVAL)
            await self.look_at_dues()

    async def _prune_for_ever(self) -> None:
        while True:
            await asyncio.sleep(PRUNE_INTERVAL)
            if self.peers is None or await self.peers.claim_pruning():
                await self.prune()

    async def prune(self) -> int:
        """Delete what is not kept any longer, but for rooms where somebody is; return the number deleted."""
        spare = {room.id for room in self._rooms.values()}
        if self.peers is not None:
            spare |= await self.peers.cluster.presence.occupied_rooms()
        found = await asyncio.to_thread(
            self.store.prunable_rooms, self.settings.retention, self.settings.clock(), spare
        )
        for first in range(0, len(found), PRUNE_BATCH):
            await self.store.delete_rooms(
                [old.line for old in found[first : first + PRUNE_BATCH] if old.line.id not in self._rooms]
            )
        if found:
            logger.warning("%s rooms deleted: nobody went on with them, or there were too many", len(found))
            if self.peers is not None:
                await self.peers.broadcast("gone", {old.line.id: 1 for old in found})
        return len(found)


async def _all_at_home(persons: Collection[str]) -> Mapping[str, Hours]:
    return {}


def _choose(player: Bargainer, view: View, heard: Heard, milliseconds: int) -> int:
    return player.within(milliseconds).choose(view, heard)


def _speak(
    player: Bargainer, turn: Callable[..., list[Statement]], view: View, heard: Heard, milliseconds: int
) -> list[Statement]:
    return turn(player.within(milliseconds), view, heard)


def _retrieve_exception(task: asyncio.Task[Any]) -> None:
    """Take a task's exception, so that asyncio reports none: whoever asked has it, or is gone."""
    if not task.cancelled():
        task.exception()


def _fold_log(log: Log) -> tuple[State | None, str]:
    return (fold(log.events) if log.events else None), log.fault


def _parse_record(text: str) -> MatchRecord:
    """The record in a text, or `BadRecord`."""
    if len(text) > LONGEST_RECORD:
        raise BadRecord(f"expected a record of at most {LONGEST_RECORD} characters, found {len(text)}")
    return read_record(text)


def import_events(host: Person, text: str) -> list[NewEvent]:
    """A record as the first events of a room; `BadRecord` unless it is that of a whole match."""
    record = _parse_record(text)
    match = record.match()
    if not match.over:
        raise BadRecord("expected the record of a whole match: somebody still has to act after its last action")
    talk = read_talk(text, match)
    names = [record.names[seat] if seat < len(record.names) else "" for seat in range(match.players)]
    titles = [shorten(clean(name), LONGEST_NAME) or f"P{seat + 1}" for seat, name in enumerate(names)]
    words = match.game.options.to_words(match.options)
    settings = Settings(public=False, patience=0)
    return [
        created_event(match.game, words, settings, host),
        ("imported", {"record": record_text(match.record(), talk), "names": titles}),
    ]
