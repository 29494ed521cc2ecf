"""The search of any game: information-set Monte Carlo tree search with decoupled choices.

An iteration takes a redeal that agrees with the view and descends the tree: every seat that owes a decision chooses
from its own node, and chance draws by weight. It adds the nodes of one more step and plays on by the game's priors, or
by cheaper ones for playouts. It stops at the end, or when the game's heuristics evaluate the position. Every node of
the path is credited with the result for its seat.

In an open decision, one seat acts, drawn uniformly. At the root it is the seat that searches, since its choice is
played only if it is first; below, it may be any.

Sources: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", 2012; Tak, Lanctot, Winands, "Monte
Carlo tree search variants for simultaneous move games", 2014.
"""

from typing import NamedTuple

import numpy as np

from tavola.bots.policies import draw_for_playout, evaluate, likelihood, priors
from tavola.bots.tree import (
    Tree,
    add_node,
    backpropagate,
    empty_tree,
    find_slot,
    has_room,
    node_key,
    select_edge,
    table_key,
)
from tavola.core import kernels
from tavola.core.compilation import UNCOMPILED, as_records, compiled
from tavola.core.game import CHANCE, Game
from tavola.core.intrinsics import borrow
from tavola.core.rng import random_below, random_fraction

SLOTS = 1 << 17
ACTIONS = 1 << 20
POOL_SIZE = 1024
LONGEST_PATH = 2048
EPSILON = 0.2  # the share of a playout's actions drawn uniformly
WIN_WEIGHT, RANK_WEIGHT, MARGIN_WEIGHT = 0.7, 0.2, 0.1
"""Weights of the final result: share of the first place, place, points."""


class Workspace(NamedTuple):
    """The arrays of one search, allocated beforehand."""

    tree: Tree
    state: np.ndarray  # one state, changed while playing
    state_words: np.ndarray  # its bytes, eight at a time (uint64)
    state_bytes: np.ndarray  # its bytes (uint8)
    layout: np.ndarray  # int64: bytes of the table, where the hands begin, bytes of a hand
    pool: np.ndarray  # states: redeals
    cumulative_likelihoods: np.ndarray  # float64: sums of the redeals' likelihoods
    actions: np.ndarray  # int32: legal actions
    weights: np.ndarray  # int64: chance's weights
    scores: np.ndarray  # float64: priors
    points: np.ndarray  # int64, by seat
    ranks: np.ndarray  # int64, by seat
    utility: np.ndarray  # float64, by seat
    bounds: np.ndarray  # float64[2, seats]: least and greatest utility seen by each seat
    path_slots: np.ndarray  # int64: the path's nodes
    path_edges: np.ndarray  # int64: the path's actions
    path_seats: np.ndarray  # int64: the path's seats


def new_workspace(game: Game, slots: int = SLOTS, actions: int = ACTIONS) -> Workspace:
    """Return arrays for searches of one game, one at a time; `slots` is a power of two."""
    size = game.state.dtype.itemsize
    words = np.zeros(-(-size // 8), np.uint64)
    octets = words.view(np.uint8)[:size]
    here = octets.view(game.state.dtype)
    hands = game.state.dtype["hand"].shape[0]
    table, hand = game.table.dtype.itemsize, game.hand.dtype.itemsize
    layout = np.array([table, game.state.dtype.fields["hand"][1], hand], np.int64)
    count = len(game.actions)
    return Workspace(
        tree=empty_tree(slots, actions),
        state=as_records(here) if UNCOMPILED else here,
        state_words=words,
        state_bytes=octets,
        layout=layout,
        pool=game.states(POOL_SIZE),
        cumulative_likelihoods=np.zeros(POOL_SIZE),
        actions=np.zeros(count, np.int32),
        weights=np.zeros(count, np.int64),
        scores=np.zeros(count),
        points=np.zeros(hands, np.int64),
        ranks=np.zeros(hands, np.int64),
        utility=np.zeros(hands),
        bounds=np.zeros((2, hands)),
        path_slots=np.zeros(LONGEST_PATH, np.int64),
        path_edges=np.zeros(LONGEST_PATH, np.int64),
        path_seats=np.zeros(LONGEST_PATH, np.int64),
    )


@compiled
def sample_redeals(workspace, seat, count, rng):
    """Fill the pool with `count` redeals of `workspace.state`, a view of `seat`; sum their likelihoods."""
    workspace, rng = borrow(workspace), borrow(rng)
    total = 0.0
    for k in range(count):
        workspace.pool[k] = workspace.state[0]
        kernels.redeal(workspace.pool[k], seat, rng)
        total += likelihood(workspace.pool[k], seat)
        workspace.cumulative_likelihoods[k] = total
    if not 0.0 < total < 1e300:
        for k in range(count):
            workspace.cumulative_likelihoods[k] = k + 1.0


@compiled
def run_iterations(workspace, seat, count, iterations, rng):
    """Run iterations for `seat` on the first `count` redeals of the pool; return the number of actions played."""
    workspace, rng = borrow(workspace), borrow(rng)
    steps = 0
    for _ in range(iterations):
        k = 0
        if count > 1:
            k = np.searchsorted(
                workspace.cumulative_likelihoods[:count],
                random_fraction(rng) * workspace.cumulative_likelihoods[count - 1],
                side="right",
            )
        workspace.state[0] = workspace.pool[k]
        depth = _descend(workspace, seat, rng)
        steps += depth
        steps += _play_out(workspace, rng)
        for j in range(depth):
            backpropagate(
                workspace.tree,
                workspace.path_slots[j],
                workspace.path_edges[j],
                workspace.utility[workspace.path_seats[j]],
            )
    return steps


@compiled
def root_slot(workspace, seat):
    """Return the slot of the node of `seat` in `workspace.state`."""
    return find_slot(
        workspace.tree, _information_set_key(workspace, table_key(workspace.state_words, workspace.layout[0]), seat)
    )


@compiled
def run_playouts(workspace, number, rng):
    """Play out the first redeal of the pool `number` times; return the number of actions played."""
    workspace, rng = borrow(workspace), borrow(rng)
    steps = 0
    for _ in range(number):
        workspace.state[0] = workspace.pool[0]
        steps += _play_out(workspace, rng)
    return steps


@compiled
def _play_out(workspace, rng):
    """Play `workspace.state` on by the seats' priors and evaluate it; return the number of actions."""
    s = workspace.state[0]
    steps = 0
    mask = kernels.to_act(s)
    while mask and not evaluate(s, steps, workspace.utility):
        seat = kernels.actor(mask, rng)
        kernels.apply(s, seat, _likely_action(workspace, seat, rng))
        steps += 1
        mask = kernels.to_act(s)
    if not mask:
        _evaluate_end(workspace)
    for seat in range(len(workspace.utility)):
        workspace.bounds[0, seat] = min(workspace.bounds[0, seat], workspace.utility[seat])
        workspace.bounds[1, seat] = max(workspace.bounds[1, seat], workspace.utility[seat])
    return steps


@compiled
def _likely_action(workspace, seat, rng):
    """Draw a legal action by weight, chance's own or the seat's priors; sometimes uniformly."""
    count = kernels.legal(workspace.state[0], seat, workspace.actions, workspace.weights)
    if count == 1:
        return workspace.actions[0]
    if seat == CHANCE:
        return workspace.actions[kernels.weighted_index(rng, workspace.weights, count)]
    if random_fraction(rng) < EPSILON:
        return workspace.actions[random_below(rng, count)]
    return draw_for_playout(workspace.state[0], seat, rng, workspace.actions, count, workspace.scores)


@compiled
def _descend(workspace, searching, rng):
    """Descend the tree and one step beyond; return the length of the path. At an open root `searching` acts."""
    s = workspace.state[0]
    depth = np.int64(0)  # a literal 0 would have its own type, and the functions called with it would be compiled twice
    grown = False
    mask = kernels.to_act(s)
    while mask and not grown and depth + CHANCE < len(workspace.path_seats):
        if mask >> CHANCE & 1:
            kernels.apply(s, CHANCE, kernels.random_action(s, CHANCE, rng, workspace.actions, workspace.weights))
        else:
            if mask & kernels.OPEN_BIT:
                mask = 1 << (searching if depth == 0 else kernels.actor(mask, rng))
            nodes = workspace.tree.used[0]
            after = _choose_edges(workspace, mask, depth, rng)
            grown = nodes < workspace.tree.used[0] or after == depth
            depth = _play_all(workspace, depth, after)
        mask = kernels.to_act(s)
    return depth


@compiled
def _choose_edges(workspace, mask, depth, rng):
    """Let every seat of `mask` choose before any moves; return the path's new length, unchanged without room."""
    tree = workspace.tree
    key = table_key(workspace.state_words, workspace.layout[0])
    secret = mask & (mask - 1) != 0
    after = depth
    for seat in range(len(workspace.utility)):
        if mask >> seat & 1:
            slot = _find_or_add_node(workspace, key, seat)
            if slot < 0:
                return depth
            low = workspace.bounds[0, seat]
            span = max(workspace.bounds[1, seat] - low, 1e-9)
            workspace.path_slots[after] = slot
            workspace.path_edges[after] = select_edge(tree, slot, low, span, secret, rng)
            workspace.path_seats[after] = seat
            after += 1
    return after


@compiled
def _information_set_key(workspace, table, seat):
    begin = workspace.layout[1] + seat * workspace.layout[2]
    return node_key(table, seat, workspace.state_bytes[begin : begin + workspace.layout[2]])


@compiled
def _find_or_add_node(workspace, table, seat):
    """Return the slot of the current node of `seat`, added if new; -1 if the tree is full."""
    key = _information_set_key(workspace, table, seat)
    slot = find_slot(workspace.tree, key)
    if workspace.tree.key[slot] == 0:
        s = workspace.state[0]
        count = kernels.legal(s, seat, workspace.actions, workspace.weights)
        if not has_room(workspace.tree, count):
            return -1
        priors(s, seat, workspace.actions, count, workspace.scores)
        add_node(workspace.tree, slot, key, workspace.actions, count, workspace.scores)
    return slot


@compiled
def _play_all(workspace, depth, after):
    """Play the chosen actions; drop those of seats that owe none any more, after another's choice."""
    s = workspace.state[0]
    kept = depth
    for j in range(depth, after):
        seat = workspace.path_seats[j]
        if j == depth or kernels.to_act(s) >> seat & 1:
            kernels.apply(s, seat, workspace.tree.action[workspace.path_edges[j]])
            workspace.path_slots[kept] = workspace.path_slots[j]
            workspace.path_edges[kept] = workspace.path_edges[j]
            workspace.path_seats[kept] = seat
            kept += 1
    return kept


@compiled
def _evaluate_end(workspace):
    """Write each seat's utility of the end: mainly its share of the first place, then its place and points."""
    workspace.ranks[:] = 0
    kernels.score(workspace.state[0], workspace.points, workspace.ranks)
    players = 0
    winners = 0
    most = -(1 << 62)
    least = 1 << 62
    for seat in range(len(workspace.ranks)):
        if workspace.ranks[seat]:
            players += 1
            winners += workspace.ranks[seat] == 1
            most = max(most, workspace.points[seat])
            least = min(least, workspace.points[seat])
    for seat in range(len(workspace.ranks)):
        if workspace.ranks[seat]:
            share = (1.0 if workspace.ranks[seat] == 1 else 0.0) / winners
            rank = (players - workspace.ranks[seat]) / max(players - 1.0, 1.0)
            margin = (workspace.points[seat] - least) / max(most - least, 1)
            workspace.utility[seat] = WIN_WEIGHT * share + RANK_WEIGHT * rank + MARGIN_WEIGHT * margin
