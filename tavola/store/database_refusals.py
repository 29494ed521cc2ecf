"""The reasons for which something cannot serve as the database."""

from tavola.core.errors import Refusal
from tavola.core.text import mark


class BadDatabase(Refusal):
    """Something that cannot serve as the database."""

    status = 503
    message = mark("This cannot be read from the disk. Whoever runs the site finds the reason in its log.")


class CorruptDatabase(BadDatabase):
    """A file that is damaged, or no database at all."""


class ForeignDatabase(BadDatabase):
    """A database that another program made."""


class NewerDatabase(BadDatabase):
    """A database that a later version of Tavola made."""


class BusyDatabase(BadDatabase):
    """A database that others have open: two servers on one file would write over each other's rooms."""


class BadSigningKey(Refusal):
    """A key of the cookies that is damaged, or cannot be read."""
