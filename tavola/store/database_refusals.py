"""Reasons why a database or a signing key cannot be used."""

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


class BusyDatabase(BadDatabase):
    """A database that is open elsewhere: two servers on one file would overwrite each other's rooms."""


class BadSigningKey(Refusal):
    """A signing key that is damaged or cannot be read."""
