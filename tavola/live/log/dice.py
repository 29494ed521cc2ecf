"""The draws of a room: chance's outcomes, which of several bots is first, who of the cast sits down.

A decision has no dice of its own: it is handed these, which in production nobody can foresee.
"""

import random
import secrets
from collections.abc import Collection, Sequence
from typing import TypeVar

from tavola.live.log.occupants import CAST, Member

T = TypeVar("T")


class Dice:
    """Draws from a generator: the operating system's unless told, a seeded one for what must come out the same."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self._rng = rng or secrets.SystemRandom()

    def draw_outcome(self, outcomes: Sequence[int], weights: Sequence[int]) -> int:
        """Return one outcome, by integer weight, exactly."""
        left = self._rng.randrange(sum(weights))
        for outcome, weight in zip(outcomes, weights, strict=True):
            if left < weight:
                return outcome
            left -= weight
        raise AssertionError("weights sum to more than their parts")

    def draw_one(self, members: Sequence[T]) -> T:
        """Return one of them, each as likely as the others."""
        return self._rng.choice(members)

    def shuffle(self, members: Collection[T]) -> list[T]:
        """Return the members in an order drawn at random."""
        return self._rng.sample(list(members), len(members))

    def draw_member(self, names: Collection[str]) -> Member:
        """Return somebody of the cast whom none of these names belongs to; anybody when all are at the table."""
        known = {name.casefold() for name in names}
        return self._rng.choice([member for member in CAST if member.name.casefold() not in known] or CAST)
