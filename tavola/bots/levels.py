"""Levels of bots: `bot(level, seed).choose(view)` returns the choice of one of them.

`LEVELS` describes each of them: how it chooses, its time per decision, whether it negotiates, how fast it reacts, and
its name and description for players.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

import numpy as np

from tavola.bots.policies import choose_greedy, choose_random
from tavola.bots.search import search
from tavola.core import Refusal, View
from tavola.core.plan import deciding_seat
from tavola.core.rng import stream
from tavola.core.text import mark
from tavola.core.view import Buffers

EXPERT_READING = 2.5
"""Bits that a strong player reads before answering."""


class BadBot(Refusal):
    """An unknown level, or an invalid budget."""


class Bot(Protocol):
    """A player: a pure function of a view, usable from many threads at once."""

    def choose(self, view: View) -> int:
        """Return the number of a legal action of the view's seat; raise `NotYourTurn` if it owes no decision."""
        ...


def bot(level: str, seed: int = 0, milliseconds: int | None = None, iterations: int | None = None) -> Bot:
    """Return a bot of a level, one of `LEVELS`.

    A level that searches takes a budget of `milliseconds` or `iterations` per decision, by default the milliseconds of
    its level. The same seed and view give the same choice, unless the budget is a time.
    """
    if level not in LEVELS:
        raise BadBot(f"unknown level {level[:60]!r}: expected one of {', '.join(LEVELS)}")
    chosen = LEVELS[level]
    for budget, unit in ((milliseconds, "milliseconds"), (iterations, "iterations")):
        if budget is not None and (not chosen.searches or budget < 1):
            searching = " or ".join(name for name, other in LEVELS.items() if other.searches)
            raise BadBot(f"{budget} {unit} for {level}: expected at least 1, and only for {searching}")
    if milliseconds is not None and iterations is not None:
        raise BadBot("milliseconds and iterations are both given: expected only one of them")
    if not chosen.searches:
        return chosen.make(seed)
    return chosen.make(seed, milliseconds or (None if iterations else chosen.milliseconds), iterations)


def decision_rng(seed: int, view: View) -> np.ndarray:
    """Return the random numbers of a decision, which depend on the seed and the view, not on how that is stored."""
    seen = blake2b(view.game.state.without_gaps(view.tobytes()) + str(view.seat).encode(), digest_size=8)
    return stream(seed, int.from_bytes(seen.digest(), "little"))


@dataclass(frozen=True)
class RandomBot:
    """A bot that plays any legal action."""

    seed: int

    def choose(self, view: View) -> int:
        """Return a legal action, drawn uniformly."""
        seat, scratch = deciding_seat(view), Buffers(view.game)
        states = view.game.copy_states(view.states)
        return int(choose_random(states, 0, seat, scratch.actions, scratch.weights, decision_rng(self.seed, view)))


@dataclass(frozen=True)
class GreedyBot:
    """A bot that plays the action with the greatest prior of the game's heuristics."""

    seed: int

    def choose(self, view: View) -> int:
        """Return the action with the greatest prior; ties are broken at random."""
        seat, scratch = deciding_seat(view), Buffers(view.game)
        scores, states = np.zeros(len(view.game.actions)), view.game.copy_states(view.states)
        rng = decision_rng(self.seed, view)
        return int(choose_greedy(states, 0, seat, scratch.actions, scratch.weights, scores, rng))


@dataclass(frozen=True)
class SearchBot:
    """A bot that looks ahead: see `tavola.bots.lookahead`."""

    seed: int
    milliseconds: int | None
    iterations: int | None

    def choose(self, view: View) -> int:
        """Return the most tried action; in a secret ballot, one of those tried often."""
        deciding_seat(view)
        if len(view.legal) == 1:
            return view.legal[0]
        rng = decision_rng(self.seed, view)
        return search(view, rng, self.milliseconds, self.iterations).choose(rng)


@dataclass(frozen=True)
class Level:
    """A level of bots.

    `label` and `description` are messages for players. `make(seed)` returns a bot; for a level that searches,
    `make(seed, milliseconds, iterations)` does, with one of the budgets None. `reading_bits`: what it reads before it
    answers in a race against people. `milliseconds`: the budget of a decision; 0 if it does not search. `bargains`:
    whether it negotiates.
    """

    name: str
    label: str
    description: str
    make: Callable[..., Bot]
    reading_bits: float = EXPERT_READING
    milliseconds: int = 0
    bargains: bool = False

    @property
    def searches(self) -> bool:
        """True if its bots look ahead, within a budget."""
        return self.milliseconds > 0


_TABLE = (
    Level("random", mark("Dreamer"), mark("makes any legal move at random"), RandomBot, reading_bits=5.0),
    Level(
        "greedy",
        mark("Hothead"),
        mark("follows rules of thumb and doesn’t think ahead"),
        GreedyBot,
        reading_bits=3.5,
        bargains=True,
    ),
    Level(
        "search",
        mark("Thinker"),
        mark("plays thousands of matches in its head before each decision"),
        SearchBot,
        milliseconds=50,
        bargains=True,
    ),
)
LEVELS = {level.name: level for level in _TABLE}
"""All levels by name, from the weakest to the strongest."""
