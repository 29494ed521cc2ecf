"""Errors of batches and environments."""

from tavola.core import Refusal


class NotInstalled(Refusal, ImportError):
    """A library that is not installed; the message names it and how to install it."""


class NoDevice(Refusal):
    """A GPU was asked for, and none can be used here."""


class BadEnvironment(Refusal):
    """An impossible environment."""


class NotRunning(Refusal):
    """A call that needs a running match, before the first reset or after the end."""


class BadActions(Refusal):
    """Actions of the wrong agents, or an unknown agent."""
