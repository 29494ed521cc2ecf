"""Refusals of requests: from other sites, too large, too fast, or malformed."""

from tavola.core.errors import TranslatableRefusal
from tavola.core.text import mark


class PageRefusal(TranslatableRefusal):
    """A refusal of the site itself, with one message."""


class CrossOrigin(PageRefusal):
    """A form or a socket of another site."""

    status = 403
    message = mark("This request came from another site, so nothing was done. Open the page here and try again.")


class OtherName(PageRefusal):
    """A request for a host name that is not ours."""

    status = 421
    message = mark(
        "This server doesn’t answer to that name. Open it as localhost on its own machine, by its IP address, or by"
        " the name that its operator set with --public."
    )


class TooLarge(PageRefusal):
    """A body that exceeds the maximum size."""

    status, message = 413, mark("That’s too large for this site to accept.")


OF_ADDRESS = "_an_address"
"""Ending of the names of limits that everyone at an address shares."""


class TooFast(PageRefusal):
    """More than a limit allows. `limit`: its name in `tavola.web.requests.limits.Limits`; empty for other limits."""

    status, message = 429, mark("That was a bit too fast. Wait a moment and try again.")
    crowded = mark(
        "There’s too much traffic from your network right now. Wait a moment and try again. If many people share your"
        " connection, the site’s operator can allow more."
    )

    def __init__(self, limit: str = "") -> None:
        super().__init__(self.crowded if limit.endswith(OF_ADDRESS) else "")
        self.limit = limit


class Banned(PageRefusal):
    """A request of a visitor, or from a network, that the operator of the site has excluded."""

    status = 403
    message = mark(
        "The operator of this site has excluded you until {day}. You can still download and delete your data."
    )


class Draining(PageRefusal):
    """A match that would begin shortly before the site is restarted."""

    status = 503
    message = mark(
        "The site will be restarted soon, so no new match can begin before {moment}. Matches that are running go on."
    )


class NotInvited(PageRefusal):
    """A visitor of a closed club who has neither an account nor an invitation."""

    status = 403
    message = mark(
        "You need an invitation to play here. Ask the operator of this site for one, or sign in to your account."
    )


class NotAdministrator(PageRefusal):
    """A request of the administration page from a browser that is not an administrator's."""

    status = 403
    message = mark("Only the operator of this site can open this page, by the link that “tavola admin” prints.")


class NoCookies(PageRefusal):
    """A form from a browser that sends no cookies, so its sender could not be recognised again."""

    message = mark(
        "Your browser sent no cookie, so this site can’t tell which seat is yours. Allow cookies for this site, then"
        " go back and try again."
    )


class Malformed(PageRefusal):
    """A form or a message that lacks a field or has an invalid one."""

    message = mark("That could not be understood.")
