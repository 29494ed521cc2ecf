"""Several workers on one PostgreSQL: leases, messages, presence, and what a broken connection must not hide."""

import asyncio
import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from psycopg.errors import QueryCanceled

from tavola.store import Event, MissingBackend
from tavola.store import open_store as opened
from tavola.store.database_refusals import BadDatabase, ForeignDatabase
from tavola.store.interface import LOG_TOPIC, RESYNC_TOPIC, Lease, Stale, WriteFailed
from tavola.store.postgres.connections import DatabaseAddress
from tavola.store.postgres.store import PostgresStore
from tests.helpers import wait_for
from tests.helpers.postgres import keep_alive, let_die
from tests.helpers.rooms import refused, wait_until
from tests.store.conftest import asked, held_up


@contextlib.contextmanager
def workers(served: str, count=2) -> Iterator[list[PostgresStore]]:
    with contextlib.ExitStack() as stack:
        made = [stack.enter_context(contextlib.closing(PostgresStore.open(served))) for _ in range(count)]
        keep_alive(served)
        yield made


def died(served: str, worker):
    """Make a worker's heartbeat old, and wait until the server does not count as just restarted."""
    let_die(served, worker)
    wait_for(lambda: not asked(served, "SELECT id FROM living WHERE id = %s", worker))


async def test_of_two_simultaneous_appends_or_creations_one_succeeds_and_one_conflicts(served: str):
    places = [("bakvin", seq) for seq in range(1, 40)] + [(f"r{number}", 1) for number in range(30)]
    with workers(served) as (one, other):
        for room, seq in places:
            each = (store.append(room, [Event(seq, "said", {"by": k})]) for k, store in enumerate((one, other)))
            outcomes = await asyncio.gather(*each, return_exceptions=True)
            assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Conflict", "NoneType"]
        log = one.read("bakvin")
        assert (len(log.events), log.fault, log) == (39, "", other.read("bakvin"))


def test_every_connection_states_that_a_commit_is_on_disk(served: str):
    asked(served, f"ALTER DATABASE {served.partition('@/')[2].partition('?')[0]} SET synchronous_commit = off")
    with workers(served, 1) as (store,):
        asyncio.run(store.check_writable())
        shown = "SHOW synchronous_commit"
        assert (store._writer._connection.execute(shown).fetchone(), store.rows(shown)) == (("on",), [("on",)])


async def test_a_worker_that_wakes_after_losing_its_lease_writes_nothing(served: str):
    with workers(served) as (one, other):
        await one.cluster.heartbeat()
        await other.cluster.heartbeat()
        await one.append("bakvin", [Event(1, "created")])
        old = (await one.cluster.claim(["bakvin"]))["bakvin"]
        await one.append("bakvin", [Event(2, "played")], lease=old)
        died(served, one.cluster.worker)
        assert await other.cluster.unleased_rooms() == ["bakvin"]
        new = (await other.cluster.claim(["bakvin"]))["bakvin"]
        assert new.epoch == old.epoch + 1
        await refused(Stale, one.append("bakvin", [Event(3, "played")], lease=old))
        assert await one.cluster.heartbeat() is False
        await refused(Stale, one.append("bakvin", [Event(3, "played")], lease=old))
        await other.append("bakvin", [Event(3, "played")], lease=new)
        await one.append("bakvin", [Event(4, "said")])
        await refused(Stale, one.append("bakvin", [Event(5, "played")], lease=Lease("bakvin", new.epoch)))
        assert len(one.events("bakvin")) == 4


async def test_of_many_simultaneous_claims_one_gets_the_lease(served: str):
    with workers(served, 3) as stores:
        for store in stores:
            await store.cluster.heartbeat()
        rooms = [f"r{number}" for number in range(200)]
        found = await asyncio.gather(*(store.cluster.claim(rooms) for store in stores))
        assert sorted(room for leases in found for room in leases) == sorted(rooms)


async def test_a_commit_is_sent_once_to_the_other_workers_and_not_to_its_own(served: str):
    with workers(served) as (one, other):
        heard, own = [], []
        other.cluster.listen(lambda *said: heard.append(said))
        one.cluster.listen(lambda *said: own.append(said))
        await wait_until(lambda: heard == own == [(RESYNC_TOPIC, "")])
        async with held_up(one, 1200):
            appending = asyncio.gather(*(one.append(f"r{number}", [Event(1, "created")]) for number in range(1200)))
        await appending
        await wait_until(lambda: sum(len(json.loads(text)) for topic, text in heard if topic == LOG_TOPIC) == 1200)
        assert len(heard) < 40, "once a group, and not once a room"
        assert own == [(RESYNC_TOPIC, "")]
        await one.cluster.publish("topic", "words and more words")
        await wait_until(lambda: heard[-1] == ("topic", "words and more words"))
        assert own == [(RESYNC_TOPIC, "")]
        await refused(ValueError, one.cluster.publish("topic", "x" * 8000), "at most")


async def test_connections_count_while_their_worker_lives(served: str):
    with workers(served) as (one, other):
        await one.cluster.heartbeat()
        await other.cluster.heartbeat()
        await one.cluster.record_presence([("bakvin", "ada"), ("bakvin", "bruno"), ("talvin", "ada")], [])
        await other.cluster.record_presence([("bakvin", "ada")], [])
        await one.cluster.record_presence([("bakvin", "carla")], [("bakvin", "bruno")])
        assert await other.cluster.persons_elsewhere(["bakvin", "solrum"]) == {"bakvin": {"ada", "carla"}}
        assert await one.cluster.persons_elsewhere(["bakvin", "talvin"]) == {"bakvin": {"ada"}}
        assert await other.cluster.occupied_rooms() == {"bakvin", "talvin"}
        died(served, one.cluster.worker)
        assert await other.cluster.persons_elsewhere(["bakvin"]) == {}
        assert await other.cluster.occupied_rooms() == {"bakvin"}


def test_without_psycopg_it_is_said_what_to_install(served: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "tavola.store.postgres.store", None)
    with pytest.raises(MissingBackend, match=r"pip install 'tavola\[postgresql\]'"):
        opened(served)


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("CREATE TABLE public.recipes (name text)", "another program's table recipes"),
        ("CREATE SCHEMA tavola CREATE TABLE tables (seats integer)", "the schema tavola"),
    ],
)
def test_a_database_or_schema_of_another_program(served: str, script, found):
    asked(served, script)
    before = asked(served, "SELECT schemaname, tablename FROM pg_tables")
    with pytest.raises(ForeignDatabase, match=found):
        opened(served)
    assert asked(served, "SELECT schemaname, tablename FROM pg_tables") == before


def test_a_database_that_does_not_answer_is_refused(tmp_path: Path):
    with pytest.raises(BadDatabase, match="database that responds"):
        opened(f"postgresql://ada:geheim@/tavola?host={tmp_path}")


def test_the_password_is_never_shown(served: str):
    address = DatabaseAddress("postgresql://ada:geheim@db.example:5433/tavola", "w")
    assert address.name == "postgresql://ada@db.example:5433/tavola"
    for host, said in (("127.0.0.1:1", "database that responds"), ("[::1", "expected an address such as")):
        with pytest.raises(BadDatabase, match=said) as shown:
            opened(f"postgresql://ada:geheim@{host}/tavola")
        assert "geheim" not in str(shown.value)


def hastily(store: PostgresStore) -> list[object]:
    """Let the server cancel what the store writes after 0.3 s; return a list of what it has cancelled."""
    connection, ended = store._writer._connection, list[object]()
    assert connection is not None
    connection.execute("SET statement_timeout = '300ms'")
    execute = connection.execute

    def noted(*given: Any, **named: Any) -> Any:
        try:
            return execute(*given, **named)
        except QueryCanceled:
            ended.append(given)
            raise

    connection.execute = noted
    return ended


async def test_waiting_for_foreign_locks_is_refused_in_time_and_writes_nothing(served: str):
    """All at once, and not one after the other: the first appends and those queued meanwhile wait once each."""
    with workers(served, 1) as (store,), DatabaseAddress(served, "test").connect("test") as other:
        await store.append("bakvin", [Event(1, "created")])
        waits = hastily(store)
        other.execute("BEGIN")
        other.execute("LOCK TABLE room")
        each = [store.append(f"r{number}", [Event(1, "created")]) for number in range(20)]
        async with held_up(store, 21) as groups:
            appending = asyncio.gather(store.append("bakvin", [Event(2, "said")]), *each, return_exceptions=True)
        assert {type(outcome) for outcome in await appending} == {WriteFailed}
        assert len(waits) == len(groups) <= 2
        other.execute("ROLLBACK")
        assert [len(store.events(room)) for room in ("bakvin", "r0")] == [1, 0]
        await store.append("bakvin", [Event(2, "said")])
