"""The whole wire protocol of a room: JSON messages over one WebSocket, each an object with a `type`.

A client sends

    {"type": "play", "command_id": "k3", "code": "vote green", "prompt_id": 7}      make the decision 7
    {"type": "say", "command_id": "k4", "text": "Green, please"}
    {"type": "join", "command_id": "k5", "seat": 2}           sit down; without seat on the first free one
    {"type": "leave", "command_id": "k6"}
    {"type": "add_bot", "command_id": "k7", "level": "greedy", "seat": 3}           seat may be left out
    {"type": "remove", "command_id": "k8", "seat": 3}
    {"type": "start", "command_id": "k9"}
    {"type": "come_back", "command_id": "k10"}                take the own seat back from a bot
    {"type": "rematch", "command_id": "k11"}
    {"type": "note", "command_id": "k12", "about": 3, "mark": "traitor"}            a private guess about another seat
    {"type": "ping"}

and gets

    {"type": "acknowledged", "command_id": "k3", "seq": 41}   it is on disk; sent again it changes nothing
    {"type": "refused", "command_id": "k3", "kind": "StalePrompt", "message": "…"}  nothing has changed
    {"type": "state", "seq": 41, …}                           programs: all they may know, after every change
    {"type": "fragments", "seq": 41, "fragments": {"prompt": "<p>…"}, "order": {"log": ["log-9", "log-8"]}}
                                                              pages: what looks different now, and the children of
                                                              lists where some came, went or moved
    {"type": "page", "seq": 41}                               pages: another page is shown now, to be fetched anew
    {"type": "pong"}

`command_id` is the client's own (1 to 64 letters, digits, - or _). A command without an answer, because the
connection broke, is sent again with the same id. `seq` counts what everybody may know of: a private guess moves it for
nobody. Who acts is never said: the server knows whose connection it is.
"""

import json
import logging
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any, ClassVar, get_args, get_type_hints
from weakref import WeakKeyDictionary

from tavola.core import Refusal
from tavola.live.people import COMMAND_ID, Person
from tavola.live.refusals import NotSeated, RoomRefusal
from tavola.live.room import Room
from tavola.store import Conflict, WriteFailed

LARGEST = 16_384
"""Bytes of a client's message."""
CHAT_SENT = 20
"""Lines of chat in a state; a room's last ones."""

log = logging.getLogger(__name__)


class BadMessage(RoomRefusal):
    """Something that is no message of this protocol."""


# What a client sends


@dataclass(frozen=True, slots=True)
class Ping:
    """Are you there?"""

    type: ClassVar[str] = "ping"


@dataclass(frozen=True, slots=True)
class Command:
    """What changes a room."""

    type: ClassVar[str]
    command_id: str

    async def carry_out(self, room: Room, person: Person) -> None:
        """Do it, for the person whose connection this came through."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Play(Command):
    """Make a decision."""

    type: ClassVar[str] = "play"
    code: str
    prompt_id: int

    async def carry_out(self, room: Room, person: Person) -> None:
        await room.play(person, self.code, self.prompt_id, self.command_id)


@dataclass(frozen=True, slots=True)
class Say(Command):
    """Write a line of chat."""

    type: ClassVar[str] = "say"
    text: str

    async def carry_out(self, room: Room, person: Person) -> None:
        await room.say(person, self.text, self.command_id)


@dataclass(frozen=True, slots=True)
class Join(Command):
    """Sit down."""

    type: ClassVar[str] = "join"
    seat: int | None = None

    async def carry_out(self, room: Room, person: Person) -> None:
        await room.join(person, self.command_id, self.seat)


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """Get up."""

    type: ClassVar[str] = "leave"

    async def carry_out(self, room: Room, person: Person) -> None:
        await room.leave(person, self.command_id)


@dataclass(frozen=True, slots=True)
class AddBot(Command):
    """Seat a bot."""

    type: ClassVar[str] = "add_bot"
    level: str
    seat: int | None = None

    async def carry_out(self, room: Room, person: Person) -> None:
        await room.add_bot(person, self.level, self.command_id, self.seat)


@dataclass(frozen=True, slots=True)
class Remove(Command):
    """Free a seat."""

    type: ClassVar[str] = "remove"
    seat: int

    async def carry_out(self, room: Room, person: Person) -> None:
        await room.remove(person, self.seat, self.command_id)


@dataclass(frozen=True, slots=True)
class Start(Command):
    """Begin the match."""

    type: ClassVar[str] = "start"

    async def carry_out(self, room: Room, person: Person) -> None:
        await room.start(person, self.command_id)


@dataclass(frozen=True, slots=True)
class ComeBack(Command):
    """Take the own seat back from a bot."""

    type: ClassVar[str] = "come_back"

    async def carry_out(self, room: Room, person: Person) -> None:
        await room.come_back(person, self.command_id)


@dataclass(frozen=True, slots=True)
class Note(Command):
    """Keep a private guess; an empty mark forgets it."""

    type: ClassVar[str] = "note"
    about: int
    mark: str

    async def carry_out(self, room: Room, person: Person) -> None:
        await room.note(person, self.about, self.mark, self.command_id)


@dataclass(frozen=True, slots=True)
class Rematch(Command):
    """Play again: the state's `next_room` says where."""

    type: ClassVar[str] = "rematch"

    async def carry_out(self, room: Room, person: Person) -> None:
        await room.rematch(person, self.command_id)


ClientMessage = Ping | Command
KINDS: dict[str, type[Ping] | type[Command]] = {
    kind.type: kind for kind in (Ping, Play, Say, Join, Leave, AddBot, Remove, Start, ComeBack, Note, Rematch)
}


def parse(text: str | bytes) -> ClientMessage:
    """A client's message, or `BadMessage` with what was expected."""
    if len(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")) > LARGEST:
        raise BadMessage("a message has at most {most} bytes", most=LARGEST)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadMessage("a message is a JSON object") from error
    if not isinstance(document, dict):
        raise BadMessage("a message is a JSON object")
    name = document.pop("type", None)
    if not isinstance(name, str) or name not in KINDS:
        raise BadMessage("a message's type is one of {types}", types=", ".join(KINDS))
    return _built(KINDS[name], document)


def _built(kind: type[Ping] | type[Command], document: dict[str, Any]) -> ClientMessage:
    known = {field.name: field for field in fields(kind)}
    unknown = sorted(document.keys() - known.keys())
    if unknown:
        raise BadMessage("{type} has no field {field}", type=kind.type, field=repr(unknown[0][:40]))
    hints = get_type_hints(kind)
    for name, field in known.items():
        if name in document:
            _check(kind.type, name, hints[name], document[name])
        elif field.default is MISSING:
            raise BadMessage("{type} needs the field {field}", type=kind.type, field=name)
    return kind(**document)


def _check(kind: str, name: str, hint: Any, value: object) -> None:
    expected = get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    if type(value) not in expected:
        words = {str: "a text", int: "a whole number", types.NoneType: "null"}
        wanted = " or ".join(words[each] for each in expected)
        raise BadMessage("{field} of {type} is {wanted}", field=name, type=kind, wanted=wanted)
    if name == "command_id" and not COMMAND_ID.fullmatch(str(value)):
        raise BadMessage("a command's id has 1 to 64 letters, digits, - or _")


# What a server answers


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The command is on disk. `seq` is the room's last event then that everybody may know of."""

    type: ClassVar[str] = "acknowledged"
    command_id: str
    seq: int


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing has changed. `command_id` is None where a message could not be read; `kind` is the refusal's class."""

    type: ClassVar[str] = "refused"
    command_id: str | None
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Fragments:
    """Parts of a page that look different now: HTML by name; for lists the names of all children, in order."""

    type: ClassVar[str] = "fragments"
    seq: int
    fragments: dict[str, str]
    order: dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Page:
    """The room has another page now: the match began, or is over."""

    type: ClassVar[str] = "page"
    seq: int


@dataclass(frozen=True, slots=True)
class Pong:
    """I am."""

    type: ClassVar[str] = "pong"


ServerMessage = Acknowledged | Refused | Fragments | Page | Pong


def written(message: ServerMessage) -> str:
    """A message as it goes over the wire."""
    return _json({"type": message.type, **asdict(message)})


async def answer(
    room: Room, person: Person | None, message: ClientMessage, said: Callable[[Refusal], str] = str
) -> ServerMessage:
    """Carry a message out and say what became of it, a refusal by `said` in the reader's language.

    `person` None is somebody who only watches.
    """
    if isinstance(message, Ping):
        return Pong()
    try:
        if person is None:
            raise NotSeated("you have no seat here")
        await message.carry_out(room, person)
    except Refusal as refusal:
        return refused(message.command_id, refusal, said(refusal))
    except (Conflict, WriteFailed) as failure:
        log.exception("room %s: a command could not be written", room.id)
        return Refused(
            message.command_id, type(failure).__name__, "this could not be written down: nothing has changed"
        )
    return Acknowledged(message.command_id, room.public_seq)


def refused(command_id: str | None, refusal: Refusal, said: str | None = None) -> Refused:
    """A refusal as a message; `said` is its sentence in the reader's language, English if None."""
    return Refused(command_id, type(refusal).__name__, str(refusal) if said is None else said)


def state_text(room: Room, person_id: str | None) -> str:
    """All that one person may know of a room, as it goes over the wire: for programs.

    It is equal for two rooms that differ only in secrets. What everybody may know is written once a change.
    """
    stamp = room.seq, room.comings
    known = _shared.get(room)
    if known is None or known[0] != stamp:
        known = _shared[room] = stamp, _members(_public(room)), _table(room)
    seat = room.seat_of(person_id) if person_id is not None else None
    own: dict[str, Any] = {"seat": seat, "is_host": person_id == room.host.id, "prompt_id": None, "legal": []}
    own["notes"] = {} if seat is None else {str(about): mark for about, mark in room.notes(seat).items()}
    view = "null"
    if room.match is not None:
        seen = room.view(seat)
        own["prompt_id"] = None if seat is None else room.prompt_id(seat)
        own["legal"] = [room.game.actions.code(number) for number in seen.legal]
        hand = "" if seat is None else f',"hand":{_json(room.game.hand.write(seen.hand))}'
        view = f'{{"game":"{room.game.name}","seat":{_json(seat)},"table":{known[2]}{hand}}}'
    return f'{{"type":"state",{known[1]},{_members(own)},"view":{view}}}'


def state_message(room: Room, person_id: str | None) -> dict[str, Any]:
    """The same as a document."""
    return json.loads(state_text(room, person_id))  # type: ignore[no-any-return]


_shared: WeakKeyDictionary[Room, tuple[object, str, str]] = WeakKeyDictionary()
"""What was last written of a room for everybody: when, its members but for the table, and the table."""


def _json(document: object) -> str:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _members(document: Mapping[str, Any]) -> str:
    """An object without its braces."""
    return _json(document)[1:-1]


def _table(room: Room) -> str:
    return _json(room.game.table.write(room.view(None).table)) if room.match is not None else "null"


def _public(room: Room) -> dict[str, Any]:
    result = room.match.result() if room.match is not None else None
    return {
        "seq": room.public_seq,
        "room": room.code,
        "game": room.game.name,
        "options": room.options,
        "settings": {"public": room.settings.public, "patience": room.settings.patience},
        "phase": room.phase,
        "host": room.host.name,
        "seats": _seats(room),
        "chat": [said._asdict() for said in room.chat[-CHAT_SENT:]],
        "moments": room.moments,
        "next_room": room.next_room,
        "result": result and {"points": result.points, "places": result.places},
    }


def _seats(room: Room) -> list[dict[str, Any]]:
    return [
        {
            "name": name or None,
            "level": seat.level,
            "away": seat.away,
            "taken_over": seat.taken_over,
            "owes": room.prompt_id(number) is not None,
        }
        for number, (seat, name) in enumerate(zip(room.seats, room.names, strict=True))
    ]
