"""Matches over days at several workers: a room wakes at exactly one of them when a time ends, whoever is gone."""

import asyncio
from collections import Counter

import pytest

from tavola.live import Hub
from tavola.live.time.correspondence import DAY, GRACE
from tests.cluster.test_peers import PEOPLE, struck, workers
from tests.helpers.days import NOON, SiteClock
from tests.helpers.rooms import matches_log, run_in_loop, start_room, wait_until

pytestmark = pytest.mark.process


async def let_all_look(hubs: list[Hub]) -> None:
    """Let workers look at what is due, all at once, as they do by themselves some seconds later."""
    await asyncio.gather(*(hub.look_at_dues() for hub in hubs))


@run_in_loop
async def test_a_room_wakes_at_one_worker_when_its_time_ends_and_at_another_when_that_one_is_gone(served: str):
    clock = SiteClock()
    async with workers(served, clock=clock) as (one, other):
        room = await start_room(one, PEOPLE, days=3, patience=0)
        await wait_until(lambda: room.state.dues.keys() == room.state.open_decisions.keys() != set())
        twin, asked = await other.room(room.id), len(room.state.dues)
        await wait_until(lambda: twin.state.dues == room.state.dues)
        assert room.id in one.leases
        assert room.id not in other.leases

        def said() -> Counter[str]:
            return Counter(event.kind for event in other.store.events(room.id))

        clock.at = NOON + 3 * DAY
        assert other.agenda.due(clock.at) == []
        await let_all_look([one, other])
        await wait_until(lambda: all(due.reminded for due in twin.state.dues.values()))
        assert said()["reminded"] == asked

        await struck(one)
        await wait_until(lambda: room.id in other.leases)
        clock.at += GRACE
        await let_all_look([one, other])
        await wait_until(lambda: said()["taken"] >= asked)
        await wait_until(lambda: matches_log(other, twin))
        assert said()["reminded"] == asked
        assert sum(place.taken_over for place in twin.state.occupants) == said()["taken"]
