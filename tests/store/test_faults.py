"""The server is killed or the connection cut during appends: no answer is wrong, and all resumes by itself."""

import asyncio
import contextlib
import itertools
import random
import time
from collections.abc import Awaitable, Callable
from types import SimpleNamespace

import psycopg
import pytest

from tavola.store import Event, Store, StoreReader, open_reader, open_store
from tavola.store.interface import LOG_TOPIC, RESYNC_TOPIC, Conflict, Unsure, WriteFailed
from tavola.store.postgres import cluster, writer
from tavola.store.postgres.connections import DatabaseAddress
from tavola.store.postgres.store import PostgresStore
from tests.helpers import PATIENCE
from tests.helpers.failures import FaultyProxy
from tests.helpers.postgres import PostgresServer
from tests.helpers.rooms import refused, wait_until


@pytest.fixture
def cable(postgres: PostgresServer):
    with contextlib.closing(FaultyProxy(postgres.socket)) as cable:
        yield cable


@pytest.fixture
def url(postgres: PostgresServer, served: str, cable: FaultyProxy):
    return postgres.over_tcp(served, cable.port)


@pytest.fixture
def beside(store: PostgresStore, served: str):
    with contextlib.closing(open_reader(served)) as reading:
        yield reading


@pytest.fixture
def store(url: str):
    with contextlib.closing(PostgresStore.open(url)) as store:
        store.cluster.is_alone = True  # only appends are under way when the connection is cut
        yield store


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The writer gives nothing up until its clock is turned."""
    made = SimpleNamespace(ahead=0.0, sleep=time.sleep)
    made.monotonic = lambda: time.monotonic() + made.ahead
    monkeypatch.setattr(writer, "STATEMENT_TIMEOUT", PATIENCE)
    monkeypatch.setattr(writer, "time", made)
    return made


TERMINATE_OTHERS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""


def said(seq):
    return [Event(seq, "said", {"number": seq}, f"c/{seq}")]


async def test_what_was_written_although_the_answer_was_lost_is_acknowledged(
    store: PostgresStore, cable: FaultyProxy, beside: StoreReader
):
    await store.append("bakvin", said(1))
    cable.hold(to_server=False)
    appending = asyncio.ensure_future(store.append("bakvin", said(2)))
    await wait_until(lambda: len(beside.events("bakvin")) == 2)
    assert not appending.done()
    cable.cut()
    await appending
    assert ([event.seq for event in store.events("bakvin")], store.read("bakvin").fault) == ([1, 2], "")
    await store.append("bakvin", said(3))


async def test_what_never_arrived_is_written_once_when_the_cable_holds_again(store: PostgresStore, cable: FaultyProxy):
    await store.append("bakvin", said(1))
    cable.hold()
    appending = asyncio.ensure_future(store.append("bakvin", said(2)))
    await wait_until(lambda: store._writer._statement_sent)
    cable.cut()
    await appending
    assert [event.seq for event in store.events("bakvin")] == [1, 2]


async def test_a_statement_that_arrives_late_is_not_carried_out_any_more(
    store: PostgresStore, cable: FaultyProxy, clock: SimpleNamespace
):
    """The store gave the connection up and wrote by another; the first one was ended before."""
    await store.append("bakvin", said(1))
    assert store._writer._connection is not None
    store._writer._connection.answer_timeout = 0.5
    cable.hold()
    await store.append("bakvin", said(2))
    await store.append("bakvin", said(3))
    cable.release()
    await store.append("bakvin", said(4))
    assert ([event.seq for event in store.events("bakvin")], store.read("bakvin").fault) == ([1, 2, 3, 4], "")


async def test_an_unknown_outcome_is_reported_as_unsure_until_the_log_can_be_read(
    store: PostgresStore, cable: FaultyProxy, beside: StoreReader, clock: SimpleNamespace
):
    await store.append("bakvin", said(1))
    cable.hold(to_server=False)
    cable.refuses = True
    appending = asyncio.ensure_future(store.append("bakvin", said(2)))
    await wait_until(lambda: len(beside.events("bakvin")) == 2)
    clock.ahead = 2 * PATIENCE
    cable.cut()
    await refused(Unsure, appending, "database that responds")
    with pytest.raises(WriteFailed) as certain:
        await store.append("bakvin", said(3))
    assert not isinstance(certain.value, Unsure), "it was never sent"
    clock.ahead, cable.refuses = 0.0, False
    assert len(beside.events("bakvin")) == 2
    await store.append("bakvin", said(3))
    assert [event.seq for event in store.events("bakvin")] == [1, 2, 3]


async def test_terminated_database_connections_fail_no_request(store: PostgresStore, served: str):
    """An administrator may do so at any moment: everything goes on over another connection."""
    done, ended, count = asyncio.Event(), [], 0

    async def end_them():
        with DatabaseAddress(served, "test").connect("test") as other:
            while not done.is_set():
                ended.append(other.execute(TERMINATE_OTHERS).rowcount)
                before = count
                await wait_until(lambda before=before: count > before or done.is_set())

    ending = asyncio.ensure_future(end_them())
    async with asyncio.timeout(PATIENCE):
        while count < 60 or sum(ended) < 3:
            await store.append("bakvin", said(count + 1))
            count += 1
    done.set()
    await ending
    log = await asyncio.to_thread(store.read, "bakvin")
    assert ([event.seq for event in log.events], log.fault) == (list(range(1, count + 1)), "")


async def test_an_unreachable_database_is_reported_soon(store: PostgresStore, cable: FaultyProxy, monkeypatch):
    with monkeypatch.context() as patient:
        patient.setattr(cluster, "CLUSTER_TIMEOUT", PATIENCE)
        assert await store.cluster.heartbeat() is False
    cable.refuses = True
    cable.cut()
    await refused(WriteFailed, store.cluster.heartbeat())
    cable.refuses = False
    monkeypatch.setattr(cluster, "CLUSTER_TIMEOUT", PATIENCE)
    await store.cluster.heartbeat()


async def test_a_listener_goes_on_after_a_cut_and_says_that_something_may_be_lost(
    store: PostgresStore, cable: FaultyProxy, url: str
):
    heard = []
    store.cluster.listen(lambda *words: heard.append(words))
    await wait_until(lambda: heard == [(RESYNC_TOPIC, "")])
    with contextlib.closing(open_store(url)) as other:
        await other.append("bakvin", said(1))
        await wait_until(lambda: heard[1:] == [(LOG_TOPIC, '[["bakvin", 1]]')])
        cable.cut()
        await wait_until(lambda: heard[2:3] == [(RESYNC_TOPIC, "")])
        await other.append("bakvin", said(2))
        await wait_until(lambda: heard[-1] == (LOG_TOPIC, '[["bakvin", 2]]'))


WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
"""Number of connections that wait for a lock of another."""


class Client:
    """Appends to a room of its own and to a shared one, and records the answers."""

    def __init__(self, store: Store, name):
        self.store, self.name, self.acknowledged, self.refused = store, name, [], []

    async def write(self, until):
        for number in itertools.takewhile(lambda number: not until.is_set(), itertools.count(1)):
            for room in (self.name, "shared"):
                await self._once(room, number)

    async def _once(self, room: str, number):
        command = f"{self.name}/{number}"
        while True:
            log = await asyncio.to_thread(self.store.events, room)
            if any(event.command_id == command for event in log):
                return
            seq = len(log) + 1
            try:
                await self.store.append(room, [Event(seq, "said", {}, command)])
            except Unsure:
                pass
            except WriteFailed:
                self.refused.append((room, command))
            except Conflict:
                continue
            else:
                self.acknowledged.append((room, command))
            return


async def killed(server: PostgresServer, url: str, kills, dice, in_flight: Callable[[], Awaitable[None]] | None = None):
    """Let two workers write while their server is killed `kills` times; return clients, logs and topics heard.

    `in_flight` is awaited before each kill. What the server does not sync survives: the system does not die with it.
    """
    stores = [open_store(url) for _ in range(2)]
    clients = [Client(store, f"{name}{place}") for place, store in enumerate(stores) for name in "ab"]
    until, heard = asyncio.Event(), []
    stores[0].cluster.listen(lambda *words: heard.append(words[0]))
    writing_on = asyncio.gather(*(client.write(until) for client in clients))
    try:
        for kill in range(kills + 1):
            before = [len(client.acknowledged) for client in clients]
            await wait_until(lambda: all(len(c.acknowledged) > n + 4 for c, n in zip(clients, before, strict=True)))  # noqa: B023
            await wait_until(lambda: heard.count(RESYNC_TOPIC) > kill)  # noqa: B023
            await asyncio.sleep(dice.uniform(0, 0.2))
            if kill < kills:
                if in_flight:
                    await in_flight()
                server.kill()
                server.start()
        until.set()
        await asyncio.wait_for(writing_on, PATIENCE)
        logs = {room: stores[0].read(room) for room in ("shared", *(client.name for client in clients))}
        return clients, logs, heard
    finally:
        for store in stores:
            store.close()


def faults(clients, logs):
    found = [f"{room}: {log.fault}" for room, log in logs.items() if log.fault]
    written = [(room, event.command_id) for room, log in logs.items() for event in log.events]
    found += [f"{each} is there twice" for each in set(written) if written.count(each) > 1]
    for client in clients:
        found += [f"{each} was acknowledged and is lost" for each in set(client.acknowledged) - set(written)]
        found += [f"{each} was refused and is there" for each in set(client.refused) & set(written)]
    return found


@pytest.mark.parametrize("kills", [3, pytest.param(60, marks=pytest.mark.soak)])
async def test_a_server_that_is_killed_loses_and_doubles_nothing(postgres: PostgresServer, kills):
    clients, logs, heard = await killed(postgres, postgres.new_database(), kills, random.Random(5))
    assert faults(clients, logs) == []
    assert sum(len(client.acknowledged) for client in clients) > 60
    assert heard.count(RESYNC_TOPIC) == kills + 1, "once at the beginning, and after every kill"


def test_the_check_bites(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch):
    """A store that takes silence for success is found."""
    monkeypatch.setattr(writer.Writer, "_find_unwritten", lambda *_: [])
    url, locks = postgres.new_database(), contextlib.ExitStack()

    async def in_flight() -> None:
        """Leave an append waiting at the server when it is killed."""
        lock = locks.enter_context(psycopg.connect(url))
        lock.execute("LOCK TABLE tavola.event IN EXCLUSIVE MODE")
        await wait_until(lambda: lock.execute(WAITING).fetchone() != (0,))

    with contextlib.suppress(psycopg.OperationalError), locks:
        clients, logs, _ = asyncio.run(killed(postgres, url, 1, random.Random(7), in_flight))
    assert any("acknowledged and is lost" in fault for fault in faults(clients, logs))
