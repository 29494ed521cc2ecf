"""A running match keeps the rules it began with, beside matches of the present rules; so does its record."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

import tavola
from tavola.bots import bot
from tavola.core import CHANCE, BadPosition, Match
from tavola.core.registry import load, versions
from tavola.live import Readiness, Room
from tavola.live.responses import state_message
from tavola.live.room_refusals import OtherRules
from tavola.live.time.delays import Suspense
from tavola.store import Event, Store
from tavola.web.pages import chronicle
from tests.cli import run
from tests.helpers.rooms import (
    ADA,
    THREE,
    ask_rematch,
    matches_log,
    open_hub,
    play,
    play_legal,
    refused,
    start_room,
    wait_until,
)

BARTER = (("offer 1", 0), ("give joker", 0), ("ask joker", 0), ("publish", 0), ("accept 0 1", 1))
KEPT = Path(tavola.load("tournament").folder) / "rulesets" / "v1.txt"


async def begun_long_ago(store: Store, code: str, like: Room, version: int) -> None:
    """Write the log of a room as an earlier release wrote it: the match of `like`, under `version`."""
    events = store.events(like.id)
    first = replace(events[0], body={**events[0].body, "version": version}, command_id=f"{code}-0")
    rest = [replace(event, command_id=event.command_id and f"{code}-{event.seq}") for event in events[1:]]
    await store.append(code, [Event(1, "created", first.body, first.command_id, first.at), *rest])


def notes(match: Match) -> list[int]:
    """Return how many jokers each of the first two knows for certain in the other's hand."""
    hands = match.document()["hands"]
    return [hands[0]["known"][1]["jokers"], hands[1]["known"][0]["jokers"]]


async def with_jokers(hub) -> Room:
    while True:
        room = await start_room(hub, THREE, 3, game="tournament", patience=0)
        hands = room.state.match.document()["hands"]
        if hands[0]["jokers"] and hands[1]["jokers"]:
            return room


async def finish(room: Room) -> None:
    """Play the match to its end without any more barter."""
    while room.state.phase == "playing":
        seat = room.state.match.to_act[0]
        if seat == CHANCE:
            await asyncio.sleep(0.002)
        elif room.state.match.open:
            await play(room, seat, "done")
        else:
            await play_legal(room, THREE[seat])


async def test_matches_of_two_versions_run_in_one_server(path: Path):
    """Each by its own rules, after a restart too; finished ones can be viewed and recorded; a rematch is of today."""
    async with open_hub(path) as hub:
        present = await with_jokers(hub)
        await begun_long_ago(hub.store, "oldold", present, 1)
        await begun_long_ago(hub.store, "newnew", present, 3)
        earlier = await hub.room("oldold")
        assert (present.state.game.version, earlier.state.game.version) == (2, 1)
        for room in (earlier, present):
            for code, seat in BARTER:
                await play(room, seat, code)
        await refused(OtherRules, hub.room("newnew"), "version 3")
    async with open_hub(path, suspense=Suspense(0.01, 0.0)) as hub:
        rooms = [await hub.room(code) for code in (present.id, "oldold")]
        assert [notes(room.state.match) for room in rooms] == [[1, 1], [0, 1]]
        assert [state_message(room, ADA.id)["view"].get("version") for room in rooms] == [None, 1]
        for room in rooms:
            await finish(room)
            assert matches_log(hub, room)
            _is_told(room)
        record = chronicle.record_text(chronicle.pack(chronicle.MatchSource.of(rooms[1]))).decode()
        assert "version: 1" in record
        viewed = await hub.import_record(ADA, record)
        assert viewed.state.game is load("tournament", 1)
        assert viewed.state.match.state_bytes() == rooms[1].state.match.state_bytes()
        assert (await ask_rematch(hub, rooms[1])).state.game is load("tournament")


def _is_told(room: Room) -> None:
    packed = chronicle.pack(chronicle.MatchSource.of(room))
    assert chronicle.replay_page(packed, "it", room.moments, 0, ())
    told = chronicle.chronicle_of(packed)
    assert told.state(told.moments).tobytes() == room.state.match.state_bytes()


def test_an_old_record_is_replayed_by_the_rules_it_names(tmp_path: Path):
    record = tavola.read_record(KEPT.read_text(encoding="utf-8"))
    assert notes(record.match()) == [0, 1]
    told = run("replay", KEPT)
    assert (told.exit_code, told.output.count("accept 0 1")) == (0, 1), told.output
    (tmp_path / "unknown.txt").write_text(str(replace(record, version=7)), encoding="utf-8")
    refused = run("replay", tmp_path / "unknown.txt")
    assert refused.exit_code == 2
    assert "version 7 of tournament: expected version 1 or 2" in refused.output


def test_views_of_an_earlier_version_are_read_by_its_rules():
    match = tavola.read_record(KEPT.read_text(encoding="utf-8")).match()
    view = match.view(1)
    read = tavola.View.read(tavola.load("tournament"), view.document())
    assert (read, read.game.version) == (view, 1)
    with pytest.raises(BadPosition, match="version: expected one of 1, 2, found 9"):
        tavola.View.read(match.game, {**view.document(), "version": 9})


def test_bots_think_by_the_rules_of_their_match():
    """A search plays by the rules of the view's version, and so do its heuristics."""
    earlier, present = load("tournament", 1), load("tournament")
    assert versions(present) == (1, 2)
    assert earlier.state.dtype != present.state.dtype
    kept = getattr(earlier.heuristics.priors, "function", earlier.heuristics.priors).__globals__
    assert kept["__name__"] == present.heuristics.priors.__module__
    assert earlier.heuristics.priors is not present.heuristics.priors
    view = Match(earlier, players=3, seed=2).view(0)
    assert Match.from_view(view, 1).game is earlier
    assert bot("greedy", 1).choose(view) in view.legal


async def test_earlier_rules_are_compiled_once_where_a_match_goes_on_under_them(path: Path):
    asked: list[str] = []

    async def compile_game(game: str) -> None:
        asked.append(game)
        raise RuntimeError("no compiler")  # it goes on as plain Python

    async with open_hub(path) as hub:
        present = await start_room(hub, THREE, 3, game="tournament", patience=0)
        for code in ("oldold", "older"):
            await begun_long_ago(hub.store, code, present, 1)
    async with open_hub(path, readiness=Readiness((), compile_game)) as hub:
        await wait_until(lambda: asked)
        assert {room.id for room in hub.rooms} >= {"oldold", "older", present.id}
        await hub.readiness.wait_all()
        assert (asked, hub.readiness.waiting) == (["tournament@1"], [])
        assert (await hub.room("older")).state.game.reference == "tournament@1"
