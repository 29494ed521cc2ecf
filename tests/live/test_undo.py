"""Undo in a room: freely against bots, by consent among people, over restarts, for programs and outside bots."""

import asyncio
from pathlib import Path

import pytest

from tavola.core import CHANCE
from tavola.live import Hub, Room
from tavola.live.correspondence.hours import DAY
from tavola.live.log.undo import undoable
from tavola.live.protocol import AllowUndo, Leave, SitOut, Speak, Undo
from tavola.live.responses import sentences_text, state_message
from tavola.live.room_refusals import NotUndoable, TooMuch
from tests.helpers.days import SiteClock
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    PEOPLE,
    THREE,
    matches_log,
    open_ballot,
    open_hub,
    play,
    play_legal,
    play_some,
    refused,
    send,
    start_room,
    wait_until,
)


async def undo(room: Room, person=ADA) -> None:
    made = undoable(room.state, room.state.seat_of(person.id))
    await send(room, person, Undo, made.prompt_id if made else 0)


async def answer(room: Room, person, *, allow: bool = True) -> None:
    made = room.state.undo_request.made
    await send(room, person, AllowUndo, made.seat, made.prompt_id, allow)


async def alone_after_a_turn(hub: Hub) -> Room:
    """Return a match of Ada and bots in which she has placed her boat, and it is her turn again."""
    room = await start_room(hub, [ADA], 3, patience=0)
    await wait_until(lambda: room.prompt_id(0) is not None)
    await play_legal(room, ADA)
    await wait_until(lambda: room.prompt_id(0) is not None)
    return room


async def three_after_two_turns(hub: Hub):
    """Return a match of three people in which two have placed their boats; those two in order, and the one asked."""
    room = await start_room(hub, THREE, patience=0)
    await play_some(room, 2)
    decided = [seat for seat, _ in room.state.match.history if seat != CHANCE]
    return room, *(THREE[seat] for seat in (*decided, *room.state.match.to_act))


async def test_against_bots_a_decision_is_taken_back_at_once_and_bots_decide_again(hub: Hub):
    room = await alone_after_a_turn(hub)
    place, made, asked = room.state.decided[-1].place, undoable(room.state, 0), room.prompt_id(0)
    await send(room, ADA, Undo, made.prompt_id)
    await refused(NotUndoable, send(room, ADA, Undo, made.prompt_id), "last decision")
    assert (len(room.state.match.history), room.state.match.to_act) == (place, (0,))
    assert room.prompt_id(0) > asked
    await play_legal(room, ADA, 1)
    await wait_until(lambda: room.prompt_id(0) is not None)
    assert matches_log(hub, room)


async def test_one_can_go_back_again_and_again_until_something_is_revealed(hub: Hub):
    room = await alone_after_a_turn(hub)
    await play_legal(room, ADA)
    await wait_until(lambda: room.prompt_id(0) is not None)
    await undo(room)
    await undo(room)
    assert undoable(room.state, 0) is None
    await refused(NotUndoable, undo(room), "last decision")
    assert matches_log(hub, room)


async def test_a_revealed_ballot_stands(hub: Hub):
    room = await open_ballot(hub, [ADA], 3)
    made = room.state.prompt_id(0)
    await play_legal(room, ADA)
    await wait_until(lambda: room.state.view(None).table.ballots == 1 or undoable(room.state, 0) is None)
    await refused(NotUndoable, send(room, ADA, Undo, made), "revealed")


async def test_people_must_all_allow_it(hub: Hub):
    room, asker, other, last = await three_after_two_turns(hub)
    actions = len(room.state.match.history)
    await undo(room, asker)
    assert len(room.state.match.history) == actions
    await answer(room, other)
    await answer(room, other)
    assert len(room.state.match.history) == actions
    await refused(NotUndoable, answer(room, asker), "other players")
    await answer(room, last)
    assert room.state.match.to_act == (room.state.seat_of(asker.id),)
    assert matches_log(hub, room)


async def test_one_refusal_is_enough_and_the_same_decision_is_not_asked_about_twice(hub: Hub):
    room, asker, other, last = await three_after_two_turns(hub)
    actions = len(room.state.match.history)
    await undo(room, asker)
    await refused(NotUndoable, undo(room, other), "answer that first")
    made = room.state.undo_request.made
    await answer(room, other, allow=False)
    await refused(TooMuch, undo(room, asker))
    await refused(NotUndoable, send(room, last, AllowUndo, made.seat, made.prompt_id), "is over")
    assert len(room.state.match.history) == actions
    assert [line.gesture for line in room.state.chat_log] == ["undo", "denied"]


async def test_a_decision_ends_the_request(hub: Hub):
    room, asker, _, last = await three_after_two_turns(hub)
    await undo(room, asker)
    await play_legal(room, last)
    assert room.state.undo_request is None


async def test_without_an_answer_the_request_ends_by_time(hub: Hub, monkeypatch: pytest.MonkeyPatch):
    room, asker, _, _ = await three_after_two_turns(hub)
    monkeypatch.setattr("tavola.live.commands.undo.ANSWERED_WITHIN", 0.0)
    await undo(room, asker)
    await wait_until(lambda: room.state.undo_request is None)
    assert room.state.undone == []
    await refused(TooMuch, undo(room, asker))
    assert matches_log(hub, room)


async def test_bots_wait_for_the_answer(hub: Hub):
    room = await start_room(hub, [ADA, BRUNO], 3, patience=0)
    while len(room.state.decided) < 2:
        seat = room.state.match.to_act[0]
        await (play_legal(room, PEOPLE[seat]) if seat < 2 else asyncio.sleep(0.001))
    asker = PEOPLE[room.state.decided[-1].seat]
    await wait_until(lambda: room.state.open_decisions.keys() <= {0, 1})
    await undo(room, asker)
    await answer(room, BRUNO if asker is ADA else ADA)
    await wait_until(lambda: room.state.open_decisions.keys() <= {0, 1})
    assert matches_log(hub, room)


async def test_those_who_let_a_bot_play_are_not_asked(hub: Hub):
    room, asker, other, last = await three_after_two_turns(hub)
    await send(room, last, SitOut)
    await send(room, other, Leave)
    await wait_until(lambda: room.prompt_id(room.state.seat_of(asker.id)) is not None)
    await undo(room, asker)
    assert len(room.state.undone) == 1
    await refused(NotUndoable, send(room, other, Undo, 0), "take your seat back")


async def test_requests_and_undos_outlast_a_server(path: Path):
    async with open_hub(path) as hub:
        room, asker, other, last = await three_after_two_turns(hub)
        await undo(room, asker)
        await answer(room, other)
    async with open_hub(path) as hub:
        again = await hub.room(room.id)
        assert again.state.undo_request.allowed == {again.state.seat_of(other.id)}
        await answer(again, last)
        await play_legal(again, asker, 2)
        actions = again.state.match.history
    async with open_hub(path) as hub:
        assert (await hub.room(room.id)).state.match.history == actions


async def test_over_days_a_request_waits_a_day(path: Path):
    async with open_hub(path, clock=SiteClock()) as hub:
        room = await start_room(hub, THREE, days=1, patience=0)
        await play_legal(room, THREE[room.state.match.to_act[0]])
        (seat,) = room.state.match.to_act
        await undo(room, THREE[room.state.decided[-1].seat])
        assert room.state.undo_request.until - room.now == DAY
        for seated, person in enumerate(THREE):
            if room.state.undo_request is not None and room.state.undo_request.made.seat != seated:
                await answer(room, person)
        assert room.state.match.to_act != (seat,)
        await wait_until(lambda: room.state.dues.keys() == room.state.open_decisions.keys())
        assert matches_log(hub, room)


async def test_programs_are_told_what_can_be_undone_and_what_was(hub: Hub):
    room = await alone_after_a_turn(hub)
    state, told = state_message(room, ADA.id), room.state.told
    assert (state["undo_id"], state["undone"], state["undo_asked"]) == (undoable(room.state, 0).prompt_id, 0, None)
    await undo(room)
    await play_legal(room, ADA, 1)
    state = state_message(room, ADA.id, room.state.known_until(told))
    assert (state["undone"], state["happened"][0]["seat"]) == (1, 0)
    assert "back a decision" not in sentences_text(room, ADA.id, "en")


async def test_bots_speak_again_after_an_undo(hub: Hub):
    """Statements made since are gone, and can be made again."""
    room = await open_ballot(hub, THREE)
    await play(room, 0, "vote green")
    await send(room, BRUNO, Speak, "promise", deed="vote not red now")
    await undo(room, ADA)
    await answer(room, BRUNO)
    await answer(room, CARLA)
    assert room.state.talk.said == []
    await send(room, BRUNO, Speak, "promise", deed="vote not red now")
    assert room.state.talk.said[0].number == 1
