"""A server on a machine that never ran Tavola: matches begin at once as plain Python, then switch to machine code."""

import asyncio
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

import tavola
from tavola.bots import bot
from tavola.cli.new_game import new_game
from tavola.core import stream
from tavola.core.compilation import UNCOMPILED, interpret, is_interpreted, machine_code, use_machine_code
from tavola.live import Readiness
from tests.helpers import PATIENCE, ROOT, environment, wait_for
from tests.helpers.drills import write_package_metadata
from tests.helpers.rooms import (
    ADA,
    THREE,
    create_room,
    finished_room,
    matches_log,
    open_hub,
    play_some,
    play_to_end,
    start_room,
    wait_until,
    write_events,
)

SERVER = """
from pathlib import Path
from tavola.cli.warm import compile_in_background
from tavola.core import registry
from tavola.web import SiteSettings, serve

module = registry._module("harbour")
registry._modules = lambda: {"harbour": module}
ready = lambda address: print(address, flush=True)
settings = SiteSettings(Path("tavola.sqlite"), port=0, missing=("harbour",), compile_game=compile_in_background)
serve(settings, ready)
"""
GAMES = ("lifeboats", "voyage")
compiles = pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")


class Gate:
    def __init__(self):
        self.asked, self.open = [], {name: asyncio.Event() for name in GAMES}

    async def __call__(self, game):
        self.asked.append(game)
        await self.open[game].wait()


@pytest.fixture(autouse=True)
def afterwards():
    """Switch all games back to machine code after each test."""
    yield
    for name in GAMES:
        use_machine_code(tavola.load(name).source_folder)


def is_python(name: str) -> bool:
    return is_interpreted(tavola.load(name).source_folder)


@compiles
async def test_a_match_begins_as_plain_python_and_goes_over_to_machine_code(path: Path):
    gate = Gate()
    async with open_hub(path, readiness=Readiness(["lifeboats"], gate)) as hub:
        room = await start_room(hub, THREE)
        assert is_python("lifeboats")
        half = asyncio.create_task(play_some(room, 50))
        await wait_until(lambda: len(room.state.match.history) > 20)
        gate.open["lifeboats"].set()
        await wait_until(lambda: not is_python("lifeboats"))
        await half
        assert not room.state.match.over
        await play_to_end(room, THREE)
        assert room.state.phase == "over"
        assert matches_log(hub, room)


@compiles
@pytest.mark.parametrize("name", tavola.game_names())
def test_a_match_of_bots_is_the_same_as_plain_python(name):
    def played(actions: int) -> bytes:
        match, player = tavola.Match(tavola.load(name), seed=5), bot("greedy", 5)
        for _ in range(actions):
            if not match.over:
                seat = match.actor(stream(7))
                match.play(player.choose(match.view(seat)), seat)
        return match.state_bytes() + str(match.record()).encode() + repr(match.score()).encode()

    home, fast = tavola.load(name).source_folder, played(60)
    interpret(home)
    try:
        assert (is_interpreted(home), played(60)) == (True, fast)
        with machine_code():
            assert not is_interpreted(home)
    finally:
        use_machine_code(home)


@compiles
async def test_games_in_play_are_compiled_first_and_others_give_way(path: Path):
    gate = Gate()
    async with open_hub(path, readiness=Readiness(["voyage", "lifeboats"], gate, workers=2)) as hub:
        await wait_until(lambda: gate.asked == ["voyage", "lifeboats"])
        await create_room(hub, THREE)
        await asyncio.sleep(0.05)
        assert gate.asked == ["voyage", "lifeboats"], "what gave way waits until the other is ready"
        gate.open["lifeboats"].set()
        await wait_until(lambda: gate.asked == ["voyage", "lifeboats", "voyage"])
        assert (hub.readiness.waiting, is_python("lifeboats"), is_python("voyage")) == (["voyage"], False, True)
        gate.open["voyage"].set()
        await hub.readiness.wait_all()
        assert hub.readiness.waiting == []


@compiles
async def test_bots_that_look_ahead_choose_by_a_glance_until_there_is_machine_code(path: Path):
    asked, gate = [], Gate()

    def bots(level, seed, *budget):
        if level != "random":
            asked.append(level)
        return bot("random", seed)

    async with open_hub(path, readiness=Readiness(["lifeboats"], gate), bots=bots, level="search") as hub:
        room = await start_room(hub, (ADA,))
        for _ in range(2):
            await hub.bot_processes.think(room.id, room.state, "search", room.view(room.state.match.to_act[0]), None)
            gate.open["lifeboats"].set()
            await hub.readiness.wait_all()
    assert asked == ["greedy", "search"]


async def test_rooms_are_taken_up_and_records_read_before_their_game_is_compiled(path: Path):
    async with open_hub(path) as hub:
        room, over = await start_room(hub, THREE), await finished_room(hub, THREE)
        record = str(over.state.record())
    async with open_hub(path, readiness=Readiness(["lifeboats"], Gate())) as hub:
        assert [found.id for found in await hub.persons.rooms_of(ADA.id)] == [room.id]
        assert (await hub.room(over.id)).state.phase == "over"
        assert (await hub.import_record(ADA, record)).state.phase == "over"


async def test_a_match_that_an_old_log_only_began_starts(path: Path):
    async with open_hub(path) as hub:
        room = await create_room(hub, THREE)
        await write_events(room, [("begins", {})])
    async with open_hub(path) as hub:
        await wait_until(lambda: (kept := hub.residents.get(room.id)) is not None and kept.state.phase == "playing")


@compiles
async def test_a_game_that_cannot_be_compiled_goes_on_as_plain_python(path: Path, caplog: pytest.LogCaptureFixture):
    async def broken(game):
        raise RuntimeError("no compiler")

    async with open_hub(path, readiness=Readiness(["lifeboats"], broken)) as hub:
        await hub.readiness.wait_all()
        await finished_room(hub, THREE)
        assert is_python("lifeboats")
    assert "lifeboats could not be compiled" in caplog.text


@pytest.mark.soak
@compiles
def test_from_an_empty_cache_a_match_begins_at_once_and_machine_code_follows(tmp_path: Path):
    """A small game, really compiled, by a separate server that has no other game."""
    folder = new_game("harbour", tmp_path / "harbour")
    write_package_metadata(folder)
    # At its low priority the compiler would wait for all other tests.
    (tmp_path / "sitecustomize.py").write_text("import os\nos.nice = lambda increment: 0\n")
    found = environment(PYTHONPATH=f"{ROOT}{os.pathsep}{folder.parent}", TAVOLA_CACHE=str(tmp_path / "cache"))
    command, pipe = [sys.executable, "-c", SERVER], subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, env=found, stdout=pipe, text=True) as server, ExitStack() as stopped:
        stopped.callback(server.terminate)
        address = server.stdout.readline().strip()
        with httpx.Client(base_url=address, follow_redirects=True, timeout=PATIENCE) as web:
            page = web.post("/quick", data={"game": "harbour", "level": "search"})
            assert page.status_code == 200
            assert "prompt_id" in page.text
            assert "harbour" in web.get("/health").text
            # Polling the site would slow it down.
            wait_for(lambda: any((tmp_path / "cache").rglob("harbour.played")))
            wait_for(lambda: "harbour" not in web.get("/health").text)
            assert web.get("/health").text.startswith("ok")
            assert "prompt_id" in web.get(page.url.path).text
