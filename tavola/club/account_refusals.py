"""Refusals of accounts and sign-in. None reveals whether another person has an account."""

from tavola.core.text import mark
from tavola.live.room_refusals import RoomRefusal


class ClubRefusal(RoomRefusal):
    """A refusal with nothing changed; its message is the same for everyone."""


class UsedTicket(ClubRefusal):
    """A link or a challenge that has expired, has been used, or never existed."""

    message = mark("This link has expired or has already been used. Request a new one.")


class BadPasskey(ClubRefusal):
    """A passkey that does not verify or is unknown here."""

    message = mark("This passkey isn’t recognised here.")


class CopiedPasskey(ClubRefusal):
    """A device-bound passkey whose counter went back."""

    status = 403
    message = mark(
        "This passkey’s counter went backwards, as a copy’s would. Sign in another way and create a new passkey."
    )


class BadAddress(ClubRefusal):
    """An e-mail address that is invalid or not available."""

    message = mark("This e-mail address can’t be used. Is there a typo in it?")


class NameTaken(ClubRefusal):
    """A name that looks like another account's."""

    status, message = 409, mark("This name, or one too much like it, is already in use. Choose another one.")


class AddressTaken(ClubRefusal):
    """An e-mail address of another account."""

    status = 409
    message = mark(
        "This address belongs to another account. Use it to sign in to that account, or choose another address."
    )


class OtherBrowser(ClubRefusal):
    """A link that works only in the browser that requested it."""

    status = 403
    message = mark(
        "This link works only in the browser you requested it from. Open it there, or request a new one here."
    )


class ReservedName(ClubRefusal):
    """A name of the site or a bot, or one that looks like an address."""

    status = 409
    message = mark(
        "This name is reserved for the site or one of its bots, or looks like an address. Choose another one."
    )


class NotKept(ClubRefusal):
    """An action that needs an account."""

    status, message = 403, mark("You’re a guest in this browser. To do that, sign up or sign in.")


class LastWay(ClubRefusal):
    """The last way to sign in, which cannot be removed."""

    status, message = 409, mark("This is your only way to sign in. Add another one first.")


class ProveAgain(ClubRefusal):
    """An action that needs a recent sign-in."""

    status, message = 403, mark("You signed in a while ago. Please sign in again, then retry.")
