"""Time in a room: deadlines shared by all seats, the suspense of chance, and the order of answers in a race."""

import asyncio
import contextlib
import time
from functools import partial
from pathlib import Path

import pytest

from tavola.core import CHANCE
from tavola.live import Hub, Person, Room
from tavola.live.protocol import Leave, Play
from tavola.live.responses import state_text
from tavola.live.room_refusals import StalePrompt
from tavola.live.time import clocks
from tavola.live.time.clocks import RACE_SECONDS
from tavola.live.time.delays import Suspense
from tavola.live.time.race import MOST_TRIP, SHORTEST_REACTION, Arrival
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR, SiteClock
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    matches_log,
    new_command_id,
    note_commits,
    open_hub,
    refused,
    run_out,
    send,
    start_room,
    wait_until,
)
from tests.live.test_open_decisions import bazaar

CORNERS = ("crown", "chalice", "globe", "star")
SOON = Suspense(0.02, 0.0)
NEVER = Suspense(3600.0, 0.0, 3600.0)
pytestmark = [pytest.mark.drills("joust", "bazaar"), pytest.mark.hub(suspense=SOON)]


async def jousting(hub: Hub, people=(ADA, BRUNO), **settings) -> Room:
    return await start_room(hub, people, 2, game="joust", level="greedy", **{"patience": 0, **settings})


async def finish_market(room: Room, people=(ADA, BRUNO)):
    for person in people:
        await play(room, person, "done")


async def tossed(room: Room, people=(ADA, BRUNO)):
    """Finish the market and wait for the toss; return the codes of its corner and of the next one."""
    await finish_market(room, people)
    await wait_until(lambda: room.state.open_decisions and room.race_shown_at is not None)
    return right_and_wrong(room)


def right_and_wrong(room: Room):
    right = room.view(None).table.tossed - 1
    return f"point {CORNERS[right]}", f"point {CORNERS[(right + 1) % 4]}"


async def race(hub: Hub, **settings):
    """Return a room in which both can point, and the codes of the right corner and of a wrong one."""
    room = await jousting(hub, **settings)
    return room, *await tossed(room)


async def play(room: Room, person: Person, code: str, after=None, trip=0.0, jitter=0.0):
    """Play now, or `after` seconds after a race was shown, over a connection with this trip and jitter."""
    seat = room.state.seat_of(person.id)
    arrival = None if after is None else Arrival(room.race_shown_at + after, trip, jitter)
    await room.execute(person, Play(new_command_id(), room.prompt_id(seat), code), arrival)


def events(hub: Hub, room: Room, *kinds):
    return [event for event in hub.store.events(room.id) if event.kind in kinds]


def codes(room: Room):
    return [room.state.game.actions.code(number) for _, number in room.state.match.history]


# Time runs out


@pytest.mark.hub(suspense=NEVER)
async def test_time_runs_out_for_all_at_once_however_often_they_are_asked_again(hub: Hub):
    room, commits = await jousting(hub, patience=HOUR), note_commits(hub)
    ends = [room.caretaker.deadline(seat) for seat in (0, 1)]
    await play(room, ADA, "take")
    assert ([room.caretaker.deadline(seat) for seat in (0, 1)], commits) == (ends, [["take"]])
    run_out(room, 0, 1)
    await wait_until(lambda: room.state.held_until is not None)  # written last
    assert not room.state.open_decisions
    assert commits[:2] == [["take"], ["done", "done"]]
    assert not any(place.taken_over for place in room.state.occupants)
    assert matches_log(hub, room)


async def test_not_pointing_counts_as_wrong(hub: Hub):
    room, right, wrong = await race(hub, patience=HOUR)
    await play(room, BRUNO, right, 0.5)
    run_out(room, 0)
    await wait_until(lambda: room.view(None).table.winner)
    assert (codes(room)[-2:], room.view(None).table.winner) == ([right, wrong], 2)
    # Bruno has won, but his clock still runs: then a bot decides, as everywhere.
    run_out(room, 1)
    await wait_until(lambda: room.state.occupants[1].taken_over)


@pytest.mark.hub(suspense=NEVER)
async def test_without_patience_no_time_runs_out(hub: Hub):
    room = await jousting(hub)
    assert [room.caretaker.deadline(seat) for seat in room.state.open_decisions] == [None, None]
    assert not room.caretaker.has_deadline


@pytest.mark.parametrize("patience", [0, HOUR])
async def test_a_race_has_five_seconds_whatever_the_patience(hub: Hub, patience: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(clocks, "RACE_SECONDS", RACE_SECONDS)
    room, *_ = await race(hub, patience=patience)
    ends = [room.caretaker.deadline(seat) - room.now for seat in room.state.open_decisions]
    assert all(0 < left <= RACE_SECONDS == 5 for left in ends)
    actions = room.moments
    run_out(room, 0, 1)
    await wait_until(lambda: room.moments > actions)


# Suspense


@pytest.mark.hub(suspense=Suspense(0.3, 0.0))
async def test_a_delayed_throw_is_drawn_only_when_it_falls_and_sends_nothing_before(hub: Hub, clock: SiteClock):
    room, told = await jousting(hub), []
    await finish_market(room)
    room.subscribe(None, told.append)
    before, public = [state_text(room, reader) for reader in (ADA.id, None)], room.state.public_seq
    await wait_until(lambda: room.state.held_until is not None)
    assert room.state.match.to_act == (CHANCE,)
    assert [state_text(room, reader) for reader in (ADA.id, None)] == before
    assert (room.state.public_seq, told) == (public, [])
    (held,) = events(hub, room, "held")
    assert set(held.body) == {"until"}
    clock.at = held.body["until"]
    await wait_until(lambda: room.view(None).table.tossed)
    (fallen,) = (event for event in events(hub, room, "played") if event.body["seat"] == CHANCE)
    assert (fallen.at, told, room.state.held_until) == (held.body["until"], [room.state.seq], None)
    assert matches_log(hub, room)


async def test_when_it_falls_survives_a_restart(path: Path, clock: SiteClock):
    async with open_hub(path, suspense=Suspense(0.6, 0.0), clock=clock) as hub:
        room = await jousting(hub)
        await finish_market(room)
        await wait_until(lambda: room.state.held_until is not None)
        until = room.state.held_until
    async with open_hub(path, suspense=Suspense(0.01, 3600.0, 7200.0), clock=clock) as hub:
        room = await hub.room(room.id)
        assert not room.view(None).table.tossed
        clock.at = until
        await wait_until(lambda: room.view(None).table.tossed)
        assert [event.body["until"] for event in events(hub, room, "held")] == [until]


async def test_a_delay_that_ended_while_the_server_was_down_is_drawn_again(path: Path, clock: SiteClock):
    async with open_hub(path, suspense=Suspense(0.05, 0.0), clock=clock) as hub:
        room = await jousting(hub)
        await finish_market(room)
        await wait_until(lambda: room.state.held_until is not None)
    clock.at += 0.1
    async with open_hub(path, suspense=Suspense(0.3, 0.0), clock=clock) as hub:
        room = await hub.room(room.id)
        await wait_until(lambda: len(events(hub, room, "held")) == 2)
        first, second = (event.body["until"] for event in events(hub, room, "held"))
        assert first < clock.at < second
        assert not room.view(None).table.tossed
        clock.at = second
        await wait_until(lambda: room.view(None).table.tossed)


async def test_nothing_falls_before_what_was_played_has_been_shown(hub: Hub):
    room = await jousting(hub)
    await play(room, ADA, "done")
    room.scene_until = time.monotonic() + 0.5
    await play(room, BRUNO, "done")
    await wait_until(lambda: room.view(None).table.tossed)
    assert time.monotonic() >= room.scene_until


async def test_all_see_it_at_the_same_instant(hub: Hub):
    """All subscribers' messages are prepared before the first is sent."""
    room, done = await jousting(hub), []

    def made(name):
        assert room.view(None).table.tossed
        done.append((name, "made", time.monotonic()))
        return lambda: done.append((name, "sent", time.monotonic()))

    for name in ("one", "other"):
        room.subscribe(None, lambda seq: None, partial(made, name))
    await tossed(room)
    assert [step[:2] for step in done] == [("one", "made"), ("other", "made"), ("one", "sent"), ("other", "sent")]
    assert done[1][2] <= room.race_shown_at <= done[2][2]


# Races


async def test_the_quicker_of_two_right_answers_is_first(hub: Hub):
    room, commits = await jousting(hub), note_commits(hub)
    right, _ = await tossed(room)
    await play(room, BRUNO, right, 0.75, 0.1, 0.01)
    await play(room, ADA, right, 0.70)
    assert (commits[-1], room.view(None).table.winner) == ([right, "first 1"], 2)
    reactions = [event.body["reaction"] for event in events(hub, room, "played") if "reaction" in event.body]
    assert (reactions, room.state.reactions) == ([[0.75, 0.1, 0.01], [0.7, 0.0, 0.0]], {})
    assert matches_log(hub, room)


async def test_a_right_answer_beats_a_quick_one(hub: Hub):
    room, right, wrong = await race(hub)
    await play(room, ADA, wrong, 0.2)
    await play(room, BRUNO, right, 5.0)
    assert room.view(None).table.winner == 2


async def test_a_tie_in_time_is_thrown_again(hub: Hub):
    room, right, _ = await race(hub)
    await play(room, ADA, right, 0.5)
    await play(room, BRUNO, right, 0.501)
    assert codes(room)[-1] == "first none"
    await wait_until(lambda: len(room.state.open_decisions) == 2)
    assert len(events(hub, room, "held")) == 2
    assert matches_log(hub, room)


async def test_impossibly_fast_answers_count_as_wrong(hub: Hub):
    """Nothing is refused, so that no second guess is possible; the choice is kept beside the one that counts."""
    room, right, wrong = await race(hub)
    await play(room, ADA, right, SHORTEST_REACTION - 0.001)
    # until the other has answered
    assert (room.state.early_seats(room.moments), room.state.race_seconds(room.moments)) == ([], [])
    await play(room, BRUNO, right, 3.0)
    seconds = [room.state.race_seconds(at) for at in range(1, room.moments + 1)]
    assert [timed for timed in seconds if timed] == [[(0, SHORTEST_REACTION - 0.001), (1, 3.0)]]
    early = [at for at in range(1, room.moments + 1) if room.state.early_seats(at) == [0]]
    assert (early, room.view(None).table.winner) == ([room.moments], 2)
    pointed = [event.body for event in events(hub, room, "played") if "reaction" in event.body]
    assert (pointed[0]["code"], [body.get("meant") for body in pointed]) == (wrong, [right, None])
    assert matches_log(hub, room)


async def test_appearing_impossibly_fast_gains_nothing(hub: Hub):
    """Delayed echoes increase what is subtracted, until the answer is too soon."""
    room, right, _ = await race(hub)
    await play(room, ADA, right, MOST_TRIP + SHORTEST_REACTION - 0.01, MOST_TRIP)
    await play(room, BRUNO, right, 2.0)
    assert room.view(None).table.winner == 2


async def test_one_attempt_each_and_none_before_there_is_anything_to_point_at(hub: Hub, clock: SiteClock):
    room = await jousting(hub)
    prompt = room.state.decision_counts[0] + 1
    await finish_market(room)
    for corner in CORNERS:
        await refused(StalePrompt, send(room, ADA, Play, prompt, f"point {corner}"))
    clock.at += SOON.shortest
    await wait_until(lambda: room.state.open_decisions)
    right, wrong = right_and_wrong(room)
    answers = (Play(new_command_id(), prompt, code) for code in (wrong, right))
    attempts = (room.execute(ADA, answer, Arrival(room.race_shown_at + 0.5)) for answer in answers)
    ends = await asyncio.gather(*attempts, return_exceptions=True)
    assert [type(end) for end in ends] == [type(None), StalePrompt]
    await play(room, BRUNO, right, 2.0)
    assert room.view(None).table.winner == 2


async def test_a_race_that_a_restart_interrupts_is_nobodys(path: Path):
    """Players who saw the toss before had unlimited time: pointing continues, and then the toss is repeated."""
    async with open_hub(path, suspense=SOON) as hub:
        room, right, _ = await race(hub)
        await play(room, ADA, right, 0.4)
    async with open_hub(path, suspense=SOON) as hub:
        room = await hub.room(room.id)
        assert (room.race_shown_at, room.state.open_decisions.keys()) == (None, {1})
        await send(room, BRUNO, Play, room.prompt_id(1), right)
        assert codes(room)[-1] == "first none"
        await wait_until(lambda: len(room.state.open_decisions) == 2)
        right, _ = right_and_wrong(room)
        await play(room, BRUNO, right, 0.4)
        await play(room, ADA, right, 0.9)
        assert room.view(None).table.winner == 2
        assert matches_log(hub, room)


async def test_a_wrong_corner_stays_wrong_after_a_restart(path: Path):
    async with open_hub(path, suspense=SOON) as hub:
        room, right, wrong = await race(hub)
        await play(room, ADA, wrong, 0.4)
    async with open_hub(path, suspense=SOON) as hub:
        room = await hub.room(room.id)
        await send(room, BRUNO, Play, room.prompt_id(1), right)
        assert room.view(None).table.winner == 2


# Bots


async def test_a_bot_races_with_a_persons_reflexes(path: Path):
    """Its reaction time is the one drawn, and it answers only after that time."""
    drawn = []

    def reflexes(level, answers):
        drawn.append((level, answers, time.monotonic()))
        return 0.3

    async with open_hub(path, suspense=SOON, reflexes=reflexes) as hub:
        room = await jousting(hub, (ADA,))
        right, _ = await tossed(room, (ADA,))
        shown = room.race_shown_at
        await wait_until(lambda: 1 not in room.state.open_decisions)
        assert time.monotonic() - shown >= 0.3
        ((level, answers, asked_at),) = drawn
        assert (level, answers) == ("greedy", 4)
        assert 0.3 <= room.state.reactions[1].seconds <= asked_at - shown + 0.3 + 1e-6
        await play(room, ADA, right, HOUR)
        timed = (event.body for event in events(hub, room, "played") if "reaction" in event.body)
        of_bot = next(body["code"] for body in timed if body["seat"] == 1)
        assert room.view(None).table.winner == (2 if of_bot == right else 1)
        assert matches_log(hub, room)


@pytest.mark.hub(reflexes=lambda level, answers: 0.05)
async def test_a_bot_that_takes_over_has_its_own_reflexes_only_from_then_on(hub: Hub):
    room, right, _ = await race(hub)
    await asyncio.sleep(0.4)
    await send(room, ADA, Leave)
    await wait_until(lambda: 0 not in room.state.open_decisions)
    assert room.state.reactions[0].seconds > 0.4
    await play(room, BRUNO, right, 0.3)
    assert room.view(None).table.winner == 2


@pytest.mark.hub(reflexes=lambda level, answers: 0.01)
async def test_bots_race_each_other_to_the_end(hub: Hub):
    room = await jousting(hub, (ADA,))
    await send(room, ADA, Leave)
    await wait_until(lambda: room.state.phase == "over")
    assert events(hub, room, "over")
    assert matches_log(hub, room)


@pytest.mark.hub(bot_pause=0.15)
async def test_constant_actions_of_people_do_not_prevent_bots_from_acting(hub: Hub):
    """In a barter, a bot's pause counts from its own last turn: new prompts do not prolong it."""
    room, until = await bazaar(hub, (ADA,)), time.monotonic() + PATIENCE
    while all(seat in (CHANCE, 0) for seat, _ in room.state.match.history):
        assert time.monotonic() < until
        legal = [room.state.game.actions.code(number) for number in room.view(0).legal]
        steps = ("withdraw", "offer silk", "offer salt", "offer wool", "lay wool", "lay salt", "lay silk")
        for code in [code for code in steps if code in legal][:1]:
            with contextlib.suppress(StalePrompt):
                await play(room, ADA, code)
        await asyncio.sleep(0.05)
