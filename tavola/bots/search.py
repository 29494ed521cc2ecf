"""The search bot's engine, with a budget of time or iterations."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import perf_counter

import numpy as np

from tavola.bots.lookahead import POOL_SIZE, Workspace, new_workspace, root_slot, run_iterations, sample_redeals
from tavola.bots.tree import EQUAL, clear
from tavola.core import Game, View
from tavola.core.rng import random_below

LEAST_POOL = 64
SELDOM_TRIED = 3
"""In a secret ballot, actions with fewer than 1 / `SELDOM_TRIED` of the most tried one's tries are left out."""
CLOCK_INTERVAL = 0.002
"""Seconds between checks of the clock."""
_free_workspaces: dict[Game, list[Workspace]] = {}
_lock = Lock()


@contextmanager
def acquire_workspace(game: Game) -> Iterator[Workspace]:
    """Yield a workspace for exclusive use; workspaces are reused."""
    with _lock:
        waiting = _free_workspaces.setdefault(game, [])  # states of an earlier version have another type
        workspace = waiting.pop() if waiting else None
    workspace = workspace or new_workspace(game)
    try:
        yield workspace
    finally:
        with _lock:
            waiting.append(workspace)


class SearchResult:
    """The result of a search: the number of tries and the mean utility of each legal action."""

    def __init__(self, workspace: Workspace, seat: int, secret: bool) -> None:
        tree, slot = workspace.tree, root_slot(workspace, seat)
        edges = slice(tree.first[slot], tree.first[slot] + tree.width[slot])
        self.actions, self.tries = tree.action[edges].copy(), tree.tries[edges].astype(np.int64)
        self.mean_utility = tree.action_utility[edges] / np.maximum(self.tries, 1)
        self.secret = secret

    def choose(self, rng: np.ndarray) -> int:
        """Return the most tried action, the best of equals; in a secret ballot, draw by tries among frequent ones."""
        if not self.secret:
            often = np.flatnonzero(self.tries == self.tries.max())
            best = often[self.mean_utility[often] >= self.mean_utility[often].max() - EQUAL]
            return int(self.actions[best[random_below(rng, len(best))]])
        tries = np.where(self.tries * SELDOM_TRIED >= self.tries.max(), self.tries, 0)
        return int(self.actions[np.searchsorted(tries.cumsum(), random_below(rng, tries.sum()), side="right")])


def search(view: View, rng: np.ndarray, milliseconds: int | None, iterations: int | None) -> SearchResult:
    """Search from a view whose seat owes a decision, for `iterations` or for `milliseconds`."""
    seat = view.seat
    assert seat is not None
    with acquire_workspace(view.game) as workspace:
        if not workspace.tree.used[0]:
            _begin_search(workspace, view, seat, 1, rng.copy())  # compile before the clock starts
        deadline = perf_counter() + (milliseconds or 0) / 1000
        count = _begin_search(
            workspace, view, seat, POOL_SIZE if iterations is None else min(max(iterations, LEAST_POOL), POOL_SIZE), rng
        )
        if iterations is None:
            _run_until(workspace, seat, count, rng, deadline)
        else:
            run_iterations(workspace, seat, count, iterations - 1, rng)
        workspace.state[:] = view.states
        return SearchResult(workspace, seat, len(view.to_act) > 1 and not view.open)


def _begin_search(workspace: Workspace, view: View, seat: int, count: int, rng: np.ndarray) -> int:
    """Begin a search: draw `count` redeals, run one iteration; return how many differ, 1 if nothing is hidden."""
    count = plant_tree(workspace, view, seat, count, rng)
    run_iterations(workspace, seat, count, 1, rng)
    return count


def plant_tree(workspace: Workspace, view: View, seat: int, count: int, rng: np.ndarray) -> int:
    """Empty the tree and draw `count` redeals; return how many differ, 1 if nothing is hidden."""
    clear(workspace.tree)
    workspace.bounds[0].fill(np.inf)
    workspace.bounds[1].fill(-np.inf)
    workspace.state[:] = view.states
    sample_redeals(workspace, seat, count, rng)
    if workspace.pool[:count].tobytes() == workspace.pool[:1].tobytes() * count:
        count = 1
    return count


def _run_until(workspace: Workspace, seat: int, count: int, rng: np.ndarray, deadline: float) -> None:
    chunk, now = 1, perf_counter()
    while now < deadline:
        run_iterations(workspace, seat, count, chunk, rng)
        before, now = now, perf_counter()
        rate = chunk / (now - before)
        chunk = max(1, int(rate * min(CLOCK_INTERVAL, deadline - now)))
