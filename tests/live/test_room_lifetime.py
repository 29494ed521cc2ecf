"""Rooms over time: bots, patience, presence, the end, memory, restarts; and that no secret leaks."""

import asyncio
import gc
import json
import logging
import math
import threading
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tavola
from tavola.core import BadRecord, View
from tavola.live import Hub, HubSettings, Person, Room, Settings
from tavola.live import room_refusals as refusals
from tavola.live.caretaker import BRIEF_FACTOR, LONGEST_LESSON, STEP_FACTOR, pause_left
from tavola.live.protocol import ComeBack, Leave, Play, Ready, Rematch, Say
from tavola.live.responses import state_message
from tavola.live.state_sentences import sentences
from tavola.store import Event, open_store
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR, MINUTE, NOON, SiteClock
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    DARIO,
    PEOPLE,
    THREE,
    alike_rooms,
    create_room,
    finished_room,
    matches_log,
    open_hub,
    play_legal,
    play_to_end,
    play_until_ballot,
    refused,
    run_out,
    send,
    start_room,
    start_timed,
    turn_back,
    vote_in_part,
    wait_until,
)

# Bots


class Watching:
    def __init__(self, choose=lambda view: view.legal[-1]):
        self.views, self._choose = [], choose

    def choose(self, view: View):
        self.views.append(view)
        return self._choose(view)


async def test_bots_decide_a_ballot_on_what_they_saw_when_it_opened(path: Path):
    """A bot that takes over a seat during a ballot sees only what the seats saw at its opening."""
    watching = Watching()
    async with open_hub(path, bots=lambda level, seed: watching) as hub:
        room = await start_room(hub, patience=HOUR)
        await play_until_ballot(room)
        opening = room.moments
        watching.views.clear()
        await play_legal(room, ADA)
        await play_legal(room, BRUNO)
        run_out(room, 2, 3)
        await wait_until(lambda: len(watching.views) >= 2)
        seen = {view.seat: view for view in watching.views[:2]}
        assert seen == {seat: room.view(seat, opening) for seat in (2, 3)}
        assert watching.views[0].table.voted == 0


async def test_a_bot_that_fails_is_replaced(path: Path, caplog: pytest.LogCaptureFixture):
    def failing(view: View):
        raise RuntimeError("out of thoughts")

    caplog.set_level(logging.CRITICAL, "tavola.live.hub")
    async with open_hub(path, bots=lambda level, seed: Watching(failing if seed % 2 else lambda view: -1)) as hub:
        assert (await finished_room(hub, (ADA,), 4)).state.phase == "over"


async def test_a_thinking_bot_delays_no_other_room(path: Path):
    gate, people = threading.Event(), (CARLA, DARIO, Person("e", "Elena"))
    slow = Watching(lambda view: gate.wait(PATIENCE) and view.legal[0])
    async with open_hub(path, bots=lambda level, seed: slow) as hub:
        stuck, free = await start_room(hub, (ADA, BRUNO), 3), await start_room(hub, people)
        for person in (ADA, BRUNO):
            await send(stuck, person, Say, "Take your time")
        for _ in range(10):
            await play_legal(free, people[free.state.match.to_act[0]])
        gate.set()


@pytest.mark.parametrize("thought", [0.0, 0.05, 0.17])
async def test_a_bots_pause_reveals_nothing_of_its_thinking(path: Path, thought):
    """Answers come only after full pauses, however long the bot thinks and however many actions are legal."""

    def slowly(view: View):
        threading.Event().wait(thought)
        return view.legal[0]

    pause = 0.12
    async with open_hub(path, bot_pause=pause, bots=lambda level, seed: Watching(slowly)) as hub:
        room = await start_room(hub, (ADA,), 3, pace="calm")
        times, loop = [], asyncio.get_running_loop()
        room.subscribe(None, lambda seq: times.append(loop.time()))
        while room.moments < 9:
            if room.prompt_id(0) is not None:
                await play_legal(room, ADA)
                continue
            count = len(times)
            state, asked = room.state, room.state.open_decisions
            each = pause * (BRIEF_FACTOR if state.is_brief(asked) else STEP_FACTOR if state.is_mid_turn(asked) else 1)
            await wait_until(lambda count=count: len(times) > count)
            if count:  # otherwise it is not known when the decision opened
                assert times[count] - times[count - 1] >= each * math.ceil(max(thought, each) / each) - 0.02


@given(st.floats(-20, 60), st.floats(0.01, 5))
def test_a_bot_answers_at_full_pauses(thought, pause):
    """They are counted from when the decision was shown, which may still be to come."""
    left = pause_left(thought, pause)
    answered = (thought + left) / pause
    assert answered == pytest.approx(max(1, round(answered)), rel=1e-6)
    assert 0 <= left <= pause * (1 + 1e-9) - min(thought, 0.0)
    assert pause_left(thought, 0.0) == max(0.0, -thought)


# Patience


async def let_bot_take_over(room: Room, seat: int) -> None:
    run_out(room, seat)
    await wait_until(lambda: room.seats[seat].taken_over)


async def test_a_silent_seat_is_taken_over_until_its_person_is_back(hub: Hub, clock: SiteClock):
    room, seat = await start_timed(hub)
    silent = PEOPLE[seat]
    assert room.seats[seat].away
    assert room.caretaker.deadline(seat) == pytest.approx(NOON + HOUR, abs=MINUTE)
    assert room.caretaker.deadline((seat + 1) % 3) is None
    await let_bot_take_over(room, seat)
    assert room.caretaker.deadline(seat) is None
    await wait_until(lambda: room.prompt_id(seat) is None)
    assert room.seats[seat].person == silent
    assert [event.kind for event in hub.store.events(room.id)].count("taken") == 1
    await send(room, silent, ComeBack)
    assert not room.seats[seat].taken_over
    before = room.state.public_seq
    await send(room, silent, ComeBack)
    assert room.state.public_seq == before


@pytest.mark.hub(bot_pause=HOUR)
async def test_playing_takes_the_seat_back(hub: Hub):
    room, seat = await start_timed(hub)
    await let_bot_take_over(room, seat)
    await play_legal(room, PEOPLE[seat])
    assert not room.seats[seat].taken_over
    assert [event.kind for event in hub.store.events(room.id)][-2:] == ["played", "returned"]


@pytest.mark.hub(bot_pause=HOUR)
async def test_the_time_limit_restarts_for_a_returning_player(hub: Hub, clock: SiteClock):
    room, seat = await start_timed(hub)
    await let_bot_take_over(room, seat)
    clock.at += HOUR
    await send(room, PEOPLE[seat], ComeBack)
    assert not room.seats[seat].taken_over
    assert room.caretaker.deadline(seat) == pytest.approx(NOON + 2 * HOUR, abs=MINUTE)
    await let_bot_take_over(room, seat)


@pytest.mark.hub(bot_pause=HOUR)
async def test_the_time_limit_waits_for_the_tutorial_once_a_match(hub: Hub, clock: SiteClock):
    room, seat = await start_timed(hub)
    turn_back(room, seat, HOUR - 0.2)
    room.caretaker.update()
    room.caretaker.begin_lesson(seat)
    assert room.caretaker.deadline(seat) == pytest.approx(NOON + LONGEST_LESSON + HOUR, abs=MINUTE)
    await asyncio.sleep(0.5)
    assert not room.seats[seat].taken_over
    leave = room.subscribe(PEOPLE[seat], lambda seq: None)
    back = room.caretaker.deadline(seat)
    assert back == pytest.approx(NOON + HOUR, abs=MINUTE)
    room.caretaker.begin_lesson(seat)
    assert room.caretaker.deadline(seat) == back, "nobody holds the table up by learning for ever"
    await let_bot_take_over(room, seat)
    leave()


@pytest.mark.hub(bot_pause=HOUR)
async def test_a_returning_player_sees_their_new_deadline(hub: Hub):
    room, seat = await start_timed(hub)
    before = room.caretaker.deadline(seat)
    assert room.caretaker.deadline(seat) == before, "it does not tremble"
    await send(room, PEOPLE[seat], Leave)
    assert room.caretaker.deadline(seat) is None
    await asyncio.sleep(0.01)
    await send(room, PEOPLE[seat], ComeBack)
    anew = room.caretaker.deadline(seat)
    assert anew > before
    for _ in range(2):
        await asyncio.sleep(0.01)
        await send(room, PEOPLE[seat], Leave)
        await send(room, PEOPLE[seat], ComeBack)
    assert room.caretaker.deadline(seat) == anew, "nobody holds the table up for ever by coming and going"


async def test_a_table_goes_on_after_any_failure_of_a_bot(hub: Hub, monkeypatch: pytest.MonkeyPatch, caplog):
    monkeypatch.setattr("tavola.live.caretaker.RETRY", 0.01)
    caplog.set_level(logging.CRITICAL, "tavola.live.caretaker")
    think, failed = hub.bot_processes.think, []

    async def thinks_at_the_second_attempt(room_id, state, level, view: View, bargainer):
        if view.seat not in failed:
            failed.append(view.seat)
            raise OSError("the disk does not answer")
        return await think(room_id, state, level, view, bargainer)

    hub.bot_processes.think = thinks_at_the_second_attempt
    await finished_room(hub, (ADA,), 3)
    assert sorted(failed) == [1, 2]


async def test_stopping_the_server_is_not_a_failure_of_a_bot(path: Path, caplog: pytest.LogCaptureFixture):
    """A bot that would answer just then does not, and no error is logged."""
    async with open_hub(path, bot_pause=0.05) as hub:
        room = await start_room(hub, (ADA,), 3)
        while all(room.seats[seat].person for seat in room.state.open_decisions):
            await play_legal(room, ADA)
        hub.tasks.closing = True
        await asyncio.sleep(0.1)
    assert caplog.text == ""


async def test_a_rematch_whose_code_a_room_at_rest_has_takes_another(hub: Hub):
    room, old = await finished_room(hub, THREE), await create_room(hub, (DARIO,))
    codes = iter([old.id, "talvin"])
    hub.new_code = lambda **_: next(codes)
    await send(room, ADA, Rematch)
    assert room.state.next_room == "talvin"


# Presence


async def test_presence_counts_connections_and_settles(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tavola.live.presence.SETTLING", 0.05)
    room, told = await create_room(hub, (ADA, BRUNO)), []
    room.subscribe(None, told.append)
    first, second = room.subscribe(ADA, told.append), room.subscribe(ADA, lambda seq: None)
    assert [seat.away for seat in room.seats[:2]] == [False, True]
    await wait_until(lambda: told == [room.state.seq] * 2)
    for leave, away in ((first, False), (first, False), (second, True)):
        leave()
        assert room.seats[0].away == away
    leave = room.subscribe(ADA, lambda seq: None)
    await wait_until(lambda: len(told) > 2)
    assert told == [room.state.seq] * 3, "whoever was drawn while a page reloaded is drawn again, once"
    leave()
    await wait_until(lambda: len(told) == 4)


async def test_a_person_does_not_look_while_all_their_pages_are_hidden(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    """The others see it once it has lasted; a page that is visible again, or a connection that ends, is enough."""
    monkeypatch.setattr("tavola.live.presence.SETTLING", 0.01)
    monkeypatch.setattr("tavola.live.presence.NOT_LOOKING", 0.05)
    room = await create_room(hub, (ADA, BRUNO))
    told: list[int] = []
    room.subscribe(None, told.append)
    phone, desk = room.subscribe(ADA, lambda seq: None), room.subscribe(ADA, lambda seq: None)
    presence = room.presence
    for _ in range(2):
        presence.set_hidden(phone, ADA.id, hidden=True)
    await wait_until(lambda: len(told) >= 2)
    assert room.seats[0].looking, "the other page is visible"
    before = len(told)
    presence.set_hidden(desk, ADA.id, hidden=True)
    await wait_until(lambda: not room.seats[0].looking and len(told) > before)
    assert not room.seats[0].away
    before = len(told)
    presence.set_hidden(desk, ADA.id, hidden=False)
    assert room.seats[0].looking
    await wait_until(lambda: len(told) > before)
    presence.set_hidden(phone, ADA.id, hidden=False)
    for leave in (phone, desk):
        leave()
    assert (room.seats[0].away, room.seats[0].looking) == (True, True)


# The end, and rematches


async def test_when_it_is_over_everything_can_be_seen(hub: Hub):
    room, views = await start_room(hub, THREE), {}
    for _ in range(60):
        views[room.moments] = [room.view(seat) for seat in (0, 1, 2, None)]
        await play_legal(room, PEOPLE[room.state.match.to_act[0]])
    assert {at: [room.view(seat, at) for seat in (0, 1, 2, None)] for at in views} == views
    for at in (-1, room.moments + 1):
        with pytest.raises(refusals.UnknownMoment):
            room.view(0, at)
    for at in (0, room.moments + 1):
        with pytest.raises(refusals.UnknownMoment):
            room.state.actor(at)
    await refused(refusals.NotOver, send(room, ADA, Rematch))
    await play_to_end(room, THREE)
    assert room.state.view_for(None, seat=2, at=40) == views[40][2]
    for too_late in ((Play, 0, "lane 1"), (ComeBack,), (Leave,)):
        await refused(refusals.NotPlaying, send(room, ADA, *too_late))
    assert not room.seats[0].taken_over
    record, result = tavola.read_record(str(room.state.record())), room.state.match.result()
    assert (record.names, record.match().result()) == (("Ada", "Bruno", "Carla"), result)
    last = hub.store.events(room.id)[-1]
    assert (last.kind, last.body) == ("over", {"points": list(result.points), "places": list(result.ranks)})
    assert hub.store.rooms(awake=True) == []


async def test_a_rematch_seats_every_player_one_further(hub: Hub):
    room = await finished_room(hub, (ADA, BRUNO), 4, public=False, patience=77)
    await refused(refusals.NotSeated, send(room, DARIO, Rematch))
    await asyncio.gather(*(send(room, person, Rematch) for person in (ADA, BRUNO, ADA)))
    again = await hub.room(room.state.next_room)
    await send(again, BRUNO, Ready)
    seated = [(seat.person, seat.level) for seat in again.seats]
    assert seated == [(None, "random"), (ADA, None), (BRUNO, None), (None, "random")]
    kept = again.state.host, again.state.settings, again.state.options, again.state.phase
    assert kept == (ADA, room.state.settings, room.state.options, "playing")
    assert matches_log(hub, room)
    assert matches_log(hub, again)


async def test_a_record_becomes_a_room(hub: Hub):
    room = await finished_room(hub, THREE)
    text = str(room.state.record())
    copy = await hub.import_record(DARIO, text)
    assert (copy.state.phase, copy.names, copy.state.settings.public) == ("over", ["Ada", "Bruno", "Carla"], False)
    assert (str(copy.state.record()), copy.view(1, 50)) == (text, room.view(1, 50))
    assert hub.store.rooms(awake=True) == []
    await refused(refusals.NotSeated, send(copy, DARIO, Rematch))
    for bad in ("", "game: lifeboats", text.replace("vote", "veto"), text[: len(text) // 2], "x" * 300_000):
        await refused(BadRecord, hub.import_record(DARIO, bad))
    nameless = "\n".join(line for line in text.splitlines() if not line.startswith("names"))
    assert (await hub.import_record(DARIO, nameless)).names == ["P1", "P2", "P3"]


# Memory, restarts, closing


async def test_rooms_at_rest_leave_memory_and_come_back(hub: Hub):
    room = await start_room(hub, THREE, patience=0)
    await play_legal(room, PEOPLE[room.state.match.to_act[0]])
    code, state, seq = room.id, room.state.match.state_bytes(), room.state.seq
    leave = room.subscribe(ADA, lambda seq: None)
    hub.residents.sweep(0)
    assert hub.residents._kept
    leave()
    assert await hub.room(code) is room
    hub.residents.sweep(0)
    assert not hub.residents._kept
    assert await hub.room(code) is room, "who holds a room holds the only one"
    room.close()
    del room, leave
    hub.residents.sweep(0)
    await wait_until(lambda: gc.collect() >= 0 and not hub.residents._rooms)
    again, twin = await asyncio.gather(hub.room(code), hub.room(code))
    assert again is twin
    assert (again.state.seq, again.state.match.state_bytes()) == (seq, state)
    await play_legal(again, PEOPLE[again.state.match.to_act[0]])


async def test_patience_runs_only_while_the_server_does(path: Path, clock: SiteClock):
    async with open_hub(path, clock=clock) as hub:
        room, seat = await start_timed(hub)
        turn_back(room, seat, HOUR / 2)
        assert room.caretaker.deadline(seat) == pytest.approx(NOON + HOUR / 2, abs=MINUTE)
    clock.at += 2 * HOUR
    async with open_hub(path, clock=clock) as hub:
        room = await hub.room(room.id)
        assert room.caretaker.deadline(seat) == pytest.approx(NOON + 3 * HOUR, abs=MINUTE)
        assert not room.seats[seat].taken_over
        await let_bot_take_over(room, seat)


async def test_closing_finishes_what_is_under_way_and_refuses_the_rest(path: Path):
    store = open_store(path)
    hub = await Hub.open(store, HubSettings(bot_pause=0.0, level="random"))
    room = await start_room(hub, THREE)
    move = asyncio.create_task(play_legal(room, PEOPLE[room.state.match.to_act[0]]))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await hub.close()
    await move
    assert len(store.events(room.id)) == room.state.seq
    await refused(refusals.Closing, send(room, ADA, Say, "hello?"))
    await refused(refusals.Closing, hub.create(ADA, "lifeboats", {}, Settings()))
    assert asyncio.all_tasks() == {asyncio.current_task()}, "nothing runs on but this test"
    store.close()


def test_a_level_must_exist():
    with pytest.raises(refusals.BadSetting):
        HubSettings(level="clairvoyant")


async def test_a_room_with_other_rules_is_refused_and_affects_no_other_room(path: Path, caplog):
    caplog.set_level(logging.CRITICAL, "tavola.live.hub")
    async with open_hub(path) as hub:
        room = await start_room(hub, THREE)
        first, *rest = hub.store.events(room.id)
        await hub.store.append("oldold", [Event(1, "created", {**first.body, "version": 99}), *rest])
    async with open_hub(path) as hub:
        assert room.id in hub.residents._kept
        await refused(refusals.OtherRules, hub.room("oldold"), "version 99")


def test_every_refusal_can_be_translated():
    refusal = refusals.FullRoom("seat {seat} is taken", seat=3)
    assert (str(refusal), refusal.message, refusal.values) == ("seat 3 is taken", "seat {seat} is taken", {"seat": 3})
    assert str(refusals.RoomRefusal("{braces} stay")) == "{braces} stay"


async def test_two_rooms_that_differ_in_secrets_look_alike(hub: Hub):
    """Same public course, other votes: another seat and a spectator get the same messages, equally often."""
    rooms = await alike_rooms(hub)
    told = [watched(room) for room in rooms]
    for place, room in enumerate(rooms):
        await vote_in_part(room, place)
        others = [state_message(room, person)["happened"][-1] for person in (CARLA.id, None)]
        assert others == [{"seat": 1, "code": None}] * 2
        assert state_message(room, BRUNO.id)["happened"][-1]["code"] is not None
    assert rooms[0].state.match.state_bytes() != rooms[1].state.match.state_bytes()
    assert told[0] == told[1]
    assert len(told[0]) > 20


def watched(room: Room):
    """Return a list that records every message to Carla and to a spectator, for programs and in sentences."""
    sent = []

    def note(seq, person_id, seat):
        records = {**state_message(room, person_id), "room": "?", "now": seq}
        sent.append(json.dumps((records, sentences(room.state, seat, "en"))))

    room.subscribe(CARLA, partial(note, person_id=CARLA.id, seat=2))
    room.subscribe(None, partial(note, person_id=None, seat=None))
    return sent


async def test_state_messages_name_no_person_id(hub: Hub):
    people = tuple(Person(f"secret-{name}", name) for name in ("Ada", "Bruno", "Carla"))
    room = await start_room(hub, people)
    await send(room, people[0], Say, "hello")
    for viewer in ("secret-Ada", "secret-Bruno", None):
        assert "secret-" not in json.dumps(state_message(room, viewer))
