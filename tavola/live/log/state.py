"""The state of a room: all that its log tells, and the answers to what is asked of it.

`fold` makes it out of events. Nothing here knows who is connected, what time it is or what lies on the disk.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Container
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Literal, NamedTuple

from tavola.bots import LEVELS
from tavola.core import CHANCE, Game, Match, MatchRecord, Moment, PlayedAction, TimeOut, View
from tavola.core.text import mark
from tavola.live.correspondence.hours import Due
from tavola.live.log.occupants import Occupant, seat_names
from tavola.live.log.people import EVERYBODY, ChatLine, Person
from tavola.live.log.room_settings import Settings
from tavola.live.log.sealing import Answers, SealingView, answers_after
from tavola.live.room_refusals import NotOver, NotPlaying, NotSeated, UnknownMoment
from tavola.live.time.race import Reaction
from tavola.talk import Conversation, language_of, record_text

Phase = Literal["gathering", "playing", "over"]
READY_WITHIN = 30.0
"""Seconds that a rematch waits for those who are not ready."""


class Guess(NamedTuple):
    """A seat's guess about another, made at a moment; an empty mark takes the guess back."""

    moment: Moment
    seat: int
    about: int
    mark: str


class AheadAnswer(NamedTuple):
    """A seat's answer to a coming decision, left after `moments` actions: codes and patterns as in `AnswerAhead`."""

    codes: tuple[str, ...]
    unless: tuple[str, ...]
    moments: int


@dataclass
class TalkWindow:
    """An open window: `until` in seconds since 1970, what lies ready by seat, and who has talked enough."""

    until: float
    chosen: dict[int, str] = field(default_factory=dict)
    enough: set[int] = field(default_factory=set)


@dataclass
class State:
    """All that the log of one room tells. Only `apply_event` changes it; its match is all of it: never for a player."""

    game: Game
    options: dict[str, str]
    settings: Settings
    host: Person
    created_at: float
    occupants: list[Occupant]
    updated_at: float
    seq: int = 1
    public_seq: int = 1  # events that everybody may know of
    # The places in the history, counted from 1, of the actions that somebody beside their seat could notice.
    public_actions: list[int] = field(default_factory=list)
    match: Match | None = None
    chat_log: list[ChatLine] = field(default_factory=list)  # to be judged and counted; `chat_for` is what is read
    speakers: dict[str, int] = field(default_factory=dict)  # numbers of who has spoken, by person
    muted_speakers: dict[str, set[int]] = field(default_factory=dict)  # by reader
    removed_at: dict[str, float] = field(default_factory=dict)  # when the host took somebody off the table
    guesses: list[Guess] = field(default_factory=list)
    talk: Conversation | None = None  # the statements; None before the first
    statement_times: list[float] = field(default_factory=list)  # when they were made, in seconds since 1970
    window: TalkWindow | None = None  # the talk window of the ballot that is open
    window_moment: Moment | None = None  # when the last one opened
    next_room: str | None = None
    beside: Counter[tuple[str, str]] = field(default_factory=Counter)  # events beside the match, by role and person
    sit_outs: Counter[int] = field(default_factory=Counter)  # times that a seat was left to a bot by its own wish
    is_rematch: bool = False  # a rematch: it begins when everybody is ready
    ready_seats: set[int] = field(default_factory=set)
    start_pending: bool = False  # the match starts as soon as its game is ready
    command_ids: set[str] = field(default_factory=set)
    decision_counts: list[int] = field(default_factory=list)  # made so far, or asked anew, by seat
    open_decisions: dict[int, Moment] = field(default_factory=dict)  # when the decision a seat owes was opened
    # Where whoever comes first acts: the same of what a seat was asked before, since it last acted; the last one is
    # the decision before the one it owes.
    earlier_moments: dict[int, list[Moment]] = field(default_factory=dict)
    open_since: dict[int, float] = field(default_factory=dict)  # when it was opened, in seconds since 1970
    decided_at: dict[int, float] = field(default_factory=dict)  # when a seat last decided, as far as all could notice
    ahead: dict[int, AheadAnswer] = field(default_factory=dict)  # answers to coming decisions, by seat
    ahead_ended: dict[int, str] = field(default_factory=dict)  # what became of the last one, until the seat decides
    dues: dict[int, Due] = field(default_factory=dict)  # by correspondence: when what a seat owes is due
    sealed: dict[int, str] = field(default_factory=dict)  # by seat the code of the answer that lies sealed
    action_times: list[float] = field(default_factory=list)  # the same of every action played
    # When patience was handed over, and what it had been.
    clock_handover: tuple[float, dict[str, list[float]]] | None = None
    bank_spent: dict[int, float] = field(default_factory=dict)  # seconds that a seat has used of its bank
    held_until: float | None = None  # when what chance holds now falls, in seconds since 1970, once that is decided
    reactions: dict[int, Reaction] = field(default_factory=dict)  # of who has answered in the race that is on
    early_answers: dict[int, int] = field(default_factory=dict)  # who answered sooner than anybody can, by action
    answer_seconds: dict[int, float] = field(default_factory=dict)  # that an answer in a race took, by action
    # Answers that are asked for again and again until the next event; `voices`: lines of bots beside statements, by
    # number, which `tavola.live.voices` keeps here.
    voices: dict[int, Any] | None = field(default=None, init=False, repr=False, compare=False)
    _views: dict[int | None, View] = field(default_factory=dict, init=False, repr=False, compare=False)
    _names: list[str] = field(default_factory=list, init=False, repr=False, compare=False)
    _awaits_race: bool | None = field(default=None, init=False, repr=False, compare=False)
    _owed_seals: Answers | None = field(default=None, init=False, repr=False, compare=False)

    def forget_answers(self, *, names: bool) -> None:
        """Work out anew what depends on the last event, `names` too where somebody may sit elsewhere."""
        self._views.clear()
        self._awaits_race = self._owed_seals = None
        self.voices = None
        if names:
            self._names = []

    # People

    @property
    def phase(self) -> Phase:
        """Return the phase of the room's life."""
        if self.match is None:
            return "gathering"
        return "over" if self.match.over else "playing"

    @property
    def names(self) -> list[str]:
        """A name for every seat, no two alike; empty where nobody sits."""
        if not self._names:
            self._names = seat_names(self.occupants)
        return self._names

    @property
    def free_seats(self) -> list[int]:
        """The seats where nobody sits."""
        return [seat for seat, place in enumerate(self.occupants) if place.is_nobody]

    def seat_of(self, person_id: str) -> int | None:
        """Return the seat of a person, None where he has none."""
        for seat, place in enumerate(self.occupants):
            if place.person is not None and place.person.id == person_id:
                return seat
        return None

    def unready_seats(self) -> list[int]:
        """Return the seats whose people are not ready yet for a rematch."""
        people = [seat for seat, place in enumerate(self.occupants) if place.person is not None]
        return [seat for seat in people if seat not in self.ready_seats] if self.is_rematch else []

    @property
    def ready_until(self) -> float:
        """Return when a rematch stops waiting for those who are not ready, in seconds since 1970."""
        return self.created_at + READY_WITHIN

    def next_host(self, present: Container[str]) -> int | None:
        """Return the next seat after the host's whose person is among those `present`."""
        first, count = self.seat_of(self.host.id) or 0, len(self.occupants)
        seats = [(first + step) % count for step in range(1, count)]
        there = (seat for seat in seats if (who := self.occupants[seat].person) is not None and who.id in present)
        return next(there, None)

    def next_level(self, seat: int | None) -> str | None:
        """Return the level above that of the bots whom a seat has just beaten, None where there is none."""
        result = self.match.result() if self.match is not None else None
        names = list(LEVELS)
        levels = [names.index(place.level) for place in self.occupants if place.level in LEVELS]
        if result is None or seat is None or not levels or result.ranks[seat] != 1:
            return None
        return names[max(levels) + 1] if max(levels) + 1 < len(names) else None

    def muted_by(self, person_id: str) -> frozenset[int]:
        """Return the speakers of whom somebody reads no more."""
        return frozenset(self.muted_speakers.get(person_id, ()))

    def chat_for(self, muted: Collection[int]) -> list[ChatLine]:
        """Return the lines that a reader who has muted these speakers is shown; of `EVERYBODY` only text is muted."""
        shown = (line for line in self.chat_log if line.speaker not in muted)
        return [line for line in shown if EVERYBODY not in muted or not line.text]

    def guesses_of(self, seat: int, at: Moment | None = None) -> dict[int, str]:
        """Return what a seat has guessed about others until now, or until a moment: for that seat's own eyes."""
        moment = self.moment if at is None else at
        guessed = {guess.about: guess.mark for guess in self.guesses if guess.seat == seat and guess.moment <= moment}
        return {about: mark for about, mark in guessed.items() if mark}

    # The match

    @property
    def moments(self) -> int:
        """Return how many actions everyone could notice, chance's included: the numbering that leaves the server."""
        return len(self.public_actions)

    @property
    def moment(self) -> Moment:
        """Return the present place in the match."""
        return self.match.moment if self.match else Moment(0)

    def moment_at(self, at: int) -> Moment:
        """Return the moment right after action number `at` of those that everyone could notice; 0: the beginning.

        `UnknownMoment` outside the match.
        """
        if not 0 <= at <= self.moments:
            raise UnknownMoment(mark("this match has the moments 0 to {last}"), last=self.moments)
        return Moment(self.public_actions[at - 1] if at else 0)

    def number_of(self, moment: Moment) -> int:
        """Return how many actions before a moment everyone could notice: the only number of it that others may have."""
        return bisect_right(self.public_actions, moment.actions)

    def view(self, seat: int | None, at: int | Moment | None = None) -> View:
        """Return what a seat (None: a spectator) sees now, or saw at a moment, or after `at` actions as in `moment_at`.

        `view_for` checks who is asking. `NotPlaying` before the match, `UnknownMoment` outside it.
        """
        match = self.match
        if match is None:
            raise NotPlaying(mark("the match has not begun"))
        if at is None or at in (self.moments, match.moment):
            if seat not in self._views:
                view = match.view(seat)
                view = view if seat is None else view.share_table(self.view(None))
                self._views[seat] = SealingView(view, self.owed_seals) if self.owed_seals else view
            return self._views[seat]
        moment = at if isinstance(at, Moment) else self.moment_at(at)
        return View(self.game, match.states_at(moment.actions), seat)

    def view_for(self, person_id: str | None, seat: int | None = None, at: int | None = None) -> View:
        """Return what a person may see: his own seat or, without one, the table; any seat when the match is over."""
        own = self.seat_of(person_id) if person_id is not None else None
        asked = own if seat is None else seat
        if asked is not None and not 0 <= asked < len(self.occupants):
            raise NotSeated(mark("there are seats 1 to {count}"), count=len(self.occupants))
        if asked != own and self.phase != "over":
            raise NotOver(mark("other hands can be seen when the match is over"))
        return self.view(asked, at)

    def actor(self, at: int) -> int:
        """Return the seat that made action number `at`, counted from 1, of those that everyone could notice."""
        return self._action(at)[0]

    def heard_action(self, at: int, hearer: int | None) -> PlayedAction | None:
        """Return the same action as a seat or a spectator hears of it; None where it is secret to them."""
        actor, number = self._action(at)
        return self.game.observe_action(actor, number, hearer)

    def _action(self, at: int) -> tuple[int, int]:
        if self.match is None or not 1 <= at <= self.moments:
            raise UnknownMoment(mark("this match has the actions 1 to {last}"), last=self.moments)
        return self.match.history[self.public_actions[at - 1] - 1]

    def continues_turn(self, at: int) -> bool:
        """True when action number `at` is one more step of what a seat had planned: it did the one before, too.

        They are counted as everyone could notice them, as in `actor`.
        """
        if self.match is None or at < 2:
            return False
        (seat, number), (before, earlier) = self._action(at), self._action(at - 1)
        verbs = [self.game.actions.verb(each) for each in (number, earlier)]
        return seat == before and all(verb.planned and not verb.secret for verb in verbs)

    @property
    def recorded_actions(self) -> int:
        """Return how many actions the record of the match has, secret steps too; `NotOver` while it goes on."""
        return len(self._open_match().history)

    def record(self) -> MatchRecord:
        """Write the match down; `NotOver` while it goes on: a record tells every secret."""
        return self._open_match().record(self.names)

    def _open_match(self) -> Match:
        """Return a match that is over: then nothing of it is secret."""
        if self.match is None or self.phase != "over":
            raise NotOver(mark("the record of a match can be read when it is over"))
        return self.match

    def record_text(self) -> str:
        """Return the record as text, with what was said as comments; `NotOver` while the match goes on."""
        return record_text(self.record(), self.talk)

    # Talk

    def conversation(self) -> Conversation:
        """Return the statements of the match, or a conversation where nothing has been said yet.

        `BadStatement` in a game of which nothing can be said.
        """
        return Conversation(language_of(self.game)) if self.talk is None else self.talk

    # Decisions that are owed

    def prompt_id(self, seat: int) -> int | None:
        """Return the number of the decision that the seat owes: how many it has made before. None when it owes none."""
        return self.decision_counts[seat] if seat in self.open_decisions else None

    def time_out(self, seat: int) -> TimeOut | None:
        """Return what running out of time plays for a seat that owes a decision; None where the game does not tell."""
        return self.game.clock(self.view(seat)) if self.game.clock is not None else None

    def bank_left(self, seat: int) -> float:
        """Return the seconds that a seat has left of its bank, as far as the log tells: all that lies behind it."""
        return max(0.0, self.settings.bank - self.bank_spent.get(seat, 0.0))

    def is_mid_turn(self, seats: Collection[int]) -> bool:
        """True when the only seat that decides made the decision before, too, whatever chance has dealt in between.

        Only what everyone could notice counts.
        """
        history = self.match.history if self.match is not None else []
        actors = (history[place - 1][0] for place in reversed(self.public_actions))
        decided = (seat for seat in actors if seat != CHANCE)
        return set(seats) == {next(decided, CHANCE)}

    def is_brief(self, seats: Collection[int]) -> bool:
        """True when whatever any of some seats may play now is taken in at a glance."""
        match = self.match
        if match is None or not self.game.brief:
            return False
        return all(self.game.is_brief(number) for seat in seats for number in match.legal_numbers(seat))

    @property
    def is_open_to_people(self) -> bool:
        """True when whoever comes first acts now, and people may want to."""
        match = self.match
        return match is not None and match.open and any(not self.occupants[seat].bot_decides for seat in match.to_act)

    @property
    def in_suspense(self) -> bool:
        """True when chance owes something that falls when the room says so."""
        match = self.match
        if match is None or not self.game.suspense or CHANCE not in match.to_act:
            return False
        return self.game.is_suspense(match.legal_numbers(CHANCE)[0])

    @property
    def haste(self) -> str:
        """Return what is shown of a match in which nobody decides himself any more, one of `SHOWS`; empty: all of it.

        It takes all people who have not left, by their own wish: who was late may come back to what he knew.
        """
        people = [place for place in self.occupants if place.person is not None and not place.has_left]
        shows = {place.sits_out for place in people}
        if self.phase != "playing" or not shows or "" in shows:
            return ""
        return "end" if shows == {"end"} else "rounds"

    def will_continue(self) -> bool:
        """True when something will happen here without a person's command."""
        if self.phase == "gathering":
            return self.is_rematch or self.start_pending
        waits = self.settings.patience > 0 or any(self.occupants[seat].bot_decides for seat in self.open_decisions)
        return self.phase == "playing" and (waits or (self.in_suspense and not self.owed_seals))

    # Races

    @property
    def owed_seals(self) -> Answers:
        """Return what may be sealed, by seat, by those who owe a sealed answer: by correspondence, before a race."""
        if self._owed_seals is None:
            self._owed_seals = self.find_owed_seals()
        return self._owed_seals

    def find_owed_seals(self) -> Answers:
        """Return the same, found anew: while an event happens."""
        if not (self.settings.days and self.game.races and self.in_suspense):
            return {}
        assert self.match is not None
        return {seat: numbers for seat, numbers in answers_after(self.match).items() if seat not in self.sealed}

    def is_racing(self, seat: int) -> bool:
        """True when the decision that a seat owes is an answer in a race; by correspondence nobody is faster."""
        timed = bool(self.game.races) and not self.settings.days
        return timed and any(map(self.game.is_race_answer, self.view(seat).legal))

    @property
    def race_is_on(self) -> bool:
        """True when somebody owes an answer in a race."""
        return any(map(self.is_racing, self.open_decisions))

    @property
    def awaits_race(self) -> bool:
        """True when a race is on, or something is held that may lead to one: lines are measured then."""
        if self._awaits_race is None:
            timed = bool(self.game.races) and not self.settings.days
            self._awaits_race = timed and (self.in_suspense or self.race_is_on)
        return self._awaits_race

    def early_seats(self, at: int) -> list[int]:
        """Return who had answered too soon in the race that ended with action number `at`, counted as in `actor`.

        Before a race has ended nobody hears of it.
        """
        return [self.early_answers[place] for place in self._race_answers(at) if place in self.early_answers]

    def is_decided_by_lot(self, at: int) -> bool:
        """True when action number `at`, as above, named a first one by correspondence: nobody was faster."""
        return self.settings.days > 0 and self.game.is_race_outcome(self._action(at)[1])

    def race_seconds(self, at: int) -> list[tuple[int, float]]:
        """Return who answered how fast in the race that ended with action number `at`, as above, the fastest first.

        Before a race has ended nobody hears of it.
        """
        assert self.match is not None
        known = [place for place in self._race_answers(at) if place in self.answer_seconds]
        seconds = ((self.match.history[place][0], self.answer_seconds[place]) for place in known)
        return sorted(seconds, key=lambda one: one[1])

    def _race_answers(self, at: int) -> list[int]:
        """The places in the history of the answers in the race that ended with action number `at`; none without."""
        if self.match is None or not self.answer_seconds:
            return []
        last, history, is_answer = self.moment_at(at).actions - 1, self.match.history, self.game.is_race_answer
        if self._race_goes_on(last):
            return []
        return list(takewhile(lambda place: is_answer(history[place][1]), range(last, -1, -1)))[::-1]

    def _race_goes_on(self, place: int) -> bool:
        """True when the action at a place of the history was not the last answer in its race."""
        assert self.match is not None
        following = self.match.history[place + 1 :][:1]
        return self.game.is_race_answer(following[0][1]) if following else self.race_is_on
