"""The refusal where a library that an environment is made for is not installed."""

from tavola.core import Refusal


class NotInstalled(Refusal, ImportError):
    """A library is not installed; it says which, and how to get it."""
