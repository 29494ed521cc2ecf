"""Sitting out: a player lets a bot decide, watches, comes back at any time, and keeps no one waiting."""

from itertools import pairwise
from pathlib import Path

import pytest

import tavola
from tavola.core import View
from tavola.live import Hub, Room
from tavola.live.commands.play import MOST_SIT_OUTS
from tavola.live.log.fold import fold
from tavola.live.protocol import ComeBack, Fill, Leave, SitOut
from tavola.live.room import Glimpses
from tavola.live.room_refusals import BadSetting, NotPlaying, NotSeated, TooMuch
from tavola.show.cards import words_of
from tavola.show.testing import english_say
from tests.helpers.days import HOUR
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    ask_rematch,
    create_room,
    matches_log,
    open_hub,
    refused,
    send,
    start_room,
    wait_until,
)
from tests.helpers.staged import random_match


@pytest.fixture
def hub_settings():
    return {"bot_pause": HOUR}


async def sit_out(room: Room, person=ADA, show: str = "rounds") -> None:
    await send(room, person, SitOut, show)


async def test_a_bot_decides_until_the_player_returns_and_the_log_records_the_request(hub: Hub):
    room = await create_room(hub, (ADA, BRUNO), 3)
    await refused(NotPlaying, sit_out(room))
    await send(room, ADA, Fill, "random")
    await refused(BadSetting, sit_out(room, show="all"), "rounds, end")
    await refused(NotSeated, sit_out(room, CARLA))
    await sit_out(room)
    place, seq = room.state.occupants[0], room.state.public_seq
    assert (place.taken_over, place.has_left, place.sits_out) == (True, False, "rounds")
    await sit_out(room)
    assert room.state.public_seq == seq
    assert hub.store.events(room.id)[-2].body == {"seat": 0, "show": "rounds"}
    assert room.state.haste == "", "Bruno decides himself"
    await sit_out(room, BRUNO, "end")
    assert room.state.haste == "rounds", "whoever wants to see more is heeded"
    await sit_out(room, ADA, "end")
    assert room.state.haste == "end"
    assert matches_log(hub, room)
    await send(room, ADA, ComeBack)
    assert (place.taken_over, place.sits_out, room.state.haste) == (False, "", "")


async def test_sitting_out_is_announced_and_limited(hub: Hub):
    room = await start_room(hub, (ADA, BRUNO), 3)
    for _ in range(MOST_SIT_OUTS):
        await sit_out(room)
        await send(room, ADA, ComeBack)
    assert [(line.name, line.gesture) for line in room.state.chat_log] == [("Ada", "aside"), ("Ada", "back")] * 3
    await refused(TooMuch, sit_out(room), "3 times in this match")
    await send(room, ADA, Leave)
    await refused(TooMuch, send(room, ADA, ComeBack), "it plays on")
    assert matches_log(hub, room)


async def test_a_match_speeds_up_if_all_sit_out_or_left_but_not_after_a_missed_time_limit(hub: Hub):
    room = await start_room(hub, (ADA, BRUNO), 3)
    await sit_out(room)
    await send(room, BRUNO, Leave)
    assert room.state.haste == "rounds"
    await sit_out(room, BRUNO)
    assert not room.state.occupants[1].has_left, "he is here again, and watches"
    room.state.occupants[1].sits_out = ""  # as if Bruno's time had run out
    assert room.state.haste == ""


async def test_against_bots_only_the_end_is_shown_at_once_and_the_match_counts_as_played(path: Path):
    async with open_hub(path, bot_pause=HOUR, scenes=True) as hub:
        room = await start_room(hub, (ADA,), 3, days=0)
        await sit_out(room, show="end")
        await wait_until(lambda: room.state.phase == "over")
        again = await ask_rematch(hub, room)
        assert again.state.seat_of(ADA.id) == 1
        assert not again.state.occupants[1].bot_decides


async def test_of_each_round_one_scene_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch):
    shown, say = list[str](), english_say(tavola.load("lifeboats"))

    def scene_length(before, after, *_, follows):
        shown.append(words_of(before.game).chapter(before, say))
        return 0

    monkeypatch.setattr("tavola.live.room.scene_length", scene_length)
    async with open_hub(path, scenes=True) as hub:
        room = await start_room(hub, (ADA,), 3)
        await sit_out(room)
        shown.clear()
        await wait_until(lambda: room.state.phase == "over")
        rounds = [f"Round {number}" for number in range(1, room.view(None).table.rounds + 1)]
        assert [*dict.fromkeys(shown)][-len(rounds) :] == rounds
        assert len(shown) <= len(rounds) + 3, "what comes before the first round, and the end"


def test_the_first_turned_cards_of_a_round_are_its_scene_and_with_the_end_there_is_none():
    match = random_match("lifeboats", 3, 8)
    views = [View(match.game, match.states_at(at), None) for at in range(len(match.history) + 1)]
    glimpses, chapter, say = Glimpses(), words_of(match.game).chapter, english_say(match.game)
    admitted = [glimpses.admits("rounds", *pair, None) for pair in pairwise(views)]
    seen = [chapter(view, say) for view, shows in zip(views, admitted, strict=False) if shows]
    assert len(seen) == len(set(seen)) >= 2
    assert not any(Glimpses().admits("end", *pair, None) for pair in pairwise(views))
    assert all(Glimpses().admits("", *pair, None) for pair in pairwise(views))


async def test_a_market_closes_as_soon_as_all_bots_have_done(path: Path):
    async with open_hub(path, bot_pause=1.0, bot_stay=HOUR, level="greedy") as hub:
        room = await start_room(hub, (ADA,), game="tournament", level="greedy", patience=0)
        await wait_until(lambda: room.state.match is not None and room.state.match.open)
        await sit_out(room, show="end")
        await wait_until(lambda: not room.state.match.open)
        assert fold(hub.store.events(room.id)).haste == room.state.haste
