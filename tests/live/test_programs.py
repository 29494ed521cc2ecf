"""Programs in rooms: each field of a state is declared and documented, nothing is skipped, no secret is sent."""

import asyncio
import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tavola
from tavola.bots.outside import player
from tavola.bots.outside.player import Outside, OutsidePlayer, end_programs, happened_documents
from tavola.core import Moment, Refusal
from tavola.live import Hub, Room, Settings
from tavola.live.bots import outside as outside_bots
from tavola.live.log.room_settings import StateSettings
from tavola.live.protocol import AddBot, Fill
from tavola.live.responses import sentences_text, state_message, state_text
from tavola.live.room_refusals import BadSetting
from tavola.live.server_messages import RoomState, StateSeat, TextState
from tavola.live.state_sentences import refusal_reason
from tests.helpers import PATIENCE, ROOT
from tests.helpers.rooms import (
    ADA,
    THREE,
    create_room,
    finished_room,
    open_hub,
    play_legal,
    play_to_end,
    play_until_ballot,
    refused,
    send,
    start_room,
    wait_until,
)

GUIDE = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
UNHURRIED = 3_600_000
"""Milliseconds for a decision of a program that must not be late, however slow the machine is."""
FIRST_LEGAL = """
import json, sys
for line in sys.stdin:
    state = json.loads(line)
    if state["type"] == "state" and state["prompt_id"] is not None:
        code = "nonsense" if state["prompt_id"] == 2 else state["legal"][0]
        print(json.dumps({"type": "play", "prompt_id": state["prompt_id"], "code": code}), flush=True)
"""


def strict(text: str, kind):
    read = msgspec.json.decode(text, type=kind)
    assert msgspec.json.decode(msgspec.json.encode(read)) == msgspec.json.decode(text)
    return read


async def test_every_field_of_a_state_is_declared(hub: Hub):
    for game in tavola.game_names():
        room = await create_room(hub, (ADA,), tavola.load(game).players[0], game)
        people = (ADA.id, None)
        for person in people:
            strict(state_text(room, person), RoomState)
            strict(sentences_text(room, person, "de"), TextState)
        await send(room, ADA, Fill, "random")
        for _ in range(3):
            for person in people:
                strict(state_text(room, person), RoomState)
                told = strict(sentences_text(room, person, "it"), TextState)
                assert told.prompt
                assert told.table
            await asyncio.sleep(0.01)


def table_after(heading: str) -> set[str]:
    part = re.split(rf"^#+ {heading}$", GUIDE, maxsplit=1, flags=re.MULTILINE)[1].partition("\n#")[0]
    return set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE))


def test_every_field_of_a_state_is_in_the_guide():
    fields = {"type", *RoomState.__struct_fields__}
    assert table_after("A state") == fields
    assert table_after("In sentences") == set(TextState.__struct_fields__) - fields | {"legal"}
    assert table_after("The settings of a room") == {*StateSettings.__struct_fields__}
    seats = re.search(r"^\| `seats` \|(.*)$", GUIDE, re.MULTILINE)[1]
    assert set(re.findall(r"`(\w+)`", seats)) == {*StateSeat.__struct_fields__}


@pytest.mark.parametrize("game", tavola.game_names())
async def test_states_that_come_seldom_skip_nothing(game, hub: Hub):
    """A program that is sent only some states still gets every action in order, as its seat may see it."""
    dice = random.Random(5)
    room = await start_room(hub, (ADA,), tavola.load(game).players[0], game=game, patience=0)
    heard, since = [], Moment(0)
    until = time.monotonic() + PATIENCE
    while room.state.phase == "playing" and room.moments <= 60:
        assert time.monotonic() < until
        if room.prompt_id(0) is not None:
            with contextlib.suppress(Refusal):  # another seat was faster
                await play_legal(room, ADA, dice.randrange(len(room.view(0).legal)))
        if dice.random() < 0.4:
            heard += state_message(room, ADA.id, since)["happened"]
            since = room.state.moment
        await asyncio.sleep(0.002)
    heard += state_message(room, ADA.id, since)["happened"]
    assert heard == happened_documents(room.state.match.heard(0))
    assert len(heard) > 10


async def test_refusals_cite_their_paragraph(hub: Hub):
    room = await start_room(hub, THREE)
    assert re.search(r"R\d", refusal_reason(room.state, 0, "vote red", "de"))
    assert refusal_reason(room.state, 0, "no such thing", "de") == ""


async def test_rooms_of_programs_wait_for_no_scenes(tmp_path: Path):
    async with open_hub(tmp_path / "tavola.sqlite", scenes=True) as hub:
        for program, scenes in ((True, False), (False, True)):
            room = await create_room(hub, THREE, patience=0)
            leaving = [room.subscribe(person, lambda seq: None, program=program) for person in THREE]
            assert room.is_for_programs == program
            await send(room, ADA, Fill)
            await play_until_ballot(room, THREE)
            for person in THREE:
                await play_legal(room, person)
            assert bool(room.scene_until) == scenes
            watching = room.subscribe(None, lambda seq: None)
            assert not room.is_for_programs, "somebody looks at it"
            watching()
            leaving[0]()
            assert not room.is_for_programs, "a person who is away may come back to a page"


def bot_of(source: str, folder: Path, *arguments: object, milliseconds: int = UNHURRIED) -> Outside:
    """Return a program of the server, written to a folder."""
    (folder / "bot.py").write_text(source)
    return Outside("exec", " ".join(map(str, (sys.executable, folder / "bot.py", *arguments))), milliseconds)


@pytest.mark.process
async def test_a_host_seats_a_bot_that_the_server_knows(tmp_path: Path):
    async with open_hub(tmp_path / "tavola.sqlite", outside={"mine": bot_of(FIRST_LEGAL, tmp_path)}) as hub:
        room = await hub.create(ADA, "lifeboats", {"players": 3}, Settings(patience=0))
        await send(room, ADA, AddBot, "mine")
        await refused(BadSetting, send(room, ADA, AddBot, "exec:./other"), "random, greedy, search, mine")
        await send(room, ADA, Fill, "random")
        await play_to_end(room, (ADA,))
        await wait_until(lambda: room.state.phase == "over")
        assert [place.level for place in room.state.occupants] == [None, "mine", "random"]
        replaced = [seat["replaced"] for seat in state_message(room, ADA.id)["seats"]]
        assert replaced[0] == replaced[2] == 0
    end_programs()


@pytest.mark.process
async def test_a_bot_that_is_not_known_any_more_is_replaced_by_one_of_ours(tmp_path: Path):
    async with open_hub(tmp_path / "tavola.sqlite", outside={"mine": bot_of(FIRST_LEGAL, tmp_path)}) as hub:
        room = await start_room(hub, (ADA,), level="mine", patience=0)
        await wait_until(lambda: room.prompt_id(0) is not None)
    end_programs()
    async with open_hub(tmp_path / "tavola.sqlite") as hub:
        room = await hub.room(room.id)
        await play_to_end(room, (ADA,))
        assert room.state.phase == "over"


SPEAKER = """
import json, sys
for line in sys.stdin:
    state = json.loads(line)
    if state["type"] == "state" and state["prompt_id"] is not None:
        if not state["statements"]:
            print(json.dumps({"type": "speak", "act": "promise", "deed": "crew * not black next"}))
            print(json.dumps({"type": "speak", "act": "promise", "deed": "crew * pink"}))
        print(json.dumps({"type": "play", "prompt_id": state["prompt_id"], "code": state["legal"][0]}), flush=True)
"""


@contextlib.asynccontextmanager
async def played_by_speakers(folder: Path) -> AsyncIterator[Room]:
    async with open_hub(folder / "tavola.sqlite", outside={"speaker": bot_of(SPEAKER, folder)}) as hub:
        yield await finished_room(hub, (ADA,), level="speaker", patience=0)


@pytest.mark.process
async def test_a_program_of_the_server_speaks_before_it_plays_and_hears_what_was_said(tmp_path: Path):
    """Impossible statements are dropped; it makes its promise once, since it hears that it has."""
    async with played_by_speakers(tmp_path) as room:
        said = room.state.talk.said
        assert {spoken.statement.speaker for spoken in said} <= {1, 2}
        assert [(str(spoken.statement.act), spoken.is_standing) for spoken in said] == [("promise", False)] * len(said)
        assert 1 <= len(said) <= 2
    end_programs()


@pytest.mark.process
async def test_a_program_whose_match_has_just_ended_ends_with_the_server(tmp_path: Path, monkeypatch):
    """Even one that has not been sent the result yet, because the server closes at once."""
    started, finish = list[subprocess.Popen[bytes]](), OutsidePlayer.finish

    class Noted(subprocess.Popen[bytes]):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    monkeypatch.setattr(outside_bots, "THREADS", 1)
    monkeypatch.setattr(OutsidePlayer, "finish", lambda *given: (time.sleep(0.3), finish(*given)))
    async with played_by_speakers(tmp_path):
        pass
    end_programs()
    assert len(started) == 2
    assert all(process.poll() is not None for process in started)


FOR_ANOTHER_PROMPT = """
import time
while True:
    print('{"type": "play", "prompt_id": 0, "code": "x"}', flush=True)
    time.sleep(0.01)
"""


@pytest.mark.process
def test_a_program_that_answers_another_decision_again_and_again_has_one_time_for_its_own(tmp_path: Path, monkeypatch):
    """Even one that writes faster than it is read: what is in the pipe already is late, too."""
    monkeypatch.setattr(player, "STARTING", 0.5)
    for text in (FOR_ANOTHER_PROMPT, FOR_ANOTHER_PROMPT.replace("    time.sleep(0.01)\n", "")):
        bot = bot_of(text, tmp_path, milliseconds=500).player()
        match = tavola.Match(tavola.load("lifeboats"), seed=1)
        seat = match.to_act[0]
        assert bot.choose(match.view(seat)) in match.view(seat).legal
        assert bot.faults == ["the time for a decision ran out"]
        bot.close()


SILENT = """
import os, subprocess, sys, time
kept = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)
open(sys.argv[1] + ".new", "w").write(str(kept.pid))
os.replace(sys.argv[1] + ".new", sys.argv[1])
time.sleep(3600)
"""


@pytest.mark.process
async def test_a_server_that_stops_waits_for_no_program(tmp_path: Path):
    """It has an hour for its decision, and a process that it started keeps its pipe open after it is ended."""
    asked = tmp_path / "asked"
    async with open_hub(tmp_path / "tavola.sqlite", outside={"silent": bot_of(SILENT, tmp_path, asked)}) as hub:
        room = await start_room(hub, (ADA,), level="silent", patience=0)
        while not asked.exists() and room.prompt_id(0) is not None:
            await play_legal(room, ADA)
        await wait_until(asked.exists)
    os.kill(int(asked.read_text()), signal.SIGKILL)  # it still ran
