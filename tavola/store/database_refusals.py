"""Reasons why a database or a signing key cannot be used."""

from tavola import __version__
from tavola.core.errors import Refusal
from tavola.core.text import mark


class BadDatabase(Refusal):
    """A database that cannot be used."""

    status = 503
    message = mark("Something’s wrong on our end. The site’s admin can find the reason in its log.")


class CorruptDatabase(BadDatabase):
    """A damaged file, or one that is not a database."""


class ForeignDatabase(BadDatabase):
    """A database of another program."""


class NewerDatabase(BadDatabase):
    """A database of a later version of Tavola."""


def newer_database(name: str, newest: int, found: int, release: str) -> NewerDatabase:
    """Return the refusal of a database of a later version than `newest`; `release` made it, empty if unknown."""
    reader = f": it needs Tavola {release} or newer, this is {__version__}" if release else ""
    return NewerDatabase(f"{name}: expected a database of version {newest} or older, found version {found}{reader}")


class WrongUser(BadDatabase):
    """A database that only another `user` of the system may open."""

    def __init__(self, reason: str, user: str) -> None:
        super().__init__(reason)
        self.user = user


class BusyDatabase(BadDatabase):
    """A database that is open elsewhere: two servers on one file would overwrite each other's rooms."""


class BadSigningKey(Refusal):
    """A signing key that is damaged or cannot be read."""
