"""A server whose games are still being compiled: it is open at once, and what is ready waits for nothing."""

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from live_rooms import (
    ADA,
    BRUNO,
    CARLA,
    decide,
    eventually,
    fresh,
    gathered,
    in_loop,
    opened,
    played_out,
    playing,
    same,
)

import tavola
from tavola.cli.new_game import new_game
from tavola.live import GettingReady, NotPlaying, Readiness, Settings
from tavola.live.answers import state_message
from tavola.live.protocol import Fill, Leave, Play, Start

SERVER = """
from pathlib import Path
from tavola import games
from tavola.cli.warm import compile_beside
from tavola.web.server import serve

missing = sorted(games.names(), key=lambda name: name != "harbour")
ready = lambda address: print(address, flush=True)
serve("127.0.0.1", 0, Path("tavola.sqlite"), ready=ready, missing=missing, compile_game=compile_beside)
"""


class Gate:
    """Makes games ready when the test says so."""

    def __init__(self):
        self.asked, self.told = [], {}
        self.open = {name: asyncio.Event() for name in ("lifeboats", "voyage")}

    async def __call__(self, game, progress):
        self.asked.append(game)
        self.told[game] = progress
        await self.open[game].wait()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tavola.sqlite"


@in_loop
async def test_a_match_begins_when_its_game_is_ready(path):
    gate = Gate()
    async with opened(path, readiness=Readiness(["voyage", "lifeboats"], gate)) as hub:
        room = await hub.create(ADA, "lifeboats", {"players": 3}, Settings(patience=0))
        told = []
        room.subscribe(None, lambda seq: told.append(room.getting_ready))
        await room.do(ADA, Fill(fresh(), "random"))
        await room.do(ADA, Fill(fresh(), "random"))
        assert (room.state.phase, room.state.match, state_message(room, None)["getting_ready"]) == (
            "gathering",
            None,
            0.0,
        )
        with pytest.raises(NotPlaying):
            await room.do(ADA, Play(fresh(), 0, "lane 1"))
        gate.open["voyage"].set()
        await eventually(lambda: "lifeboats" in gate.asked)
        gate.told["lifeboats"](0.5)
        assert told[-1] == 0.5
        gate.open["lifeboats"].set()
        await eventually(lambda: room.state.phase == "playing")
        assert [event.kind for event in hub.store.events(room.id)].count("begins") == 1
        assert same(hub, room)
        await played_out(room, (ADA,))


@in_loop
async def test_what_somebody_asks_for_comes_first_and_what_is_ready_does_not_wait(path):
    gate = Gate()
    readiness = Readiness(["voyage", "lifeboats"], gate)
    readiness.want("lifeboats")
    async with opened(path, readiness=readiness) as hub:
        await eventually(lambda: gate.asked == ["lifeboats"])
        gate.open["lifeboats"].set()
        room = await playing(hub, (ADA, BRUNO, CARLA))
        await eventually(lambda: room.state.phase == "playing")
        assert readiness.of("voyage") == 0.0
        assert readiness.of("lifeboats") is None
        await decide(room, (ADA, BRUNO, CARLA)[room.state.match.to_act[0]])


@in_loop
async def test_who_gets_up_meanwhile_is_followed_by_a_bot(path):
    gate = Gate()
    async with opened(path, readiness=Readiness(["lifeboats"], gate)) as hub:
        room = await gathered(hub, (ADA, BRUNO, CARLA))
        await room.do(ADA, Start(fresh()))
        await room.do(BRUNO, Leave(fresh()))
        gate.open["lifeboats"].set()
        await eventually(lambda: room.state.phase == "playing")
        assert [seat.level for seat in room.seats] == [None, "random", None]


@in_loop
async def test_rooms_are_taken_up_when_their_game_is_ready(path):
    async with opened(path) as hub:
        room = await playing(hub, (ADA, BRUNO, CARLA))
        over = await playing(hub, (ADA, BRUNO, CARLA))
        await played_out(over, (ADA, BRUNO, CARLA))
        record = str(over.record())
        waiting = await gathered(hub, (ADA, BRUNO, CARLA))
    gate = Gate()
    async with opened(path, readiness=Readiness(["lifeboats"], gate)) as hub:
        for code in (room.id, over.id):
            with pytest.raises(GettingReady, match="0 % are done"):
                await hub.room(code)
        with pytest.raises(GettingReady):
            await hub.imported(ADA, record)
        assert (await hub.room(waiting.id)).state.phase == "gathering"
        assert await hub.rooms_of(ADA.id) == []
        gate.open["lifeboats"].set()
        await eventually(lambda: room.id in hub._kept)
        assert [found.id for found in await hub.rooms_of(ADA.id)] == [room.id]
        assert (await hub.room(over.id)).state.phase == "over"


@in_loop
async def test_a_match_that_was_begun_starts_after_a_restart(path):
    async with opened(path, readiness=Readiness(["lifeboats"], Gate())) as hub:
        room = await gathered(hub, (ADA, BRUNO, CARLA))
        await room.do(ADA, Start(fresh()))
    async with opened(path) as hub:
        await eventually(lambda: room.id in hub._kept and hub._kept[room.id].state.phase == "playing")


@in_loop
async def test_a_game_that_cannot_be_made_ready_is_compiled_when_it_is_played(path, caplog):
    async def broken(game, progress):
        raise RuntimeError("no compiler")

    async with opened(path, readiness=Readiness(["lifeboats"], broken)) as hub:
        room = await playing(hub, (ADA, BRUNO, CARLA))
        await eventually(lambda: room.state.phase == "playing")
    assert "lifeboats could not be made ready" in caplog.text


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_from_an_empty_cache_the_page_is_there_at_once_and_the_game_soon(tmp_path):
    """A small game, really compiled: the server answers all the while, and the match that waits begins by itself."""
    new_game("harbour", tmp_path / "harbour")
    metadata = tmp_path / "harbour" / "harbour-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: harbour\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[tavola.games]\nharbour = harbour\n")
    root = str(Path(tavola.__file__).parents[1])
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((root, str(tmp_path / "harbour"))),
        "TAVOLA_CACHE": str(tmp_path / "cache"),
    }
    began = time.monotonic()
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as server:
        stopped = contextlib.ExitStack()
        stopped.callback(server.terminate)
        with stopped, httpx.Client(base_url=server.stdout.readline().strip(), follow_redirects=True, timeout=60) as web:
            assert web.get("/").text.count("being made ready") == 1 + len(tavola.names())
            assert time.monotonic() - began < 60, "the first page does not wait for the compiler"
            room = web.post("/quick", data={"game": "harbour", "level": "greedy"}).url.path
            assert "being made ready" in web.get(room).text
            answers = 0
            while "being made ready" in web.get(room).text:
                assert web.get("/health").text == "ok"
                answers += 1
                time.sleep(0.2)
            assert answers > 3
            assert "prompt_id" in web.get(room).text
            assert web.get("/").text.count("being made ready") == len(tavola.names())
