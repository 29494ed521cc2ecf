"""The search itself, over any game: information-set Monte Carlo tree search with decoupled choices.

One iteration takes a redeal that agrees with the view, walks down the tree (every seat that owes a decision chooses
from its own node, chance draws by weight), adds the nodes of one more step, plays to the end by the weight of the
game's priors, or until the game's heuristics judge the outlook, and credits every node on the way with what that is
worth to its seat.

An open decision is one seat's turn: who comes first is drawn, each as likely as the others, and he alone chooses. At
the root it is the seat that searches, since what it does is played only if it is first; further on anybody may be.

Sources: Cowling, Powley, Whitehouse, "Information set Monte Carlo tree search", 2012; Tak, Lanctot, Winands, "Monte
Carlo tree search variants for simultaneous move games", 2014.
"""

from typing import NamedTuple

import numpy as np

from tavola.bots.kernels import by_priors, likelihood, outlook, priors
from tavola.bots.tree import (
    Tree,
    credit,
    empty_tree,
    node_key,
    plant,
    promising,
    room_for,
    slot_of,
    table_key,
)
from tavola.core import kernels
from tavola.core.compiled import UNCOMPILED, compiled
from tavola.core.draws import below, fraction
from tavola.core.game import CHANCE, Game
from tavola.core.unowned import unowned

SLOTS = 1 << 17
ACTIONS = 1 << 20
POOL = 1024
LONGEST_PATH = 2048
WHIM = 0.2  # the part of a playout's actions that are played whatever their priors
WIN, RANK, MARGIN = 0.7, 0.2, 0.1  # what the end is worth: the share of the first place, the place, the points


class Desk(NamedTuple):
    """What one search works with; nothing is allocated while it runs."""

    tree: Tree
    here: np.ndarray  # one state, played on
    words: np.ndarray  # its bytes, eight at a time (uint64)
    octets: np.ndarray  # its bytes (uint8)
    layout: np.ndarray  # int64: bytes of the table, where the hands begin, bytes of a hand
    pool: np.ndarray  # states: redeals
    heap: np.ndarray  # float64: likelihood of each redeal and those before it
    actions: np.ndarray  # int32: legal actions
    weights: np.ndarray  # int64: chance's weights
    scores: np.ndarray  # float64: priors
    points: np.ndarray  # int64, by seat
    place: np.ndarray  # int64, by seat
    utility: np.ndarray  # float64, by seat
    bounds: np.ndarray  # float64[2, seats]: least and greatest utility that a seat has met
    slots: np.ndarray  # int64: the path's nodes
    edges: np.ndarray  # int64: the path's actions
    seats: np.ndarray  # int64: the path's seats


def new_desk(game: Game, slots: int = SLOTS, actions: int = ACTIONS) -> Desk:
    """Room for searches of one game, one at a time, in trees of so many slots (a power of two) and actions."""
    size = game.state.dtype.itemsize
    words = np.zeros(-(-size // 8), np.uint64)
    octets = words.view(np.uint8)[:size]
    here = octets.view(game.state.dtype)
    hands = game.state.dtype["hand"].shape[0]
    table, hand = game.table.dtype.itemsize, game.hand.dtype.itemsize
    layout = np.array([table, game.state.dtype.fields["hand"][1], hand], np.int64)
    count = len(game.actions)
    return Desk(
        tree=empty_tree(slots, actions),
        here=here.view(np.recarray) if UNCOMPILED else here,
        words=words,
        octets=octets,
        layout=layout,
        pool=game.states(POOL),
        heap=np.zeros(POOL),
        actions=np.zeros(count, np.int32),
        weights=np.zeros(count, np.int64),
        scores=np.zeros(count),
        points=np.zeros(hands, np.int64),
        place=np.zeros(hands, np.int64),
        utility=np.zeros(hands),
        bounds=np.zeros((2, hands)),
        slots=np.zeros(LONGEST_PATH, np.int64),
        edges=np.zeros(LONGEST_PATH, np.int64),
        seats=np.zeros(LONGEST_PATH, np.int64),
    )


@compiled
def redeals(desk, seat, count, rng):
    """Fill the pool with `count` redeals of `desk.here`, a view of `seat`, and the heap with their likelihoods."""
    desk, rng = unowned(desk), unowned(rng)
    total = 0.0
    for k in range(count):
        desk.pool[k] = desk.here[0]
        kernels.redeal(desk.pool[k], seat, rng)
        total += likelihood(desk.pool[k], seat)
        desk.heap[k] = total
    if not 0.0 < total < 1e300:
        for k in range(count):
            desk.heap[k] = k + 1.0


@compiled
def grow(desk, seat, count, iterations, rng):
    """Search on for `seat`, a number of iterations, from the first `count` redeals of the pool; the actions played."""
    desk, rng = unowned(desk), unowned(rng)
    steps = 0
    for _ in range(iterations):
        k = 0
        if count > 1:
            k = np.searchsorted(desk.heap[:count], fraction(rng) * desk.heap[count - 1], side="right")
        desk.here[0] = desk.pool[k]
        depth = _descend(desk, seat, rng)
        steps += depth
        steps += _play_out(desk, rng)
        for j in range(depth):
            credit(desk.tree, desk.slots[j], desk.edges[j], desk.utility[desk.seats[j]])
    return steps


@compiled
def root(desk, seat):
    """The slot of the node of `seat` in `desk.here`."""
    return slot_of(desk.tree, _key(desk, table_key(desk.words, desk.layout[0]), seat))


@compiled
def playouts(desk, number, rng):
    """Play the first redeal of the pool on so often, as the search does; the actions played."""
    desk, rng = unowned(desk), unowned(rng)
    steps = 0
    for _ in range(number):
        desk.here[0] = desk.pool[0]
        steps += _play_out(desk, rng)
    return steps


@compiled
def _play_out(desk, rng):
    """Play `desk.here` on, every seat by the weight of its priors, and say what it is worth; the actions played."""
    s = desk.here[0]
    steps = 0
    mask = kernels.to_act(s)
    while mask and not outlook(s, steps, desk.utility):
        seat = kernels.actor(mask, rng)
        kernels.apply(s, seat, _likely_action(desk, seat, rng))
        steps += 1
        mask = kernels.to_act(s)
    if not mask:
        _appraise(desk)
    for seat in range(len(desk.utility)):
        desk.bounds[0, seat] = min(desk.bounds[0, seat], desk.utility[seat])
        desk.bounds[1, seat] = max(desk.bounds[1, seat], desk.utility[seat])
    return steps


@compiled
def _likely_action(desk, seat, rng):
    """A legal action drawn by weight, chance's own or the seat's priors; now and then any, whatever the priors say."""
    count = kernels.legal(desk.here[0], seat, desk.actions, desk.weights)
    if count == 1:
        return desk.actions[0]
    if seat == CHANCE:
        return desk.actions[kernels.weighted(rng, desk.weights, count)]
    if fraction(rng) < WHIM:
        return desk.actions[below(rng, count)]
    return by_priors(desk.here[0], seat, rng, desk.actions, count, desk.scores)


@compiled
def _descend(desk, searching, rng):
    """Walk down the tree, and one step out of it; the length of the path. Of an open root `searching` acts."""
    s = desk.here[0]
    depth = np.int64(0)  # as a bare 0 it would be a type of its own, and what is called with it be compiled twice
    grown = False
    mask = kernels.to_act(s)
    while mask and not grown and depth + CHANCE < len(desk.seats):
        if mask >> CHANCE & 1:
            kernels.apply(s, CHANCE, kernels.drawn(s, CHANCE, rng, desk.actions, desk.weights))
        else:
            if mask & kernels.OPEN_BIT:
                mask = 1 << (searching if depth == 0 else kernels.actor(mask, rng))
            nodes = desk.tree.used[0]
            after = _choose_all(desk, mask, depth, rng)
            grown = nodes < desk.tree.used[0] or after == depth
            depth = _play_all(desk, depth, after)
        mask = kernels.to_act(s)
    return depth


@compiled
def _choose_all(desk, mask, depth, rng):
    """Every seat of `mask` chooses, none having moved; the length of the path with them, or as it was without room."""
    tree = desk.tree
    key = table_key(desk.words, desk.layout[0])
    secret = mask & (mask - 1) != 0
    after = depth
    for seat in range(len(desk.utility)):
        if mask >> seat & 1:
            slot = _node(desk, key, seat)
            if slot < 0:
                return depth
            low = desk.bounds[0, seat]
            span = max(desk.bounds[1, seat] - low, 1e-9)
            desk.slots[after] = slot
            desk.edges[after] = promising(tree, slot, low, span, secret, rng)
            desk.seats[after] = seat
            after += 1
    return after


@compiled
def _key(desk, table, seat):
    """The key of what `seat` sees of `desk.here`, whose table has the key `table`."""
    begin = desk.layout[1] + seat * desk.layout[2]
    return node_key(table, seat, desk.octets[begin : begin + desk.layout[2]])


@compiled
def _node(desk, table, seat):
    """The slot of the node where `seat` stands now, planted if it is new; -1 when the tree is full."""
    key = _key(desk, table, seat)
    slot = slot_of(desk.tree, key)
    if desk.tree.key[slot] == 0:
        s = desk.here[0]
        count = kernels.legal(s, seat, desk.actions, desk.weights)
        if not room_for(desk.tree, count):
            return -1
        priors(s, seat, desk.actions, count, desk.scores)
        plant(desk.tree, slot, key, desk.actions, count, desk.scores)
    return slot


@compiled
def _play_all(desk, depth, after):
    """Play what was chosen; what a seat no longer owes, since another's choice ended the decision, is dropped."""
    s = desk.here[0]
    kept = depth
    for j in range(depth, after):
        seat = desk.seats[j]
        if j == depth or kernels.to_act(s) >> seat & 1:
            kernels.apply(s, seat, desk.tree.action[desk.edges[j]])
            desk.slots[kept] = desk.slots[j]
            desk.edges[kept] = desk.edges[j]
            desk.seats[kept] = seat
            kept += 1
    return kept


@compiled
def _appraise(desk):
    """What the end is worth to each seat: its share of the first place above all, then its place and its points."""
    desk.place[:] = 0
    kernels.score(desk.here[0], desk.points, desk.place)
    players = 0
    winners = 0
    most = -(1 << 62)
    least = 1 << 62
    for seat in range(len(desk.place)):
        if desk.place[seat]:
            players += 1
            winners += desk.place[seat] == 1
            most = max(most, desk.points[seat])
            least = min(least, desk.points[seat])
    for seat in range(len(desk.place)):
        if desk.place[seat]:
            share = (1.0 if desk.place[seat] == 1 else 0.0) / winners
            rank = (players - desk.place[seat]) / max(players - 1.0, 1.0)
            margin = (desk.points[seat] - least) / max(most - least, 1)
            desk.utility[seat] = WIN * share + RANK * rank + MARGIN * margin
