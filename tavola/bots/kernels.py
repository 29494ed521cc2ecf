"""What bots ask of a game beyond its rules, and the two simple ways to choose: at random, and at a glance."""

from numba.extending import overload

from tavola.core import kernels
from tavola.core.compiled import compiled
from tavola.core.draws import below
from tavola.core.game import game_of, game_of_dtype


def priors(s, seat, actions, count, weights):
    """The game's own `priors`."""
    game_of_dtype(s.dtype).heuristics.priors(s, seat, actions, count, weights)


def likelihood(s, seat):
    """The game's own `likelihood`."""
    return game_of_dtype(s.dtype).heuristics.likelihood(s, seat)


def outlook(s, played, worth):
    """The game's own `outlook`; a game that has none is always played to its end."""
    judged = getattr(game_of_dtype(s.dtype).heuristics, "outlook", None)
    return judged is not None and judged(s, played, worth)


@overload(priors)
def _priors(s, seat, actions, count, weights):
    heuristic = game_of(s).heuristics.priors
    return lambda s, seat, actions, count, weights: heuristic(s, seat, actions, count, weights)


@overload(likelihood)
def _likelihood(s, seat):
    heuristic = game_of(s).heuristics.likelihood
    return lambda s, seat: heuristic(s, seat)


@overload(outlook)
def _outlook(s, played, worth):
    heuristic = getattr(game_of(s).heuristics, "outlook", None)
    if heuristic is None:
        return lambda s, played, worth: False
    return lambda s, played, worth: heuristic(s, played, worth)


@compiled
def random_at(states, i, seat, actions, weights, rng):
    """Any legal action of `seat` in `states[i]`, each as likely as the others."""
    return actions[below(rng, kernels.legal(states[i], seat, actions, weights))]


@compiled
def greedy_at(states, i, seat, actions, weights, scores, rng):
    """The legal action of `seat` in `states[i]` with the greatest prior; among equals any."""
    count = kernels.legal(states[i], seat, actions, weights)
    priors(states[i], seat, actions, count, scores)
    best = 0
    equals = 1
    for k in range(1, count):
        if scores[k] > scores[best]:
            best = k
            equals = 1
        elif scores[k] == scores[best]:
            equals += 1
            if below(rng, equals) == 0:
                best = k
    return actions[best]
