"""Seats of a language model: in a room of this process, or in a remote room over a WebSocket.

Both return the state in sentences, as `tavola.live.server_messages.TextState`, and responses to messages.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tavola.core import Game, Refusal, View
from tavola.games import load
from tavola.live import Hub, HubSettings, Person, Room, Settings
from tavola.live.log.state import Told
from tavola.live.protocol import Fill, parse
from tavola.live.responses import respond, sentences_text
from tavola.live.server_messages import encode
from tavola.live.state_sentences import refusal_reason, view_sentences
from tavola.show.speech import Say
from tavola.store import open_store

Document = dict[str, Any]


class LostRoom(Refusal):
    """A remote room that cannot be reached any more."""


MODEL = Person("model", "Model")
"""The person that a model is in a local room."""


class Seat(Protocol):
    """The seat of a model."""

    _changed: asyncio.Event

    async def state(self) -> Document:
        """Return the state of the match in sentences, with the log lines since the last call."""

    async def send(self, message: Document) -> Document:
        """Send a message of the protocol; return the response, which can be a refusal with its reason."""

    async def changed(self) -> None:
        """Wait until something has changed since the last state."""
        await self._changed.wait()


class Table:
    """The rooms of a server for models: local ones with bots, or one remote room."""

    def __init__(self, hub: Hub | None, address: str = "", language: str = "en") -> None:
        self.hub, self.address, self.language = hub, address, language
        self._held = contextlib.AsyncExitStack()

    async def sit_down(self, game: str, options: Mapping[str, object], bots: str) -> Seat:
        """Return a seat in a new match against bots, or in the remote room if there is one.

        The previous seat is left only when there is a new one, so a refusal does not affect it.
        """
        async with contextlib.AsyncExitStack() as held:
            if self.hub is None:
                seat: Seat = await self._join(held)
            else:
                seat = await self._begin(self.hub, held, game, options, bots)
            left, self._held = self._held, held.pop_all()
        await left.aclose()
        return seat

    async def _join(self, held: contextlib.AsyncExitStack) -> Seat:
        try:
            headers = {"Accept-Language": self.language}
            socket = await held.enter_async_context(connect(self.address, max_size=None, additional_headers=headers))
        except (OSError, WebSocketException) as error:
            raise LostRoom(f"the room does not answer: {error}") from error
        return await RemoteSeat.join(socket, self.language)

    async def _begin(
        self, hub: Hub, held: contextlib.AsyncExitStack, game: str, options: Mapping[str, object], bots: str
    ) -> Seat:
        room = await hub.create(MODEL, game, options, Settings(public=False, patience=0))
        seat = LocalSeat(room, self.language)
        held.callback(seat.leave)
        await room.execute(MODEL, Fill("fill", bots))
        return seat

    async def leave(self) -> None:
        """Leave the current room."""
        await self._held.aclose()


@contextlib.asynccontextmanager
async def open_table(address: str = "", language: str = "en") -> AsyncIterator[Table]:
    """Yield a `Table` for the remote room at `address` (`ws://…?token=…`), or for local rooms, which end with it."""
    async with contextlib.AsyncExitStack() as held:
        hub = None
        if not address:
            folder = held.enter_context(TemporaryDirectory(prefix="tavola-"))
            store = held.enter_context(contextlib.closing(open_store(Path(folder) / "rooms.sqlite")))
            hub = await Hub.open(store, HubSettings(bot_pause=0.0, scenes=False))
            held.push_async_callback(hub.close)
        table = Table(hub, address.replace("form=json", "form=text"), language)
        held.push_async_callback(table.leave)
        yield table


class LocalSeat(Seat):
    """The model's seat in a room of this process."""

    def __init__(self, room: Room, language: str) -> None:
        self.room, self.language, self._told = room, language, Told()
        self._changed = asyncio.Event()
        self.leave = room.subscribe(MODEL, lambda seq: self._changed.set(), program=True)

    async def state(self) -> Document:
        self._changed.clear()
        since, self._told = self.room.state.known_until(self._told), self.room.state.told
        return _document(sentences_text(self.room, MODEL.id, self.language, since))

    async def send(self, message: Document) -> Document:
        answer = _document(encode(await respond(self.room, MODEL, parse(msgspec.json.encode(message)))))
        codes = message.get("codes") or [message.get("code", "")]
        if answer["type"] == "refused" and answer["kind"] in ("IllegalAction", "StalePrompt"):
            reason = refusal_reason(self.room.state, self.room.state.seat_of(MODEL.id), codes[-1], self.language)
            answer["message"] = reason or answer["message"]
        return answer


class RemoteSeat(Seat):
    """The model's seat in a remote room, whose socket sends states, responses and echoes in any order."""

    def __init__(self, socket: ClientConnection, language: str) -> None:
        self.socket, self.language = socket, language
        self._state: Document = {}
        self._told: list[str] = []
        self._answers: asyncio.Queue[Document] = asyncio.Queue()
        self._changed = asyncio.Event()
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def join(cls, socket: ClientConnection, language: str) -> "RemoteSeat":
        """Sit down in the room of a socket."""
        seat = cls(socket, language)
        await seat.changed()
        answer = await seat.send({"type": "join", "command_id": "sit"})
        if answer["type"] == "refused" and seat._state["seat"] is None:
            raise LostRoom(answer["message"])
        return seat

    async def state(self) -> Document:
        self._changed.clear()
        told, self._told = self._told, []
        return {**self._state, "told": told}

    async def send(self, message: Document) -> Document:
        await self.socket.send(msgspec.json.encode(message).decode())
        while True:
            getting = asyncio.ensure_future(self._answers.get())
            await asyncio.wait((getting, self._reading), return_when=asyncio.FIRST_COMPLETED)
            if not getting.done():
                getting.cancel()
                raise LostRoom("the room closed the connection: expected `sit_down` again")
            if getting.result().get("command_id") == message["command_id"]:
                return getting.result()

    async def _read(self) -> None:
        with contextlib.suppress(WebSocketException):
            async for text in self.socket:
                await self._take(_document(text))
        self._changed.set()

    async def _take(self, message: Document) -> None:
        if message["type"] == "echo":
            await self.socket.send(msgspec.json.encode(message).decode())
        elif message["type"] == "state":
            self._state, self._told = message, self._told + message["told"]
            self._changed.set()
        else:
            await self._answers.put(message)


def plan_sentences(answer: Document, state: Document, language: str) -> Document:
    """Return the result of a plan in sentences, from the response to a `plan` message."""
    game: Game = load(state["game"])
    say = Say.of(game, language, [seat["name"] or "" for seat in state["seats"]])
    planned = view_sentences(View[Any, Any].read(game, answer["view"]), say)
    legal = planned["legal"] if not answer["stop"] else []
    return {"stop": answer["stop"], "table": planned["table"], "legal": legal}


def _document(text: str | bytes) -> Document:
    return msgspec.json.decode(text)  # type: ignore[no-any-return]
