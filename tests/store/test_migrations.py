"""A database is migrated while it has unfinished matches."""

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor

import pytest

from tavola.store import BadDatabase, Event, NewerDatabase, open_store
from tavola.store.postgres import schema
from tavola.store.postgres.connections import DatabaseAddress
from tests.helpers import PATIENCE
from tests.helpers.rooms import THREE, matches_log, open_hub, play_some, play_to_end, refused, start_room, wait_until

SECOND = """
ALTER TABLE room ADD COLUMN title text NOT NULL DEFAULT '';
CREATE INDEX by_kind ON event (kind);
CREATE TABLE hall (room text PRIMARY KEY);
"""
"""A typical migration: it only adds."""


def later(monkeypatch: pytest.MonkeyPatch, *migrations):
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, *migrations))


async def test_a_match_goes_on_while_another_worker_brings_the_database_up_to_date(served: str, monkeypatch):
    async with open_hub(served) as hub:
        room = await start_room(hub, THREE)
        await play_some(room, 1)
        playing_on = asyncio.ensure_future(play_some(room, 40))
        before = room.state.seq
        await wait_until(lambda: room.state.seq > before + 5)
        with monkeypatch.context() as context:
            later(context, SECOND)
            newer = await asyncio.to_thread(open_store, served)
        await playing_on
        await play_to_end(room, THREE)
        assert matches_log(hub, room)
        with contextlib.closing(newer):
            log = newer.read(room.id)
            assert (len(log.events), log.fault) == (room.state.seq, "")
            assert newer.rows("SELECT title FROM room") == [("",)]
            expected = r"of version 7 or older, found version 8: it needs Tavola [\d.]+ or newer"
            await refused(NewerDatabase, asyncio.to_thread(open_store, served), expected)


def test_a_migration_that_fails_leaves_everything_as_it_was(served: str, monkeypatch: pytest.MonkeyPatch):
    open_store(served).close()
    with monkeypatch.context() as context:
        later(context, SECOND, "ALTER TABLE nowhere ADD COLUMN nothing text")
        with pytest.raises(BadDatabase, match="nowhere"):
            open_store(served)
    with contextlib.closing(open_store(served)) as store:
        assert store.rows("SELECT number FROM version") == [(7,)]


def test_simultaneous_starts_migrate_once(served: str, monkeypatch: pytest.MonkeyPatch):
    later(monkeypatch, SECOND)
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(open_store, [served] * 4))
    assert [store.rows("SELECT number FROM version") for store in stores] == [[(8,)]] * 4
    for store in stores:
        store.close()


async def test_a_migration_that_waits_for_a_reader_does_not_block_others(served: str, monkeypatch: pytest.MonkeyPatch):
    with contextlib.closing(open_store(served)) as store:
        reader = DatabaseAddress(served, "test").connect("test")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM room")
        later(monkeypatch, SECOND)
        tries, migrate = [], schema._try_migrate
        monkeypatch.setattr(schema, "_try_migrate", lambda *how, **more: (tries.append(1), migrate(*how, **more))[1])
        migrating, seq = asyncio.ensure_future(asyncio.to_thread(open_store, served)), 0
        while len(tries) < 4:
            seq += 1
            await asyncio.wait_for(store.append("bakvin", [Event(seq, "said")]), PATIENCE)
            await asyncio.wait_for(asyncio.to_thread(store.rooms), PATIENCE)
        assert not migrating.done()
        reader.close()
        (await migrating).close()
