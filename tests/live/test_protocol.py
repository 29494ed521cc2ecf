"""The wire protocol: malformed messages are refused with a reason; all others are carried out or refused."""

import asyncio
import contextlib
import json
from typing import Any, cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavola.live import Hub, Person, Room
from tavola.live.protocol import (
    KINDS,
    LARGEST_MESSAGE,
    AddBot,
    BadMessage,
    ComeBack,
    Command,
    Echo,
    Join,
    Leave,
    Ping,
    Play,
    Remove,
    Say,
    SitOut,
    Swap,
    Talk,
    from_form,
    parse,
)
from tavola.live.responses import respond, state_message, state_text
from tavola.live.server_messages import Fragments, Page, Refused, encode, refusal_message
from tavola.store import WriteFailed
from tests.helpers.rooms import ADA, BRUNO, CARLA, PEOPLE, THREE, create_room, new_command_id, play_to_end, start_room


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"type":"play","command_id":"k3","code":"vote green","prompt_id":7}', Play("k3", 7, "vote green")),
        ('{"type":"play","command_id":"k3","code":"vote green","prompt_id":7.0}', Play("k3", 7, "vote green")),
        ('\ufeff{"type":"play","command_id":"k3","code":"lane 1","prompt_id":7}', Play("k3", 7, "lane 1")),
        ('\r\n {"type":"play","command_id":"k3","code":"lane 1","prompt_id":7e0}\n', Play("k3", 7, "lane 1")),
        ('{"type":"say","command_id":"k4","text":"è"}', Say("k4", "è")),
        ('{"type":"join","command_id":"k5","seat":2}', Join("k5", 2)),
        ('{"type":"join","command_id":"k5"}', Join("k5")),
        ('{"type":"join","command_id":"k5","seat":null}', Join("k5")),
        ('{"type":"leave","command_id":"k6"}', Leave("k6")),
        ('{"type":"add_bot","command_id":"k7","level":"greedy"}', AddBot("k7", "greedy")),
        ('{"type":"swap","command_id":"k8","seat":3,"other":0}', Swap("k8", 3, 0)),
        ('{"type":"ping","hidden":true}', Ping(hidden=True)),
        ('{"type":"come_back","command_id":"k_-"}', ComeBack("k_-")),
        ('{"type":"sit_out","command_id":"k"}', SitOut("k", "rounds")),
        ('{"type":"ping"}', Ping()),
        (b'{"type":"ping"}', Ping()),
    ],
)
def test_messages_are_read(text, message):
    assert parse(text) == message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a message must be a JSON object"),
        ("[]", "a message must be a JSON object"),
        ("[" * 16_000, "a message must be a JSON object"),
        ("1" * 16_000, "Number out of range"),
        (b"\xff\xfe\xff", "a message must be a JSON object"),
        ("{}", "a message’s type must be one of ping, play"),
        ('{"type":["play"]}', "a message’s type must be one of ping, play"),
        ('{"type":"state"}', "a message’s type must be one of ping, play"),
        ('{"type":"play","command_id":"k","prompt_id":1}', "one of the fields `code` and `codes`"),
        ('{"type":"play","command_id":"k","prompt_id":1,"code":"x","codes":["x"]}', "one of the fields `code`"),
        ('{"type":"play","command_id":"k","prompt_id":1,"codes":[]}', "one of the fields `code` and `codes`"),
        ('{"type":"play","command_id":"k","prompt_id":1,"codes":[7]}', r"Expected `str`, got `int` - at `\$.codes"),
        ('{"type":"play","command_id":"k","code":7,"prompt_id":1}', r"Expected `str`, got `int` - at `\$.code`"),
        ('{"type":"play","command_id":"k","code":"x","prompt_id":true}', r"Expected `int`, got `bool` - at `\$.prompt"),
        ('{"type":"play","command_id":"k","code":"x","prompt_id":1.5}', r"Expected `int`, got `float` - at `\$.prompt"),
        ('{"type":"play","command_id":"k","code":"x"}', "missing required field `prompt_id`"),
        ('{"type":"say","command_id":"k","text":"\\ud800"}', "a message must be a JSON object"),
        ('{"type":"join","command_id":"k","seat":"1"}', "Expected `int . null`, got `str`"),
        ('{"type":"leave","command_id":"k","seat":1}', "unknown field `seat`"),
        ('{"type":"leave","command_id":"a b"}', r"matching regex .* at `\$.command_id`"),
        ('{"type":"leave","command_id":""}', r"matching regex .* at `\$.command_id`"),
        ('{"type":"leave","command_id":"' + "x" * 65 + '"}', r"matching regex .* at `\$.command_id`"),
        ('{"type":"leave","command_id":"k\\n"}', r"matching regex .* at `\$.command_id`"),
        ('{"type":"say","command_id":"k","text":"' + "x" * LARGEST_MESSAGE + '"}', f"up to {LARGEST_MESSAGE} bytes"),
        (
            '{"type":"say","command_id":"k","text":"' + "è" * (LARGEST_MESSAGE // 2) + '"}',
            f"up to {LARGEST_MESSAGE} bytes",
        ),
    ],
)
def test_invalid_messages_are_refused(text, said):
    with pytest.raises(BadMessage, match=said):
        parse(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
names = st.sampled_from(sorted({field for kind in KINDS.values() for field in kind.__struct_fields__} | {"type"}))


@given(st.text() | st.binary())
def test_any_text_is_a_message_or_refused(text):
    with contextlib.suppress(BadMessage):
        assert parse(text).type in KINDS


@given(st.sampled_from(sorted(KINDS)), st.dictionaries(names, json_values))
def test_any_document_is_a_message_of_the_declared_types_or_refused(kind, document):
    try:
        message = parse(json.dumps({**document, "type": kind}))
    except BadMessage:
        return
    for field in message.__struct_fields__:
        assert type(getattr(message, field)) in (str, int, bool, tuple, type(None))
    assert parse(msgspec.json.encode(message)) == message


@pytest.mark.parametrize(
    ("kind", "fields", "command"),
    [
        (Play, {"command_id": "k", "prompt_id": "7", "code": "vote green"}, Play("k", 7, "vote green")),
        (AddBot, {"command_id": "k", "level": "greedy"}, AddBot("k", "greedy")),
        (AddBot, {"command_id": "k", "level": "greedy", "seat": "3"}, AddBot("k", "greedy", 3)),
        (Say, {"command_id": "k", "text": "7"}, Say("k", "7")),
        (Say, {"command_id": "k", "text": "null"}, Say("k", "null")),
    ],
)
def test_forms_send_the_same_commands(kind, fields, command):
    assert from_form(kind, fields) == command


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Play, {"command_id": "k", "prompt_id": "seven", "code": "x"}),
        (Play, {"command_id": "k", "prompt_id": "7.5", "code": "x"}),
        (Play, {"command_id": "k", "prompt_id": "7"}),
        (Remove, {"command_id": "k"}),
        (Remove, {"command_id": "k", "seat": "٣"}),
        (Leave, {"command_id": "k", "seat": "3"}),
        (Leave, {"command_id": "a b"}),
    ],
)
def test_invalid_command_forms_are_refused(kind, fields):
    with pytest.raises(BadMessage, match="this message can’t be understood"):
        from_form(kind, fields)


def test_every_command_is_a_message():
    kinds = [*Command.__subclasses__(), *Talk.__subclasses__()]
    commands = {kind.__struct_config__.tag: kind for kind in kinds if kind is not Talk}
    assert {"ping": Ping, "echo": Echo, **commands} == KINDS
    assert all(vars(kind)["__doc__"] for kind in KINDS.values()), "the schemas describe each"


def test_answers_are_json():
    assert json.loads(encode(Page(4))) == {"type": "page", "seq": 4}
    told = json.loads(encode(Fragments(4, {"prompt": "<p>è</p>"}, {"log": ["a", "b"]})))
    shown = {"fragments": {"prompt": "<p>è</p>"}, "order": {"log": ["a", "b"]}}
    assert told == {"type": "fragments", "seq": 4, **shown}
    refusal = refusal_message(None, BadMessage("{type} needs the field {field}", type="play", field="code"))
    said = {"kind": "BadMessage", "message": "play needs the field code"}
    assert json.loads(encode(refusal)) == {"type": "refused", "command_id": None, **said}


async def test_a_match_only_by_messages(hub: Hub):
    """A program that knows only states and the protocol gathers people, plays to the end and starts a rematch."""
    room = await create_room(hub, (ADA,), 3)
    assert state_message(room, ADA.id)["phase"] == "gathering"
    await carried_out(room, ADA, "remove", seat=1)
    await carried_out(room, BRUNO, "join")
    await carried_out(room, ADA, "say", text="Hello")
    await carried_out(room, ADA, "start")
    while (state := state_message(room, ADA.id))["phase"] == "playing":
        for person in (ADA, BRUNO):
            state = state_message(room, person.id)
            if state["legal"]:
                await carried_out(room, person, "play", code=state["legal"][-1], prompt_id=state["prompt_id"])
        await asyncio.sleep(0.001)  # the bot's turn
    assert json.loads(encode(await respond(room, ADA, parse('{"type":"ping"}'))))["type"] == "pong"
    assert state["result"]["places"] == list(room.state.match.result().ranks)
    assert [line["text"] for line in state["chat"]] == ["Hello"]
    await carried_out(room, ADA, "rematch", level="greedy")
    again = await hub.room(state_message(room, ADA.id)["next_room"])
    await carried_out(again, BRUNO, "ready")
    assert again.state.phase == "playing"


async def carried_out(room: Room, person: Person, kind: str, **fields):
    text = json.dumps({"type": kind, "command_id": new_command_id(), **fields})
    reply = json.loads(encode(await respond(room, person, parse(text))))
    assert reply["type"] == "acknowledged", reply


async def test_refusals_are_answers(hub: Hub):
    room = await start_room(hub)
    other = PEOPLE[(room.state.match.to_act[0] + 1) % 4]
    reply: Any = await respond(room, other, Play("k1", 0, "lane 1"))
    assert (reply.type, reply.command_id, reply.kind) == ("refused", "k1", "StalePrompt")
    assert cast(Refused, await respond(room, None, Say("k2", "hello"))).kind == "NotSeated"
    translated = await respond(room, other, Play("k1", 0, "lane 1"), lambda refusal: "troppo tardi")
    assert translated == Refused("k1", "StalePrompt", "troppo tardi")

    async def full(batches, lease=None):
        raise WriteFailed("the disk is full")

    hub.store.append_batches = full
    reply = await respond(room, other, Say("k3", "hello"))
    assert (reply.type, reply.kind) == ("refused", "NotWritten")


async def test_a_state_contains_only_what_its_reader_may_know(hub: Hub):
    room = await start_room(hub, THREE)
    room.subscribe(ADA, lambda seq: None)
    for person in (ADA, BRUNO, CARLA, Person("z", "Zoe")):
        seat, state = room.state.seat_of(person.id), json.loads(state_text(room, person.id))
        assert (state["seat"], state["view"]) == (seat, json.loads(json.dumps(room.view(seat).document())))
        assert state["legal"] == [room.state.game.actions.code(number) for number in room.view(seat).legal]
        assert state["is_host"] == (person == ADA)
        assert [each["away"] for each in state["seats"]] == [False, True, True]
    leave = room.subscribe(BRUNO, lambda seq: None)
    assert [each["away"] for each in state_message(room, None)["seats"]] == [False, False, True]
    leave()
    assert [each["away"] for each in state_message(room, None)["seats"]] == [False, True, True]
    await play_to_end(room, THREE)
    assert state_message(room, ADA.id)["phase"] == "over"
