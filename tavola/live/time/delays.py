"""Delays of chance and of bots: suspense, reflexes in races, and paces in barter."""

import math
import random
import secrets
from collections.abc import Callable
from typing import NamedTuple

from tavola.bots import LEVELS
from tavola.bots.levels import EXPERT_READING
from tavola.live.time.race import SHORTEST_REACTION

# Suspense. The delay is exponential, since only then does waiting reveal nothing: the outcome is equally likely to fall
# at every instant. It is cut before a table would think that nothing will happen.

_rng = secrets.SystemRandom()


class Suspense(NamedTuple):
    """A distribution of delays in seconds: at least `shortest`, on average `mean` more, at most `longest`."""

    shortest: float = 1.5
    mean: float = 2.0
    longest: float = 8.0

    def draw(self) -> float:
        """Return an unpredictable delay."""
        return min(self.longest, self.shortest + (_rng.expovariate(1 / self.mean) if self.mean else 0.0))


# Reflexes: the quickness of a bot that races people, drawn from a distribution of human reaction times, by its level.
#
# Location: choosing among n answers takes a person 200 ms and 155 ms for each bit, log2(n) (W. E. Hick, "On the rate
# of gain of information", Quarterly Journal of Experimental Psychology 4, 1952; R. Hyman, "Stimulus information as a
# determinant of reaction time", Journal of Experimental Psychology 45, 1953). Shape: an ex-Gaussian, with σ and τ in
# the proportion to μ of the worked example in A. Heathcote, "RTSYS: a DOS application for the analysis of reaction
# time data", Behavior Research Methods, Instruments & Computers 28, 1996: μ 488, σ 32, τ 82 ms. The reading bits are
# ours: what was shown must be read as well as answered, and lower levels read more slowly.

SIMPLE_REACTION, SECONDS_PER_BIT = 0.200, 0.155
"""Seconds of a reaction without a choice, and for each bit of a choice."""
SIGMA, TAU = 32 / 488, 82 / 488
"""Standard deviation of the Gaussian part and mean of the exponential one, relative to the Gaussian mean."""
Reflexes = Callable[[str, int], float]
"""`reflexes(level, answers)`: seconds until a bot chooses one of `answers` possible answers."""


def human_reflexes(dice: random.Random | None = None) -> Reflexes:
    """Return reflexes like a person's; seeded `dice` make them reproducible."""
    drawn = dice or random.SystemRandom()

    def reflexes(level: str, answers: int) -> float:
        reading = LEVELS[level].reading_bits if level in LEVELS else EXPERT_READING  # bots from outside play well
        mu = (SIMPLE_REACTION + SECONDS_PER_BIT * (reading + math.log2(max(1, answers)))) / (1 + TAU)
        return max(SHORTEST_REACTION, drawn.gauss(mu, SIGMA * mu) + drawn.expovariate(1 / (TAU * mu)))

    return reflexes


# Barter. When a bot acts again is drawn before its action is known, and only from when it acted last: it reveals
# nothing. A bot looks at what is new first, but not without end, and hurries when the time is nearly over.

GAP_SPREAD = 0.45
"""Standard deviation of the logarithm of the time between two acts of a bot."""
SHORTEST_GAP, LONGEST_GAP = 0.5, 2.5
"""Minimum and maximum time between two acts, relative to the mean."""
FIRST_GAP = 0.75
"""Time until a bot's first act, relative to that between two later ones."""
LOOKS = 0.5, 2.0
"""Minimum and maximum time that a bot looks at what is new, relative to the usual pause of bots."""
LONGEST_DELAY = 2.0
"""Maximum delay of an act by new events, relative to the time between two acts."""
HURRY_BEGINS = 20.0
"""Seconds before the end of a barter from which bots hurry."""
HURRY = 0.4
"""Times of bots that hurry, relative to their usual ones."""


class Pace(NamedTuple):
    """A bot's pace: when it last acted, or the barter began, and the time to its next act, relative to the mean."""

    since: float
    gap: float


class BarterPaces:
    """The paces of a room's bots, by seat; times are by the caller's clock."""

    def __init__(self, dice: random.Random | None = None) -> None:
        self._dice = dice or random.SystemRandom()
        self._paces: dict[int, Pace] = {}
        self._began = 0.0

    def begin(self, now: float) -> None:
        """Begin a barter, in which no bot has acted."""
        self._paces.clear()
        self._began = now

    def note_act(self, seat: int, now: float) -> None:
        """Note that a bot has acted, or has let its turn pass."""
        self._paces[seat] = Pace(now, self._draw_gap())

    def due(self, seat: int, now: float, pause: float, gap: float, left: float) -> float:
        """Return when a bot that sees something new now answers it.

        `pause`: the usual pause of bots; `gap`: the mean time between two acts; `left`: the time until the barter ends.
        """
        pace = self._paces.setdefault(seat, Pace(self._began, FIRST_GAP * self._draw_gap()))
        hurry = HURRY if left < HURRY_BEGINS else 1.0
        turn = pace.since + hurry * gap * pace.gap
        look = now + hurry * pause * self._dice.uniform(*LOOKS)
        return max(turn, min(look, pace.since + (1.0 + LONGEST_DELAY) * gap * pace.gap), now)

    def _draw_gap(self) -> float:
        gap = 0.0
        while not SHORTEST_GAP <= gap <= LONGEST_GAP:
            gap = self._dice.lognormvariate(-GAP_SPREAD * GAP_SPREAD / 2, GAP_SPREAD)
        return gap
