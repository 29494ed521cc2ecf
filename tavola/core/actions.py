"""Actions, declared as verbs with arguments. The declaration defines numbers, readable codes and parsing.

    ACTIONS = Actions(verb("lane", lane=numerals(1, 7)), verb("crew", rank=RANKS, boat=COLOURS))

numbers the actions 0 to 6 (`lane 1` … `lane 7`) and 7 to 20 (`crew officer red` …). Only rules compute with the first
number of a verb, `ACTIONS.first["crew"]`, and the sizes of its arguments.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from itertools import product
from typing import NamedTuple

import numpy as np

from tavola.core.errors import IllegalAction

WORD_PATTERN = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""The form of verbs and names, which appear unchanged in records, commands and addresses."""


class Action(NamedTuple):
    """An action as a verb and the index of each argument in the verb's list of names, counted from 0."""

    verb: str
    indices: tuple[int, ...]


class PlayedAction(NamedTuple):
    """An action with the seat that played it, which may be `CHANCE`, as others hear of it."""

    seat: int
    verb: str
    indices: tuple[int, ...]


@dataclass(frozen=True)
class Verb:
    """A verb and, for each argument in order, the names it may take.

    `secret`: only the seat that plays an action hears which it was, and no seat hears it of chance. Its effects on the
    table and on a seat's hand are seen as usual. `planned`: a seat may try several steps on its own view, and then play
    all or none of them.
    """

    name: str
    arguments: dict[str, tuple[str, ...]]
    secret: bool = False
    planned: bool = False

    def codes(self) -> list[str]:
        """Return every code of this verb, the last argument varying fastest."""
        return [" ".join((self.name, *names)) for names in product(*self.arguments.values())]

    def actions(self) -> list[Action]:
        """Return every action of this verb, in the order of `codes`."""
        return [Action(self.name, places) for places in product(*(range(len(n)) for n in self.arguments.values()))]


def verb(name: str, *, secret: bool = False, planned: bool = False, **arguments: tuple[str, ...]) -> Verb:
    """Declare a verb: `verb("crew", rank=("officer", "sailor"), boat=COLOURS)`, `verb("vote", secret=True, …)`.

    Raises `TypeError` for a name that is not in lower case with hyphens.
    """
    for word in (name, *(word for words in arguments.values() for word in words)):
        if not WORD_PATTERN.fullmatch(word):
            raise TypeError(f"verb {name!r}: expected lower-case names with hyphens, such as lands-end, found {word!r}")
    return Verb(name, arguments, secret, planned)


def numerals(low: int, high: int) -> tuple[str, ...]:
    """Return the names of the numbers from `low` to `high`, both included."""
    return tuple(str(n) for n in range(low, high + 1))


def labels(enum: type[IntEnum], joint: str = " ") -> tuple[str, ...]:
    """Return the names of an enumeration as records write them: BLACK_BOAT becomes "black boat"."""
    return tuple(member.name.lower().replace("_", joint) for member in enum)


class Actions:
    """All actions of a game, numbered from 0 in the order of their declaration.

    `codes` are their readable codes by number, and `first` is the first number of each verb. `is_secret`: whether each
    is secret, by number (bool, shape `(number of actions,)`).
    """

    def __init__(self, *verbs: Verb) -> None:
        self.verbs = verbs
        self.codes = tuple(code for verb in verbs for code in verb.codes())
        self.by_number = tuple(action for verb in verbs for action in verb.actions())
        self._number_by_code = {code: number for number, code in enumerate(self.codes)}
        if len(self._number_by_code) < len(self.codes):
            raise TypeError("two actions have the same code: expected each verb once, with distinct argument values")
        self.first = {verb.name: self._number_by_code[verb.codes()[0]] for verb in verbs}
        self.verb_by_name = {verb.name: verb for verb in verbs}
        self.is_secret = np.array([self.verb(number).secret for number in range(len(self))], np.bool_)

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"Actions({len(self)} of {', '.join(self.verb_by_name)})"

    def code(self, number: int) -> str:
        """Return the readable code of an action, such as `crew sailor green`."""
        return self.codes[number]

    def action(self, number: int) -> Action:
        """Return an action as a verb and the indices of its arguments."""
        return self.by_number[number]

    def verb(self, number: int) -> Verb:
        """Return the verb of an action."""
        return self.verb_by_name[self.by_number[number].verb]

    def number(self, code: str) -> int:
        """Return the number of an action by its code. Case and repeated spaces are ignored.

        Raises `IllegalAction` if the game has no such action.
        """
        number = self._number_by_code.get(" ".join(code.lower().split()))
        if number is None:
            raise IllegalAction(f"{code[:60]!r} is not an action of this game: expected {self._expected(code)}")
        return number

    def _expected(self, code: str) -> str:
        words = code.lower().split()
        for known in self.verbs:
            if words and words[0] == known.name:
                forms = (f"{name} ({'|'.join(values)})" for name, values in known.arguments.items())
                return " ".join((known.name, *forms))
        return "an action beginning with " + ", ".join(known.name for known in self.verbs)
