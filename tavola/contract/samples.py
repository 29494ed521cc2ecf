"""Random matches, position by position, on which promises are tested.

Everything is drawn from a seed. A breach has the seed, the number of the match and its record, so it can be reproduced.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from tavola.core import kernels
from tavola.core.fields import Json
from tavola.core.game import CHANCE, Game
from tavola.core.match import Match, seat_name
from tavola.core.rng import random_below, stream
from tavola.core.view import View

T = TypeVar("T")
MOST_ACTIONS = 10_000
"""Length in actions beyond which a random match counts as endless."""
TIE_SHARE = 4
"""In one of `TIE_SHARE` races, play a tie, which chance never draws."""
GUARD = -77
"""Sentinel beyond the last index that `legal` may write."""


class Breach(AssertionError):
    """A broken promise: `check` is its name; `record` is the match, if it was broken in one."""

    def __init__(self, message: str, check: str = "", seed: int = 0, number: int = 0, record: str = "") -> None:
        super().__init__(message)
        self.message, self.check, self.seed, self.number, self.record = message, check, seed, number, record

    def __str__(self) -> str:
        where = f"\nmatch {self.number} of seed {self.seed}:\n\n{self.record}" if self.record else ""
        return f"{self.check}: {self.message}{where}"


def expect(holds: object, message: str) -> None:
    """Raise a `Breach` unless `holds`. Callers add the promise and the match."""
    if not holds:
        raise Breach(message)


def pick(rng: np.ndarray, items: Sequence[T]) -> T:
    """Return a random one of `items`."""
    return items[int(random_below(rng, len(items)))]


@dataclass
class Sample:
    """A position of a random match. Chance in `match` is played from outside; `rng` may be used by tests."""

    game: Game
    match: Match
    seed: int
    number: int
    rng: np.ndarray
    states: np.ndarray
    before: np.ndarray
    past: list[bytes] = field(default_factory=list)
    tried_indices: list[int] = field(default_factory=list)
    """Indices in `past` of the positions that are tried."""
    thorough: bool = False
    """True to run expensive checks at every position for every seat."""
    choices: dict[object, object] = field(default_factory=dict)
    """Words of choices in this match, by the key that they should depend on."""
    _document_cache: tuple[int, Json] = (0, None)

    @property
    def players(self) -> range:
        """The seats of the match."""
        return range(self.match.players)

    @property
    def document(self) -> Json:
        """The position as a document, cached; callers that change a part of it must restore it."""
        if self._document_cache[0] != len(self.past):
            self._document_cache = len(self.past), self.match.document()
        return self._document_cache[1]

    def random_seat(self) -> int:
        """Return a seat, drawn from the sample's own generator."""
        return pick(self.rng, self.players)

    def select(self, share: int) -> bool:
        """Return whether to try this position: one in `share`, and the last. Such a position is recorded."""
        if share > 1 and not self.match.over and random_below(self.rng, share):
            return False
        self.tried_indices.append(len(self.past) - 1)
        return True

    def is_due(self, every: int) -> bool:
        """Return whether the number of positions tried is a multiple of `every`, or the match is over."""
        return len(self.tried_indices) % every == 0 or self.match.over


def random_options(game: Game, rng: np.ndarray) -> dict[str, object]:
    """Return random options: in one match of three the defaults, in the others any values."""
    players, *others = game.options.all
    count = players.low + int(random_below(rng, players.high - players.low + 1))
    drawn: dict[str, object] = {players.name: count}
    if random_below(rng, 3):
        drawn |= {option.name: option.write(pick(rng, option.values(count))) for option in others}
    return drawn


def states_of(game: Game, stored: bytes) -> np.ndarray:
    """Return an array of one state with these bytes."""
    states = game.states(1)
    states[:] = np.frombuffer(stored, game.state.dtype)
    return states


def redealt(view: View, rng: np.ndarray) -> np.ndarray:
    """Return an array of one state that agrees with a seat's view."""
    states = view.game.copy_states(view.states)
    kernels.redeal_at(states, 0, view.seat, rng)
    return states


def draw_samples(game: Game, seed: int, number: int) -> Iterator[Sample]:
    """Yield every position of random match `number` of `seed`, including the last."""
    rng = stream(seed, number)
    match = Match(game, random_options(game, rng))
    states = states_of(game, match.state_bytes())
    world = Sample(game, match, seed, number, rng, states, states)
    while True:
        world.past.append(match.state_bytes())
        yield world
        if match.over:
            return
        expect(len(match.history) < MOST_ACTIONS, f"the match does not end: expected fewer than {MOST_ACTIONS} actions")
        seat = pick(rng, match.to_act)
        match.play(random_legal_action(game, world.states, seat, rng), seat)
        world.before, world.states = world.states, states_of(game, match.state_bytes())


def random_legal_action(game: Game, states: np.ndarray, seat: int, rng: np.ndarray) -> int:
    """Return a random action of `seat`, by weight for chance; sometimes one that only a room's clocks decide."""
    actions, weights = legal(game, states, seat)
    expect(len(actions), f"{seat_name(seat)} is to act: expected at least one legal action, found none")
    return _random_action(seat, actions, weights, rng)


def _random_action(seat: int, actions: Sequence[int], weights: Sequence[int], rng: np.ndarray) -> int:
    if seat != CHANCE:
        return pick(rng, actions)
    unlikely = [action for action, weight in zip(actions, weights, strict=True) if not weight]
    if unlikely and not random_below(rng, TIE_SHARE):
        return pick(rng, unlikely)
    return actions[int(kernels.weighted_index(rng, np.array(weights), len(weights)))]


def to_act(states: np.ndarray) -> int:
    """Return the mask of the seats to act."""
    return int(kernels.to_act_at(states, 0))


def actor(mask: int, rng: np.ndarray) -> int:
    """Return the seat of a non-empty mask that acts."""
    expect(mask != kernels.OPEN_BIT, "to_act marks an open decision but names no seat: expected at least one")
    return int(kernels.actor(mask, rng))


def legal(game: Game, states: np.ndarray, seat: int) -> tuple[list[int], list[int]]:
    """Return the legal actions of a seat as the rules write them, and chance's weights (empty for other seats)."""
    actions = np.full(len(game.actions) + 1, GUARD, np.int32)
    weights = np.full(len(game.actions) + 1, GUARD, np.int64)
    count = int(kernels.legal_at(states, 0, seat, actions, weights))
    expect(0 <= count <= len(game.actions), f"legal returns {count}: expected at most {len(game.actions)} actions")
    expect(actions[-1] == weights[-1] == GUARD, "legal writes more actions than the game has")
    known = np.all((actions[:count] >= 0) & (actions[:count] < len(game.actions)))
    expect(known, f"legal writes {actions[:count].tolist()}: expected numbers from 0 to {len(game.actions) - 1}")
    return actions[:count].tolist(), weights[:count].tolist() if seat == CHANCE else []


def weights_are_fair(game: Game, actions: Sequence[int], weights: Sequence[int]) -> bool:
    """Return whether chance can draw by the weights. Only a tie in a race may have weight 0."""
    likely, unlikely = list[int](), list[int]()
    for action, weight in zip(actions, weights, strict=False):
        is_tie = game.is_race_outcome(action) and game.race_winner(action) is None
        (unlikely if is_tie else likely).append(weight)
    return min(likely, default=not weights) > 0 and not any(unlikely) and sum(weights) < 2**31


def expect_no_faults(game: Game, states: np.ndarray, said: str) -> None:
    """Raise a `Breach` that begins with `said` if a state has faults, of its pieces or of its history."""
    state = game.state.unpack(states.tobytes())
    faults = [*game.faults(state), *game.history_faults(state)]
    expect(not faults, f"{said}: {'; '.join(faults)}")


def play_on(game: Game, states: np.ndarray, rng: np.ndarray, said: str, most: int | None = None) -> None:
    """Play `states[0]` on at random, to its end or for `most` actions. Every seat to act must have an action.

    The last position must have no faults. A breach begins with `said` and lists the actions played.
    """
    played: list[str] = []
    while (mask := to_act(states)) and len(played) != most:
        expect(len(played) < MOST_ACTIONS, f"{said}: the match does not end within {MOST_ACTIONS} actions")
        seat = actor(mask, rng)
        actions, weights = legal(game, states, seat)
        able = actions and weights_are_fair(game, actions, weights)
        expect(able, f"{said}{_history_text(played)}: expected legal actions for {seat_name(seat)}")
        action = _random_action(seat, actions, weights, rng)
        kernels.apply_at(states, 0, seat, action)
        played.append(game.actions.code(action))
    expect_no_faults(game, states, f"{said}{_history_text(played)}")


def _history_text(played: Sequence[str]) -> str:
    last = ", ".join(played[-12:])
    return f", played on by {'… ' if len(played) > 12 else ''}{last}" if played else ""


def list_actions(game: Game, numbers: Sequence[int]) -> str:
    """Return actions as text for a message."""
    codes = [game.actions.code(n) if 0 <= n < len(game.actions) else str(n) for n in numbers]
    return ", ".join(codes[:8]) + (", …" if len(codes) > 8 else "") if codes else "none"
