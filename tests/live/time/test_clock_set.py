"""The machine's clock is set back or forward: deadlines in seconds do not move."""

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tavola.live import Hub
from tavola.live.protocol import Gesture, Join, Remove
from tavola.live.responses import state_message
from tavola.live.time.delays import Suspense
from tavola.live.time.steady import Deadlines, SteadyClock
from tests.helpers.days import HOUR, MINUTE, RunningClock
from tests.helpers.rooms import ADA, BRUNO, PEOPLE, open_hub, send, start_room, start_timed, wait_until
from tests.helpers.rooms import play as choose
from tests.live.talk.test_statements import open_window
from tests.live.time.test_timing import jousting, play

STEPS = (-3600.0, 3600.0)


pytestmark = [pytest.mark.drills("joust"), pytest.mark.hub(suspense=Suspense(0.3, 0.0, 0.3), reading=0.2)]


@pytest.fixture
def clock():
    return RunningClock()


def close_window_in(room, seconds: float) -> float:
    room.state.window.until = room.now + seconds
    return room.window_ends


@pytest.mark.parametrize("step", STEPS)
async def test_a_talk_window_closes_after_its_seconds(hub: Hub, step, clock: RunningClock):
    room = await open_window(hub)
    before = room.moments
    await choose(room, 2, "vote black")
    ends = close_window_in(room, 0.5)
    clock.ahead = step
    told = state_message(room, None)["talk_until"] - clock()  # it cannot close before: nothing is awaited
    assert told == pytest.approx(ends - time.monotonic(), abs=MINUTE)
    await wait_until(lambda: room.state.window is None)
    assert time.monotonic() >= ends
    assert room.moments == before + 1


@pytest.mark.parametrize("step", STEPS)
async def test_a_talk_window_in_the_log_is_open_no_longer_than_it_may_be(path: Path, step, clock: RunningClock):
    async with open_hub(path, clock=clock) as hub:
        room = await open_window(hub, window=60)
    clock.ahead = step
    async with open_hub(path, clock=clock) as hub:
        room, now = await hub.room(room.id), time.monotonic()
        assert step > 0 or now < room.window_ends <= now + 60 + MINUTE
        close_window_in(room, 0.0)
        await wait_until(lambda: room.state.window is None)


@pytest.mark.parametrize("step", STEPS)
async def test_what_chance_holds_falls(hub: Hub, step, clock: RunningClock):
    room = await jousting(hub)
    await play(room, ADA, "done")
    await play(room, BRUNO, "done")
    await wait_until(lambda: room.state.held_until is not None)
    clock.ahead = step
    await wait_until(lambda: room.view(None).table.tossed)


@pytest.mark.parametrize("step", STEPS)
async def test_patience_lasts_as_long_as_it_did_and_pages_tell_it(path: Path, step, clock: RunningClock):
    async with open_hub(path, clock=clock) as hub:
        room, seat = await start_timed(hub)
        before = room.caretaker.deadline(seat)
        assert room.caretaker.deadline(seat) == before, "it is the same each time"
        clock.ahead = step
        assert room.caretaker.deadline(seat) == pytest.approx(before + step, abs=MINUTE)
    async with open_hub(path, clock=clock) as hub:
        room = await hub.room(room.id)
        assert clock() < room.caretaker.deadline(seat) <= clock() + HOUR + 1


async def test_setting_the_clock_back_refuses_no_one_for_an_hour(hub: Hub, clock: RunningClock):
    room = await start_room(hub, PEOPLE)
    await send(room, BRUNO, Gesture, "praise")
    other = await hub.create(ADA, "lifeboats", {"players": 3}, room.state.settings)
    await send(other, BRUNO, Join)
    await send(other, ADA, Remove, 1)
    clock.ahead = -3600.0
    await send(room, BRUNO, Gesture, "thanks")
    await send(other, BRUNO, Join)
    assert other.state.seat_of(BRUNO.id) == 1


def test_a_process_that_is_stopped_between_two_looks_at_clocks_moves_no_deadline(monkeypatch: pytest.MonkeyPatch):
    steady, wall = iter([100.0, 200.0, 205.0, 300.0, 300.0]), iter([1_000.0, 1_100.0, 1_207.5])
    monkeypatch.setattr("tavola.live.time.steady.time", SimpleNamespace(monotonic=lambda: next(steady)))
    clock = SteadyClock(lambda: next(wall), lambda: 0.0)
    assert clock.wall_at(150.0) == 1_050.0, "five seconds passed between the looks, and nobody has set the clock"
    assert clock.wall_at(150.0) == 1_057.5, "it was set by seven and a half"


def test_deadlines_are_translated_once_within_their_bound():
    now = [9000.0]
    clock = SteadyClock(lambda: now[0])
    deadlines = Deadlines(clock)
    before, moment = time.monotonic(), deadlines.moment("window", 9015.0, 15.0)
    assert before + 15 <= moment <= time.monotonic() + 15
    now[0] -= 3600
    assert deadlines.moment("window", 9015.0, 15.0) == moment
    assert deadlines.shown("window", 9015.0, 15.0) == pytest.approx(9015 - 3600, abs=MINUTE)
    assert Deadlines(clock).moment("window", 9015.0, 15.0) <= time.monotonic() + 15
    assert deadlines.moment("window", 0.0, 15.0) <= time.monotonic()
    assert (clock.elapsed(9000.0), clock.left(9015.0, 15.0)) == (None, 15.0)
