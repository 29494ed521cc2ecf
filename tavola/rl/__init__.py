"""Learning: every game as arrays of matches, and as an environment of common research libraries.

    tavola.Batch("lifeboats", n=4096, seed=1)                  matches in arrays, in compiled code, also on a GPU
    tavola.rl.pettingzoo.env("lifeboats", players=4)           PettingZoo, seat by seat; parallel_env: all at once
    tavola.rl.gymnasium.env("lifeboats", opponents="greedy")   Gymnasium: one seat among bots
    tavola.rl.openspiel.load("lifeboats", players=4)           a Python game of OpenSpiel

Public and stable are the names of these four with their signatures. Each library is an extra: `pip install
'tavola[rl]'` installs PettingZoo and Gymnasium, `tavola[openspiel]` OpenSpiel. Observations derive only from the
declared state (`tavola.core.encoding`), so every installed game supports all of this.
"""

from tavola.rl.batch import BadBatch, Batch
from tavola.rl.errors import BadActions, BadEnvironment, NoDevice, NotInstalled, NotRunning
from tavola.rl.opponents import BadOpponent, PolicyBot, Pool
from tavola.rl.rewards import BadReward

__all__ = [
    "BadActions",
    "BadBatch",
    "BadEnvironment",
    "BadOpponent",
    "BadReward",
    "Batch",
    "NoDevice",
    "NotInstalled",
    "NotRunning",
    "PolicyBot",
    "Pool",
]
