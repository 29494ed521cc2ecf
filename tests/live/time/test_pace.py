"""The pace of a table: waiting for scenes, the only possible answer, steps of a bot's turn, sitting out, play again."""

import asyncio
import time
from itertools import pairwise
from typing import Any

import pytest

import tavola
from tavola.core import CHANCE, View
from tavola.core.rng import random_below, stream
from tavola.live import Hub, Settings
from tavola.live.commands.play import MOST_SIT_OUTS, is_evident, is_forced
from tavola.live.log.fold import fold
from tavola.live.log.people import PAUSE_FACTORS
from tavola.live.protocol import ComeBack, Fill, Leave, Rematch, SetPace, SitOut, Skip, Start
from tavola.live.responses import OTHERS_LOOK, respond
from tavola.live.room import Glimpses
from tavola.live.room_refusals import BadSetting, NotPlaying, NotSeated, TooMuch
from tavola.live.server_messages import Acknowledged
from tavola.show.board import PACES, Frame
from tavola.show.cards import words_of
from tavola.show.testing import english_say
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    DARIO,
    THREE,
    ask_rematch,
    create_room,
    finished_room,
    matches_log,
    new_command_id,
    note_commits,
    open_hub,
    play_legal,
    play_to_end,
    refused,
    send,
    start_room,
    wait_until,
)
from tests.helpers.staged import random_match

BEAT = 0.15
MATCHES_WITHOUT = 20
"""Matches after which a person should have had a single possible answer: one occurs in every two or three."""


def long_scenes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tavola.live.room.scene_length", lambda *views, follows: HOUR * 1000)


@pytest.mark.hub(scenes=True, bot_pause=HOUR)
async def test_where_all_others_are_bots_they_answer_at_once_when_a_scene_is_skipped(hub: Hub, monkeypatch):
    long_scenes(monkeypatch)
    room = await start_room(hub, (ADA,), 3)
    room.scene_until = time.monotonic() + HOUR
    while room.prompt_id(0) is None:
        await respond(room, ADA, Skip(new_command_id()))
        await asyncio.sleep(0.01)
    await play_legal(room, ADA)
    moments, skip = room.moments, Skip(new_command_id())
    assert room.scene_until > time.monotonic() + PATIENCE
    assert await respond(room, ADA, skip) == Acknowledged(skip.command_id, room.state.public_seq)
    await wait_until(lambda: room.moments > moments)


@pytest.mark.hub(scenes=True, bot_pause=HOUR)
async def test_skipping_waits_for_other_viewers(hub: Hub, monkeypatch):
    long_scenes(monkeypatch)
    room = await start_room(hub, (ADA, BRUNO), 3)
    room.scene_until = until = time.monotonic() + HOUR
    skip = Skip(new_command_id())
    assert await respond(room, ADA, skip) == Acknowledged(skip.command_id, room.state.public_seq, OTHERS_LOOK)
    assert room.scene_until == until
    answered: Any = await respond(room, DARIO, Skip(new_command_id()))
    assert (answered.type, answered.kind) == ("refused", NotSeated.__name__)


# The only possible answer


async def until_only(start, person, others=(), evident=None):
    """Play matches until the person alone has one possible answer; return the room and the person's seat.

    `start` begins a match. Unless `evident` is None, others must know the answer (True) or must not (False).
    """
    for _ in range(MATCHES_WITHOUT):
        room = await start()
        seat = await only_answer_in(room, person, others, evident)
        if seat is not None:
            return room, seat
    raise AssertionError(f"nobody had one possible answer in {MATCHES_WITHOUT} matches")


async def only_answer_in(room, person, others, evident):
    """Return the person's seat when they alone have, or had, one possible answer; None when the match is over."""
    seat, drawn, until = room.state.seat_of(person.id), stream(0), time.monotonic() + PATIENCE
    while room.state.phase != "over":
        assert time.monotonic() < until, "it took too long"
        if evident and was_answered_for(room, seat):
            return seat
        if room.prompt_id(seat) is not None:
            alone = len(room.view(seat).legal) == 1 and not is_forced(room.state)
            if alone and (evident is None or is_evident(room.state, seat) == evident):
                return seat
            await play_legal(room, person, random_below(drawn, len(room.view(seat).legal)))
        for other in others:
            if room.prompt_id(place := room.state.seat_of(other.id)) is not None:
                await play_legal(room, other, random_below(drawn, len(room.view(place).legal)))
        await asyncio.sleep(0.001)
    return None


def was_answered_for(room, seat) -> bool:
    """Return whether something was played for a seat without a command of its person."""
    played = (event for event in room.server.store.events(room.id) if event.kind == "played")
    return any(event.command_id is None and event.body["seat"] == seat for event in played)


@pytest.mark.hub(beat=BEAT)
async def test_against_bots_only_a_forced_answer_is_played_after_a_beat(hub: Hub):
    asked = {}

    async def start():
        room = await start_room(hub, (ADA,), 4)
        asked.clear()
        room.subscribe(ADA, lambda seq: asked.setdefault(room.prompt_id(0), time.monotonic()))
        return room

    room, seat = await until_only(start, ADA)
    prompt, moments, only = room.prompt_id(seat), room.moments, room.view(seat).legal[0]
    await wait_until(lambda: room.prompt_id(seat) != prompt)
    assert time.monotonic() - asked[prompt] >= BEAT
    assert (seat, only) in room.state.match.history[moments:]
    assert matches_log(hub, room)


@pytest.mark.hub(beat=BEAT)
async def test_after_a_skip_a_forced_answer_no_longer_waits_for_the_scene(hub: Hub):
    room, seat = await until_only(lambda: start_room(hub, (ADA,), 4), ADA)
    room.scene_until, prompt = time.monotonic() + HOUR, room.prompt_id(seat)
    await asyncio.sleep(BEAT * 3)
    assert room.prompt_id(seat) == prompt
    await respond(room, ADA, Skip(new_command_id()))
    await wait_until(lambda: room.prompt_id(seat) != prompt)


@pytest.mark.hub(beat=BEAT)
async def test_what_would_tell_a_secret_is_left_to_its_player(hub: Hub):
    """Fairies: others cannot know from their own hands that a player has no choice, so nothing plays itself."""
    room, seat = await until_only(
        lambda: start_room(hub, (ADA, BRUNO), 3, game="fairies"), ADA, (BRUNO,), evident=False
    )
    prompt = room.prompt_id(seat)
    await asyncio.sleep(BEAT * 3)
    assert room.prompt_id(seat) == prompt


@pytest.mark.hub(beat=BEAT)
async def test_evident_forced_answers_are_played_among_people_too(hub: Hub):
    """Lifeboats: everyone can see which crew may leave which boat, and where there is room."""
    room, seat = await until_only(lambda: start_room(hub, (ADA, BRUNO), 4), ADA, (BRUNO,), evident=True)
    await wait_until(lambda: was_answered_for(room, seat))


@pytest.mark.hub(beat=BEAT)
async def test_forced_answers_are_not_played_before_spectators(hub: Hub):
    async def start():
        room = await start_room(hub, (ADA,), 4)
        room.subscribe(CARLA, lambda seq: None)
        return room

    room, seat = await until_only(start, ADA)
    prompt = room.prompt_id(seat)
    await asyncio.sleep(BEAT * 3)
    assert room.prompt_id(seat) == prompt


# Turns of bots


class Traveller:
    """A bot that lays as many arrows in a turn as it can."""

    def choose(self, view):
        verbs = {view.game.actions.verb(number).name: number for number in view.legal}
        return verbs.get("voucher", verbs.get("arrow", view.legal[0]))


async def test_what_a_bot_can_plan_it_plays_at_once_and_it_is_one_scene(path):
    """The arrows of an expedition, and vouchers between them, are written together, as a person's are."""
    async with open_hub(path, bots=lambda level, seed: Traveller()) as hub:
        commits = note_commits(hub)
        room = await start_room(hub, (ADA,), 2, game="expedition")
        while not (together := [codes for codes in commits if sum(code.startswith("arrow") for code in codes) > 1]):
            if room.prompt_id(0) is not None:
                await play_legal(room, ADA)
            await asyncio.sleep(0.001)
    assert "voucher" in together[0]


def test_the_second_arrow_of_a_turn_takes_half_the_time():
    assert [Frame(dict, 1_000).duration("calm", follows=follows) for follows in (False, True)] == [1_000, 500]
    assert Frame(dict, 2_000, 1_500).duration("brisk", follows=True) == 1_500


def test_a_brisk_turn_of_bots_takes_half_of_a_calm_one():
    """Brisk: a pause and one scene of three arrows. Calm: a pause, three scenes and two short pauses."""
    arrow, pause, step = Frame(dict, 1_000), 800, 320
    brisk = pause * PAUSE_FACTORS["brisk"] + sum(arrow.duration("brisk", follows=n > 0) for n in range(3))
    before = pause + 3 * arrow.duration("calm") + 2 * step
    assert brisk <= before / 2
    assert pause * PAUSE_FACTORS["brisk"] + 1_000 * PACES["brisk"] <= (pause + 1_000) / 2


# The pace, and play again


async def test_seated_players_set_the_pace_and_a_rematch_keeps_it(hub: Hub):
    room = await create_room(hub, (ADA,), 3, pace="calm", pace_chosen=False, patience=180, public=False)
    await refused(NotSeated, send(room, BRUNO, SetPace, "brisk"))
    await refused(BadSetting, send(room, ADA, SetPace, "hectic"), "calm, brisk")
    await send(room, ADA, SetPace, "brisk")
    seq = room.state.public_seq
    await send(room, ADA, SetPace, "brisk")
    assert room.state.public_seq == seq
    await send(room, ADA, Start)
    await play_to_end(room, (ADA,))
    again = await ask_rematch(hub, room)
    assert again.state.settings == room.state.settings == Settings(public=False, patience=180, pace="brisk")
    assert again.state.options == room.state.options
    assert sorted(seat.level or "" for seat in again.seats) == sorted(seat.level or "" for seat in room.seats)
    assert matches_log(hub, room)


async def test_a_default_pace_may_change_in_the_next_match(hub: Hub):
    room = await finished_room(hub, (ADA,), pace="calm", pace_chosen=False)
    await refused(BadSetting, send(room, ADA, Rematch, pace="hectic"), "calm, brisk")
    assert (await ask_rematch(hub, room, pace="brisk")).state.settings.pace == "brisk"


# Sitting out: a player lets a bot decide, watches, comes back at any time, and keeps no one waiting

slow_bots = pytest.mark.hub(bot_pause=HOUR)


@slow_bots
async def test_a_bot_decides_until_the_player_returns_and_the_log_records_the_request(hub: Hub):
    room = await create_room(hub, (ADA, BRUNO), 3)
    await refused(NotPlaying, send(room, ADA, SitOut))
    await send(room, ADA, Fill, "random")
    await refused(BadSetting, send(room, ADA, SitOut, "all"), "rounds, end")
    await refused(NotSeated, send(room, CARLA, SitOut))
    await send(room, ADA, SitOut)
    place, seq = room.state.occupants[0], room.state.public_seq
    assert (place.taken_over, place.has_left, place.sits_out) == (True, False, "rounds")
    await send(room, ADA, SitOut)
    assert (room.state.public_seq, hub.store.events(room.id)[-2].body) == (seq, {"seat": 0, "show": "rounds"})
    assert room.state.haste == "", "Bruno decides himself"
    await send(room, BRUNO, SitOut, "end")
    assert room.state.haste == "rounds", "whoever wants to see more is heeded"
    await send(room, ADA, SitOut, "end")
    assert room.state.haste == "end"
    assert matches_log(hub, room)
    await send(room, ADA, ComeBack)
    assert (place.taken_over, place.sits_out, room.state.haste) == (False, "", "")


@slow_bots
async def test_sitting_out_is_announced_and_limited(hub: Hub):
    room = await start_room(hub, (ADA, BRUNO), 3)
    for _ in range(MOST_SIT_OUTS):
        await send(room, ADA, SitOut)
        await send(room, ADA, ComeBack)
    assert [(line.name, line.gesture) for line in room.state.chat_log] == [("Ada", "aside"), ("Ada", "back")] * 3
    await refused(TooMuch, send(room, ADA, SitOut), "3 times in this match")
    await send(room, ADA, Leave)
    await refused(TooMuch, send(room, ADA, ComeBack), "it plays on")
    assert matches_log(hub, room)


@slow_bots
async def test_a_match_speeds_up_if_all_sit_out_or_left_but_not_after_a_missed_time_limit(hub: Hub):
    room = await start_room(hub, (ADA, BRUNO), 3)
    await send(room, ADA, SitOut)
    await send(room, BRUNO, Leave)
    assert room.state.haste == "rounds"
    await send(room, BRUNO, SitOut)
    assert not room.state.occupants[1].has_left, "he is here again, and watches"
    room.state.occupants[1].sits_out = ""  # as if Bruno's time had run out
    assert room.state.haste == ""


@pytest.mark.hub(bot_pause=HOUR, scenes=True)
async def test_against_bots_only_the_end_is_shown_at_once_and_the_match_counts_as_played(hub: Hub):
    room = await start_room(hub, (ADA,), 3, days=0)
    await send(room, ADA, SitOut, "end")
    await wait_until(lambda: room.state.phase == "over")
    again = await ask_rematch(hub, room)
    assert (again.state.seat_of(ADA.id), again.state.occupants[1].bot_decides) == (1, False)


@pytest.mark.hub(scenes=True)
async def test_of_each_round_one_scene_is_waited_for(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    shown, say = list[str](), english_say(tavola.load("lifeboats"))

    def scene_length(before, after, *_, follows):
        shown.append(words_of(before.game).chapter(before, say))
        return 0

    monkeypatch.setattr("tavola.live.room.scene_length", scene_length)
    room = await start_room(hub, (ADA,), 3)
    await send(room, ADA, SitOut)
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


@pytest.mark.hub(bot_pause=1.0, bot_stay=HOUR, level="greedy")
async def test_a_market_closes_as_soon_as_all_bots_have_done(hub: Hub):
    room = await start_room(hub, (ADA,), game="tournament", level="greedy", patience=0)
    await wait_until(lambda: room.state.match is not None and room.state.match.open)
    await send(room, ADA, SitOut, "end")
    await wait_until(lambda: not room.state.match.open)
    assert fold(hub.store.events(room.id)).haste == room.state.haste


# Decisions in which no one has a choice


async def at_the_last_boat(hub: Hub):
    """Return a match of three people in Lifeboats in which no one has a choice in the next ballot."""
    for number in range(MATCHES_WITHOUT):
        room, drawn = await start_room(hub, THREE, 3, patience=0), stream(number)
        while room.state.phase != "over":
            if len(room.state.open_decisions) == len(THREE) and is_forced(room.state):
                return room
            seat = min(room.state.open_decisions)
            await play_legal(room, THREE[seat], random_below(drawn, len(room.view(seat).legal)))
    raise AssertionError("no match came to a last boat")


@pytest.mark.hub(beat=BEAT)
async def test_a_ballot_without_a_choice_plays_itself_for_all_at_once(hub: Hub):
    """Lifeboats' last boat: one card each, in one commit, and not one after another."""
    room = await at_the_last_boat(hub)
    ballots = room.state.view(None).table.ballots
    await wait_until(lambda: room.state.view(None).table.ballots > ballots)
    own = [event for event in hub.store.events(room.id) if event.kind == "played" and event.body["seat"] != CHANCE]
    forced = [event for event in own if event.command_id is None]
    assert [(event.body["seat"], event.seq - forced[0].seq) for event in forced[:3]] == [(0, 0), (1, 1), (2, 2)]
    assert matches_log(hub, room)
