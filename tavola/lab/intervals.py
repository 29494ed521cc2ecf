"""Confidence intervals of 95 %, for a fixed number of matches and for sequential runs.

Stopping when a fixed-size interval looks good makes it wrong more often than 5 %. The `anytime` intervals may be
checked after every match: the chance that any of them ever misses is 5 %.
"""

import math
from collections.abc import Callable

import numpy as np

Z_SCORE = 1.959964
"""Standard errors in 95 %."""
ERROR_RATE = 0.05
TIGHTEST_TRIALS = 10_000
"""The number of matches at which an anytime interval of a mean is narrowest."""
BISECTIONS = 60
Interval = tuple[float, float]


def wilson_interval(share: float, trials: int) -> Interval:
    """Return Wilson's 95 % interval of a share observed in `trials` trials.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
    """
    z2 = Z_SCORE**2
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = Z_SCORE / (1 + z2 / trials) * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def bounded_mean_interval(values: np.ndarray, low: float, high: float) -> Interval:
    """Return a 95 % interval of the mean of values from `low` to `high`; wide for few values.

    One value is added at either end, as Agresti and Coull do for shares, and Student's quantile is used. Source:
    Agresti, Coull, "Approximate is better than 'exact' for interval estimation of binomial proportions", 1998.
    """
    padded = np.append(values, [low, high])
    half = student_quantile(len(padded) - 1) * float(padded.std(ddof=1)) / math.sqrt(len(padded))
    mean = float(padded.mean())
    return max(low, min(mean - half, float(values.mean()))), min(high, max(mean + half, float(values.mean())))


def student_quantile(freedom: int) -> float:
    """Return the 95 % quantile of Student's distribution in standard errors, correct to three figures.

    Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3, 26.7.4 and 26.7.5.
    """
    if freedom < 3:
        return 12.706 if freedom == 1 else 4.303
    z, n = Z_SCORE, freedom
    first, second = (z**3 + z) / (4 * n), (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    return z + first + second + third + fourth


def mean_interval(mean: float, deviation: float, trials: int) -> Interval:
    """Return Student's 95 % interval of a mean; infinite for one trial, whose spread is unknown.

    `deviation`: the standard deviation of one trial.
    """
    if trials < 2:
        return -math.inf, math.inf
    half = student_quantile(trials - 1) * deviation / math.sqrt(trials)
    return mean - half, mean + half


def anytime_share(share: float, trials: int, error: float = ERROR_RATE) -> Interval:
    """Return an interval of a share that is valid for all numbers of trials at once, however one stops.

    A trial's outcome is from 0 to 1, such as half a win. Divide the likelihood of the outcomes, mixed uniformly over
    all shares, by that under the true share p. The ratio has a mean of at most 1 at any time: what a trial adds is
    convex in its outcome, so outcomes between 0 and 1 only reduce it. So it ever exceeds 20 with a probability of at
    most 5 %, and the interval is where it does not. This is exact, without a normal approximation.

    Sources: Ville, "Étude critique de la notion de collectif", 1939; Robbins, "Statistical methods related to the law
    of the iterated logarithm", 1970.
    """
    wins, losses = share * trials, (1 - share) * trials
    mixed = math.lgamma(wins + 1) + math.lgamma(losses + 1) - math.lgamma(trials + 2)

    def missed(p: float) -> bool:
        return mixed - wins * math.log(p) - losses * math.log1p(-p) > -math.log(error)

    low = _bisect(0.0, share, missed) if wins > 0 else 0.0
    high = _bisect(1.0, share, missed) if losses > 0 else 1.0
    return low, high


def _bisect(outside: float, inside: float, missed: Callable[[float], bool]) -> float:
    """Return the last rejected share between the end `outside` and the observed share `inside`."""
    for _ in range(BISECTIONS):
        middle = (outside + inside) / 2
        outside, inside = (middle, inside) if missed(middle) else (outside, middle)
    return outside


def anytime_mean(mean: float, deviation: float, trials: int, error: float = ERROR_RATE) -> Interval:
    """Return an interval of a mean that is valid for all numbers of trials at once, asymptotically.

    Source: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, "Time-uniform central limit theory and asymptotic confidence
    sequences", 2024.
    """
    if trials < 2:
        return -math.inf, math.inf
    spent = -2 * math.log(error)
    scaled = trials * (spent + math.log(spent + 1)) / TIGHTEST_TRIALS
    half = deviation * math.sqrt(2 * (scaled + 1) / (trials * scaled) * math.log(math.sqrt(scaled + 1) / error))
    return mean - half, mean + half
