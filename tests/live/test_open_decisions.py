"""Barter in a room, where the first to act is heard; and plans: tried on one's own view, played all or nothing."""

import asyncio
import json
import threading
from itertools import cycle
from pathlib import Path
from typing import Any, cast

import pytest

import tavola
from tavola.core import IllegalAction, View
from tavola.live import Hub, Person, Room, Settings
from tavola.live.protocol import Fill, Join, Plan, Play
from tavola.live.responses import respond, state_message, state_text
from tavola.live.room_refusals import Changed, Gone, NotPlaying, NotSeated, StalePrompt
from tavola.live.server_messages import Refused
from tests.helpers import PATIENCE
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    THREE,
    matches_log,
    note_commits,
    open_hub,
    play,
    refused,
    send,
    start_room,
    wait_until,
)

DEALT = ["wool", "wool", "salt", "wool", "salt", "silk", "silk", "salt", "silk"]
pytestmark = pytest.mark.drills("bazaar")


@pytest.fixture(autouse=True)
def _deal(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt = cycle(map(("wool", "salt", "silk").index, DEALT))
    monkeypatch.setattr("tavola.live.log.dice.Dice.draw_outcome", lambda *_: next(dealt))


async def bazaar(hub: Hub, people=THREE, **settings) -> Room:
    """Ada has two wool and silk, Bruno wool and two salt, Carla salt and two silk; bots take the other seats."""
    return await start_room(hub, people, game="bazaar", **{"patience": 0, **settings})


@pytest.fixture
def room(runner: asyncio.Runner, hub: Hub):
    return runner.run(bazaar(hub))


def _unchanged(then: View, now: View, number):
    verb, places = now.game.actions.action(number)
    return verb != "accept" or then.table.offers[places[0]] == now.table.offers[places[0]]


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch):
    """In the bazaar, answers to an earlier prompt count if they still mean the same."""
    monkeypatch.setitem(vars(tavola.load("bazaar")), "unchanged", _unchanged)


def asked(room: Room):
    return [room.prompt_id(seat) for seat in range(3)]


async def late(room: Room, person: Person, prompts, *codes):
    await send(room, person, Play, prompts[THREE.index(person)], codes=codes)


@pytest.mark.parametrize("lasts", [False, True])
async def test_of_two_simultaneous_accepts_exactly_one_wins(hub: Hub, room: Room, monkeypatch, lasts: bool):
    monkeypatch.setitem(vars(tavola.load("bazaar")), "unchanged", _unchanged if lasts else None)
    await play(room, ADA, "lay wool", "offer salt")
    before, seq = asked(room), room.state.seq
    accepting = (late(room, person, before, "accept 0") for person in (CARLA, BRUNO))
    ends = await asyncio.gather(*accepting, return_exceptions=True)
    gone = Gone, "that’s no longer possible: others have acted meanwhile"
    stale = StalePrompt, "someone got there first: look again and choose"
    assert (ends[0], (type(ends[1]), str(ends[1]))) == (None, gone if lasts else stale)
    assert (room.state.seq, room.state.match.view(2).hand.goods[0]) == (seq + 1, 1)
    assert matches_log(hub, room)
    await refused(IllegalAction, play(room, BRUNO, "accept 0"), "'accept 0' is not allowed now")


async def test_a_code_that_has_come_to_mean_something_else_is_refused(room: Room, lasting):
    nothing = asked(room)
    await play(room, ADA, "lay wool", "offer salt")
    before = asked(room)
    await play(room, ADA, "withdraw")
    await play(room, ADA, "lay silk", "offer salt")
    for prompts in (before, nothing):  # the offer as it was then, and when there was none
        said = "things have changed since you looked: look again and choose"
        await refused(Changed, late(room, BRUNO, prompts, "accept 0"), said)
    await refused(IllegalAction, late(room, BRUNO, before, "accept 2"), "'accept 2' is not allowed now")
    await play(room, BRUNO, "accept 0")


async def test_steps_that_others_have_made_impossible_are_gone_altogether(room: Room, lasting):
    await play(room, ADA, "lay wool", "lay wool", "offer salt")
    before = asked(room)
    await play(room, BRUNO, "accept 0")
    seq = room.state.seq
    await refused(Gone, late(room, ADA, before, "withdraw", "lay wool", "offer silk"))
    assert room.state.seq == seq


async def test_a_plan_is_tried_on_the_table_as_it_is_though_others_have_acted(room: Room, lasting):
    before = asked(room)
    await play(room, CARLA, "lay silk", "offer wool")
    assert room.plan(ADA, ["lay wool"], before[0]).view.table.offers[2].wanted == 1
    with pytest.raises(StalePrompt):
        room.plan(CARLA, ["withdraw"], before[2])


async def test_nothing_is_answered_when_it_is_over(room: Room, lasting):
    await play(room, ADA, "lay wool", "offer salt")
    before = asked(room)
    await play(room, ADA, "done")
    await refused(StalePrompt, late(room, ADA, before, "done"))
    await play(room, CARLA, "done")
    assert room.state.earlier_moments == {}
    await refused(NotPlaying, late(room, BRUNO, before, "accept 0"))


async def test_others_are_asked_again_only_when_they_see_a_change(hub: Hub, room: Room):
    """Laying out is secret: nothing is sent to others, and what they may know is unchanged."""
    told = []
    for person in THREE:
        room.subscribe(person, lambda seq, person=person: told.append(person))  # type: ignore[misc]
    prompts = asked(room)
    before = {reader: state_text(room, reader) for reader in (BRUNO.id, CARLA.id, None)}
    told.clear()
    await play(room, ADA, "lay wool")
    assert (told, asked(room)) == ([ADA], [prompts[0] + 1, *prompts[1:]])
    assert {reader: state_text(room, reader) for reader in before} == before
    assert 0 not in room.state.decided_at, "when she laid it out tells that she did"
    await play(room, ADA, "offer salt")
    assert ({*told}, room.state.decided_at) == ({*THREE}, {0: room.state.action_times[-1]})
    assert state_message(room, BRUNO.id)["moments"] == json.loads(before[None])["moments"] + 1
    assert asked(room) == [prompts[0] + 2, prompts[1] + 1, prompts[2] + 1]
    assert "accept 0" in state_message(room, BRUNO.id)["legal"]
    assert matches_log(hub, room)


async def test_a_secret_step_starts_no_clock_again(hub: Hub):
    """Others see when a seat's time ends; it must not show when, or how often, the seat lays something out."""
    room = await bazaar(hub, patience=60)
    ends, since = room.caretaker.deadline(0), room.state.open_since[0]
    for _ in range(2):
        await play(room, ADA, "lay wool")
        assert (room.caretaker.deadline(0), room.state.open_since[0]) == (ends, since)
    await play(room, ADA, "offer salt")
    assert room.caretaker.deadline(0) > ends
    assert room.state.open_since[0] > since
    assert matches_log(hub, room)


class Slow:
    """A bot that lets another seat act while it thinks, the first time."""

    def __init__(self):
        self.gate, self.asked = threading.Event(), 0

    def choose(self, view: View):
        self.asked += 1
        if self.asked <= 2:
            self.gate.wait(PATIENCE)
        return view.legal[-1]


async def test_a_bot_answers_again_when_its_prompt_is_gone(path: Path):
    slow = Slow()
    async with open_hub(path, bots=lambda level, seed: slow) as hub:
        room = await bazaar(hub, (ADA,))
        await wait_until(lambda: slow.asked >= 2)
        await play(room, ADA, "lay wool", "offer salt")
        slow.gate.set()
        await wait_until(lambda: room.state.phase == "over")
        assert slow.asked >= 4


@pytest.mark.hub(bot_pause=0.2)
async def test_people_come_to_act_before_bots_do(hub: Hub):
    """Bots wait longer if a person might want to act first."""
    room = await bazaar(hub, (ADA,))
    await wait_until(lambda: room.moments > len(DEALT))
    *_, opened, acted = room.state.action_times[: len(DEALT) + 1]
    assert acted - opened >= 2 * 0.2


async def test_a_plan_shows_what_would_be_and_nothing_happens(hub: Hub, room: Room):
    told, prompt_id = [], room.prompt_id(0)
    room.subscribe(None, told.append)
    before = (room.state.seq, room.state.match.state_bytes(), state_text(room, ADA.id))
    plan = room.plan(ADA, ["lay wool", "lay wool"], prompt_id)
    assert (list(plan.view.hand.laid), plan.view.seat, plan.stop) == ([2, 0, 0], 0, "")
    assert list(room.plan(ADA, (), prompt_id).view.hand.laid) == [0, 0, 0]
    assert before == (room.state.seq, room.state.match.state_bytes(), state_text(room, ADA.id))
    assert told == []
    assert len(hub.store.events(room.id)) == room.state.seq
    assert plan.view != room.view(0)


async def test_a_plan_is_refused_where_nothing_can_be_planned(room: Room):
    prompt_id = room.prompt_id(0)
    with pytest.raises(IllegalAction, match="would not be allowed at that point"):
        room.plan(ADA, ["lay silk", "lay silk"], prompt_id)
    with pytest.raises(IllegalAction, match="cannot be planned"):
        room.plan(ADA, ["done"], prompt_id)
    with pytest.raises(StalePrompt):
        room.plan(ADA, ["lay wool"], prompt_id + 1)
    with pytest.raises(NotSeated):
        room.plan(Person("z", "Zoe"), ["lay wool"], prompt_id)


async def test_steps_are_played_all_or_none_in_one_commit(hub: Hub, room: Room):
    told, commits = [], note_commits(hub)
    room.subscribe(None, told.append)
    before = room.state.match.state_bytes()
    for codes in (("lay wool", "lay silk", "lay silk"), ("done", "lay wool"), ("lay wool", "castle")):
        await refused(IllegalAction, play(room, ADA, *codes))
    assert (told, commits, room.state.match.state_bytes()) == ([], [], before)
    await play(room, ADA, "lay wool", "lay wool", "offer salt")
    assert (commits, told) == ([["lay wool", "lay wool", "offer salt"]], [room.state.seq])
    assert list(room.view(None).table.offers[0].goods) == [2, 0, 0]
    assert matches_log(hub, room)


async def test_programs_plan_by_message(room: Room):
    prompt_id = room.prompt_id(0)
    planned: Any = await respond(room, ADA, Plan("k", prompt_id, ("lay wool",)))
    assert (planned.type, planned.command_id, planned.stop) == ("planned", "k", "")
    assert "offer salt" in planned.legal
    assert json.dumps(planned.view) == json.dumps(room.plan(ADA, ["lay wool"], prompt_id).view.document())
    answered: Any = await respond(room, ADA, Plan("k", prompt_id, ("done",)))
    assert (answered.type, answered.kind) == ("refused", "IllegalAction")
    assert cast(Refused, await respond(room, None, Plan("k", prompt_id))).kind == "NotSeated"


async def test_a_bots_secret_steps_go_out_with_what_is_seen_of_them(path: Path):
    """Their number would be a hint, so they are sent together with the first visible one."""

    class Trader:
        def choose(self, view: View):
            wanted = ["lay wool", "offer salt"] if sum(view.hand.laid) < 1 else ["offer salt"]
            codes = [view.game.actions.code(number) for number in view.legal]
            code = next((code for code in wanted if code in codes), "done")
            return view.game.actions.number(code)

    async with open_hub(path, bot_pause=0.05, bots=lambda level, seed: Trader()) as hub:
        room, told = await hub.create(ADA, "bazaar", {"players": 3}, Settings(patience=0)), []
        await send(room, BRUNO, Join)
        room.subscribe(None, lambda seq: told.append(room.moments) if room.moments > len(DEALT) else None)
        await send(room, ADA, Fill, "random")
        await wait_until(lambda: told)
        code, shown = room.state.game.actions.code, room.state.match.history[len(DEALT) : told[0]]
        assert [code(number) for _, number in shown] in (["lay wool", "offer salt"], ["done"])
