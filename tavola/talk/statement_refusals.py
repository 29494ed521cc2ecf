"""Refusals of statements: each describes what was expected, in a translatable template."""

from tavola.core.errors import TranslatableRefusal
from tavola.core.text import mark


class BadStatement(TranslatableRefusal):
    """A statement that is invalid or cannot be made now. Nothing has changed."""

    status = 409


class BadPattern(BadStatement):
    """A text that is not a pattern over this game's declared verbs and facts."""

    status = 400


class NotAskedNow(BadStatement):
    """A statement about the current decision of a seat that owes none."""

    message = mark("nothing is being decided there right now: use “next” or “round” instead of “now”")


class NoBreach(BadStatement):
    """A warning about a seat of which the speaker has heard no broken promise."""

    message = mark("you can only warn about a player whose broken promise you’ve heard")


class NothingToAnswer(BadStatement):
    """An answer to a statement that does not exist, is not addressed to the speaker, or is already settled."""


class SaidAlready(BadStatement):
    """A repetition of a statement that is still open."""

    message = mark("you’ve already said so, and it still stands")


class TooManyStand(BadStatement):
    """More open statements of one seat than the maximum."""

    message = mark("you can have at most {most} open statements at a time")


class NoWhispers(BadStatement):
    """A whisper at a table that does not allow whispers."""

    message = mark("no one whispers at this table: add “aloud”")
