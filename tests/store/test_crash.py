"""A server is killed again and again during play; everything that it acknowledged must be there.

`python -m tests.store.test_crash DATABASE` is the server's nursery: it loads the rules once, then forks a server for
each line that it reads. A server opens the rooms of the database and plays in them as fast as it can, with several
people and bots in a room. It reports each command before sending it and after its acknowledgement, and each state that
it publishes, on a pipe; what is written to a pipe outlives the process.
"""

import asyncio
import contextlib
import json
import random
import sys
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import cast

import pytest

import tavola
from tavola.core import Refusal
from tavola.live import Hub, Person, Room, Settings
from tavola.live.bots.rehearsal import rehearse
from tavola.live.log.fold import apply_event, fold
from tavola.live.protocol import KINDS, AddBot, Command, Join, Start
from tavola.store import SqliteStore, Store, open_store
from tests.helpers.failures import Nursery, report, run_nursery
from tests.helpers.rooms import quick_settings

pytestmark = pytest.mark.process

ROOMS = 5
LATE = 20
"""Batches that a hasty store has acknowledged but not committed yet."""
PEOPLE = tuple(Person(name, name) for name in ("ada", "bruno", "carla"))


# The server


class HastyStore(SqliteStore):
    """A store that acknowledges before it commits, and never commits the last batches: the checker must notice."""

    async def append_batches(self, batches, lease=None):
        self.late = [*getattr(self, "late", []), (batches, lease)]
        if len(self.late) > LATE:
            await super().append_batches(*self.late.pop(0))


def digest(state):
    """Return a digest of a room's published state, including hidden parts."""
    names_seen = [[p.person and p.person.name, p.level, p.taken_over, p.has_left] for p in state.occupants]
    seen = [state.phase, names_seen, state.next_room, [list(said) for said in state.chat_log]]
    played = state.match.state_bytes() if state.match else b""
    return blake2b(json.dumps(seen).encode() + played, digest_size=8).hexdigest()


class Player:
    """A player who plays any legal action as fast as the room allows, and sometimes sends a command twice."""

    def __init__(self, room: Room, person: Person, run, dice):
        self.room, self.person, self.run, self.dice, self.sent = room, person, run, dice, 0

    async def play_for_ever(self):
        while True:
            await self.rest()
            if self.room.state.next_room is not None:
                self.room = await cast(Hub, self.room.server).room(self.room.state.next_room)
            with contextlib.suppress(Refusal):
                await self._something()

    async def rest(self):
        await asyncio.sleep(0)

    async def _something(self):
        room, seat = self.room, self.room.state.seat_of(self.person.id)
        prompt = None if seat is None else room.prompt_id(seat)
        if room.state.phase == "over":
            await self._send("rematch")
        elif seat is None:
            await self._send("join")
        elif room.state.phase == "gathering" and seat not in room.state.ready_seats:
            await self._send("ready")
        elif prompt is not None:
            code = room.state.game.actions.code(self.dice.choice(room.view(seat).legal))
            await self._send("play", prompt, code)
        else:
            await asyncio.sleep(self.dice.random() / 100)
            if self.dice.random() < 0.2:
                await self._send("say", f"line {self.sent}")
            elif self.dice.random() < 0.05:
                await self._send("leave")

    async def _send(self, name, *arguments):
        self.sent += 1
        command_id, times = f"{self.run}-{self.sent}", 2 if self.dice.random() < 0.1 else 1
        await asyncio.gather(*(carried_out(self.room, self.person, name, arguments, command_id) for _ in range(times)))


async def carried_out(room: Room, person: Person, name, arguments, command_id):
    command = [room.id, person.id, name, arguments, command_id]
    report(sent=command)
    await room.execute(person, cast(Command, KINDS[name](command_id, *arguments)))
    report(acknowledged=command)


def watch(room: Room):
    room.subscribe(None, lambda seq: report(told=[room.id, seq, digest(room.state)]))


async def serve(store: Store, order, player):
    """Open the rooms that exist, send unanswered commands again, add missing rooms, and play."""
    dice = random.Random(order["run"])
    hub = await Hub.open(store, quick_settings())
    watch_all(hub)
    for code, person, *command in order["again"]:
        with contextlib.suppress(Refusal):
            await carried_out(await hub.room(code), Person(person, person), *command)
    rooms = [await hub.room(line.id) for line in store.rooms(awake=True)]
    while len(rooms) < ROOMS:
        rooms.append(await seated(hub))
    report(ready=store.cluster.worker if store.cluster else store.name)
    run = str(order["run"])
    await asyncio.gather(*(player(room, person, run, dice).play_for_ever() for room in rooms for person in PEOPLE))


def watch_all(hub: Hub):
    opened = hub.residents.add

    def watched(room: Room):
        opened(room)
        watch(room)

    hub.residents.add = watched
    for room in list(hub.residents._rooms.values()):
        watch(room)


async def seated(hub: Hub) -> Room:
    """Return a room where a match of people and a bot has begun."""
    room = await hub.create(PEOPLE[0], "lifeboats", {"players": 4}, Settings(patience=60))
    for person in PEOPLE[1:]:
        await room.execute(person, Join("join"))
    await room.execute(PEOPLE[0], AddBot("bot", "random"))
    await room.execute(PEOPLE[0], Start("start"))
    return room


def nursery(opened, player=Player):
    rehearse(tavola.load("lifeboats"), ["random"])
    run_nursery(lambda order: asyncio.run(serve(opened(order), order, player)))


# The checker


class History:
    """What clients know: commands sent and acknowledged, and states received."""

    def __init__(self):
        self.sent, self.acknowledged, self.told = {}, {}, {}

    def take(self, line):
        for kind, record in (("sent", self.sent), ("acknowledged", self.acknowledged)):
            if kind in line:
                room, person, *_, command_id = line[kind]
                record[room, person, command_id] = line[kind]
        if "told" in line:
            room, seq, seen = line["told"]
            self.told[room, seq] = seen

    def unanswered(self):
        return [command for key, command in self.sent.items() if key not in self.acknowledged]


def check(history, store: Store) -> list[str]:
    """Return a line for every promise that the database breaks."""
    logs = {line.id: store.events(line.id) for line in store.rooms()}
    faults = [fault for room, events in logs.items() for fault in _of_log(room, events)]
    return faults + _of_commands(history, logs) + _of_told(history, logs)


def _of_log(room: str, events):
    if [event.seq for event in events] != list(range(1, len(events) + 1)):
        yield f"{room}: the log has a gap"
    commands = Counter(event.command_id for event in events if event.command_id)
    yield from (f"{room}: {command} is there {count} times" for command, count in commands.items() if count > 1)


def _of_commands(history, logs):
    done = {(room, *event.command_id.split("/")) for room, log in logs.items() for event in log if event.command_id}
    # Only the first request for a rematch opens a room; the others get the same one.
    again = {room for room, log in logs.items() if any(event.kind == "rematch" for event in log)}
    met = {key for key, command in history.acknowledged.items() if command[2] == "rematch" and key[0] in again}
    kept = done | met
    lost = [f"{key} was acknowledged and is lost" for key in history.acknowledged if key not in kept]
    setting_up = {"join", "bot", "start"}
    return lost + [f"{key} was never sent" for key in done if key not in history.sent and key[2] not in setting_up]


def _of_told(history, logs):
    """A state that was published must equal the fold of the log up to it."""
    faults = []
    for room, events in logs.items():
        state = fold(events[:1])
        for event in events[1:]:
            apply_event(state, event)
            told = history.told.get((room, event.seq))
            if told is not None and told != digest(state):
                faults.append(f"{room}: what was told at {event.seq} is not what the log says")
        faults += [f"{r}: {seq} was told and is lost" for r, seq in history.told if r == room and seq > len(events)]
    return faults + [f"{room} was told and is lost" for room, _ in history.told if room not in logs]


# The tests


class Crashing(Nursery):
    """Servers that are killed one after the other, and their history."""

    def __init__(self, path, hasty):
        self.hasty, self.history, self.runs = hasty, History(), 0
        super().__init__("tests.store.test_crash", str(path), hear=self.history.take)

    def kill_one(self, most):
        """Start a server, and kill it after `most` more acknowledgements."""
        self.runs += 1
        self.begin(run=self.runs, hasty=self.hasty, again=self.history.unanswered()[-40:])
        self.until("ready")
        enough = len(self.history.acknowledged) + most
        self.wait(lambda: len(self.history.acknowledged) >= enough)
        self.kill()
        self.await_death()


def killed(path, kills, seed, hasty=False):
    """Kill `kills` servers on a database at random moments; return the history and the faults found on the way."""
    dice, faults = random.Random(seed), []
    with contextlib.closing(Crashing(path, hasty)) as nursery:
        for kill in range(1, kills + 1):
            nursery.kill_one(dice.choice((0, 20, 60, 120)) * dice.uniform(0.5, 1.5))
            if kill % 6 == 0 or kill == kills:  # otherwise the next server finds the file as the killed one left it
                with contextlib.closing(open_store(path)) as store:
                    faults += check(nursery.history, store)
    return nursery.history, faults


def test_nothing_acknowledged_is_lost(tmp_path: Path):
    history, faults = killed(tmp_path / "tavola.sqlite", kills=6, seed=11)
    assert faults == []
    assert min(len(history.acknowledged), len(history.told)) > 200
    assert history.sent.keys() - history.acknowledged.keys(), "some were killed on the way"


def test_the_check_bites(tmp_path: Path):
    """A store that acknowledges before its commit is found."""
    _, faults = killed(tmp_path / "tavola.sqlite", kills=4, seed=12, hasty=True)
    assert any("was acknowledged and is lost" in fault for fault in faults)
    assert any("was told" in fault for fault in faults)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 110))
def test_nothing_acknowledged_is_lost_in_a_long_run(tmp_path: Path, seed):
    assert killed(tmp_path / "tavola.sqlite", kills=60, seed=seed)[1] == []


if __name__ == "__main__":
    nursery(lambda order: (HastyStore if order["hasty"] else SqliteStore).open(sys.argv[1]))
