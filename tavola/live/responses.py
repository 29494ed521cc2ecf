"""Responses to a connection: the results of its commands, and for programs the state as one person may know it."""

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from tavola.bots.outside.player import happened_documents
from tavola.core import Moment, Refusal
from tavola.core.text import mark
from tavola.live.commands.ahead import ahead_document
from tavola.live.correspondence.due_dates import open_dues
from tavola.live.log.occupants import FREE, seat_faces
from tavola.live.log.people import Person
from tavola.live.log.room_settings import settings_document
from tavola.live.log.state import State
from tavola.live.log.undo import undoable
from tavola.live.protocol import ClientMessage, Echo, Ping, Plan, Skip
from tavola.live.room import Room
from tavola.live.room_refusals import NotSeated, NotWritten
from tavola.live.server_messages import Acknowledged, Planned, Pong, ServerMessage, encode, refusal_message
from tavola.live.state_sentences import START, sentences, statement_documents
from tavola.live.time.race import Arrival
from tavola.store import Conflict, Unsure, WriteFailed

CHAT_SENT = 20
"""Maximum chat lines in a state, the last ones of the room."""
OTHERS_LOOK = mark("The others are still watching.")
"""Message to a player who skips a scene that others are still watching."""
logger = logging.getLogger(__name__)


async def respond(
    room: Room,
    person: Person | None,
    message: ClientMessage,
    said: Callable[[Refusal], str] = str,
    arrival: Arrival | None = None,
    origin: str = "",
) -> ServerMessage:
    """Carry out a message and return the response; `said` puts a refusal into the reader's language.

    `person`: None if unknown. `arrival`: when the message arrived, by default now. `origin`: a mark of the sender's
    address. Raise `Unsure` if the result is unknown; sending the same command again resolves that.
    """
    if isinstance(message, Ping | Echo):
        return Pong()
    try:
        if person is None:
            raise NotSeated(mark("you don’t have a seat here"))
        if isinstance(message, Plan):
            return plan_response(room, person, message)
        if isinstance(message, Skip):
            alone = room.skip_scene(person)
            return Acknowledged(message.command_id, room.state.public_seq, "" if alone else OTHERS_LOOK)
        await room.execute(person, message, arrival, origin)
    except Refusal as refusal:
        return refusal_message(message.command_id, refusal, said(refusal))
    except Unsure:
        raise
    except (Conflict, WriteFailed):
        logger.exception("room %s: failed to write a command", room.id)
        unwritten = NotWritten()
        return refusal_message(message.command_id, unwritten, said(unwritten))
    return Acknowledged(message.command_id, room.state.public_seq)


def plan_response(room: Room, person: Person, asked: Plan) -> Planned:
    """Return the result of a plan, for programs."""
    plan = room.plan(person, asked.codes, asked.prompt_id)
    codes = tuple(map(room.state.game.actions.code, () if plan.stop else plan.view.legal))
    return Planned(asked.command_id, plan.stop, codes, plan.view.document())


def state_text(room: Room, person_id: str | None, since: Moment = START) -> str:
    """Return all that one person may know of a room, as the text of a `server_messages.RoomState`, for programs.

    `since`: the moment up to which the match was sent before. The text is equal for two rooms that differ only in
    secrets. Its public part is cached until the next change.
    """
    known, seat = _public_text(room), room.state.seat_of(person_id) if person_id is not None else None
    own: dict[str, Any] = _own_document(room, person_id, seat)
    own["legal"], own["happened"], view = [], [], "null"
    own["statements"] = statement_documents(room.state, seat)
    own["ahead"] = ahead_document(room.state, seat)
    own["notes"] = {} if seat is None else {str(about): mark for about, mark in room.state.guesses_of(seat).items()}
    if room.state.match is not None:
        seen = room.view(seat)
        own["legal"] = [room.state.game.actions.code(number) for number in seen.legal]
        own["happened"] = happened_documents(room.state.match.heard(seat, since.actions))
        hand = "" if seat is None else f',"hand":{encode(room.state.game.hand.write(seen.hand))}'
        game = room.state.game
        named = f'"game":"{game.name}"' + ("" if game.ruleset is None else f',"version":{game.version}')
        view = f'{{{named},"seat":{encode(seat)},"table":{known.table}{hand}}}'
    return f'{{"type":"state",{known.members},{_without_braces(own)},"view":{view}}}'


def sentences_text(room: Room, person_id: str | None, language: str, since: Moment = START) -> str:
    """Return the same in sentences of a language, as the text of a `server_messages.TextState`."""
    known, seat = _public_text(room), room.state.seat_of(person_id) if person_id is not None else None
    own = _own_document(room, person_id, seat) | sentences(room.state, seat, language, since)
    return f'{{"type":"state",{known.members},{_without_braces(own)}}}'


def state_message(room: Room, person_id: str | None, since: Moment = START) -> dict[str, Any]:
    """Return the state for programs as a document."""
    return json.loads(state_text(room, person_id, since))  # type: ignore[no-any-return]


def _own_document(room: Room, person_id: str | None, seat: int | None) -> dict[str, Any]:
    muted = room.state.muted_by(person_id) if person_id is not None else ()
    made = undoable(room.state, seat)
    return {
        "chat": [line._asdict() for line in room.state.chat_for(muted)[-CHAT_SENT:]],
        "seat": seat,
        "is_host": person_id == room.state.host.id,
        "prompt_id": room.prompt_id(seat) if room.state.match is not None and seat is not None else None,
        "undo_id": made and made.prompt_id,
    }


class _Known(NamedTuple):
    """The cached public text of a room: its stamp, its members without the table, and the table."""

    stamp: object
    members: str
    table: str


def _public_text(room: Room) -> _Known:
    stamp, known = (room.state.seq, room.presence.changes), _public_cache.get(room)
    if known is None or known.stamp != stamp:
        members, match = _without_braces(_public_document(room)), room.state.match
        table = "null" if match is None else encode(room.state.game.table.write(room.view(None).table))
        known = _public_cache[room] = _Known(stamp, members, table)
    return known


_public_cache: WeakKeyDictionary[Room, _Known] = WeakKeyDictionary()


def _without_braces(document: Mapping[str, Any]) -> str:
    return encode(document)[1:-1]


def _public_document(room: Room) -> dict[str, Any]:
    state = room.state
    result = state.match.result() if state.match is not None else None
    return {
        "seq": state.public_seq,
        "room": room.id,
        "game": state.game.name,
        "options": state.options,
        "rules": state.game.options.rules_of(state.options),
        "settings": settings_document(state.settings),
        "phase": state.phase,
        "host": state.host.name,
        "seats": _seat_documents(room),
        "moments": state.moments,
        "undone": len(state.undone),
        "undo_asked": _undo_document(state),
        "next_room": state.next_room,
        "talk_until": room.talk_until,
        "result": result and {"points": result.points, "places": result.ranks},
    }


def _undo_document(state: State) -> dict[str, Any] | None:
    if (asked := state.undo_request) is None:
        return None
    made = asked.made
    return {"seat": made.seat, "prompt_id": made.prompt_id, "until": asked.until, "allowed": sorted(asked.allowed)}


def _seat_documents(room: Room) -> list[dict[str, Any]]:
    state, dues, sitting = room.state, open_dues(room.state), room.seats
    faces = seat_faces(sitting)
    return [
        {
            "name": name or None,
            "level": seat.level,
            "face": None if faces[number] == FREE else faces[number],
            "temper": seat.member.temper if seat.member else None,
            "away": seat.away,
            "ready": seat.ready,
            "taken_over": seat.taken_over,
            "owes": room.prompt_id(number) is not None,
            "replaced": room.replaced(number),
            "bank": round(state.bank_left(number), 3),
            "asked_at": dues[number].asked if number in dues else None,
            "misses": state.occupants[number].misses,
            "bot_since": state.occupants[number].bot_since or None,
            "away_until": state.away[number].until or None if number in state.away else None,
        }
        for number, (seat, name) in enumerate(zip(sitting, room.names, strict=True))
    ]
