"""Several workers on one PostgreSQL: any of them serves any room, one looks after each, and messages may be lost."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from typing import cast

import pytest

import tavola
from tavola.live import Hub, Room, Settings
from tavola.live.bots.thinking import budget
from tavola.live.commands.server_commands import TakeOver
from tavola.live.correspondence.hours import DAY, GRACE
from tavola.live.log.state import State
from tavola.live.protocol import Join, Leave, Mute, Play, Rematch, Say, Start
from tavola.live.room_refusals import OneSeat
from tavola.live.time.delays import Suspense
from tavola.store import LOG_TOPIC, Lease, Retention, Stale, open_store
from tavola.store.postgres.cluster import PostgresCluster
from tavola.web.requests.counters import Counters
from tavola.web.requests.limits import Limits
from tavola.web.requests.request_refusals import TooFast
from tests.helpers.days import HOUR, MINUTE, SiteClock
from tests.helpers.drills import register_drills
from tests.helpers.postgres import keep_alive, let_die
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    DARIO,
    THREE,
    create_room,
    matches_log,
    new_command_id,
    play_legal,
    quick_settings,
    refused,
    send,
    start_room,
    start_timed,
    turn_back,
    wait_until,
)
from tests.live.time.test_correspondence import kinds
from tests.live.time.test_timing import jousting, play, tossed


@contextlib.asynccontextmanager
async def worker(database: str, **settings) -> AsyncIterator[Hub]:
    store = await asyncio.to_thread(open_store, database)
    await asyncio.to_thread(keep_alive, database)
    hub = await Hub.open(store, quick_settings(**settings))
    try:
        yield hub
    finally:
        await hub.leave()
        await hub.close()
        await asyncio.to_thread(store.close)


@contextlib.asynccontextmanager
async def workers(served: str, **settings) -> AsyncIterator[list[Hub]]:
    async with worker(served, **settings) as one, worker(served, **settings) as other:
        hubs = [one, other]
        listeners = [each for hub in hubs for each in cast(PostgresCluster, hub.store.cluster)._listeners]
        await wait_until(lambda: all(each.is_listening for each in listeners))
        yield hubs


@pytest.fixture
def hubs(runner: asyncio.Runner, served: str):
    opening = workers(served)
    yield runner.run(opening.__aenter__())
    runner.run(opening.__aexit__(None, None, None))


@pytest.fixture
def one(hubs: list[Hub]):
    return hubs[0]


@pytest.fixture
def other(hubs: list[Hub]):
    return hubs[1]


async def open_at_both(one: Hub, other: Hub) -> tuple[Room, Room]:
    """Return a match of three at one worker, and the same room at another."""
    room = await start_room(one, THREE, patience=0)
    return room, await other.room(room.id)


def deaf(hub: Hub):
    """Make a worker miss all messages."""
    for listener in cast(PostgresCluster, hub.store.cluster)._listeners:
        listener._handler = lambda topic, payload: None


def unaware(hub: Hub):
    """Make a worker ignore the events of others, except when it writes itself."""
    hub.peers._mark_behind = lambda rooms: None


async def struck(hub: Hub, database: str):
    """Stop a worker in the middle of everything, as if long ago: it neither receives nor sends anything."""
    deaf(hub)
    for task in list(hub.tasks._background):
        task.cancel()
    hub.tasks.spawn = lambda work: work.close()
    for room in hub.rooms:
        room.caretaker.close()
    let_die(database, hub.store.cluster.worker)


async def test_lost_messages_cost_a_moment_and_no_move(one: Hub, other: Hub):
    room, there = await open_at_both(one, other)
    deaf(other)
    await play_legal(room, THREE[room.state.match.to_act[0]])
    await wait_until(lambda: there.state.seq == room.state.seq)
    # A decision made on an earlier state is made again on the present log.
    await send(room, ADA, Say, "you do not hear this")
    await send(there, BRUNO, Say, "but I can answer")
    assert [said.text for said in there.state.chat_log] == ["you do not hear this", "but I can answer"]
    assert matches_log(other, there)


async def test_a_start_at_one_worker_right_after_a_join_at_another_succeeds(one: Hub, other: Hub):
    room = await one.create(ADA, "lifeboats", {"players": 3}, Settings(patience=0))
    there = await other.room(room.id)
    unaware(one)
    for person in (BRUNO, CARLA):
        await send(there, person, Join)
    assert len(room.state.free_seats) == 2, "it is not known here"
    await send(room, ADA, Start)
    assert (room.state.phase, [place.person for place in room.state.occupants]) == ("playing", [ADA, BRUNO, CARLA])
    assert matches_log(one, room)


async def test_players_and_visitors_of_one_worker_are_known_to_the_others(one: Hub, other: Hub):
    table = Settings(public=True, patience=0)
    here = await one.create(ADA, "lifeboats", {}, table, maker="Ada")
    there = await other.create(BRUNO, "lifeboats", {}, table, maker="Bruno")
    await here.execute(CARLA, Join(new_command_id()), origin="x")
    other.lobby.note_seeker("y")
    one.lobby.note_seeker("z")
    await wait_until(lambda: one.lobby.others_look("z") and other.lobby.others_look("y"))
    await wait_until(lambda: other.is_crowding("x"))
    await refused(OneSeat, there.execute(DARIO, Join(new_command_id()), origin="x"))


async def test_what_changes_nothing_here_may_change_what_was_written_elsewhere(one: Hub, other: Hub):
    room, there = await open_at_both(one, other)
    await wait_until(lambda: there.state.seq == room.state.seq)
    unaware(one)
    await send(room, ADA, Say, "hello")
    await wait_until(lambda: there.state.chat_log)
    await send(there, BRUNO, Mute, 1, True)
    assert not room.state.muted_by(BRUNO.id)
    await send(room, BRUNO, Mute, 1, False)
    assert not room.state.muted_by(BRUNO.id)
    await wait_until(lambda: not there.state.muted_by(BRUNO.id))


async def test_workers_are_notified_of_changes_in_rooms_that_they_read(one: Hub, other: Hub):
    await wait_until(lambda: not cast(PostgresCluster, one.store.cluster).is_alone)
    # In the lobby: a match that has just begun has no lease yet, so the other may take it up and read it.
    alone, shared = [await create_room(one, patience=0) for _ in range(2)]
    there = await other.room(shared.id)
    await wait_until(lambda: all(shared.id in hub.peers._shared_rooms for hub in (one, other)))
    await send(shared, ADA, Say, "what was told before this has arrived")
    await wait_until(lambda: there.state.chat_log)
    heard, before = [], {room.id: room.state.seq for room in (alone, shared)}
    cast(PostgresCluster, other.store.cluster).listen(lambda *said: heard.append(said))
    await wait_until(lambda: heard)
    for room in (alone, shared):
        await send(room, ADA, Say, "does anybody hear this?")
    await wait_until(lambda: len(there.state.chat_log) == 2)
    await send(there, BRUNO, Say, "I do")
    await wait_until(lambda: len(shared.state.chat_log) == 3)
    # Earlier events may be reported late: over several connections, messages arrive out of order.
    rooms = [each for topic, payload in heard if topic == LOG_TOPIC for each in json.loads(payload)]
    assert {room for room, seq in rooms if seq > before[room]} == {shared.id}
    # A reader that was not known is found.
    one.peers._shared_rooms.clear()
    await send(shared, ADA, Say, "and this?")
    await wait_until(lambda: len(there.state.chat_log) == 4 and shared.id in one.peers._shared_rooms)


async def test_what_two_ask_for_at_once_happens_once(one: Hub, other: Hub):
    room, there = await open_at_both(one, other)
    for _ in range(5):
        await wait_until(lambda: there.state.seq == room.state.seq)
        seat = room.state.match.to_act[0]
        play = Play(new_command_id(), room.prompt_id(seat), room.state.game.actions.code(room.view(seat).legal[0]))
        before, sent = room.moments, (here.execute(THREE[seat], play) for here in (room, there))
        ends = await asyncio.gather(*sent, return_exceptions=True)
        assert ends == [None, None], "a command sent twice is carried out once, at either worker"
        await wait_until(lambda: there.state.seq == room.state.seq)
        commands = [event.command_id for event in one.store.events(room.id)]
        assert commands.count(f"{THREE[seat].id}/{play.command_id}") == 1
        assert room.moments > before
    while room.state.phase == "playing":
        await play_legal(room, THREE[room.state.match.to_act[0]])
    await wait_until(lambda: there.state.phase == "over")
    await asyncio.gather(send(room, ADA, Rematch), send(there, BRUNO, Rematch))
    assert room.state.next_room == there.state.next_room is not None
    assert len(one.store.rooms()) == 2


async def test_one_worker_looks_after_a_room_and_another_when_it_dies(served: str):
    async with worker(served, bot_pause=0.05) as first:
        rooms = [await start_room(first, (ADA,), 4, patience=0) for _ in range(3)]
        # The first worker to ask has a room, so the second one comes only when the first has all of them.
        await wait_until(lambda: all(room.is_leased and room.prompt_id(0) is not None for room in rooms))
        async with worker(served, bot_pause=0.05) as second:
            thought, think = set(), second.bot_processes.think

            async def noted(room_id, state: State, level, view, bargainer):
                thought.add((room_id, state.moments))
                return await think(room_id, state, level, view, bargainer)

            second.bot_processes.think = noted
            there = [await second.room(room.id) for room in rooms[:2]]  # the third is not in memory there
            for room in rooms:
                await play_legal(room, ADA)
            await wait_until(lambda: all(room.prompt_id(0) is not None or room.state.phase == "over" for room in rooms))
            await wait_until(lambda: all(room.state.seq == rooms[n].state.seq for n, room in enumerate(there)))
            assert not thought, "bots of the first worker have played, and the second knows"
            await struck(first, served)
            await second.peers.beat()
            assert all(room.id in second.leases for room in rooms), "who is silent for too long is replaced at once"
            for each in rooms:
                room = await second.room(each.id)
                await play_legal(room, ADA)
                await wait_until(lambda room=room: room.prompt_id(0) is not None or room.state.phase == "over")
            assert thought


async def test_a_worker_that_was_silent_for_too_long_keeps_the_rooms_that_no_one_has_taken(served: str):
    async with worker(served) as hub:
        room = await start_room(hub, THREE, patience=0)
        await wait_until(lambda: room.is_leased)
        let_die(served, hub.store.cluster.worker)
        await hub.peers.beat()
        await wait_until(lambda: room.is_leased)


async def test_a_worker_without_its_lease_writes_nothing_as_owner(served: str):
    async with workers(served) as (one, other):
        room, seat = await start_timed(one)
        await wait_until(lambda: room.is_leased)
        await struck(one, served)
        await wait_until(lambda: room.id in other.leases)
        assert room.is_leased, "it does not know"
        before = one.store.events(room.id)
        await room.execute_internal(TakeOver({seat: room.prompt_id(seat)}))
        assert (one.store.events(room.id), room.is_leased) == (before, False)
        there = await other.room(room.id)
        await there.execute_internal(TakeOver({seat: there.prompt_id(seat)}))
        assert there.seats[seat].taken_over
        await refused(Stale, one.store.append(room.id, before[:1], lease=Lease(room.id, 1)))


async def test_time_limits_neither_restart_nor_run_out_when_a_worker_is_replaced(served: str, clock: SiteClock):
    passed = HOUR / 2
    async with workers(served, clock=clock) as (one, other):
        room, seat = await start_timed(one)
        await wait_until(lambda: room.is_leased)
        code, ends = room.id, pytest.approx(room.caretaker.deadline(seat), abs=MINUTE)
        clock.at += passed
        turn_back(room, seat, passed)
        late = await other.room(code)  # for a person who connects to another worker
        assert late.caretaker.deadline(seat) == ends
        await one.leave()
        await wait_until(lambda: code in other.leases)
        assert late.caretaker.deadline(seat) == ends
        async with worker(served, clock=clock) as third:
            await other.leave()
            await wait_until(lambda: code in third.leases)
            unread = await third.room(code)
            assert unread.caretaker.deadline(seat) == ends
            assert unread.caretaker.handover().elapsed[str(seat)][1] == pytest.approx(passed, abs=MINUTE)


async def test_a_bank_runs_on_where_a_worker_is_replaced(served: str, clock: SiteClock):
    left = pytest.approx(HOUR / 2, abs=MINUTE)
    async with workers(served, clock=clock) as (one, other):
        room, seat = await start_timed(one, bank=HOUR)
        await wait_until(lambda: room.is_leased)
        turn_back(room, seat, 1.5 * HOUR)
        await one.leave()
        await wait_until(lambda: room.id in other.leases)
        there = await other.room(room.id)
        assert (there.state.bank_left(seat), there.caretaker.deadline(seat) - clock.at) == (left, left)
        await play_legal(there, THREE[seat])
        assert there.state.bank_left(seat) == left


async def test_a_match_of_days_wakes_at_one_worker_and_at_another_when_that_one_dies(served: str, clock: SiteClock):
    """A room wakes at exactly one when a time ends."""
    async with workers(served, clock=clock) as (one, other):
        room = await start_room(one, THREE, days=3, patience=0, misses=1)
        await wait_until(lambda: room.state.dues.keys() == room.state.open_decisions.keys() != set())
        code, asked, twin = room.id, len(room.state.dues), await other.room(room.id)
        await wait_until(lambda: len(twin.state.dues) == asked and code in one.leases)
        assert code not in other.leases
        clock.at += 3 * DAY
        assert other.desk.due(clock.at) == []
        for hub in (one, other):
            await hub.update_deadlines()
        await wait_until(lambda: all(due.reminded for due in twin.state.dues.values()))
        assert kinds(other, code).count("reminded") == asked
        await struck(one, served)
        await wait_until(lambda: code in other.leases)
        clock.at += GRACE
        await other.update_deadlines()
        await wait_until(
            lambda: (
                sum(place.taken_over for place in twin.state.occupants) == kinds(other, code).count("taken") >= asked
            )
        )
        assert matches_log(other, twin)
        assert kinds(other, code).count("reminded") == asked


async def test_connections_to_one_worker_count_at_all_workers(served: str, monkeypatch: pytest.MonkeyPatch):
    async with workers(served, nap=HOUR) as (one, other):
        room = await create_room(one, THREE, 4)
        there = await other.room(room.id)
        leave = there.subscribe(BRUNO, lambda seq: None)
        await wait_until(lambda: not room.seats[1].away)
        assert (room.seats[0].away, room.watched) == (True, True)
        room._last_visit -= 2 * HOUR
        assert not room.is_idle
        monkeypatch.setattr("tavola.live.room.HOST_AWAY", 0.0)
        one.residents.sweep()  # the host is nowhere; the others are at the other worker
        await wait_until(lambda: room.state.host == BRUNO)
        leave()
        await wait_until(lambda: room.seats[1].away)
        room._last_visit -= 2 * HOUR
        assert room.is_idle
        there.visit(CARLA.id)  # a person without script, hence without a WebSocket
        await wait_until(lambda: not room.is_idle)


async def test_tables_and_matches_of_all_workers_are_listed(one: Hub, other: Hub):
    table, match = await create_room(one, (ADA,), 3), await start_room(one, (BRUNO,), 3, patience=0)
    await create_room(one, (CARLA,), 3, public=False)
    await wait_until(lambda: [listed.code for listed in other.open_rooms()] == [table.id])
    assert other.open_rooms()[0].host == "Ada"
    assert [room.id for room in await other.persons.rooms_of(BRUNO.id)] == [match.id]
    await send(table, ADA, Leave)
    await wait_until(lambda: other.open_rooms() == [])


async def test_one_worker_prunes_and_spares_rooms_with_connections(served: str):
    async with workers(served, retention=Retention(unfinished=0.0, waiting=0.0)) as (one, other):
        here = await create_room(one, (ADA,))
        here.subscribe(ADA, lambda seq: None)
        one.residents.forget([(await create_room(one, (BRUNO,))).id])
        await one.peers.poll()
        assert await one.peers.claim_pruning()
        assert not await other.peers.claim_pruning()
        assert await other.prune() == 1
        assert [line.id for line in other.store.rooms()] == [here.id]


async def test_a_makers_bots_are_one_makers_at_every_worker(one: Hub, other: Hub):
    room = await one.create(ADA, "lifeboats", {}, Settings(), maker="10.0.0.1")
    await wait_until(lambda: other.bot_processes.maker_of(room.id, "") == "10.0.0.1")
    await wait_until(lambda: one.bot_processes.thinkers.workers == other.bot_processes.thinkers.workers == 2)
    other.bot_processes.thinkers.receive("elsewhere", {"waiting": {"10.0.0.1": 100}})
    seen = []
    other.bot_processes.thinkers._choose = lambda level, view, milliseconds: seen.append(milliseconds) or view.legal[0]
    match = tavola.Match(tavola.load("lifeboats"), players=3, seed=1)
    for maker, code in (("10.0.0.1", room.id), ("10.0.0.2", "another")):
        await other.bot_processes.thinkers.think(maker, code, "search", match.view(match.to_act[0]))
    assert seen[0] == budget(101, 1, 2, most=50) < seen[1] == budget(1, 2, 2, most=50)


async def test_limits_hold_over_all_workers(hubs: list[Hub]):
    tallies = [Counters() for _ in hubs]
    here, there = (tally.limiter("rooms", Limits(rooms=(0.0, 10))) for tally in tallies)
    inside, outside = (tally.gauge("sockets") for tally in tallies)
    for tally, hub in zip(tallies, hubs, strict=True):
        tally.join(hub.peers)
    for _ in range(6):
        here.take("ada")
    inside.add("ada")
    await wait_until(lambda: there._buckets)
    for _ in range(4):
        there.take("ada")
    with pytest.raises(TooFast):
        there.take("ada")
    await wait_until(lambda: outside["ada"] == 1)
    inside.drop("ada")
    await wait_until(lambda: outside["ada"] == 0)
    for rate in (here, there):  # at both at once: more than one would allow, but it is owed
        for _ in range(10):
            rate.take("bruno")
    await wait_until(lambda: all(rate._buckets["bruno"][0] == -10 for rate in (here, there)))


async def test_a_race_is_fair_between_workers(served: str, monkeypatch: pytest.MonkeyPatch):
    register_drills(monkeypatch, "joust")
    async with workers(served, suspense=Suspense(0.02, 0.0)) as (one, other):
        room = await jousting(one)
        there = await other.room(room.id)
        before = time.monotonic()
        right, _ = await tossed(room)
        await wait_until(lambda: there.race_shown_at is not None)
        shown = [room.race_shown_at, there.race_shown_at]  # either worker may be the first to read it
        assert before <= min(shown) <= max(shown) <= time.monotonic()
        async with worker(served) as third:  # changing the worker does not restart the clock
            assert (await third.room(room.id)).race_shown_at is None, "that worker was not there yet when it fell"
            third.clock.started -= 3600
            third.residents.forget([room.id])
            assert before <= (await third.room(room.id)).race_shown_at <= room.race_shown_at
        await play(room, ADA, right, 0.75)
        await wait_until(lambda: there.state.seq == room.state.seq)
        await play(there, BRUNO, right, 0.70)
        assert there.view(None).table.winner == 2
        await wait_until(lambda: matches_log(one, room) and room.state.seq == there.state.seq)
