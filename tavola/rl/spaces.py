"""The spaces of observations and actions, and seeds, as Gymnasium and PettingZoo want them."""

from typing import Any

import numpy as np

from tavola.core.encoding import Encoder
from tavola.rl.central import CentralRows
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
"""Seeds of matches that an environment draws lie below."""


try:
    from gymnasium import Env, register, spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise NotInstalled("Gymnasium is not installed: expected pip install 'tavola[rl]'") from error


def observation_space(encoder: Encoder) -> Any:
    """A dictionary of `observation`, a row of the encoder, and `action_mask`, 1 for each legal action."""
    actions = len(encoder.game.actions)
    return spaces.Dict(
        {
            "observation": spaces.Box(encoder.low, encoder.high, dtype=np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def state_space(central: CentralRows) -> Any:
    """A row of the whole position, for a central critic."""
    return spaces.Box(central.low, central.high, dtype=np.float32)


def action_space(encoder: Encoder) -> Any:
    """The numbers of all actions."""
    return spaces.Discrete(len(encoder.game.actions))


def draw_seed(rng: np.random.Generator) -> int:
    """The seed of the next match."""
    return int(rng.integers(SEEDS))
