"""The time until what chance holds falls: nobody can foresee it, and whoever has waited knows no more.

The time is exponential, since only then does waiting teach nothing: at every instant it is as likely to be now. It is
cut where a table would think that nothing comes any more.
"""

import secrets
from typing import NamedTuple

_rng = secrets.SystemRandom()


class Suspense(NamedTuple):
    """Seconds: at least `shortest`, on average `mean` more, at most `longest`."""

    shortest: float = 1.5
    mean: float = 2.0
    longest: float = 8.0

    def draw(self) -> float:
        """A time that nobody can foresee."""
        return min(self.longest, self.shortest + (_rng.expovariate(1 / self.mean) if self.mean else 0.0))
