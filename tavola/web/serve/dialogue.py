"""What is said between a room and one page or program: answers to messages, and what has changed since the last ones.

Nothing is queued but short answers: a change only marks that something is stale, and when its turn comes the difference
is made between what was sent last and what is shown now.
"""

import time
from collections import deque
from collections.abc import Sequence
from functools import partial

from msgspec import structs
from starlette.requests import HTTPConnection

from tavola.core import IllegalAction, Refusal
from tavola.core.plan import Plan as Tried
from tavola.live import Room
from tavola.live.protocol import ClientMessage, Echo, Ping, Plan, Play, Talk, parse
from tavola.live.responses import respond, sentences_text, state_text
from tavola.live.server_messages import Acknowledged, Page, Refused, ServerMessage, encode, refusal_message
from tavola.live.time.race import Echoes
from tavola.web.door.cost import current_meter
from tavola.web.door.guard import client_network
from tavola.web.door.limits import RateLimiter
from tavola.web.door.refusals import TooFast
from tavola.web.door.visitor import Visitor
from tavola.web.sentences import TOO_SOON, explain_refusal, refusal_sentence
from tavola.web.site import Site
from tavola.web.table.fragments import Screen


class Dialogue:
    """A page or a program, and the room that it talks to; `asked`: the request, or the socket's."""

    def __init__(self, asked: HTTPConnection, site: Site, room: Room, visitor: Visitor) -> None:
        self.asked, self.room, self.visitor = asked, room, visitor
        self.site, self.screens, self.origin = site, site.screens_of(room), site.origin_of(asked)
        self.message_limiter = RateLimiter(site.limits.messages)
        self.form = asked.query_params.get("form")
        self.wants_states = self.form in ("json", "text")
        self.told_moments = 0  # actions of the match that a program was told of
        self.meter = current_meter.get()
        self.stale = True  # something has changed since the last state was sent
        self.answers: deque[str] = deque()
        self.echoes = Echoes()
        self.sent_screen: Screen | None = None
        self.plan_digest = ""  # the digest of the screen on which the plan that is shown was made
        self.plan_steps: Sequence[str] = ()  # its steps

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

    def _compose(self) -> None:
        """Put what has changed behind the answers to what was asked before."""
        if self.stale:
            self.stale = False
            self.answers.extend(filter(None, [self._state_text()] if self.wants_states else self._difference()))

    def _screen(self) -> Screen:
        person = self.visitor.id
        return self.screens.screen(
            self.visitor.language, self.room.state.seat_of(person), self.room.state.muted_by(person)
        )

    def _state_text(self) -> str:
        since, self.told_moments = self.told_moments, self.room.moments
        if self.form == "text":
            return sentences_text(self.room, self.visitor.id, self.visitor.language, since)
        return state_text(self.room, self.visitor.id, since)

    def _difference(self) -> list[str]:
        """The messages that turn what was sent into what is shown now, a scene before the rest where there is one."""
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

    async def _answer(self, text: str | bytes, arrived: float, line_trip: float | None) -> ServerMessage | None:
        message: ClientMessage | None = None
        try:
            message = parse(text)
            if isinstance(message, Echo) and self.echoes.accept(message.token, arrived):
                return None
            self.message_limiter.take(None)
            self.site.message_limiter.take(client_network(self.asked))
            if not isinstance(message, Ping) and not self.meter.allows():
                raise TooFast
            if isinstance(message, Talk):
                self.site.chat_limiter.take(client_network(self.asked))
        except Refusal as refusal:
            return refusal_message(getattr(message, "command_id", None), refusal, self._refusal_sentence(refusal))
        if isinstance(message, Plan) and not self.wants_states:
            return await self._show_plan(message)
        if isinstance(message, Echo):
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
        """Return how often the visitor has answered sooner in a race than anybody can."""
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
        """The plan. Steps that have one order only are chosen in any, and brought into the order of the actions."""
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
