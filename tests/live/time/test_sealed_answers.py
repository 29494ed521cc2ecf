"""Races by correspondence: a market with one deadline for all, answers sealed before the toss, lots for speed."""

import asyncio
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from joust import GAME

from tavola.core import IllegalAction, Match, read_record
from tavola.live import Hub, Person, Room
from tavola.live.correspondence.hours import DAY, GRACE
from tavola.live.log.dice import Dice
from tavola.live.log.draft import Draft
from tavola.live.log.fold import fold
from tavola.live.protocol import ComeBack, Leave, Play
from tavola.live.responses import state_text
from tavola.live.room_refusals import StalePrompt
from tavola.show.cards import picture_of, words_of
from tavola.web.render import game_say
from tests.helpers.days import HOUR, NOON, SiteClock
from tests.helpers.rooms import ADA, BRUNO, PEOPLE, matches_log, open_hub, play, refused, send, start_room, wait_until

CORNERS = ("crown", "chalice", "globe", "star")
pytestmark = [pytest.mark.drills("joust"), pytest.mark.usefixtures("clock"), pytest.mark.hub(seed=5)]


async def jousting(hub: Hub, **settings: int) -> Room:
    room = await start_room(hub, (ADA, BRUNO), 2, game="joust", patience=0, days=3, **settings)
    await wait_until(lambda: room.state.dues.keys() == {0, 1})
    return room


async def at_the_toss(hub: Hub, **settings: int) -> Room:
    """Return a match after both are done with the market: each owes a sealed answer."""
    room = await jousting(hub, **settings)
    for person in (ADA, BRUNO):
        await play(room, person, "done")
    await wait_until(lambda: room.state.dues.keys() == {0, 1})
    return room


def played(hub: Hub, room: Room) -> list[dict]:
    return [event.body for event in hub.store.events(room.id) if event.kind == "played"]


def legal(room: Room, person: Person) -> list[str]:
    return [GAME.actions.code(number) for number in room.view(room.state.seat_of(person.id)).legal]


async def test_a_market_ends_for_all_when_the_last_ones_time_is_over(hub: Hub, clock: SiteClock):
    room = await jousting(hub)
    clock.at += DAY
    await play(room, ADA, "take")
    assert {due.until for due in room.state.dues.values()} == {NOON + 3 * DAY}
    await clock.turn(hub, 2 * DAY)
    await wait_until(lambda: all(due.reminded for due in room.state.dues.values()))
    await play(room, BRUNO, "take")
    await clock.turn(hub, GRACE)
    await wait_until(lambda: room.state.owed_seals)
    assert [body["code"] for body in played(hub, room)][-2:] == ["done", "done"]
    assert not any(place.taken_over for place in room.state.occupants)
    assert matches_log(hub, room)


async def test_a_player_who_returns_to_a_market_has_as_long_as_the_others(hub: Hub, clock: SiteClock):
    room = await jousting(hub)
    await send(room, ADA, Leave)
    clock.at += DAY
    await send(room, ADA, ComeBack)
    if room.prompt_id(0) is not None:  # the bot has not finished meanwhile
        await wait_until(lambda: 0 in room.state.dues)
        assert room.state.dues[0].until == NOON + 3 * DAY


async def test_sealed_answers_are_played_together_and_none_is_faster(hub: Hub, clock: SiteClock):
    room = await at_the_toss(hub)
    assert (room.state.in_suspense, room.state.awaits_race) == (True, False)
    assert legal(room, ADA) == legal(room, BRUNO) == [f"point {corner}" for corner in CORNERS]
    await refused(IllegalAction, play(room, ADA, "keep"), "expected one of point crown")
    prompt = room.prompt_id(0)
    await play(room, ADA, "point globe")
    assert (room.prompt_id(0), legal(room, ADA)) == (None, [])
    await refused(StalePrompt, send(room, ADA, Play, prompt, "point star"))
    assert room.view(None).table.tossed == 0
    clock.at += DAY
    await play(room, BRUNO, "point star")
    assert (room.state.decided_at, room.state.sealed) == ({0: NOON, 1: NOON + DAY}, {})
    toss, *codes = [body["code"] for body in played(hub, room)][2:]
    assert toss.startswith("toss")
    assert {code for code in codes if code.startswith("point")} == {"point globe", "point star"}
    assert room.view(None).table.winner
    assert not any({"reaction", "meant"} & body.keys() for body in played(hub, room))
    assert matches_log(hub, room)


async def test_sealed_answers_are_secret(hub: Hub):
    room = await at_the_toss(hub)
    await play(room, ADA, "point globe")
    log, told = hub.store.events(room.id), set()
    for body in ({"seat": 0, "code": f"point {corner}"} for corner in CORNERS):
        events = [replace(event, body=body) if event.kind == "sealed" else event for event in log]
        twin = Room(hub, room.id, fold(events))
        told.add((state_text(twin, BRUNO.id), state_text(twin, None), state_text(twin, ADA.id)))
    ((brunos, *_),) = told
    assert '"owes":false' in brunos


async def test_a_restart_keeps_what_is_sealed(path: Path, clock: SiteClock):
    async with open_hub(path, clock=clock) as hub:
        room = await at_the_toss(hub)
        await play(room, BRUNO, "point star")
        code, due = room.id, room.state.dues[0]
    async with open_hub(path, clock=clock) as hub:
        room = await hub.room(code)
        assert (room.state.sealed, room.state.dues) == ({1: "point star"}, {0: due})
        await play(room, ADA, "point crown")
        assert room.view(None).table.winner
        assert {body["code"] for body in played(hub, room) if body["seat"] == 1} >= {"point star"}


async def test_a_bot_seals_after_a_missed_deadline_and_answers_of_leavers_stay_sealed(hub: Hub, clock: SiteClock):
    room = await at_the_toss(hub, misses=1)
    await play(room, ADA, "point crown")
    await send(room, ADA, Leave)
    await clock.turn(hub, 3 * DAY)
    await wait_until(lambda: room.state.dues[1].reminded)
    await clock.turn(hub, GRACE)
    await wait_until(lambda: room.state.occupants[1].taken_over and not room.state.in_suspense)
    assert "point crown" in {body["code"] for body in played(hub, room) if body["seat"] == 0}
    await wait_until(lambda: room.state.phase == "over")


async def test_a_market_has_no_time_bank_and_a_sealed_answer_uses_it(hub: Hub, clock: SiteClock):
    room = await at_the_toss(hub, bank_days=1)
    await clock.turn(hub, 3 * DAY)
    await wait_until(lambda: all(due.banked for due in room.state.dues.values()))
    clock.at += HOUR
    await play(room, ADA, "point globe")
    assert [event.body.get("spent") for event in hub.store.events(room.id) if event.kind == "sealed"] == [HOUR]
    assert matches_log(hub, room)
    market = await jousting(hub, bank_days=1)
    await clock.turn(hub, 3 * DAY)
    await wait_until(lambda: all(due.reminded for due in market.state.dues.values()))


def test_of_two_right_answers_a_fair_draw_takes_one_without_another_throw():
    match = Match(GAME)
    for seat in (0, 1):
        match.play("done", seat)
    first = Counter(opened(match, ("point star", "point star"), seed)[-1] for seed in range(400))
    second = Counter(opened(match, ("point star", "point crown"), seed)[-1] for seed in range(400))
    assert first.keys() == {"first 0", "first 1"}
    assert abs(first["first 0"] - 200) < 50
    assert second["point star"] == 0  # the last to point is the second, whoever wins
    assert second["point crown"] + second["first 0"] + second["first 1"] == 400


def opened(match, answers, seed):
    draft = Draft(match, Dice(random.Random(seed)))
    draft.open_seals({seat: GAME.actions.number(code) for seat, code in enumerate(answers)})
    return [GAME.actions.code(number) for _, number in draft.actions]


async def test_a_tournament_is_played_as_a_correspondence_game(hub: Hub):
    dice = random.Random(7)
    room = await start_room(hub, game="tournament", options={"rounds": 4}, patience=0, days=7)
    told = set[tuple[str, bool]]()
    while room.state.phase == "playing":
        for person in PEOPLE:
            if room.prompt_id(seat := room.state.seat_of(person.id)) is not None:
                told |= asked_before_the_throw(room, seat)
                await play(room, person, wanted(room, person, dice))
        await asyncio.sleep(0.001)
    assert [event.kind for event in hub.store.events(room.id)].count("sealed") >= 2
    assert told == {("Which corner will be right? Choose it in secret before the throw.", True)}
    assert not any("reaction" in body for body in played(hub, room))
    assert matches_log(hub, room)
    record = read_record(str(room.state.record())).match()
    assert (record.over, record.state_bytes()) == (True, room.state.match.state_bytes())


def wanted(room: Room, person: Person, dice: random.Random) -> str:
    codes = [room.state.game.actions.code(number) for number in room.view(room.state.seat_of(person.id)).legal]
    return next((code for code in codes if code in ("done", "fight")), "") or dice.choice(codes)


def asked_before_the_throw(room: Room, seat: int) -> set[tuple[str, bool]]:
    """Return the prompt of a seat that owes a sealed answer, and whether its picture says so too; else nothing."""
    view, say = room.view(seat), game_say(room.state.game, "en", tuple(room.names))
    if seat not in room.state.owed_seals:
        return set()
    drawn = picture_of(view.game).own_pieces(view, say)["main"]["call"]
    return {(words_of(view.game).prompt(view, say), "Choose a corner before the throw" in drawn)}
