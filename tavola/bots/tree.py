"""The tree of a search: one node for each information set, found by a hash of what its seat sees.

A node belongs to one seat and represents all states that it cannot distinguish: same table, same hand. Legal actions
depend on nothing else, so a node's actions never change, and plain statistics of each are enough. If several seats
decide at once, each chooses from its own node, all looked up before any moves, so that no choice leaks into another.
"""

from typing import NamedTuple

import numpy as np

from tavola.core.compilation import compiled
from tavola.core.rng import GOLDEN_GAMMA, MASK_64, mix, random_below, random_fraction

MULTIPLIER = 0xD6E8FEB86659FD93
EXPLORATION = 1.0  # weight of the priors of actions seldom tried
NOISE = 2.0  # weight of randomness in secret ballots
EQUAL = 1e-9  # differences up to this are ties


class Tree(NamedTuple):
    """Arrays by slot, whose number is a power of two, then arrays by action."""

    key: np.ndarray  # uint64: the information set, 0 in an empty slot
    first: np.ndarray  # int32: index of the node's first action below
    width: np.ndarray  # int32: the number of its actions
    visits: np.ndarray  # int32
    utility: np.ndarray  # float64: summed utility of all visits for the node's seat
    action: np.ndarray  # int32: the action's number, ascending within a node
    prior: np.ndarray  # float64: the normalised prior
    tries: np.ndarray  # int32
    action_utility: np.ndarray  # float64: summed utility of all tries
    used: np.ndarray  # int64: number of nodes, number of actions


def empty_tree(slots: int, actions: int) -> Tree:
    """Return an empty tree with room for three quarters of `slots` (a power of two) nodes, and for `actions`."""
    return Tree(
        key=np.zeros(slots, np.uint64),
        first=np.zeros(slots, np.int32),
        width=np.zeros(slots, np.int32),
        visits=np.zeros(slots, np.int32),
        utility=np.zeros(slots),
        action=np.zeros(actions, np.int32),
        prior=np.zeros(actions),
        tries=np.zeros(actions, np.int32),
        action_utility=np.zeros(actions),
        used=np.zeros(2, np.int64),
    )


def clear(tree: Tree) -> None:
    """Remove all nodes."""
    tree.key.fill(0)
    tree.used.fill(0)


@compiled
def mix_word(key, word):
    """Return a hash with 64 more bits mixed in."""
    key = ((int(key) ^ int(word)) * MULTIPLIER) & MASK_64
    return key ^ (key >> 32)


@compiled
def table_key(words, table_bytes):
    """Return a hash of the first `table_bytes` bytes of `words` (uint64, little-endian)."""
    key = int(np.uint64(GOLDEN_GAMMA))
    whole = int(table_bytes) // 8
    for k in range(whole):
        key = mix_word(key, words[k])
    rest = int(table_bytes) - 8 * whole
    if rest:
        key = mix_word(key, (int(words[whole]) << (64 - 8 * rest)) & MASK_64)
    return key


@compiled
def node_key(key, seat, hand):
    """Return the key of a seat's information set, given its `hand` in bytes and the table's key; never 0."""
    word = np.uint64(seat + 1)
    for k in range(len(hand)):
        word = (word << 8) | np.uint64(hand[k])
        if k % 7 == 6:
            key = mix_word(key, word)
            word = np.uint64(seat + 1)
    return mix(mix_word(key, word)) | int(np.uint64(1))


@compiled
def has_room(tree, width):
    """True if a node of `width` actions fits."""
    return 4 * (tree.used[0] + 1) <= 3 * len(tree.key) and tree.used[1] + width <= len(tree.action)


@compiled
def find_slot(tree, key):
    """Return the slot of `key`: its own, or the empty one for it."""
    mask = len(tree.key) - 1
    slot = np.int64(key >> 32) & mask
    while tree.key[slot] != 0 and tree.key[slot] != key:
        slot = (slot + 1) & mask
    return slot


@compiled
def add_node(tree, slot, key, actions, count, priors):
    """Make the empty `slot` the node of `key` with `count` actions; use equal priors if their sum is invalid."""
    first = tree.used[1]
    total = 0.0
    for k in range(count):
        total += priors[k]
    sound = 0.0 < total < 1e300
    for k in range(count):
        tree.action[first + k] = actions[k]
        tree.prior[first + k] = priors[k] / total if sound else 1.0 / count
        tree.tries[first + k] = 0
        tree.action_utility[first + k] = 0.0
    tree.key[slot] = key
    tree.first[slot] = first
    tree.width[slot] = count
    tree.visits[slot] = 0
    tree.utility[slot] = 0.0
    tree.used[0] += 1
    tree.used[1] += count


@compiled
def select_edge(tree, slot, low, span, secret, rng):
    """Return the place of the action to try next: by its mean worth, and by its prior if seldom tried (PUCT).

    Utilities are measured from `low`, in units of `span`. In a secret ballot (`secret`) a random term is added, which
    fades with the visits. Choosing unpredictably against the others' average play is fictitious play: its shares of
    tries approach an equilibrium, where plain argmax would cycle. Sources: Silver et al., "Mastering the game of Go
    without human knowledge", 2017; Fudenberg and Kreps, "Learning mixed equilibria", 1993.
    """
    visits = tree.visits[slot]
    root = np.sqrt(visits + 1.0)
    eager = EXPLORATION * root
    noise = NOISE / root if secret else 0.0
    untried = (tree.utility[slot] / visits - low) / span if visits else 0.0
    best = tree.first[slot]
    most = -1e300
    equals = 1
    for edge in range(tree.first[slot], tree.first[slot] + tree.width[slot]):
        tries = tree.tries[edge]
        value = (tree.action_utility[edge] / tries - low) / span if tries else untried
        value += eager * tree.prior[edge] / (1.0 + tries)
        if secret:
            value += noise * random_fraction(rng)
        if value > most + EQUAL:
            most = value
            best = edge
            equals = 1
        elif value >= most - EQUAL:  # at random: the lowest number may belong to the lowest seat
            equals += 1
            if random_below(rng, equals) == 0:
                best = edge
    return best


@compiled
def backpropagate(tree, slot, edge, utility):
    """Record a visit of a node through one of its actions, with its `utility` for the node's seat."""
    tree.visits[slot] += 1
    tree.utility[slot] += utility
    tree.tries[edge] += 1
    tree.action_utility[edge] += utility
