"""How long chance and bots take: until what chance holds falls, in a race, and in a barter."""

import math
import random
import secrets
from collections.abc import Callable
from typing import NamedTuple

from tavola.bots import LEVELS
from tavola.bots.levels import EXPERT_READING
from tavola.live.time.race import SHORTEST_REACTION

# Suspense. The time is exponential, since only then does waiting teach nothing: at every instant it is as likely to be
# now. It is cut where a table would think that nothing comes any more.


_rng = secrets.SystemRandom()


class Suspense(NamedTuple):
    """Seconds: at least `shortest`, on average `mean` more, at most `longest`."""

    shortest: float = 1.5
    mean: float = 2.0
    longest: float = 8.0

    def draw(self) -> float:
        """A time that nobody can foresee."""
        return min(self.longest, self.shortest + (_rng.expovariate(1 / self.mean) if self.mean else 0.0))


# Reflexes: the quickness of a bot that races people, drawn from a distribution of human reaction times, by its level.
#
# Where it lies: choosing among n answers takes a person 200 ms and 155 ms for each bit, log2(n) (W. E. Hick, "On the
# rate of gain of information", Quarterly Journal of Experimental Psychology 4, 1952; R. Hyman, "Stimulus information as
# a determinant of reaction time", Journal of Experimental Psychology 45, 1953). Its shape: an ex-Gaussian, with σ and τ
# in the proportion to μ of the worked example in A. Heathcote, "RTSYS: a DOS application for the analysis of reaction
# time data", Behavior Research Methods, Instruments & Computers 28, 1996: μ 488, σ 32, τ 82 ms. Ours is how much there
# is to take in: what was shown must be read as well as answered, the more slowly the less a level sees at a glance.


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


# Bartering. When a bot acts again is drawn before anybody knows what it will do, and only from when it acted last: it
# tells nothing. It looks at what is new first, and when the time is nearly over it hurries; where there is something
# new all the time it does not wait without end.


GAP_SPREAD = 0.45
"""The spread of the logarithm of the time between two acts of a bot."""
SHORTEST_GAP, LONGEST_GAP = 0.5, 2.5
"""The least and the greatest time between two acts, as parts of the mean one."""
FIRST_GAP = 0.75
"""The time until its first act, as a part of that between two later ones."""
LOOKS = 0.5, 2.0
"""How long a bot looks at what is new, at least and at most, as parts of the pause of bots elsewhere."""
LONGEST_DELAY = 2.0
"""The time that new things may keep it from its turn, as a part of the one between two acts."""
HURRY_BEGINS = 20.0
"""Seconds before the end of the time from which bots hurry."""
HURRY = 0.4
"""How long they take then, as a part of what they take otherwise."""


class Pace(NamedTuple):
    """A bot's own pace: when it acted last, or the barter began, and the seconds until it acts again."""

    since: float
    gap: float


class BarterPaces:
    """The paces of the bots of a room, by seat; times are the caller's clock's."""

    def __init__(self, dice: random.Random | None = None) -> None:
        self._dice = dice or random.SystemRandom()
        self._paces: dict[int, Pace] = {}
        self._began = 0.0

    def begin(self, now: float) -> None:
        """A barter begins: nobody has acted."""
        self._paces.clear()
        self._began = now

    def note_act(self, seat: int, now: float) -> None:
        """A bot has acted, or let its turn pass."""
        self._paces[seat] = Pace(now, self._draw_gap())

    def due(self, seat: int, now: float, pause: float, gap: float, left: float) -> float:
        """Return when a bot that sees something new now answers it.

        `pause` is that of bots elsewhere, `gap` the mean time between two acts, `left` the time until the barter ends.
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
