"""One socket a tab: commands come in, what changed goes out. The messages are those of `tavola.live.protocol`.

A slow socket skips what lies between two differences, and one that asks more than it reads is closed. Only what all
must see at the same instant is made ready beforehand.

Where a network forbids sockets, a page sends and gets the same messages by requests, a few seconds apart.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import Callable
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from tavola.core import Refusal
from tavola.live import Room
from tavola.live.protocol import LARGEST_MESSAGE, Echo
from tavola.live.refusals import NotWritten
from tavola.live.server_messages import Refused, encode
from tavola.show.speech import LANGUAGES
from tavola.store import Unsure, WriteFailed
from tavola.web.door.cost import metered
from tavola.web.door.guard import is_same_origin
from tavola.web.door.limits import RateLimiter
from tavola.web.door.refusals import CrossOrigin, Malformed, TooFast
from tavola.web.door.visitor import Visitor
from tavola.web.sentences import UNREACHABLE, refusal_sentence, refusal_status
from tavola.web.serve.dialogue import Dialogue
from tavola.web.site import Site, document_of, limit_posts, room_of, site_of, visitor_of

MOST_ANSWERS = 64
SESSION_LOOK = 60.0
"""Seconds between two looks whether a session has ended of which nobody has told."""
ECHOES_EVERY = 0.25
"""Seconds between two echoes, while a race is on or may be soon."""
POLLED_FOR = 15.0
"""Seconds for which somebody is there whose page has asked for changes."""
MOST_POLLED = 2000
"""People whose pages ask, and who count as there."""
MOST_EXCHANGED = 32
"""Messages that a page sends by one request."""
CLOSE_TOO_MANY, CLOSE_TOO_LARGE, CLOSE_TRY_AGAIN = 1008, 1009, 1013
CLOSED_ERRORS = (WebSocketDisconnect, WebSocketDisconnected)
"""The other side has closed, or this one has while it was still sending."""


async def room_socket(asked: WebSocket) -> None:
    """The socket of a room: `?have=DIGEST` names the screen the page has, `?form=json` or `text` asks for states.

    A program that was given a seat names it by `?token=`. A page says by `?language=` which one it is in: browsers need
    not send with a socket what they send with a page.
    """
    site, visitor = site_of(asked), visitor_of(asked)
    try:
        if not is_same_origin(asked.headers):
            raise CrossOrigin
        room = await room_of(asked)
        visitor = _in_language_of_page(asked, site.visitors.program(asked, room) or visitor)
        leave = site.count_socket(asked)
    except (Refusal, WriteFailed) as failure:
        refusal = failure if isinstance(failure, Refusal) else NotWritten(UNREACHABLE)
        await asked.send_denial_response(
            PlainTextResponse(refusal_sentence(refusal, visitor.say), refusal_status(refusal))
        )
        return
    try:
        await asked.accept()
        await Connection(asked, site, room, visitor).run()
    finally:
        leave()


@limit_posts
async def exchange(request: Request) -> Response:
    """Take the messages of a page that has no socket; answer them, with what has changed since the screen it has."""
    site, room, asked = site_of(request), await room_of(request), await document_of(request)
    have, messages = asked.get("have"), asked.get("messages")
    if not isinstance(have, str) or not isinstance(messages, list) or len(messages) > MOST_EXCHANGED:
        raise Malformed
    visitor = _in_language(asked.get("language"), visitor_of(request))
    if not visitor.fresh:
        keep_present(site, room, visitor)
    told = await Dialogue(request, site, room, visitor).exchange(have, [json.dumps(each) for each in messages])
    return Response(told, media_type="application/json", headers={"Cache-Control": "no-store"})


def keep_present(site: Site, room: Room, visitor: Visitor) -> None:
    """Count somebody among those who are there, until his page has not asked for some seconds."""
    key = room.id, visitor.id
    leave, timer = site.polled.pop(key, (None, None))
    if timer is not None:
        timer.cancel()
    if leave is None and len(site.polled) < MOST_POLLED:
        leave = room.subscribe(visitor.person, lambda seq: None)
    if leave is not None:
        site.polled[key] = leave, asyncio.get_running_loop().call_later(POLLED_FOR, _leave, site, key)


def _leave(site: Site, key: tuple[str, str]) -> None:
    leave, _ = site.polled.pop(key)
    leave()


def _in_language_of_page(asked: WebSocket, visitor: Visitor) -> Visitor:
    return _in_language(asked.query_params.get("language"), visitor)


def _in_language(language: object, visitor: Visitor) -> Visitor:
    return replace(visitor, language=str(language)) if language in LANGUAGES else visitor


class Connection(Dialogue):
    """One open socket."""

    def __init__(self, asked: WebSocket, site: Site, room: Room, visitor: Visitor) -> None:
        super().__init__(asked, site, room, visitor)
        self.websocket, self.refusal_limiter = asked, RateLimiter(site.limits.refused)
        self.changed, self.measuring = asyncio.Event(), asyncio.Event()

    async def run(self) -> None:
        """Send and receive until one side ends it."""
        if not self.wants_states:
            await self.site.prepare_screens(self.room, self.visitor.language)
        self.sent_screen = self._known_screen(self.websocket.query_params.get("have"))
        leave = self.room.subscribe(
            self.visitor.person, lambda seq: self._mark_changed(), self._prepare, program=self.wants_states
        )
        # What somebody asks for is charged to him; what others have changed is shown to him anyhow.
        asked = metered(self._receive_forever(), self.meter)
        work = (self._send_forever(), asked, self._measure_forever(), self._until_signed_out())
        tasks = [asyncio.create_task(part) for part in work]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leave()
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, CLOSED_ERRORS):
                raise end

    # Outwards

    def _mark_changed(self) -> None:
        self.stale = True
        self.changed.set()
        if self.room.state.awaits_race:
            self.measuring.set()

    def _prepare(self) -> Callable[[], None]:
        """Make ready what has changed; the call returned has it sent. Who is slow to read must catch up first."""
        self.stale = True
        if not self.answers:
            self._compose()
        if self.room.state.awaits_race:
            self.measuring.set()
        return self.changed.set

    async def _send_forever(self) -> None:
        self.changed.set()
        while True:
            await self.changed.wait()
            self.changed.clear()
            await self._send()

    async def _send(self) -> None:
        while self.answers or self.stale:
            if not self.answers:
                if not self.wants_states:
                    await self._prepare_screen()
                self._compose()
            while self.answers:
                await self.websocket.send_text(self.answers.popleft())

    async def _prepare_screen(self) -> None:
        """Have ready what the screen needs. What led to the end of a match is shown while its story is worked out."""
        before = self.sent_screen
        if before is not None and self.screens.awaits_story:
            scene = self.screens.scene(self.visitor.language, before)
            if scene is not None:
                self.sent_screen = scene.staged(before)
                await self.websocket.send_text(scene.message)
        await self.site.prepare_screens(self.room, self.visitor.language)

    async def _until_signed_out(self) -> None:
        """Wait until the visitor's session has ended, or the guest is kept: perhaps at another worker.

        A guest's line is looked at when there is word of him alone: so many do not ask the database for nothing.
        """
        holder, changed = self.visitor.holder, asyncio.Event()
        key, look = (f"session {holder.session}", SESSION_LOOK) if holder else (f"person {self.visitor.id}", None)
        leave, doubtful = self.site.club.directory.watch(key, changed.set), holder is not None
        try:
            while not doubtful or await self._is_known():
                changed.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), look)
                doubtful = True
        finally:
            leave()

    async def _is_known(self) -> bool:
        """True while who has opened the line is known by what he had then."""
        directory = self.site.club.directory
        if self.visitor.holder is not None:
            return await directory.holder(self.visitor.secret) is not None
        return await directory.account_of(self.visitor.id) is None

    async def _measure_forever(self) -> None:
        """Measure the way while a race is on or may be soon; how often tells nothing of when."""
        if self.room.state.awaits_race:
            self.measuring.set()
        while True:
            await self.measuring.wait()
            await self.websocket.send_text(encode(Echo(self.echoes.new_token(time.monotonic()))))
            await asyncio.sleep(ECHOES_EVERY)
            if not self.room.state.awaits_race:
                self.measuring.clear()

    # Inwards

    async def _receive_forever(self) -> None:
        while True:
            frame = await self.websocket.receive()
            if frame["type"] == "websocket.disconnect":
                return
            text: str | bytes = frame.get("text") or frame.get("bytes") or ""
            if len(text) > LARGEST_MESSAGE:
                await self.websocket.close(CLOSE_TOO_LARGE)
                return
            try:
                answered = await self._answer(text, frame["arrived"], frame["line_trip"])
            except Unsure:  # who comes again sends it again, and is then answered what became of it
                await self.websocket.close(CLOSE_TRY_AGAIN)
                return
            if answered is None:
                continue
            self.answers.append(encode(answered))
            self.changed.set()
            if len(self.answers) > MOST_ANSWERS or (isinstance(answered, Refused) and not self._tolerates_refusal()):
                await self.websocket.close(CLOSE_TOO_MANY)
                return

    def _tolerates_refusal(self) -> bool:
        """True when one more refusal is borne: people are refused now and then, programs that do not listen always."""
        try:
            self.refusal_limiter.take(None)
        except TooFast:
            return False
        return True


ROUTES: list[BaseRoute] = [
    WebSocketRoute("/r/{code}/socket", room_socket),
    Route("/r/{code}/exchange", exchange, methods=["POST"]),
]
