"""Counts over many matches, in integers, so that their sums do not depend on order or partition."""

from collections import Counter
from collections.abc import Mapping
from math import sqrt
from typing import TypeVar

import msgspec
import numpy as np

from tavola.core import Game

K = TypeVar("K")


class Counts(msgspec.Struct, frozen=True):
    """Counts over matches of one game with the same options; lists are by seat.

    `points` and `squares`: sums of the points and of their squares. `places[seat][k]`: number of times in place k + 1.
    `firsts[seat][k]`: wins shared with k others. `lengths`: number of matches by number of actions, including chance's.
    `ends`: number of matches by the verb of the last action.
    """

    matches: int
    points: tuple[int, ...]
    squares: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    firsts: tuple[tuple[int, ...], ...]
    lengths: dict[int, int]
    ends: dict[str, int]

    @classmethod
    def of(cls, game: Game, points: np.ndarray, places: np.ndarray, lengths: np.ndarray, ends: np.ndarray) -> "Counts":
        """Count matches in rows: points and places by seat, the number of actions, the number of the last action."""
        players = points.shape[1]
        winners = (places == 1).sum(axis=1)
        verbs: Counter[str] = Counter()
        for number, count in _count_values(ends).items():
            verbs[game.actions.verb(number).name] += count
        return cls(
            matches=len(points),
            points=tuple(points.sum(axis=0).tolist()),
            squares=tuple((points * points).sum(axis=0).tolist()),
            places=tuple(_histogram(column, players) for column in places.T),
            firsts=tuple(_histogram(winners[column == 1], players) for column in places.T),
            lengths=_count_values(lengths),
            ends=dict(sorted(verbs.items())),
        )

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            matches=self.matches + other.matches,
            points=_add_tuples(self.points, other.points),
            squares=_add_tuples(self.squares, other.squares),
            places=tuple(map(_add_tuples, self.places, other.places)),
            firsts=tuple(map(_add_tuples, self.firsts, other.firsts)),
            lengths=_add_counts(self.lengths, other.lengths),
            ends=_add_counts(self.ends, other.ends),
        )

    @property
    def players(self) -> int:
        """The number of seats at the table."""
        return len(self.points)

    def wins(self, seat: int) -> float:
        """Return the seat's share of wins; a win shared by k seats counts 1/k for each."""
        return sum(count / sharers for sharers, count in enumerate(self.firsts[seat], 1)) / self.matches

    def shared_wins(self) -> float:
        """Return the share of matches with several winners."""
        return 1 - sum(firsts[0] for firsts in self.firsts) / self.matches

    def mean_points(self, seat: int) -> tuple[float, float]:
        """Return the mean of a seat's points per match, and their standard deviation."""
        return _moments(self.points[seat], self.squares[seat], self.matches)

    def mean_length(self) -> tuple[float, float]:
        """Return the mean number of actions per match, and their standard deviation."""
        total = sum(length * count for length, count in self.lengths.items())
        squares = sum(length * length * count for length, count in self.lengths.items())
        return _moments(total, squares, self.matches)

    def quantile(self, part: float) -> int:
        """Return the smallest length that at least this part of all matches does not exceed."""
        left = part * self.matches
        for length, count in sorted(self.lengths.items()):
            left -= count
            if left <= 0:
                return length
        return max(self.lengths)


def _moments(total: int, squares: int, count: int) -> tuple[float, float]:
    """Return mean and standard deviation; exact until the last step, since all inputs are integers."""
    spread = squares * count - total * total
    return total / count, sqrt(spread / (count * max(count - 1, 1)))


def _histogram(numbers: np.ndarray, most: int) -> tuple[int, ...]:
    return tuple(np.bincount(numbers, minlength=most + 1)[1 : most + 1].tolist())


def _count_values(numbers: np.ndarray) -> dict[int, int]:
    values, counts = np.unique(numbers, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def _add_tuples(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _add_counts(one: Mapping[K, int], other: Mapping[K, int]) -> dict[K, int]:
    return dict(Counter(one) + Counter(other))
