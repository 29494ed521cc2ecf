"""At the table: who the bots are, what is shown before anybody acts, rematches that wait, matches one comes back to."""

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavola.core import CHANCE
from tavola.live import BadSetting, FullRoom, NotReady, Settings
from tavola.live.answers import state_message
from tavola.live.caretaker import Caretaker, rest
from tavola.live.cast import CAST, drawn_from_cast
from tavola.live.people import PACES
from tavola.live.protocol import AddBot, Fill, Join, Leave, Ready, Rematch, Start
from tavola.show import board
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    DARIO,
    PEOPLE,
    decide,
    eventually,
    fresh,
    gathered,
    in_loop,
    opened,
    played_out,
    playing,
    same,
    until_ballot,
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tavola.sqlite"


# The cast


@in_loop
async def test_every_bot_of_a_room_is_somebody_else(path):
    async with opened(path) as hub:
        for _ in range(5):
            room = await hub.create(BRUNO, "voyage", {"players": 7}, Settings())
            await room.do(BRUNO, Fill(fresh(), "random"))
            members = [seat.member for seat in room.seats[1:]]
            assert len(set(members)) == 6
            assert "Bruno" not in [member.name for member in members], "a bot is never called as a person at the table"
            assert room.names == ["Bruno", *(member.name for member in members)]
            assert same(hub, room)
            tempers = [seat["temper"] for seat in state_message(room, None)["seats"]]
            assert tempers == [None, *(member.temper for member in members)]


def test_who_is_drawn_when_all_are_there():
    names = {member.name for member in CAST}
    assert len(names) == len({member.face for member in CAST}) == len({member.temper for member in CAST}) == 8
    assert drawn_from_cast(names - {"Pia"}).name == "Pia"
    assert drawn_from_cast(names) in CAST


@in_loop
async def test_a_bot_is_the_same_in_the_next_match_and_in_the_record(path):
    async with opened(path) as hub:
        room = await playing(hub, (ADA,), 3)
        await played_out(room, (ADA,))
        await room.do(ADA, Rematch(fresh()))
        again = await hub.room(room.state.next_room)
        assert sorted(again.names) == sorted(room.names)
        assert room.record().names == tuple(room.names)


# Scenes


def showing(monkeypatch, **verbs):
    """Let scenes last so many milliseconds by verb; what was asked of them."""
    asked = []

    def length(before, after, played, pace):
        asked.append((before, after, played, pace))
        return verbs.get(played.verb if played else "secret", 0)

    monkeypatch.setattr("tavola.live.room.scene_length", length)
    return asked


def test_paces_are_those_of_scenes():
    assert set(PACES) == set(board.PACES)
    with pytest.raises(BadSetting, match="calm, brisk"):
        Settings(pace="hectic")


@in_loop
async def test_bots_answer_when_what_was_played_has_been_shown(path, monkeypatch):
    showing(monkeypatch, lane=400)
    async with opened(path, scenes=True, bot_pause=0.05) as hub:
        room = await gathered(hub, (ADA,), 3)
        times = []
        room.subscribe(None, lambda seq: times.append((room.moments, time.monotonic())))
        await room.do(ADA, Start(fresh()))
        while room.moments < 4:
            if room.prompt_id(0) is not None:
                await decide(room, ADA)
            await asyncio.sleep(0.01)
        at = dict(reversed(times))
        for moment in (2, 3, 4):
            if room.actor(moment) != 0 and moment > 2:
                assert at[moment] - at[moment - 1] >= 0.45 - 0.01


@in_loop
async def test_a_bot_pauses_less_before_the_later_steps_of_its_turn(path, monkeypatch):
    """The default is 0.8 seconds before the first, and three tenths before each that follows, chance in between."""
    rested, following = Caretaker._rest, 0.3 / 0.8
    pauses = []

    async def resting(caretaker, pause):
        room = caretaker._room
        decided = [seat for seat, _ in room.state.match.history if seat != CHANCE]
        pauses.append(((decided or [None])[-1], room.state.match.to_act, pause.seconds))
        await rested(caretaker, pause._replace(seconds=0))

    monkeypatch.setattr(Caretaker, "_rest", resting)
    async with opened(path, bot_pause=0.8) as hub:
        room = await hub.create(ADA, "fairies", {"players": 3, "rounds": 1}, Settings())
        for _ in range(2):
            await room.do(ADA, AddBot(fresh(), "random"))
        await room.do(ADA, Start(fresh()))
        await played_out(room, (ADA,))
    first = {seconds for last, asked, seconds in pauses if asked != (last,)}
    later = {seconds for last, asked, seconds in pauses if asked == (last,)}
    assert first == {0.8}
    assert [*later] == [pytest.approx(0.8 * following, abs=0.03)]


@in_loop
async def test_clocks_start_when_it_has_been_shown_and_nobody_is_refused_meanwhile(path, monkeypatch):
    showing(monkeypatch, lane=5000)
    async with opened(path, scenes=True) as hub:
        room = await playing(hub, PEOPLE, patience=60)
        for waiting in range(3):
            seat = room.state.match.to_act[0]
            due = room.caretaker.until(seat)
            assert due == pytest.approx(time.time() + 5 * waiting + 60, abs=1)
            await decide(room, PEOPLE[seat])
        assert room.scene_until == pytest.approx(time.monotonic() + 15, abs=1)


@in_loop
async def test_patience_is_whole_after_a_scene(path, monkeypatch):
    showing(monkeypatch, lane=1500)
    async with opened(path, scenes=True, bot_pause=30.0) as hub:
        room = await playing(hub, (ADA, BRUNO, CARLA), patience=1)
        await decide(room, PEOPLE[room.state.match.to_act[0]])
        seat, before = room.state.match.to_act[0], time.monotonic()
        await eventually(lambda: room.seats[seat].taken_over)
        assert time.monotonic() - before >= 2.4


@in_loop
async def test_what_is_shown_depends_on_nothing_secret(path, monkeypatch):
    """The same public course, other votes: the length of scenes is asked with the same."""
    asked = showing(monkeypatch, secret=0)
    async with opened(path, scenes=True) as hub:
        rooms = [await playing(hub, (ADA, BRUNO, CARLA))]
        while len(rooms) < 2:
            other = await playing(hub, (ADA, BRUNO, CARLA))
            if other.state.match.history == rooms[0].state.match.history:
                rooms.append(other)
        known = []
        for place, room in enumerate(rooms):
            asked.clear()
            await until_ballot(room)
            await decide(room, ADA, place)
            await decide(room, BRUNO, 2 * place)
            known.append(list(asked))
            assert asked[-1][2] is None
        assert rooms[0].state.match.state_bytes() != rooms[1].state.match.state_bytes()
        assert known[0] == known[1]
        assert all(before.seat is None and after.seat is None for before, after, _, _ in known[0])


@in_loop
async def test_a_server_may_show_nothing(path, monkeypatch):
    asked = showing(monkeypatch, lane=5000)
    async with opened(path) as hub:
        room = await playing(hub, (ADA,), 3)
        await played_out(room, (ADA,))
        assert not asked


@given(st.floats(-20, 60), st.floats(0.01, 5))
def test_bots_answer_at_full_pauses_after_a_scene(thought, pause):
    answered = (thought + rest(thought, pause)) / pause
    assert answered >= 1 - 1e-6
    assert answered == pytest.approx(max(1, round(answered)), rel=1e-6)
    assert rest(thought, pause) >= 0


# Rematches


@in_loop
async def test_a_rematch_waits_until_those_who_stay_are_ready(path):
    async with opened(path) as hub:
        room = await playing(hub, (ADA, BRUNO), 4, patience=1)
        await played_out(room, (ADA, BRUNO))
        await room.do(ADA, Rematch(fresh()))
        again = await hub.room(room.state.next_room)
        assert (again.state.phase, again.caretaker.until(2)) == ("gathering", None)
        assert [seat.ready for seat in again.seats] == [True, True, False, True]
        assert [seat["ready"] for seat in state_message(again, None)["seats"]] == [True, True, False, True]
        with pytest.raises(NotReady, match="waiting for Bruno"):
            await again.do(ADA, Start(fresh()))
        await asyncio.sleep(1.2)
        assert again.state.phase == "gathering", "nobody's clock runs before"
        await again.do(ADA, Ready(fresh()))
        assert again.state.phase == "gathering"
        await again.do(BRUNO, Ready(fresh()))
        assert again.state.phase == "playing"
        assert same(hub, again)


@in_loop
async def test_a_rematch_does_not_wait_for_ever(path, monkeypatch):
    monkeypatch.setattr("tavola.live.room.READY_WITHIN", 0.5)
    async with opened(path, bot_pause=30.0) as hub:
        room = await playing(hub, (ADA, BRUNO, CARLA), patience=0)
        await played_out(room, (ADA, BRUNO, CARLA))
        await room.do(ADA, Rematch(fresh()))
        again = await hub.room(room.state.next_room)
        await again.do(CARLA, Ready(fresh()))
        await eventually(lambda: again.state.phase == "playing")
        assert [seat.taken_over for seat in again.seats] == [False, False, True]
        assert same(hub, again)


@in_loop
async def test_a_rematch_still_waits_after_a_restart(path, monkeypatch):
    monkeypatch.setattr("tavola.live.room.READY_WITHIN", 1.0)
    async with opened(path, bot_pause=30.0) as hub:
        room = await playing(hub, (ADA, BRUNO, CARLA), patience=0)
        await played_out(room, (ADA, BRUNO, CARLA))
        await room.do(ADA, Rematch(fresh()))
        code = room.state.next_room
    async with opened(path, bot_pause=30.0) as hub:
        again = hub._kept[code]
        assert again.state.ready == {1}
        await eventually(lambda: again.state.phase == "playing")


@in_loop
async def test_a_seat_that_was_left_is_filled_before_a_rematch_begins(path, monkeypatch):
    monkeypatch.setattr("tavola.live.room.READY_WITHIN", 0.1)
    async with opened(path) as hub:
        room = await playing(hub, (ADA, BRUNO, CARLA))
        await room.do(BRUNO, Leave(fresh()))
        await played_out(room, (ADA, CARLA))
        await room.do(ADA, Rematch(fresh()))
        again = await hub.room(room.state.next_room)
        await again.do(CARLA, Ready(fresh()))
        assert again.state.phase == "gathering"
        with pytest.raises(FullRoom):
            await again.do(DARIO, Join(fresh(), 1))
        await again.do(DARIO, Join(fresh()))
        assert again.state.phase == "playing"
        assert not any(seat.taken_over for seat in again.seats)


@in_loop
async def test_a_stronger_bot_is_offered_to_who_won(path):
    async with opened(path) as hub:
        offered = {}
        while len(offered) < 2:
            room = await hub.create(ADA, "lifeboats", {"players": 3}, Settings())
            await room.do(ADA, Fill(fresh(), "random"))
            assert room.stronger(0) is None
            await played_out(room, (ADA,))
            offered[room.state.match.result().places[0] == 1] = room.stronger(0)
            assert room.stronger(None) is None
        assert offered == {True: "greedy", False: None}
        with pytest.raises(BadSetting):
            await room.do(ADA, Rematch(fresh(), "clairvoyant"))
        await room.do(ADA, Rematch(fresh(), "greedy"))
        again = await hub.room(room.state.next_room)
        assert [seat.level for seat in again.seats] == ["greedy", None, "greedy"]
        assert again.state.phase == "playing"


# Coming back


@in_loop
async def test_people_find_the_matches_they_sit_in(path):
    async with opened(path) as hub:
        first, second = await playing(hub, (ADA, BRUNO, CARLA), patience=0), await playing(hub, (ADA,), 3, patience=0)
        await gathered(hub, (ADA, DARIO))
        assert {room.id for room in await hub.rooms_of(ADA.id)} == {first.id, second.id}
        assert [room.id for room in await hub.rooms_of(BRUNO.id)] == [first.id]
        assert await hub.rooms_of(DARIO.id) == await hub.rooms_of("nobody") == []
        await first.do(BRUNO, Leave(fresh()))
        assert await hub.rooms_of(BRUNO.id) == []
        codes = [first.id, second.id]
        await first.do(ADA, Leave(fresh()))
        await played_out(second, (ADA,))
        assert await hub.rooms_of(ADA.id) == []
    async with opened(path) as hub:
        assert [room.id for room in await hub.rooms_of(CARLA.id)] == codes[:1]
        first = await hub.room(codes[0])
        del first
        hub.sweep(0)
        assert [room.id for room in await hub.rooms_of(CARLA.id)] == codes[:1], "a room at rest is found as well"
