"""Loops over any game, written once and compiled for each: playout, batch, replay, perft, signature.

A kernel reaches the rules by the type of the state it is given: `to_act(s)` below is compiled into the game's own
`to_act`. Kernels take an array of states and a place in it, because arrays pass into compiled code fastest.

Seats and actions are made plain integers before they reach a game: rules are compiled once for each type they meet.
"""

import numpy as np
from numba import literal_unroll
from numba.extending import overload

from tavola.core.borrowing import borrow
from tavola.core.compilation import compiled
from tavola.core.game import CHANCE, OPEN, game_of, game_of_dtype
from tavola.core.rng import random_below, seed_stream

CHANCE_BIT = 1 << CHANCE
OPEN_BIT = 1 << OPEN


def start(s, options):
    """Write the options onto the table, each into the field of its name; then the game's own `start`."""
    game = game_of_dtype(s.dtype)
    for name, place in game.table_options:
        setattr(s.table, name, options[place])
    game.rules.start(s)


def to_act(s):
    """The game's own `to_act`."""
    return game_of_dtype(s.dtype).rules.to_act(s)


def legal(s, seat, actions, weights):
    """The game's own `legal`."""
    return game_of_dtype(s.dtype).rules.legal(s, seat, actions, weights)


def apply(s, seat, action):
    """The game's own `apply`."""
    game_of_dtype(s.dtype).rules.apply(s, seat, action)


def score(s, points, place):
    """The game's own `score`."""
    game_of_dtype(s.dtype).rules.score(s, points, place)


def redeal(s, seat, rng):
    """The game's own `redeal`."""
    game_of_dtype(s.dtype).rules.redeal(s, seat, rng)


@overload(start)
def _start(s, options):
    rule = game_of(s).rules.start
    names, places = zip(*game_of(s).table_options, strict=True)

    def laid(s, options):
        table, option = s.table, 0
        for name in literal_unroll(names):
            table[name] = options[places[option]]
            option += 1  # noqa: SIM113 (Numba unrolls no enumeration)
        rule(s)

    return laid


@overload(to_act)
def _to_act(s):
    rule = game_of(s).rules.to_act
    return lambda s: rule(s)


@overload(legal)
def _legal(s, seat, actions, weights):
    rule = game_of(s).rules.legal
    return lambda s, seat, actions, weights: rule(s, np.int64(seat), actions, weights)


@overload(apply)
def _apply(s, seat, action):
    rule = game_of(s).rules.apply
    return lambda s, seat, action: rule(s, np.int64(seat), np.int64(action))


@overload(score)
def _score(s, points, place):
    rule = game_of(s).rules.score
    return lambda s, points, place: rule(s, points, place)


@overload(redeal)
def _redeal(s, seat, rng):
    rule = game_of(s).rules.redeal
    return lambda s, seat, rng: rule(s, np.int64(seat), rng)


# One state at a time: what a match asks.


@compiled
def start_at(states, i, options):
    """Lay the table of `states[i]`, which is all zeros."""
    start(states[i], options)


@compiled
def to_act_at(states, i):
    """Bit mask of the seats that owe a decision in `states[i]`."""
    return to_act(states[i])


@compiled
def legal_at(states, i, seat, actions, weights):
    """Write the legal actions of `seat` in `states[i]`; their count."""
    return int(legal(states[i], seat, borrow(actions), borrow(weights)))


@compiled
def apply_at(states, i, seat, action):
    """Play a legal action in `states[i]`."""
    apply(states[i], seat, action)


@compiled
def is_allowed(s, seat, action, actions, weights):
    """True when `seat` owes a decision and the action is legal for it."""
    if not 0 <= seat <= CHANCE or seat == OPEN or not to_act(s) >> seat & 1:
        return False
    count = legal(s, seat, actions, weights)
    k = np.searchsorted(actions[:count], action)
    return k < count and actions[k] == action


@compiled
def play_at(states, i, seat, action, actions, weights):
    """Play an action in `states[i]`; return who owes a decision then, a bit mask, or -1 where it is not allowed."""
    s = states[i]
    actions, weights = borrow(actions), borrow(weights)
    if not is_allowed(s, seat, action, actions, weights):
        return -1
    apply(s, seat, action)
    return int(to_act(s))


@compiled
def chance_at(states, i, seed, number, actions, weights):
    """Let chance, which owes a decision in `states[i]`, act by stream `number` of `seed`.

    What it did, drawn by weight, and the bit mask of the seats that owe a decision then.
    """
    s = states[i]
    rng = np.zeros(1, np.uint64)
    seed_stream(rng, seed, number)
    outcome = random_action(s, CHANCE, rng, borrow(actions), borrow(weights))
    apply(s, CHANCE, outcome)
    return int(outcome), int(to_act(s))


@compiled
def score_at(states, i, points, place):
    """Write points and places of `states[i]`."""
    score(states[i], points, place)


@compiled
def redeal_at(states, i, seat, rng):
    """Fill what `seat` cannot see in `states[i]`, a view of his."""
    redeal(states[i], seat, rng)


# Whole matches.


@compiled
def lowest_seat(mask):
    """The lowest seat in a non-empty mask."""
    seat = 0
    while not mask >> seat & 1:
        seat += 1
    return seat


@compiled
def actor(mask, rng):
    """Return who of a non-empty mask acts: the lowest seat, and in an open decision any, each equally likely.

    In a secret ballot the order does not matter. In an open decision who comes first gets the bargain.
    """
    if mask & OPEN_BIT:
        return _random_seat(mask ^ OPEN_BIT, rng)
    return lowest_seat(mask)


@compiled
def _random_seat(mask, rng):
    """A seat of the mask, each as likely as the others."""
    count = 0
    for seat in range(OPEN):
        count += mask >> seat & 1
    left = random_below(rng, count)
    seat = lowest_seat(mask)
    while left:
        mask ^= 1 << seat
        seat = lowest_seat(mask)
        left -= 1
    return seat


@compiled
def weighted_index(rng, weights, count):
    """A place below `count`, drawn by weight."""
    total = 0
    for k in range(count):
        total += weights[k]
    left = random_below(rng, total)
    k = 0
    while left >= weights[k]:
        left -= weights[k]
        k += 1
    return k


@compiled
def random_action(s, seat, rng, actions, weights):
    """A random legal action of `seat`: uniform, chance's by weight."""
    count = legal(s, seat, actions, weights)
    if seat == CHANCE:
        return actions[weighted_index(rng, weights, count)]
    return actions[random_below(rng, count)]


@compiled
def playout(states, i, rng, actions, weights):
    """Play `states[i]` to its end at random; the number of actions played."""
    s = states[i]
    rng, actions, weights = borrow(rng), borrow(actions), borrow(weights)
    steps = 0
    mask = to_act(s)
    while mask:
        seat = actor(mask, rng)
        apply(s, seat, random_action(s, seat, rng, actions, weights))
        steps += 1
        mask = to_act(s)
    return steps


@compiled
def begin_match(states, options, rng, seed, number):
    """Begin match `number` of `seed`: lay the table of `states[0]`, of which `states[1]` is an empty one."""
    seed_stream(rng, seed, number)
    states[0] = states[1]
    start(states[0], options)


@compiled
def play_batch(states, options, seed, first, points, places, lengths, actions, weights):
    """Play matches `first`, `first + 1`, … of `seed` at random, one for each row of `points` and `places`.

    `states[1]` stays empty and `states[0]` is played on. `lengths` gets the number of actions of each match.
    """
    rng = np.zeros(1, np.uint64)
    for match in range(len(points)):
        begin_match(states, options, rng, seed, first + match)
        lengths[match] = playout(states, 0, rng, actions, weights)
        score(states[0], points[match], places[match])


@compiled
def replay(states, i, seats, played, actions, weights):
    """Play a list of actions on `states[i]`, each checked; the number of those played before the first illegal one."""
    s = states[i]
    for step in range(len(seats)):
        if not is_allowed(s, seats[step], played[step], actions, weights):
            return step
        apply(s, seats[step], played[step])
    return len(seats)


@compiled
def perft(states, level, depth, actions, weights):
    """Count the sequences of `depth` actions from `states[level]`.

    Of a secret ballot the lowest seat acts first; in an open decision any may, and all are counted.

    Needs `depth` more states after `level` and a row of `actions` for each. A match that ends earlier counts once
    at each greater depth no more.
    """
    if depth == 0:
        return 1
    mask = to_act(states[level])
    if not mask:
        return 0
    seats = mask ^ OPEN_BIT if mask & OPEN_BIT else 1 << lowest_seat(mask)
    total = 0
    while seats:
        seat = lowest_seat(seats)
        seats ^= 1 << seat
        count = legal(states[level], seat, actions[level], weights)
        if depth == 1:  # counted, not played
            total += count
            continue
        for k in range(count):
            states[level + 1] = states[level]
            apply(states[level + 1], seat, actions[level, k])
            total += perft(states, level + 1, depth - 1, actions, weights)
    return total


@compiled
def signature(states, options, seed, first, count, actions, weights):
    """One number that any change of the rules moves: every action of `count` seeded random matches, mixed."""
    actions, weights = borrow(actions), borrow(weights)
    rng = np.zeros(1, np.uint64)
    total = 0
    for match in range(count):
        begin_match(states, options, rng, seed, first + match)
        s = states[0]
        digest = 0
        mask = to_act(s)
        while mask:
            seat = actor(mask, rng)
            action = random_action(s, seat, rng, actions, weights)
            digest = (digest * 31 + int(seat) * 100003 + int(action)) % 2147483647
            apply(s, seat, action)
            mask = to_act(s)
        total = (total + digest) % 2147483647
    return total
