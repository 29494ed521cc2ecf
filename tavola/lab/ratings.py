"""Ratings of bots from matches in changing company, with intervals that are wide if evidence is scarce.

A match counts as one comparison of every two bots at its table: the better place wins, a shared place is half a win.
Ratings are those of Bradley and Terry on Elo's scale: 400 points are odds of ten to one, and the mean is 0.

A 95 % interval covers the ratings compatible with the comparisons (profile likelihood) and those of resampled deals
(bootstrap). The first ignores that matches of a deal are dependent; the second has no width if one bot has won all
deals.

Sources: Bradley, Terry, "Rank analysis of incomplete block designs", 1952; Hunter, "MM algorithms for generalized
Bradley-Terry models", 2004; Efron, "Bootstrap methods: another look at the jackknife", 1979; Venzon, Moolgavkar, "A
method for computing profile-likelihood-based confidence intervals", 1988.
"""

import numpy as np

SCALE = 400 / np.log(10)
"""Elo points per natural logarithm of odds."""
DRAWN_BEFORE = 1.0
"""Prior draws of every bot against an average one, which keep the rating of a bot that always wins finite."""
RESAMPLES = 400
STEPS = 200
"""Steps of the iteration, each of which increases the likelihood."""
DROP = 1.920729
"""The drop of the log likelihood that bounds a 95 % interval: half the quantile of chi-square."""
FARTHEST = 12.0
"""Maximum distance of a bound from the rating, in natural logarithms of odds."""
NEWTON_STEPS, BISECTIONS, LONGEST_STEP, SHORTEST_STEP = 12, 30, 2.0, 1e-12


def rate(won: np.ndarray) -> np.ndarray:
    """Return the ratings of bots by their comparisons: `won[…, i, j]` times i came before j. float[…, bots].

    These are the maximum-likelihood strengths by Hunter's iteration, with prior draws against an average bot.
    """
    wins = won.sum(-1) + DRAWN_BEFORE / 2
    met = won + np.swapaxes(won, -1, -2)
    strength = np.ones(wins.shape)
    for _ in range(STEPS):
        together = strength[..., :, np.newaxis] + strength[..., np.newaxis, :]
        strength = wins / ((met / together).sum(-1) + DRAWN_BEFORE / (strength + 1))
        strength /= np.exp(np.log(strength).mean(-1, keepdims=True))
    return np.asarray(SCALE * np.log(strength))


def rate_with_intervals(won: np.ndarray, players: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return ratings and their lower and upper bounds, three of float[bots], from comparisons `won[deal, i, j]`."""
    rating = rate(won.sum(0))
    rng = np.random.default_rng(seed & 0xFFFFFFFF)
    drawn = rng.multinomial(len(won), [1 / len(won)] * len(won), RESAMPLES)
    low, high = np.quantile(rate(np.tensordot(drawn, won, 1)), [0.025, 0.975], axis=0)
    profile = _Profile(won.sum(0) * independent_share(players))
    bounds = np.array([profile.interval(bot) for bot in range(len(rating))])
    return rating, np.minimum(low, bounds[:, 0]), np.maximum(high, bounds[:, 1])


def independent_share(players: int) -> float:
    """Return the information of one comparison in a match, as a fraction of an independent one.

    A match of k equal bots is one order of them. By Plackett and Luce's model it says as much about a bot as this
    fraction of its k - 1 comparisons.
    """
    told = sum(1 - 1 / left for left in range(2, players + 1)) / players
    return told / ((players - 1) / 4)


class _Profile:
    def __init__(self, won: np.ndarray) -> None:
        self._won, self._bots = won, len(won)
        self._best = np.zeros(self._bots)
        self._best = self._climb(self._best, None)
        self._most = self._log_likelihood(self._best)

    def interval(self, bot: int) -> tuple[float, float]:
        """Return the lowest and the highest rating of a bot that are compatible with the comparisons."""
        contrast = np.eye(self._bots)[bot] - 1 / self._bots
        return self._bound(contrast, -1.0), self._bound(contrast, 1.0)

    def _bound(self, contrast: np.ndarray, side: float) -> float:
        begin = float(contrast @ self._best)
        inside, outside = 0.0, FARTHEST
        for _ in range(BISECTIONS):
            middle = (inside + outside) / 2
            moved = self._climb(self._best + contrast * side * middle / (contrast @ contrast), contrast)
            kept = self._most - self._log_likelihood(moved) < DROP
            inside, outside = (middle, outside) if kept else (inside, middle)
        return float(SCALE * (begin + side * inside))

    def _climb(self, strength: np.ndarray, held: np.ndarray | None) -> np.ndarray:
        """Return the most likely logarithms of strengths by Newton's method, with the contrast `held` fixed."""
        for _ in range(NEWTON_STEPS):
            slope, curvature = self._derivatives(strength)
            if held is not None:
                curvature = np.block([[curvature, held[:, np.newaxis]], [held, np.zeros(1)]])
                slope = np.append(slope, 0.0)
            step = np.linalg.solve(curvature, slope)[: self._bots]
            longest = float(np.abs(step).max())
            strength = strength + step * min(1.0, LONGEST_STEP / max(longest, SHORTEST_STEP))
            if longest < SHORTEST_STEP:
                break
        return strength

    def _derivatives(self, strength: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        ahead = 1 / (1 + np.exp(strength[np.newaxis, :] - strength[:, np.newaxis]))
        met = self._won + self._won.T
        alone = 1 / (1 + np.exp(-strength))
        slope = (self._won - met * ahead).sum(1) + DRAWN_BEFORE * (0.5 - alone)
        spread = met * ahead * (1 - ahead)
        return slope, np.diag(spread.sum(1) + DRAWN_BEFORE * alone * (1 - alone)) - spread

    def _log_likelihood(self, strength: np.ndarray) -> float:
        ahead = -np.logaddexp(0, strength[np.newaxis, :] - strength[:, np.newaxis])
        drawn = -np.logaddexp(0, strength) - np.logaddexp(0, -strength)
        return float((self._won * ahead).sum() + DRAWN_BEFORE / 2 * drawn.sum())
