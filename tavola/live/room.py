"""A room: a live match with people, clocks and talk.

Every command is decided on the state as it is, written to the log, and only when it is on disk does it happen here and
is told to everybody connected. One command of a room goes after the other; rooms do not wait for each other.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from itertools import takewhile
from random import SystemRandom
from typing import TYPE_CHECKING

from tavola.bots import LEVELS
from tavola.core import CHANCE, MatchRecord, PlayedAction, TimeOut, View
from tavola.core.plan import Plan, make_plan
from tavola.live.caretaker import Caretaker
from tavola.live.log.decide import (
    begin_events,
    bot_events,
    decide,
    decide_play,
    distinct_name,
    require_match,
    require_prompt,
    require_seat,
)
from tavola.live.log.draft import Draft, play_time_outs, play_turn
from tavola.live.log.events import NewEvent, number_events, played_events, stays_awake, taken_event
from tavola.live.log.people import Person, command_key
from tavola.live.log.rematch import rematch_events
from tavola.live.log.seats import Seat, occupant_name, public_seats
from tavola.live.log.state import PRIVATE_EVENTS, State, apply_event, fold
from tavola.live.presence import Notify, Prepare, Presence
from tavola.live.protocol import MOST_STEPS, Command, Play, Rematch
from tavola.live.refusals import (
    Closing,
    Damaged,
    NotOver,
    NotPlaying,
    NotSeated,
    TooFast,
    UnknownMoment,
)
from tavola.live.time.race import Arrival, Reaction
from tavola.show import scene_length
from tavola.store import Conflict, Event, Lease, Stale

if TYPE_CHECKING:
    from tavola.live.hub import Hub

Decision = Callable[[], list[NewEvent]]
"""Decides on the state as it is what shall happen."""
SEATING_EVENTS = {"started", "left", "returned", "over"}
"""Events after which somebody may sit in a running match, or no more."""
READY_WITHIN = 30.0
"""Seconds that a rematch waits for those who are not ready."""
logger = logging.getLogger(__name__)
CHAT_LINES, CHAT_WINDOW = 5, 10.0
"""Lines of chat that one person may write in so many seconds."""
HOST_AWAY = 120.0
"""Seconds after which a host who is not there before the match is followed by the next person who is."""
ATTEMPTS = 20
"""How often something is decided anew because others were faster, in the same room."""
NO_OPS_KEPT = 500
"""Commands that changed nothing and are remembered, so that they can be sent again whatever has happened since."""


class Room:
    """One room. Commands are idempotent by `command_id` and return when they are on disk; refusals change nothing.

    What its log says is `state`, to be read and never changed; its match is all of it: never for a player. Who is there
    is known by `presence`, how long somebody is waited for by `caretaker`.
    """

    def __init__(self, hub: "Hub", room_id: str, state: State, fault: str = "") -> None:
        self.hub, self.id, self.state = hub, room_id, state
        self.fault = fault  # what is wrong with its log: then nothing happens here any more
        self.last_used = self._last_visit = time.monotonic()
        self._no_op_ids: dict[str, None] = {}  # commands that had nothing to change
        self.scene_until = 0.0
        """When what was played last has been shown, by `time.monotonic` and so by the loop's clock."""
        self.race_shown_at: float | None = None
        """When the race that is on was shown to everybody, by the same clock; None where nobody knows any more."""
        self._lock = asyncio.Lock()
        self.presence = Presence(self.tell)
        self.caretaker = Caretaker(self)
        self._line_times: dict[str, deque[float]] = {}
        # What is asked for again and again until the next change.
        self._views: dict[int | None, View] = {}
        self._names: list[str] = []
        self._measures_cache: bool | None = None

    def restore_race(self) -> None:
        """It came into memory from its log: a race that began while this server was up was shown when it began."""
        races = [at for seat, at in self.state.open_since.items() if self.is_racing(seat)]
        if races and min(races) > self.hub.started_at:
            self.race_shown_at = time.monotonic() - (time.time() - min(races))

    # What everybody may know

    @property
    def moments(self) -> int:
        """How many actions have been played, chance's included."""
        return len(self.state.match.history) if self.state.match else 0

    @property
    def watched(self) -> bool:
        """Whether anybody is connected, here or to another worker."""
        return len(self.presence) > 0

    @property
    def is_leased(self) -> bool:
        """Whether its bots and clocks are looked after here."""
        return self.id in self.hub.leases

    @property
    def is_idle(self) -> bool:
        """Whether nobody has been here for so long that bots wait until somebody comes."""
        return not self.watched and time.monotonic() - self._last_visit > self.hub.nap

    def visit(self, person_id: str | None = None, *, told: bool = False) -> None:
        """Somebody is here, perhaps known: bots that slept go on. `told`: another worker says so."""
        if person_id is not None:
            self.presence.mark_seen(person_id)
            if not told:
                self.hub.announce_visit(self.id, person_id)
        slept, self._last_visit = self.is_idle, time.monotonic()
        if slept:
            self.attend()

    def set_elsewhere(self, elsewhere: frozenset[str]) -> None:
        """These people are connected to other workers now."""
        self.presence.set_elsewhere(elsewhere)
        if elsewhere:
            self.visit()

    @property
    def seats(self) -> list[Seat]:
        """Every seat."""
        return public_seats(self)

    @property
    def names(self) -> list[str]:
        """A name for every seat, no two alike; empty where nobody sits."""
        if not self._names:
            for seat, place in enumerate(self.state.occupants):
                self._names.append(distinct_name(occupant_name(place, seat), self._names))
        return self._names

    def prompt_id(self, seat: int) -> int | None:
        """Which decision the seat owes: how many it has made before. None when it owes none."""
        return self.state.decision_counts[seat] if seat in self.state.open_decisions else None

    @property
    def ready_until(self) -> float:
        """How long a rematch waits for those who are not ready, in seconds since 1970."""
        return self.state.created_at + READY_WITHIN

    def next_level(self, seat: int | None) -> str | None:
        """The level above that of the bots whom the person on a seat has just beaten; None where there is none."""
        result = self.state.match.result() if self.state.match is not None else None
        levels = [LEVELS.index(place.level) for place in self.state.occupants if place.level in LEVELS]
        if result is None or seat is None or not levels or result.ranks[seat] != 1:
            return None
        return LEVELS[max(levels) + 1] if max(levels) + 1 < len(LEVELS) else None

    def view(self, seat: int | None, at: int | None = None) -> View:
        """What a seat (None: a spectator) sees now, or saw after `at` actions. The caller answers for who is asking:
        `seen_by` does so for him. `NotPlaying` before the match, `UnknownMoment` outside it.
        """
        match = self.state.match
        if match is None:
            raise NotPlaying("the match has not begun")
        if at is None or at == len(match.history):
            if seat not in self._views:
                view = match.view(seat)
                self._views[seat] = view if seat is None else view.share_table(self.view(None))
            return self._views[seat]
        if not 0 <= at < len(match.history):
            raise UnknownMoment("this match has the moments 0 to {last}", last=len(match.history))
        return View(self.state.game, match.states_at(at), seat)

    def view_for(self, person_id: str | None, seat: int | None = None, at: int | None = None) -> View:
        """What a person may see: his own seat or, without one, the table; any seat when the match is over."""
        own = self.state.seat_of(person_id) if person_id is not None else None
        asked = own if seat is None else seat
        if asked is not None and not 0 <= asked < len(self.state.occupants):
            raise NotSeated("there are seats 1 to {count}", count=len(self.state.occupants))
        if asked != own and self.state.phase != "over":
            raise NotOver("other hands can be seen when the match is over")
        return self.view(asked, at)

    def actor(self, at: int) -> int:
        """Who made action number `at`, counted from 1: the one that led to moment `at`."""
        if not 1 <= at <= self.moments:
            raise UnknownMoment("this match has the actions 1 to {last}", last=self.moments)
        assert self.state.match is not None
        return self.state.match.history[at - 1][0]

    def heard_action(self, at: int, hearer: int | None) -> PlayedAction | None:
        """Action number `at`, counted from 1, as a seat or a spectator hears of it; None where it is secret to him."""
        actor = self.actor(at)
        assert self.state.match is not None
        return self.state.game.observe_action(actor, self.state.match.history[at - 1][1], hearer)

    def guesses(self, seat: int, at: int | None = None) -> dict[int, str]:
        """What a seat has guessed about others, by seat, after `at` actions: for that seat's own eyes."""
        moment = self.moments if at is None else at
        guessed = {note.about: note.mark for note in self.state.guesses if note.seat == seat and note.moment <= moment}
        return {about: mark for about, mark in guessed.items() if mark}

    def muted_speakers(self, person_id: str) -> frozenset[int]:
        """The speakers of whom somebody reads no more."""
        return frozenset(self.state.muted_speakers.get(person_id, ()))

    def record(self) -> MatchRecord:
        """The match written down; `NotOver` while it goes on: a record tells every secret."""
        if self.state.match is None or self.state.phase != "over":
            raise NotOver("the record of a match can be read when it is over")
        return self.state.match.record(self.names)

    def subscribe(self, person: Person | None, notify: Notify, prepare: Prepare | None = None) -> Callable[[], None]:
        """Be there: `notify(seq)` is called in the loop after every change. The call returned ends it.

        Where all must see a change at the same instant `prepare` is called instead, and what it returns sends it.
        """
        self.visit()
        end = self.presence.connect(person, notify, prepare)

        def leave() -> None:
            self._last_visit = time.monotonic()
            end()

        return leave

    # Commands

    async def execute(self, person: Person, command: Command, arrival: Arrival | None = None) -> None:
        """Carry a command out, once: asked again with the same id it changes nothing. Refusals are typed.

        `arrival`: when it came in, now unless told, over a line that nobody has measured.
        """
        key, came = command_key(person, command.command_id), arrival or Arrival.now()
        self.visit(person.id)
        if isinstance(command, Rematch):
            await self.hub.run(self._rematch(person, command, key))
        elif isinstance(command, Play):
            await self.hub.run(self._carry_out(key, lambda: decide_play(command, self, person, came)))
        else:
            await self.hub.run(self._carry_out(key, lambda: decide(command, self, person)))

    def plan(self, person: Person, codes: Sequence[str], prompt_id: int) -> Plan:
        """What the person's seat would see after steps of the decision `prompt_id`: nothing happens, nobody is told.

        They are tried on the table as it is now, which others may have changed since.

        `IllegalAction` where the rules or what its planner can know do not let it go so far.
        """
        require_match(self)
        seat = require_seat(self, person)
        require_prompt(self, seat, prompt_id)
        return make_plan(self.view(seat), codes)

    # What only the caretaker asks for

    async def think_turn(self, seat: int) -> list[int]:
        """What the bot of a seat does, on what it saw when its decision opened: up to what others see of it.

        Steps that show nobody anything belong together, so that their number tells nothing either.
        """
        match, level = require_match(self), self.state.occupants[seat].level
        view, draft = self.view(seat, self.state.open_decisions[seat]), Draft(match)
        turn = [await self.hub.think(self, level, view)]
        while len(turn) < MOST_STEPS and turn[-1] in draft.legal(seat):
            draft.play(seat, turn[-1])
            following = draft.view_if_unseen(seat)
            if following is None:
                break
            turn.append(await self.hub.think(self, level, following))
        return turn

    def is_mid_turn(self, seats: Collection[int]) -> bool:
        """Whether the only seat that decides made the decision before, too, whatever chance has dealt in between."""
        history = self.state.match.history if self.state.match is not None else []
        decided = (seat for seat, _ in reversed(history) if seat != CHANCE)
        return set(seats) == {next(decided, CHANCE)}

    def is_open_to_people(self) -> bool:
        """Whether whoever comes first acts now, and people may want to."""
        match = self.state.match
        return (
            match is not None
            and match.open
            and any(not self.state.occupants[seat].bot_decides for seat in match.to_act)
        )

    async def decide_for_bots(
        self, answers: Mapping[int, tuple[int, Sequence[int]]], reactions: Mapping[int, Reaction] | None = None
    ) -> None:
        """Bots' answers (prompt and turn by seat), timed in a race; those that came too late are dropped."""

        def decide() -> list[NewEvent]:
            match = self.state.match
            if match is None or match.over:
                return []
            draft, seats, took = Draft(match, self.state.reactions), list(answers), reactions or {}
            SystemRandom().shuffle(seats)  # where whoever comes first acts, nobody comes first more often
            for seat in seats:
                prompt, turn = answers[seat]
                if (
                    self.state.occupants[seat].bot_decides
                    and self.prompt_id(seat) == prompt
                    and not draft.renews_decisions
                ):
                    play_turn(draft, seat, turn, took.get(seat))
            return played_events(draft)

        await self._carry_out_leased(decide)

    def time_out(self, seat: int) -> TimeOut | None:
        """What running out of time plays for a seat that owes a decision; None where the game does not tell."""
        clock = self.state.game.clock
        return clock(self.view(seat)) if clock is not None else None

    def is_racing(self, seat: int) -> bool:
        """Whether the decision that a seat owes is an answer in a race."""
        game = self.state.game
        return bool(game.races) and any(map(game.is_race_answer, self.view(seat).legal))

    def early_seats(self, moment: int) -> list[int]:
        """Who had answered too soon in the race that ended with action number `moment`; before, nobody hears of it."""
        game, match = self.state.game, self.state.match
        if match is None or not self.state.early_answers:
            return []
        answers = list(takewhile(lambda at: game.is_race_answer(match.history[at][1]), range(moment, -1, -1)))
        last = moment + 1 == len(match.history)
        goes_on = (
            any(map(self.is_racing, self.state.open_decisions))
            if last
            else game.is_race_answer(match.history[moment + 1][1])
        )
        return (
            []
            if goes_on
            else [self.state.early_answers[at] for at in reversed(answers) if at in self.state.early_answers]
        )

    @property
    def measures_latency(self) -> bool:
        """Whether a race is on, or something is held that may lead to one: lines are measured then."""
        if self._measures_cache is None:
            raced, opened = self.state.game.races, self.state.open_decisions
            self._measures_cache = bool(raced) and (self.state.in_suspense or any(map(self.is_racing, opened)))
        return self._measures_cache

    def reaction(self, arrival: Arrival) -> Reaction | None:
        """How long an answer took in the race that is on; None where nobody knows when it was shown."""
        return None if self.race_shown_at is None else Reaction.of(arrival, self.race_shown_at)

    async def hold_chance(self) -> None:
        """Decide when what chance holds falls, after all that is being shown, and write it down."""

        def decide() -> list[NewEvent]:
            shown = max(0.0, self.scene_until - time.monotonic())
            return (
                [("held", {"until": time.time() + shown + self.hub.suspense.draw()})] if self.state.in_suspense else []
            )

        await self._carry_out_leased(decide)

    async def release_chance(self) -> None:
        """What chance holds falls: only now is it drawn."""

        def decide() -> list[NewEvent]:
            return played_events(Draft(require_match(self), released=True)) if self.state.in_suspense else []

        await self._carry_out_leased(decide)

    async def run_out(self, prompts: Mapping[int, int], spell: int | None) -> None:
        """Time has run out for the decisions in `prompts` (by seat), with a `spell` for all who owe one of that spell.

        What the game plays then is played for all of them at once.
        """

        def decide() -> list[NewEvent]:
            draft = Draft(require_match(self), self.state.reactions)
            play_time_outs(draft, self._time_out_plays(prompts, spell))
            return played_events(draft)

        if self.state.phase == "playing":
            await self._carry_out_leased(decide)

    def _time_out_plays(self, prompts: Mapping[int, int], spell: int | None) -> dict[int, int]:
        """What running out of time plays, by seat, of those whose decision is still the one that it ran out for."""
        number, plays, open_ = self.state.game.actions.number, {}, require_match(self).open
        for seat in self.state.open_decisions:
            timed = self.time_out(seat)
            if spell is None:
                late = prompts.get(seat) == self.prompt_id(seat)
            else:
                late = open_ and timed is not None and timed.period == spell
            if late and timed is not None:
                plays[seat] = number(timed.code)
        return plays

    async def take_over(self, prompts: Mapping[int, int]) -> None:
        """Give the seats that still owe the decisions in `prompts` (by seat) to a bot."""

        def decide() -> list[NewEvent]:
            owed = (seat for seat, prompt in prompts.items() if self.prompt_id(seat) == prompt)
            return [taken_event(seat) for seat in owed if not self.state.occupants[seat].bot_decides]

        await self._carry_out_leased(decide)

    async def begin(self) -> None:
        """Begin what has waited long enough, for its game or for somebody who was not ready; bots decide for him."""

        def decide() -> list[NewEvent]:
            state, free = self.state, [seat for seat, place in enumerate(self.state.occupants) if place.is_nobody]
            if self.state.phase != "gathering" or not (state.start_pending or (state.is_rematch and not free)):
                return []
            return [*bot_events(self, free, self.hub.level), *begin_events(self)]

        await self._carry_out_leased(decide)

    def host_has_vanished(self) -> bool:
        """Whether a match that has not begun waits for a host who has long been away, and somebody else is there."""
        away = self.presence.seconds_away(self.state.host.id)
        return self.state.phase == "gathering" and away > HOST_AWAY and self._next_host() is not None

    def _next_host(self) -> int | None:
        """The next seat after the host's whose person is there."""
        places = self.state.occupants
        first = self.state.seat_of(self.state.host.id) or 0
        seats = [(first + step) % len(places) for step in range(1, len(places))]
        there = (seat for seat in seats if (who := places[seat].person) is not None and who.id in self.presence)
        return next(there, None)

    async def transfer_host(self) -> None:
        """The next person who is there becomes the host, where he has vanished."""

        def decide() -> list[NewEvent]:
            return [("host", {"seat": self._next_host()})] if self.host_has_vanished() else []

        await self.hub.run(self._carry_out(None, decide))

    def attend(self) -> None:
        """Let bots and clocks go on: after loading, and after every change."""
        if not self.hub.closing and not self.fault:
            if not self.is_leased and stays_awake(self.state, ()):
                self.hub.request_lease(self.id)
            self.caretaker.update()

    async def hand_over(self) -> None:
        """Write down how much of its patience each decision has had: whoever looks after the room next counts on."""
        had = self.caretaker.elapsed_patience() if self.caretaker.has_deadline else {}
        if had:
            await self._carry_out_leased(lambda: [("clocks", {"had": had})])

    def close(self) -> None:
        """Stop the clocks."""
        self.caretaker.close()
        self.presence.close()

    # How a command is carried out

    async def _carry_out(self, key: str | None, decide: Decision, *, tending: bool = False) -> None:
        """Decide, write, happen, tell: in this order, and nothing in between for this room."""
        async with self._lock:
            await self._retry_on_conflict(lambda: self._decide(key, decide, tending=tending))

    async def _retry_on_conflict(self, attempt: Callable[[], Awaitable[None]]) -> None:
        """Try again on what the log says by now, where it says more than was known here.

        Another worker was faster, or a commit that was reported as failed had reached the disk.
        """
        for _ in range(ATTEMPTS - 1):
            try:
                return await attempt()
            except Conflict:
                await self._catch_up()
        return await attempt()

    async def _carry_out_leased(self, decide: Decision) -> None:
        """Carry out what nobody asked for: only who looks after the room may, which is checked where it is written."""
        try:
            await self.hub.run(self._carry_out(None, decide, tending=True))
        except Stale:
            logger.warning("room %s is looked after by another worker", self.id)
            self.hub.leases.drop([self.id])
            self.caretaker.close()

    async def _decide(self, key: str | None, decide: Decision, *, tending: bool) -> None:
        if key is not None and (key in self.state.command_ids or key in self._no_op_ids):
            return
        if tending and not self.is_leased:
            return
        happenings = decide()
        if happenings:
            await self._write({}, happenings, key, self.hub.leases.lease(self.id) if tending else None)
        elif key is not None:
            self._no_op_ids[key] = None
            if len(self._no_op_ids) > NO_OPS_KEPT:
                del self._no_op_ids[next(iter(self._no_op_ids))]

    async def _write(
        self,
        others: Mapping[str, Sequence[Event]],
        happenings: list[NewEvent],
        key: str | None,
        lease: Lease | None = None,
    ) -> None:
        """Put events on disk, those of new rooms (`others`) with them, and then let them happen."""
        if self.hub.closing:
            raise Closing("the server is stopping")
        if self.fault:
            raise Damaged("this room was damaged on the disk: it can be looked at, and nothing can be done in it")
        events = number_events(happenings, self.state.seq + 1, key)
        batches = [(room_id, made, stays_awake(None, made)) for room_id, made in others.items()]
        await self.hub.store.append_batches([(self.id, events, stays_awake(self.state, events)), *batches], lease=lease)
        self._apply_events(events)

    async def _catch_up(self) -> None:
        """Take the events that the log has and this room has not."""
        self._apply_events(await asyncio.to_thread(self.hub.store.events, self.id, self.state.seq))

    async def receive(self, events: Sequence[Event]) -> None:
        """Let happen what others have written."""
        async with self._lock:
            fresh = [event for event in events if event.seq > self.state.seq]
            if fresh:
                self._apply_events(fresh)

    def _apply_events(self, events: Sequence[Event]) -> None:
        for event in events:
            self._apply_event(event)
        self.last_used = time.monotonic()
        if any(event.kind != "played" for event in events):
            self._names = []
        if any(event.kind in SEATING_EVENTS for event in events):
            self.hub.index_people(self)
        if self._shows_at_once(events):
            instant = self.presence.tell_at_once(self.state.seq)
            self.race_shown_at = instant if any(map(self.is_racing, self.state.open_decisions)) else None
        elif not self._tell_privately(events):
            self.tell()
        self.attend()

    def _shows_at_once(self, events: Sequence[Event]) -> bool:
        """Whether what happened must be seen by all at the same instant: what was held has fallen, a race is on."""
        game = self.state.game
        decided = [event.body for event in events if event.kind == "played"] if game.suspense or game.races else []
        if any(body["seat"] == CHANCE and game.is_suspense(game.actions.number(body["code"])) for body in decided):
            return True
        fresh = [seat for seat, moment in self.state.open_decisions.items() if moment > self.moments - len(decided)]
        return any(map(self.is_racing, fresh))

    def _apply_event(self, event: Event) -> None:
        """Let one event happen; what it shows is shown after what is being shown already."""
        before = self.view(None) if event.kind == "played" and self.hub.scenes else None
        apply_event(self.state, event)
        self._views.clear()
        self._measures_cache = None
        if before is not None:
            pace, heard = self.state.settings.pace, self.heard_action(self.moments, None)
            lasts = scene_length(before, self.view(None), heard, pace) / 1000
            self.scene_until = max(self.scene_until, time.monotonic()) + lasts if lasts else self.scene_until

    def _tell_privately(self, events: Sequence[Event]) -> bool:
        """Of guesses nobody else is told, not even that there are any."""
        if not events or any(event.kind not in PRIVATE_EVENTS for event in events):
            return False
        for event in events:
            person = self.state.occupants[event.body["seat"]].person if "seat" in event.body else None
            writer = event.body.get("id", person and person.id)
            if writer is not None:
                self.presence.tell(self.state.seq, writer)
            if event.kind == "reported":
                logger.warning("room %s: a speaker was reported: %s", self.id, event.body["lines"])
        return True

    def tell(self) -> None:
        """Let everybody connected look again."""
        self.presence.tell(self.state.seq)

    async def _rematch(self, person: Person, command: Rematch, key: str) -> None:
        async with self._lock:  # a conflict may also be that a room at rest has the code
            await self._retry_on_conflict(lambda: self._open_rematch(person, command, key))

    async def _open_rematch(self, person: Person, command: Rematch, key: str) -> None:
        if self.state.next_room is not None:
            return
        happenings = rematch_events(self, person, command.level)
        code = self.hub.new_code(public=self.state.settings.public)
        first = number_events(happenings, 1, None)
        await self._write({code: first}, [("rematch", {"room": code})], key)
        self.hub.inherit_creator(self.id, code)
        self.hub.add_room(Room(self.hub, code, fold(first)))

    def spend_line(self, person_id: str) -> None:
        """Count a line of chat; `TooFast` where somebody writes too many."""
        now = time.monotonic()
        spoke = self._line_times.setdefault(person_id, deque(maxlen=CHAT_LINES))
        if len(spoke) == CHAT_LINES and now - spoke[0] < CHAT_WINDOW:
            raise TooFast("at most {lines} lines in {seconds} seconds", lines=CHAT_LINES, seconds=int(CHAT_WINDOW))
        spoke.append(now)
