"""The refusals of a statement: each says what was expected, in a template that catalogues know."""

from tavola.core.errors import TranslatableRefusal
from tavola.core.text import mark


class BadStatement(TranslatableRefusal):
    """A statement that is none, or that cannot be made now. Nothing has changed."""

    status = 409


class BadPattern(BadStatement):
    """A text that is no pattern over what may be spoken of in this game."""

    status = 400


class NotAskedNow(BadStatement):
    """A statement about the present decision of a seat that owes none."""

    message = mark("nothing is decided there just now: expected next or round instead of now")


class NothingToAnswer(BadStatement):
    """An answer to a statement that is not there, not meant for who answers, or settled already."""


class SaidAlready(BadStatement):
    """A statement that stands already, word for word."""

    message = mark("you have said so already, and it stands")


class TooManyStand(BadStatement):
    """More statements of one seat than may stand at a time."""

    message = mark("at most {most} things that you have said may stand at a time")


class NoWhispers(BadStatement):
    """A whisper at a table where everybody hears everything."""

    message = mark("at this table nobody whispers: expected aloud")
