"""Matches of a game, for Python programs and notebooks.

game = tavola.load("lifeboats")
match = tavola.Match(game, players=4, seed=7)
match.play("lane 3", match.to_act[0])
text = str(match.record())
tavola.read_record(text).match()
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np

from tavola.core import kernels
from tavola.core.actions import PlayedAction
from tavola.core.compilation import is_interpreted, specialize
from tavola.core.errors import BadOption, BadRecord, IllegalAction, NotYourTurn, Refusal, Renamed, UnknownVersion
from tavola.core.fields import Json, as_integer, short_repr
from tavola.core.game import CHANCE, Game
from tavola.core.kernels import CHANCE_BIT
from tavola.core.matchfile import parse_record, read_position, write_position, written_text
from tavola.core.plan import Plan, action_number, describe_action, describe_codes, make_plan
from tavola.core.registry import load
from tavola.core.rng import MASK_64, stream
from tavola.core.view import Buffers, Result, View, seats_in

MADE_ANEW = ("_actions", "_weights", "_prefixes", "_legal_at", "_play_at", "_chance_at", "_players")
"""Attributes left out of a pickled match, which are created again: buffers, kernels, the number of players."""


class Heard(NamedTuple):
    """An action as another seat hears it: `seat` (`CHANCE` for chance) and `code`, None if it is secret."""

    seat: int
    code: str | None


class Moment:
    """A position in a match, by the number of `actions` before it. It counts secret steps, so it never leaves a server.

    It cannot be turned into text or JSON. Other seats receive numbers that count only what everyone could notice.
    """

    __slots__ = ("actions",)

    def __init__(self, actions: int) -> None:
        self.actions = actions

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moment) and self.actions == other.actions

    def __lt__(self, other: "Moment") -> bool:
        return self.actions < other.actions

    def __le__(self, other: "Moment") -> bool:
        return self.actions <= other.actions

    def __hash__(self) -> int:
        return hash(self.actions)

    def __repr__(self) -> str:
        return f"Moment({self.actions})"

    def __str__(self) -> str:
        raise TypeError("a moment counts secret actions and must not be shown: expected the number of public actions")


class Prefixes(dict[int, memoryview]):
    """The first entries of a buffer, by their number. Each is kept, since making it costs as much as listing it."""

    def __init__(self, buffer: memoryview) -> None:
        super().__init__()
        self.buffer = buffer

    def __missing__(self, count: int) -> memoryview:
        self[count] = self.buffer[:count]
        return self[count]


class Match:
    """One play of a game: `Match(game, players=4, seed=7)`.

    With a seed, chance is resolved automatically. Without one, `CHANCE` is a seat whose outcomes you play.

    Options are given by name or together as a mapping. The others take their recommended values, or those of the
    printed rulebook with `rules="letter"`. Raises `BadOption` for an unknown option or value, or a seed that is not an
    integer.

    `position` is a document as `match.document()` returns it; the match starts there. With `check="pieces"` its pieces
    must be sound, but it need not be reachable in play. Raises `BadPosition` for any other document.

    `history` are all actions so far, including chance's, as pairs of seat and number.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, object] | None = None,
        seed: int | None = None,
        position: Json = None,
        rules: str = "recommended",
        check: str = "strict",
        **named: object,
    ) -> None:
        if not isinstance(game, Game):
            name = game[:60] if isinstance(game, str) else "NAME"
            raise TypeError(f'game: expected a Game, found {short_repr(game)}: pass tavola.load("{name}")')
        given = {**(options or {}), **named}
        if position is None:
            read = game.options.array(given, rules)
            states = initial_states(game, read)
        else:
            read, states = read_position(game, position, given, rules, check)
        self.position, self.check = deepcopy(position), check
        self._begin(game, read, states, seed)

    @classmethod
    def from_states(cls, game: Game, states: np.ndarray, seed: int | None = None) -> "Match":
        """Return a match that starts at a full state, `states[0]`, copied; its record contains that position.

        The state is not checked: it must be one that the rules can reach.
        """
        match = cls.__new__(cls)
        match.check = "pieces"  # it need not be reachable in play
        options = game.options.array({}, "letter")
        for name, place in game.table_options:
            options[place] = states["table"][name][0]
        match._begin(game, options, game.copy_states(states), seed)
        return match

    @classmethod
    def from_view(cls, view: View, seed: int) -> "Match":
        """Return a match that starts at a full state consistent with `view`, its hidden parts drawn by `seed`.

        States are sampled from the exact posterior over deals; actions are not used as evidence. The view's seat sees
        the same in the match. Chance is resolved automatically, by the same seed. Raises `NotYourTurn` for a
        spectator's view.
        """
        if view.seat is None:
            raise NotYourTurn("a spectator's view cannot be redealt: expected a seat's view")
        states = view.game.copy_states(view.states)
        kernels.redeal_at(states, 0, view.seat, stream(seed))
        return cls.from_states(view.game, states, seed)

    def _begin(self, game: Game, options: np.ndarray, states: np.ndarray, seed: int | None) -> None:
        self.game, self.seed, self.options = game, as_integer(seed), options
        if self.seed is None and seed is not None:
            raise BadOption(f"seed: expected a whole number, found {short_repr(seed)}")
        self._states, self._initial_states = states, game.copy_states(states)
        self.history: list[tuple[int, int]] = []
        self._set_buffers()
        self._set_owing(int(kernels.to_act_at(self._states, 0)))
        self._play_chance()

    def _set_buffers(self) -> None:
        """Create buffers and kernels for this match only: two matches may be used from two threads."""
        interpreted = is_interpreted(self.game.source_folder)
        self._legal_at, self._play_at, self._chance_at = match_kernels(self.game, interpreted)
        scratch = Buffers(self.game)
        self._players = int(self.options[0])
        self._actions, self._weights, self._prefixes = scratch.actions, scratch.weights, Prefixes(scratch.actions.data)

    def copy(self) -> "Match":
        """Return an independent copy: playing one of the two matches does not change the other."""
        twin = Match.__new__(type(self))
        vars(twin).update(vars(self))
        twin._states, twin.history = self.game.copy_states(self._states), list(self.history)
        twin._set_buffers()
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> "Match":
        return self.copy()

    def __repr__(self) -> str:
        return f"Match({self.game.name!r}, players={self.players}, actions={len(self.history)}, to_act={self.to_act})"

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if name not in MADE_ANEW}
        return {**kept, **{name: kept[name].tobytes() for name in ("_states", "_initial_states")}}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        game = kept["game"]
        states = {
            name: game.copy_states(np.frombuffer(kept[name], game.state.dtype))
            for name in ("_states", "_initial_states")
        }
        vars(self).update(kept, **states)
        self._set_buffers()

    @cached_property
    def position(self) -> Json:
        """Document of the position that the match started from; None if it started from a new game."""
        return write_position(self.game, self.options, self._initial_states)

    @property
    def players(self) -> int:
        """Number of seats at the table."""
        return self._players

    @property
    def to_act(self) -> tuple[int, ...]:
        """Seats to act, ascending: several in a secret ballot or an open decision, none at the end."""
        return self._to_act

    @property
    def open(self) -> bool:
        """True in an open decision, such as barter: the first seat to act is heard, the others are asked again."""
        return bool(self._mask & kernels.OPEN_BIT)

    def actor(self, rng: np.ndarray) -> int:
        """Return a seat to act: the lowest, or in an open decision one drawn from `rng` (uint64, shape `(1,)`).

        Raises `NotYourTurn` if the match is over.
        """
        if self.over:
            raise NotYourTurn(f"no seat is to act: expected {self._expected_actors()}")
        return int(kernels.actor(self._mask, rng)) if self.open else self._to_act[0]

    @property
    def moment(self) -> Moment:
        """Current position in the match: the number of actions so far, including chance's and secret ones."""
        return Moment(len(self.history))

    @property
    def over(self) -> bool:
        """True if the match has ended."""
        return not self._to_act

    def legal_codes(self, seat: int | None = None) -> list[str]:
        """Return the codes of a seat's legal actions, by default of the only seat to act; empty if it is not to act.

        Raises `NotYourTurn` without a seat unless exactly one is to act.
        """
        return [self.game.actions.code(number) for number in self.legal_numbers(self._resolve_seat(seat))]

    def legal_numbers(self, seat: int) -> list[int]:
        """Return the numbers of the legal actions of a seat, ascending; empty for a seat that is not to act."""
        if seat not in self._to_act:
            return []
        count = self._legal_at(self._states, 0, seat, self._actions, self._weights)
        return self._prefixes[count].tolist()

    def chance_weights(self) -> dict[str, int]:
        """Return chance's legal outcomes, by code, with their integer weights; empty if chance is not to act."""
        numbers = self.legal_numbers(CHANCE)
        weights = self._weights[: len(numbers)].tolist()
        return {self.game.actions.code(number): weight for number, weight in zip(numbers, weights, strict=True)}

    legal, standing, odds = Renamed("legal_codes"), Renamed("score"), Renamed("chance_weights")
    """Former names."""

    def play(self, action: str | int, seat: int | None = None) -> None:
        """Play an action, given by code or number, for `seat`, by default the only seat to act. Seeded chance follows.

        Raises `IllegalAction`, or `NotYourTurn` if the seat is not to act. Nothing changes then.
        """
        # Plain integers, as programs give them, skip the conversion.
        actor = seat if type(seat) is int else self._resolve_seat(seat)
        number = action if type(action) is int else action_number(self.game, action)
        try:
            mask = self._play_at(self._states, 0, actor, number)
        except OverflowError:  # no seat and no action has such a number
            mask = -1
        if mask < 0:
            raise self._refusal(actor, number)
        self.history.append((actor, number))
        self._mask, self._to_act = mask, seats_in(mask)
        if mask & CHANCE_BIT:
            self._play_chance()

    def plan(self, seat: int, steps: Sequence[str | int]) -> Plan:
        """Return the plan of some steps of a seat: what it would see after them. Nothing is played; see `Plan`."""
        return make_plan(self.view(seat), steps)

    def play_all(self, steps: Sequence[str | int], seat: int | None = None) -> None:
        """Play several steps of a seat: all, or none if one is refused.

        Their verbs must be `planned`. A single step is played as by `play`.
        """
        actor = self._resolve_seat(seat)
        if len(steps) == 1:
            self.play(steps[0], actor)
            return
        if not steps:
            raise IllegalAction("no steps: expected at least one action")
        before, played = self.game.copy_states(self._states), len(self.history)
        for number in self.plan(actor, steps).numbers:
            mask = self._play_at(self._states, 0, actor, number)
            if mask < 0:
                self._restore(before, played)
                raise IllegalAction(f"{self.game.actions.code(number)!r} is no longer allowed: expected another plan")
            self.history.append((actor, number))
            self._set_owing(mask)
        self._play_chance()

    def undo(self) -> None:
        """Take back the last decision, and chance's outcomes after it if the match has a seed.

        Raises `IllegalAction` if there is none.
        """
        decided = [place for place, (seat, _) in enumerate(self.history) if seat != CHANCE or self.seed is None]
        if not decided:
            raise IllegalAction("nothing has been played yet: expected a match with at least one action to undo")
        self._restore(self.states_at(decided[-1]), decided[-1])

    def states_at(self, at: int) -> np.ndarray:
        """Return the full state after the first `at` actions, an array of one state."""
        states = self.game.copy_states(self._initial_states)
        seats, numbers = (np.array([pair[part] for pair in self.history[:at]], np.int64) for part in (0, 1))
        kernels.replay(states, 0, seats, numbers, self._actions, self._weights)
        return states

    def view(self, seat: int | None = None) -> View:
        """Return the view of a seat, or of a spectator (None).

        Raises `NotYourTurn` for a seat that is not at the table.
        """
        number = seat if type(seat) is int else as_integer(seat)
        if seat is not None and (number is None or not 0 <= number < self._players):
            raise NotYourTurn(f"seat {short_repr(seat)} is not at this table: expected 0 to {self.players - 1}")
        return View(self.game, self._states, number, self._mask)

    def last_action(self, hearer: int | None = None) -> PlayedAction | None:
        """Return the last action as a seat (None: a spectator) hears it; None if it is secret or none was played."""
        return self.game.observe_action(*self.history[-1], hearer) if self.history else None

    def heard(self, hearer: int | None, since: int = 0, until: int | None = None) -> list[Heard]:
        """Return what a seat (None: a spectator) hears of the actions `since` to `until`, counted as in a slice.

        Others hear who played a secret action, but not which; in an open decision only if it changed the table.
        """
        states, told = self.states_at(since), []
        for seat, number in self.history[since:until]:
            secret = hearer != seat and self.game.actions.verb(number).secret
            is_draft = secret and int(kernels.to_act_at(states, 0)) & kernels.OPEN_BIT
            before = View(self.game, states, None) if is_draft else None
            kernels.apply_at(states, 0, seat, number)
            if before is None or before != View(self.game, states, None):
                told.append(Heard(seat, None if secret else self.game.actions.code(number)))
        return told

    def result(self) -> Result | None:
        """Return the points and ranks, or None while the match is not over."""
        return self.score() if self.over else None

    def score(self) -> Result:
        """Return the points and ranks as if the match ended now."""
        return Result.of(self._states, self.players)

    def document(self) -> Json:
        """Return the full position with named values; `Match(game, position=document)` starts there."""
        return write_position(self.game, self.options, self._states)

    def record(self, names: Sequence[str] = ()) -> "MatchRecord":
        """Return the record of the match, with the players' `names`; `str(match.record())` is readable text."""
        return MatchRecord.of(self, names)

    def state_bytes(self) -> bytes:
        """Return every byte of the state, hidden parts included: for tests and copies, never for a player."""
        return self._states.tobytes()

    def _resolve_seat(self, seat: int | None) -> int:
        if seat is None and len(self.to_act) == 1:
            return self.to_act[0]
        if (actor := as_integer(seat)) is None:
            said = "no seat given" if seat is None else f"{short_repr(seat)} is not a seat"
            raise NotYourTurn(f"{said}: expected {self._expected_actors()}")
        return actor

    def _expected_actors(self) -> str:
        return " or ".join(map(seat_name, self.to_act)) or "no action, since the match is over"

    def _refusal(self, seat: int, number: int) -> IllegalAction:
        if seat not in self._to_act:
            return NotYourTurn(f"{seat_name(seat)} has no decision to make now: expected {self._expected_actors()}")
        action, expected = describe_action(self.game, number), describe_codes(self.legal_codes(seat))
        return IllegalAction(f"{action} is not allowed now for {seat_name(seat)}: expected {expected}")

    def _restore(self, states: np.ndarray, played: int) -> None:
        self._states = states
        del self.history[played:]
        self._set_owing(int(kernels.to_act_at(states, 0)))

    def _set_owing(self, mask: int) -> None:
        self._mask, self._to_act = mask, seats_in(mask)

    def _play_chance(self) -> None:
        """Draw chance's outcomes. Each draw depends only on the seed and on the number of actions before it."""
        if self.seed is None:
            return
        seed = np.uint64(self.seed & MASK_64)
        while self._mask & CHANCE_BIT:
            place = len(self.history)
            number, mask = self._chance_at(self._states, 0, seed, place)
            self.history.append((CHANCE, number))
            self._set_owing(mask)


@dataclass(frozen=True)
class MatchRecord:
    """The record of a match: enough to play it again exactly, chance included. `str(record)` is its text.

    `actions` are pairs of seat and code. `lines` are their line numbers in the text that was read, for messages; empty
    for a record of a match.
    """

    game: str
    version: int
    options: dict[str, str]
    actions: tuple[tuple[int, str], ...]
    names: tuple[str, ...] = ()
    position: Json = field(default=None)
    check: str = "strict"
    lines: tuple[int, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(cls, match: Match, names: Sequence[str] = ()) -> "MatchRecord":
        """Return the record of a match as played so far."""
        _check_names(names, match)
        code = match.game.actions.code
        actions = tuple((seat, code(number)) for seat, number in match.history)
        words = match.game.options.to_words(match.options)
        return cls(match.game.name, match.game.version, words, actions, tuple(names), match.position, match.check)

    def match(self) -> Match:
        """Replay the record and return the match. `BadRecord` names the first line that the rules do not allow."""
        match = Match(self.rules, self.options, None, self.position, "letter", self.check)
        _check_names(self.names, match)
        for place, (seat, code) in enumerate(self.actions):
            try:
                match.play(code, seat)
            except Refusal as refusal:
                where = f"line {self.lines[place]}" if self.lines else f"action {place + 1}"
                raise BadRecord(f"{where}: {refusal}") from refusal
        return match

    @property
    def rules(self) -> Game:
        """The game under the rules of the record's version. Raises `BadRecord` if that version is not kept."""
        try:
            return load(self.game, self.version)
        except UnknownVersion as refusal:
            raise BadRecord(str(refusal)) from refusal

    def __str__(self) -> str:
        return written_text(vars(self), self.options, self.actions)


def read_record(text: str) -> MatchRecord:
    """Parse the text of a record, without playing it. `BadRecord` names the wrong line and what was expected."""
    return MatchRecord(**parse_record(text))


def _check_names(names: Sequence[str], match: Match) -> None:
    if len(names) > match.players:
        raise BadRecord(f"names: expected at most {match.players}, one per player, found {len(names)}")


def initial_states(game: Game, options: np.ndarray) -> np.ndarray:
    """Return the state at the start of a match, an array of one."""
    states = game.states(1)
    kernels.start_at(states, 0, options)
    return states


@cache
def match_kernels(game: Game, interpreted: bool) -> tuple[Callable[..., Any], ...]:
    """Return the kernels `legal_at`, `play_at` and `chance_at`, as machine code for a match's arrays if compiled."""
    if interpreted:
        return kernels.legal_at, kernels.play_at, kernels.chance_at
    scratch, one = Buffers(game), game.states(1)
    return (
        specialize(kernels.legal_at, one, 0, 0, scratch.actions, scratch.weights),
        specialize(kernels.play_at, one, 0, 0, 0),
        specialize(kernels.chance_at, one, 0, np.uint64(0), 0),
    )


def perft(game: Game, states: np.ndarray, depth: int) -> int:
    """Return the number of sequences of `depth` actions from `states[0]`, chance's outcomes included."""
    levels = game.states(depth + 1)
    levels[0] = states[0]
    actions = np.zeros((depth + 1, len(game.actions)), np.int32)
    return int(kernels.perft(levels, 0, depth, actions, Buffers(game).weights))


def seat_name(seat: int) -> str:
    """Return a seat's name for messages, such as "seat 2" or "chance"."""
    return "chance" if seat == CHANCE else f"seat {short_repr(seat)}"
