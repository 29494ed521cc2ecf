"""A bot from outside, as a class."""

from collections.abc import Sequence
from typing import ClassVar

from tavola.core import View


class Last:
    """Plays the last of what is allowed."""

    def choose(self, view: View) -> int:
        return view.legal[-1]


class Many(Last):
    """The same for many views at once, as a net answers."""

    asked: ClassVar[list[int]] = []
    """How many views it was asked for, by call."""

    def choose_many(self, views: Sequence[View]) -> list[int]:
        self.asked.append(len(views))
        return [self.choose(view) for view in views]


class Wrong(Last):
    """One that is asked for many and answers what is not allowed."""

    def choose_many(self, views: Sequence[View]) -> list[int]:
        return [-1 for _ in views]
