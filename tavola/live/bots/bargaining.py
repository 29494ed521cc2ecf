"""Bots that negotiate in one room: they speak when a decision opens, answer statements, and give people time to reply.

Bots' statements are logged like those of people, and invalid ones are dropped. A bot chooses only after the people who
can address it, or whom it has asked, have had time to speak or have chosen. Its offer to a person stands until they
answer or decide, and it waits for that. The timing never depends on hidden cards.
"""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Collection, Iterable, Iterator

from tavola.bargain import BARGAINING_LEVELS, Bargainer, Heard
from tavola.bargain.tempers import TEMPERS
from tavola.core import Moment, View
from tavola.core.compilation import is_interpreted
from tavola.live.commands.speak import SpeakForBot
from tavola.live.log.people import HASTE_FACTORS
from tavola.live.room_refusals import Closing
from tavola.live.room_server import TendedRoom
from tavola.show.cards import words_of
from tavola.talk import Act, Said, Statement, Status, statement_texts

SPEAKING = 2.0
"""Maximum seconds to wait for bots' statements after a decision has opened."""
OFFERED = 3600.0
"""Maximum seconds to wait for the answer to an offer of a person who decides meanwhile; then it is taken back."""
STAND_IN_TEMPER = "faithful"
"""Temper of a bot that decides for a person: it makes no statements and keeps the person's promises."""
ASKING = (Act.REQUEST, Act.OFFER, Act.ASK)
_dice = secrets.SystemRandom()
logger = logging.getLogger(__name__)

Turn = Callable[[Bargainer, View, Heard], list[Statement]]


class Bargaining:
    """Negotiation of a room's bots. The room's caretaker calls `update` after every change."""

    def __init__(self, room: TendedRoom) -> None:
        self._room = room
        self._bargainers: dict[int, tuple[str, str, Bargainer]] = {}
        self._opened: dict[int, Moment] = {}  # by seat: moments of the decisions that bots have spoken about
        self._opened_at = 0.0  # by the loop's clock
        self._heard = 0  # number of statements that bots have been asked to answer
        self._pending: list[Turn] = []
        self._choosing: dict[int, Moment] = {}  # by seat: moment of the decision that its bot is about to make
        self._undone = 0  # decisions that had been taken back
        self._task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def update(self) -> None:
        """Let bots speak about decisions that have opened, and answer new statements."""
        state = self._room.state
        if not state.cast_seats:  # only the cast speaks
            return
        self._wake()
        if self._undone != len(state.undone):  # decisions at the same moments are open again
            self._undone = len(state.undone)
            self._opened.clear()
            self._choosing.clear()
        if not self._may_talk():
            return
        opened, said = dict(state.open_decisions), len(state.talk.said) if state.talk is not None else 0
        fresh = {seat for seat, moment in opened.items() if self._opened.get(seat) != moment}
        if fresh and not state.is_mid_turn(fresh):
            self._opened_at = max(asyncio.get_running_loop().time(), self._room.scene_until)
            self._pending.append(Bargainer.speak)
        if said > self._heard:
            self._pending.append(Bargainer.answer)
        self._opened, self._heard = opened, said
        if self._pending and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._talk())

    def _wake(self) -> None:
        """Wake every waiter once: an event that stayed set would make them loop without a pause."""
        self._changed.set()
        self._changed = asyncio.Event()

    def close(self) -> None:
        """Stop all talk of bots."""
        if self._task is not None:
            self._task.cancel()

    def player(self, seat: int) -> Bargainer | None:
        """Return the negotiating bot that decides for a seat, or None."""
        place, settings = self._room.state.occupants[seat], self._room.server.settings
        level = place.level or settings.level
        if level not in BARGAINING_LEVELS or not self._is_on() or not place.bot_decides:
            return None
        named = place.member.temper if place.member is not None else STAND_IN_TEMPER
        temper = named if named in TEMPERS else STAND_IN_TEMPER  # a log's cast can be from another version
        known = self._bargainers.get(seat)
        if known is None or known[:2] != (level, temper):
            known = self._bargainers[seat] = level, temper, Bargainer(level, temper, secrets.randbits(63))
        return known[2]

    def listener(self, seat: int | None) -> tuple[Bargainer, Heard] | None:
        """Return a seat's negotiating bot and what it has heard, or None if there is none or no one has spoken."""
        talk = self._room.state.talk
        player = self.player(seat) if seat is not None and talk is not None and talk.said else None
        return (player, self.heard(seat)) if seat is not None and player is not None else None

    def heard(self, seat: int) -> Heard:
        """Return what a seat has heard."""
        state = self._room.state
        since = state.open_decisions.get(seat, max(state.open_decisions.values(), default=state.moment))
        whispers = state.settings.talk == "free"
        return Heard.of(state.game, state.talk, seat, state.moments, since, may_whisper=whispers)

    async def before_choosing(self, seats: Collection[int]) -> None:
        """Wait until bots have spoken and people have had time to reply; then withdraw the bots' open statements."""
        if not any(self.speaks(seat) for seat in seats) or not self._may_talk():
            return
        while (left := self._left(seats)) > 0 and not self._room.server.tasks.closing:
            changed = self._changed
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), left)
        for seat in seats:
            player = self.player(seat)
            if player is not None and self.speaks(seat) and self._room.state.talk is not None:
                await self._say(seat, player.take_back(self.heard(seat)))
        moments = self._room.state.open_decisions
        self._choosing |= {seat: moments[seat] for seat in seats if seat in moments}

    def speaks(self, seat: int) -> bool:
        """Return whether a seat belongs to a bot of the cast that negotiates."""
        return self._room.state.occupants[seat].member is not None and self.player(seat) is not None

    # Talk

    async def _talk(self) -> None:
        room, loop = self._room, asyncio.get_running_loop()
        try:
            await asyncio.sleep(max(0.0, room.scene_until - loop.time()))
            while self._pending:
                turn = self._pending.pop(0)
                seats = [seat for seat in range(len(room.state.occupants)) if self.speaks(seat)]
                for seat in _dice.sample(seats, len(seats)):
                    await self._take_turn(seat, turn)
        except Closing:
            pass  # the server is shutting down
        except Exception:  # a failure must not stop the match
            logger.exception("room %s: bots failed to negotiate", room.id)
        finally:
            self._wake()

    async def _take_turn(self, seat: int, turn: Turn) -> None:
        if (player := self.player(seat)) is None or not self._may_talk() or self._has_chosen(seat):
            return
        view, heard = self._room.view(seat), self.heard(seat)
        if turn is Bargainer.answer and not heard.unanswered():
            return
        bargain = self._room.server.bot_processes.bargain
        said = await bargain(self._room.id, self._room.state, player, lambda bot: turn(bot, view, heard))
        await self._say(seat, said)

    async def _say(self, seat: int, statements: list[Statement]) -> None:
        language = self._room.state.conversation().language
        for statement in statements:
            await self._room.execute_internal(SpeakForBot(seat, statement_texts(statement, language)))

    # Time

    def _left(self, seats: Collection[int]) -> float:
        now = asyncio.get_running_loop().time()
        spoken = self._opened_at + SPEAKING * HASTE_FACTORS[self._room.state.haste]
        speaking = spoken - now if self._task is not None and not self._task.done() else 0.0
        people = self._people()
        reading = self._opened_at + self._reading - now if people else 0.0
        asked = self._left_for("asked", self._reading, (at for _, at in self._open_to(people)))
        return max(speaking, reading, asked, self._offered_left(seats, people))

    @property
    def _reading(self) -> float:
        """Return the seconds that people get; a room of programs needs none."""
        return 0.0 if self._room.is_for_programs else self._room.server.settings.reading

    def _people(self) -> set[int]:
        return set(self._room.state.deciding_people)

    def _offered_left(self, seats: Collection[int], people: set[int]) -> float:
        """Return how long open offers of bots wait for people who can still answer, in a match without days."""
        if self._room.state.settings.days or not self._reading:
            return 0.0
        asked = ((said.statement, at) for said, at in self._open_to(people))
        offers = (at for statement, at in asked if statement.act is Act.OFFER and statement.speaker in seats)
        return self._left_for("offered", OFFERED, offers)

    def _open_to(self, people: set[int]) -> Iterator[tuple[Said, float]]:
        """Yield the open statements that wait for an answer of one of these people, with their times."""
        talk, times = self._room.state.talk, self._room.state.statement_times
        for said, at in zip(talk.said, times, strict=True) if talk is not None else ():
            if said.statement.act in ASKING and said.status is Status.OPEN and said.statement.to in people:
                yield said, at

    def _left_for(self, kind: str, longest: float, times: Iterable[float]) -> float:
        """Return what is left of `longest` seconds after the last of these times; 0 if there is none."""
        if (last := max(times, default=None)) is None:
            return 0.0
        return self._room.deadlines.moment(kind, last + longest, longest) - time.monotonic()

    # Permission

    def _is_on(self) -> bool:
        state, settings = self._room.state, self._room.server.settings
        talks = words_of(state.game).talk is not None and state.settings.talk != "silent"
        return talks and settings.has_own_bots and not is_interpreted(state.game.source_folder)

    def _may_talk(self) -> bool:
        state = self._room.state
        match = state.match
        plays = state.phase == "playing" and match is not None and not match.open and not state.owed_seals
        return plays and self._is_on() and state.haste != "end"  # no one who decides would read it

    def _has_chosen(self, seat: int) -> bool:
        """Return whether a seat has chosen, or is about to, while others still choose."""
        state = self._room.state
        if seat in state.open_decisions:
            return self._choosing.get(seat) == state.open_decisions[seat]
        if state.match is None:
            return False
        since = min(state.open_decisions.values(), default=state.moment)
        return any(actor == seat for actor, _ in state.match.history[since.actions :])
