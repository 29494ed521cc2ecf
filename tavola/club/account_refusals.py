"""The refusals of who wants to keep himself, or to be known again. None tells whether anybody else is known here."""

from tavola.core.text import mark
from tavola.live.room_refusals import RoomRefusal


class ClubRefusal(RoomRefusal):
    """A refusal with nothing changed; its message is the same for everybody."""


class UsedTicket(ClubRefusal):
    """A link or a challenge that is too old, has been used, or never was."""

    message = mark("This link has been used, or it is too old. Ask for a new one.")


class BadPasskey(ClubRefusal):
    """A passkey that does not verify, or that nobody has here."""

    message = mark("This passkey was not recognised here.")


class CopiedPasskey(ClubRefusal):
    """A passkey bound to one device whose counter went back."""

    status = 403
    message = mark("The counter of this passkey went back, like a copy’s. Sign in another way, and make a new passkey.")


class BadAddress(ClubRefusal):
    """An e-mail address that is none, or that cannot be had."""

    message = mark("This e-mail address cannot be used. Is there a slip in it?")


class NameTaken(ClubRefusal):
    """A name that looks like one which somebody keeps."""

    status, message = 409, mark("Somebody keeps this name here, or one that looks like it. Choose another one.")


class AddressTaken(ClubRefusal):
    """An e-mail address that another account has."""

    status = 409
    message = mark("This address belongs to another account. Sign in to that one with it, or choose another address.")


class OtherBrowser(ClubRefusal):
    """A link that counts only in the browser in which it was asked for."""

    status = 403
    message = mark(
        "This link works only in the browser in which you asked for it. Open it there, or ask for a new one here."
    )


class ReservedName(ClubRefusal):
    """A name of the site's own, one of its bots', or one that looks like an address."""

    status = 409
    message = mark("This name is kept for the site or one of its bots, or looks like an address. Choose another one.")


class NotKept(ClubRefusal):
    """Something that only who is kept can do."""

    status, message = 403, mark("You are a guest in this browser. Keep your seat, or come in, to do that.")


class LastWay(ClubRefusal):
    """The last way to come in cannot be taken away."""

    status, message = 409, mark("This is the only way in that you have. Add another one first.")


class ProveAgain(ClubRefusal):
    """Something that only who has come in not long ago can do."""

    status, message = 403, mark("It is a while since you came in here. Come in once more, and then do this.")
