"""Decisions per second of batches, with observations and masks, beside Pgx, EnvPool, PettingZoo and OpenSpiel.

    python benchmarks/learning.py [--matches N] [--seconds S] [--threads N] [game …]

Every decision is observed, masked, drawn at random among the legal actions and played. Batches use two threads by
default. If games are named, only these are measured. Peers that are not installed are left out: pip install pgx envpool
"pettingzoo[classic]" open-spiel.
"""

import argparse
import importlib
import importlib.util
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from measure import show

import tavola

GOOD = """each game makes 200,000 decisions per CPU second in a batch, and Lifeboats as many as Pgx's Connect \
Four; through PettingZoo and OpenSpiel, Tavola's games are as fast as their own Python games of the same size."""
HEADINGS = ("", "decisions per CPU second", "per second of wall time")
WARM_UP = 20
Row = tuple[str, str, str]


def measure(name: str, decisions: int, step: Callable[[int], object], seconds: float) -> Row:
    """Return a row: decisions per second of `step`, with `decisions` in a call, by CPU time and by wall time."""
    for number in range(WARM_UP if decisions > 1 else 1):
        step(number)
    clock, cpu, calls = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - clock < seconds:
        step(WARM_UP + calls)
        calls += 1
    clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
    done = decisions * calls
    return name, f"{done / cpu:,.0f}", f"{done / clock:,.0f}"


def batch_step(batch: tavola.Batch) -> Callable[[int], object]:
    """Return one step of a batch."""
    observations, masks = batch.observe(), batch.mask()

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


def envpool_step(name: str, matches: int, threads: int) -> Callable[[int], object]:
    """Return one step of a vector of EnvPool."""
    import envpool

    env = envpool.make(name, env_type="gymnasium", num_envs=matches, num_threads=threads)
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


def openspiel_step(game: Any) -> Callable[[int], object]:
    """Return one decision in a match of an OpenSpiel game, ours or its own, with chance resolved in between."""
    draw, states = random.Random(1), [game.new_initial_state()]

    def step(number: int) -> None:
        state = states[0]
        while state.is_chance_node():
            state.apply_action(draw.choice(state.legal_actions()))
        if state.is_terminal():
            states[0] = game.new_initial_state()
            step(number)
        elif state.is_simultaneous_node():
            state.apply_actions([_observe_and_draw(state, seat, draw) for seat in range(game.num_players())])
        else:
            state.apply_action(_observe_and_draw(state, state.current_player(), draw))

    return step


def _observe_and_draw(state: Any, seat: int, draw: random.Random) -> int:
    """Return a random legal action of a seat of OpenSpiel's, after observing; 0 if it has none."""
    actions = state.legal_actions(seat)
    if not actions:
        return 0
    state.information_state_tensor(seat)
    return int(draw.choice(actions))


def vectors(matches: int, seconds: float, threads: int) -> Iterator[Row]:
    """Measure the peers that play many matches at once."""
    if importlib.util.find_spec("pgx"):
        for name in ("connect_four", "leduc_holdem", "backgammon"):
            yield measure(f"Pgx, {name}", matches, pgx_step(name, matches), seconds)
    if importlib.util.find_spec("envpool"):
        yield measure("EnvPool, CartPole-v1", matches, envpool_step("CartPole-v1", matches, threads), seconds)


def pettingzoo_games(seconds: float) -> Iterator[Row]:
    """Measure our games through PettingZoo and PettingZoo's own, one match at a time."""
    from tavola.rl.pettingzoo import env

    for name in tavola.game_names():
        yield measure(f"{name} through PettingZoo", 1, aec_step(env(name)), seconds)
    for name in ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4", "chess_v6"):
        try:
            module = importlib.import_module(f"pettingzoo.classic.{name}")
        except ImportError:
            continue
        yield measure(f"PettingZoo, {name}", 1, aec_step(module.env()), seconds)


def openspiel_games(seconds: float) -> Iterator[Row]:
    """Measure, from Python, our games through OpenSpiel, and OpenSpiel's own in Python and in C++."""
    import pyspiel

    from tavola.rl.openspiel import load

    for name in ("kuhn_poker", "block_dominoes"):
        importlib.import_module(f"open_spiel.python.games.{name}")  # registers it
    for name in tavola.game_names():
        yield measure(f"{name} through OpenSpiel", 1, openspiel_step(load(name)), seconds)
    for name in ("python_kuhn_poker", "python_block_dominoes", "leduc_poker", "goofspiel", "oh_hell"):
        yield measure(f"OpenSpiel, {name}", 1, openspiel_step(pyspiel.load_game(name)), seconds)


def measured(given: argparse.Namespace) -> Iterator[Row]:
    """Measure every game, or the named ones, then the peers."""
    for name in given.games or tavola.game_names():
        step = batch_step(tavola.Batch(name, n=given.matches, seed=1, threads=given.threads))
        yield measure(f"{name}, {given.matches} matches", given.matches, step, given.seconds)
    if given.games:
        return
    yield from vectors(given.matches, given.seconds, given.threads)
    if importlib.util.find_spec("pettingzoo"):
        yield from pettingzoo_games(given.seconds)
    if importlib.util.find_spec("pyspiel"):
        yield from openspiel_games(given.seconds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure decisions per second, with observations and masks.")
    parser.add_argument("games", nargs="*", metavar="game", help="measure only these games, without the peers")
    for option, usual in (("matches", 4096), ("seconds", 5.0), ("threads", 2)):
        parser.add_argument(f"--{option}", type=type(usual), default=usual)
    show(HEADINGS, measured(parser.parse_args()), GOOD)
