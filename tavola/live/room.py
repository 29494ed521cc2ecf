"""A room: a live match with people, clocks and talk.

Every command, a person's or the house's own, is decided on the state as it is, written to the log, and only when it is
on disk does it happen here and is told to everybody connected. One command of a room goes after the other; rooms do not
wait for each other.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

from tavola.core import CHANCE, Moment, PlayedAction, Refusal, View
from tavola.core.plan import Plan
from tavola.core.text import mark
from tavola.live.bargaining import Bargaining
from tavola.live.caretaker import Caretaker
from tavola.live.log.budgets import require_log_space
from tavola.live.log.commands import Given, HouseCommand, OpenRematch, Request
from tavola.live.log.decide import decide
from tavola.live.log.events import NewEvent, number_events, stays_awake
from tavola.live.log.fold import apply_event
from tavola.live.log.occupants import Seat, public_seats
from tavola.live.log.people import Person, command_key
from tavola.live.log.play import plan_steps
from tavola.live.log.require import require_seat
from tavola.live.log.state import State
from tavola.live.presence import LineAllowance, Notify, Prepare, Presence
from tavola.live.protocol import Command, Join, Rematch, Report, Talk
from tavola.live.room_refusals import Closing, Damaged, TooMuch
from tavola.live.room_server import RoomServer
from tavola.live.time.race import Arrival, Reaction
from tavola.live.time.steady import Deadlines
from tavola.show import scene_length
from tavola.show.cards import words_of
from tavola.show.kit import anonymous_say
from tavola.show.pictures import scene
from tavola.store import Conflict, Event, Lease, Stale, WriteFailed
from tavola.talk import reveal_at

SEATING_EVENTS = {"joined", "started", "left", "returned", "over"}
"""Events after which somebody may sit in a running match, or no more."""
HOST_AWAY = 120.0
"""Seconds after which a host who is not there before the match is followed by the next person who is."""
ATTEMPTS = 20
"""Attempts to decide something anew because others were faster, in the same room."""
NO_OPS_KEPT = 500
"""Commands of spectators that changed nothing and are remembered; those of players are in the log."""
logger = logging.getLogger(__name__)


class Room:
    """One room. Commands are idempotent by `command_id` and return when they are on disk; refusals change nothing.

    What its log says is `state`, to be asked and never changed. Who is there is known by `presence`, how long somebody
    is waited for by `caretaker`.
    """

    def __init__(self, server: RoomServer, room_id: str, state: State, fault: str = "") -> None:
        self.server, self.id, self.state = server, room_id, state
        self.fault = fault  # what is wrong with its log: then nothing happens here any more
        self.last_used = self._last_visit = time.monotonic()
        self._no_op_ids: dict[str, None] = {}  # commands that had nothing to change
        self.scene_until = 0.0
        """The time at which what was played last has been shown, by `time.monotonic` and so by the loop's clock."""
        self.race_shown_at: float | None = None
        """The time at which all were shown the race that is on, by the same clock; None where nobody knows any more."""
        self._passed: dict[int, int] = {}  # by seat the last decision of a barter in which a bot wanted nothing
        self.deadlines = Deadlines(server.clock)
        self._lock = asyncio.Lock()
        self._lines = LineAllowance()
        self._glimpses = Glimpses()
        self._later: asyncio.TimerHandle | None = None  # when all look again at a match that goes to its end
        self.presence = Presence(self.tell)
        self.bargaining = Bargaining(self)
        self.caretaker = Caretaker(self, self.bargaining)

    def restore_race(self) -> None:
        """It came into memory from its log: a race that began while this server was up was shown when it began."""
        races = [at for seat, at in self.state.open_since.items() if self.state.is_racing(seat)]
        elapsed = self.server.clock.elapsed(min(races)) if races else None
        if elapsed is not None:
            self.race_shown_at = time.monotonic() - elapsed

    @property
    def window_ends(self) -> float | None:
        """Return when the talk window closes, by the loop's clock; None where none is open."""
        window = self.state.window
        return self.deadlines.moment("window", window.until, self._longest_window) if window is not None else None

    @property
    def talk_until(self) -> float | None:
        """Return when the talk window closes, in seconds since 1970; None where none is open."""
        window = self.state.window
        return self.deadlines.shown("window", window.until, self._longest_window) if window is not None else None

    @property
    def _longest_window(self) -> float:
        return self.state.settings.window + self.scene_left

    @property
    def scene_left(self) -> float:
        """Return for how many seconds it will be shown yet what was played last."""
        return max(0.0, self.scene_until - time.monotonic())

    # What its state is asked most often

    @property
    def moments(self) -> int:
        """Return how many actions everyone could notice, chance's included."""
        return self.state.moments

    @property
    def names(self) -> list[str]:
        """A name for every seat, no two alike; empty where nobody sits."""
        return self.state.names

    @property
    def seats(self) -> list[Seat]:
        """Every seat, as everybody may see it."""
        return public_seats(self.state.occupants, self.state.unready_seats(), self.presence)

    @property
    def now(self) -> float:
        """Return the time of the site's clock, in seconds since 1970."""
        return self.server.settings.clock()

    def replaced(self, seat: int) -> int:
        """Return how many decisions of the bot from outside on a seat were replaced."""
        return self.server.minds.outside.replaced(self.id, seat)

    def prompt_id(self, seat: int) -> int | None:
        """Return the number of the decision that the seat owes, None when it owes none."""
        return self.state.prompt_id(seat)

    def passes(self, seat: int) -> bool:
        """True where whoever comes first acts, and a bot has looked at what there is now and lets it be."""
        prompt = self.state.prompt_id(seat)
        return prompt is not None and self._passed.get(seat) == prompt

    def note_pass(self, seat: int, prompt: int) -> None:
        """A bot lets be what it was asked by the decision with this number: everybody sees it shake its head."""
        self._passed[seat] = prompt
        self.presence.changes += 1
        self.tell()

    def view(self, seat: int | None, at: int | Moment | None = None) -> View:
        """Return what a seat (None: a spectator) sees now, or saw after `at` actions that everyone could notice."""
        return self.state.view(seat, at)

    def plan(self, person: Person, codes: Sequence[str], prompt_id: int) -> Plan:
        """Return what the person's seat would see after steps of a decision: nothing happens, nobody is told."""
        return plan_steps(self.state, person, codes, prompt_id)

    # Who is here

    @property
    def watched(self) -> bool:
        """True when anybody is connected, here or to another worker."""
        return len(self.presence) > 0

    @property
    def is_for_programs(self) -> bool:
        """True when programs alone are here, and everybody at the table is one or a bot: nobody looks at pictures."""
        people = (place.person for place in self.state.occupants if place.person is not None and not place.taken_over)
        return self.presence.only_programs and all(person.id in self.presence for person in people)

    @property
    def is_leased(self) -> bool:
        """True when its bots and clocks are looked after here."""
        return self.id in self.server.leases

    @property
    def is_idle(self) -> bool:
        """True when nobody has been here for so long that bots wait until somebody comes; over days they do not."""
        if self.state.settings.days:
            return False
        return not self.watched and time.monotonic() - self._last_visit > self.server.settings.nap

    def visit(self, person_id: str | None = None, *, told: bool = False) -> None:
        """Somebody is here, perhaps known: bots that slept go on. `told`: another worker says so."""
        if person_id is not None:
            self.presence.mark_seen(person_id)
            if not told:
                self.server.announce_visit(self.id, person_id)
        slept, self._last_visit = self.is_idle, time.monotonic()
        if slept:
            self.attend()

    def set_elsewhere(self, elsewhere: frozenset[str]) -> None:
        """These people are connected to other workers now."""
        self.presence.set_elsewhere(elsewhere)
        if elsewhere:
            self.visit()

    def heir(self) -> int | None:
        """Return the seat whose person follows the host, where a match that has not begun waits for one long away."""
        away = self.presence.seconds_away(self.state.host.id)
        return self.state.next_host(self.presence) if self.state.phase == "gathering" and away > HOST_AWAY else None

    def subscribe(
        self, person: Person | None, notify: Notify, prepare: Prepare | None = None, *, program: bool = False
    ) -> Callable[[], None]:
        """Be there: `notify(seq)` is called in the loop after every change. The call returned ends it.

        Where all must see a change at the same instant `prepare` is called instead, and what it returns sends it. A
        `program` is shown no pictures.
        """
        self.visit()
        end = self.presence.connect(person, notify, prepare, program=program)
        seat = self.state.seat_of(person.id) if person is not None else None
        if seat is not None:
            self.caretaker.end_lesson(seat)

        def leave() -> None:
            self._last_visit = time.monotonic()
            end()

        return leave

    def attend(self) -> None:
        """Let bots and clocks go on: after loading, and after every change."""
        if not self.server.tasks.closing and not self.fault:
            if not self.is_leased and stays_awake(self.state, ()):
                self.server.request_lease(self.id)
            self.caretaker.update()

    def skip_scene(self, person: Person) -> bool:
        """Somebody at the table looks no longer at what is being shown; true when nobody waits for it any more."""
        seat = require_seat(self.state, person)
        if any(not place.bot_decides for other, place in enumerate(self.state.occupants) if other != seat):
            return False
        self.scene_until = min(self.scene_until, time.monotonic())
        self.caretaker.hurry()
        return True

    async def hand_over(self) -> None:
        """Write down how much of its patience each decision has had: whoever looks after the room next counts on."""
        if self.caretaker.has_deadline:
            await self.execute_for_house(self.caretaker.handover())

    def close(self) -> None:
        """Stop the clocks."""
        self.caretaker.close()
        self.bargaining.close()
        self.presence.close()

    # The door

    async def execute(self, person: Person, command: Command, arrival: Arrival | None = None, origin: str = "") -> None:
        """Carry a command out, once: asked again with the same id it changes nothing. Refusals are typed.

        `arrival`: when it came in, now unless told, over a line that nobody has measured. `origin`: a mark of the
        address that it came from.
        """
        request = Request(command, person, command_key(person, command.command_id), arrival or Arrival.now(), origin)
        self.visit(person.id)
        await self.server.tasks.run(self._carry_out(request))

    async def execute_for_house(self, command: HouseCommand) -> None:
        """Carry out what nobody asked for, as far as there is something to change still."""
        try:
            await self.server.tasks.run(self._carry_out(Request(command)))
        except Stale:
            logger.warning("room %s is looked after by another worker", self.id)
            self.server.leases.drop([self.id])
            self.caretaker.close()

    async def _carry_out(self, request: Request) -> None:
        """Decide, write, happen, tell: in this order, and nothing in between for this room."""
        async with self._lock:
            if not self._is_done(request):
                with self._spend_line(request) as may_speak:
                    await self._retry_on_conflict(lambda: self._attempt(request, may_speak))

    def _spend_line(self, request: Request) -> contextlib.AbstractContextManager[bool]:
        """Spend once what is allowed only so often, however often it is decided."""
        if request.who is not None and isinstance(request.command, Talk | Report):
            return self._lines.spend(request.who.id)
        return contextlib.nullcontext(True)

    async def _retry_on_conflict(self, attempt: Callable[[], Awaitable[None]]) -> None:
        """Try again on what the log says by now, where it says more than was known here.

        Another worker was faster, a commit that was reported as failed had reached the disk, or a room at rest has the
        code of a new one. What is refused may be right after what another worker has written a moment ago.
        """
        for _ in range(ATTEMPTS - 1):
            try:
                return await attempt()
            except Conflict:
                await self._catch_up()
            except Refusal:
                if not await self._learns_more():
                    raise
        return await attempt()

    async def _attempt(self, request: Request, may_speak: bool) -> None:
        if self._is_done(request) or (request.needs_lease and not self.is_leased):
            return
        given = self._given(request, may_speak)
        happenings = decide(self.state, request.command, request.who, given)
        if not happenings and request.who is not None and await self._learns_more():
            await self._attempt(request, may_speak)
        elif not happenings:
            await self._note_no_op(request)
        elif isinstance(request.command, Rematch) and request.who is not None:
            asked = request.command
            opening = OpenRematch(request.who, asked.level, asked.pace)
            await self._open_rematch(happenings, request.key, opening, given)
        else:
            lease = self.server.leases.lease(self.id) if request.needs_lease else None
            await self._write(happenings, request.key, lease)

    def _given(self, request: Request, may_speak: bool) -> Given:
        settings, shown_at, arrival = self.server.settings, self.race_shown_at, request.arrival
        now, public = settings.clock(), self.state.settings.public
        return Given(
            now=now,
            dice=settings.dice,
            level=settings.level,
            reaction=Reaction.of(arrival, shown_at) if arrival is not None and shown_at is not None else None,
            may_speak=may_speak,
            heir=self.heir(),
            scene_end=now + self.scene_left,
            next_room=self.server.new_code(public=public) if isinstance(request.command, Rematch) else "",
            origin=request.origin,
            crowds=isinstance(request.command, Join) and self.server.is_crowding(request.origin),
            bank_spent=self.caretaker.bank_spent(),
            outside=tuple(settings.outside),
        )

    def _is_done(self, request: Request) -> bool:
        return request.key is not None and (request.key in self.state.command_ids or request.key in self._no_op_ids)

    async def _note_no_op(self, request: Request) -> None:
        """Remember a command that changed nothing: on disk those of players, which a restart would refuse later."""
        if request.key is None or request.who is None:
            return
        if self._may_remember(request.who):
            await self._write([("unchanged", {})], request.key)
            return
        self._no_op_ids[request.key] = None
        if len(self._no_op_ids) > NO_OPS_KEPT:
            del self._no_op_ids[next(iter(self._no_op_ids))]

    def _may_remember(self, who: Person) -> bool:
        if self.server.tasks.closing or self.fault or self.state.seat_of(who.id) is None:
            return False
        with contextlib.suppress(TooMuch):
            require_log_space(self.state, who)
            return True
        return False

    async def _open_rematch(
        self, happenings: list[NewEvent], key: str | None, opening: OpenRematch, given: Given
    ) -> None:
        """The next room's first events are on disk together with the word where it goes on, or neither is."""
        first = number_events(decide(self.state, opening, None, given), 1, None, given.now)
        await self._write(happenings, key, others={given.next_room: first})
        self.server.open_next(self.id, given.next_room, first)

    # What is on disk happens

    async def _write(
        self,
        happenings: list[NewEvent],
        key: str | None = None,
        lease: Lease | None = None,
        others: Mapping[str, Sequence[Event]] | None = None,
    ) -> None:
        """Put events on disk, those of new rooms (`others`) with them, and then let them happen."""
        if self.server.tasks.closing:
            raise Closing
        if self.fault:
            raise Damaged(mark("this room was damaged on the disk: it can be looked at, and nothing can be done in it"))
        events = number_events(happenings, self.state.seq + 1, key, self.server.settings.clock())
        batches = [(room_id, made, stays_awake(None, made)) for room_id, made in (others or {}).items()]
        own = self.id, events, stays_awake(self.state, events)
        await self.server.store.append_batches([own, *batches], lease=lease)
        self._apply_events(events)

    async def _catch_up(self) -> None:
        if events := await asyncio.to_thread(self.server.store.events, self.id, self.state.seq):
            self._apply_events(events)

    async def _learns_more(self) -> bool:
        """Catch up with what other workers may have written; False when there is nothing, or no other worker."""
        if self.server.store.cluster is None:
            return False
        known = self.state.seq
        with contextlib.suppress(WriteFailed):
            await self._catch_up()
        return self.state.seq > known

    async def catch_up(self) -> None:
        """Take what the log has and this room has not."""
        async with self._lock:
            await self._catch_up()

    async def receive(self, events: Sequence[Event]) -> None:
        """Let happen what others have written."""
        async with self._lock:
            fresh = [event for event in events if event.seq > self.state.seq]
            if fresh:
                self._apply_events(fresh)

    def _apply_events(self, events: Sequence[Event]) -> None:
        public_seq = self.state.public_seq
        for event in events:
            self._apply_event(event)
        self.last_used = time.monotonic()
        if any(event.kind in SEATING_EVENTS for event in events):
            self.server.index_people(self.id, self.state)
            self.server.minds.outside.let_go(self.id, self.state)
        if self._shows_at_once(events):
            instant = self.presence.tell_at_once(self.state.seq)
            self.race_shown_at = instant if self.state.race_is_on else None
        elif events and self.state.public_seq == public_seq:
            self._tell_privately(events)
        elif self.state.haste == "end":
            self._tell_later()
        else:
            self.tell()
        self.attend()

    def _apply_event(self, event: Event) -> None:
        """Let one event happen; what it shows is shown after what is being shown already."""
        shown = event.kind == "played" and self.server.settings.scenes and not self.is_for_programs
        before, moments = self.view(None) if shown else None, self.moments
        apply_event(self.state, event)
        if before is None or self.moments == moments:
            return
        after, heard = self.view(None), self.state.heard_action(self.moments, None)
        if self._glimpses.admits(self.state.haste, before, after, heard):
            pace = self.state.settings.pace
            follows = self.state.continues_turn(self.moments)
            words = sum(reveal_at(self.state.talk, self.state.moment).milliseconds(pace))
            lasts = (scene_length(before, after, heard, pace, follows=follows) + words) / 1000
            self.scene_until = max(self.scene_until, time.monotonic()) + lasts if lasts else self.scene_until

    def _shows_at_once(self, events: Sequence[Event]) -> bool:
        """True for what must be seen by all at the same instant: what was held has fallen, a race is on."""
        if self.state.settings.days:
            return False
        game = self.state.game
        decided = [event.body for event in events if event.kind == "played"] if game.suspense or game.races else []
        if any(body["seat"] == CHANCE and game.is_suspense(game.actions.number(body["code"])) for body in decided):
            return True
        fresh = [
            seat
            for seat, moment in self.state.open_decisions.items()
            if moment.actions > self.state.moment.actions - len(decided)
        ]
        return any(map(self.state.is_racing, fresh))

    def _tell_privately(self, events: Sequence[Event]) -> None:
        """Tell of guesses and steps of a draft only whose they are; nobody else hears even that there are any."""
        for event in events:
            person = self.state.occupants[event.body["seat"]].person if "seat" in event.body else None
            writer = event.body.get("id", person and person.id)
            if writer is not None:
                self.presence.tell(self.state.seq, writer)
            if event.kind == "reported":
                logger.warning("room %s: a speaker was reported: %s", self.id, event.body["lines"])

    def _tell_later(self) -> None:
        """Let everybody look again in a moment: of many decisions that nobody waits for only some are seen."""
        if self._later is None:
            self._later = asyncio.get_running_loop().call_later(LOOK, self.tell)

    def tell(self) -> None:
        """Let everybody connected look again."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        self.presence.tell(self.state.seq)


LOOK = 0.4
"""Seconds between two looks at a match that goes to its end."""


class Glimpses:
    """The scenes of one match that are shown, asked for each action in order."""

    def __init__(self) -> None:
        self._seen = ""  # the round of which one was shown

    def admits(self, haste: str, before: View, after: View, played: PlayedAction | None) -> bool:
        """True when the action between two public views is shown: all are, unless people who sit out want to see less.

        `haste` as in `State`. With `rounds` it is the first that turns cards, or else what ends the round.
        """
        if haste != "rounds":
            return not haste
        chapter, say = words_of(before.game).chapter, anonymous_say(before.game, "en")
        now = chapter(before, say)
        frames = [] if now == self._seen else scene(before, after, played, say)
        if not frames or not (any(frame.closed for frame in frames) or chapter(after, say) != now):
            return False
        self._seen = now
        return True
