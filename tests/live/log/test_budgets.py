"""Limits beside the match are separate by role: what others do never uses up a player's own."""

from pathlib import Path

import pytest

from tavola.live import Hub, Person, Settings
from tavola.live.log import budgets
from tavola.live.log.budgets import Budget
from tavola.live.log.fold import fold
from tavola.live.protocol import Fill, Join, Leave, Mute, Ready, Say
from tavola.live.room_refusals import TooMuch
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    create_room,
    matches_log,
    new_command_id,
    open_hub,
    refused,
    send,
    start_room,
)

WATCHING = [Person(f"w{number}", f"Watcher {number}") for number in range(8)]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch):
    small = {"player": Budget(6), "comer": Budget(3, together=8), "spectator": Budget(5, together=12)}
    monkeypatch.setattr(budgets, "BUDGETS", {**budgets.BUDGETS, **small})


async def use_up(room, person, most=50):
    """Return how often a person can toggle a mute until they are refused."""
    for count in range(most):
        try:
            await send(room, person, Mute, 0, count % 2 == 0)
        except TooMuch:
            return count
    return most


async def test_spectators_use_up_their_own_budget_and_never_a_players(hub: Hub):
    room = await start_room(hub, (ADA, BRUNO), 3, patience=0)
    assert [await use_up(room, person) for person in WATCHING[:4]] == [5, 5, 2, 0], "each of its own, then all"
    await refused(TooMuch, send(room, WATCHING[5], Say, "hello"), "people without a seat")
    assert await use_up(room, BRUNO) == 6
    await refused(TooMuch, send(room, BRUNO, Say, "hello"), "each person can add up to 6")
    for _ in range(3):
        await send(room, ADA, Say, "hello")
    assert len(room.state.chat_log) == 3
    assert matches_log(hub, room)
    assert fold(hub.store.events(room.id)).beside == room.state.beside, "a restart gives nobody more"


async def test_visitors_before_the_match_do_not_use_up_the_hosts_chat_lines(hub: Hub):
    room = await hub.create(ADA, "lifeboats", {"players": 3}, Settings())
    for _ in range(3):
        await room.execute(BRUNO, Join(new_command_id()), origin="one address")
        await send(room, BRUNO, Leave)
    await refused(TooMuch, room.execute(CARLA, Join(new_command_id()), origin="one address"))
    await room.execute(CARLA, Join(new_command_id()), origin="another")
    await send(room, ADA, Say, "hello")
    assert room.state.seat_of(CARLA.id) is not None


async def test_a_command_that_changed_nothing_is_done_when_it_is_sent_again_after_a_restart(path: Path):
    """Its sender was notified of success; as a new command it would be refused."""
    again = Join("again", None)
    async with open_hub(path) as hub:
        room = await create_room(hub, (ADA, BRUNO), 3)
        seq, public = room.state.seq, room.state.public_seq
        await room.execute(BRUNO, again)
        await room.execute(BRUNO, again)
        assert (room.state.seq, room.state.public_seq) == (seq + 1, public), "kept once, and nobody hears of it"
        await room.execute(BRUNO, Ready("ready"))
    async with open_hub(path) as hub:
        room = await hub.room(room.id)
        await send(room, ADA, Fill, "random")
        seq = room.state.seq
        await room.execute(BRUNO, again)
        await room.execute(BRUNO, Ready("ready"))
        assert room.state.seq == seq
