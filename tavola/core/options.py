"""Options of a match, declared with their provenance: what may be varied, and why it may.

They have two named sets: *recommended*, what is played unless told, and by the *letter* of the rulebook.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from tavola.core.actions import WORD_PATTERN
from tavola.core.errors import BadOption
from tavola.core.fields import as_integer, short_repr

Provenance = Literal["rulebook", "published", "inferred", "decided", "ours"]
"""The source of a rule: its own text, reviews of the published game, inference, a ruling, or our invention."""
PROVENANCES: tuple[Provenance, ...] = get_args(Provenance)
Rules = Literal["recommended", "letter"]
"""The two named sets of options."""
RULES: tuple[Rules, ...] = get_args(Rules)
RESERVED_NAMES = ("seed", "position", "rules", "check")
"""The names of what a match is asked for beside its options: no option may bear such a name."""


@dataclass(frozen=True)
class Option:
    """One option: a value per name (`names`), or a whole number from `low` to `high`.

    Values are integers everywhere inside; `names` are their words in records, commands and documents. `default` is the
    recommended value, `letter` that of the rulebook. Where it `seats` somebody, every name but the first is a seat, and
    only those at the table may be named.
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
        """`TypeError` for a declaration that no page and no document could show, with what was expected."""
        if self.provenance not in PROVENANCES:
            raise TypeError(self._misdeclared(f"a provenance among {', '.join(PROVENANCES)}", self.provenance))
        for word in (self.name.replace("_", "-"), *self.names):
            if not WORD_PATTERN.fullmatch(word):
                raise TypeError(self._misdeclared("names in lower case with hyphens, lands-end", word))
        if len(set(self.names)) < len(self.names):
            raise TypeError(self._misdeclared("different names for its values", self.names))
        for value in (self.default, self.letter):
            if as_integer(value) is None or not self.low <= value <= self.high:
                raise TypeError(self._misdeclared(f"values from {self.low} to {self.high}", value))

    def _misdeclared(self, expected: str, found: object) -> str:
        return f"option {self.name}: expected {expected}, found {short_repr(found)}"

    def read(self, given: object) -> int:
        """A value given as a number or a name, or `BadOption` with what was expected."""
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
        """The word for a value."""
        return self.names[value] if self.names else str(value)

    def values(self, players: int | None = None) -> range:
        """Every value it takes, where so many play."""
        seated = self.high if players is None or not self.names_seats else min(self.high, players)
        return range(self.low, seated + 1)

    def expected(self, players: int | None = None) -> str:
        """Return what it takes, in words, where so many play."""
        if not self.names:
            return f"a whole number from {self.low} to {self.high}"
        said = " or ".join(self.names[value] for value in self.values(players))
        return f"{said} with {players} players" if players is not None and self.names_seats else said

    def check_players(self, value: int, players: int) -> int:
        """The value where so many play, or `BadOption` with what was expected: a seat where nobody sits."""
        if value not in self.values(players):
            expected = self.expected(players)
            raise BadOption(f"option {self.name}: expected {expected}, found {short_repr(self.write(value))}")
        return value


def choice_option(name: str, *names: str, default: str, letter: str | None = None, provenance: Provenance) -> Option:
    """An option whose values have names: `choice_option("layout", "chart", "random", default="chart", ...)`.

    By the letter of the rulebook it is `letter`, the same as recommended unless given.
    """
    literal = default if letter is None else letter
    for word in (default, literal):
        if word not in names:
            raise TypeError(f"option {name}: expected {' or '.join(map(str, names))}, found {short_repr(word)}")
    return Option(name, names.index(default), names.index(literal), 0, len(names) - 1, provenance, names)


def number_option(
    name: str, low: int, high: int, *, default: int, letter: int | None = None, provenance: Provenance
) -> Option:
    """An option that is a whole number."""
    return Option(name, default, default if letter is None else letter, low, high, provenance)


def switch_option(name: str, *, default: str = "off", letter: str | None = None, provenance: Provenance) -> Option:
    """An option that is off or on."""
    return choice_option(name, "off", "on", default=default, letter=letter, provenance=provenance)


def seat_option(name: str, seats: int, *, provenance: Provenance) -> Option:
    """An option that names one of so many seats, or `random`, which it is unless told; refused where nobody sits."""
    return Option(name, 0, 0, 0, seats, provenance, ("random", *map(str, range(seats))), names_seats=True)


class Options:
    """The options of a game, the number of players first; given to the rules as an int64 array in this order.

    `usual`: the number of players that is recommended, or the nearest to it that there can be.
    """

    def __init__(self, players: tuple[int, int], *options: Option, usual: int = 4) -> None:
        few, many = players
        first = number_option("players", few, many, default=min(max(usual, few), many), provenance="rulebook")
        self.all = (first, *options)
        taken = [*RESERVED_NAMES, first.name]
        clash = next((option.name for option in options if option.name in taken), None)
        if clash:
            raise TypeError(f"option {clash}: a match is asked for {', '.join(taken)} already, expected another name")
        self.index = {option.name: place for place, option in enumerate(self.all)}

    def __repr__(self) -> str:
        return f"Options({', '.join(self.index)})"

    def array(self, given: Mapping[str, object], rules: object = "recommended") -> np.ndarray:
        """The values the rules read, int64; what is not given is as in the set `rules`."""
        literal = parse_rules(rules) == "letter"
        unknown = given.keys() - self.index.keys()
        if unknown:
            raise BadOption(f"option {short_repr(min(unknown, key=str))}: expected one of {', '.join(self.index)}")
        unless_given = [option.letter if literal else option.default for option in self.all]
        values = [
            option.read(given[option.name]) if option.name in given else value
            for option, value in zip(self.all, unless_given, strict=True)
        ]
        players = values[0]
        suited = [option.check_players(value, players) for option, value in zip(self.all, values, strict=True)]
        return np.array(suited, np.int64)

    @property
    def differing_options(self) -> tuple[Option, ...]:
        """The options in which the two sets differ; none where the rulebook is what we recommend."""
        return tuple(option for option in self.all if option.letter != option.default)

    def rules_of(self, words: Mapping[str, str]) -> Rules | None:
        """The set that a match with these options plays, as far as the sets differ; None if it is neither."""
        for rules in RULES:
            values = {o.name: o.write(o.letter if rules == "letter" else o.default) for o in self.differing_options}
            if all(words[name] == value for name, value in values.items()):
                return rules
        return None

    def to_words(self, array: np.ndarray) -> dict[str, str]:
        """Every option with the word of its value, players included."""
        return {option.name: option.write(int(value)) for option, value in zip(self.all, array, strict=True)}


def parse_rules(given: object) -> Rules:
    """The name of a set of options, or `BadOption`."""
    for rules in RULES:
        if given == rules:
            return rules
    raise BadOption(f"rules: expected {' or '.join(RULES)}, found {short_repr(given)}")
