"""A room: a live match with people, clocks and talk.

Every command, of a person or of the server, is decided on the current state and written to the log. Only when it is on
disk is it applied here and sent to all connections. Commands of one room run in sequence; rooms are independent.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

from cachetools import FIFOCache

from tavola.core import CHANCE, Moment, PlayedAction, Refusal, View
from tavola.core.plan import Plan
from tavola.core.text import mark
from tavola.live.bots.bargaining import Bargaining
from tavola.live.caretaker import Caretaker
from tavola.live.commands.commands import Given, Request, ServerCommand
from tavola.live.commands.decide import decide
from tavola.live.commands.play import plan_steps
from tavola.live.commands.rematch import OpenRematch
from tavola.live.commands.require import require_seat
from tavola.live.log.budgets import require_log_space
from tavola.live.log.events import NewEvent, number_events, stays_awake
from tavola.live.log.fold import apply_event
from tavola.live.log.occupants import Seat
from tavola.live.log.people import Person, command_key
from tavola.live.log.state import State
from tavola.live.presence import LineAllowance, Notify, Prepare, Presence
from tavola.live.protocol import Command, Join, Rematch, Report, Talk
from tavola.live.room_refusals import Closing, Damaged, TooMuch
from tavola.live.room_server import RoomServer
from tavola.live.time.race import Arrival, Reaction
from tavola.live.time.steady import Deadlines
from tavola.metrics import MOVES
from tavola.show import scene_length
from tavola.show.cards import words_of
from tavola.show.kit import anonymous_say
from tavola.show.pictures import scene
from tavola.store import Conflict, Event, Lease, Stale, WriteFailed
from tavola.talk import reveal_at

SEATING_EVENTS = {"joined", "started", "left", "returned", "over", "shut"}
"""Events after which the players of a running match can be different."""
HOST_AWAY = 120.0
"""Seconds of absence before a match after which the host's role passes to the next person present."""
ATTEMPTS = 20
"""Maximum attempts at a command when other workers write to the same room."""
NO_OPS_KEPT = 500
"""Maximum remembered commands of spectators that changed nothing; those of players are in the log."""
logger = logging.getLogger(__name__)


class Room:
    """One room. Commands are idempotent by `command_id` and return when they are on disk; refusals change nothing.

    `state` is what the log says, and is read-only for callers. `presence` has the connections, `caretaker` the clocks.
    """

    def __init__(self, server: RoomServer, room_id: str, state: State, fault: str = "") -> None:
        self.server, self.id, self.state = server, room_id, state
        self.fault = fault  # what is wrong with its log; the room is then read-only
        self.last_used = self._last_visit = time.monotonic()
        self._no_op_ids: FIFOCache[str, None] = FIFOCache(NO_OPS_KEPT)  # ids of commands that changed nothing
        self.scene_until = 0.0
        """End of the scene of the last action, by `time.monotonic`, which is also the loop's clock."""
        self.race_shown_at: float | None = None
        """When the current race was shown to all connections, by the same clock; None if unknown."""
        self._passed: dict[int, int] = {}  # by seat: the last open decision in which its bot passed
        self.deadlines = Deadlines(server.clock)
        self._lock = asyncio.Lock()
        self._lines = LineAllowance()
        self._glimpses = Glimpses()
        self._later: asyncio.TimerHandle | None = None  # the next notification of `_tell_later`
        self.presence = Presence(self.notify)
        self.bargaining = Bargaining(self)
        self.caretaker = Caretaker(self, self.bargaining)

    def restore_race(self) -> None:
        """Set `race_shown_at` after loading: a race that began while this server ran was shown when it began."""
        races = [at for seat, at in self.state.open_since.items() if self.state.is_racing(seat)]
        elapsed = self.server.clock.elapsed(min(races)) if races else None
        if elapsed is not None:
            self.race_shown_at = time.monotonic() - elapsed

    @property
    def window_ends(self) -> float | None:
        """When the talk window closes, by the loop's clock; None if none is open."""
        window = self.state.window
        return self.deadlines.moment("window", window.until, self._longest_window) if window is not None else None

    @property
    def talk_until(self) -> float | None:
        """When the talk window closes, in seconds since 1970; None if none is open."""
        window = self.state.window
        return self.deadlines.shown("window", window.until, self._longest_window) if window is not None else None

    @property
    def _longest_window(self) -> float:
        return self.state.settings.window + self.scene_left

    @property
    def scene_left(self) -> float:
        """Seconds until the scene of the last action ends."""
        return max(0.0, self.scene_until - time.monotonic())

    # Shortcuts to the state

    @property
    def moments(self) -> int:
        """The number of public actions, those of chance included."""
        return self.state.moments

    @property
    def names(self) -> list[str]:
        """A unique name for every seat; empty for free seats."""
        return self.state.names

    @property
    def seats(self) -> list[Seat]:
        """The public part of every seat."""
        return [self.seat(number) for number in range(len(self.state.occupants))]

    def seat(self, number: int) -> Seat:
        """Return the public part of a seat."""
        place, presence = self.state.occupants[number], self.presence
        return Seat(
            place.person,
            place.level,
            away=place.person is not None and place.person.id not in presence,
            taken_over=place.taken_over,
            member=place.member,
            ready=self.state.is_ready(number),
            looking=place.person is None or presence.is_looking(place.person.id),
        )

    @property
    def now(self) -> float:
        """The time of the site's clock, in seconds since 1970."""
        return self.server.settings.clock()

    def replaced(self, seat: int) -> int:
        """Return how many decisions of a seat's external bot were replaced."""
        return self.server.bot_processes.outside.replaced(self.id, seat)

    def prompt_id(self, seat: int) -> int | None:
        """Return the number of the decision that a seat owes, or None."""
        return self.state.prompt_id(seat)

    def passes(self, seat: int) -> bool:
        """Return whether a seat's bot has passed in the current open decision."""
        prompt = self.state.prompt_id(seat)
        return prompt is not None and self._passed.get(seat) == prompt

    def note_pass(self, seat: int, prompt: int) -> None:
        """Note that a seat's bot passes in an open decision, and show that to everyone."""
        self._passed[seat] = prompt
        self.presence.changes += 1
        self.notify()

    def view(self, seat: int | None, at: int | Moment | None = None) -> View:
        """Return the view of a seat (None: a spectator), now or after `at` public actions."""
        return self.state.view(seat, at)

    def plan(self, person: Person, codes: Sequence[str], prompt_id: int) -> Plan:
        """Return a person's plan: the view of their seat after steps of a decision, which are not played."""
        return plan_steps(self.state, person, codes, prompt_id)

    # Presence

    @property
    def watched(self) -> bool:
        """Whether anyone is connected, here or to another worker."""
        return len(self.presence) > 0

    @property
    def is_for_programs(self) -> bool:
        """Whether only programs are connected and all seats have programs or bots, so that no one watches scenes."""
        people = (place.person for place in self.state.occupants if place.person is not None and not place.taken_over)
        return self.presence.only_programs and all(person.id in self.presence for person in people)

    @property
    def is_leased(self) -> bool:
        """Whether this worker runs the room's bots and clocks."""
        return self.id in self.server.leases

    @property
    def is_idle(self) -> bool:
        """Whether the room has been empty for `nap` seconds, so that bots wait; never true of correspondence."""
        if self.state.settings.days:
            return False
        return not self.watched and time.monotonic() - self._last_visit > self.server.settings.nap

    def visit(self, person_id: str | None = None, *, told: bool = False) -> None:
        """Note a visit, of a known person or not, and wake the bots. `told`: the notice is from another worker."""
        if person_id is not None:
            self.presence.mark_seen(person_id)
            if not told:
                self.server.announce_visit(self.id, person_id)
        slept, self._last_visit = self.is_idle, time.monotonic()
        if slept:
            self.attend()

    def set_elsewhere(self, elsewhere: frozenset[str]) -> None:
        """Set the people who are connected to other workers."""
        self.presence.set_elsewhere(elsewhere)
        if elsewhere:
            self.visit()

    def heir(self) -> int | None:
        """Return the seat of the next host if the match has not begun and the host is away too long, or None."""
        away = self.presence.seconds_away(self.state.host.id)
        return self.state.next_host(self.presence) if self.state.phase == "gathering" and away > HOST_AWAY else None

    def subscribe(
        self, person: Person | None, notify: Notify, prepare: Prepare | None = None, *, program: bool = False
    ) -> Callable[[], None]:
        """Connect: `notify(seq)` is called in the loop after every change. Return the function that disconnects.

        If everyone must see a change at the same instant, `prepare` is called instead, and the function that it
        returns sends the change. A `program` receives no scenes.
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
        """Update bots and clocks, after loading and after every change."""
        if self.state.shut:
            self.caretaker.close()
            self.bargaining.close()
            self.server.desk.note(self.id, None)
        elif not self.server.tasks.closing and not self.fault:
            if not self.is_leased and stays_awake(self.state, ()):
                self.server.request_lease(self.id)
            self.caretaker.update()

    def skip_scene(self, person: Person) -> bool:
        """Skip the scene for a seated person; return whether it ended, because all other seats are bots."""
        seat = require_seat(self.state, person)
        if any(not place.bot_decides for other, place in enumerate(self.state.occupants) if other != seat):
            return False
        self.scene_until = min(self.scene_until, time.monotonic())
        self.caretaker.hurry()
        return True

    async def hand_over(self) -> None:
        """Log the time used by each open decision, so that the next worker continues the clocks."""
        if self.caretaker.has_deadline:
            await self.execute_internal(self.caretaker.handover())

    def close(self) -> None:
        """Stop clocks, bots' talk and announcements."""
        self.caretaker.close()
        self.bargaining.close()
        self.presence.close()

    # Commands

    async def execute(self, person: Person, command: Command, arrival: Arrival | None = None, origin: str = "") -> None:
        """Carry out a command, or raise a `Refusal`. Repeating a command with the same id has no effect.

        `arrival`: when it arrived, by default now over an unmeasured connection. `origin`: a mark of the sender's
        address.
        """
        request = Request(command, person, command_key(person, command.command_id), arrival or Arrival.now(), origin)
        self.visit(person.id)
        await self.server.tasks.run(self._carry_out(request))

    async def execute_internal(self, command: ServerCommand) -> None:
        """Carry out a command of the server itself; no effect if there is nothing left to change."""
        try:
            await self.server.tasks.run(self._carry_out(Request(command)))
        except Stale:
            logger.warning("room %s belongs to another worker", self.id)
            self.server.leases.drop([self.id])
            self.caretaker.close()

    async def _carry_out(self, request: Request) -> None:
        """Decide, write, apply, notify: in this order, and one command of this room at a time."""
        async with self._lock:
            if not self._is_done(request):
                with self._spend_line(request) as may_speak:
                    await self._retry_on_conflict(lambda: self._attempt(request, may_speak))

    def _spend_line(self, request: Request) -> contextlib.AbstractContextManager[bool]:
        """Count a rate-limited command once, even if it is decided several times."""
        if request.who is not None and isinstance(request.command, Talk | Report):
            return self._lines.spend(request.who.id)
        return contextlib.nullcontext(True)

    async def _retry_on_conflict(self, attempt: Callable[[], Awaitable[None]]) -> None:
        """Try again on the latest log if it has more events than were known here.

        Another worker was faster, a commit reported as failed had reached the disk, or a stored room has the code of a
        new one. A refused command can become valid by what another worker has just written.
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
        new_events = decide(self.state, request.command, request.who, given)
        if not new_events and request.who is not None and await self._learns_more():
            await self._attempt(request, may_speak)
        elif not new_events:
            await self._note_no_op(request)
        elif isinstance(request.command, Rematch) and request.who is not None:
            # The next room's first events are written together with the event that names the room, or neither.
            opening = OpenRematch(request.who, request.command.level, request.command.pace)
            first = number_events(decide(self.state, opening, None, given), 1, None, given.now)
            await self._write(new_events, request.key, others={given.next_room: first})
            self.server.open_next(self.id, given.next_room, first)
        else:
            lease = self.server.leases.lease(self.id) if request.needs_lease else None
            await self._write(new_events, request.key, lease)

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
        """Remember a command that changed nothing: on disk for players, because after a restart it could be refused."""
        if request.key is None or request.who is None:
            return
        if not (self.server.tasks.closing or self.fault or self.state.seat_of(request.who.id) is None):
            with contextlib.suppress(TooMuch):
                require_log_space(self.state, request.who)
                await self._write([("unchanged", {})], request.key)
                return
        self._no_op_ids[request.key] = None

    # Events

    async def _write(
        self,
        new_events: list[NewEvent],
        key: str | None = None,
        lease: Lease | None = None,
        others: Mapping[str, Sequence[Event]] | None = None,
    ) -> None:
        """Write events to disk, together with those of new rooms (`others`), then apply them."""
        if self.server.tasks.closing:
            raise Closing
        if self.fault:
            raise Damaged(mark("this room is damaged: you can look at it, but nothing more can be done here"))
        events = number_events(new_events, self.state.seq + 1, key, self.server.settings.clock())
        batches = [(room_id, made, stays_awake(None, made)) for room_id, made in (others or {}).items()]
        own = self.id, events, stays_awake(self.state, events)
        await self.server.store.append_batches([own, *batches], lease=lease)
        before = self.moments
        self._apply_events(events)
        if self.moments > before:
            MOVES.labels(self.state.game.name).inc(self.moments - before)

    async def _catch_up(self) -> None:
        if events := await asyncio.to_thread(self.server.store.events, self.id, self.state.seq):
            self._apply_events(events)

    async def _learns_more(self) -> bool:
        """Read what other workers may have written; return whether there was anything new."""
        if self.server.store.cluster is None:
            return False
        known = self.state.seq
        with contextlib.suppress(WriteFailed):
            await self._catch_up()
        return self.state.seq > known

    async def catch_up(self) -> None:
        """Apply the events that the log has and this room does not."""
        async with self._lock:
            await self._catch_up()

    async def receive(self, events: Sequence[Event]) -> None:
        """Apply events that others have written."""
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
            self.server.bot_processes.outside.let_go(self.id, self.state)
        if self._shows_at_once(events):
            instant = self.presence.notify_at_once(self.state.seq)
            self.race_shown_at = instant if self.state.race_is_on else None
        elif events and self.state.public_seq == public_seq:
            self._tell_privately(events)
        elif self.state.haste == "end":
            self._tell_later()
        else:
            self.notify()
        self.attend()

    def _apply_event(self, event: Event) -> None:
        """Apply one event; its scene is added after the one that is being shown."""
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
        """Return whether everyone must see this at the same instant: a suspended outcome has fallen, a race is on."""
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
        """Notify only the owner of guesses and draft steps; others must not even learn that there are any."""
        for event in events:
            person = self.state.occupants[event.body["seat"]].person if "seat" in event.body else None
            writer = event.body.get("id", person and person.id)
            if writer is not None:
                self.presence.notify(self.state.seq, writer)
            if event.kind == "reported":
                logger.warning("room %s: a speaker was reported", self.id)

    def _tell_later(self) -> None:
        """Notify everyone in a moment, so that only some of many quick decisions are shown."""
        if self._later is None:
            self._later = asyncio.get_running_loop().call_later(LOOK, self.notify)

    def notify(self) -> None:
        """Notify everyone connected of a change."""
        if self._later is not None:
            self._later.cancel()
            self._later = None
        self.presence.notify(self.state.seq)


LOOK = 0.4
"""Seconds between two updates of a match in which bots play to the end."""


class Glimpses:
    """Selects the scenes of one match that are shown; called for each action in order."""

    def __init__(self) -> None:
        self._seen = ""  # the last round of which a scene was shown

    def admits(self, haste: str, before: View, after: View, played: PlayedAction | None) -> bool:
        """Return whether the action between two public views is shown: always, unless all people sit out.

        `haste` as in `State`. With `rounds`, show the first action of a round that turns cards, or its last action.
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
