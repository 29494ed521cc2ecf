"""Bots at a barter take their time independently, and stay as long as people do."""

import asyncio
import contextlib
import random

import pytest

from tavola.live import Hub, Room
from tavola.live.protocol import Play
from tavola.live.room_refusals import StalePrompt
from tavola.live.time.delays import FIRST_GAP, HURRY, LONGEST_DELAY, LONGEST_GAP, LOOKS, SHORTEST_GAP, BarterPaces
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR
from tests.helpers.rooms import ADA, send, start_room, turn_back, wait_until

NEVER = float("inf")


def paces(seed: int = 1) -> BarterPaces:
    made = BarterPaces(random.Random(seed))
    made.begin(100.0)
    return made


def due(made: BarterPaces, seat: int, now: float, left: float = NEVER) -> float:
    return made.due(seat, now, pause=1.0, gap=5.0, left=left)


def test_each_bot_has_its_own_pace_within_bounds():
    dues = [due(made, seat, 100.0) - 100 for made in map(paces, range(50)) for seat in range(3)]
    assert len(set(dues)) == len(dues)
    assert min(dues) >= 5 * FIRST_GAP * SHORTEST_GAP
    assert max(dues) <= max(5 * FIRST_GAP * LONGEST_GAP, LOOKS[1])
    made = paces()
    made.note_act(0, 110.0)
    assert 110 + 5 * SHORTEST_GAP <= due(made, 0, 110.0) <= 110 + 5 * LONGEST_GAP


def test_what_is_new_is_looked_at_first():
    """Even by a bot that has not acted for a long time."""
    made = paces()
    made.note_act(0, 110.0)
    now = 110 + 5 * LONGEST_GAP
    assert now <= due(made, 0, now) <= now + LOOKS[1]
    assert any(due(paces(seed), 0, 104.0) >= 104 + LOOKS[0] for seed in range(9))


def test_news_without_end_does_not_keep_a_bot_from_its_turn():
    made, now = paces(), 100.0
    latest = 100 + (1 + LONGEST_DELAY) * 5 * FIRST_GAP * LONGEST_GAP
    while now < latest and due(made, 0, now) > now:
        now += 0.1
    assert now < latest


def test_bots_hurry_when_the_time_is_nearly_over():
    made = paces()
    unhurried, hurried = due(made, 0, 100.0), due(made, 0, 100.0, left=10.0)
    assert hurried - 100 <= max(HURRY * (unhurried - 100), HURRY * LOOKS[1]) + 1e-6


@pytest.fixture
def hub_settings():
    return {"bot_pause": 0.01, "bot_stay": HOUR, "level": "greedy"}


async def market(hub: Hub) -> Room:
    room = await start_room(hub, (ADA,), game="tournament", level="greedy", patience=0)
    await wait_until(lambda: room.state.match is not None and room.state.match.open)
    return room


async def test_no_bot_leaves_before_its_time_while_a_person_trades(hub: Hub):
    room = await market(hub)
    seats = [seat for seat in range(3) if _others(room) >> seat & 1]
    await wait_until(lambda: room.moments > 27)  # they have offered something
    await wait_until(lambda: all(room.passes(seat) for seat in seats))  # and would leave
    await asyncio.sleep(0.1)
    assert not room.view(None).table.done
    for seat in range(3):
        turn_back(room, seat, HOUR)
    await wait_until(lambda: room.view(None).table.done & 0b111 == _others(room))


async def test_a_bot_that_wants_nothing_of_what_there_is_shakes_its_head_at_once(hub: Hub):
    """It stays, and looks again when something new is offered, so that whispers are answered at once."""
    room = await market(hub)
    mine = room.state.seat_of(ADA.id)
    others = [seat for seat in range(3) if seat != mine]
    await wait_until(lambda: all(room.passes(seat) for seat in others))
    assert not room.view(None).table.done
    assert not room.passes(mine)
    changes = room.presence.changes
    richest = max(others, key=lambda seat: room.view(None).table.purse[seat])  # bots have traded among themselves
    steps = (f"offer {richest}", "ask joker", "charge 10", "publish")
    await send(room, ADA, Play, room.prompt_id(mine), codes=steps)
    await wait_until(lambda: all(room.passes(seat) for seat in others))
    assert room.presence.changes > changes


async def test_where_no_person_trades_any_more_bots_do_not_wait(hub: Hub):
    room = await market(hub)
    await asyncio.sleep(0.3)
    async with asyncio.timeout(PATIENCE):
        while room.state.match.open:
            if (prompt := room.prompt_id(room.state.seat_of(ADA.id))) is not None:
                with contextlib.suppress(StalePrompt):  # a bot has whispered to her meanwhile
                    await send(room, ADA, Play, prompt, codes=("done",))
            await asyncio.sleep(0.05)


def _others(room: Room) -> int:
    seat = room.state.seat_of(ADA.id)
    assert seat is not None
    return 0b111 & ~(1 << seat)
