"""Statements in a room: made by seats, seen by their audience, kept in the log, judged at the reveal; talk windows."""

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from tavola.core import IllegalAction, read_record
from tavola.live import Hub, Room, Settings
from tavola.live.log.dice import Dice
from tavola.live.protocol import ComeBack, Enough, Leave, Mute, Report, Say, Speak, parse
from tavola.live.responses import respond, sentences_text, state_message, state_text
from tavola.live.room_refusals import NoTalk, NotPlaying, NotSeated, StalePrompt, TooFast
from tavola.talk import BadStatement, NothingToAnswer, NoWhispers, SaidAlready, read_talk, record_text
from tests.helpers.days import SiteClock
from tests.helpers.rooms import (
    ADA,
    BRUNO,
    CARLA,
    DARIO,
    PEOPLE,
    matches_log,
    new_command_id,
    open_ballot,
    open_hub,
    play,
    refused,
    send,
    wait_until,
)

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def room(runner: asyncio.Runner, hub: Hub):
    return runner.run(open_ballot(hub))


def statuses(room: Room) -> list[str | None]:
    return [said.status and str(said.status) for said in room.state.talk.said]


async def test_a_promise_is_heard_and_judged_when_the_cards_are_turned(path: Path):
    async with open_hub(path) as hub:
        room = await open_ballot(hub)
        await send(room, ADA, Speak, "promise", deed="vote not red")
        await send(room, BRUNO, Speak, "promise", deed="vote not red now")
        for seat, card in enumerate(("green", "red", "black")):
            await play(room, seat, f"vote {card}")
            assert statuses(room) == ["open", "open"], "a card lies face down"
        await play(room, 3, "vote black")
        assert statuses(room) == ["kept", "broken"]
        assert matches_log(hub, room)
        told = [(line["speaker"], line["deed"], line["status"]) for line in state_message(room, CARLA.id)["statements"]]
        assert told == [(0, "vote not red now", "kept"), (1, "vote not red now", "broken")]
    async with open_hub(path) as hub:
        assert statuses(await hub.room(room.id)) == ["kept", "broken"]


async def test_a_whisper_is_heard_by_two_and_noticed_by_all(room: Room):
    await send(room, ADA, Speak, "offer", to=1, deed="vote not green", condition="vote black")
    await send(room, BRUNO, Speak, "accept", answers=1)
    for person in (ADA, BRUNO):
        first, answer = state_message(room, person.id)["statements"]
        offer = {"deed": "vote not green now", "condition": "vote black now", "status": "accepted"}
        assert offer.items() <= first.items()
        assert (answer["act"], answer["to"], answer["answers"]) == ("accept", 0, 1)
    for other in (CARLA.id, None):
        told = state_message(room, other)["statements"]
        assert [(line["speaker"], line["to"], line["whispered"]) for line in told] == [(0, 1, True), (1, 0, True)]
        assert all(line["act"] is line["status"] is line["about"] is line["answers"] is None for line in told)
        assert not any(line["deed"] or line["condition"] for line in told)
    told = sentences_text(room, CARLA.id, "de")
    assert "Ada flüstert mit Bruno." in told
    assert "Grün" not in told.partition('"statements"')[2]


async def test_states_of_two_tables_that_differ_in_secrets_are_the_same_with_what_was_said(tmp_path: Path):
    """Others' whispers and face-down cards change nothing in what a seat is sent, judgements included."""
    told = []
    for number, (deed, card) in enumerate((("vote not red", "red"), ("vote black", "green"))):
        async with open_hub(tmp_path / f"{number}.sqlite", dice=Dice(random.Random(3))) as hub:
            room = await open_ballot(hub)
            await send(room, ADA, Speak, "promise", deed="vote not red")
            await send(room, BRUNO, Speak, "promise", to=0, deed=deed)
            await play(room, 1, f"vote {card}")
            await play(room, 0, f"vote {card}")
            assert statuses(room) == ["open", "open"]
            told.append(state_text(room, CARLA.id).replace(room.id, "room"))
    assert told[0] == told[1]


async def test_what_cannot_be_said_is_refused_and_changes_nothing(hub: Hub):
    waiting = await hub.create(ADA, "lifeboats", {"players": 3}, Settings())
    await refused(NotPlaying, send(waiting, ADA, Speak, "promise", deed="vote red"))
    room = await open_ballot(hub)
    await refused(NotSeated, send(room, PEOPLE[0]._replace(id="z"), Speak, "promise", deed="vote red"))
    for act, said, kind in (
        ("sing", {}, BadStatement),
        ("promise", {"deed": "vote pink"}, BadStatement),
        ("promise", {}, BadStatement),
        ("accept", {"answers": 3}, NothingToAnswer),
        ("offer", {"to": 7, "deed": "vote red", "condition": "vote red"}, BadStatement),
    ):
        await refused(kind, send(room, ADA, Speak, act, **said))
    assert room.state.talk is None
    await send(room, ADA, Speak, "promise", deed="vote red")
    await refused(SaidAlready, send(room, ADA, Speak, "promise", deed="vote red"))
    assert matches_log(hub, room)


async def test_a_statement_sent_again_is_made_once_and_too_many_are_too_fast(room: Room):
    again = Speak("k1", "promise", deed="vote red")
    await room.execute(ADA, again)
    await room.execute(ADA, again)
    assert len(room.state.talk.said) == 1
    for card in ("green", "violet", "yellow", "black"):
        await send(room, ADA, Speak, "promise", deed=f"not vote {card}")
    await refused(TooFast, send(room, ADA, Speak, "thank", to=1))
    await send(room, BRUNO, Speak, "thank", to=0)


async def test_a_table_may_forbid_whispers_or_talk(path: Path):
    async with open_hub(path) as hub:
        aloud = await open_ballot(hub, talk="aloud")
        await refused(NoWhispers, send(aloud, ADA, Speak, "promise", to=1, deed="vote red"))
        await send(aloud, ADA, Speak, "offer", to=1, aloud=True, deed="vote red", condition="vote green")
        await send(aloud, BRUNO, Speak, "decline", answers=1)
        assert state_message(aloud, CARLA.id)["statements"][1]["act"] == "decline"
        silent = await open_ballot(hub, talk="silent")
        for command in (Speak(new_command_id(), "promise", deed="vote red"), Say(new_command_id(), "red?")):
            await refused(NoTalk, silent.execute(ADA, command))
        assert state_message(silent, ADA.id)["settings"]["talk"] == "silent"
    async with open_hub(path) as hub:
        assert (await hub.room(silent.id)).state.settings.talk == "silent"


async def test_muting_free_text_keeps_statements(hub: Hub, room: Room):
    await send(room, CARLA, Mute, 0)
    assert room.state.muted_by(CARLA.id) == {0}
    await send(room, ADA, Say, "red?")
    await send(room, ADA, Speak, "promise", deed="vote red")
    assert len(state_message(room, CARLA.id)["statements"]) == 1
    assert [len(state_message(room, reader)["chat"]) for reader in (CARLA.id, BRUNO.id, None)] == [0, 1, 1]
    await send(room, CARLA, Mute, 0, False)
    assert room.state.muted_by(CARLA.id) == frozenset()
    assert matches_log(hub, room)


async def test_the_record_of_a_room_holds_what_was_said(hub: Hub, room: Room):
    await send(room, ADA, Speak, "promise", deed="vote not red round")
    await send(room, BRUNO, Speak, "request", to=0, deed="vote black")
    while not room.state.match.over:
        seat = room.state.match.to_act[0]
        await play(room, seat, room.state.match.legal_codes(seat)[-1])
    assert "open" not in statuses(room)
    text = record_text(room.state.record(), room.state.talk)
    assert ";> 0 promise vote not red round" in text
    read = read_talk(text, read_record(text).match()).said
    assert [said.status for said in read] == [said.status for said in room.state.talk.said]
    brought = await hub.import_record(DARIO, text)
    assert statuses(brought) == statuses(room)
    assert record_text(brought.state.record(), brought.state.talk) == text
    assert all(line["act"] for line in state_message(brought, None)["statements"]), "all hands are open"


async def test_the_protocol_accepts_statements_and_explains_refusals(room: Room):
    said = parse('{"type":"speak","command_id":"a","act":"promise","deed":"vote not red","to":1,"aloud":true}')
    assert (await respond(room, ADA, said)).type == "acknowledged"
    answered: Any = await respond(room, ADA, parse('{"type":"speak","command_id":"b","act":"promise","deed":"vote x"}'))
    assert (answered.type, answered.kind, answered.command_id) == ("refused", "BadPattern", "b")
    assert "red|green" in answered.message


async def test_muted_or_reported_players_can_still_make_promises(hub: Hub, room: Room):
    """Only free text is moderated: a statement is a move, and is still shown to the one who muted or reported."""
    await send(room, ADA, Speak, "promise", deed="vote not red")
    await refused(NotSeated, send(room, CARLA, Report, 1), "no one with that number has spoken here")
    await send(room, ADA, Say, "Fools!")
    speaker = room.state.speakers[ADA.id]
    await send(room, CARLA, Report, speaker)
    assert room.state.muted_by(CARLA.id) == {speaker}
    await send(room, ADA, Speak, "promise", deed="vote green")
    assert [line["speaker"] for line in state_message(room, CARLA.id)["statements"]] == [0, 0]
    reported = [event for event in hub.store.events(room.id, 0) if event.kind == "reported"]
    assert [line["text"] for line in reported[0].body["lines"]] == ["Fools!"]
    assert matches_log(hub, room)


async def test_a_returning_player_finds_all_promises_unchanged(hub: Hub, room: Room):
    """A bot that decides for a player is bound by the player's promises, and answers no statement meanwhile."""
    await send(room, ADA, Speak, "promise", deed="vote not red")
    await send(room, ADA, Leave)
    await send(room, BRUNO, Speak, "request", to=0, deed="vote black next")
    await send(room, ADA, ComeBack)
    told = state_message(room, ADA.id)["statements"]
    assert [(line["act"], line["status"]) for line in told] == [("promise", "open"), ("request", "open")]
    await send(room, ADA, Speak, "accept", answers=2)
    assert matches_log(hub, room)


# The talk window of a ballot: choices are stored, can be changed, and are played when all have talked enough


async def open_window(hub: Hub, people=PEOPLE, window: int = 60) -> Room:
    room = await open_ballot(hub, people, 4, window=window)
    await wait_until(lambda: room.state.window is not None)
    return room


async def enough(room: Room, *people) -> None:
    for person in people:
        await send(room, person, Enough)


async def test_choices_may_be_changed_until_all_have_talked_enough(hub: Hub):
    room = await open_window(hub)
    before = room.moments
    await refused(IllegalAction, play(room, 0, "vote white"))
    assert room.state.window.chosen == {}
    await play(room, 0, "vote red")
    await play(room, 0, "vote green")
    for seat in (1, 2, 3):
        await play(room, seat, "vote black")
    assert room.moments == before, "nothing is played while it is open"
    await enough(room, ADA, BRUNO, CARLA)
    assert room.state.window.enough == {0, 1, 2}
    await enough(room, DARIO)
    assert room.state.window is None
    cast = [room.state.game.actions.code(number) for _, number in room.state.match.history[before : before + 4]]
    assert cast == ["vote green", "vote black", "vote black", "vote black"]
    assert matches_log(hub, room)


async def test_pending_choices_are_invisible_to_others(hub: Hub):
    room, told = await open_window(hub), []
    room.subscribe(BRUNO, told.append)
    before = [state_text(room, reader) for reader in (None, BRUNO.id)]
    await play(room, 0, "vote red")
    await play(room, 0, "vote green")
    assert ([state_text(room, reader) for reader in (None, BRUNO.id)], told) == (before, [])
    await enough(room, ADA)
    assert told != []


async def test_its_end_plays_what_lies_ready_and_leaves_the_others_to_decide(hub: Hub):
    room = await open_window(hub)
    before = room.moments
    await play(room, 2, "vote black")
    assert state_message(room, None)["talk_until"] == room.state.window.until
    room.state.window.until = 0.0
    await wait_until(lambda: room.state.window is None)
    assert (room.moments, state_message(room, None)["talk_until"]) == (before + 1, None)
    await play(room, 0, "vote red")
    assert room.moments == before + 2
    await refused(StalePrompt, enough(room, BRUNO))


async def test_bots_wait_for_the_talk_window_and_absent_players_delay_no_one(hub: Hub):
    room = await open_window(hub, PEOPLE[:2])
    before = room.moments
    await asyncio.sleep(0.1)
    assert room.moments == before
    await send(room, BRUNO, Leave)
    await play(room, 0, "vote red")
    await enough(room, ADA)
    await wait_until(lambda: room.moments >= before + 4)


async def test_a_window_opens_once_a_ballot_and_survives_a_restart(path: Path, clock: SiteClock):
    async with open_hub(path, clock=clock) as hub:
        room = await open_window(hub)
        await play(room, 0, "vote red")
        until, code = room.state.window.until, room.id
    async with open_hub(path, clock=clock) as hub:
        room = await hub.room(code)
        assert (room.state.window.until, room.state.window.chosen) == (until, {0: "vote red"})
        await enough(room, *PEOPLE)
        assert [event.kind for event in hub.store.events(code, 0)].count("window") == 1
