"""Automatic actions of a room: bots decide, time runs out, chance outcomes fall, a rematch begins.

All delays start when the last action has been shown. A bot always answers after one pause, or after the next full pause
if it is late, so its delay reveals nothing. Races and open decisions use a random delay like a person's instead. A bot
does not leave an open decision in the first minute, because a person may still have an offer for it.
"""

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from tavola.core import View
from tavola.core.plan import make_plan
from tavola.live.bots.bargaining import Bargaining
from tavola.live.commands import server_commands as commands
from tavola.live.commands.ahead import PlayAhead
from tavola.live.commands.ballot_window import CloseWindow, OpenWindow, is_on
from tavola.live.commands.commands import BotAnswer
from tavola.live.commands.speak import SpeakForBot
from tavola.live.commands.undo import ANSWERED_WITHIN, EndUndo
from tavola.live.correspondence.care import Correspondence
from tavola.live.correspondence.hours import DAY
from tavola.live.log.draft import Draft
from tavola.live.log.people import HASTE_FACTORS, PAUSE_FACTORS
from tavola.live.log.state import READY_WITHIN
from tavola.live.protocol import MOST_STEPS
from tavola.live.room_refusals import Closing
from tavola.live.room_server import TendedRoom
from tavola.live.time.clocks import DecisionClock, clocks_from_handover, clocks_from_log, elapsed_patience, usable_bank
from tavola.live.time.delays import BarterPaces
from tavola.live.time.race import Reaction
from tavola.live.time.self_play import SelfPlay

RETRY = 1.0
"""Seconds before a failed action is tried again."""
STEP_FACTOR = 0.4
"""A bot's pause before a further step of its turn, relative to its pause before the first."""
BRIEF_FACTOR = 0.25
"""A bot's pause before a decision of the game's `brief` kind: three bots in turn answer within a second."""
BARTER_FACTOR = 6.0
"""Time between two actions of a bot in an open decision with people, in pauses."""
LOOK_UP = 1.0
"""Seconds after which a bot that could leave a barter checks whether people are still there."""
LONGEST_LESSON = 180.0
"""Maximum seconds for which clocks wait for a player in the tutorial."""
WINDOW_LOOK = 0.1
"""Seconds between two checks whether everyone has talked enough."""
Work = Callable[[], Coroutine[Any, Any, None]]
logger = logging.getLogger(__name__)


class Caretaker:
    """Bots and clocks of one room; `update` is called after every change."""

    def __init__(self, room: TendedRoom, bargaining: Bargaining) -> None:
        self._room, self._server, self._bargaining = room, room.server, bargaining
        self._prompted: dict[int, int] = {}  # prompt by seat
        self._decision_clocks: dict[int, DecisionClock] = {}  # by seat
        self._ended: dict[int, DecisionClock] = {}  # by seat: clocks that have run out, until the time-out is played
        self._handover: object = None  # the last handover by another worker
        self._adopted = False
        self._moments = -1  # public actions at the last update of the clocks
        self._lessons: dict[int, float] = {}  # by seat: until when clocks wait, by the loop's clock; once per match
        self._timer: asyncio.TimerHandle | None = None
        self._ready_timer: asyncio.TimerHandle | None = None
        self._under_way: set[Work] = set()
        self._awaits_game = False
        self._barter_open, self._haste = False, ""
        self._skipped_at = -math.inf  # when the scene was last skipped
        self._skipped = asyncio.Event()
        self._answering_ahead: set[tuple[int, int]] = set()  # seats and prompts with answers ahead
        self._undo_answered = asyncio.Event()  # set while no request to undo is open
        self._paces = BarterPaces()
        self._self_play = SelfPlay(room, self.run_due, self._sleep_or_skip)
        self.correspondence = Correspondence(room, self.run_due)

    def update(self) -> None:
        """Ask the bots that owe a decision; start the clocks of people who do.

        If another worker looks after the room, only follow its clocks, to show them here.
        """
        state, tended = self._room.state, self._room.is_leased
        prompts = {seat: state.decision_counts[seat] for seat in state.open_decisions}
        self._note_barter()
        self._note_haste()
        if tended and not self._room.is_idle:
            if not self._self_play.plays_for_all(prompts):
                self._ask(prompts)
            if state.in_suspense and not state.owed_seals:  # the last sealed answer releases the outcome
                self._run_once(self._end_suspense)
            self._await_undo()
        self._adopt_clocks()
        since = max(asyncio.get_running_loop().time(), self._room.scene_until)
        begun, unnoticed = DecisionClock(0, since, by_person=False), self._moments == state.moments
        self._moments = state.moments
        self._decision_clocks = {
            seat: self._next_clock(seat, begun._replace(prompt=prompt), unnoticed=unnoticed)
            for seat, prompt in prompts.items()
        }
        self._wait_for_lessons()
        self.correspondence.update(tended=tended)
        if tended:
            self._set_timer()
            self._await_ready()
            self._await_game()

    def _ask(self, prompts: dict[int, int]) -> None:
        """Ask all who owe a decision in which someone has a choice."""
        occupants = self._room.state.occupants
        self._bargaining.update()
        self._prompt_bots({seat: prompt for seat, prompt in prompts.items() if occupants[seat].bot_decides})
        self._self_play.update(prompts)
        self._await_answers_ahead(prompts)
        if is_on(self._room.state):
            self._run_once(self._end_window)

    def deadline(self, seat: int) -> float | None:
        """Return when the time of a seat runs out, in seconds since 1970; None if it does not."""
        due, owed = self._room.state.dues.get(seat), self._decision_clocks.get(seat)
        if due is not None:
            return due.until
        end = self._end(seat, owed) if owed is not None else math.inf
        return self._server.clock.wall_at(end) if end < math.inf else None

    def bank_begins(self, seat: int) -> float | None:
        """Return when a seat starts to use its time bank, in seconds since 1970; None if it does not."""
        owed, patience = self._decision_clocks.get(seat), self._room.state.settings.patience
        if owed is None or not owed.by_person or not usable_bank(self._room.state, seat):
            return None
        return self._server.clock.wall_at(owed.own_end(patience))

    def bank_spent(self) -> dict[int, float]:
        """Return by seat the seconds of its time bank used for open decisions, which are not in the log yet."""
        state = self._room.state
        if not state.settings.bank:
            return {}
        now, patience = asyncio.get_running_loop().time(), state.settings.patience
        spent = {
            seat: owed.bank_spent(patience, usable_bank(state, seat), now)
            for seat, owed in {**self._decision_clocks, **self._ended}.items()
            if owed.prompt == state.prompt_id(seat)
        }
        return {seat: seconds for seat, seconds in spent.items() if seconds}

    def _end(self, seat: int, owed: DecisionClock) -> float:
        return owed.ends(self._room.state.settings.patience, usable_bank(self._room.state, seat))

    def begin_lesson(self, seat: int) -> None:
        """Hold a seat's clock, once per match, while its player is in the tutorial.

        A clock that is shared, as in barter, waits too.
        """
        if seat not in self._lessons:
            self._lessons[seat] = asyncio.get_running_loop().time() + LONGEST_LESSON
            self.update()

    def end_lesson(self, seat: int) -> None:
        """Start the clock of a seat whose player is back from the tutorial."""
        now = asyncio.get_running_loop().time()
        if self._lessons.get(seat, now) <= now:
            return
        before, self._lessons[seat] = self._lessons[seat], now
        back = max(now, self._lessons_end())
        for other, owed in self._decision_clocks.items():
            if owed.since == before and (other == seat or owed.period is not None):
                self._decision_clocks[other] = owed._replace(since=max(back, self._room.scene_until))
        self.update()

    def _lessons_end(self) -> float:
        return max(self._lessons.values(), default=0.0)

    def _wait_for_lessons(self) -> None:
        now, talked = asyncio.get_running_loop().time(), self._room.window_ends or 0.0
        for seat, owed in self._decision_clocks.items():
            until = max(talked, self._lessons_end() if owed.period is not None else self._lessons.get(seat, 0.0))
            if until > max(now, owed.since):
                self._decision_clocks[seat] = owed._replace(since=until)

    def handover(self) -> commands.HandOver:
        """Return the time that each open decision has used, and what it has used of the time bank."""
        spent = self.bank_spent()
        return commands.HandOver(elapsed_patience(self._decision_clocks, spent), spent)

    @property
    def has_deadline(self) -> bool:
        """Whether the clock of any seat will run out."""
        has_limit = any(owed.is_limited for owed in self._decision_clocks.values())
        return bool(self._room.state.settings.patience) and has_limit

    def hurry(self) -> None:
        """Let pausing bots answer at once, because the scene was skipped; not in barter."""
        if not self._barter_open or self._haste:
            self._skipped_at = asyncio.get_running_loop().time()
            self._skipped.set()
            self._skipped.clear()

    def close(self) -> None:
        """Stop the clocks and forget the bots that were asked."""
        self._prompted.clear()
        for timer in filter(None, (self._timer, self._ready_timer)):
            timer.cancel()
        self._timer = self._ready_timer = None

    # Bots

    def _prompt_bots(self, prompts: dict[int, int]) -> None:
        self._prompted = {seat: asked for seat, asked in self._prompted.items() if prompts.get(seat) == asked}
        fresh = {seat: prompt for seat, prompt in prompts.items() if seat not in self._prompted}
        self._prompted.update(fresh)
        racing = {seat: prompt for seat, prompt in fresh.items() if self._room.state.is_racing(seat)}
        for seat, prompt in racing.items():
            self._server.tasks.spawn(self._answer_race(seat, prompt))
        together = {seat: prompt for seat, prompt in fresh.items() if seat not in racing}
        if together and self._room.state.is_open_to_people:
            for seat, prompt in together.items():
                self._server.tasks.spawn(self._answer_at_own_pace(seat, prompt))
        elif together:
            self._server.tasks.spawn(self._answer_prompts(together))

    async def _answer_prompts(self, prompts: dict[int, int]) -> None:
        room, pause = self._room, self._pause(prompts)
        async with self._retried("a bot failed to answer"):
            await self._bargaining.before_choosing(prompts)
            turns = await asyncio.gather(*map(self._think_turn, prompts))
            await self._sleep_pause(pause)
            await sleep_fully(lambda: WINDOW_LOOK if is_on(room.state) else 0.0)
            await self._undo_answered.wait()
            answers = map(BotAnswer, prompts.values(), turns)
            await room.execute_internal(commands.DecideForBots(dict(zip(prompts, answers, strict=True))))
        self._prompt_again(prompts)

    async def _answer_at_own_pace(self, seat: int, prompt: int) -> None:
        room, loop, pause = self._room, asyncio.get_running_loop(), self._server.settings.bot_pause
        owed, now = self._decision_clocks.get(seat), loop.time()
        end = owed.ends(room.state.settings.patience) if owed is not None else math.inf
        due = self._paces.due(seat, now, pause, pause * BARTER_FACTOR, end - now)
        async with self._retried("a bot failed to answer"):
            turn = await self._think_turn(seat)
            timed = room.state.time_out(seat)
            leaves = timed is not None and turn == [room.state.game.actions.number(timed.code)]
            await self._sleep_or_skip(lambda: max(0.0 if self._haste else due, room.scene_until) - loop.time())
            if leaves and room.state.prompt_id(seat) == prompt and self._stay_left(seat, prompt) > 0:
                room.note_pass(seat, prompt)
            if leaves:
                await sleep_fully(lambda: min(self._stay_left(seat, prompt), LOOK_UP))
            if room.state.prompt_id(seat) == prompt:
                self._paces.note_act(seat, loop.time())
                await room.execute_internal(commands.DecideForBots({seat: BotAnswer(prompt, turn)}))
        self._prompt_again({seat: prompt})

    def _stay_left(self, seat: int, prompt: int) -> float:
        """Return how many more seconds a bot that could leave stays; 0 if its decision is not the same any more."""
        owed, stay = self._decision_clocks.get(seat), self._server.settings.bot_stay
        if owed is None or self._room.state.prompt_id(seat) != prompt or not self._room.state.is_open_to_people:
            return 0.0
        return owed.since + stay - asyncio.get_running_loop().time()

    async def _answer_race(self, seat: int, prompt: int) -> None:
        """Answer for a bot in a race as quickly as a person of its level would, however long it thinks."""
        room, now = self._room, time.monotonic()
        level = room.state.occupants[seat].level or self._server.settings.level
        seconds = self._server.settings.reflexes(level, len(room.view(seat).legal))
        reaction = None if room.race_shown_at is None else Reaction(now - room.race_shown_at + seconds)
        async with self._retried("a bot failed to answer"):
            turn = await self._think_turn(seat)
            await asyncio.sleep((now + seconds - time.monotonic()) * HASTE_FACTORS[self._haste])
            await room.execute_internal(commands.DecideForBots({seat: BotAnswer(prompt, turn, reaction)}))
        self._prompt_again({seat: prompt})

    async def _think_turn(self, seat: int) -> list[int]:
        """Return the steps of a seat's bot, based on its view when the decision opened.

        Steps that no one else can notice are played together, so that even their number stays hidden. Steps that can
        be planned are also played together, as a person plays them.
        """
        state, dice = self._room.state, self._server.settings.dice
        if seat in state.owed_seals:  # no answer is better than another before chance has fallen
            return [dice.draw_one(state.owed_seals[seat])]
        level, view = state.occupants[seat].level, state.view(seat, state.open_decisions[seat])
        assert state.match is not None
        draft = Draft(state.match, dice)
        turn = [await self._think(seat, level, view)]
        while len(turn) < MOST_STEPS and turn[-1] in draft.legal(seat):
            draft.play(seat, turn[-1])
            if (following := draft.view_if_unseen(seat) or _planned_view(view, turn)) is None:
                break
            turn.append(await self._think(seat, level, following))
        return turn

    async def _think(self, seat: int, level: str | None, view: View) -> int:
        room, bot_processes = self._room, self._server.bot_processes
        number = await bot_processes.think(room.id, room.state, level, view, self._bargaining.listener(seat))
        for texts in bot_processes.said_before_choice(room.id, level, seat):
            await room.execute_internal(SpeakForBot(seat, texts))
        return number

    def _prompt_again(self, prompts: dict[int, int]) -> None:
        for seat, prompt in prompts.items():
            if self._prompted.get(seat) == prompt:
                del self._prompted[seat]
        if not self._server.tasks.closing:
            self.update()

    def _pause(self, prompts: dict[int, int]) -> "Pause":
        """Return the bots' pause and its start, which depend only on public information."""
        room, now = self._room, asyncio.get_running_loop().time()
        pause = self._server.settings.bot_pause * PAUSE_FACTORS[room.state.settings.pace] * HASTE_FACTORS[self._haste]
        if room.state.is_brief(prompts):
            pause *= BRIEF_FACTOR
        elif room.state.is_mid_turn(prompts):
            pause *= STEP_FACTOR
        return Pause(max(now, room.scene_until), pause, now)

    def _note_barter(self) -> None:
        match = self._room.state.match
        was, self._barter_open = self._barter_open, match is not None and match.open
        if self._barter_open and not was:
            self._paces.begin(max(asyncio.get_running_loop().time(), self._room.scene_until))

    def _note_haste(self) -> None:
        """End the pauses of bots when the last person has started to sit out."""
        was, self._haste = self._haste, self._room.state.haste
        if self._haste != was and self._haste:
            self._room.scene_until = min(self._room.scene_until, asyncio.get_running_loop().time())
            self.hurry()

    async def _sleep_pause(self, pause: "Pause") -> None:
        """Sleep until the next full pause, and until the current scene has been shown or skipped."""
        loop = asyncio.get_running_loop()
        end = loop.time() + pause_left(loop.time() - pause.since, pause.seconds)
        await self._sleep_or_skip(lambda: end - loop.time() if self._skipped_at <= pause.begun else 0.0)
        await self._sleep_or_skip(lambda: self._room.scene_until - loop.time())

    async def _sleep_or_skip(self, left: Callable[[], float]) -> None:
        """Sleep until `left()` is 0, and call it again after every skip."""
        while (seconds := left()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._skipped.wait(), seconds)

    def _await_answers_ahead(self, prompts: dict[int, int]) -> None:
        state = self._room.state
        waiting = {seat for seat in state.ahead if not state.occupants[seat].bot_decides}
        owed = {(seat, prompt) for seat, prompt in prompts.items() if seat in waiting}
        self._answering_ahead &= owed
        for seat, prompt in owed - self._answering_ahead:
            self._answering_ahead.add((seat, prompt))
            self._server.tasks.spawn(self.run_due(partial(self._play_ahead, seat, prompt)))

    async def _play_ahead(self, seat: int, prompt: int) -> None:
        """Play an answer ahead after a bot's pause, so that the delay does not reveal how many answers were given."""
        try:
            await self._sleep_pause(self._pause({seat: prompt}))
            await self._room.execute_internal(PlayAhead(seat, prompt))
        except Exception:
            self._answering_ahead.discard((seat, prompt))
            raise

    # Time

    def _next_clock(self, seat: int, begun: DecisionClock, *, unnoticed: bool) -> DecisionClock:
        """Return the clock of a seat's decision: `begun` if it is new, a shared one in barter.

        A player who returns to a decision gets the full time again, but only once. An `unnoticed` action restarts no
        clock, because others would see when it ends.
        """
        known, person = self._decision_clocks.get(seat), not self._room.state.occupants[seat].bot_decides
        timed = self._room.state.time_out(seat)
        if timed is not None and self._barter_open:
            shared = next((owed for owed in self._decision_clocks.values() if owed.period == timed.period), begun)
            return shared._replace(prompt=begun.prompt, by_person=person, time_out=timed, period=timed.period)
        begun = begun._replace(in_race=timed is not None and self._room.state.is_racing(seat))
        if known is None or (known.prompt != begun.prompt and not unnoticed):
            return begun._replace(by_person=person, time_out=timed)
        known = known._replace(prompt=begun.prompt)
        if person and not known.by_person and not known.renewed:
            return begun._replace(by_person=person, time_out=timed, renewed=True)
        if person and not known.by_person and self._room.state.settings.bank:
            return self._without_bank_used(known)._replace(by_person=True)
        return known._replace(by_person=person)

    def _without_bank_used(self, known: DecisionClock) -> DecisionClock:
        """Return a clock moved back to the start of its time bank: what was used of that is in the log."""
        now, own = asyncio.get_running_loop().time(), known.own_end(self._room.state.settings.patience) - known.since
        return known._replace(since=max(known.since, now - own))

    def _adopt_clocks(self) -> None:
        """Adopt the clocks of another worker: from its handover, or from the log of a room that is or was its own."""
        first, self._adopted, now = not self._adopted, True, self._server.settings.clock()
        if self._room.state.clock_handover is not self._handover:
            self._handover = self._room.state.clock_handover
            self._decision_clocks |= clocks_from_handover(self._room.state, now, barter=self._barter_open)
        if first and (not self._room.is_leased or self._server.leases.is_inherited(self._room.id)):
            scenes = self._server.settings.scenes
            told = clocks_from_log(self._room.state, now, barter=self._barter_open, scenes=scenes)
            self._decision_clocks = told | self._decision_clocks

    def _set_timer(self) -> None:
        first = min((self._end(seat, owed) for seat, owed in self._decision_clocks.items()), default=math.inf)
        if first == math.inf or (self._timer is not None and self._timer.when() <= first):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(first, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        late = {seat: owed for seat, owed in self._decision_clocks.items() if self._end(seat, owed) <= now}
        if late:
            self._server.tasks.spawn(self.run_due(partial(self._end_time, late)))
        else:
            self._set_timer()

    async def _end_time(self, late: dict[int, DecisionClock]) -> None:
        """Play the game's time-out actions, all at once; for seats without one a bot decides from now on."""
        timed = {seat: owed for seat, owed in late.items() if owed.time_out is not None}
        self._ended |= timed
        # Seats that still owe a decision get a new clock.
        self._decision_clocks = {seat: owed for seat, owed in self._decision_clocks.items() if seat not in timed}
        try:
            if timed:
                period = next(owed.period for owed in timed.values())
                await self._room.execute_internal(commands.RunOut(_prompts(timed), period))
        finally:
            self._ended = {seat: owed for seat, owed in self._ended.items() if timed.get(seat) is not owed}
        if late.keys() - timed.keys():
            left = {seat: owed for seat, owed in late.items() if seat not in timed}
            await self._room.execute_internal(commands.TakeOver(_prompts(left)))

    async def _end_suspense(self) -> None:
        """Release a chance outcome at the time in the log, which a restart does not change.

        A time that is past, or too near for people to be back, is drawn again.
        """
        room, suspense = self._room, self._server.settings.suspense
        if room.state.held_until is None or self._chance_left() < suspense.shortest:
            await room.execute_internal(commands.HoldChance(suspense.draw() * HASTE_FACTORS[self._haste]))
        await sleep_fully(self._chance_left)
        await room.execute_internal(commands.ReleaseChance())

    def _chance_left(self) -> float:
        room = self._room
        until, longest = room.state.held_until, self._server.settings.suspense.longest + room.scene_left
        return room.deadlines.moment("held", until, longest) - time.monotonic() if until is not None else 0.0

    async def _end_window(self) -> None:
        room = self._room
        await room.execute_internal(OpenWindow())
        await sleep_fully(lambda: min(WINDOW_LOOK, (room.window_ends or 0.0) - time.monotonic()))
        if room.state.window is not None:
            await room.execute_internal(CloseWindow(room.state.window.until))

    def _await_undo(self) -> None:
        if self._room.state.undo_request is None:
            self._undo_answered.set()
            return
        self._undo_answered.clear()
        self._run_once(self._end_undo)

    async def _end_undo(self) -> None:
        """End the request when its time is up; one that was answered before then leaves nothing to do."""
        room, asked = self._room, self._room.state.undo_request
        if asked is not None:
            longest = DAY if room.state.settings.days else ANSWERED_WITHIN
            left = room.deadlines.moment("undo", asked.until, longest) - time.monotonic()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._undo_answered.wait(), max(0.0, left))
            await room.execute_internal(EndUndo(asked.until))

    def _run_once(self, work: Work) -> None:
        """Do what is due, unless that is under way."""

        async def run() -> None:
            try:
                await work()
            finally:
                self._under_way.discard(work)

        if work not in self._under_way:
            self._under_way.add(work)
            self._server.tasks.spawn(self.run_due(run))

    async def run_due(self, work: Work) -> None:
        """Do what is due, then update the room."""
        async with self._retried("a scheduled task failed"):
            await work()
        self.update()

    @contextlib.asynccontextmanager
    async def _retried(self, failure: str) -> AsyncIterator[None]:
        """Log a failure and pause before the caller tries again, so that no failure stops the match."""
        try:
            yield
        except Closing:
            pass
        except Exception:
            logger.exception("room %s: %s", self._room.id, failure)
            await asyncio.sleep(RETRY)

    # Rematches, and matches that an old log only began

    def _await_ready(self) -> None:
        room = self._room
        if room.state.phase != "gathering" or not room.state.is_rematch:
            if self._ready_timer is not None:
                self._ready_timer.cancel()
                self._ready_timer = None
        elif self._ready_timer is None:  # only once: after that the host starts the match
            left = self._server.clock.left(room.state.ready_until, READY_WITHIN)
            self._ready_timer = asyncio.get_running_loop().call_later(left, self._begin)

    def _begin(self) -> None:
        self._server.tasks.spawn(self.run_due(partial(self._room.execute_internal, commands.Begin())))

    def _await_game(self) -> None:
        """Start a match whose start is in the log: an old server may have stopped while it compiled the game."""
        if self._room.state.start_pending and self._room.state.phase == "gathering" and not self._awaits_game:
            self._awaits_game = True
            self._begin()


class Pause(NamedTuple):
    """Pause of bots: its start by the loop's clock, and its length; late answers come at multiples of the length.

    `begun`: when the decision opened, even if a scene is still being shown.
    """

    since: float
    seconds: float
    begun: float = 0.0


def _prompts(owed: Mapping[int, DecisionClock]) -> dict[int, int]:
    return {seat: one.prompt for seat, one in owed.items()}


def _planned_view(view: View, turn: Sequence[int]) -> View | None:
    """Return the view after steps that can be planned, or None if the plan ends there."""
    if view.open or not all(view.game.actions.verb(number).planned for number in turn):
        return None
    planned = make_plan(view, turn)
    return None if planned.stop else planned.view


async def sleep_fully(left: Callable[[], float]) -> None:
    """Sleep until `left()` is 0, and never less: the loop's timers are only exact to the millisecond."""
    while (seconds := left()) > 0:  # noqa: ASYNC110 - a time, not a condition
        await asyncio.sleep(seconds)


def pause_left(thought: float, pause: float) -> float:
    """Return the seconds until the next full pause; `thought`: seconds since the decision was shown, below 0 before."""
    return max(0.0, max(1, math.ceil(thought / pause)) * pause - thought if pause else -thought)
