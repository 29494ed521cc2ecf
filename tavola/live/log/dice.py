"""The random draws of a room: chance outcomes, the order of bots, members of the cast.

Decisions are given their dice. In production the draws cannot be predicted.
"""

import random
import secrets
from collections.abc import Collection, Sequence
from typing import TypeVar

from tavola.live.log.occupants import CAST, Member

T = TypeVar("T")


class Dice:
    """Random draws from `rng`: by default the operating system's, a seeded one for reproducible results."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self._rng = rng or secrets.SystemRandom()

    def draw_outcome(self, outcomes: Sequence[int], weights: Sequence[int]) -> int:
        """Return one outcome, drawn by exact integer weights."""
        left = self._rng.randrange(sum(weights))
        for outcome, weight in zip(outcomes, weights, strict=True):
            if left < weight:
                return outcome
            left -= weight
        raise AssertionError("no outcome was drawn")

    def draw_one(self, members: Sequence[T]) -> T:
        """Return one of the members, each with the same probability."""
        return self._rng.choice(members)

    def shuffle(self, members: Collection[T]) -> list[T]:
        """Return the members in random order."""
        return self._rng.sample(list(members), len(members))

    def draw_member(self, names: Collection[str]) -> Member:
        """Return a member of the cast who has none of these names, or any member if all are at the table."""
        known = {name.casefold() for name in names}
        return self._rng.choice([member for member in CAST if member.name.casefold() not in known] or CAST)
