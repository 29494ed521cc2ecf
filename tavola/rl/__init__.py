"""Learning: every game as thousands of matches in arrays, and as an environment of the libraries that researchers use.

    tavola.Batch("lifeboats", n=4096, seed=1)                  matches in arrays, in compiled code
    tavola.rl.pettingzoo.env("lifeboats", players=4)           PettingZoo, seat by seat; parallel_env: all at once
    tavola.rl.gymnasium.env("lifeboats", opponents="greedy")   Gymnasium: one seat among bots
    tavola.rl.openspiel.load("lifeboats", players=4)           a Python game of OpenSpiel

Public and stable are the names of these four with their signatures. Each library is an extra: `pip install
'tavola[rl]'` brings PettingZoo and Gymnasium, `tavola[openspiel]` OpenSpiel. Observations are made from the declared
state alone (`tavola.core.encoding`), so every game that is installed has all of this.
"""

from tavola.rl.batch import BadBatch, Batch
from tavola.rl.errors import BadActions, BadEnvironment, NotInstalled, NotRunning
from tavola.rl.opponents import BadOpponent, PolicyBot, Pool
from tavola.rl.rewards import BadReward

__all__ = [
    "BadActions",
    "BadBatch",
    "BadEnvironment",
    "BadOpponent",
    "BadReward",
    "Batch",
    "NotInstalled",
    "NotRunning",
    "PolicyBot",
    "Pool",
]
