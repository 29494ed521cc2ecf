"""The tree of a search: one node for each information set, found by a hash of what its seat sees.

A node belongs to one seat, and stands for all states that look the same to it: same table, same hand. What a seat may
do depends on nothing else, so a node's actions never change, and plain statistics of each are enough. When several
seats decide at once each chooses from its own node, all looked up before any of them has moved: nobody's choice can
leak into another's.
"""

from typing import NamedTuple

import numpy as np

from tavola.core.compilation import compiled
from tavola.core.rng import GOLDEN_GAMMA, MASK_64, mix, random_below, random_fraction

MULTIPLIER = 0xD6E8FEB86659FD93
EXPLORATION = 1.0  # how much the prior of what was seldom tried counts
NOISE = 2.0  # how much chance counts in secret ballots
EQUAL = 1e-9  # values that differ by no more are equal


class Tree(NamedTuple):
    """Arrays as long as there are slots, a power of two, then arrays as long as there is room for actions."""

    key: np.ndarray  # uint64: the information set, 0 in an empty slot
    first: np.ndarray  # int32: where the node's actions begin below
    width: np.ndarray  # int32: how many they are
    visits: np.ndarray  # int32
    utility: np.ndarray  # float64: utility of all visits, of the node's seat
    action: np.ndarray  # int32: the action's number, ascending within a node
    prior: np.ndarray  # float64: the prior's share
    tries: np.ndarray  # int32
    action_utility: np.ndarray  # float64: utility of all tries
    used: np.ndarray  # int64: how many nodes, how many actions


def empty_tree(slots: int, actions: int) -> Tree:
    """A tree without nodes: room for three quarters of `slots` nodes (a power of two) and for `actions` actions."""
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
    """Forget all nodes."""
    tree.key.fill(0)
    tree.used.fill(0)


@compiled
def mix_word(key, word):
    """A hash with 64 more bits stirred in."""
    key = ((int(key) ^ int(word)) * MULTIPLIER) & MASK_64
    return key ^ (key >> 32)


@compiled
def table_key(words, table_bytes):
    """A hash of the first `table_bytes` bytes of `words` (uint64, little-endian)."""
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
    """The key of the information set of `seat`, who holds the bytes `hand`, at a table of key `key`; never 0."""
    word = np.uint64(seat + 1)
    for k in range(len(hand)):
        word = (word << 8) | np.uint64(hand[k])
        if k % 7 == 6:
            key = mix_word(key, word)
            word = np.uint64(seat + 1)
    return mix(mix_word(key, word)) | int(np.uint64(1))


@compiled
def has_room(tree, width):
    """True when a node of `width` actions still fits."""
    return 4 * (tree.used[0] + 1) <= 3 * len(tree.key) and tree.used[1] + width <= len(tree.action)


@compiled
def find_slot(tree, key):
    """The slot of `key`: its own, or the empty one where it belongs."""
    mask = len(tree.key) - 1
    slot = np.int64(key >> 32) & mask
    while tree.key[slot] != 0 and tree.key[slot] != key:
        slot = (slot + 1) & mask
    return slot


@compiled
def add_node(tree, slot, key, actions, count, priors):
    """Make the empty `slot` the node of `key`, with `count` actions of these priors; equal ones if they make no sum."""
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
    """The place of the action to try next: what it has been worth, its prior where it was seldom tried (PUCT).

    Utilities are measured from `low`, in units of `span`. In a secret ballot (`secret`) a random part, fading with the
    visits, is added: choosing from what the others did on average, unpredictably, is fictitious play, whose shares of
    tries approach an equilibrium where plain argmax would chase the others in circles.
    Sources: Silver et al., "Mastering the game of Go without human knowledge", 2017; Fudenberg and Kreps, "Learning
    mixed equilibria", 1993.
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
        elif value >= most - EQUAL:  # by chance: the lowest number may be the lowest seat's
            equals += 1
            if random_below(rng, equals) == 0:
                best = edge
    return best


@compiled
def backpropagate(tree, slot, edge, utility):
    """One more visit of a node, through one of its actions, that ended with `utility` for its seat."""
    tree.visits[slot] += 1
    tree.utility[slot] += utility
    tree.tries[edge] += 1
    tree.action_utility[edge] += utility
