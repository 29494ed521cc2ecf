"""The talk window of a ballot: choices are stored, can be changed, and are played when all have talked enough."""

import asyncio
from pathlib import Path

import pytest

from tavola.core import IllegalAction
from tavola.live import Hub, Room
from tavola.live.protocol import Enough, Leave
from tavola.live.responses import state_message, state_text
from tavola.live.room_refusals import StalePrompt
from tests.helpers.days import SiteClock
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    DARIO,
    PEOPLE,
    matches_log,
    open_hub,
    play,
    refused,
    send,
    start_room,
    wait_until,
)


@pytest.fixture
def hub_settings(clock: SiteClock):
    return {"clock": clock}


async def ballot(hub, window: int = 60, bots: int = 0) -> Room:
    """Return a room of four at the first ballot of Lifeboats, with its window open; the last `bots` seats are bots."""
    room = await start_room(hub, PEOPLE[: 4 - bots], 4, patience=0, window=window)
    while len(room.state.match.to_act) < 4:
        seat = room.state.match.to_act[0]
        if seat < 4 - bots:
            await play(room, seat, room.state.match.legal_codes(seat)[0])
        await asyncio.sleep(0.002)
    await wait_until(lambda: room.state.window is not None)
    return room


async def enough(room: Room, *people) -> None:
    for person in people:
        await send(room, person, Enough)


async def test_choices_may_be_changed_until_all_have_talked_enough(hub: Hub):
    room = await ballot(hub)
    before = room.moments
    await play(room, 0, "vote red")
    await play(room, 0, "vote green")
    for seat in (1, 2, 3):
        await play(room, seat, "vote black")
    assert room.moments == before, "nothing is played while it is open"
    await enough(room, ADA, BRUNO, CARLA)
    assert room.state.window.enough == {0, 1, 2}
    await enough(room, DARIO)
    assert room.state.window is None
    cast = [room.state.game.actions.code(number) for _, number in room.state.match.history[before : before + 4]]
    assert cast == ["vote green", "vote black", "vote black", "vote black"]
    assert matches_log(hub, room)


async def test_pending_choices_are_invisible_to_others(hub: Hub):
    room, told = await ballot(hub), []
    room.subscribe(BRUNO, told.append)
    before = [state_text(room, person and person.id) for person in (None, BRUNO)]
    await play(room, 0, "vote red")
    await play(room, 0, "vote green")
    assert [state_text(room, person and person.id) for person in (None, BRUNO)] == before
    assert told == []
    await enough(room, ADA)
    assert told != []


async def test_its_end_plays_what_lies_ready_and_leaves_the_others_to_decide(hub: Hub):
    room = await ballot(hub)
    before = room.moments
    await play(room, 2, "vote black")
    assert state_message(room, None)["talk_until"] == room.state.window.until
    room.state.window.until = 0.0
    await wait_until(lambda: room.state.window is None)
    assert (room.moments, state_message(room, None)["talk_until"]) == (before + 1, None)
    await play(room, 0, "vote red")
    assert room.moments == before + 2
    await refused(StalePrompt, enough(room, BRUNO))


async def test_bots_wait_for_the_talk_window_and_absent_players_delay_no_one(hub: Hub):
    room = await ballot(hub, bots=2)
    before = room.moments
    await asyncio.sleep(0.1)
    assert room.moments == before
    await send(room, BRUNO, Leave)
    await play(room, 0, "vote red")
    await enough(room, ADA)
    await wait_until(lambda: room.moments >= before + 4)


async def test_a_window_opens_once_a_ballot_and_survives_a_restart(tmp_path: Path):
    async with open_hub(tmp_path / "rooms.sqlite", clock=SiteClock()) as hub:
        room = await ballot(hub)
        await play(room, 0, "vote red")
        until, code = room.state.window.until, room.id
    async with open_hub(tmp_path / "rooms.sqlite", clock=SiteClock()) as hub:
        room = await hub.room(code)
        assert (room.state.window.until, room.state.window.chosen) == (until, {0: "vote red"})
        await enough(room, *PEOPLE)
        windows = [event for event in hub.store.events(code, 0) if event.kind == "window"]
        assert len(windows) == 1


async def test_what_the_rules_do_not_allow_is_refused_at_once(hub: Hub):
    room = await ballot(hub)
    await refused(IllegalAction, play(room, 0, "vote white"))
    assert room.state.window.chosen == {}
