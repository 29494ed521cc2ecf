"""Bots that negotiate in a room: they speak, answer, give people time, and have voices."""

import asyncio
import contextlib
import time
from pathlib import Path

import pytest

from tavola.live import Hub, Room
from tavola.live.bots.bargaining import Bargaining
from tavola.live.bots.voices import VOICES, voices
from tavola.live.log.occupants import CAST
from tavola.live.protocol import Play, Speak
from tavola.live.responses import state_message
from tavola.live.room_refusals import Closing
from tavola.show.speech import LANGUAGES
from tests.helpers import PATIENCE
from tests.helpers.days import HOUR
from tests.helpers.rooms import ADA, matches_log, open_hub, send, start_room, wait_until


@pytest.fixture
def hub_settings():
    return {"level": "search"}


async def table(hub: Hub, talk: str = "free") -> Room:
    return await start_room(hub, (ADA,), 4, level="search", patience=0, talk=talk)


async def play_own(room: Room) -> None:
    code = room.state.match.legal_codes(0)[0]
    await send(room, ADA, Play, room.prompt_id(0), code)


async def play_until(room: Room, done) -> None:
    """Let Ada play her first legal action at each of her decisions, until `done()` is true."""
    end = time.monotonic() + PATIENCE
    while not done() and not room.state.match.over:
        assert time.monotonic() < end
        if 0 in room.state.open_decisions and room.prompt_id(0) is not None:
            await play_own(room)
        await asyncio.sleep(0.01)


def ballot(room: Room) -> bool:
    return len(room.state.match.to_act) == 4


@pytest.mark.bulk
async def test_bots_speak_through_the_same_door_and_keep_a_voice(hub: Hub):
    room = await table(hub)
    await play_until(room, lambda: bool(voices(room.state)) and len(room.state.talk.said) > 5)
    said = room.state.talk.said
    assert {each.statement.speaker for each in said} <= {1, 2, 3}
    await wait_until(lambda: matches_log(hub, room))  # they keep talking meanwhile
    number, voiced = next((number, each) for number, each in voices(room.state).items() if each.said)
    face = room.state.occupants[said[number - 1].statement.speaker].member.face
    assert voiced.said.startswith(f"{face}.")
    heard = [line for line in state_message(room, ADA.id)["statements"] if line["act"] is None]
    assert not any(line["voice"] or line["verdict_voice"] for line in heard), "nobody hears the tone of a whisper"


async def test_stopping_the_server_while_bots_talk_is_not_a_failure(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    async with open_hub(tmp_path / "rooms.sqlite", level="search") as hub:
        room, bargain = await table(hub), hub.bot_processes.bargain

        async def stops_meanwhile(*asked):
            said = await bargain(*asked)
            hub.tasks.closing = hub.tasks.closing or bool(said)
            return said

        hub.bot_processes.bargain = stops_meanwhile
        with contextlib.suppress(Closing):
            await play_until(room, lambda: hub.tasks.closing)
        await asyncio.sleep(0.05)
    assert caplog.text == ""


@pytest.mark.bulk
async def test_bots_do_not_speak_at_silent_tables_nor_whisper_at_aloud_ones(hub: Hub):
    silent = await table(hub, "silent")
    await play_until(silent, lambda: silent.state.moments > 30)
    assert silent.state.talk is None
    aloud = await table(hub, "aloud")
    await play_until(aloud, lambda: aloud.state.talk is not None and len(aloud.state.talk.said) > 5)
    assert not any(said.statement.is_whispered for said in aloud.state.talk.said)


async def test_a_bot_waits_for_players_who_may_speak_and_answers_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    left, looks = Bargaining._left, list[object]()
    monkeypatch.setattr(Bargaining, "_left", lambda *given: looks.append(given) or left(*given))
    async with open_hub(tmp_path / "rooms.sqlite", level="search", reading=HOUR) as hub:
        room = await table(hub)
        await play_until(room, lambda: ballot(room))
        await wait_until(lambda: room.bargaining._task.done())
        await asyncio.sleep(0.1)
        waits = len(looks)
        await asyncio.sleep(0.4)
        assert ballot(room), "no bot has chosen: Ada may still say something"
        assert len(looks) == waits, "who waits for a time looks when it is over, or something has changed"
        await send(room, ADA, Speak, "request", to=1, aloud=True, deed="vote not red now")
        number = len(room.state.talk.said)
        await wait_until(lambda: any(said.statement.answers == number for said in room.state.talk.said))
        assert ballot(room), "it was asked, and had not chosen"
        chosen = room.moments
        await play_own(room)
        await wait_until(lambda: room.moments >= chosen + 4)  # all people have chosen, so the hour ends early


def test_every_member_of_the_cast_has_a_voice_in_every_language():
    from tavola.live.bots.voices import HERE, line
    from tavola.show.speech import Say

    assert set(VOICES) == {member.face for member in CAST}
    for face, voice in VOICES.items():
        for part in voice._fields:
            told = {line(f"{face}.{part}", Say(HERE, language)) for language in LANGUAGES}
            assert all(told)
            assert len(told) > 1 or face == "ombra"
