"""Decisions a second of batches, with observations and masks, beside Pgx, EnvPool and PettingZoo's own games.

    python benchmarks/learning.py [matches [seconds [game …]]]

Every decision is observed, masked, drawn at random among the legal ones and played. Peers that are not installed are
left out: pip install pgx envpool "pettingzoo[classic]".
"""

import importlib
import importlib.util
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import tavola

WARM_UP = 20


def measure(name: str, decisions: int, step: Callable[[int], object], seconds: float) -> None:
    """Print how many decisions a second `step` makes, `decisions` a call, by the clock and by CPU second."""
    for number in range(WARM_UP if decisions > 1 else 1):
        step(number)
    clock, cpu, calls = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - clock < seconds:
        step(WARM_UP + calls)
        calls += 1
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    done = decisions * calls
    print(f"{name:44}{done / clock:14,.0f} a second{done / cpu:14,.0f} a CPU second", flush=True)


def batch_step(name: str, matches: int, dtype: type = np.float32) -> Callable[[int], object]:
    """Return one step of a batch of a game."""
    batch = tavola.Batch(name, n=matches, seed=1)
    observations: np.ndarray = np.zeros((matches, *batch.encoder.shape), dtype)
    masks = np.zeros((matches, len(batch.game.actions)), np.bool_)

    def step(number: int) -> None:
        batch.observe(observations)
        batch.mask(masks)
        batch.step(batch.sample(number))

    return step


def pgx_step(name: str, matches: int) -> Callable[[int], object]:
    """Return one step of a vector of Pgx, compiled by JAX for this machine's processors."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    init, play = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(auto_reset(env.step, env.init)))

    draw = jax.jit(lambda key, mask: jax.random.categorical(key, jax.numpy.where(mask, 0.0, -1e9), axis=1))
    states = [init(jax.random.split(jax.random.PRNGKey(1), matches))]

    def step(number: int) -> None:
        keys = jax.random.split(jax.random.PRNGKey(number), matches + 1)
        states[0] = play(states[0], draw(keys[0], states[0].legal_action_mask), keys[1:])
        states[0].observation.block_until_ready()

    return step


def envpool_step(name: str, matches: int) -> Callable[[int], object]:
    """Return one step of a vector of EnvPool."""
    import envpool

    env = envpool.make(name, env_type="gymnasium", num_envs=matches, num_threads=2)
    env.reset()
    rng = np.random.default_rng(1)
    return lambda number: env.step(rng.integers(0, env.action_space.n, matches))


def aec_step(env: Any) -> Callable[[int], object]:
    """Return one decision of a PettingZoo environment, ours or its own."""
    env.reset(seed=1)

    def step(number: int) -> None:
        if not env.agents:
            env.reset(seed=number)
        observation, _, ended, cut, _ = env.last()
        legal = None if ended or cut else np.flatnonzero(observation["action_mask"])
        env.step(None if legal is None else legal[number % len(legal)])

    return step


def peers(matches: int, seconds: float) -> None:
    """Measure whatever peer is installed."""
    if importlib.util.find_spec("pgx"):
        for name in ("connect_four", "leduc_holdem", "backgammon"):
            measure(f"Pgx, {name}", matches, pgx_step(name, matches), seconds)
    if importlib.util.find_spec("envpool"):
        measure("EnvPool, CartPole-v1", matches, envpool_step("CartPole-v1", matches), seconds)
    if importlib.util.find_spec("pettingzoo"):
        from tavola.rl.pettingzoo import env

        for name in tavola.names():
            measure(f"{name} through PettingZoo", 1, aec_step(env(name)), seconds)
        for name in ("connect_four_v3", "tictactoe_v3", "leduc_holdem_v4", "chess_v6"):
            try:
                module = importlib.import_module(f"pettingzoo.classic.{name}")
            except ImportError:
                continue
            measure(f"PettingZoo, {name}", 1, aec_step(module.env()), seconds)


def main() -> None:
    """Measure every game, or those that are named, then the peers."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 4096
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
    for name in sys.argv[3:] or tavola.names():
        measure(f"{name}, {matches} matches", matches, batch_step(name, matches), seconds)
    if len(sys.argv) <= 3:
        peers(matches, seconds)


if __name__ == "__main__":
    main()
