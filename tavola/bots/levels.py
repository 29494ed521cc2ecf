"""The levels of bots, behind one door: `bot(level, seed).choose(view)`."""

from hashlib import blake2b
from typing import Protocol

import numpy as np

from tavola.bots.policies import choose_greedy, choose_random
from tavola.bots.search import search
from tavola.core import NotYourTurn, Refusal, View
from tavola.core.rng import stream
from tavola.core.view import Buffers

LEVELS = ("random", "greedy", "search")
DEFAULT_MILLISECONDS = 50


class BadBot(Refusal):
    """A level that does not exist, or a budget that makes no sense."""


class Bot(Protocol):
    """Somebody who can decide: a pure function of what is seen, and safe to ask from many threads at once."""

    def choose(self, view: View) -> int:
        """The number of a legal action of the view's seat; `NotYourTurn` when it owes no decision."""
        ...


def bot(level: str, seed: int = 0, milliseconds: int | None = None, iterations: int | None = None) -> Bot:
    """A bot of a level. `search` takes a budget of `milliseconds` (50 unless told) or of `iterations`, not of both.

    The same seed and the same view give the same choice; of `search`, with a budget of iterations.
    """
    if level not in LEVELS:
        raise BadBot(f"unknown level {level[:60]!r}: expected one of {', '.join(LEVELS)}")
    for budget, unit in ((milliseconds, "milliseconds"), (iterations, "iterations")):
        if budget is not None and (level != "search" or budget < 1):
            raise BadBot(f"{budget} {unit} for {level}: expected at least 1, and for search alone")
    if milliseconds is not None and iterations is not None:
        raise BadBot("a budget of milliseconds and of iterations: expected one of them")
    if level == "search":
        return SearchBot(seed, milliseconds or (None if iterations else DEFAULT_MILLISECONDS), iterations)
    return RandomBot(seed) if level == "random" else GreedyBot(seed)


def deciding_seat(view: View) -> int:
    """The view's seat, which must owe a decision."""
    if view.seat is None or view.seat not in view.to_act:
        raise NotYourTurn(f"the view's seat {view.seat} owes no decision: expected one of {view.to_act}")
    return view.seat


def decision_rng(seed: int, view: View) -> np.ndarray:
    """The random numbers of a decision: they depend on the seed and on what is seen."""
    seen = blake2b(view.tobytes() + str(view.seat).encode(), digest_size=8)
    return stream(seed, int.from_bytes(seen.digest(), "little"))


class RandomBot:
    """Anything legal."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View) -> int:
        """Any legal action, each as likely as the others."""
        seat, scratch = deciding_seat(view), Buffers(view.game)
        states = view.game.copy_states(view.states)
        return int(choose_random(states, 0, seat, scratch.actions, scratch.weights, decision_rng(self.seed, view)))


class GreedyBot:
    """A bot that plays what looks best at a glance: the greatest prior of the game's heuristics."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View) -> int:
        """The action with the greatest prior; among equals any."""
        seat, scratch = deciding_seat(view), Buffers(view.game)
        scores, states = np.zeros(len(view.game.actions)), view.game.copy_states(view.states)
        rng = decision_rng(self.seed, view)
        return int(choose_greedy(states, 0, seat, scratch.actions, scratch.weights, scores, rng))


class SearchBot:
    """The best that was found by looking ahead: see `tavola.bots.lookahead`."""

    def __init__(self, seed: int, milliseconds: int | None, iterations: int | None) -> None:
        self.seed, self.milliseconds, self.iterations = seed, milliseconds, iterations

    def choose(self, view: View) -> int:
        """The action tried most; in a secret ballot one of those tried often."""
        deciding_seat(view)
        if len(view.legal) == 1:
            return view.legal[0]
        rng = decision_rng(self.seed, view)
        return search(view, rng, self.milliseconds, self.iterations).choose(rng)
