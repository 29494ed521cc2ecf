"""Options of a match, each declared with its provenance: the source of the rule.

There are two named sets: `recommended`, the default, and `letter`, the printed rulebook.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from tavola.core.actions import WORD_PATTERN
from tavola.core.errors import BadOption
from tavola.core.fields import as_integer, short_repr

Provenance = Literal["rulebook", "published", "inferred", "decided", "ours"]
"""Source of a rule: the rulebook, reviews of the published game, inference, a ruling, or our invention."""
PROVENANCES: tuple[Provenance, ...] = get_args(Provenance)
Rules = Literal["recommended", "letter"]
"""The two named sets of options."""
RULES: tuple[Rules, ...] = get_args(Rules)
RESERVED_NAMES = ("seed", "position", "rules", "check")
"""Arguments of a match beside its options: no option may have such a name."""


@dataclass(frozen=True)
class Option:
    """An option of a game: named values (`names`), or an integer from `low` to `high`.

    Values are integers; `names[value]` is the word in records, commands and documents. `default` is the recommended
    value, `letter` that of the printed rulebook. With `names_seats` every name but the first is a seat, and only seats
    at the table are allowed.
    """

    name: str
    default: int
    letter: int
    low: int
    high: int
    provenance: Provenance
    names: tuple[str, ...] = ()
    names_seats: bool = False

    def __post_init__(self) -> None:
        if self.provenance not in PROVENANCES:
            raise TypeError(self._misdeclared(f"a provenance among {', '.join(PROVENANCES)}", self.provenance))
        for word in (self.name.replace("_", "-"), *self.names):
            if not WORD_PATTERN.fullmatch(word):
                raise TypeError(self._misdeclared("lower-case names with hyphens, such as lands-end", word))
        if len(set(self.names)) < len(self.names):
            raise TypeError(self._misdeclared("distinct names for its values", self.names))
        for value in (self.default, self.letter):
            if as_integer(value) is None or not self.low <= value <= self.high:
                raise TypeError(self._misdeclared(f"values from {self.low} to {self.high}", value))

    def _misdeclared(self, expected: str, found: object) -> str:
        return f"option {self.name}: expected {expected}, found {short_repr(found)}"

    def read(self, given: object) -> int:
        """Return a value given as a number or a name. Raises `BadOption` with what was expected."""
        number = as_integer(given)
        text = given.lower() if isinstance(given, str) else "" if number is None else short_repr(number)
        if self.names:
            value = self.names.index(text) if text in self.names else None
        else:
            short = text.isascii() and text.isdecimal() and len(text) <= len(str(self.high))
            value = int(text) if short and self.low <= int(text) <= self.high else None
        if value is None:
            raise BadOption(f"option {self.name}: expected {self.expected()}, found {short_repr(given)}")
        return value

    def write(self, value: int) -> str:
        """Return the word for a value."""
        return self.names[value] if self.names else str(value)

    def values(self, players: int | None = None) -> range:
        """Return the allowed values, with `players` players if given."""
        seated = self.high if players is None or not self.names_seats else min(self.high, players)
        return range(self.low, seated + 1)

    def expected(self, players: int | None = None) -> str:
        """Return the allowed values in words, with `players` players if given."""
        if not self.names:
            return f"a whole number from {self.low} to {self.high}"
        said = " or ".join(self.names[value] for value in self.values(players))
        return f"{said} with {players} players" if players is not None and self.names_seats else said

    def check_players(self, value: int, players: int) -> int:
        """Return `value`, or raise `BadOption` if it is not allowed with `players` players, such as an empty seat."""
        if value not in self.values(players):
            expected = self.expected(players)
            raise BadOption(f"option {self.name}: expected {expected}, found {short_repr(self.write(value))}")
        return value


def choice_option(name: str, *names: str, default: str, letter: str | None = None, provenance: Provenance) -> Option:
    """Return an option with named values: `choice_option("layout", "chart", "random", default="chart", ...)`.

    `letter` is its value in the printed rulebook, the same as `default` if omitted. Raises `TypeError` for an unknown
    name.
    """
    literal = default if letter is None else letter
    for word in (default, literal):
        if word not in names:
            raise TypeError(f"option {name}: expected {' or '.join(map(str, names))}, found {short_repr(word)}")
    return Option(name, names.index(default), names.index(literal), 0, len(names) - 1, provenance, names)


def number_option(
    name: str, low: int, high: int, *, default: int, letter: int | None = None, provenance: Provenance
) -> Option:
    """Return an option that is an integer from `low` to `high`, both included."""
    return Option(name, default, default if letter is None else letter, low, high, provenance)


def switch_option(name: str, *, default: str = "off", letter: str | None = None, provenance: Provenance) -> Option:
    """Return an option that is `off` or `on`."""
    return choice_option(name, "off", "on", default=default, letter=letter, provenance=provenance)


def seat_option(name: str, seats: int, *, provenance: Provenance) -> Option:
    """Return an option that names one of `seats` seats, or `random`, the default. An empty seat is refused."""
    return Option(name, 0, 0, 0, seats, provenance, ("random", *map(str, range(seats))), names_seats=True)


class Options:
    """The options of a game, `players` first. Rules receive them as an int64 array in this order.

    `players` is the minimum and the maximum number, `usual` the recommended one, limited to these.
    """

    def __init__(self, players: tuple[int, int], *options: Option, usual: int = 4) -> None:
        few, many = players
        first = number_option("players", few, many, default=min(max(usual, few), many), provenance="rulebook")
        self.all = (first, *options)
        taken = [*RESERVED_NAMES, first.name]
        clash = next((option.name for option in options if option.name in taken), None)
        if clash:
            raise TypeError(f"option {clash}: expected a name other than {', '.join(taken)}, which every match has")
        self.index = {option.name: place for place, option in enumerate(self.all)}

    def __repr__(self) -> str:
        return f"Options({', '.join(self.index)})"

    def array(self, given: Mapping[str, object], rules: object = "recommended") -> np.ndarray:
        """Return the values for the rules, int64 of shape `(options,)`. Those not given are from the set `rules`.

        Raises `BadOption` for an unknown option, value or set.
        """
        if rules not in RULES:
            raise BadOption(f"rules: expected {' or '.join(RULES)}, found {short_repr(rules)}")
        unknown = given.keys() - self.index.keys()
        if unknown:
            raise BadOption(f"option {short_repr(min(unknown, key=str))}: expected one of {', '.join(self.index)}")
        unless_given = [option.letter if rules == "letter" else option.default for option in self.all]
        values = [
            option.read(given[option.name]) if option.name in given else value
            for option, value in zip(self.all, unless_given, strict=True)
        ]
        players = values[0]
        suited = [option.check_players(value, players) for option, value in zip(self.all, values, strict=True)]
        return np.array(suited, np.int64)

    @property
    def differing_options(self) -> tuple[Option, ...]:
        """Options with different values in the two sets."""
        return tuple(option for option in self.all if option.letter != option.default)

    def rules_of(self, words: Mapping[str, str]) -> Rules | None:
        """Return the set that these options match, as far as the sets differ; None for neither."""
        for rules in RULES:
            values = {o.name: o.write(o.letter if rules == "letter" else o.default) for o in self.differing_options}
            if all(words[name] == value for name, value in values.items()):
                return rules
        return None

    def to_words(self, array: np.ndarray) -> dict[str, str]:
        """Return the word of every option's value, `players` included."""
        return {option.name: option.write(int(value)) for option, value in zip(self.all, array, strict=True)}
