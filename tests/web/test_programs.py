"""Programs and pages on a socket: the host creates an address, a program takes a seat with it, and others cannot."""

import contextlib
import json
import re
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

import tavola
from tavola.bots.outside.player import end_programs
from tavola.cli import main
from tavola.live.log.room_settings import StateSettings
from tavola.live.protocol import KINDS, Leave, Start
from tavola.live.room_refusals import NotGathering
from tavola.live.server_messages import RoomState, ServerMessage, TextState
from tavola.show.speech import LANGUAGES
from tavola.web.requests.visitor import site_say
from tests.helpers import PATIENCE, wait_for
from tests.helpers.bots import GUIDE, write_bots
from tests.helpers.site import Guest, Site
from tests.web.test_pages import shown_to
from tests.web.test_security import cookie_of, socket

JSON = {"Accept": "application/json"}


def address(guest: Guest, code: str, name: str = "Robot") -> str:
    return str(guest.post(f"/r/{code}/program", data={"name": name}, headers=JSON).json()["socket"])


def messages(socket: ClientConnection, *kinds: str):
    for text in socket:
        message = json.loads(text)
        if message["type"] in kinds:
            yield message


def room_for_programs(guest: Guest, **fields: str) -> str:
    return guest.create(**{"option-players": "3", "bots": "1", "level": "random", **fields})


def sit_down(socket: ClientConnection) -> None:
    socket.send(json.dumps({"type": "join", "command_id": "1"}))


def test_a_program_sits_down_by_its_address_and_plays_a_whole_match(site: Site, ada: Guest):
    code = room_for_programs(ada)
    made = address(ada, code)
    with connect(made, open_timeout=PATIENCE) as socket:
        sit_down(socket)
        room, answered, heard = site.room(code), set(), []
        for state in messages(socket, "state"):
            heard += state["happened"]
            if state["seat"] == 2 and state["phase"] == "gathering":
                assert [seat["name"] for seat in state["seats"]][2] == "Robot"
                ada.post(f"/r/{code}/start")
                ada.post(f"/r/{code}/leave")
            if state["phase"] == "over":
                break
            prompt_id = state["prompt_id"]
            if prompt_id is not None and prompt_id not in answered:
                answered.add(prompt_id)
                chosen = {"prompt_id": float(prompt_id), "code": state["legal"][0]}
                socket.send("\r\n")  # blank lines, a byte order mark and 3.0 for 3 are what some programs write
                socket.send("\ufeff" + json.dumps({"type": "play", "command_id": f"p{prompt_id}", **chosen}))
        assert [one["code"] for one in heard] == [one.code for one in room.state.match.heard(2)]
        assert len(answered) > 8
        socket.send(json.dumps({"type": "rematch", "command_id": "again"}))
        following = next(state["next_room"] for state in messages(socket, "state") if state["next_room"])
    with connect(made.replace(code, following), open_timeout=PATIENCE) as socket:
        assert next(messages(socket, "state"))["seat"] == 0, "one seat further, by the same address"


def test_a_session_begins_as_the_guide_shows(site: Site, ada: Guest):
    """Send and receive the guide's lines in order; only numbers and codes of the match may differ."""
    lines = re.findall(r"^([→←]) (\{.*\})$", GUIDE, re.MULTILINE)
    assert len(lines) == 7
    code, prompt = ada.create(**{"option-players": "3"}), {}
    with connect(address(ada, code), open_timeout=PATIENCE) as socket:
        for direction, line in lines:
            told = json.loads(line.replace(",…", ""))
            if direction == "→":
                socket.send(json.dumps({**told, **prompt}))
                continue
            found = next(one for one in messages(socket, "state", told["type"]) if agrees(one, told))
            types = [{key: type(value) for key, value in each.items()} for each in (told, found)]
            assert types[0].items() <= types[1].items()
            if found["type"] == "state" and found["seat"] is not None and found["phase"] == "gathering":
                ada.post(f"/r/{code}/fill", data={"level": "random"})
                ada.post(f"/r/{code}/leave")
            if found["type"] == "state" and found["prompt_id"] is not None:
                assert all(action in tavola.load("lifeboats").actions.codes for action in told["legal"])
                prompt = {"prompt_id": found["prompt_id"], "code": found["legal"][0]}


def agrees(message: dict, told: dict) -> bool:
    same = ("type", "phase", "seat", "happened", "view", "command_id", "message")
    asked = (message.get("prompt_id") is None) == (told.get("prompt_id") is None)
    return asked and all(message.get(key) == told[key] for key in same if key in told)


def test_sentences_come_in_the_language_that_is_asked(site: Site, ada: Guest):
    code = room_for_programs(ada)
    text = address(ada, code).replace("form=json", "form=text")
    with connect(text, additional_headers={"Accept-Language": "de"}, open_timeout=PATIENCE) as socket:
        sit_down(socket)
        states = messages(socket, "state", "refused")
        state = next(one for one in states if one["seat"] == 2)
        ada.post(f"/r/{code}/start")
        state = next(one for one in states if one["phase"] == "playing")
        assert state["prompt"]
        assert any("Boot" in line for line in state["table"])
        refused = {"type": "play", "command_id": "2", "prompt_id": state["prompt_id"] or 0, "code": "vote red"}
        socket.send(json.dumps(refused))
        answer = next(one for one in states if one["type"] == "refused")
        assert re.search(r"R\d", answer["message"]), answer


def test_only_the_host_makes_addresses_and_only_before_the_match(site: Site, ada: Guest, bruno: Guest):
    code = room_for_programs(ada)
    refused = bruno.post(f"/r/{code}/program", data={"name": "Robot"}, headers=JSON)
    assert (refused.status_code, refused.json()["refused"]) == (403, "NotHost")
    assert ada.post(f"/r/{code}/program", data={"name": ""}, headers=JSON).status_code == 400
    for language in LANGUAGES:
        ada.headers["Accept-Language"] = language
        assert 'id="name"' in ada.get(f"/r/{code}/program").text
        assert "token=" in ada.post(f"/r/{code}/program", data={"name": "Robot"}).text
    assert 'id="name"' not in bruno.get(f"/r/{code}/program").text
    ada.post(f"/r/{code}/fill")
    assert ada.post(f"/r/{code}/program", data={"name": "Robot"}, headers=JSON).status_code == 409


def test_an_address_is_valid_only_for_its_room_and_cannot_be_altered(site: Site, ada: Guest):
    code, other = room_for_programs(ada), room_for_programs(ada)
    made = address(ada, code)
    for wrong in (made.replace(code, other), made[:-2], f"{made}x", re.sub("token=.*", "token=", made)):
        with pytest.raises(InvalidStatus) as refused:
            connect(wrong, open_timeout=PATIENCE)
        assert refused.value.response.status_code == 403
    with connect(made, additional_headers=cookie_of(ada), open_timeout=PATIENCE) as socket:
        state = next(messages(socket, "state"))
        assert not state["is_host"], "with a token it is the program, whoever's browser sent it"
        assert state["seat"] is None


def test_nothing_that_comes_over_the_net_starts_a_program(site: Site, ada: Guest, tmp_path: Path):
    code, mark = room_for_programs(ada), tmp_path / "started"
    for level in (f"exec:touch {mark}", "python:os:system", f"exec:touch {mark}@500ms"):
        assert ada.post(f"/r/{code}/bot", data={"level": level}).status_code == 400
        assert ada.post(f"/r/{code}/fill", data={"level": level}).status_code == 400
        with connect(address(ada, code), open_timeout=PATIENCE) as socket:
            socket.send(json.dumps({"type": "add_bot", "command_id": "1", "level": level}))
            assert next(messages(socket, "refused"))["kind"] in ("NotHost", "BadSetting")
    assert not mark.exists()


def test_the_openapi_document_has_every_message(ada: Guest):
    found = ada.get("/openapi.json").json()
    assert found["openapi"] == "3.1.0"
    schemas, socket = found["components"]["schemas"], found["paths"]["/r/{code}/socket"]["get"]
    declared = {kind.__name__ for kind in (*KINDS.values(), RoomState, TextState, *ServerMessage.__args__)}
    listed = {one["$ref"].rpartition("/")[2] for side in ("client", "server") for one in socket[f"x-{side}-messages"]}
    assert declared == listed <= set(schemas)
    assert set(schemas["RoomState"]["required"]) == {"type", *RoomState.__struct_fields__}
    assert set(schemas["StateSettings"]["required"]) == set(StateSettings.__struct_fields__)
    assert all(reference in schemas for reference in re.findall(r"schemas/(\w+)", json.dumps(found)))


@pytest.mark.process
def test_a_bot_of_the_guide_sits_down_by_the_command(site: Site, ada: Guest, tmp_path: Path, monkeypatch):
    write_bots(tmp_path)
    code = room_for_programs(ada, patience="60", bank="120")
    monkeypatch.chdir(tmp_path)
    made = address(ada, code)
    site.call(start_when_seated, site, site.room(code))
    done = CliRunner().invoke(main, ["sit", made, "python:mybots:Mine"])
    assert "over: " in done.output, done.output
    assert f"lifeboats, {code}: 60 s per decision, plus a 2 min time bank" in done.output
    end_programs()


def start_when_seated(site: Site, room) -> None:
    """Start the match as soon as all seats are taken, and let the host leave their seat."""

    async def begin() -> None:
        if room.state.phase == "gathering":
            with contextlib.suppress(NotGathering):
                await room.execute(room.state.host, Start("begin"))
                await room.execute(room.state.host, Leave("leave"))

    def changed(seq: int) -> None:
        if room.state.phase == "gathering" and not room.state.free_seats:
            site.hub.tasks.spawn(begin())

    room.subscribe(None, changed)


def test_serve_runs_bots_and_shows_tracebacks_only_on_sites_of_this_machine():
    for risk in (["--bot", "mine=exec:./bot"], ["--author", "lifeboats"]):
        for more in (["--host", "0.0.0.0"], ["--public", "https://play.example"], ["--proxy", "127.0.0.1"]):
            done = CliRunner().invoke(main, ["serve", "--port", "0", *risk, *more])
            assert "expected a local site" in str(done.stderr or done.output or done.exception)
    done = CliRunner().invoke(main, ["serve", "--port", "0", "--bot", "exec:./bot"])
    assert "expected NAME=BOT" in (done.stderr or done.output)


# Pages on a socket


class Line:
    def __init__(self, site: Site, guest: Guest, code: str, query: str = "") -> None:
        self.opening, self.waiting = socket(site, guest, code, query), list[dict]()

    def __enter__(self):
        self.socket = self.opening.__enter__()
        return self

    def __exit__(self, *raised) -> None:
        self.opening.__exit__(*raised)

    def next(self, *kinds: str) -> dict:
        while True:
            message = self.waiting.pop(0) if self.waiting else json.loads(self.socket.recv(PATIENCE))
            if message["type"] in kinds:
                return message

    def send(self, kind: str, command_id: str, **fields) -> dict:
        self.socket.send(json.dumps({"type": kind, "command_id": command_id, **fields}))
        while True:
            message = json.loads(self.socket.recv(PATIENCE))
            if message.get("command_id") == command_id:
                return message
            self.waiting.append(message)


def test_a_socket_sends_what_changed_and_nothing_else(site: Site, ada: Guest, bruno: Guest):
    code = ada.create(**{"option-players": "3"})
    bruno.sit(code, "Bea")
    with Line(site, ada, code, f"?have={shown_to(ada, code)}") as line:
        assert line.send("say", "a1", text="Hello")["type"] == "acknowledged"
        message = line.next("fragments")
        if not message["order"]:  # her own presence
            assert set(message["fragments"]) == {"gathering"}
            message = line.next("fragments")
        (said,) = message["order"].pop("chat")
        assert f"chat:{said}" in message["fragments"]
        assert set(message["fragments"]) <= {f"chat:{said}", "gathering"}
        assert message["order"] == {}
        assert line.send("add_bot", "a2", level="random", seat=2)["type"] == "acknowledged"
        assert line.send("start", "a3")["type"] == "acknowledged"
        line.next("page")
        assert line.send("play", "a4", code="crew sailor red", prompt_id=0)["kind"] in ("IllegalAction", "StalePrompt")
        line.socket.send("{")
        assert line.next("refused")["kind"] == "BadMessage"
        line.socket.send('{"type":"ping"}')
        line.next("pong")


def test_a_page_that_is_up_to_date_is_sent_nothing(site: Site, ada: Guest):
    code = ada.create()
    with Line(site, ada, code) as first:
        assert first.next("fragments")["fragments"]
        wait_for(lambda: site.room(code).presence._timer is None)  # presence is sent with a delay
        with Line(site, ada, code, f"?have={shown_to(ada, code)}") as second:
            wait_for(lambda: site.room(code).presence._timer is None)
            second.socket.send('{"type":"ping"}')
            assert json.loads(second.socket.recv(PATIENCE))["type"] == "pong"


def test_an_outdated_page_is_fetched_again(site: Site, ada: Guest):
    """A page from before the match cannot be corrected by fragments, so the whole page is sent."""
    code = ada.create(**{"option-players": "3", "bots": "2"})
    have = shown_to(ada, code)
    ada.post(f"/r/{code}/start")
    with Line(site, ada, code, f"?have={have}") as line:
        assert line.next("page", "fragments")["type"] == "page"
        assert "actions" in line.next("page", "fragments")["fragments"]


def test_a_line_speaks_the_language_of_its_page(site: Site, ada: Guest):
    """Even if a browser sends its languages only with pages; a language that is not offered is ignored."""
    code, ready = ada.create(**{"option-players": "3", "bots": "2"}), "Start match"
    for asked, spoken in (("de", "de"), ("it", "it"), ("tlh", "en")):
        with Line(site, ada, code, f"?language={asked}") as line:
            shown = line.next("fragments")["fragments"]
        assert site_say(spoken)(ready) in unescape(" ".join(shown.values()))
