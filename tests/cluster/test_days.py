"""Correspondence matches at several workers: a room wakes at exactly one when a time ends, even if others die.

`python -m tests.cluster.test_days ADDRESS` is a worker that begins such a match and is killed: it reports its room and
the number of open decisions, and turns its clock to each time that it reads.
"""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from tavola.live.correspondence.hours import DAY, GRACE
from tests.cluster.test_peers import worker
from tests.helpers import environment
from tests.helpers.days import NOON, SiteClock
from tests.helpers.postgres import let_die
from tests.helpers.rooms import THREE, matches_log, start_room, wait_until

pytestmark = pytest.mark.process


async def serve(address: str) -> None:
    clock = SiteClock()
    async with worker(address, clock=clock) as hub:
        room = await start_room(hub, THREE, days=3, patience=0, misses=1)
        await wait_until(lambda: room.state.dues.keys() == room.state.open_decisions.keys() != set())
        print(json.dumps([room.id, len(room.state.dues), room.id in hub.leases]), flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            clock.at = float(line)
            await hub.update_deadlines()


@contextlib.contextmanager
def another(address: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.cluster.test_days", address]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, env=environment(NUMBA_DISABLE_JIT="1")) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.kill()


async def test_a_room_wakes_at_one_worker_when_its_time_ends_and_at_another_when_that_one_is_killed(served: str):
    clock = SiteClock()
    async with worker(served, clock=clock) as hub:
        with another(served) as one:
            code, asked, leased = json.loads(await asyncio.to_thread(one.stdout.readline))
            twin = await hub.room(code)
            await wait_until(lambda: len(twin.state.dues) == asked)
            assert leased
            assert code not in hub.leases

            def said() -> Counter[str]:
                return Counter(event.kind for event in hub.store.events(code))

            clock.at = NOON + 3 * DAY
            assert hub.desk.due(clock.at) == []
            one.stdin.write(f"{clock.at}\n")
            one.stdin.flush()
            await hub.update_deadlines()
            await wait_until(lambda: all(due.reminded for due in twin.state.dues.values()))
            assert said()["reminded"] == asked
            one.kill()
        ((owner,),) = hub.store.rows("SELECT owner FROM lease WHERE room = ?", (code,))
        let_die(served, owner)
        await wait_until(lambda: code in hub.leases)
        clock.at += GRACE
        await hub.update_deadlines()
        await wait_until(lambda: sum(place.taken_over for place in twin.state.occupants) == said()["taken"] >= asked)
        assert matches_log(hub, twin)
        assert said()["reminded"] == asked


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
