"""The socket of a room, one for each tab: it receives commands and sends changes (see `tavola.live.protocol`).

Only short answers to a socket's own commands are queued. A change only marks the socket; later it is sent the
difference between the last screen sent and the current one. So a slow socket skips what is between, and one that asks
more than it reads is closed. Only what everyone must see at the same instant is prepared in advance.

If a network blocks sockets, a page exchanges the same messages by requests, a few seconds apart.
"""

import asyncio
import contextlib
import json
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from msgspec import structs
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from tavola.club.directory import MEASURES
from tavola.club.measures import ANNOUNCEMENT
from tavola.core import IllegalAction, Refusal
from tavola.core.plan import Plan as Tried
from tavola.live import Room
from tavola.live.log.state import Told
from tavola.live.protocol import LARGEST_MESSAGE, ClientMessage, Echo, Join, Ping, Plan, Play, Talk, parse
from tavola.live.responses import respond, sentences_text, state_text
from tavola.live.room_refusals import NotWritten
from tavola.live.server_messages import (
    Acknowledged,
    Announcement,
    Page,
    Refused,
    ServerMessage,
    encode,
    refusal_message,
)
from tavola.live.time.race import Echoes
from tavola.metrics import ANSWERS, REFUSALS
from tavola.show.speech import KNOWN_LANGUAGES
from tavola.store import Unsure, WriteFailed
from tavola.web.requests.cost import current_meter, metered
from tavola.web.requests.guard import client_network, warn_of_port
from tavola.web.requests.limits import RateLimiter, log_limit
from tavola.web.requests.request_refusals import Banned, CrossOrigin, Malformed, TooFast
from tavola.web.requests.visitor import Visitor
from tavola.web.site import BEGINNINGS, Document, Routes, Site, room_of, site_of, visitor_of
from tavola.web.site_words import TOO_SOON, UNREACHABLE, explain_refusal, refusal_sentence
from tavola.web.table.fragments import Screen, Texts

MOST_ANSWERS = 64
SESSION_LOOK = 60.0
"""Seconds between two checks whether a session has ended without a notification."""
ECHOES_EVERY = 0.25
"""Seconds between two echoes, during a race or when one may be near."""
POLLED_FOR = 15.0
"""Seconds for which a person counts as present after a request of their page."""
MOST_POLLED = 2000
"""Maximum people who count as present by requests of their pages."""
MOST_EXCHANGED = 32
"""Maximum messages that a page sends in one request."""
CLOSE_TOO_MANY, CLOSE_TOO_LARGE, CLOSE_TRY_AGAIN = 1008, 1009, 1013
CLOSE_LIMIT = 4029
"""Code for a page whose socket a limit refuses: scripts can’t read the status of a refused handshake."""
CLOSED_ERRORS = (WebSocketDisconnect, WebSocketDisconnected)
"""Errors if the other side has closed, or this side has while it was still sending."""


async def room_socket(asked: WebSocket) -> None:
    """Serve a room's socket: `?have=DIGEST` names the screen of the page, `?form=json` or `text` requests states.

    With `?patches=related`, a page takes patches of what this socket has sent before, also of texts that a new one
    is like (`tavola.web.table.patches`). The scripts of earlier versions ask for others and are sent none.
    A program identifies its seat by `?token=`. A page gives its language by `?language=`, because browsers need not
    send the same headers with a socket as with a page.
    """
    site, visitor = site_of(asked), visitor_of(asked)
    try:
        if not site.names.is_same_origin(asked.headers):
            warn_of_port(asked.headers)
            raise CrossOrigin
        await site.require_admitted(asked)
        room = await room_of(asked)
        visitor = _in_language(asked.query_params.get("language"), site.visitors.program(asked, room) or visitor)
        leave = site.count_socket(asked)
    except (Refusal, WriteFailed) as failure:
        refusal = failure if isinstance(failure, Refusal) else NotWritten(UNREACHABLE)
        if isinstance(refusal, TooFast):
            log_limit(refusal.limit, client_network(asked))
            if "patches" in asked.query_params:  # a page
                await asked.accept()
                await asked.close(CLOSE_LIMIT)
                return
        await asked.send_denial_response(PlainTextResponse(refusal_sentence(refusal, visitor.say), refusal.status))
        return
    try:
        await asked.accept()
        await Connection(asked, site, room, visitor).run()
    finally:
        leave()


routes = Routes()
routes.append(WebSocketRoute("/r/{code}/socket", room_socket))


@routes.post("/r/{code}/exchange")
async def exchange(request: Request, site: Site, room: Room, visitor: Visitor, asked: Document) -> Response:
    """Answer the messages of a page without a socket, with what has changed since its screen."""
    have, messages = asked.get("have"), asked.get("messages")
    if not isinstance(have, str) or not isinstance(messages, list) or len(messages) > MOST_EXCHANGED:
        raise Malformed
    visitor = _in_language(asked.get("language"), visitor)
    if not visitor.fresh:
        keep_present(site, room, visitor)
    told = await Connection(request, site, room, visitor).exchange(have, [json.dumps(each) for each in messages])
    return Response(told, media_type="application/json", headers={"Cache-Control": "no-store"})


def keep_present(site: Site, room: Room, visitor: Visitor) -> None:
    """Count a visitor as present until their page has sent no request for `POLLED_FOR` seconds."""
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


def _in_language(language: object, visitor: Visitor) -> Visitor:
    return replace(visitor, language=str(language)) if language in KNOWN_LANGUAGES else visitor


class Connection:
    """One open socket, or one request in its place."""

    def __init__(self, asked: HTTPConnection, site: Site, room: Room, visitor: Visitor) -> None:
        self.asked, self.room, self.visitor = asked, room, visitor
        self.site, self.screens, self.origin = site, site.screens_of(room), site.origin_of(asked)
        self.message_limiter = RateLimiter(site.limits.messages, "messages")
        self.refusal_limiter = RateLimiter(site.limits.refused)
        self.form = asked.query_params.get("form")
        self.wants_states = self.form in ("json", "text")
        self.told = Told()  # what a program knows of the match
        self.meter = current_meter.get()
        self.changed = asyncio.Event()
        self.stale = True  # something has changed since the last state was sent
        self.answers: deque[str] = deque()
        self.echoes, self.measuring = Echoes(), asyncio.Event()
        self.announced = ""  # the operator's words, as last sent
        self.sent_screen: Screen | None = None
        self.texts = Texts() if asked.query_params.get("patches") == "related" else None
        self.plan_digest = ""  # the screen to which the displayed plan applies
        self.plan_steps: Sequence[str] = ()  # the steps of that plan

    @property
    def websocket(self) -> WebSocket:
        assert isinstance(self.asked, WebSocket)
        return self.asked

    async def run(self) -> None:
        """Send and receive until one side closes."""
        if not self.wants_states:
            await self.site.prepare_screens(self.room, self.visitor.language)
        self.sent_screen = self._known_screen(self.websocket.query_params.get("have"))
        leave = self.room.subscribe(
            self.visitor.person, lambda seq: self._mark_changed(), self._prepare, program=self.wants_states
        )
        # Visitors pay for what they request, not for what others have changed.
        asked = metered(self._receive_forever(), self.meter)
        work = (self._send_forever(), asked, self._measure_forever(), self._until_signed_out())
        tasks = [asyncio.create_task(part) for part in work]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._set_hidden(False)
            leave()
            for task in tasks:
                task.cancel()
            ends = await asyncio.gather(*tasks, return_exceptions=True)
        for end in ends:
            if isinstance(end, Exception) and not isinstance(end, CLOSED_ERRORS):
                raise end

    async def exchange(self, have: str, messages: Sequence[str]) -> str:
        """Answer the messages of one request: return the answers, the changes since a screen, and the current screen.

        A screen that is no longer known has changed as a whole.
        """
        await self.site.prepare_screens(self.room, self.visitor.language)
        self.sent_screen = self._known_screen(have)
        for text in messages:
            if (answered := await self._answer(text, time.monotonic(), None)) is not None:
                self.answers.append(encode(answered))
        await self.site.prepare_screens(self.room, self.visitor.language)
        self._compose()
        return f'{{"have":"{self._screen().digest}","messages":[{",".join(self.answers)}]}}'

    def _known_screen(self, digest: str | None) -> Screen | None:
        """Return the screen that the page has: the current one, a blank of another page, or None if not known."""
        if self.wants_states or not digest:
            return None
        screen = self._screen()
        if digest == screen.digest:
            return screen
        return None if screen.is_page_of(digest) else Screen.blank("another page")

    # Sending

    def _mark_changed(self) -> None:
        self.stale = True
        self.changed.set()
        if self.room.state.awaits_race:
            self.measuring.set()

    def _prepare(self) -> Callable[[], None]:
        """Prepare what has changed; return a function that sends it. A slow reader must catch up first."""
        self.stale = True
        if not self.answers:
            self._compose()
        if self.room.state.awaits_race:
            self.measuring.set()
        return self.changed.set

    def _compose(self) -> None:
        """Queue what has changed, after the answers to earlier messages."""
        if self.stale:
            self.stale = False
            self.answers.extend(filter(None, [self._state_text()] if self.wants_states else self._difference()))

    async def _send_forever(self) -> None:
        self.changed.set()
        while True:
            await self.changed.wait()
            self.changed.clear()
            if self.room.state.shut:
                return
            while self.answers or self.stale:
                if not self.answers:
                    if not self.wants_states:
                        await self._prepare_screen()
                    self._compose()
                while self.answers:
                    await self.websocket.send_text(self.answers.popleft())

    async def _prepare_screen(self) -> None:
        """Prepare the screen. The last scene of a match is shown while its story is computed."""
        before = self.sent_screen
        if before is not None and self.screens.awaits_story:
            scene = self.screens.scene(self.visitor.language, before)
            if scene is not None:
                self.sent_screen = scene.staged(before)
                await self.websocket.send_text(scene.message_to(before, self.texts))
        await self.site.prepare_screens(self.room, self.visitor.language)

    async def _until_signed_out(self) -> None:
        """Wait until the visitor's session has ended, the guest has an account, or the operator excludes the visitor.

        Guests are checked only on notification: they are too many to query the database for nothing. Guests who
        continue as another person also end it.
        """
        holder, changed, left = self.visitor.holder, asyncio.Event(), asyncio.Event()
        key, look = (f"session {holder.session}", SESSION_LOOK) if holder else (f"person {self.visitor.id}", None)
        directory, doubtful = self.site.club.directory, holder is not None
        leave, forget = directory.watch(key, changed.set), directory.watch(f"guest {self.visitor.id}", left.set)
        unwatch = directory.watch(MEASURES, changed.set)
        try:
            await self._show_announcement()
            while not left.is_set() and (not doubtful or await self._is_known()):
                changed.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), look)
                doubtful = True
                await self._show_announcement()
        finally:
            leave()
            forget()
            unwatch()

    async def _show_announcement(self) -> None:
        """Send a page the operator's words if they have changed, or if it may have been made before them."""
        now = self.site.hub.settings.clock()
        announced = (await self.site.club.directory.measures()).one(ANNOUNCEMENT, now)
        words = announced.words if announced is not None else ""
        if words != self.announced and not self.wants_states:
            self.announced = words
            self.answers.append(encode(Announcement(words)))
            self.changed.set()

    async def _is_known(self) -> bool:
        """Return whether the visitor still has the identity with which the connection was opened, and is welcome."""
        directory = self.site.club.directory
        try:
            await self.site.require_admitted(self.asked)
        except Banned:
            return False
        if self.visitor.holder is not None:
            return await directory.holder(self.visitor.secret) is not None
        return await directory.account_of(self.visitor.id) is None

    async def _measure_forever(self) -> None:
        """Measure latency while a race is on or may be near; the frequency does not reveal when."""
        if self.room.state.awaits_race:
            self.measuring.set()
        while True:
            await self.measuring.wait()
            await self.websocket.send_text(encode(Echo(self.echoes.new_token(time.monotonic()))))
            await asyncio.sleep(ECHOES_EVERY)
            if not self.room.state.awaits_race:
                self.measuring.clear()

    @property
    def _seat(self) -> int | None:
        return self.room.state.seat_of(self.visitor.id)

    @property
    def _prompt_id(self) -> int | None:
        return self.room.prompt_id(self._seat) if self._seat is not None else None

    def _screen(self) -> Screen:
        return self.screens.screen(self.visitor.language, self._seat, self.room.state.muted_by(self.visitor.id))

    def _state_text(self) -> str:
        since, self.told = self.room.state.known_until(self.told), self.room.state.told
        if self.form == "text":
            return sentences_text(self.room, self.visitor.id, self.visitor.language, since)
        return state_text(self.room, self.visitor.id, since)

    def _difference(self) -> list[str]:
        screen, before = self._screen(), self.sent_screen
        if screen is before or (self.plan_digest and screen.digest == self.plan_digest):
            return []  # the displayed plan stays until the screen below it changes
        self.plan_digest = ""
        # A page that reloads may get a later screen than this one, so everything is then sent once.
        anew = before is not None and before.kind != screen.kind
        screen = screen if anew else self._keep_plan(screen)
        self.sent_screen = Screen.blank(screen.kind) if anew else screen
        scene = self.screens.scene(self.visitor.language, before)
        if scene is None:
            return [self._difference_message(before, screen)]
        assert before is not None
        return [scene.message_to(before, self.texts), self._difference_message(scene.staged(before), screen)]

    def _difference_message(self, before: Screen | None, after: Screen) -> str:
        return difference_message(before, after, self.room.state.public_seq, self.texts)

    def _keep_plan(self, screen: Screen) -> Screen:
        """Keep a plan in an open decision while others act, as long as the rules still allow it."""
        match, prompt_id = self.room.state.match, self._prompt_id
        if not self.plan_steps or match is None or not match.open or prompt_id is None:
            return screen
        try:
            plan = self.room.plan(self.visitor.person, self.plan_steps, prompt_id)
        except Refusal:
            self.plan_steps = ()
            return screen
        self.plan_digest = screen.digest
        return self.screens.plan_screen(self.visitor.language, plan, self.plan_steps, prompt_id)

    # Receiving

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
            except Unsure:  # a client that reconnects sends it again, and gets the outcome
                await self.websocket.close(CLOSE_TRY_AGAIN)
                return
            if answered is None:
                continue
            ANSWERS.labels(type(answered).__name__).observe(time.monotonic() - frame["arrived"])
            if isinstance(answered, Refused):
                REFUSALS.labels(answered.kind).inc()
            self.answers.append(encode(answered))
            self.changed.set()
            if len(self.answers) > MOST_ANSWERS or (isinstance(answered, Refused) and not self._tolerates_refusal()):
                await self.websocket.close(CLOSE_TOO_MANY)
                return

    def _set_hidden(self, hidden: bool) -> None:
        """Note in the room whether the page is hidden, unless it has no socket or no person."""
        person = self.visitor.person
        if person is not None and isinstance(self.asked, WebSocket):
            self.room.presence.set_hidden(self, person.id, hidden=hidden)

    def _tolerates_refusal(self) -> bool:
        """Return whether to go on after a refusal: people get few, programs that ignore them get many."""
        try:
            self.refusal_limiter.take(None)
        except TooFast:
            return False
        return True

    async def _answer(self, text: str | bytes, arrived: float, line_trip: float | None) -> ServerMessage | None:
        message: ClientMessage | None = None
        try:
            message = parse(text) if text.strip() else None  # a program may leave a blank line between its messages
            if isinstance(message, Echo) and self.echoes.accept(message.token, arrived):
                return None
            self.message_limiter.take(None)
            self.site.count_message(self.asked, self.room, self.visitor.id)
            if not isinstance(message, Ping) and not self.meter.allows():
                raise TooFast(limit="work_an_address")
            if isinstance(message, Join) and self.visitor.id == visitor_of(self.asked).id:  # no program of a host
                self.site.require_invited(self.asked)
            if isinstance(message, BEGINNINGS):
                await self.site.require_beginning(self.visitor)
            if isinstance(message, Talk):
                self.site.count_line(self.asked, self.room, self.visitor.id)
        except Refusal as refusal:
            if isinstance(refusal, TooFast) and refusal.limit:
                log_limit(refusal.limit, client_network(self.asked))
            return refusal_message(getattr(message, "command_id", None), refusal, self._refusal_sentence(refusal))
        if isinstance(message, Plan) and not self.wants_states:
            return await self._show_plan(message)
        if message is None or isinstance(message, Echo):
            return None
        if isinstance(message, Ping):
            self._set_hidden(message.hidden)
        # Of several steps it is not known which one was refused, and in which state.
        code = message.steps[0] if isinstance(message, Play) and len(message.steps) == 1 else ""
        arrival = self.echoes.arrival(arrived, line_trip)
        tried, self.plan_steps = self.plan_steps, () if isinstance(message, Play) else self.plan_steps
        said = partial(self._refusal_sentence, code=code)
        before = self._early_answers
        answered = await respond(self.room, self.visitor.person, message, said, arrival, self.origin)
        if isinstance(answered, Acknowledged) and self._early_answers > before:
            answered = structs.replace(answered, message=self.visitor.say(TOO_SOON))
        elif isinstance(answered, Acknowledged) and answered.message:
            answered = structs.replace(answered, message=self.visitor.say(answered.message))
        if isinstance(message, Play) and isinstance(answered, Refused):
            prompt_id = self._prompt_id
            if tried and prompt_id is not None and not self.wants_states:  # another seat was faster: try the plan again
                await self._show_plan(Plan(message.command_id, prompt_id, tuple(tried)))
        return answered

    @property
    def _early_answers(self) -> int:
        return sum(seat == self._seat for seat in self.room.state.early_answers.values())

    async def _show_plan(self, asked: Plan) -> ServerMessage:
        """Show the seat its own screen as it would be, until the next change."""
        try:
            plan = self._plan(asked)
        except Refusal as refusal:
            said = self._refusal_sentence(refusal, asked.codes[-1] if asked.codes else "")
            return refusal_message(asked.command_id, refusal, said)
        self.plan_steps = [plan.view.game.actions.code(number) for number in plan.numbers]
        assert plan.view.seat is not None
        prompt_id = self.room.prompt_id(plan.view.seat)
        assert prompt_id is not None
        before = self.sent_screen
        self.sent_screen = screen = self.screens.plan_screen(self.visitor.language, plan, self.plan_steps, prompt_id)
        self.plan_digest = self._screen().digest if asked.codes else ""
        if shown := self._difference_message(before, screen):
            self.answers.append(shown)
        return Acknowledged(asked.command_id, self.room.state.public_seq)

    def _plan(self, asked: Plan) -> Tried:
        try:
            return self.room.plan(self.visitor.person, asked.codes, asked.prompt_id)
        except IllegalAction:
            number = self.room.state.game.actions.number
            return self.room.plan(self.visitor.person, sorted(asked.codes, key=number), asked.prompt_id)

    def _refusal_sentence(self, refusal: Refusal, code: str = "") -> str:
        return refusal_sentence(explain_refusal(refusal, self.room, self.visitor, code), self.visitor.say)


def difference_message(before: Screen | None, after: Screen, seq: int, known: Texts | None = None) -> str:
    """Return as JSON what changes `before` into `after`, empty if nothing; another kind of page must reload.

    `known`: the texts that the page can be sent patches for, as in `Difference.members`.
    """
    if before is not None and before.kind != after.kind:
        return encode(Page(seq))
    shared, shared_order = after.shared.changes_since(before.shared if before is not None else None).members(known)
    own, own_order = after.own.changes_since(before.own if before is not None else None).members(known)
    fragments, order = (", ".join(filter(None, pair)) for pair in ((shared, own), (shared_order, own_order)))
    # `Fragments`, assembled from parts that are encoded once for all sockets.
    text = f'{{"type":"fragments","seq":{seq},"fragments":{{{fragments}}},"order":{{{order}}}}}'
    return text if fragments or order else ""
