"""The counts of many matches, in whole numbers: tallies add up to the same in any order and however they were cut."""

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

    `points` and `squares`: their sum and that of their squares. `places[seat][k]`: the times it came in place k + 1.
    `firsts[seat][k]`: the times it won with k others. `lengths`: the number of matches with so many actions,
    chance's included. `ends`: the number of matches that ended with an action of that verb.
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
        """Return both together."""
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
        """Return the seat's share of wins; a win that k seats share counts 1/k for each."""
        return sum(count / sharers for sharers, count in enumerate(self.firsts[seat], 1)) / self.matches

    def shared_wins(self) -> float:
        """Return the share of matches that several won together."""
        alone = sum(firsts[0] for firsts in self.firsts)
        return 1 - alone / self.matches

    def mean_points(self, seat: int) -> tuple[float, float]:
        """Return the mean of a seat's points, and the standard deviation of a match's."""
        return _moments(self.points[seat], self.squares[seat], self.matches)

    def mean_length(self) -> tuple[float, float]:
        """Return the mean number of actions, and the standard deviation of a match's."""
        total = sum(length * count for length, count in self.lengths.items())
        squares = sum(length * length * count for length, count in self.lengths.items())
        return _moments(total, squares, self.matches)

    def quantile(self, part: float) -> int:
        """Return the least length that this part of all matches does not exceed."""
        left = part * self.matches
        for length, count in sorted(self.lengths.items()):
            left -= count
            if left <= 0:
                return length
        return max(self.lengths)


def _moments(total: int, squares: int, count: int) -> tuple[float, float]:
    """Return mean and standard deviation; exact until the last step, since the numbers are whole."""
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
