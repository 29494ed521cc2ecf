"""Refusals: the errors that Tavola raises for bad input. Each is a `Refusal` with a one-sentence message.

Former names still work for a while; they warn with the new name.
"""

import warnings
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tavola.core.text import mark


class Refusal(ValueError):
    """An error about bad input; nothing has changed. `str(refusal)` is one sentence that names what was expected."""

    status = 400
    """HTTP status of a page that shows the refusal."""
    message: str = mark("That could not be understood.")
    """Message for a page, in English, marked for translation and filled with `values`. The page adds `str(refusal)`."""
    values: Mapping[str, object] = MappingProxyType({})


class TranslatableRefusal(Refusal):
    """A refusal whose whole message can be translated. It is set by the class, or by each `raise`."""

    def __init__(self, message: str = "", **values: object) -> None:
        self.message, self.values = message or self.message, values
        super().__init__(self.message.format_map(values) if values else self.message)


class UnknownGame(Refusal):
    """A game that is not installed."""

    status, message = 404, mark("There’s no game with that name here.")


class UnknownVersion(UnknownGame):
    """A version of a game's rules that is neither the current one nor a kept earlier one."""


class BadOption(Refusal):
    """An option that the game does not have, or a value that the option does not allow."""

    message = mark("This game doesn’t have that variant.")


class BadPosition(Refusal):
    """A malformed position document, or a position whose pieces no match could have."""

    message = mark("This game file can’t be replayed.")


class ForeignFile(Refusal):
    """A file that Tavola did not write and therefore does not overwrite."""


class BadRecord(Refusal):
    """A match record that cannot be parsed, or that does not replay under the rules it names."""

    message = mark("This game file can’t be replayed.")


class IllegalAction(Refusal):
    """An action that is not legal now, or that the game does not have."""

    status, message = 409, mark("The rules don’t allow that now.")


class NotYourTurn(IllegalAction):
    """An action by a seat that has no decision to make now."""


def warn_renamed(old: str, new: str) -> None:
    """Warn the caller's caller that it used a former name."""
    warnings.warn(f"{old} is deprecated: use {new}", DeprecationWarning, stacklevel=3)


class Renamed:
    """An attribute under its former name: `old = Renamed("new")` in the body of a class."""

    def __init__(self, new: str) -> None:
        self.new, self.old = new, ""
        self.__doc__ = f"The former name of `{new}`."

    def __set_name__(self, owner: type, name: str) -> None:
        self.old = name

    def __get__(self, instance: object, owner: type) -> Any:
        if instance is None:
            return self
        warn_renamed(f"{owner.__name__}.{self.old}", self.new)
        return getattr(instance, self.new)
