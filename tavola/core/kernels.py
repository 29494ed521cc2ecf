"""Kernels: loops over any game, compiled once for each: playout, batch, replay, perft, signature.

Kernels find the rules by the type of the state: `to_act(s)` below compiles into the game's own `to_act`. They take an
array of states and an index, since arrays pass into compiled code fastest.

Seats and actions are converted to plain integers before they reach a game, because rules are compiled once for each
type of their arguments.
"""

import numpy as np
from numba.core import types
from numba.extending import overload

from tavola.core.compilation import brief, compiled, inlined
from tavola.core.counting import lowest_member, random_member
from tavola.core.game import CHANCE, OPEN, game_of, game_of_dtype
from tavola.core.intrinsics import address_of, borrow, lowered, on_stack
from tavola.core.rng import random_below, seed_stream

CHANCE_BIT = 1 << CHANCE
OPEN_BIT = 1 << OPEN


def start(s, options):
    """Copy each option to the table field of its name, then call the game's own `start`."""
    game = game_of_dtype(s.dtype)
    for name, place in game.table_options:
        setattr(s.table, name, options[place])
    game.rules.start(s)


def to_act(s):
    """Call the game's own `to_act`."""
    return game_of_dtype(s.dtype).rules.to_act(s)


def legal(s, seat, actions, weights):
    """Call the game's own `legal`."""
    return game_of_dtype(s.dtype).rules.legal(s, seat, actions, weights)


def apply(s, seat, action):
    """Call the game's own `apply`."""
    game_of_dtype(s.dtype).rules.apply(s, seat, action)


def score(s, points, place):
    """Call the game's own `score`."""
    game_of_dtype(s.dtype).rules.score(s, points, place)


def redeal(s, seat, rng):
    """Call the game's own `redeal`."""
    game_of_dtype(s.dtype).rules.redeal(s, seat, rng)


@overload(start)
def _start(s, options):
    rule = game_of(s).rules.start
    fields = [f"s.table.{name} = options[{place}]" for name, place in game_of(s).table_options]
    scope = {"rule": rule}
    exec("\n    ".join(["def laid(s, options):", *fields, "rule(s)"]), scope)  # noqa: S102 - declared names
    return scope["laid"]


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


def _define_new_buffers(typing, s):
    count, kinds = len(game_of(s).actions), (types.Array(types.int32, 1, "C"), types.Array(types.int64, 1, "C"))

    def build(context, builder, signature, arguments):
        made = [on_stack(context, builder, kind, (count,), is_zeroed=False) for kind in kinds]
        return context.make_tuple(builder, signature.return_type, made)

    return types.Tuple(kinds)(s), build


@lowered(_define_new_buffers)
def new_buffers(s):
    """Return arrays for `legal` to write to, of any values: actions and weights. Compiled code has them on the stack.

    To pass them from Python would cost as much as most rules do.
    """
    count = len(game_of_dtype(s.dtype).actions)
    return np.zeros(count, np.int32), np.zeros(count, np.int64)


# One state at a time, for `Match`.


@compiled
def start_at(states, i, options):
    """Set up `states[i]`, which must be zeroed."""
    start(states[i], options)


@brief
def to_act_at(states, i):
    """Return the bit mask of the seats to act in `states[i]`."""
    return to_act(states[i])


@brief
def legal_at(states, i, seat, actions, weights):
    """Write the legal actions of `seat` in `states[i]`; return their number."""
    return int(legal(states[i], seat, borrow(actions), borrow(weights)))


@brief
def apply_at(states, i, seat, action):
    """Play a legal action in `states[i]`."""
    apply(states[i], seat, action)


@compiled
def is_allowed(s, seat, action, actions, weights):
    """Return whether `seat` has a decision to make and the action is legal for it."""
    if not 0 <= seat <= CHANCE or seat == OPEN or not to_act(s) >> seat & 1:
        return False
    count = legal(s, seat, actions, weights)
    k = np.searchsorted(actions[:count], action)
    return k < count and actions[k] == action


@brief
def play_at(states, i, seat, action):
    """Play an action in `states[i]`; return the bit mask of the seats to act then, or -1 if the action is not legal."""
    s = states[i]
    actions, weights = new_buffers(s)
    if not is_allowed(s, seat, action, actions, weights):
        return -1
    apply(s, seat, action)
    return int(to_act(s))


@brief
def chance_at(states, i, seed, number):
    """Let chance act in `states[i]`, by stream `number` of `seed`. Chance must be to act.

    Return the outcome, drawn by weight, and the bit mask of the seats to act then.
    """
    s = states[i]
    rng = np.zeros(1, np.uint64)
    seed_stream(rng, seed, number)
    outcome = random_action(s, CHANCE, rng, *new_buffers(s))
    apply(s, CHANCE, outcome)
    return int(outcome), int(to_act(s))


@compiled
def score_at(states, i, points, place):
    """Write the points and places of `states[i]`."""
    score(states[i], points, place)


@compiled
def redeal_at(states, i, seat, rng):
    """Fill in the hidden parts of `states[i]`, a view of `seat`."""
    redeal(states[i], seat, rng)


# What an action tells a seat.


@compiled
def excludes_world(states, raw, masks, seats, actor, number, choice, is_secret, worlds, actions, weights):
    """Return whether an action excludes one of the positions that one of `seats` had to reckon with before it.

    `states`: the full states before and after the action, and three that are overwritten; `raw`: their bytes. `masks`:
    for each seat the bits of a state that it can see, as bytes. `choice`: the numbers of the open actions that the
    actor had; `is_secret`: by number. `worlds`: redeals to try.
    """
    actions, weights = borrow(actions), borrow(weights)
    for seat in seats:
        raw[2], told = raw[0] & masks[seat], (seat, actor, number, choice, is_secret)
        if _excludes_world_of(states, raw, masks[seat], *told, worlds, actions, weights):
            return True
    return False


@compiled
def _excludes_world_of(states, raw, mask, seat, actor, number, choice, is_secret, worlds, actions, weights):
    """Return the same of one seat: `states[2]` is its view before the action."""
    rng = np.zeros(1, np.uint64)
    for world in range(worlds):
        states[3] = states[2]
        seed_stream(rng, world, 0)
        redeal(states[3], seat, rng)
        count = legal(states[3], actor, actions, weights) if to_act(states[3]) >> actor & 1 else 0
        if not is_secret[number] and not _has_open_choice(actions[:count], choice, is_secret):
            return True
        alike = is_secret[number] and seat != actor
        if not _can_show(states, raw, mask, actor, number, alike, actions[:count]):
            return True
    return False


@compiled
def _has_open_choice(actions, choice, is_secret):
    """Return whether the actions that are not secret are those of `choice`."""
    k = 0
    for action in actions:
        if not is_secret[action]:
            if k == len(choice) or choice[k] != action:
                return False
            k += 1
    return k == len(choice)


@compiled
def _can_show(states, raw, mask, actor, number, alike, actions):
    """Return whether the action, or if `alike` any of `actions`, leads from `states[3]` to what a seat was shown."""
    k = np.searchsorted(actions, number)
    if k < len(actions) and actions[k] == number and _shows(states, raw, mask, actor, number):
        return True
    if alike:
        for action in actions:
            if action != number and _shows(states, raw, mask, actor, action):
                return True
    return False


@compiled
def _shows(states, raw, mask, actor, number):
    """Return whether an action leads from `states[3]` to what a seat was shown of `states[1]`."""
    states[4] = states[3]
    apply(states[4], actor, number)
    k = 0
    while k < len(mask) and raw[4, k] & mask[k] == raw[1, k] & mask[k]:
        k += 1
    return k == len(mask)


# Whole matches.


@inlined
def actor(mask, rng):
    """Return the seat of a non-empty mask that acts: the lowest, or in an open decision a random one.

    The order does not matter in a secret ballot. In an open decision the first seat to act gets the bargain.
    """
    if mask & OPEN_BIT:
        return random_member(mask ^ OPEN_BIT, rng)
    return lowest_member(mask)


@compiled
def weighted_index(rng, weights, count):
    """Return a random index below `count`, drawn by weight."""
    total = 0
    for k in range(count):
        total += weights[k]
    left = random_below(rng, total)
    k = 0
    while left >= weights[k]:
        left -= weights[k]
        k += 1
    return k


@inlined
def random_action(s, seat, rng, actions, weights):
    """Return a random legal action of `seat`: uniform, or by weight for chance."""
    count = legal(s, seat, actions, weights)
    if seat == CHANCE:
        return actions[weighted_index(rng, weights, count)]
    return actions[random_below(rng, count)]


@compiled
def playout(states, i, rng, actions, weights):
    """Play `states[i]` to its end at random; return the number of actions played."""
    s = states[i]
    rng, actions, weights = address_of(rng), address_of(actions), address_of(weights)
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
    """Set up match `number` of `seed` in `states[0]`. `states[1]` must be an empty state."""
    seed_stream(rng, seed, number)
    states[0] = states[1]
    start(states[0], options)


@compiled
def play_batch(states, options, seed, first, points, places, lengths, actions, weights):
    """Play matches `first`, `first + 1`, … of `seed` at random, one for each row of `points` and `places`.

    `states[0]` is scratch, `states[1]` must be empty. `lengths[i]` is the number of actions of each match.
    """
    rng = np.zeros(1, np.uint64)
    for match in range(len(points)):
        begin_match(states, options, rng, seed, first + match)
        lengths[match] = playout(states, 0, rng, actions, weights)
        score(states[0], points[match], places[match])


@compiled
def replay(states, i, seats, played, actions, weights):
    """Play actions on `states[i]`, each checked; return how many were played before the first illegal one."""
    s = states[i]
    for step in range(len(seats)):
        if not is_allowed(s, seats[step], played[step], actions, weights):
            return step
        apply(s, seats[step], played[step])
    return len(seats)


@compiled
def perft(states, level, depth, actions, weights):
    """Count the sequences of `depth` actions from `states[level]`.

    In a secret ballot the lowest seat acts first. In an open decision the actions of every seat are counted.

    `states` needs `depth` more states after `level`, and `actions` a row for each. A match that ends earlier is not
    counted at greater depths.
    """
    if depth == 0:
        return 1
    mask = to_act(states[level])
    if not mask:
        return 0
    seats = mask ^ OPEN_BIT if mask & OPEN_BIT else 1 << lowest_member(mask)
    total = 0
    while seats:
        seat = lowest_member(seats)
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
    """Return a number that depends on every action of `count` seeded random matches: it changes with the rules."""
    actions, weights, stream = address_of(actions), address_of(weights), np.zeros(1, np.uint64)
    rng = address_of(stream)
    total = 0
    for match in range(count):
        begin_match(states, options, stream, seed, first + match)
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
