"""Appends, conflicts, deletions, leases and reads in any order: the store behaves like a plain list."""

import asyncio
import contextlib
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings, stateful
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tavola.store import Conflict, Event, Lease, Stale, open_store
from tests.helpers.postgres import PostgresServer

ROOMS = st.sampled_from(["bakvin", "talvin", "solrum"])
BODIES = st.dictionaries(st.sampled_from(["a", "à"]), st.none() | st.integers() | st.text(max_size=5), max_size=2)
COMMANDS = st.none() | st.sampled_from(["a/1", "a/2", "b/1"])
WORKERS = st.integers(0, 1)


class Plain:
    def __init__(self):
        self.logs, self.awake, self.owners = {}, {}, {}

    def follows(self, batches):
        logs = {room: list(self.logs.get(room, ())) for room, _, _ in batches}
        for room, events, _ in batches:
            for event in events:
                known = {old.command_id for old in logs[room]} - {None}
                if event.seq != len(logs[room]) + 1 or event.command_id in known:
                    return False
                logs[room].append(event)
        return all(events for _, events, _ in batches) and len({room for room, _, _ in batches}) == len(batches)

    def append(self, batches):
        for room, events, awake in batches:
            self.logs.setdefault(room, []).extend(events)
            self.awake[room] = awake


class Stores(RuleBasedStateMachine):
    """Two stores on one PostgreSQL database, or one on a file, beside a plain one."""

    make: Any = None
    """Opens a database and yields its stores."""

    @initialize()
    def begin(self):
        self.opened = contextlib.ExitStack()
        self.stores = self.opened.enter_context(self.make())
        self.plain = Plain()

    def teardown(self):
        self.opened.close()

    def store(self, worker):
        return self.stores[worker % len(self.stores)]

    @rule(
        worker=WORKERS,
        rooms=st.lists(ROOMS, min_size=1, max_size=2, unique=True),
        ahead=st.sampled_from([0, 0, 0, 0, 1, -1]),
        step=st.sampled_from([1, 1, 1, 1, 0, -1, 2]),
        made=st.lists(st.tuples(BODIES, COMMANDS), max_size=3),
        awake=st.booleans(),
        leased=st.booleans(),
    )
    def append(self, worker, rooms, ahead, step, made, awake, leased):
        batches = []
        for room in rooms:
            first = max(1, len(self.plain.logs.get(room, ())) + 1 + ahead)
            events = [Event(first + n * step, "said", body, command, 1.5 * n) for n, (body, command) in enumerate(made)]
            batches.append((room, events, awake))
        store, owner = self.store(worker), self.plain.owners.get(rooms[0], (None, 0))
        lease = Lease(rooms[0], owner[1]) if leased and store.cluster else None
        stale = lease is not None and owner[0] is not store
        try:
            asyncio.run(store.append_batches(batches, lease))
        except Conflict:
            assert not self.plain.follows(batches)
        except Stale:
            assert stale
        else:
            assert self.plain.follows(batches)
            assert not stale
            self.plain.append(batches)

    @rule(worker=WORKERS, rooms=st.lists(ROOMS, max_size=3), late=st.booleans())
    def forget(self, worker, rooms, late):
        lines = [line._replace(seq=line.seq - int(late)) for line in self.store(worker).rooms() if line.id in rooms]
        asyncio.run(self.store(worker).delete_rooms(lines))
        for line in () if late else lines:
            del self.plain.logs[line.id]
            self.plain.owners.pop(line.id, None)

    @precondition(lambda self: len(self.stores) > 1)
    @rule(worker=WORKERS, rooms=st.lists(ROOMS, min_size=1, unique=True))
    def claim(self, worker, rooms):
        store = self.store(worker)
        for living in self.stores:
            asyncio.run(living.cluster.heartbeat())
        found = asyncio.run(store.cluster.claim(rooms))
        for room in rooms:
            owner, epoch = self.plain.owners.get(room, (None, 0))
            if owner is None:
                self.plain.owners[room] = store, epoch + 1
            assert found.get(room) == (Lease(room, self.plain.owners[room][1]) if owner in (None, store) else None)

    @precondition(lambda self: len(self.stores) > 1)
    @rule(worker=WORKERS, rooms=st.lists(ROOMS, min_size=1, unique=True))
    def release(self, worker, rooms):
        store = self.store(worker)
        asyncio.run(store.cluster.release(rooms))
        for room in rooms:
            owner, epoch = self.plain.owners.get(room, (None, 0))
            if owner is store:
                self.plain.owners[room] = None, epoch

    @invariant()
    def every_store_tells_what_the_plain_one_does(self):
        lines = sorted((-log[-1].at, room, len(log)) for room, log in self.plain.logs.items())
        lines = [(room, seq, -at) for at, room, seq in lines]
        for store in self.stores:
            assert store.rooms() == lines
            assert store.rooms(awake=True) == [line for line in lines if self.plain.awake[line[0]]]
            for room, log in self.plain.logs.items():
                assert (store.read(room), store.events(room, 2)) == ((log, ""), log[2:])


@contextlib.contextmanager
def in_a_file():
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(open_store(Path(folder) / "t.sqlite")) as store:
        yield [store]


@contextlib.contextmanager
def on_a_server(postgres: PostgresServer):
    url = postgres.new_database()
    with contextlib.closing(open_store(url)) as one, contextlib.closing(open_store(url)) as other:
        asyncio.run(one.cluster.heartbeat())
        asyncio.run(other.cluster.heartbeat())
        yield [one, other]
    postgres.recycle(url.partition("@/")[2].partition("?")[0])


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_store_is_what_a_plain_list_is(kind, request: pytest.FixtureRequest):
    class Kind(Stores):
        def make(self):
            return in_a_file() if kind == "sqlite" else on_a_server(request.getfixturevalue("postgres"))

    examples, steps = (30, 20) if kind == "sqlite" else (4, 40)  # a database on a server takes long to make
    checks = list(HealthCheck)
    short = settings(max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=checks)
    stateful.run_state_machine_as_test(Kind, settings=short)
