"""The bot that looks ahead, within a stated budget."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import perf_counter

import numpy as np

from tavola.bots.lookahead import POOL, Desk, grow, new_desk, redeals, root
from tavola.bots.tree import clear
from tavola.core import Game, View
from tavola.core.draws import below

LEAST_POOL = 64
SELDOM = 3
"""In a secret ballot an action tried less than one in so many of the most tried one's tries is left out."""
GLANCE = 0.002
"""Seconds between looks at the clock."""
_free: dict[str, list[Desk]] = {}
_lock = Lock()


@contextmanager
def desk_for(game: Game) -> Iterator[Desk]:
    """A desk that nobody else uses: as many are made as searches ever ran at the same time, then used again."""
    with _lock:
        waiting = _free.setdefault(game.name, [])
        desk = waiting.pop() if waiting else None
    desk = desk or new_desk(game)
    try:
        yield desk
    finally:
        with _lock:
            waiting.append(desk)


class Found:
    """What a search found: for each legal action how often it was tried and what it was worth on average."""

    def __init__(self, desk: Desk, seat: int, secret: bool) -> None:
        tree, slot = desk.tree, root(desk, seat)
        edges = slice(tree.first[slot], tree.first[slot] + tree.width[slot])
        self.actions, self.tries = tree.action[edges].copy(), tree.tries[edges].astype(np.int64)
        self.worth = tree.worth[edges] / np.maximum(self.tries, 1)
        self.secret = secret

    def choice(self, rng: np.ndarray) -> int:
        """The action tried most, of equals the best; in a secret ballot any of those tried often, by tries."""
        if not self.secret:
            return int(self.actions[np.lexsort((self.worth, self.tries))[-1]])
        tries = np.where(self.tries * SELDOM >= self.tries.max(), self.tries, 0)
        return int(self.actions[np.searchsorted(tries.cumsum(), below(rng, tries.sum()), side="right")])


def search(view: View, rng: np.ndarray, milliseconds: int | None, iterations: int | None) -> Found:
    """Search from a view whose seat owes a decision, for `iterations` or for `milliseconds`."""
    seat = view.seat
    assert seat is not None
    with desk_for(view.game) as desk:
        if not desk.tree.used[0]:
            _look(desk, view, seat, 1, rng.copy())  # what must be compiled is compiled before the clock runs
        deadline = perf_counter() + (milliseconds or 0) / 1000
        count = _look(desk, view, seat, POOL if iterations is None else min(max(iterations, LEAST_POOL), POOL), rng)
        if iterations is None:
            _grow_until(desk, seat, count, rng, deadline)
        else:
            grow(desk, seat, count, iterations - 1, rng)
        desk.here[:] = view.states
        return Found(desk, seat, len(view.to_act) > 1 and not view.open)


def _look(desk: Desk, view: View, seat: int, count: int, rng: np.ndarray) -> int:
    """Begin a search: draw `count` redeals, run one iteration; how many redeals differ, 1 if nothing is hidden."""
    clear(desk.tree)
    desk.bounds[0].fill(np.inf)
    desk.bounds[1].fill(-np.inf)
    desk.here[:] = view.states
    redeals(desk, seat, count, rng)
    if desk.pool[:count].tobytes() == desk.pool[:1].tobytes() * count:
        count = 1
    grow(desk, seat, count, 1, rng)
    return count


def _grow_until(desk: Desk, seat: int, count: int, rng: np.ndarray, deadline: float) -> None:
    """Search on until the deadline, looking at the clock about every two milliseconds."""
    chunk, now = 1, perf_counter()
    while now < deadline:
        grow(desk, seat, count, chunk, rng)
        before, now = now, perf_counter()
        rate = chunk / (now - before)
        chunk = max(1, int(rate * min(GLANCE, deadline - now)))
