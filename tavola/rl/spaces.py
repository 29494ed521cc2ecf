"""Spaces of observations and actions, and seeds, for Gymnasium and PettingZoo."""

from typing import Any

import numpy as np

from tavola.core.encoding import CentralRows, Encoder
from tavola.rl.errors import NotInstalled

__all__ = [
    "AutoresetMode",
    "Env",
    "VectorEnv",
    "action_space",
    "batch_space",
    "draw_seed",
    "observation_space",
    "register",
    "state_space",
]

SEEDS = 1 << 62
"""Upper bound, exclusive, of the seeds that an environment draws."""


try:
    from gymnasium import Env, register, spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise NotInstalled("Gymnasium is not installed: run pip install 'tavola[rl]'") from error


def observation_space(encoder: Encoder) -> Any:
    """Return a dictionary space of `observation`, a row of the encoder, and `action_mask`, 1 for each legal action."""
    actions = len(encoder.game.actions)
    return spaces.Dict(
        {
            "observation": spaces.Box(encoder.low, encoder.high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def state_space(central: CentralRows) -> Any:
    """Return the space of whole positions, for a central critic."""
    return spaces.Box(central.low, central.high, dtype=np.float32)


def action_space(encoder: Encoder) -> Any:
    """Return the space of all action numbers."""
    return spaces.Discrete(len(encoder.game.actions))


def draw_seed(rng: np.random.Generator) -> int:
    """Return the seed of the next match."""
    return int(rng.integers(SEEDS))
