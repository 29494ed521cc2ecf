"""Workers on one PostgreSQL are killed, frozen and cut off during play, and PostgreSQL is killed with them.

Nothing acknowledged may be lost or duplicated, and rooms whose worker has died get another.

`python -m tests.cluster.test_crash ADDRESS` is a nursery of workers, as in `tests.store.test_crash`. Here several run
at once, and people play through all of them.
"""

import asyncio
import contextlib
import os
import random
import signal
import sys
import threading
import time
from collections import defaultdict
from typing import cast

import psycopg
import pytest

from tavola.core import Refusal
from tavola.live import Hub, Person
from tavola.store import Conflict, WriteFailed, open_store
from tavola.store.postgres.cluster import UNLEASED_ROOMS
from tests.helpers import PATIENCE, wait_for
from tests.helpers.nursery import Nursery, report
from tests.helpers.postgres import PostgresServer, running_postgres
from tests.helpers.proxy import FaultyProxy
from tests.helpers.rooms import quick_settings
from tests.store.test_crash import PEOPLE, ROOMS, History, Player, carried_out, check, nursery, seated, watch_all

pytestmark = pytest.mark.process

# A worker


class Persistent(Player):
    """A player who goes on whatever happens to the database."""

    async def play_for_ever(self):
        while True:
            await asyncio.sleep(self.dice.random() / 3)  # most of a run is spent waiting for takeovers
            try:
                if self.room.state.next_room is not None:
                    self.room = await cast(Hub, self.room.server).room(self.room.state.next_room)
                await self._something()
            except Refusal:
                pass
            except (WriteFailed, Conflict):  # the page says that it was not saved; people try again
                await asyncio.sleep(0.05)


async def serve(address: str, order):
    dice = random.Random(order["run"])
    store = open_store(address)
    hub = await Hub.open(store, quick_settings())
    watch_all(hub)
    for again in order["again"]:
        with contextlib.suppress(Refusal):
            await carried_out(await hub.room(again[0]), Person(again[1], again[1]), again[2], again[3], again[4])
    rooms = [await hub.room(line.id) for line in store.rooms(awake=True)]
    while len(rooms) < ROOMS:
        rooms.append(await seated(hub))
    report(ready=order["run"])
    run = str(order["run"])
    await asyncio.gather(*(Persistent(room, person, run, dice).play_for_ever() for room in rooms for person in PEOPLE))


# What the test knows


class Told(History):
    """History reported by several workers: reports of the same moment must be equal."""

    def __init__(self):
        super().__init__()
        self.faults = []
        self.gate = threading.Lock()

    def take(self, line):
        # Commands that need not be repeated are acknowledged by both workers that receive them.
        if line.get("acknowledged", ("", "", ""))[2] in ("join", "ready"):
            return
        with self.gate:
            if "told" in line:
                room, seq, seen = line["told"]
                if self.told.get((room, seq), seen) != seen:
                    self.faults.append(f"{room}: two workers told something else at {seq}")
            super().take(line)

    def unanswered(self):
        with self.gate:
            return super().unanswered()


class Worker(Nursery):
    """A nursery with one worker, which is restarted again and again and heard all the time."""

    runs = 0

    def __init__(self, address: str, history):
        self.history, self.said, self.changed = history, {}, threading.Condition()
        super().__init__("tests.cluster.test_crash", address, hear=self._note)

    def listen(self):
        self.thread = threading.Thread(target=self._listen)
        self.thread.start()

    def start(self):
        Worker.runs += 1
        self.said.pop("ready", None)
        self.begin(run=Worker.runs, again=self.history.unanswered()[-20:])
        self.until("ready")

    def kill(self):
        self.said.clear()
        super().kill()
        self.await_death()

    def close(self):
        self.process.stdin.close()
        self.thread.join(PATIENCE)
        super().close()

    def _listen(self):
        with contextlib.suppress(AssertionError):  # it ends when it is closed
            self.read(lambda told: False)

    def _note(self, told):
        self.history.take(told)
        with self.changed:
            self.said.update(told)
            self.changed.notify_all()

    def until(self, kind):
        with self.changed:
            assert self.changed.wait_for(lambda: kind in self.said, PATIENCE), f"the nursery did not come to {kind!r}"
            return self.said.pop(kind)


class Stage:
    """Two workers, PostgreSQL on a port, and what can happen to them. The second one's connection can be cut.

    `took`: seconds until every room had a worker again, by event, for `benchmarks/stores.py`.
    """

    def __init__(self, postgres: PostgresServer, port: int):
        self.postgres, self.port, self.address, self.history = postgres, port, postgres.new_database(), Told()
        self.cable = FaultyProxy(port)
        addresses = self.address, postgres.over_tcp(self.address, self.cable.port)
        self.workers = [Worker(address, self.history) for address in addresses]
        for worker in self.workers:
            worker.start()
        self.took = defaultdict[str, list[float]](list)

    def play(self, more: int) -> None:
        """Let people play until `more` further commands are acknowledged and `more` states are published."""
        history = self.history
        before, known = len(history.acknowledged), len(history.told)
        wait_for(lambda: len(history.acknowledged) >= before + more and len(history.told) >= known + more)

    def kill_worker(self, number):
        """Kill a worker, let the other take over its rooms, and restart it."""
        self.workers[number].kill()
        self.taken_over("killed")
        self.workers[number].start()

    def freeze_worker(self, number):
        """Stop a worker for longer than its timeout, and continue it when its rooms belong to the other."""
        pid = self.workers[number].pid
        os.kill(pid, signal.SIGSTOP)
        try:
            self.taken_over("frozen")
        finally:
            os.kill(pid, signal.SIGCONT)

    def cut_off_worker(self, number=1):
        """Cut a worker off from the database, in both directions, until its rooms are taken over."""
        self.cable.refuses = True
        self.cable.hold()
        try:
            self.taken_over("cut off")
        finally:
            self.cable.refuses = False
            self.cable.cut()

    def kill_postgres(self, number=0):
        self.postgres.kill()
        self.postgres.start(port=self.port)

    def kill_all(self, number=0):
        self.workers[number].kill()
        self.postgres.kill()
        self.workers[1 - number].kill()
        self.postgres.start(port=self.port)
        for worker in self.workers:
            worker.start()

    def taken_over(self, happening: str) -> None:
        began = time.monotonic()
        with psycopg.connect(self.address, autocommit=True) as connection:
            time.sleep(3.0)  # the worker counts as alive for this long
            wait_for(lambda: not connection.execute(UNLEASED_ROOMS).fetchall())
        self.took[happening].append(time.monotonic() - began)

    def close(self):
        for worker in self.workers:
            worker.kill()
            worker.close()
        self.cable.close()

    def faults(self):
        with contextlib.closing(open_store(self.address)) as store:
            return self.history.faults + check(self.history, store)


@pytest.fixture
def stage():
    with running_postgres(safe=True, on_port=True) as server:
        yield Stage(server, server.port)


def test_nothing_acknowledged_is_lost_in_any_crash(stage: Stage):
    happenings = stage.kill_worker, stage.kill_postgres, stage.freeze_worker, stage.cut_off_worker, stage.kill_all
    try:
        for happening in happenings:
            stage.play(40)
            happening(1)
        stage.play(40)
    finally:
        stage.close()
    assert stage.faults() == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_nothing_acknowledged_is_lost_in_a_long_run_of_workers(stage: Stage, seed):
    """Of each ten runs: 200 workers are killed, 40 frozen, 40 cut off; PostgreSQL dies 40 times, all of it 20 times."""
    dice = random.Random(seed)
    happenings = [stage.kill_worker] * 20
    for rare in (stage.freeze_worker, stage.cut_off_worker, stage.kill_postgres):
        happenings += [rare] * 4
    happenings += [stage.kill_all] * 2
    dice.shuffle(happenings)
    try:
        for happening in happenings:
            stage.play(dice.choice((1, 15, 60)))
            happening(dice.randrange(2))
        stage.play(10)
    finally:
        stage.close()
    assert stage.faults() == []


if __name__ == "__main__":
    nursery(sys.argv[1], serve)
