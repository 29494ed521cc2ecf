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

import psycopg
import pytest

from tavola.store import Conflict, WriteFailed, open_store
from tavola.store.postgres.cluster import UNLEASED_ROOMS
from tests.helpers import wait_for
from tests.helpers.failures import FaultyProxy, Nursery
from tests.helpers.postgres import PostgresServer, running_postgres
from tests.store.test_crash import History, Player, check, nursery

pytestmark = pytest.mark.process


class Persistent(Player):
    """A player who goes on whatever happens to the database."""

    async def play_for_ever(self):
        while True:
            with contextlib.suppress(WriteFailed, Conflict):  # the page says that it was not saved; people try again
                await super().play_for_ever()
            await asyncio.sleep(0.05)

    async def rest(self):
        await asyncio.sleep(self.dice.random() / 3)  # most of a run is spent waiting for takeovers


class Told(History):
    """History reported by several workers: reports of the same moment must be equal."""

    def __init__(self):
        super().__init__()
        self.faults, self.gate = [], threading.Lock()

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
    """A nursery with one worker, which is restarted again and again; `name` is the worker's in the database."""

    runs = 0

    def __init__(self, address: str, history):
        self.history = history
        super().__init__("tests.cluster.test_crash", address, hear=history.take)

    def start(self):
        Worker.runs += 1
        self.begin(run=Worker.runs, again=self.history.unanswered()[-20:])
        self.name = self.until("ready")

    def kill(self):
        super().kill()
        self.await_death()


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
        self.taken_over("killed", number)
        self.workers[number].start()

    def freeze_worker(self, number):
        """Stop a worker for longer than its timeout, and continue it when its rooms belong to the other."""
        pid = self.workers[number].pid
        os.kill(pid, signal.SIGSTOP)
        try:
            self.taken_over("frozen", number)
        finally:
            os.kill(pid, signal.SIGCONT)

    def cut_off_worker(self, number=1):
        """Cut the second worker off from the database, in both directions, until its rooms are taken over."""
        self.cable.refuses = True
        self.cable.hold()
        try:
            self.taken_over("cut off", 1)
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

    def taken_over(self, happening: str, number: int) -> None:
        """Wait until a worker that has stopped no longer counts as alive, and every room has another."""
        began = time.monotonic()
        with psycopg.connect(self.address, autocommit=True) as connection:
            lives = "SELECT FROM living WHERE id = %s"
            wait_for(lambda: not connection.execute(lives, (self.workers[number].name,)).rowcount)
            wait_for(lambda: not connection.execute(UNLEASED_ROOMS).fetchall())
        self.took[happening].append(time.monotonic() - began)

    def close(self):
        for worker in self.workers:
            worker.close()
        self.cable.close()

    def faults(self):
        with contextlib.closing(open_store(self.address)) as store:
            return self.history.faults + check(self.history, store)


@pytest.fixture
def stage():
    """A stage; when it closes, nothing acknowledged may be lost or duplicated."""
    with running_postgres(safe=True, on_port=True) as server:
        with contextlib.closing(Stage(server, server.port)) as stage:
            yield stage
        assert stage.faults() == []


def test_nothing_acknowledged_is_lost_in_any_crash(stage: Stage):
    happenings = stage.kill_worker, stage.kill_postgres, stage.freeze_worker, stage.cut_off_worker, stage.kill_all
    for happening in happenings:
        stage.play(40)
        happening(1)
    stage.play(40)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_nothing_acknowledged_is_lost_in_a_long_run_of_workers(stage: Stage, seed):
    """Of each ten runs: 200 workers are killed, 40 frozen, 40 cut off; PostgreSQL dies 40 times, all of it 20 times."""
    dice, happenings = random.Random(seed), [stage.kill_worker] * 20
    for rare in (stage.freeze_worker, stage.cut_off_worker, stage.kill_postgres):
        happenings += [rare] * 4
    happenings += [stage.kill_all] * 2
    dice.shuffle(happenings)
    for happening in happenings:
        stage.play(dice.choice((1, 15, 60)))
        happening(dice.randrange(2))
    stage.play(10)


if __name__ == "__main__":
    nursery(lambda order: open_store(sys.argv[1]), Persistent)
