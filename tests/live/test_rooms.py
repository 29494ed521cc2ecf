"""Rooms: what people may do in them, what is sent to them, what survives."""

import asyncio
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavola.core import BadOption, IllegalAction, UnknownGame
from tavola.live import Hub, Person, Room, Settings
from tavola.live import room_refusals as refusals
from tavola.live.log.fold import fold
from tavola.live.log.people import clean_name
from tavola.live.protocol import AddBot, Gesture, Join, Leave, Play, Remove, Report, Say, Start, Swap
from tavola.store import Conflict, WriteFailed
from tests.helpers.days import SiteClock
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    DARIO,
    PEOPLE,
    THREE,
    create_room,
    matches_log,
    new_command_id,
    play_legal,
    play_to_end,
    play_until_ballot,
    refused,
    send,
    start_room,
    wait_until,
)
from tests.store.conftest import held_up

in_both = pytest.mark.parametrize("path", ["sqlite", "postgresql"], indirect=True)
"""For tests of what a room makes of its store, once with each kind of database."""


@pytest.fixture
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    if getattr(request, "param", "") == "postgresql":
        return request.getfixturevalue("postgres").new_database()
    return tmp_path / "tavola.sqlite"


@pytest.fixture
def room(runner: asyncio.Runner, hub: Hub):
    return runner.run(start_room(hub))


# Gathering


async def test_a_room_gathers_people_and_begins(hub: Hub):
    room = await hub.create(ADA, "lifeboats", {"players": 3, "moves": "4"}, Settings())
    assert (room.state.phase, room.state.options["moves"], room.state.match) == ("gathering", "4", None)
    assert (room.state.host, room.state.seat_of(ADA.id), room.names) == (ADA, 0, ["Ada", "", ""])
    await send(room, BRUNO, Join, seat=2)
    await refused(refusals.FreeSeats, send(room, ADA, Start), "free: 1")
    await send(room, ADA, AddBot, "greedy")
    assert room.names == ["Ada", room.seats[1].member.name, "Bruno"]
    await refused(refusals.NotHost, send(room, BRUNO, Start), "Ada")
    await send(room, ADA, Start)
    assert room.state.phase == "playing"
    await refused(refusals.NotGathering, send(room, CARLA, Join))


async def test_seats_are_found_moved_to_and_freed(hub: Hub):
    room = await create_room(hub, (ADA, BRUNO), 4)
    await refused(refusals.FullRoom, send(room, CARLA, Join, seat=0), "seat 1 is taken")
    for nowhere in (-1, 4, 10**30):
        await refused(refusals.NotSeated, send(room, CARLA, Join, seat=nowhere))
    await send(room, ADA, Remove, 3)
    await send(room, BRUNO, Join, seat=3)
    assert room.names == ["Ada", "", room.seats[2].member.name, "Bruno"]
    before = room.state.public_seq
    await send(room, BRUNO, Join)
    assert room.state.public_seq == before
    await send(room, CARLA, Join)
    await refused(refusals.FullRoom, send(room, DARIO, Join), "all 4 seats")
    await refused(refusals.FullRoom, send(room, ADA, AddBot, "random"))
    await refused(refusals.BadSetting, send(room, ADA, AddBot, "clairvoyant"), "random, greedy")
    await send(room, BRUNO, Leave)
    await refused(refusals.NotSeated, send(room, BRUNO, Leave))
    await refused(refusals.NotSeated, send(room, ADA, Remove, 3))


async def test_two_change_places_before_a_match(hub: Hub):
    """People and bots, the host too, who stays the host; the log has only events that every release knows."""
    room = await create_room(hub, (ADA, BRUNO, CARLA), players=5)
    expected = [place.person or place.member for place in room.state.occupants]
    for seat, other in ((0, 1), (3, 0), (2, 3), (3, 4), (4, 2)):
        await send(room, ADA, Swap, seat, other)
        expected[seat], expected[other] = expected[other], expected[seat]
        assert [place.person or place.member for place in room.state.occupants] == expected
        assert room.state.host == ADA
    assert matches_log(hub, room)
    assert {event.kind for event in hub.store.events(room.id)} == {"created", "joined", "bot"}
    await send(room, ADA, Swap, 1, 1)
    assert [place.person or place.member for place in room.state.occupants] == expected
    await refused(refusals.NotHost, send(room, BRUNO, Swap, 0, 1))
    await refused(refusals.NotSeated, send(room, ADA, Swap, 0, 5))
    await send(room, CARLA, Leave)
    await refused(refusals.NotSeated, send(room, ADA, Swap, room.state.seat_of(ADA.id), room.state.free_seats[0]))


async def test_the_next_person_becomes_host_when_the_host_leaves(hub: Hub):
    room = await create_room(hub, THREE)
    await send(room, ADA, Leave)
    assert room.state.host == BRUNO
    await send(room, BRUNO, Leave)
    await send(room, CARLA, Leave)
    assert hub.open_rooms() == []
    await send(room, DARIO, Join)
    assert room.state.host == DARIO


async def test_the_list_of_open_rooms(hub: Hub):
    first, second = await create_room(hub, (ADA,), 3), await create_room(hub, (BRUNO,), 3)
    await create_room(hub, (CARLA,), 3, public=False)
    await start_room(hub, (DARIO,), 3)
    assert [table.code for table in hub.open_rooms()] == [second.id, first.id]


async def test_a_code_finds_its_room_however_it_is_typed(hub: Hub):
    room = await create_room(hub)
    assert re.fullmatch("[A-Za-z]{6}", room.id)
    assert await hub.room(f" {room.id.upper()} ") is room
    for nothing in ("", "nobody", room.id + "x", "' OR 1=1", "\x00", "è" * 5000):
        await refused(refusals.UnknownRoom, hub.room(nothing))


async def test_what_cannot_be_created(hub: Hub):
    await refused(UnknownGame, hub.create(ADA, "chess", {}, Settings()))
    await refused(BadOption, hub.create(ADA, "lifeboats", {"players": 40}, Settings()))
    await refused(refusals.BadName, hub.create(Person("a", " \u200b "), "lifeboats", {}, Settings()))
    assert hub.store.rooms() == []


# Names and chat


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("A\u202eda\u200b\x00\x1b[31m", "Ada[31m"),
        ("<b>Ada</b>", "<b>Ada</b>"),
        ("e\u0301", "é"),
        ("Ada\nBruno", "Ada Bruno"),
        ("👨‍👩‍👧" * 24, "👨‍👩‍👧" * 24),
    ],
)
def test_names_are_cleaned(given, read):
    assert clean_name(given) == read


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u202e", "x" * 25, "\ud800", "👨‍👩‍👧" * 25])
def test_names_that_are_none(name):
    with pytest.raises(refusals.BadName, match="1 to 24"):
        clean_name(name)


@given(st.text(max_size=40))
def test_a_clean_name_stays_clean(name):
    try:
        cleaned = clean_name(name)
    except refusals.BadName:
        return
    assert clean_name(cleaned) == cleaned


async def test_equal_names_get_a_number(hub: Hub):
    room = await create_room(hub, (ADA, Person("x", "ada"), Person("y", "ADA")))
    assert room.names == ["Ada", "ada 2", "ADA 3"]
    await send(room, Person("z", "aDA"), Say, "I only watch")
    assert room.state.chat_log[-1].name == "aDA 4"


async def test_chat_is_kept_and_limited(hub: Hub):
    room = await create_room(hub, (ADA, BRUNO))
    await send(room, ADA, Say, "Hello  \u202e<i>there</i>")
    await send(room, CARLA, Say, "I only watch")
    said = [(line.name, line.seat, line.text) for line in room.state.chat_log]
    assert said == [("Ada", 0, "Hello <i>there</i>"), ("Carla", None, "I only watch")]
    for text in ("", "\u200b", "x" * 301):
        await refused(refusals.BadText, send(room, BRUNO, Say, text))
    for _ in range(4):
        await send(room, ADA, Say, "x" * 300)
    await refused(refusals.TooFast, send(room, ADA, Say, "once more"), "5 lines in 10 seconds")
    await send(room, BRUNO, Say, "I may")
    assert fold(hub.store.events(room.id)).chat_log == room.state.chat_log


async def test_gestures_are_six_and_shown_every_five_seconds(hub: Hub, clock: SiteClock):
    room = await create_room(hub, (ADA, BRUNO))
    await send(room, ADA, Gesture, "praise")
    await refused(refusals.TooFast, send(room, ADA, Gesture, "laugh"), "only one gesture every 5 seconds")
    await send(room, CARLA, Gesture, "laugh")
    six = "gestures: praise, thanks, laugh, wonder, sorry, remember"
    await refused(refusals.BadSetting, send(room, BRUNO, Gesture, "rude"), six)
    clock.at += 5
    await send(room, ADA, Gesture, "sorry")
    shown = [(line.name, line.seat, line.text, line.gesture) for line in room.state.chat_log]
    assert shown == [("Ada", 0, "", "praise"), ("Carla", None, "", "laugh"), ("Ada", 0, "", "sorry")]
    assert fold(hub.store.events(room.id)).chat_log == room.state.chat_log
    for _ in range(3):
        await send(room, ADA, Say, "words count together with them")
    await refused(refusals.TooFast, send(room, ADA, Say, "once more"), "5 lines in 10 seconds")


class Refusing:
    """Wraps a store's append, and fails the next `times` calls, before or after the commit."""

    def __init__(self, hub: Hub, times, failure: Exception, *, after=False):
        self.append, self.times, self.failure, self.after = hub.store.append_batches, times, failure, after
        hub.store.append_batches = self

    async def __call__(self, batches, lease=None):
        self.times -= 1
        if self.times < 0 or self.after:
            await self.append(batches, lease=lease)
        if self.times >= 0:
            raise self.failure


@in_both
async def test_a_line_is_spent_once_however_often_others_are_faster(hub: Hub):
    room = await create_room(hub, (ADA, BRUNO))
    Refusing(hub, 6, Conflict("somebody was faster"))
    await send(room, ADA, Say, "hello")
    for _ in range(4):
        await send(room, ADA, Say, "more")
    await refused(refusals.TooFast, send(room, ADA, Say, "once more"))
    assert [line.text for line in room.state.chat_log] == ["hello", *["more"] * 4]


async def test_a_line_that_is_refused_or_sent_again_spends_nothing(hub: Hub):
    room = await create_room(hub, (ADA, BRUNO))
    for _ in range(6):
        await refused(refusals.BadText, send(room, ADA, Say, ""))
        await refused(refusals.NotSeated, send(room, ADA, Report, 1))
    hello = Say(new_command_id(), "hello")
    for _ in range(6):
        await room.execute(ADA, hello)
    for _ in range(4):
        await send(room, ADA, Say, "more")
    assert len(room.state.chat_log) == 5


async def test_memory_keeps_the_last_lines_only(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tavola.live.log.fold.CHAT_KEPT", 3)
    room = await create_room(hub, (ADA,), 3)
    for number in range(5):
        await send(room, Person(f"p{number}", "Passer-by"), Say, f"line {number}")
    assert [line.text for line in room.state.chat_log] == ["line 2", "line 3", "line 4"]
    assert [event.kind for event in hub.store.events(room.id)].count("said") == 5


# Playing


async def test_moves_are_checked_and_sent_to_subscribers(room: Room):
    told = []
    room.subscribe(None, told.append)
    seat = room.state.match.to_act[0]
    actor, other, prompt = PEOPLE[seat], PEOPLE[(seat + 1) % 4], room.prompt_id(seat)
    await refused(refusals.StalePrompt, send(room, other, Play, 0, "lane 1"))
    await refused(refusals.StalePrompt, send(room, actor, Play, prompt + 1, "lane 1"))
    await refused(IllegalAction, send(room, actor, Play, prompt, "vote red"), "expected lane 1, lane 2")
    await refused(IllegalAction, send(room, actor, Play, prompt, "\ud800 <script>"), "not an action of this game")
    await refused(refusals.NotSeated, send(room, Person("zoe", "Zoe"), Play, prompt, "lane 1"))
    before = room.state.seq
    assert told == []
    await send(room, actor, Play, prompt, "LANE  1")
    assert told == [before + 1] == [room.state.seq]
    assert room.state.actor(room.moments) == seat


@in_both
async def test_a_command_is_carried_out_once(hub: Hub, room: Room):
    seat = room.state.match.to_act[0]
    actor = PEOPLE[seat]
    for _ in range(3):
        await room.execute(actor, Play("same", 0, "lane 3"))
    await asyncio.gather(*(room.execute(actor, Play("same", 0, "lane 3")) for _ in range(5)))
    assert room.moments == 2
    assert [event.command_id for event in hub.store.events(room.id)].count(f"{actor.id}/same") == 1
    await asyncio.gather(*(room.execute(actor, Say("said", "hello")) for _ in range(4)))
    assert (len(room.state.chat_log), room.state.decision_counts[seat]) == (1, 1)


async def test_command_ids_are_each_persons_own(hub: Hub):
    """No one can make another's command vanish by using its id first."""
    room = await create_room(hub, THREE)
    await room.execute(BRUNO, Say("1", "mine"))
    await room.execute(ADA, Say("1", "mine too"))
    assert len(room.state.chat_log) == 2
    for bad in ("", "a b", "b/1", "é", "x" * 65):
        await refused(refusals.BadSetting, room.execute(ADA, Say(bad, "hello")))


@in_both
async def test_simultaneous_votes_all_succeed(room: Room):
    await play_until_ballot(room)
    told, first, prompts = [], room.state.seq, [room.prompt_id(seat) for seat in range(4)]
    room.subscribe(None, told.append)
    codes = [room.state.game.actions.code(room.view(seat).legal[seat]) for seat in range(4)]
    await asyncio.gather(*(send(room, PEOPLE[seat], Play, prompts[seat], codes[seat]) for seat in range(4)))
    assert told == [first + 1, first + 2, first + 3, first + 4]
    assert sorted(room.state.actor(at) for at in range(room.moments - 3, room.moments + 1)) == [0, 1, 2, 3]


async def test_votes_stay_hidden_from_other_seats(room: Room):
    await play_until_ballot(room)
    await play_legal(room, ADA, 2)
    assert room.view(0).hand.card > 0
    for seat in (1, 2, 3, None):
        assert not any(room.view(seat).states["hand"].tobytes())
    with pytest.raises(refusals.NotOver):
        room.state.record()
    for viewer in (BRUNO.id, None):
        with pytest.raises(refusals.NotOver):
            room.state.view_for(viewer, seat=0)
    with pytest.raises(refusals.NotSeated):
        room.state.view_for(BRUNO.id, seat=7)
    assert (room.state.view_for(ADA.id).seat, room.state.view_for(DARIO.id, seat=3)) == (0, room.view(3))
    assert room.state.view_for("somebody") == room.view(None)


@in_both
async def test_rooms_do_not_wait_for_each_other(hub: Hub):
    slow, quick = await start_room(hub), await start_room(hub)
    append, gate = hub.store.append_batches, asyncio.Event()

    async def held(batches, lease=None):
        if batches[0][0] == slow.id:
            await gate.wait()
        await append(batches)

    hub.store.append_batches = held
    waiting = asyncio.create_task(play_legal(slow, PEOPLE[slow.state.match.to_act[0]]))
    for _ in range(5):
        await play_legal(quick, PEOPLE[quick.state.match.to_act[0]])
    assert not waiting.done()
    gate.set()
    await waiting


@in_both
async def test_many_rooms_share_commits(hub: Hub):
    rooms = [await start_room(hub) for _ in range(12)]
    async with held_up(hub.store, 12) as commits:
        moves = asyncio.gather(*(play_legal(room, PEOPLE[room.state.match.to_act[0]]) for room in rooms))
    await moves
    assert sum(commits) == 12
    assert len(commits) <= 4, commits


FULL = WriteFailed("the disk is full")


@in_both
async def test_a_failed_commit_changes_nothing(hub: Hub, room: Room):
    seat, told = room.state.match.to_act[0], []
    actor, before = PEOPLE[seat], (room.state.seq, room.state.match.state_bytes(), room.prompt_id(seat))
    room.subscribe(actor, told.append)
    Refusing(hub, 1, FULL)
    await refused(WriteFailed, play_legal(room, actor, command_id="again"))
    assert (room.state.seq, room.state.match.state_bytes(), room.prompt_id(seat), told) == (*before, [])
    await play_legal(room, actor, command_id="again")
    assert (room.state.seq, told) == (before[0] + 1, [before[0] + 1])
    assert matches_log(hub, room)


@in_both
async def test_a_commit_reported_as_failed_but_on_disk_counts_once(hub: Hub, room: Room):
    actor = PEOPLE[room.state.match.to_act[0]]
    Refusing(hub, 1, FULL, after=True)
    await refused(WriteFailed, play_legal(room, actor, command_id="again"))
    await play_legal(room, actor, command_id="again")
    assert room.moments == 2
    assert matches_log(hub, room)


@in_both
async def test_a_bots_answer_is_given_again_when_the_disk_failed(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tavola.live.caretaker.RETRY", 0.01)
    room = await start_room(hub, (ADA,), 3)
    await wait_until(lambda: room.prompt_id(0) is not None)
    await play_legal(room, ADA)
    Refusing(hub, 3, FULL)
    await wait_until(lambda: room.prompt_id(0) is not None)
    await play_to_end(room, (ADA,))
    assert room.state.phase == "over"
    assert matches_log(hub, room)


@in_both
async def test_a_command_is_carried_out_even_if_its_caller_disconnects(hub: Hub, room: Room):
    """A page is closed during its command: the command is carried out, memory and disk agree."""
    for moments in range(2, 8):
        task = asyncio.create_task(play_legal(room, PEOPLE[room.state.match.to_act[0]]))
        await asyncio.sleep(0.0005)
        task.cancel()
        await wait_until(lambda moments=moments: room.moments == moments)
    assert matches_log(hub, room)
