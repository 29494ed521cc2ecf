"""The state of a room: the content of its log, and queries on it.

`fold` makes it out of events. It does not depend on connections, the time or the disk.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Literal, NamedTuple

import numpy as np

from tavola.bots import LEVELS
from tavola.core import CHANCE, Game, Match, MatchRecord, Moment, PlayedAction, TimeOut, View, kernels
from tavola.core.text import mark
from tavola.live.correspondence.hours import DAY, Due
from tavola.live.log.occasions import Occasion
from tavola.live.log.occupants import Occupant, seat_names
from tavola.live.log.people import ALL_SPEAKERS, ChatLine, Person
from tavola.live.log.room_settings import Settings
from tavola.live.room_refusals import NotOver, NotPlaying, NotSeated, UnknownMoment
from tavola.live.time.race import Reaction
from tavola.talk import Conversation, language_of

Phase = Literal["gathering", "playing", "over"]
CHAT_KEPT = 200
"""Maximum lines of chat in memory; the log keeps all."""
READY_WITHIN = 30.0
"""Seconds for which a rematch waits for people who are not ready."""


class Guess(NamedTuple):
    """A seat's guess about another, made at a moment; an empty mark removes the guess."""

    moment: Moment
    seat: int
    about: int
    mark: str


class Holiday(NamedTuple):
    """The end of a person's holiday, in seconds since 1970, and its day in their own time zone.

    `day` is written as ISO 8601 does; older logs lack it. `until` is 0 without a holiday.
    """

    until: float
    day: str = ""


class AheadAnswer(NamedTuple):
    """A seat's answer to a coming decision, left after `moments` actions: codes and patterns as in `AnswerAhead`."""

    codes: tuple[str, ...]
    unless: tuple[str, ...]
    when: tuple[str, ...]
    moments: int

    def is_of_kind(self, game: Game, numbers: Iterable[int]) -> bool:
        """Return whether a decision with these actions is of the answer's kind: they share a verb."""
        verbs = {game.actions.verb(game.actions.number(code)).name for code in self.codes}
        return any(game.actions.verb(number).name in verbs for number in numbers)


class BotDecision(NamedTuple):
    """The last decision that a bot made for a person whose time was up, until that person decides again.

    `number` as in `Due`; `at`: when, in seconds since 1970; `actions`: places in the match's history, from 0, empty
    while the bot thinks or if the answer is sealed; `last`: the number of the last event that belongs to it.
    """

    number: int
    at: float
    actions: tuple[int, ...] = ()
    last: int = 0


class Nudge(NamedTuple):
    """A reminder from the seat `by` to decide the decision `number`, sent `at` seconds since 1970."""

    by: int
    at: float
    number: int


class Decided(NamedTuple):
    """A decision that the person of a seat has made: its number, and how many actions there were before it."""

    seat: int
    prompt_id: int
    place: int


class UndoRequest(NamedTuple):
    """A person's request to take back a decision, open `until` a time in seconds since 1970; those who `allowed` it."""

    made: Decided
    until: float
    allowed: frozenset[int] = frozenset()


class Undone(NamedTuple):
    """A decision that was taken back: whose, and how many actions there have been before it."""

    seat: int
    place: int


class Told(NamedTuple):
    """How much of a match a program knows: up to a moment, after `undone` decisions had been taken back."""

    moment: Moment = Moment(0)
    undone: int = 0


@dataclass
class TalkWindow:
    """An open window: `until` in seconds since 1970, choices by seat, and the seats that have talked enough.

    `ahead`: the places of the answers ahead that are chosen, by seat.
    """

    until: float
    chosen: dict[int, str] = field(default_factory=dict)
    ahead: dict[int, int] = field(default_factory=dict)
    enough: set[int] = field(default_factory=set)


# Sealed answers replace measured speed in races of correspondence games. A held outcome before a race does not fall by
# time there. Each racer seals an answer first; when all have, it falls, and the sealed answers are played. So no racer
# sees the outcome before answering, and none has to be quick.

Answers = Mapping[int, tuple[int, ...]]
"""By seat, the numbers of the answers that it may seal."""


def answers_after(match: Match) -> dict[int, tuple[int, ...]]:
    """Return the answers in the race after the held outcome, the same for every outcome; empty if no race follows."""
    game = match.game
    states = game.copy_states(np.frombuffer(match.state_bytes(), game.state.dtype))
    kernels.apply_at(states, 0, CHANCE, match.legal_numbers(CHANCE)[0])
    owing = [seat for seat in View(game, states, None).to_act if seat != CHANCE]
    legal = {seat: View(game, states, seat).legal for seat in owing}
    return {seat: numbers for seat, numbers in legal.items() if any(map(game.is_race_answer, numbers))}


class SealingView(View):
    """The view of a table with sealed answers: a seat that owes one can give it, although chance acts first."""

    def __init__(self, view: View, owed: Answers) -> None:
        """`owed`: the answers of seats that have not sealed one yet."""
        super().__init__(view.game, view.states, view.seat)
        vars(self).update(to_act=tuple(sorted(owed)), legal=() if view.seat is None else owed.get(view.seat, ()))


@dataclass
class State:
    """The content of one room's log. Only `apply_event` changes it. Never send its match to a player."""

    game: Game
    options: dict[str, str]
    settings: Settings
    host: Person
    created_at: float
    occupants: list[Occupant]
    updated_at: float
    seq: int = 1
    public_seq: int = 1  # events that everyone may know of
    # Places in the history, from 1, of the actions that others than their seat could notice.
    public_actions: list[int] = field(default_factory=list)
    match: Match | None = None
    chat_log: list[ChatLine] = field(default_factory=list)  # to be judged and counted; `chat_for` is for readers
    speakers: dict[str, int] = field(default_factory=dict)  # numbers of speakers, by person
    muted_speakers: dict[str, set[int]] = field(default_factory=dict)  # by reader
    removed_at: dict[str, float] = field(default_factory=dict)  # when the host removed a person
    guesses: list[Guess] = field(default_factory=list)
    talk: Conversation | None = None  # the statements; None before the first
    statement_times: list[float] = field(default_factory=list)  # when they were made, in seconds since 1970
    occasions: list[Occasion] = field(default_factory=list)  # on which bots of the cast say something
    window: TalkWindow | None = None  # the talk window of the current ballot
    window_moment: Moment | None = None  # when the last one opened
    next_room: str | None = None
    shut: bool = False  # by the operator: nothing more can be done here
    beside: Counter[tuple[str, str]] = field(default_factory=Counter)  # events beside the match, by role and person
    sit_outs: Counter[int] = field(default_factory=Counter)  # times that a person left a seat to a bot
    is_rematch: bool = False  # begins when all are ready
    ready_seats: set[int] = field(default_factory=set)
    start_pending: bool = False  # the match starts as soon as its game is ready
    command_ids: set[str] = field(default_factory=set)
    decision_counts: list[int] = field(default_factory=list)  # made so far, or asked again, by seat
    open_decisions: dict[int, Moment] = field(default_factory=dict)  # when each pending decision opened
    # In open decisions: when each seat's earlier prompts opened, since it last acted. The last one comes just before
    # the decision that it owes.
    earlier_moments: dict[int, list[Moment]] = field(default_factory=dict)
    open_since: dict[int, float] = field(default_factory=dict)  # the same decisions, in seconds since 1970
    decided_at: dict[int, float] = field(default_factory=dict)  # when a seat last made a decision that everyone noticed
    # Answers to coming decisions, by seat and place.
    ahead: dict[int, dict[int, AheadAnswer]] = field(default_factory=dict)
    ahead_ended: dict[int, str] = field(default_factory=dict)  # how the last one ended, until the seat decides
    dues: dict[int, Due] = field(default_factory=dict)  # deadlines in correspondence, by seat
    bot_decisions: dict[int, BotDecision] = field(default_factory=dict)  # for late people, by seat
    nudges: dict[int, Nudge] = field(default_factory=dict)  # the last one that each seat got
    bot_votes: dict[int, set[int]] = field(default_factory=dict)  # by late seat: seats that want a bot to go on for it
    away: dict[int, Holiday] = field(default_factory=dict)  # of the persons of seats
    sealed: dict[int, str] = field(default_factory=dict)  # codes of sealed answers, by seat
    action_times: list[float] = field(default_factory=list)  # of all actions, in seconds since 1970
    decided: list[Decided] = field(default_factory=list)  # decisions that people made, in order
    undo_request: UndoRequest | None = None
    undo_denied: Decided | None = None  # the last one that others did not allow to be taken back
    undone: list[Undone] = field(default_factory=list)  # all decisions taken back
    # When another worker handed over its clocks, and the patience that decisions had used.
    clock_handover: tuple[float, dict[str, list[float]]] | None = None
    bank_spent: dict[int, float] = field(default_factory=dict)  # seconds used of each seat's bank
    held_until: float | None = None  # when the held outcome falls, in seconds since 1970, once that is drawn
    reactions: dict[int, Reaction] = field(default_factory=dict)  # of seats that have answered in the current race
    early_answers: dict[int, int] = field(default_factory=dict)  # seats that answered too soon, by action
    answer_seconds: dict[int, float] = field(default_factory=dict)  # time of each answer in a race, by action
    # Cached by `undo`: how many actions it has looked at, how many of these can no longer be undone, and the full state
    # after them, empty if it is not known.
    settled: tuple[int, int, bytes] = field(default=(0, 0, b""), init=False, repr=False, compare=False)
    # Results cached until the next event. `voices`: the lines of bots, cached by `tavola.live.bots.voices`.
    voices: Any = field(default=None, init=False, repr=False, compare=False)
    _views: dict[int | None, View] = field(default_factory=dict, init=False, repr=False, compare=False)
    _names: list[str] = field(default_factory=list, init=False, repr=False, compare=False)
    _awaits_race: bool | None = field(default=None, init=False, repr=False, compare=False)
    _owed_seals: Answers | None = field(default=None, init=False, repr=False, compare=False)

    def forget_answers(self, *, names: bool) -> None:
        """Clear the results cached until the next event, `names` too if seats may have changed."""
        self._views.clear()
        self._awaits_race = self._owed_seals = None
        self.voices = None
        if names:
            self._names = []

    # People

    @property
    def phase(self) -> Phase:
        """Return the phase of the room."""
        if self.match is None:
            return "gathering"
        return "over" if self.match.over else "playing"

    @property
    def names(self) -> list[str]:
        """Return a name for every seat, no two alike; empty for free seats."""
        if not self._names:
            self._names = seat_names(self.occupants)
        return self._names

    @property
    def cast_seats(self) -> list[int]:
        """Return the seats of bots of the cast."""
        return [seat for seat, place in enumerate(self.occupants) if place.member is not None]

    @property
    def free_seats(self) -> list[int]:
        """Return the free seats."""
        return [seat for seat, place in enumerate(self.occupants) if place.is_free]

    def seat_of(self, person_id: str) -> int | None:
        """Return the seat of a person; None if they have none."""
        for seat, place in enumerate(self.occupants):
            if place.person is not None and place.person.id == person_id:
                return seat
        return None

    def unready_seats(self) -> list[int]:
        """Return the seats of people who are not ready for a rematch yet."""
        return [seat for seat in range(len(self.occupants)) if not self.is_ready(seat)]

    def is_ready(self, seat: int) -> bool:
        """Return whether no rematch waits for the person of a seat."""
        return not self.is_rematch or seat in self.ready_seats or self.occupants[seat].person is None

    @property
    def ready_until(self) -> float:
        """Return when a rematch stops waiting for people who are not ready, in seconds since 1970."""
        return self.created_at + READY_WITHIN

    def next_host(self, present: Container[str]) -> int | None:
        """Return the next seat after the host's whose person is among those `present`."""
        first, count = self.seat_of(self.host.id) or 0, len(self.occupants)
        seats = [(first + step) % count for step in range(1, count)]
        there = (seat for seat in seats if (who := self.occupants[seat].person) is not None and who.id in present)
        return next(there, None)

    def next_level(self, seat: int | None) -> str | None:
        """Return the level above that of the bots that a seat has just beaten; None if there is none."""
        result = self.match.result() if self.match is not None else None
        names = list(LEVELS)
        levels = [names.index(place.level) for place in self.occupants if place.level in LEVELS]
        if result is None or seat is None or not levels or result.ranks[seat] != 1:
            return None
        return names[max(levels) + 1] if max(levels) + 1 < len(names) else None

    def muted_by(self, person_id: str) -> frozenset[int]:
        """Return the speakers that a person has muted."""
        return frozenset(self.muted_speakers.get(person_id, ()))

    def chat_for(self, muted: Collection[int]) -> list[ChatLine]:
        """Return the lines shown to a reader who has muted these speakers; `ALL_SPEAKERS` mutes only text."""
        shown = (line for line in self.chat_log if line.speaker not in muted)
        return [line for line in shown if ALL_SPEAKERS not in muted or not line.text]

    def note_in_talk(self, seat: int, word: str, at: float) -> None:
        """Add a line of the table itself about a seat to the chat."""
        self.chat_log.append(ChatLine(self.names[seat], seat, "", at, gesture=word))
        del self.chat_log[:-CHAT_KEPT]

    def guesses_of(self, seat: int, at: Moment | None = None) -> dict[int, str]:
        """Return a seat's guesses about others, so far or at a moment; only for that seat."""
        moment = self.moment if at is None else at
        guessed = {guess.about: guess.mark for guess in self.guesses if guess.seat == seat and guess.moment <= moment}
        return {about: mark for about, mark in guessed.items() if mark}

    # The match

    @property
    def moments(self) -> int:
        """Return how many actions everyone could notice, chance's included: the numbering that clients see."""
        return len(self.public_actions)

    @property
    def moment(self) -> Moment:
        """Return the present moment of the match."""
        return self.match.moment if self.match else Moment(0)

    def moment_at(self, at: int) -> Moment:
        """Return the moment right after action number `at` of those that everyone could notice; 0: the beginning.

        Raises `UnknownMoment` outside the match.
        """
        if not 0 <= at <= self.moments:
            raise UnknownMoment(mark("this match has moments 0 to {last}"), last=self.moments)
        return Moment(self.public_actions[at - 1] if at else 0)

    @property
    def told(self) -> Told:
        """Return what a program knows after it was sent everything."""
        return Told(self.moment, len(self.undone))

    def known_until(self, told: Told) -> Moment:
        """Return the moment up to which a program knows the match as it is: before what was undone since."""
        return min((told.moment, *(Moment(undone.place) for undone in self.undone[told.undone :])))

    def number_of(self, moment: Moment) -> int:
        """Return how many actions before a moment everyone could notice: only this number may be sent to others."""
        return bisect_right(self.public_actions, moment.actions)

    def view(self, seat: int | None, at: int | Moment | None = None) -> View:
        """Return what a seat (None: a spectator) sees now, or saw at a moment, or after `at` actions as in `moment_at`.

        `view_for` checks permissions, this does not. Raises `NotPlaying` before the match, `UnknownMoment` outside it.
        """
        if (match := self.match) is None:
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
        """Return what a person may see: their own seat or, without one, the table; any seat when the match is over."""
        own = self.seat_of(person_id) if person_id is not None else None
        asked = own if seat is None else seat
        if asked is not None and not 0 <= asked < len(self.occupants):
            raise NotSeated(mark("seats are numbered 1 to {count}"), count=len(self.occupants))
        if asked != own and self.phase != "over":
            raise NotOver(mark("you can see other hands once the match is over"))
        return self.view(asked, at)

    def actor(self, at: int) -> int:
        """Return the seat that made action number `at`, counted from 1, of those that everyone could notice."""
        return self._action(at)[0]

    def heard_action(self, at: int, hearer: int | None) -> PlayedAction | None:
        """Return the same action as a seat or a spectator hears of it; None if it is secret to them."""
        actor, number = self._action(at)
        return self.game.observe_action(actor, number, hearer)

    def _action(self, at: int) -> tuple[int, int]:
        if self.match is None or not 1 <= at <= self.moments:
            raise UnknownMoment(mark("this match has actions 1 to {last}"), last=self.moments)
        return self.match.history[self.public_actions[at - 1] - 1]

    def continues_turn(self, at: int) -> bool:
        """Return whether action number `at` is a further step of a seat's plan: it made the one before, too.

        Actions are counted as in `actor`.
        """
        if self.match is None or at < 2:
            return False
        (seat, number), (before, earlier) = self._action(at), self._action(at - 1)
        verbs = [self.game.actions.verb(each) for each in (number, earlier)]
        return seat == before and all(verb.planned and not verb.secret for verb in verbs)

    @property
    def recorded_actions(self) -> int:
        """Return the number of actions in the record of the match, secret steps too; raise `NotOver` before the end."""
        return len(self._open_match().history)

    def record(self) -> MatchRecord:
        """Return the record of the match; raise `NotOver` before the end, since a record has every secret."""
        return self._open_match().record(self.names)

    def _open_match(self) -> Match:
        """Return a match that is over, when nothing of it is secret."""
        if self.match is None or self.phase != "over":
            raise NotOver(mark("you can open the game file once the match is over"))
        return self.match

    def conversation(self) -> Conversation:
        """Return the statements of the match, or an empty conversation.

        Raises `BadStatement` for a game without statements.
        """
        return Conversation(language_of(self.game)) if self.talk is None else self.talk

    # Pending decisions

    def prompt_id(self, seat: int) -> int | None:
        """Return the number of the decision that the seat owes: how many it has made before. None if it owes none."""
        return self.decision_counts[seat] if seat in self.open_decisions else None

    def time_out(self, seat: int) -> TimeOut | None:
        """Return the action played if the time of a seat runs out; None if the game defines none."""
        return self.game.clock(self.view(seat)) if self.game.clock is not None else None

    def bank_left(self, seat: int) -> float:
        """Return the seconds left of a seat's bank by the log, which does not have its pending decision."""
        return max(0.0, self.settings.bank + self.settings.bank_days * DAY - self.bank_spent.get(seat, 0.0))

    def is_mid_turn(self, seats: Collection[int]) -> bool:
        """Return whether the only seat that decides made the decision before, too, apart from chance.

        Only actions that everyone could notice count.
        """
        history = self.match.history if self.match is not None else []
        actors = (history[place - 1][0] for place in reversed(self.public_actions))
        decided = (seat for seat in actors if seat != CHANCE)
        return set(seats) == {next(decided, CHANCE)}

    def is_brief(self, seats: Collection[int]) -> bool:
        """Return whether all legal actions of some seats can be read at a glance."""
        if (match := self.match) is None or not self.game.brief:
            return False
        return all(self.game.is_brief(number) for seat in seats for number in match.legal_numbers(seat))

    @property
    def deciding_people(self) -> list[int]:
        """Return the seats that owe a decision of a person, not of a bot."""
        return [seat for seat in self.open_decisions if not self.occupants[seat].bot_decides]

    @property
    def is_open_to_people(self) -> bool:
        """Return whether an open decision is on in which people can act."""
        match = self.match
        return match is not None and match.open and any(not self.occupants[seat].bot_decides for seat in match.to_act)

    @property
    def in_suspense(self) -> bool:
        """Return whether chance owes an outcome that is held until the room releases it."""
        if (match := self.match) is None or not self.game.suspense or CHANCE not in match.to_act:
            return False
        return self.game.is_suspense(match.legal_numbers(CHANCE)[0])

    @property
    def haste(self) -> str:
        """Return how a match is shown in which no person decides any longer, one of `SHOWS`; empty: completely.

        All people who have not left must have chosen it: people who were only late may still come back.
        """
        people = [place for place in self.occupants if place.person is not None and not place.has_left]
        shows = {place.sits_out for place in people}
        if self.phase != "playing" or not shows or "" in shows:
            return ""
        return "end" if shows == {"end"} else "rounds"

    def will_continue(self) -> bool:
        """Return whether something will happen here without a person's command."""
        if self.shut:
            return False
        if self.phase == "gathering":
            return self.is_rematch or self.start_pending
        waits = self.settings.patience > 0 or any(self.occupants[seat].bot_decides for seat in self.open_decisions)
        return self.phase == "playing" and (waits or (self.in_suspense and not self.owed_seals))

    def away_until(self, seat: int, now: float) -> float | None:
        """Return when the holiday of a seat's person ends, in seconds since 1970; None if they are not away."""
        until = self.away[seat].until if seat in self.away else 0.0
        return until if until > now else None

    # Races

    @property
    def owed_seals(self) -> Answers:
        """Return the answers that can be sealed, by seat that owes one: in correspondence, before a race."""
        if self._owed_seals is None:
            self._owed_seals = self.find_owed_seals()
        return self._owed_seals

    def find_owed_seals(self) -> Answers:
        """Return the same without the cache, for use while an event is applied."""
        if not (self.settings.days and self.game.races and self.in_suspense):
            return {}
        assert self.match is not None
        return {seat: numbers for seat, numbers in answers_after(self.match).items() if seat not in self.sealed}

    def is_racing(self, seat: int) -> bool:
        """Return whether the decision that a seat owes is an answer in a race; never in correspondence."""
        timed = bool(self.game.races) and not self.settings.days
        return timed and any(map(self.game.is_race_answer, self.view(seat).legal))

    @property
    def race_is_on(self) -> bool:
        """Return whether a seat owes an answer in a race."""
        return any(map(self.is_racing, self.open_decisions))

    @property
    def awaits_race(self) -> bool:
        """Return whether a race is on, or a held outcome may lead to one: connections are measured then."""
        if self._awaits_race is None:
            timed = bool(self.game.races) and not self.settings.days
            self._awaits_race = timed and (self.in_suspense or self.race_is_on)
        return self._awaits_race

    def early_seats(self, at: int) -> list[int]:
        """Return the seats that answered too soon in the race that ended with action number `at`.

        Actions are counted as in `actor`. Empty until the race has ended, since its answers are secret.
        """
        return [self.early_answers[place] for place in self._race_answers(at) if place in self.early_answers]

    def is_decided_by_lot(self, at: int) -> bool:
        """Return whether action number `at`, as above, named a first seat by lot, in correspondence."""
        return self.settings.days > 0 and self.game.is_race_outcome(self._action(at)[1])

    def race_seconds(self, at: int) -> list[tuple[int, float]]:
        """Return seats and seconds in the race that ended with action number `at`, as above, the fastest first.

        Empty until a race has ended, since its answers are secret.
        """
        assert self.match is not None
        known = [place for place in self._race_answers(at) if place in self.answer_seconds]
        seconds = ((self.match.history[place][0], self.answer_seconds[place]) for place in known)
        return sorted(seconds, key=lambda one: one[1])

    def _race_answers(self, at: int) -> list[int]:
        """Return the places in the history of the answers in the race that ended with action number `at`, if any."""
        if self.match is None or not self.answer_seconds:
            return []
        last, history, is_answer = self.moment_at(at).actions - 1, self.match.history, self.game.is_race_answer
        if is_answer(history[last + 1][1]) if last + 1 < len(history) else self.race_is_on:
            return []
        return list(takewhile(lambda place: is_answer(history[place][1]), range(last, -1, -1)))[::-1]
