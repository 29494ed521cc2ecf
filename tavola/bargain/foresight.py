"""The search of `tavola.bots` that takes others at their word: patterns weigh on the priors of whoever promised.

Where nothing binds anybody it is that very search, to the last random number, so a bot to whom nobody talks plays as
one that cannot. A word of another seat is laid into its nodes before the first iteration: what does not fit it has its
prior multiplied by the doubt that is left, and so many tries that ended badly as the trust outweighs the doubt. What is
claimed of secrets weighs on the redeals.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np

from tavola.bots.levels import decision_rng
from tavola.bots.lookahead import POOL_SIZE, Workspace, root_slot, run_iterations
from tavola.bots.policies import choose_greedy
from tavola.bots.search import LEAST_POOL, SELDOM_TRIED, acquire_workspace, plant_tree
from tavola.bots.tree import add_node, find_slot, node_key, table_key
from tavola.core import View, kernels
from tavola.core.rng import random_below
from tavola.core.view import Buffers
from tavola.show.talk import Known
from tavola.talk import Pattern

MOST_HANDS = 96
"""Hands that the promised seat may hold, of which its word is laid into the nodes."""
MOST_BAD_TRIES = 12
CHUNK = 32
"""Iterations between two looks at the clock."""

Weigh = Callable[[np.ndarray], np.ndarray]
"""(redeals): n states, whole worlds. Returns float[n]: how likely what was claimed is in each."""


class Bound(NamedTuple):
    """A word that binds a seat at the present decision, and how surely, 0 to 1."""

    seat: int
    pattern: Pattern
    trust: float


class Budget(NamedTuple):
    """The budget of a search: iterations, or milliseconds where these are None."""

    iterations: int | None
    milliseconds: int = 0

    def part(self, number: int) -> "Budget":
        """Return one part of so many of it."""
        iterations = None if self.iterations is None else max(1, self.iterations // number)
        return Budget(iterations, max(1, self.milliseconds // number))

    def chunks(self) -> Iterator[int]:
        """Yield the iterations to do next until the budget is spent."""
        if self.iterations is not None:
            yield self.iterations
            return
        end = perf_counter() + self.milliseconds / 1000
        while perf_counter() < end:
            yield CHUNK


@dataclass(frozen=True)
class Prospect:
    """What a search has found: for each legal action how often it was tried, and its mean worth.

    `rng`: the random numbers as the search left them, from which its own choice is drawn.
    """

    actions: tuple[int, ...]
    tries: np.ndarray
    worth: np.ndarray
    secret: bool
    rng: np.ndarray | None = None

    def choose(self, rng: np.ndarray, allowed: np.ndarray | None = None) -> int:
        """Return the action tried most of those allowed; in a secret ballot one of those tried often, by tries."""
        tries = self.tries if allowed is None else np.where(allowed, self.tries, -1)
        if not self.secret or tries.max() <= 0:
            return self.actions[int(np.lexsort((self.worth, tries))[-1])]
        often = np.where(tries * SELDOM_TRIED >= tries.max(), tries, 0)
        return self.actions[int(np.searchsorted(often.cumsum(), random_below(rng, int(often.sum())), side="right"))]

    def loss(self, allowed: np.ndarray) -> tuple[float, float]:
        """Return what is lost by playing only what is allowed, and the standard error of that."""
        free, kept = self._leader(np.ones(len(self.tries), bool)), self._leader(allowed)
        if free == kept:
            return 0.0, 0.0
        least = max(1, int(self.tries[kept]))
        error = SPREAD * float(np.sqrt(1 / least + 1 / max(1, int(self.tries[free]))))
        return float(self.worth[free] - self.worth[kept]) if self.tries[kept] else 0.0, error

    def _leader(self, allowed: np.ndarray) -> int:
        return int(np.lexsort((self.worth, np.where(allowed, self.tries, -1)))[-1])


SPREAD = 0.4
"""The standard deviation of what single matches are worth, about."""


def look_ahead(view: View, seed: int, budget: Budget, bound: Sequence[Bound], weigh: Weigh | None = None) -> Prospect:
    """Search from a view whose seat owes a decision; `bound`: words of other seats, `weigh`: what was claimed."""
    seat, rng = view.seat, decision_rng(seed, view)
    assert seat is not None
    with searching(view, rng, budget, weigh) as (workspace, count):
        for word in bound:
            _lay_word(workspace, view, word, count)
        for iterations in budget.chunks():
            run_iterations(workspace, seat, count, iterations, rng)
        workspace.state[:] = view.states
        return _findings(workspace, view, seat, rng)


@contextmanager
def searching(
    view: View, rng: np.ndarray, budget: Budget, weigh: Weigh | None = None
) -> Iterator[tuple[Workspace, int]]:
    """A workspace with an empty tree and redeals from a view; how many of them differ, 1 if nothing is hidden."""
    seat = view.seat
    assert seat is not None
    with acquire_workspace(view.game) as workspace:
        wanted = budget.iterations or POOL_SIZE // 4
        count = plant_tree(workspace, view, seat, min(max(wanted, LEAST_POOL), POOL_SIZE), rng)
        if count > 1 and weigh is not None:
            _weigh_redeals(workspace, count, weigh)
        yield workspace, count


def _weigh_redeals(workspace: Workspace, count: int, weigh: Weigh) -> None:
    likelihoods = np.diff(workspace.cumulative_likelihoods[:count], prepend=0.0) * weigh(workspace.pool[:count])
    if likelihoods.sum() > 0.0:
        workspace.cumulative_likelihoods[:count] = likelihoods.cumsum()


def fitting(view: View, actions: Iterable[int], pattern: Pattern) -> np.ndarray:
    """Return bool[actions]: True for those that fit a pattern. `view` is of the game alone."""
    by_number = view.game.actions.by_number
    return np.array([bool(pattern.fits([Known(*by_number[number])])) for number in actions], bool)


def _lay_word(workspace: Workspace, view: View, word: Bound, count: int) -> None:
    """Lay a word into the nodes where the promised seat may stand now, one for each hand that it may hold."""
    if word.seat not in view.to_act or word.seat == view.seat:
        return
    buffers, scores = Buffers(view.game), np.zeros(len(view.game.actions))
    laid: set[bytes] = set()
    for world in range(count):
        states = workspace.pool[world : world + 1]
        hand = states["hand"][0, word.seat].tobytes()
        if hand in laid or len(laid) >= MOST_HANDS:
            continue
        laid.add(hand)
        workspace.state[:] = states
        slot = _node(workspace, word.seat, buffers, scores)
        _bend(workspace, view, slot, word)


def _node(workspace: Workspace, seat: int, buffers: Buffers, scores: np.ndarray) -> int:
    tree, (_, first, hand_bytes) = workspace.tree, workspace.layout.tolist()
    slot = int(root_slot(workspace, seat))
    if tree.key[slot] == 0:
        begin = first + seat * hand_bytes
        table = table_key(workspace.state_words, workspace.layout[0])
        key = np.uint64(node_key(np.uint64(table), seat, workspace.state_bytes[begin : begin + hand_bytes]))
        slot = int(find_slot(tree, key))
        count = kernels.legal_at(workspace.state, 0, seat, buffers.actions, buffers.weights)
        choose_greedy(workspace.state, 0, seat, buffers.actions, buffers.weights, scores, np.zeros(1, np.uint64))
        add_node(tree, slot, key, buffers.actions, count, scores)
    return slot


def _bend(workspace: Workspace, view: View, slot: int, word: Bound) -> None:
    """Multiply the priors of what does not fit by the doubt that is left, and count bad tries against it."""
    tree = workspace.tree
    edges = slice(int(tree.first[slot]), int(tree.first[slot] + tree.width[slot]))
    fits = fitting(view, tree.action[edges].tolist(), word.pattern)
    if fits.all() or not fits.any():
        return
    doubt = max(1.0 - word.trust, 0.02)
    prior = np.where(fits, tree.prior[edges], tree.prior[edges] * doubt)
    tree.prior[edges] = prior / prior.sum()
    tree.tries[edges] += np.where(fits, 0, min(MOST_BAD_TRIES, round(word.trust / doubt))).astype(np.int32)


def _findings(workspace: Workspace, view: View, seat: int, rng: np.ndarray) -> Prospect:
    tree, slot = workspace.tree, root_slot(workspace, seat)
    edges = slice(int(tree.first[slot]), int(tree.first[slot] + tree.width[slot]))
    tries = tree.tries[edges].astype(np.int64)
    worth = tree.action_utility[edges] / np.maximum(tries, 1)
    return Prospect(tuple(tree.action[edges].tolist()), tries, worth, len(view.to_act) > 1 and not view.open, rng)
