"""A search guided by Python functions, which evaluate the leaves of many walks in batches.

    found = search(view, 400, evaluate=values, priors=policy)
    match.play(found.best, seat)

The tree is that of `tavola.bots.lookahead` in plain Python, with a node for each information set: every seat that owes
a decision chooses from its own node before any moves; chance draws by weight. A batch of walks descends before any is
evaluated; pending walks count as losses, so that the next ones diverge. Rules, redeals, their likelihood and playouts
are compiled.

Sources: Silver et al., "Mastering the game of Go without human knowledge", 2017; Chaslot, Winands, van den Herik,
"Parallel Monte Carlo tree search", 2008.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tavola.bots.levels import BadBot, decision_rng
from tavola.bots.lookahead import POOL_SIZE, Workspace, run_playouts, sample_redeals
from tavola.bots.policies import choose_greedy
from tavola.bots.search import LEAST_POOL, SELDOM_TRIED, acquire_workspace
from tavola.bots.tree import EXPLORATION, NOISE
from tavola.core import CHANCE, View, kernels
from tavola.core.plan import deciding_seat
from tavola.core.rng import random_below, random_fraction
from tavola.core.view import Buffers, seats_in

Evaluate = Callable[[np.ndarray], np.ndarray]
"""(states): n full states in an array. Returns float[n, seats]: each seat's expected result, 0 to 1 for a sure win."""
Priors = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""(states, seats): n states and int64[n], a seat that owes a decision in each. Returns float[n, actions]: a
non-negative weight for every action of the game; those of illegal actions are ignored."""


@dataclass(frozen=True)
class Findings:
    """The result of a search: for each legal action, ascending, its number of tries and its mean worth."""

    actions: tuple[int, ...]
    tries: tuple[int, ...]
    worth: tuple[float, ...]
    best: int
    """The most tried action, the best of equals; in a secret ballot, one of those tried often, drawn by tries."""


def search(
    view: View,
    iterations: int = 400,
    *,
    evaluate: Evaluate | None = None,
    priors: Priors | None = None,
    batch: int = 32,
    seed: int = 0,
) -> Findings:
    """Search from a view whose seat owes a decision by `iterations` walks, evaluated in batches of `batch`.

    Without `evaluate`, a leaf's worth is the result of a playout; without `priors`, the game's own weights are used.
    Both get full states that agree with the view, never the real one: they may use all of it, or encode what a seat
    sees. The same seed and view give the same findings. Raise `NotYourTurn` if the seat owes no decision, `BadBot` if a
    returned array has the wrong shape or is not finite.
    """
    seat = deciding_seat(view)
    if iterations < 1 or batch < 1:
        raise BadBot(f"{iterations} iterations in batches of {batch}: expected at least 1 of each")
    with acquire_workspace(view.game) as workspace:
        worlds = min(max(iterations, LEAST_POOL), POOL_SIZE)
        walks = _Search(view, seat, workspace, worlds, evaluate, priors, decision_rng(seed, view))
        left = iterations
        while left > 0:
            walks.run_batch(min(batch, left))
            left -= batch
        return walks.findings()


@dataclass
class _Node:
    """An information set: its actions, and the prior, tries and total worth of each for the node's seat."""

    actions: np.ndarray
    prior: np.ndarray
    tries: np.ndarray
    worth: np.ndarray

    @classmethod
    def of(cls, actions: np.ndarray, weights: np.ndarray) -> "_Node":
        total = weights.sum()
        prior = weights / total if 0.0 < total < np.inf else np.full(len(actions), 1.0 / len(actions))
        return cls(actions, prior, np.zeros(len(actions)), np.zeros(len(actions)))

    def select(self, low: float, span: float, rng: np.ndarray, *, secret: bool) -> int:
        """Return the place of the next action by PUCT; in a secret ballot, with noise as in `tree.select_edge`."""
        visits = self.tries.sum()
        root = float(np.sqrt(visits + 1.0))
        untried = (self.worth.sum() / visits - low) / span if visits else 0.0
        value = np.where(self.tries > 0, (self.worth / np.maximum(self.tries, 1) - low) / span, untried)
        value += EXPLORATION * root * self.prior / (1.0 + self.tries)
        if secret:
            value += [NOISE / root * random_fraction(rng) for _ in self.actions]
        return int(value.argmax())


Step = tuple[int, _Node, int]
"""A seat, its node, and the place of its action."""


@dataclass
class _Walk:
    """A walk down the tree: its steps and its state.

    `missing`: seats that decide there, with their nodes' keys, if at least one node is missing.
    """

    states: np.ndarray
    steps: list[Step] = field(default_factory=list)
    missing: list[tuple[int, bytes]] = field(default_factory=list)
    over: bool = False


class _Search:
    def __init__(
        self,
        view: View,
        seat: int,
        workspace: Workspace,
        worlds: int,
        evaluate: Evaluate | None,
        priors: Priors | None,
        rng: np.ndarray,
    ) -> None:
        self.view, self.game, self.seat, self.workspace, self.rng = view, view.game, seat, workspace, rng
        self.evaluate, self.priors = evaluate, priors
        self.nodes: dict[bytes, _Node] = {}
        self.buffers, self.scores = Buffers(view.game), np.zeros(len(view.game.actions))
        self.seats = len(workspace.utility)
        self.low, self.high = np.full(self.seats, np.inf), np.full(self.seats, -np.inf)
        workspace.state[:] = view.states
        sample_redeals(workspace, seat, worlds, rng)
        self.worlds, self.sums = workspace.pool[:worlds], workspace.cumulative_likelihoods[:worlds]

    def run_batch(self, count: int) -> None:
        """Walk down `count` times, one step beyond missing nodes, evaluate all leaves, and credit every step."""
        walks = [self._walk() for _ in range(count)]
        self._expand(walks)
        for walk in walks:
            if walk.missing:
                self._decide(walk, self._owing(walk))
                self._owing(walk)
        for walk, worth in zip(walks, self._judge(walks), strict=True):
            self.low, self.high = np.fmin(self.low, worth), np.fmax(self.high, worth)
            for seat, node, place in walk.steps:
                node.worth[place] += worth[seat]

    def findings(self) -> Findings:
        """Return the results at the root."""
        node = self.nodes[self._key(self.view.states, self.seat)]
        tries, worth = node.tries.astype(np.int64), node.worth / np.maximum(node.tries, 1)
        best = int(np.lexsort((worth, tries))[-1])
        if len(self.view.to_act) > 1 and not self.view.open:
            often = np.where(tries * SELDOM_TRIED >= tries.max(), tries, 0)
            best = int(np.searchsorted(often.cumsum(), random_below(self.rng, max(1, often.sum())), side="right"))
        return Findings(
            tuple(node.actions.tolist()), tuple(tries.tolist()), tuple(worth.tolist()), int(node.actions[best])
        )

    # Down

    def _walk(self) -> _Walk:
        """Walk from a world drawn by likelihood to a decision with missing nodes, or to the end."""
        world = int(np.searchsorted(self.sums, random_fraction(self.rng) * self.sums[-1], side="right"))
        walk = _Walk(self.game.copy_states(self.worlds[world : world + 1]))
        while not walk.missing and (mask := self._owing(walk)):
            self._decide(walk, mask)
        return walk

    def _owing(self, walk: _Walk) -> int:
        """Play chance's actions; return the mask of the seats that then owe a decision, 0 at the end."""
        mask = int(kernels.to_act_at(walk.states, 0))
        while mask >> CHANCE & 1:
            self._play_chance(walk)
            mask = int(kernels.to_act_at(walk.states, 0))
        walk.over = not mask
        return mask

    def _play_chance(self, walk: _Walk) -> None:
        count = kernels.legal_at(walk.states, 0, CHANCE, self.buffers.actions, self.buffers.weights)
        sums = self.buffers.weights[:count].cumsum()
        place = int(np.searchsorted(sums, random_fraction(self.rng) * sums[-1], side="right"))
        kernels.apply_at(walk.states, 0, CHANCE, int(self.buffers.actions[place]))

    def _decide(self, walk: _Walk, mask: int) -> None:
        acting = [seat for seat, _ in walk.missing] or self._acting(walk, mask)
        keys = [(seat, self._key(walk.states, seat)) for seat in acting]
        if any(key not in self.nodes for _, key in keys):
            walk.missing = keys
        else:
            steps = [self._choose(seat, self.nodes[key], secret=len(acting) > 1) for seat, key in keys]
            for seat, node, place in steps:
                # Drop actions of seats that owe none any more, after another's choice.
                if seat == acting[0] or int(kernels.to_act_at(walk.states, 0)) >> seat & 1:
                    kernels.apply_at(walk.states, 0, seat, int(node.actions[place]))
                    walk.steps.append((seat, node, place))
                    node.tries[place] += 1  # without worth, so it counts as a loss until the walk is credited

    def _acting(self, walk: _Walk, mask: int) -> Sequence[int]:
        """Return the seats that decide: in an open decision, one drawn by lot; at the root, the searching seat."""
        if not mask & kernels.OPEN_BIT:
            return seats_in(mask)
        return (int(kernels.actor(mask, self.rng)),) if walk.steps else (self.seat,)

    def _choose(self, seat: int, node: _Node, *, secret: bool) -> Step:
        low, span = self.low[seat], self.high[seat] - self.low[seat]
        low, span = (low, max(span, 1e-9)) if np.isfinite(low) else (0.0, 1.0)
        return seat, node, node.select(low, span, self.rng, secret=secret)

    def _key(self, states: np.ndarray, seat: int) -> bytes:
        return b"".join((states["table"].tobytes(), bytes([seat]), states["hand"][0, seat].tobytes()))

    # Leaves

    def _expand(self, walks: Sequence[_Walk]) -> None:
        wanted = {key: (walk.states, seat) for walk in walks for seat, key in walk.missing}
        missing = {key: where for key, where in wanted.items() if key not in self.nodes}
        if not missing:
            return
        states, seats = _stack([at for at, _ in missing.values()]), np.array([s for _, s in missing.values()], np.int64)
        weights = None
        if self.priors is not None:
            weights = _checked(self.priors(states, seats), (len(states), len(self.game.actions)), "priors")
        for place, (key, (at, seat)) in enumerate(missing.items()):
            actions, own = self._legal(at, seat)
            self.nodes[key] = _Node.of(actions, own if weights is None else np.maximum(weights[place][actions], 0.0))

    def _legal(self, states: np.ndarray, seat: int) -> tuple[np.ndarray, np.ndarray]:
        count = kernels.legal_at(states, 0, seat, self.buffers.actions, self.buffers.weights)
        choose_greedy(states, 0, seat, self.buffers.actions, self.buffers.weights, self.scores, self.rng.copy())
        return self.buffers.actions[:count].copy(), self.scores[:count].copy()

    def _judge(self, walks: Sequence[_Walk]) -> np.ndarray:
        """Return each leaf's worth to each seat: by the score at the end, else by `evaluate` or a playout."""
        worth = np.zeros((len(walks), self.seats))
        open_leaves = [place for place, walk in enumerate(walks) if not walk.over and self.evaluate is not None]
        if open_leaves and self.evaluate is not None:
            states = _stack([walks[place].states for place in open_leaves])
            judged = np.asarray(self.evaluate(states), float)
            players = judged.shape[1] if judged.ndim == 2 and judged.shape[1] <= self.seats else self.seats
            worth[open_leaves, :players] = _checked(judged, (len(states), players), "evaluate")
        for place in set(range(len(walks))) - set(open_leaves):
            worth[place] = self._played_out(walks[place].states)
        return worth

    def _played_out(self, states: np.ndarray) -> np.ndarray:
        kept = self.workspace.pool[0].copy()
        self.workspace.pool[0] = states[0]
        run_playouts(self.workspace, 1, self.rng)
        self.workspace.pool[0] = kept
        return self.workspace.utility.copy()


def _stack(states: Sequence[np.ndarray]) -> np.ndarray:
    stacked = np.frombuffer(bytearray().join(each.tobytes() for each in states), states[0].dtype)
    return stacked.view(type(states[0]))


def _checked(found: object, shape: tuple[int, int], name: str) -> np.ndarray:
    array = np.asarray(found, float)
    if array.shape != shape or not np.isfinite(array).all():
        wrong = f"shape {array.shape}" if array.shape != shape else "NaN or infinity"
        raise BadBot(f"{name} returned {wrong}: expected finite numbers of shape {shape}")
    return array
