"""The promises of every game, and the checks that test them: `tavola check GAME`.

Public and stable are the names of `__all__`, for a game's own tests. A release may add promises.

    try_positions(game, 2000, seed=1, checks=EVERY_CHECK)    raises `Breach` with the promise, the seed and the match
    run_check(matches_end, game)                             tests one promise about the game itself
"""

from tavola.contract.promises import EVERY_CHECK, RULES_CHECKS, SampleSettings, matches_end, run_check, try_positions
from tavola.contract.samples import Breach, Sample

__all__ = [
    "EVERY_CHECK",
    "RULES_CHECKS",
    "Breach",
    "Sample",
    "SampleSettings",
    "matches_end",
    "run_check",
    "try_positions",
]
