"""Bots from outside the package, as classes."""

from collections.abc import Sequence
from typing import ClassVar

from tavola.core import View


class Last:
    def choose(self, view: View) -> int:
        return view.legal[-1]


class Many(Last):
    """Answers many views at once, as a neural network does."""

    asked: ClassVar[list[int]] = []
    """Number of views in each call."""

    def choose_many(self, views: Sequence[View]) -> list[int]:
        self.asked.append(len(views))
        return [self.choose(view) for view in views]


class Wrong(Last):
    """Answers many views with illegal actions."""

    def choose_many(self, views: Sequence[View]) -> list[int]:
        return [-1 for _ in views]
