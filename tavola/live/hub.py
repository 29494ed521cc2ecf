"""The hub: every room of a server. Rooms at rest live in the store alone and come back when somebody asks for them."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from tavola import games
from tavola.bots import LEVELS, bot
from tavola.core import BadRecord, MatchRecord, Refusal, View, read_record
from tavola.live.fold import State, fold
from tavola.live.happenings import Happening, created, joined, numbered
from tavola.live.holding import Hold
from tavola.live.ownership import Ownership
from tavola.live.people import LONGEST_NAME, Person, Settings, clean, clean_name
from tavola.live.readiness import Readiness
from tavola.live.reflexes import Reflexes, human
from tavola.live.refusals import BadSetting, Closing, Damaged, UnknownRoom
from tavola.live.room import Room
from tavola.live.tables import Table, Tables
from tavola.live.thinking import Bots, Thinkers
from tavola.live.together import PRUNING, Circle
from tavola.store import Conflict, Keeping, Log, Store, WriteFailed

LINGER = 600.0
"""Seconds that a room stays in memory when nobody is there and nothing happens."""
NAP = 600.0
"""Seconds after which a room sleeps where nobody is: bots wait until somebody comes, wherever the match is."""
PRUNED = 3600.0
"""Seconds between two looks for rooms that are not kept any longer."""
AT_ONCE = 20
"""Rooms deleted in one commit: others want to write too."""
MOST_MAKERS = 20_000
"""Rooms of which it is remembered who made them."""
SWEEP = 30.0
"""Seconds between two looks for such rooms."""
LONGEST_RECORD = 262_144
"""Characters of a record that may be imported."""
CONSONANTS, VOWELS = "bdfgklmnprstvz", "aeiou"
"""Letters of a code that sound unlike when read aloud: syllables of three, as in `talvin`."""
SYLLABLES, PRIVATE_SYLLABLES = 2, 3
"""Of a public room's code, and of a private one's, which nobody should find who was not told it."""

AtHome = Callable[[str], bool]
"""Whether the people of a room with that code come here."""
T = TypeVar("T")
log = logging.getLogger(__name__)


class Hub:
    """All rooms. One hub a store, in one event loop."""

    def __init__(
        self,
        store: Store,
        bot_pause: float,
        level: str,
        bots: Bots,
        scenes: bool,
        nap: float,
        keeping: Keeping,
        hold: Hold,
        reflexes: Reflexes,
        at_home: AtHome,
    ) -> None:
        self.store, self.bot_pause, self.level, self.scenes = store, bot_pause, level, scenes
        self.nap, self.keeping = nap, keeping
        self.hold, self.reflexes = hold, reflexes
        self.readiness = Readiness()
        self.closing = False
        self._makers: dict[str, str] = {}  # by room: for whom its bots think
        self._rooms: WeakValueDictionary[str, Room] = WeakValueDictionary()
        self._kept: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._sitting: defaultdict[str, set[str]] = defaultdict(set)  # codes of running matches by person
        self._commands: set[asyncio.Task[Any]] = set()
        self._spawned: set[asyncio.Task[Any]] = set()
        self._thinkers = Thinkers(bots)
        self.began = time.time()
        self.tables = Tables()
        self._at_home = at_home
        self.ownership = Ownership(store.together, self._gained, at_home)
        self.circle = Circle(self, store.together) if store.together is not None else None

    @classmethod
    async def open(
        cls,
        store: Store,
        *,
        bot_pause: float = 0.8,
        level: str = "search",
        bots: Bots = bot,
        scenes: bool = True,
        nap: float = NAP,
        keeping: Keeping | None = None,
        readiness: Readiness | None = None,
        hold: Hold | None = None,
        reflexes: Reflexes | None = None,
        at_home: AtHome | None = None,
    ) -> "Hub":
        """Take up every room of a store where something awaits: matches go on, patience begins anew.

        One hub of several over one store takes up those that no other looks after.

        `bot_pause`: seconds before a bot answers; `level`: that of bots who take over a seat; `bots(level, seed)`
        makes a bot; without `scenes` nobody waits until what was played has been shown. `nap`: seconds
        until a room sleeps where nobody is; `keeping`: what the store keeps, and for how long; `readiness`: the games
        that are still being compiled, none unless told. `hold`: how long what chance holds may take to fall;
        `reflexes(level, answers)`: how long a bot takes where it races people. `at_home(code)`: whether people of
        a room come here where they can, all unless told: new rooms get such codes, others are left to other workers.
        """
        if level not in LEVELS:
            raise BadSetting("a bot's level is one of {levels}", levels=", ".join(LEVELS))
        hub = cls(
            store,
            bot_pause,
            level,
            bots,
            scenes,
            nap,
            keeping or Keeping(),
            hold or Hold(),
            reflexes or human(),
            at_home or (lambda room_id: True),
        )
        if readiness is not None:
            hub.readiness = readiness
            hub.spawn(readiness.work())
        if hub.circle is not None:
            hub.circle.tells("tables", lambda: hub.tables.news(hub._kept.values()), hub.tables.hear)
            hub.circle.tells("thoughts", hub._thinkers.news, hub._thinkers.hear)
            await hub.circle.join()
        await hub._resume()
        hub.spawn(hub._sweep_for_ever())
        hub.spawn(hub._prune_for_ever())
        return hub

    async def leave(self) -> None:
        """Hand over what is looked after here to other workers, if there are any; commands are carried out still."""
        if self.circle is not None:
            await self.circle.leave()

    async def close(self) -> None:
        """Refuse new commands, finish those under way, stop bots and clocks. The store stays open."""
        self.closing = True
        for task in self._spawned:
            task.cancel()
        await asyncio.gather(*self._commands, *self._spawned, return_exceptions=True)
        for room in list(self._rooms.values()):
            room.close()
        await asyncio.to_thread(self._thinkers.close)

    # Rooms

    async def create(
        self,
        person: Person,
        game: str,
        options: Mapping[str, object],
        settings: Settings,
        rules: str = "recommended",
        maker: str = "",
    ) -> Room:
        """Open a room; its creator is the host and takes seat 0. Options not given are as in the set `rules`.

        `maker`: for whom the room's bots think, where he may come as many people; the host unless told.
        """
        card = games.load(game)
        words = card.options.words(card.options.array(options, rules))
        host = Person(person.id, clean_name(person.name))
        return await self._begin([created(card, words, settings, host), joined(0, host)], settings.public, maker)

    async def imported(self, person: Person, text: str) -> Room:
        """A room that is over, made of a record's text; `BadRecord` unless it is that of a whole match."""
        record = await asyncio.to_thread(_read, text)
        happenings = await asyncio.to_thread(_imported, Person(person.id, clean_name(person.name)), record)
        return await self._begin(happenings, public=False)

    async def room(self, id_or_code: str) -> Room:
        """The room of that code, from memory or from its log; `UnknownRoom` if there is none."""
        key = id_or_code.strip().lower()
        room = self._rooms.get(key)
        if room is None:
            loading = self._loading.get(key)
            if loading is None:
                loading = self._loading[key] = asyncio.create_task(self._load(key))
                loading.add_done_callback(lambda task: self._loaded(key, task))
            room = await asyncio.shield(loading)
        self._kept[room.id] = room
        room.used = time.monotonic()
        room.visit()
        return room

    @property
    def rooms(self) -> list[Room]:
        """Every room in memory."""
        return list(self._rooms.values())

    def at_hand(self, room_id: str) -> Room | None:
        """The room of that code, if it is in memory."""
        return self._rooms.get(room_id)

    def open_rooms(self) -> list[Table]:
        """Public rooms that are gathering, here and at other workers, the newest first."""
        return self.tables.with_these(self._kept.values())

    async def rooms_of(self, person_id: str) -> list[Room]:
        """The running matches in which a person has a seat that he did not give up, the one that changed last first."""
        found = []
        for code in {*self._sitting.get(person_id, ()), *await self._sitting_elsewhere(person_id)}:
            with contextlib.suppress(Refusal):  # under rules of another version, or not compiled yet
                found.append(await self.room(code))
        sits = (room for room in found if room.id in self._sitting.get(person_id, ()))
        return sorted(sits, key=lambda room: room.state.at, reverse=True)

    async def _sitting_elsewhere(self, person_id: str) -> list[str]:
        """Rooms where he may sit that need not be in memory here; none while the database is away."""
        with contextlib.suppress(WriteFailed):
            return [] if self.store.together is None else await self.store.together.sitting(person_id)
        return []

    def changed(self, room: Room) -> None:
        """Note who sits in a match that runs; a room at rest does not change, so its people stay noted."""
        for place in room.state.places:
            if place.person is None:
                continue
            if room.state.phase == "playing" and not place.gone:
                self._sitting[place.person.id].add(room.id)
            elif room.id in self._sitting.get(place.person.id, ()):
                self._sitting[place.person.id].discard(room.id)
                if not self._sitting[place.person.id]:
                    del self._sitting[place.person.id]

    def new_code(self, *, public: bool) -> str:
        """A code that no room in memory has, of one that is at home here."""
        while True:
            pattern = (CONSONANTS, VOWELS, CONSONANTS) * (SYLLABLES if public else PRIVATE_SYLLABLES)
            code = "".join(map(secrets.choice, pattern))
            if code not in self._rooms and self._at_home(code):
                return code

    def opened(self, room: Room) -> None:
        """Keep a room in memory and let its bots and clocks go on."""
        self._rooms[room.id] = self._kept[room.id] = room
        self.readiness.want(room.state.game.name)
        self.changed(room)
        room.attend()

    def made_by(self, room_id: str, maker: str, *, told: bool = False) -> None:
        """Remember for whom a room's bots think. `told`: another worker says so."""
        if maker:
            self._makers[room_id] = maker
            if self.circle is not None and not told:
                self.circle.say_soon("maker", {room_id: maker})
            if len(self._makers) > MOST_MAKERS:
                del self._makers[next(iter(self._makers))]

    def follows(self, room_id: str, following: str) -> None:
        """A room goes on in another one: for the same maker."""
        self.made_by(following, self._makers.get(room_id, ""))

    async def _begin(self, happenings: list[Happening], public: bool, maker: str = "") -> Room:
        """A new room with these first events."""
        return await self.run(self._create(happenings, public, maker))

    async def _create(self, happenings: list[Happening], public: bool, maker: str) -> Room:
        events = numbered(happenings, 1, None)
        while True:
            code = self.new_code(public=public)
            with contextlib.suppress(Conflict):  # a room at rest has this code
                await self.store.append(code, events, awake=False)
                break
        self.made_by(code, maker)
        room = Room(self, code, fold(events))
        self.opened(room)
        return room

    async def _load(self, room_id: str) -> Room:
        log_of_room = await asyncio.to_thread(self.store.read, room_id)
        state, fault = await asyncio.to_thread(_folded, log_of_room)
        if fault:
            log.error("room %s: %s: what is left can be read, and nothing is added", room_id, fault)
        if state is None:
            if fault:
                raise Damaged("this room was damaged on the disk, and nothing of it can be read")
            raise UnknownRoom("there is no room {code}", code=room_id[:12])
        room = Room(self, room_id, state, fault)
        room.loaded()
        self.opened(room)
        if self.circle is not None:
            self.circle.loaded(room)
        return room

    def _loaded(self, key: str, task: asyncio.Task[Room]) -> None:
        del self._loading[key]
        _seen(task)

    async def _resume(self) -> None:
        if self.circle is not None:
            await self.ownership.take_ownerless()
            return
        for line in await asyncio.to_thread(self.store.rooms, awake=True):
            await self.take_up(line.id)

    async def take_up(self, room_id: str) -> None:
        """Let a room go on where something awaits; what keeps it from that must not keep others."""
        try:
            await self.room(room_id)
        except Refusal as refusal:
            log.warning("room %s cannot be taken up: %s", room_id, refusal)
        except Exception:  # one odd log must not keep all other matches down
            log.exception("room %s cannot be taken up", room_id)

    def _gained(self, rooms: Collection[str]) -> None:
        """These are looked after here from now on."""
        self.spawn(self._take_up_all(rooms))

    async def _take_up_all(self, rooms: Collection[str]) -> None:
        for room_id in rooms:
            room = self.at_hand(room_id)
            if room is not None:
                room.attend()
            elif room_id != PRUNING:
                await self.take_up(room_id)

    def counted(self, workers: int) -> None:
        """So many workers live."""
        self._thinkers.workers = workers

    def want(self, room_id: str) -> None:
        """Something awaits in a room: look after it, unless another worker does."""
        if self.ownership.want(room_id):
            self.spawn(self.ownership.take_wanted())

    def visited(self, room_id: str, person_id: str) -> None:
        """Let other workers know that somebody is here."""
        if self.circle is not None:
            self.circle.visited(room_id, person_id)

    def forget(self, rooms: Iterable[str]) -> None:
        """These have been deleted."""
        for room_id in rooms:
            self._kept.pop(room_id, None)
            self._rooms.pop(room_id, None)

    # Work

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Carry a command out to its end, whatever becomes of who asked for it."""
        if self.closing:
            work.close()
            raise Closing("the server is stopping")
        task = asyncio.create_task(work)
        self._commands.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Work that nobody waits for; closing the hub ends it."""
        if self.closing:
            work.close()
            return
        task = asyncio.create_task(work)
        self._spawned.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._commands.discard(task)
        if task in self._spawned:
            self._spawned.discard(task)
            if not task.cancelled() and task.exception() is not None:
                log.error("work in the background failed", exc_info=task.exception())
        _seen(task)

    async def think(self, room: Room, level: str | None, view: View) -> int:
        """A bot's choice for a room; without a level, that of bots who take over."""
        return await self._thinkers.think(
            self._makers.get(room.id, room.state.host.id), room.id, level or self.level, view
        )

    async def _sweep_for_ever(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            self.sweep()

    def sweep(self, linger: float = LINGER) -> None:
        """Let go of rooms where nobody is and nothing happens; they stay in the store."""
        before = time.monotonic() - linger
        for room in list(self._kept.values()):
            rests = not room.state.goes_on() or (room.asleep and not room.caretaker.waits)
            if rests and not room.watched and room.used <= before:
                del self._kept[room.id]
            elif room.host_has_vanished():
                self.spawn(room.pass_on())

    async def _prune_for_ever(self) -> None:
        while True:
            await asyncio.sleep(PRUNED)
            if self.circle is None or await self.circle.prunes():
                await self.prune()

    async def prune(self) -> int:
        """Delete what is not kept any longer, but for rooms where somebody is; how many rooms."""
        spare = {room.id for room in self._rooms.values()}
        if self.circle is not None:
            spare |= await self.circle.together.present.rooms()
        found = await asyncio.to_thread(self.store.doomed, self.keeping, time.time(), spare)
        for first in range(0, len(found), AT_ONCE):
            await self.store.forget(
                [old.line for old in found[first : first + AT_ONCE] if old.line.id not in self._rooms]
            )
        if found:
            log.warning("%s rooms deleted: nobody went on with them, or there were too many", len(found))
            if self.circle is not None:
                await self.circle.say("gone", {old.line.id: 1 for old in found})
        return len(found)


def _seen(task: asyncio.Task[Any]) -> None:
    """Whoever asked has the exception, or is gone."""
    if not task.cancelled():
        task.exception()


def _folded(log: Log) -> tuple[State | None, str]:
    return (fold(log.events) if log.events else None), log.fault


def _read(text: str) -> MatchRecord:
    """The record in a text, or `BadRecord`."""
    if len(text) > LONGEST_RECORD:
        raise BadRecord(f"expected a record of at most {LONGEST_RECORD} characters, found {len(text)}")
    return read_record(text)


def _imported(host: Person, record: MatchRecord) -> list[Happening]:
    """A record as the first events of a room."""
    match = record.match()
    if not match.over:
        raise BadRecord("expected the record of a whole match: somebody still has to act after its last action")
    names = [record.names[seat] if seat < len(record.names) else "" for seat in range(match.players)]
    titles = [clean(name)[:LONGEST_NAME] or f"P{seat + 1}" for seat, name in enumerate(names)]
    words = match.game.options.words(match.options)
    settings = Settings(public=False, patience=0)
    return [created(match.game, words, settings, host), ("imported", {"record": str(match.record()), "names": titles})]
