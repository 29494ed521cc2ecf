"""Logs of earlier versions can be read, and their matches continue. See `logs/README.md`."""

import asyncio
import json
from itertools import groupby
from pathlib import Path

import pytest

import tavola
from tavola.live import Hub, Person
from tavola.live.log.fold import fold
from tavola.live.responses import state_message
from tavola.store import Event
from tests.helpers.rooms import ask_rematch, matches_log, open_hub, play_legal

LOGS = Path(__file__).parent / "logs"
ADA = Person("A" * 8, "Ada")


def rooms_in(name: str) -> dict[str, list[Event]]:
    lines = [json.loads(line) for line in (LOGS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    lines.sort(key=lambda line: (line["room"], line["seq"]))
    return {
        room: [Event(**{part: value for part, value in line.items() if part != "room"}) for line in events]
        for room, events in groupby(lines, key=lambda line: line["room"])
    }


@pytest.mark.parametrize("name", ["lifeboats", "voyage"])
def test_a_finished_match_is_read_as_it_was_written(name):
    text = (LOGS / f"{name}.txt").read_text(encoding="utf-8")
    state = next(state for state in map(fold, rooms_in(name).values()) if state.phase == "over")
    written = tavola.read_record(text)
    assert [(seat, state.game.actions.code(number)) for seat, number in state.match.history] == list(written.actions)
    over = next(event for event in rooms_in(name)[_room_of(name, "over")] if event.kind == "over")
    result = written.match().result()
    assert (list(result.points), list(result.ranks)) == (over.body["points"], over.body["places"])


def _room_of(name, kind):
    return next(room for room, events in rooms_in(name).items() if any(event.kind == kind for event in events))


@pytest.mark.parametrize("name", ["lifeboats", "voyage", "voyage-running"])
async def test_rooms_of_then_are_opened_and_go_on(path: Path, name):
    async with open_hub(path) as hub:
        rooms = rooms_in(name)
        for code, events in rooms.items():
            await hub.store.append(code, events, awake=not any(event.kind == "over" for event in events))
    async with open_hub(path) as hub:
        for code in rooms:
            room = await hub.room(code)
            assert matches_log(hub, room)
            state = state_message(room, ADA.id)
            bots = {seat: shown["name"] for seat, shown in enumerate(state["seats"]) if shown["level"]}
            assert bots == {seat: f"Bot {seat + 1}" for seat in bots}
            assert state["settings"]["pace"] == "brisk"
            while room.state.phase == "playing":
                owing = [seat for seat in room.state.match.to_act if room.seats[seat].person]
                if not owing:
                    await asyncio.sleep(0.002)
                for seat in owing:
                    await play_legal(room, room.seats[seat].person)
            assert room.state.phase == "over" or not any(event.kind == "started" for event in rooms[code])


async def test_bots_of_then_get_names_in_a_rematch(hub: Hub):
    before = [event for event in rooms_in("voyage")[_room_of("voyage", "over")] if event.kind != "rematch"]
    again = [Event(seq, event.kind, event.body, event.command_id, event.at) for seq, event in enumerate(before, 1)]
    await hub.store.append("oldold", again, awake=False)
    following = await ask_rematch(hub, await hub.room("oldold"), ADA)
    assert [bool(seat.member) for seat in following.seats if seat.level] == [True, True]
