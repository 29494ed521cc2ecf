"""Refusals of the pages themselves: what comes from elsewhere, too large, too fast, or cannot be understood."""

from tavola.core.errors import TranslatableRefusal
from tavola.core.text import mark


class PageRefusal(TranslatableRefusal):
    """A refusal of the pages themselves, with one message."""


class CrossOrigin(PageRefusal):
    """A form or a socket of another site."""

    status, message = 403, mark("This came from another site, so nothing was done. Open the page here and try again.")


class OtherName(PageRefusal):
    """A request for a name that is not ours."""

    status = 421
    message = mark(
        "This server does not answer to that name. Open it as localhost on its own machine, by its IP address, or by "
        "the name that its operator gave it with --public."
    )


class TooLarge(PageRefusal):
    """A body larger than anything we ask for."""

    status, message = 413, mark("That is too large to be read here.")


class TooFast(PageRefusal):
    """More requests than a person can make."""

    status, message = 429, mark("That was a little too fast. Wait a moment and try again.")


class NoCookies(PageRefusal):
    """A form from a browser that sends no cookies: nobody would know its sender again."""

    message = mark(
        "Your browser sent no cookie, so this site can't tell which seat is yours. "
        "Allow cookies for this site, then go back and try again."
    )


class Malformed(PageRefusal):
    """A form or a message that lacks something, or says something unreadable."""

    message = mark("That could not be understood.")
