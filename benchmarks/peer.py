"""OpenSpiel, the peer: its C++ random playouts, counted in actions.

A Monte Carlo tree search of one simulation evaluates its root, and nothing else, by `RandomRolloutEvaluator`: thousands
of rollouts of the root state, in C++, by uniform legal actions. How many actions those are is their number times the
mean length of a rollout, which is measured apart, by playing the same root out at random from Python often enough that
the mean is known within a percent.
"""

import random
import statistics
from collections.abc import Callable
from typing import Any

import pyspiel

ROLLOUTS = 2000
LENGTHS = 3000


def root_of(name: str) -> tuple[Any, Any]:
    """A game and its state after chance's opening moves, drawn with a fixed seed."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    draws = random.Random(1)
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        state.apply_action(draws.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
    return game, state


def length(state: Any) -> float:
    """The mean number of actions, chance's included, of a random playout of `state`."""
    draws = random.Random(2)
    return statistics.fmean(_one_length(state.clone(), draws) for _ in range(LENGTHS))


def _one_length(state: Any, draws: random.Random) -> int:
    steps = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            action = draws.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]
        else:
            action = draws.choice(state.legal_actions())
        state.apply_action(action)
        steps += 1
    return steps


def rollouts(game: Any, state: Any) -> Callable[[], int]:
    """Work for `measure.rates`: `ROLLOUTS` rollouts of `state`."""
    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 3)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 4, False)

    def work() -> int:
        root = bot.mcts_search(state)
        assert root.explore_count == 1, "expected one simulation, of the root alone"
        return ROLLOUTS

    return work
