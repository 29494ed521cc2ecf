"""At the table: the cast, what is shown before the first decision, pending rematches, matches to return to."""

import time
from pathlib import Path

import pytest

from tavola.core import CHANCE
from tavola.live import Hub, HubSettings
from tavola.live.caretaker import Caretaker
from tavola.live.log.dice import Dice
from tavola.live.log.occupants import CAST
from tavola.live.log.room_settings import SETTINGS
from tavola.live.protocol import Join, Leave, Ready, Rematch, Start
from tavola.live.responses import state_message
from tavola.live.room_refusals import BadSetting, FullRoom, NotReady
from tavola.show import board
from tests.helpers.days import HOUR, NOON, SiteClock
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    DARIO,
    PEOPLE,
    THREE,
    alike_rooms,
    ask_rematch,
    create_room,
    finished_room,
    matches_log,
    open_hub,
    play_legal,
    play_to_end,
    play_until,
    play_until_ballot,
    refused,
    send,
    start_room,
    vote_in_part,
    wait_until,
)


async def test_the_bots_of_a_room_are_different_members(hub: Hub):
    for _ in range(5):
        room = await start_room(hub, (BRUNO,), 7, game="voyage")
        members = [seat.member for seat in room.seats[1:]]
        assert len(set(members)) == 6
        assert "Bruno" not in [member.name for member in members], "a bot is never called as a person at the table"
        assert room.names == ["Bruno", *(member.name for member in members)]
        assert matches_log(hub, room)
        tempers = [seat["temper"] for seat in state_message(room, None)["seats"]]
        assert tempers == [None, *(member.temper for member in members)]


def test_a_member_is_drawn_even_if_all_are_present():
    names = {member.name for member in CAST}
    assert len(names) == len({member.face for member in CAST}) == len({member.temper for member in CAST}) == 8
    assert Dice().draw_member(names - {"Pia"}).name == "Pia"
    assert Dice().draw_member(names) in CAST


async def test_a_bot_is_the_same_in_the_next_match_and_in_the_record(hub: Hub):
    room = await finished_room(hub, (ADA,))
    again = await ask_rematch(hub, room)
    assert (sorted(again.names), room.state.record().names) == (sorted(room.names), tuple(room.names))


def showing(monkeypatch: pytest.MonkeyPatch, **verbs):
    """Let scenes last the milliseconds given by verb; return a list that records the calls."""
    asked = []

    def length(before, after, played, pace, *, follows):
        asked.append((before, after, played, pace))
        return verbs.get(played.verb if played else "secret", 0)

    monkeypatch.setattr("tavola.live.room.scene_length", length)
    return asked


def test_paces_are_those_of_scenes():
    assert set(SETTINGS["pace"].choices) == set(board.PACES)


@pytest.mark.hub(scenes=True, bot_pause=0.05)
async def test_bots_answer_when_what_was_played_has_been_shown(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    showing(monkeypatch, lane=400)
    room = await start_room(hub, (ADA,), 3, pace="calm")
    await play_until(room, (ADA,), lambda: room.moments >= 4)
    at = room.state.action_times
    for moment in (3, 4):
        if room.state.actor(moment) != 0:
            assert at[moment - 1] - at[moment - 2] >= 0.45 - 0.01


async def test_a_bot_pauses_less_before_the_later_steps_of_its_turn(path: Path, monkeypatch: pytest.MonkeyPatch):
    """The default is 0.8 seconds before the first and 0.3 before each later one, even with chance in between."""
    rested, pauses = Caretaker._sleep_pause, []

    async def resting(caretaker, pause):
        room = caretaker._room
        decided = [seat for seat, _ in room.state.match.history if seat != CHANCE]
        pauses.append(((decided or [None])[-1], room.state.match.to_act, pause.seconds))
        await rested(caretaker, pause._replace(seconds=0))

    monkeypatch.setattr(Caretaker, "_sleep_pause", resting)
    async with open_hub(path, bot_pause=0.8) as hub:
        room = await start_room(hub, (ADA,), game="expedition", pace="calm")
        # Until cards were exchanged: chance deals in between.
        await play_until(room, (ADA,), lambda: any(asked == (last,) for last, asked, _ in pauses))
    assert {seconds for last, asked, seconds in pauses if asked != (last,)} == {0.8}
    (later,) = {seconds for last, asked, seconds in pauses if asked == (last,)}
    assert later == pytest.approx(0.3, abs=0.03)


async def test_bots_hardly_pause_before_each_of_the_men_they_seat(path: Path, monkeypatch: pytest.MonkeyPatch):
    """Three bots in turn place a man each within a second, at the calm pace; choosing lanes takes longer."""
    pauses = dict[str, set[float]]()

    async def resting(caretaker, pause):
        state = caretaker._room.state
        verbs = {state.game.actions.verb(state.match.legal_numbers(seat)[0]).name for seat in state.match.to_act}
        pauses.setdefault("".join(verbs), set()).add(pause.seconds)

    monkeypatch.setattr(Caretaker, "_sleep_pause", resting)
    async with open_hub(path, bot_pause=HubSettings().bot_pause) as hub:
        room = await start_room(hub, (ADA,), 4, pace="calm")
        await play_until_ballot(room, (ADA,))
    assert min(pauses["lane"]) > 0.3
    (each,) = pauses["crew"]
    assert 0.1 <= each <= 0.25


@pytest.mark.hub(scenes=True)
async def test_clocks_start_after_the_scenes_and_plays_are_accepted_meanwhile(hub: Hub, clock: SiteClock, monkeypatch):
    showing(monkeypatch, lane=5 * HOUR * 1000)
    room = await start_room(hub, PEOPLE, patience=HOUR)
    for waiting in range(3):
        seat = room.state.match.to_act[0]
        assert room.caretaker.deadline(seat) == pytest.approx(NOON + (5 * waiting + 1) * HOUR, abs=HOUR / 2)
        await play_legal(room, PEOPLE[seat])
    assert room.scene_until == pytest.approx(time.monotonic() + 15 * HOUR, abs=HOUR / 2)


@pytest.mark.hub(scenes=True)
async def test_what_is_shown_depends_on_nothing_secret(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    """Same public course, other votes: the length of scenes is computed from the same arguments."""
    asked = showing(monkeypatch, secret=0)
    rooms, known = await alike_rooms(hub), []
    for place, room in enumerate(rooms):
        asked.clear()
        await vote_in_part(room, place)
        known.append(list(asked))
        assert asked[-1][2] is None
    assert rooms[0].state.match.state_bytes() != rooms[1].state.match.state_bytes()
    assert known[0] == known[1]
    assert all(before.seat is None and after.seat is None for before, after, _, _ in known[0])


async def test_a_server_may_show_nothing(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    asked = showing(monkeypatch, lane=5000)
    await finished_room(hub, (ADA,))
    assert not asked


async def test_a_rematch_waits_until_all_remaining_players_are_ready(hub: Hub):
    again = await ask_rematch(hub, await finished_room(hub, (ADA, BRUNO), 4, patience=HOUR))
    assert again.state.phase == "gathering"
    assert not again.caretaker.has_deadline, "nobody's clock runs before"
    told = state_message(again, None)["seats"]
    assert [seat.ready for seat in again.seats] == [seat["ready"] for seat in told] == [True, True, False, True]
    await refused(NotReady, send(again, ADA, Start), "waiting for Bruno")
    await send(again, ADA, Ready)
    assert again.state.phase == "gathering"
    await send(again, BRUNO, Ready)
    assert again.state.phase == "playing"
    assert matches_log(hub, again)


@pytest.mark.parametrize("seconds", [HOUR - 0.2, HOUR])
async def test_a_rematch_waits_for_a_limited_time_over_restarts_too(path: Path, monkeypatch, clock: SiteClock, seconds):
    monkeypatch.setattr("tavola.live.log.state.READY_WITHIN", HOUR)
    async with open_hub(path, bot_pause=HOUR, clock=clock) as hub:
        again = await ask_rematch(hub, await finished_room(hub, THREE, patience=0))
        await send(again, CARLA, Ready)
        assert again.state.phase == "gathering"
    async with open_hub(path, bot_pause=HOUR, clock=clock) as hub:
        again = hub.residents._kept[again.id]
        assert (again.state.phase, again.state.ready_seats) == ("gathering", {0, 1})
    clock.at += seconds
    async with open_hub(path, bot_pause=HOUR, clock=clock) as hub:
        again = hub.residents._kept[again.id]
        await wait_until(lambda: again.state.phase == "playing")
        assert [seat.taken_over for seat in again.seats] == [False, False, True]
        assert matches_log(hub, again)


async def test_a_seat_that_was_left_is_filled_before_a_rematch_begins(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tavola.live.log.state.READY_WITHIN", 0.1)
    room = await start_room(hub, THREE)
    await send(room, ADA, Leave)
    await play_to_end(room, (BRUNO, CARLA))
    again = await ask_rematch(hub, room, CARLA)
    assert (again.state.host, [seat.person for seat in again.seats]) == (CARLA, [CARLA, None, BRUNO])
    await send(again, BRUNO, Ready)
    assert again.state.phase == "gathering"
    await refused(FullRoom, send(again, DARIO, Join, 0))
    await send(again, DARIO, Join)
    assert again.state.phase == "playing"
    assert not any(seat.taken_over for seat in again.seats)


async def test_a_stronger_bot_is_offered_to_the_winner(hub: Hub):
    offered = {}
    while len(offered) < 2:
        room = await start_room(hub, (ADA,))
        assert room.state.next_level(0) is None
        await play_to_end(room, (ADA,))
        offered[room.state.match.result().ranks[0] == 1] = room.state.next_level(0)
        assert room.state.next_level(None) is None
    assert offered == {True: "greedy", False: None}
    await refused(BadSetting, send(room, ADA, Rematch, "clairvoyant"))
    again = await ask_rematch(hub, room, level="greedy")
    assert ([seat.level for seat in again.seats], again.state.phase) == (["greedy", None, "greedy"], "playing")


async def test_people_find_the_matches_they_sit_in(path: Path):
    async with open_hub(path) as hub:
        first = await start_room(hub, THREE, patience=0)
        second = await start_room(hub, (ADA,), patience=0)
        await create_room(hub, (ADA, DARIO))
        assert {room.id for room in await hub.persons.rooms_of(ADA.id)} == {first.id, second.id}
        assert [room.id for room in await hub.persons.rooms_of(BRUNO.id)] == [first.id]
        assert await hub.persons.rooms_of(DARIO.id) == await hub.persons.rooms_of("nobody") == []
        await send(first, BRUNO, Leave)
        assert await hub.persons.rooms_of(BRUNO.id) == []
        codes = [first.id, second.id]
        await send(first, ADA, Leave)
        await play_to_end(second, (ADA,))
        assert await hub.persons.rooms_of(ADA.id) == []
    async with open_hub(path) as hub:
        for _ in range(2):  # a room at rest is found as well
            assert [room.id for room in await hub.persons.rooms_of(CARLA.id)] == codes[:1]
            await hub.room(codes[0])
            hub.residents.sweep(0)
