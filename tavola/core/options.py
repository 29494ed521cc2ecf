"""Options of a match, declared with their provenance: what may be varied, and why it may."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tavola.core.errors import BadOption
from tavola.core.fields import shown, whole

Provenance = Literal["rulebook", "published", "inferred", "decided", "ours"]
"""Where a rule comes from: its own text, reviews of the published game, inference, a ruling, or our invention."""


@dataclass(frozen=True)
class Option:
    """One option: a value per name (`names`), or a whole number from `low` to `high`.

    `value` is an integer everywhere inside; `names` are its words in records, commands and documents.
    """

    name: str
    default: int
    low: int
    high: int
    provenance: Provenance
    names: tuple[str, ...] = ()

    def read(self, given: object) -> int:
        """A value given as a number or a name, or `BadOption` with what was expected."""
        number = whole(given)
        text = given.lower() if isinstance(given, str) else "" if number is None else shown(number)
        if self.names:
            value = self.names.index(text) if text in self.names else None
        else:
            short = text.isascii() and text.isdecimal() and len(text) <= len(str(self.high))
            value = int(text) if short and self.low <= int(text) <= self.high else None
        if value is None:
            raise BadOption(f"option {self.name}: expected {self.expected()}, found {shown(given)}")
        return value

    def write(self, value: int) -> str:
        """The word for a value."""
        return self.names[value] if self.names else str(value)

    def values(self) -> range:
        """Every value it takes."""
        return range(self.low, self.high + 1)

    def expected(self) -> str:
        """What it takes, in words."""
        return " or ".join(self.names) if self.names else f"a whole number from {self.low} to {self.high}"


def named(name: str, *names: str, default: str, provenance: Provenance) -> Option:
    """An option whose values have names: `named("layout", "chart", "random", default="chart", ...)`."""
    return Option(name, names.index(default), 0, len(names) - 1, provenance, names)


def counted(name: str, low: int, high: int, *, default: int, provenance: Provenance) -> Option:
    """An option that is a whole number."""
    return Option(name, default, low, high, provenance)


def switch(name: str, *, provenance: Provenance) -> Option:
    """An option that is off unless switched on."""
    return named(name, "off", "on", default="off", provenance=provenance)


class Options:
    """The options of a game, the number of players first; given to the rules as an int64 array in this order."""

    def __init__(self, players: tuple[int, int], *options: Option) -> None:
        few, many = players
        first = counted("players", few, many, default=min(max(4, few), many), provenance="rulebook")
        self.all = (first, *options)
        self.place = {option.name: place for place, option in enumerate(self.all)}

    def array(self, given: Mapping[str, object]) -> np.ndarray:
        """The values the rules read; what is not given has its default."""
        unknown = given.keys() - self.place.keys()
        if unknown:
            raise BadOption(f"option {shown(min(unknown, key=str))}: expected one of {', '.join(self.place)}")
        values = [option.read(given[option.name]) if option.name in given else option.default for option in self.all]
        return np.array(values, np.int64)

    def words(self, array: np.ndarray) -> dict[str, str]:
        """Every option with the word of its value, players included."""
        return {option.name: option.write(int(value)) for option, value in zip(self.all, array, strict=True)}
