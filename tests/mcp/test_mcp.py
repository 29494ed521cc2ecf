"""A language model's seat: whole matches with the library's own client, refusals with reasons, and no secrets."""

import asyncio
import json
import os
import random
import sys
from functools import partial
from typing import Any

import pytest
from click.testing import CliRunner

import tavola
from tavola.cli import main
from tavola.core import Match
from tavola.live.state_sentences import refusal_reason
from tests.helpers.rooms import wait_until
from tests.helpers.site import Guest, Site

mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed")
server = pytest.importorskip("tavola.mcp.server")
seats = pytest.importorskip("tavola.mcp.seats")


async def call(client, tool, **arguments) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    found = result.structured_content
    return found["result"] if set(found) == {"result"} else found


@pytest.mark.bulk
@pytest.mark.parametrize("game", tavola.game_names())
async def test_a_scripted_client_plays_a_whole_match(game):
    async with mcp.Client(server.make_server()) as client:
        state = await call(client, "sit_down", game=game, bots="random", players=tavola.load(game).players[0])
        dice, decisions, told = random.Random(1), 0, list(state["told"])
        while state["phase"] == "playing":
            assert state["prompt"]
            assert all(action["text"] for action in state["legal"])
            if state["legal"]:
                state = await call(client, "play", codes=[dice.choice(state["legal"])["code"]])
            else:  # refused, because the market had ended for a player who is out
                state = await call(client, "wait")
            decisions, told = decisions + 1, told + state["told"]
            assert "refused" not in state or tavola.load(game).unchanged, state  # in a barter others may be faster
        assert state["phase"] == "over"
        assert len(state["result"]["places"]) == len(state["names"])
        assert decisions
        assert told


async def test_what_can_be_read_and_said():
    async with mcp.Client(server.make_server(language="it")) as client:
        named = {"games", "rules", "sit_down", "look", "wait", "legal", "plan", "play", "say", "speak"}
        assert {tool.name for tool in (await client.list_tools()).tools} == named
        assert [one["game"] for one in await call(client, "games")] == list(tavola.game_names())
        assert "R1" in await call(client, "rules", game="lifeboats")
        read = await client.read_resource("tavola://rules/lifeboats")
        assert read.contents[0].text == (tavola.load("lifeboats").folder / "RULES.md").read_text(encoding="utf-8")
        assert "sit_down" in (await call(client, "look"))["refused"]
        assert "unknown game" in (await call(client, "sit_down", game="ludo"))["refused"].lower()
        state = await call(client, "sit_down", game="lifeboats", bots="random", players=3)
        assert (state["time"], "bank" in state) == ("no limit", False)
        assert (await call(client, "legal"))["legal"] == state["legal"]
        refused = await call(client, "play", codes=["vote red"])
        assert "R" in refused["refused"]
        assert refused["legal"] == state["legal"]
        assert (await call(client, "say", text="Ciao a tutti"))["type"] == "acknowledged"
        assert (await call(client, "look"))["chat"] == ["Model: Ciao a tutti"]
        assert "lane LANE" in (await call(client, "speak", statement="promise lane 99"))["refused"]
        assert (await call(client, "speak", statement="promise lane not 3"))["type"] == "acknowledged"
        (spoken,) = (await call(client, "look"))["statements"]
        assert (spoken["text"], spoken["status"]) == ("Model promette a tutti: «Non prendo la corsia 3.»", "open")
        tried = await call(client, "plan", codes=[])
        assert (tried["legal"], tried["table"]) == (state["legal"], state["table"])


async def test_wrong_arguments_are_taken_or_refused_with_what_was_expected(capfd: pytest.CaptureFixture[str]):
    async with mcp.Client(server.make_server()) as client:
        assert "unknown game 'Lifeboats': expected one of" in (await call(client, "rules", game="Lifeboats"))["refused"]
        listed = [str(one.uri) for one in (await client.list_resources()).resources]
        assert listed == [f"tavola://rules/{name}" for name in tavola.game_names()]
        for address in ("tavola://rules/Lifeboats", "tavola://rule/lifeboats"):
            with pytest.raises(mcp.MCPError, match="expected one of tavola://rules/expedition"):
                await client.read_resource(address)
        options = {"moves": 4, "seats": 7.0, "last_boat_stays": True}
        state = await call(client, "sit_down", game="lifeboats", bots="random", players=3, options=options)
        code = state["legal"][0]["code"]
        planned = await call(client, "plan", codes=code)
        assert "steps of lifeboats cannot be planned: expected `play`" in planned["refused"]
        assert "expected at least one code" in (await call(client, "play", codes=[]))["refused"]
        assert "refused" not in await call(client, "play", codes=code)
    assert "Traceback" not in capfd.readouterr().err


async def test_a_running_match_is_left_only_when_that_is_said():
    async with mcp.Client(server.make_server()) as client:
        sit = partial(call, client, "sit_down", bots="random", players=3)
        room = (await sit(game="lifeboats"))["room"]
        assert "leave=true" in (await sit(game="voyage"))["refused"]
        assert "unknown game" in (await sit(game="ludo", leave=True))["refused"]
        assert (await call(client, "look"))["room"] == room
        assert (await sit(game="voyage", leave=True))["room"] != room


@pytest.mark.bulk
@pytest.mark.parametrize("game", tavola.game_names())
async def test_tools_do_not_distinguish_worlds_that_look_the_same_to_the_seat(game):
    """The room's match is replaced by two worlds that agree with the view: all answers are equal."""
    async with seats.open_table() as table:
        model = server.Model()
        model.begin(table)
        model.seat = await table.sit_down(game, {}, "random")
        state, several = await model.wait(server.LONGEST_WAIT), 0
        for step in range(40):
            several += await tells_nothing(model)
            state = await model.play([state["legal"][step % len(state["legal"])]["code"]])
            if state["phase"] != "playing" or several == 5:
                break
        assert several


async def test_a_model_sits_down_in_somebodys_room(site: Site, ada: Guest):
    fields = {"option-players": "3", "bots": "1", "level": "random", "patience": "60", "bank": "120"}
    code = await asyncio.to_thread(ada.create, **fields)
    program: dict[str, Any] = {"data": {"name": "Model"}, "headers": {"Accept": "application/json"}}
    posted = await asyncio.to_thread(ada.post, f"/r/{code}/program", **program)
    async with mcp.Client(server.make_server(posted.json()["socket"], "de")) as client:
        sitting = asyncio.create_task(call(client, "sit_down", game="lifeboats"))
        await wait_until(lambda: not site.room(code).state.free_seats)
        for form in ("start", "leave"):
            await asyncio.to_thread(ada.post, f"/r/{code}/{form}")
        state = await sitting
        assert state["names"][2] == "Model"
        assert (state["time"], state["bank"]) == ("60 s per decision, plus a 2 min time bank", 120)
        assert "R" in (await call(client, "play", codes=["vote red"]))["refused"]
        assert (await call(client, "plan", codes=[]))["table"] == state["table"]
        assert (await call(client, "say", text="Hallo"))["type"] == "acknowledged"
        while state["phase"] == "playing":
            state = await call(client, "play", codes=[state["legal"][0]["code"]])
            assert "refused" not in state, state
        assert state["result"]["places"]


async def test_a_room_that_does_not_answer_is_reported():
    async with mcp.Client(server.make_server("ws://127.0.0.1:9/r/talvin/socket?form=json&token=x")) as client:
        assert "does not answer" in (await call(client, "sit_down", game="lifeboats"))["refused"]
        assert "no seat" in (await call(client, "look"))["refused"]


async def tells_nothing(model) -> bool:
    """Compare all answers in some worlds that agree with the view; return whether there are several worlds."""
    room, seat = model.seat.room, model.seat.room.state.seat_of(seats.MODEL.id)
    await wait_until(lambda: len(room.state.match.to_act) <= 1 or room.state.match.open)  # others have decided
    await model.look()  # past events are sent only once
    match, view = room.state.match, room.view(seat)
    worlds = {world.state_bytes(): world for world in (Match.from_view(view, seed) for seed in range(6))}
    told = []
    for world in worlds.values():
        world.history, world._initial_states = list(match.history), match._initial_states
        told.append(await all_answers(model, room, world))
    put_into(room, match)
    assert all(one == told[0] for one in told)
    return len(worlds) > 1


async def all_answers(model, room, world: Match) -> str:
    """Return the answers of all tools that change nothing, while the room's match is `world`."""
    put_into(room, world)
    seat = room.state.seat_of(seats.MODEL.id)
    found = [await model.look(), await model.legal(), await model.plan([])]
    codes = world.game.actions.codes[:: max(1, len(world.game.actions) // 40)]
    return json.dumps([*found, *(refusal_reason(room.state, seat, code, "en") for code in codes)])


def put_into(room, match: Match) -> None:
    room.state.match = match
    room.state.forget_answers(names=False)
    room.presence.changes += 1


@pytest.mark.process
async def test_the_command_serves_on_standard_input_and_output():
    from mcp.client.stdio import StdioServerParameters, stdio_client

    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = StdioServerParameters(command=sys.executable, args=["-m", "tavola", "mcp"], env=environment)
    async with mcp.Client(stdio_client(command)) as client:
        assert len((await client.list_tools()).tools) == 10
        assert "R1" in await call(client, "rules", game="lifeboats")


def test_without_the_extra_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "tavola.mcp.server", None)
    assert "pip install 'tavola[mcp]'" in CliRunner().invoke(main, ["mcp"]).stderr
