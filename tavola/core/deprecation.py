"""Former names: they still work for a while, and warn with the new name."""

import warnings
from typing import Any


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
