"""The refusals of environments."""

from tavola.core import Refusal


class NotInstalled(Refusal, ImportError):
    """A library is not installed; it says which, and how to get it."""


class BadEnvironment(Refusal):
    """An environment that cannot be made."""


class NotRunning(Refusal):
    """A call that needs a running match, before the first reset or after the end."""


class BadActions(Refusal):
    """Actions that are not those of the agents that are asked, or an agent that there is not."""
