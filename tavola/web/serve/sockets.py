"""One socket a tab: commands come in, what changed goes out. The messages are those of `tavola.live.protocol`.

Nothing is queued for a socket but short answers to its own commands: a change only marks it, and when its turn comes it
is sent the difference between what it was last sent and what is shown now. A slow socket so skips what lies between,
and one that asks more than it reads is closed. Only what all must see at the same instant is made ready beforehand.

Where a network forbids sockets, a page sends and gets the same messages by requests, a few seconds apart.
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
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from tavola.core import IllegalAction, Moment, Refusal
from tavola.core.plan import Plan as Tried
from tavola.live import Room
from tavola.live.protocol import LARGEST_MESSAGE, ClientMessage, Echo, Ping, Plan, Play, Talk, parse
from tavola.live.responses import respond, sentences_text, state_text
from tavola.live.room_refusals import NotWritten
from tavola.live.server_messages import Acknowledged, Page, Refused, ServerMessage, encode, refusal_message
from tavola.live.time.race import Echoes
from tavola.show.speech import KNOWN_LANGUAGES
from tavola.store import Unsure, WriteFailed
from tavola.web.door.cost import current_meter, metered
from tavola.web.door.guard import is_same_origin
from tavola.web.door.limits import RateLimiter
from tavola.web.door.request_refusals import CrossOrigin, Malformed, TooFast
from tavola.web.door.visitor import Visitor
from tavola.web.site import Site, document_of, limit_posts, room_of, site_of, visitor_of
from tavola.web.site_words import TOO_SOON, UNREACHABLE, explain_refusal, refusal_sentence
from tavola.web.table.fragments import Screen

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
        visitor = _in_language(asked.query_params.get("language"), site.visitors.program(asked, room) or visitor)
        leave = site.count_socket(asked)
    except (Refusal, WriteFailed) as failure:
        refusal = failure if isinstance(failure, Refusal) else NotWritten(UNREACHABLE)
        await asked.send_denial_response(PlainTextResponse(refusal_sentence(refusal, visitor.say), refusal.status))
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
    told = await Connection(request, site, room, visitor).exchange(have, [json.dumps(each) for each in messages])
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


def _in_language(language: object, visitor: Visitor) -> Visitor:
    return replace(visitor, language=str(language)) if language in KNOWN_LANGUAGES else visitor


class Connection:
    """One open socket, or one request in its place."""

    def __init__(self, asked: HTTPConnection, site: Site, room: Room, visitor: Visitor) -> None:
        self.asked, self.room, self.visitor = asked, room, visitor
        self.site, self.screens, self.origin = site, site.screens_of(room), site.origin_of(asked)
        self.message_limiter, self.refusal_limiter = RateLimiter(site.limits.messages), RateLimiter(site.limits.refused)
        self.form = asked.query_params.get("form")
        self.wants_states = self.form in ("json", "text")
        self.told = Moment(0)  # the place in the match up to which a program was told
        self.meter = current_meter.get()
        self.changed = asyncio.Event()
        self.stale = True  # something has changed since the last state was sent
        self.answers: deque[str] = deque()
        self.echoes, self.measuring = Echoes(), asyncio.Event()
        self.sent_screen: Screen | None = None
        self.plan_digest = ""  # the digest of the screen on which the plan that is shown was made
        self.plan_steps: Sequence[str] = ()  # its steps

    @property
    def websocket(self) -> WebSocket:
        assert isinstance(self.asked, WebSocket)
        return self.asked

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

    async def exchange(self, have: str, messages: Sequence[str]) -> str:
        """Answer the messages of one request; return the answers, what has changed since a screen, and the screen now.

        A screen that is not known any more has changed as a whole.
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
        """The screen that the page has: this one, one of a page that is no longer shown, or none that is known."""
        if self.wants_states or not digest:
            return None
        screen = self._screen()
        if digest == screen.digest:
            return screen
        return None if screen.is_page_of(digest) else Screen.blank("another page")

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

    def _compose(self) -> None:
        """Put what has changed behind the answers to what was asked before."""
        if self.stale:
            self.stale = False
            self.answers.extend(filter(None, [self._state_text()] if self.wants_states else self._difference()))

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

        A guest's line is looked at when there is word of him alone: so many do not ask the database for nothing. A
        guest who goes on as somebody else leaves it.
        """
        holder, changed, left = self.visitor.holder, asyncio.Event(), asyncio.Event()
        key, look = (f"session {holder.session}", SESSION_LOOK) if holder else (f"person {self.visitor.id}", None)
        directory, doubtful = self.site.club.directory, holder is not None
        leave, forget = directory.watch(key, changed.set), directory.watch(f"guest {self.visitor.id}", left.set)
        try:
            while not left.is_set() and (not doubtful or await self._is_known()):
                changed.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), look)
                doubtful = True
        finally:
            leave()
            forget()

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

    def _screen(self) -> Screen:
        person = self.visitor.id
        return self.screens.screen(
            self.visitor.language, self.room.state.seat_of(person), self.room.state.muted_by(person)
        )

    def _state_text(self) -> str:
        since, self.told = self.told, self.room.state.moment
        if self.form == "text":
            return sentences_text(self.room, self.visitor.id, self.visitor.language, since)
        return state_text(self.room, self.visitor.id, since)

    def _difference(self) -> list[str]:
        screen, before = self._screen(), self.sent_screen
        if screen is before or (self.plan_digest and screen.digest == self.plan_digest):
            return []  # a plan that is shown stays as long as nothing has changed under it
        self.plan_digest = ""
        # Who fetches the page anew may get a later one than this: he is then sent everything once.
        anew = before is not None and before.kind != screen.kind
        screen = screen if anew else self._keep_plan(screen)
        self.sent_screen = Screen.blank(screen.kind) if anew else screen
        scene = self.screens.scene(self.visitor.language, before)
        if scene is None:
            return [difference_message(before, screen, self.room.state.public_seq)]
        staged = scene.staged(before) if before is not None else None
        return [scene.message, difference_message(staged, screen, self.room.state.public_seq)]

    def _keep_plan(self, screen: Screen) -> Screen:
        """Keep a plan, where whoever comes first acts, while others act, as long as the rules still allow it."""
        seat, match = self.room.state.seat_of(self.visitor.id), self.room.state.match
        prompt_id = self.room.prompt_id(seat) if seat is not None else None
        if not self.plan_steps or match is None or not match.open or prompt_id is None:
            return screen
        try:
            plan = self.room.plan(self.visitor.person, self.plan_steps, prompt_id)
        except Refusal:
            self.plan_steps = ()
            return screen
        self.plan_digest = screen.digest
        return self.screens.plan_screen(self.visitor.language, plan, self.plan_steps, prompt_id)

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

    async def _answer(self, text: str | bytes, arrived: float, line_trip: float | None) -> ServerMessage | None:
        message: ClientMessage | None = None
        try:
            message = parse(text) if text.strip() else None  # a program may leave a blank line between its messages
            if isinstance(message, Echo) and self.echoes.accept(message.token, arrived):
                return None
            self.message_limiter.take(None)
            self.site.count_message(self.asked, self.room, self.visitor.id)
            if not isinstance(message, Ping) and not self.meter.allows():
                raise TooFast
            if isinstance(message, Talk):
                self.site.count_line(self.asked, self.room, self.visitor.id)
        except Refusal as refusal:
            return refusal_message(getattr(message, "command_id", None), refusal, self._refusal_sentence(refusal))
        if isinstance(message, Plan) and not self.wants_states:
            return await self._show_plan(message)
        if message is None or isinstance(message, Echo):
            return None
        # Of several steps nobody knows which one was refused, and on what table.
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
            await self._retry_plan(message, tried)
        return answered

    @property
    def _early_answers(self) -> int:
        seat = self.room.state.seat_of(self.visitor.id)
        return sum(early == seat for early in self.room.state.early_answers.values())

    async def _show_plan(self, asked: Plan) -> ServerMessage:
        """Show the seat its own screen as it would be. The next change shows what is."""
        try:
            plan = self._plan(asked)
        except Refusal as refusal:
            return refusal_message(
                asked.command_id, refusal, self._refusal_sentence(refusal, asked.codes[-1] if asked.codes else "")
            )
        self.plan_steps = [plan.view.game.actions.code(number) for number in plan.numbers]
        assert plan.view.seat is not None
        prompt_id = self.room.prompt_id(plan.view.seat)
        assert prompt_id is not None
        before, screen = (
            self.sent_screen,
            self.screens.plan_screen(self.visitor.language, plan, self.plan_steps, prompt_id),
        )
        self.sent_screen, self.plan_digest = screen, self._screen().digest if asked.codes else ""
        if shown := difference_message(before, screen, self.room.state.public_seq):
            self.answers.append(shown)
        return Acknowledged(asked.command_id, self.room.state.public_seq)

    async def _retry_plan(self, refused_: Play, tried: Sequence[str]) -> None:
        """Somebody was faster: what was planned, and could not be played on that table, is tried on this one."""
        seat = self.room.state.seat_of(self.visitor.id)
        prompt_id = self.room.prompt_id(seat) if seat is not None else None
        if tried and prompt_id is not None and not self.wants_states:
            await self._show_plan(Plan(refused_.command_id, prompt_id, tuple(tried)))

    def _plan(self, asked: Plan) -> Tried:
        try:
            return self.room.plan(self.visitor.person, asked.codes, asked.prompt_id)
        except IllegalAction:
            number = self.room.state.game.actions.number
            return self.room.plan(self.visitor.person, sorted(asked.codes, key=number), asked.prompt_id)

    def _refusal_sentence(self, refusal: Refusal, code: str = "") -> str:
        return refusal_sentence(explain_refusal(refusal, self.room, self.visitor, code), self.visitor.say)


def difference_message(before: Screen | None, after: Screen, seq: int) -> str:
    """Return what to send to who was sent `before`, as JSON; a page of another kind is to be fetched anew."""
    if before is not None and before.kind != after.kind:
        return encode(Page(seq))
    shared, shared_order = after.shared.changes_since(before.shared if before is not None else None)
    own, own_order = after.own.changes_since(before.own if before is not None else None)
    fragments, order = (", ".join(filter(None, pair)) for pair in ((shared, own), (shared_order, own_order)))
    # `Fragments`, put together from parts that are written once for all sockets.
    text = f'{{"type":"fragments","seq":{seq},"fragments":{{{fragments}}},"order":{{{order}}}}}'
    return text if fragments or order else ""


ROUTES: list[BaseRoute] = [
    WebSocketRoute("/r/{code}/socket", room_socket),
    Route("/r/{code}/exchange", exchange, methods=["POST"]),
]
