"""The search of `tavola.bots` under promises: they change the priors of the seats that made them.

Without promises it is the same search, down to the random numbers. A promise of another seat is written into its nodes
before the first iteration. Priors of actions that break it are multiplied by the remaining doubt, and failed tries are
added in the ratio of trust to doubt. Claims about secrets weight the redeals.
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
"""Maximum hands of a promising seat whose nodes are prepared."""
MOST_BAD_TRIES = 12
CHUNK = 32
"""Iterations between two checks of the clock."""

Weigh = Callable[[np.ndarray], np.ndarray]
"""(redeals): n full states. Returns float[n]: the likelihood of the claims in each."""


class Bound(NamedTuple):
    """A promise that binds a seat at the current decision, and the trust in it, 0 to 1."""

    seat: int
    pattern: Pattern
    trust: float


class Budget(NamedTuple):
    """The budget of a search: iterations, or milliseconds if these are None."""

    iterations: int | None
    milliseconds: int = 0

    def part(self, number: int) -> "Budget":
        iterations = None if self.iterations is None else max(1, self.iterations // number)
        return Budget(iterations, max(1, self.milliseconds // number))

    def chunks(self) -> Iterator[int]:
        """Yield the number of iterations to run next until the budget is spent."""
        if self.iterations is not None:
            yield self.iterations
            return
        end = perf_counter() + self.milliseconds / 1000
        while perf_counter() < end:
            yield CHUNK


@dataclass(frozen=True)
class Prospect:
    """The result of a search: the number of tries and the mean worth of each legal action.

    `rng`: the random numbers after the search, from which its own choice is drawn.
    """

    actions: tuple[int, ...]
    tries: np.ndarray
    worth: np.ndarray
    secret: bool
    rng: np.ndarray | None = None

    def choose(self, rng: np.ndarray, allowed: np.ndarray | None = None) -> int:
        """Return the most tried of the allowed actions; in a secret ballot, draw by tries among those tried often."""
        tries = self.tries if allowed is None else np.where(allowed, self.tries, -1)
        if not self.secret or tries.max() <= 0:
            return self.actions[self._leader(tries)]
        often = np.where(tries * SELDOM_TRIED >= tries.max(), tries, 0)
        return self.actions[int(np.searchsorted(often.cumsum(), random_below(rng, int(often.sum())), side="right"))]

    def loss(self, allowed: np.ndarray) -> tuple[float, float]:
        """Return the loss from playing only allowed actions, and its standard error."""
        free, kept = self._leader(self.tries), self._leader(np.where(allowed, self.tries, -1))
        if free == kept:
            return 0.0, 0.0
        error = SPREAD * float(np.sqrt(sum(1 / max(1, int(self.tries[each])) for each in (kept, free))))
        return float(self.worth[free] - self.worth[kept]) if self.tries[kept] else 0.0, error

    def _leader(self, tries: np.ndarray) -> int:
        return int(np.lexsort((self.worth, tries))[-1])


SPREAD = 0.4
"""The approximate standard deviation of the worth of single matches."""


def look_ahead(view: View, seed: int, budget: Budget, bound: Sequence[Bound], weigh: Weigh | None = None) -> Prospect:
    """Search from a view whose seat owes a decision, given the promises `bound` of others and the weight of claims."""
    seat, rng = view.seat, decision_rng(seed, view)
    assert seat is not None
    with searching(view, rng, budget, weigh) as (workspace, count):
        for word in bound:
            _lay_word(workspace, view, word, count)
        for iterations in budget.chunks():
            run_iterations(workspace, seat, count, iterations, rng)
        workspace.state[:] = view.states
        tree, slot = workspace.tree, root_slot(workspace, seat)
        edges = slice(int(tree.first[slot]), int(tree.first[slot] + tree.width[slot]))
        tries = tree.tries[edges].astype(np.int64)
        worth = tree.action_utility[edges] / np.maximum(tries, 1)
        return Prospect(tuple(tree.action[edges].tolist()), tries, worth, len(view.to_act) > 1 and not view.open, rng)


@contextmanager
def searching(
    view: View, rng: np.ndarray, budget: Budget, weigh: Weigh | None = None
) -> Iterator[tuple[Workspace, int]]:
    """Yield a workspace with an empty tree and redeals of a view, and how many differ: 1 if nothing is hidden."""
    seat = view.seat
    assert seat is not None
    with acquire_workspace(view.game) as workspace:
        wanted = budget.iterations or POOL_SIZE // 4
        count = plant_tree(workspace, view, seat, min(max(wanted, LEAST_POOL), POOL_SIZE), rng)
        if count > 1 and weigh is not None:
            likelihoods = np.diff(workspace.cumulative_likelihoods[:count], prepend=0.0) * weigh(workspace.pool[:count])
            if likelihoods.sum() > 0.0:
                workspace.cumulative_likelihoods[:count] = likelihoods.cumsum()
        yield workspace, count


def fitting(view: View, actions: Iterable[int], pattern: Pattern) -> np.ndarray:
    """Return bool[actions]: True for those that fit a pattern. `view` only supplies the game."""
    by_number = view.game.actions.by_number
    return np.array([bool(pattern.fits([Known(*by_number[number])])) for number in actions], bool)


def _lay_word(workspace: Workspace, view: View, word: Bound, count: int) -> None:
    """Write a promise into the possible nodes of its seat, one for each hand that it may have."""
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
        _bend(workspace, view, _node(workspace, word.seat, buffers, scores), word)


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
    """Multiply the priors of actions that do not fit by the remaining doubt, and add failed tries to them."""
    tree = workspace.tree
    edges = slice(int(tree.first[slot]), int(tree.first[slot] + tree.width[slot]))
    fits = fitting(view, tree.action[edges].tolist(), word.pattern)
    if fits.all() or not fits.any():
        return
    doubt = max(1.0 - word.trust, 0.02)
    prior = np.where(fits, tree.prior[edges], tree.prior[edges] * doubt)
    tree.prior[edges] = prior / prior.sum()
    tree.tries[edges] += np.where(fits, 0, min(MOST_BAD_TRIES, round(word.trust / doubt))).astype(np.int32)
