"""Stable-Baselines3 checks the Gymnasium environment, and MaskablePPO of sb3-contrib learns on it."""

from typing import Any

import pytest

import tavola
from tavola.rl import gymnasium

pytestmark = pytest.mark.bulk
MaskablePPO = pytest.importorskip("sb3_contrib", reason="sb3-contrib is missing: make sb3").MaskablePPO
check_env = pytest.importorskip("stable_baselines3.common.env_checker").check_env


@pytest.mark.parametrize("game", tavola.game_names())
def test_the_checker_of_stable_baselines_finds_nothing(game: str):
    check_env(gymnasium.env(game, opponents="random"), warn=True)


def test_maskable_ppo_learns_a_thousand_steps_and_plays_only_legal_actions():
    made: Any = gymnasium.env("lifeboats", players=3, opponents="greedy", illegal="refuse")
    learner = MaskablePPO("MultiInputPolicy", made, n_steps=250, batch_size=50, seed=1, device="cpu")
    learner.learn(1_000)
    assert learner.num_timesteps == 1_000
    observation, _ = made.reset(seed=7)
    over = False
    while not over:
        action, _ = learner.predict(observation, action_masks=made.action_masks(), deterministic=True)
        observation, _, over, _, _ = made.step(action)
    assert made.episode.match.over
