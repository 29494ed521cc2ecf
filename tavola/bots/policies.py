"""A game's heuristics in compiled code, simple ways to choose by them, and batches of matches played so."""

import numpy as np
from numba.extending import overload

from tavola.core import kernels
from tavola.core.compilation import compiled
from tavola.core.game import CHANCE, game_of, game_of_dtype
from tavola.core.intrinsics import borrow
from tavola.core.rng import random_below, random_fraction

EQUAL = 1e-9
"""Relative difference below which weights are equal: the order of a sum changes the last digits."""


def priors(s, seat, actions, count, weights):
    """Call the game's `priors`."""
    game_of_dtype(s.dtype).heuristics.priors(s, seat, actions, count, weights)


def playout_priors(s, seat, actions, count, weights):
    """Call the game's `playout_priors`, or its `priors` if it has none."""
    heuristics = game_of_dtype(s.dtype).heuristics
    (heuristics.playout_priors or heuristics.priors)(s, seat, actions, count, weights)


def likelihood(s, seat):
    """Call the game's `likelihood`."""
    return game_of_dtype(s.dtype).heuristics.likelihood(s, seat)


def evaluate(s, played, worth):
    """Call the game's `evaluate`; return False if it has none, so that matches are played to the end."""
    judged = game_of_dtype(s.dtype).heuristics.evaluate
    return judged is not None and judged(s, played, worth)


@overload(priors)
def _priors(s, seat, actions, count, weights):
    heuristic = game_of(s).heuristics.priors
    return lambda s, seat, actions, count, weights: heuristic(s, np.int64(seat), actions, np.int64(count), weights)


@overload(playout_priors)
def _playout_priors(s, seat, actions, count, weights):
    heuristics = game_of(s).heuristics
    heuristic = heuristics.playout_priors or heuristics.priors
    return lambda s, seat, actions, count, weights: heuristic(s, np.int64(seat), actions, np.int64(count), weights)


@overload(likelihood)
def _likelihood(s, seat):
    heuristic = game_of(s).heuristics.likelihood
    return lambda s, seat: heuristic(s, np.int64(seat))


@overload(evaluate)
def _evaluate(s, played, worth):
    heuristic = game_of(s).heuristics.evaluate
    if heuristic is None:
        return lambda s, played, worth: False
    return lambda s, played, worth: heuristic(s, np.int64(played), worth)


@compiled
def choose_random(states, i, seat, actions, weights, rng):
    """Return a legal action of `seat` in `states[i]`, drawn uniformly."""
    return actions[random_below(rng, kernels.legal(states[i], seat, actions, weights))]


@compiled
def choose_greedy(states, i, seat, actions, weights, scores, rng):
    """Return the legal action of `seat` in `states[i]` with the greatest prior; ties are broken at random."""
    count = kernels.legal(states[i], seat, actions, weights)
    priors(states[i], seat, actions, count, scores)
    best = 0
    equals = 1
    for k in range(1, count):
        if scores[k] > scores[best] * (1.0 + EQUAL):
            best = k
            equals = 1
        elif scores[k] >= scores[best] * (1.0 - EQUAL):
            equals += 1
            if random_below(rng, equals) == 0:
                best = k
    return actions[best]


@compiled
def draw_for_playout(s, seat, rng, actions, count, scores):
    """Draw one of the `count` legal actions by the weights for playouts; `scores` is scratch."""
    playout_priors(s, seat, actions, count, scores)
    return actions[_draw_index(rng, count, scores)]


@compiled
def _draw_index(rng, count, scores):
    total = 0.0
    for k in range(count):
        total += scores[k]
    left = random_fraction(rng) * total
    k = 0
    while k < count - 1 and left >= scores[k]:
        left -= scores[k]
        k += 1
    return k


@compiled
def play_batch(states, options, seed, first, points, places, lengths, ends, actions, weights, scores):
    """Play matches `first`, `first + 1`, … of `seed`, one for each row of `points` and `places`.

    If `scores` is empty, seats play at random: the same matches as `kernels.batch`. Otherwise they draw by their
    priors, and `scores` is scratch. `lengths` gets the number of actions of each match, `ends` its last action.
    """
    rng = np.zeros(1, np.uint64)
    for match in range(len(points)):
        kernels.begin_match(states, options, rng, seed, first + match)
        lengths[match], ends[match] = _play_out(states, rng, actions, weights, scores)
        kernels.score(states[0], points[match], places[match])


@compiled
def _play_out(states, rng, actions, weights, scores):
    """Play `states[0]` to its end; return the number of actions, and the last one."""
    s = states[0]
    rng, actions, weights, scores = borrow(rng), borrow(actions), borrow(weights), borrow(scores)
    steps = 0
    action = -1
    mask = kernels.to_act(s)
    while mask:
        seat = kernels.actor(mask, rng)
        action = int(_draw_action(s, seat, rng, actions, weights, scores))
        kernels.apply(s, seat, action)
        steps += 1
        mask = kernels.to_act(s)
    return steps, action


@compiled
def _draw_action(s, seat, rng, actions, weights, scores):
    """Draw a legal action of `seat`: chance's by weight, a seat's by its priors or, if `scores` is empty, uniformly."""
    if seat == CHANCE or len(scores) == 0:
        return kernels.random_action(s, seat, rng, actions, weights)
    count = kernels.legal(s, seat, actions, weights)
    if count == 1:
        return actions[0]
    priors(s, seat, actions, count, scores)
    return actions[_draw_index(rng, count, scores)]
