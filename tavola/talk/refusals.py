"""The refusals of a statement: each says what was expected, in a template that catalogues know."""

from tavola.show.refusals import TranslatableRefusal


class BadStatement(TranslatableRefusal):
    """A statement that is none, or that cannot be made now. Nothing has changed."""


class BadPattern(BadStatement):
    """A text that is no pattern over what may be spoken of in this game."""


class NotAskedNow(BadStatement):
    """A statement about the present decision of a seat that owes none."""


class NothingToAnswer(BadStatement):
    """An answer to a statement that is not there, not meant for who answers, or settled already."""


class SaidAlready(BadStatement):
    """A statement that stands already, word for word."""


class TooManyStand(BadStatement):
    """More statements of one seat than may stand at a time."""


class NoWhispers(BadStatement):
    """A whisper at a table where everybody hears everything."""
