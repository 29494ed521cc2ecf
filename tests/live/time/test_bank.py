"""The time bank of a seat: it runs after a decision's own seconds, is logged when used, and ends."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavola.core import TimeOut
from tavola.live import Hub, Room
from tavola.live.log.fold import fold
from tavola.live.log.state import State
from tavola.live.protocol import ComeBack, Leave
from tavola.live.time.clocks import DecisionClock, charge, usable_bank
from tests.helpers.days import HOUR, MINUTE
from tests.helpers.rooms import (
    PEOPLE,
    THREE,
    matches_log,
    open_hub,
    play_legal,
    send,
    start_room,
    start_timed,
    turn_back,
    wait_until,
)

OWN, BANK = 1800, 3600
"""Seconds for a decision and in a bank: long, so that the seconds of a slow machine do not matter."""
pytestmark = pytest.mark.hub(bot_pause=HOUR)


def spent(hub: Hub, room: Room) -> list[tuple[str, int, float]]:
    """Return kind, seat and seconds of each logged use of a bank."""
    told = (event for event in hub.store.events(room.id) if "spent" in event.body and "seat" in event.body)
    return [(event.kind, event.body["seat"], event.body["spent"]) for event in told]


async def begin(hub: Hub, **more: Any) -> tuple[Room, int]:
    return await start_timed(hub, PEOPLE, **{"patience": OWN, "bank": BANK, **more})


def seconds_until_end(room: Room, seat: int) -> float:
    return room.caretaker._end(seat, room.caretaker._decision_clocks[seat]) - asyncio.get_running_loop().time()


async def test_a_room_without_a_bank_says_nothing_of_it(hub: Hub):
    room, seat = await begin(hub, bank=0)
    turn_back(room, seat, OWN - MINUTE)
    await play_legal(room, PEOPLE[seat])
    assert all({"bank", "spent"}.isdisjoint(event.body) for event in hub.store.events(room.id))
    assert room.caretaker.bank_begins(room.state.match.to_act[0]) is None


async def test_a_decision_has_its_own_seconds_first_and_what_it_uses_of_the_bank_is_gone(hub: Hub):
    room, seat = await begin(hub)
    begins, ends = room.caretaker.bank_begins(seat), room.caretaker.deadline(seat)
    assert ends - begins == pytest.approx(BANK)
    turn_back(room, seat, OWN - 5 * MINUTE)
    await play_legal(room, PEOPLE[seat])
    assert spent(hub, room) == []
    (following,) = room.state.match.to_act
    turn_back(room, following, OWN + 3000)
    assert not room.state.occupants[following].taken_over
    await play_legal(room, PEOPLE[following])
    ((kind, who, seconds),) = spent(hub, room)
    assert (kind, who) == ("played", following)
    assert 3000 <= seconds < BANK
    assert [room.state.bank_left(each) for each in (following, seat)] == [pytest.approx(BANK - seconds), BANK]
    assert matches_log(hub, room)
    assert fold(hub.store.events(room.id)).bank_spent == room.state.bank_spent


async def test_the_bank_runs_out_a_bot_decides_and_a_returning_player_has_their_own_seconds(hub: Hub):
    room, seat = await begin(hub)
    turn_back(room, seat, OWN + BANK - 0.1)
    room.caretaker.update()
    await wait_until(lambda: room.state.occupants[seat].taken_over)
    assert spent(hub, room) == [("taken", seat, BANK)]
    await send(room, PEOPLE[seat], ComeBack)
    assert (usable_bank(room.state, seat), seconds_until_end(room, seat)) == (0, pytest.approx(OWN, abs=MINUTE))


async def test_what_the_clock_of_a_game_plays_uses_the_bank_up(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    def first_allowed(state: State, seat: int) -> TimeOut:
        return TimeOut(state.game.actions.code(state.view(seat).legal[0]))

    monkeypatch.setattr(State, "time_out", first_allowed)
    room, seat = await begin(hub)
    turn_back(room, seat, OWN + BANK - 0.1)
    room.caretaker.update()
    await wait_until(lambda: seat not in room.state.open_decisions)
    assert (spent(hub, room), room.state.occupants[seat].taken_over) == ([("played", seat, BANK)], False)
    await wait_until(lambda: not room.caretaker._ended)
    assert room.caretaker.bank_spent() == {}


async def test_leaving_and_returning_uses_the_bank_once(hub: Hub):
    room, seat = await begin(hub)
    person = PEOPLE[seat]
    for used in (1200, 900):
        turn_back(room, seat, OWN + used)
        await send(room, person, Leave)
        await send(room, person, ComeBack)
    await send(room, person, Leave)
    await send(room, person, ComeBack)
    left = pytest.approx(BANK - 2100, abs=MINUTE)
    assert (room.state.bank_left(seat), seconds_until_end(room, seat)) == (left, left)


async def test_a_server_that_stops_writes_it_down_and_the_next_goes_on_from_there(path: Path):
    async with open_hub(path) as hub:
        room, seat = await begin(hub)
        turn_back(room, seat, OWN + 900)
    async with open_hub(path) as hub:
        room, left = await hub.room(room.id), pytest.approx(BANK - 900, abs=MINUTE)
        assert (room.state.bank_left(seat), seconds_until_end(room, seat)) == (left, left)
        await play_legal(room, PEOPLE[seat])
        assert room.state.bank_left(seat) == left
        assert matches_log(hub, room)


@pytest.mark.drills("bazaar")
async def test_a_barter_has_none(hub: Hub):
    room = await start_room(hub, THREE, game="bazaar", patience=60, bank=120)
    await wait_until(lambda: room.state.match.open)
    assert [usable_bank(room.state, seat) for seat in room.state.open_decisions] == [0, 0, 0]
    assert [room.caretaker.bank_begins(seat) for seat in range(3)] == [None] * 3


def test_only_the_first_event_that_ends_a_decision_is_charged():
    steps = [("played", {"seat": 0}), ("played", {"seat": 1}), ("played", {"seat": 1}), ("said", {"seat": 2})]
    told = charge(steps, {1: 2.5, 2: 9.0})
    assert (told, charge(steps, {})) == ([steps[0], ("played", {"seat": 1, "spent": 2.5}), *steps[2:]], steps)


@settings(max_examples=50)
@given(st.lists(st.floats(0, 300), max_size=12), st.integers(0, 60), st.integers(0, 600))
def test_no_seat_uses_more_bank_than_it_has(owed: list[float], patience: int, bank: int):
    left = float(bank)
    for seconds in owed:
        used = DecisionClock(0, 0.0, by_person=True).bank_spent(patience, left, min(seconds, patience + left))
        assert 0 <= used <= left + 0.001
        assert used == pytest.approx(max(0.0, min(seconds - patience, left)), abs=0.001)
        left = max(0.0, left - used)
