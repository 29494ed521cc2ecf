"""The quickness of a bot where it races people: drawn from a distribution of human reaction times, by its level.

Where it lies: choosing among n answers takes a person 200 ms and 155 ms for each bit, log2(n) (W. E. Hick, "On the rate
of gain of information", Quarterly Journal of Experimental Psychology 4, 1952; R. Hyman, "Stimulus information as a
determinant of reaction time", Journal of Experimental Psychology 45, 1953). Its shape: an ex-Gaussian, with σ and τ in
the proportion to μ of the worked example in A. Heathcote, "RTSYS: a DOS application for the analysis of reaction time
data", Behavior Research Methods, Instruments & Computers 28, 1996: μ 488, σ 32, τ 82 ms. Ours is how much there is to
take in: what was shown must be read as well as answered, the more slowly the less a level sees at a glance.
"""

import math
import random
from collections.abc import Callable

from tavola.bots import LEVELS
from tavola.bots.levels import EXPERT_READING
from tavola.live.time.race import SHORTEST_REACTION

SIMPLE_REACTION, SECONDS_PER_BIT = 0.200, 0.155
"""Seconds of a reaction without a choice, and those that each bit of a choice adds."""
SIGMA, TAU = 32 / 488, 82 / 488
"""The spread of the Gaussian part and the mean of the exponential one, as parts of the Gaussian mean."""
Reflexes = Callable[[str, int], float]
"""`reflexes(level, answers)`: seconds until a bot answers, one of so many answers."""


def human_reflexes(dice: random.Random | None = None) -> Reflexes:
    """Reflexes like a person's; with dice of one's own always the same."""
    drawn = dice or random.SystemRandom()

    def reflexes(level: str, answers: int) -> float:
        reading = LEVELS[level].reading_bits if level in LEVELS else EXPERT_READING  # bots from outside play well
        mean = SIMPLE_REACTION + SECONDS_PER_BIT * (reading + math.log2(max(1, answers)))
        mu = mean / (1 + TAU)
        return max(SHORTEST_REACTION, drawn.gauss(mu, SIGMA * mu) + drawn.expovariate(1 / (TAU * mu)))

    return reflexes
