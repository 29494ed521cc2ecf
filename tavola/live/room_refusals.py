"""Refusals of a room's commands. Each is in English and can be translated by its template."""

from tavola.core.errors import TranslatableRefusal
from tavola.core.text import mark


class RoomRefusal(TranslatableRefusal):
    """A refused command, which has changed nothing. `message` is the template in catalogues, `values` fill it."""


class UnknownRoom(RoomRefusal):
    """A code that no room has."""

    status, message = 404, mark("room {code} doesn’t exist")


class RoomShut(RoomRefusal):
    """A room that the operator of the site has closed."""

    status, message = 410, mark("the operator of this site has closed this room")


class FullRoom(RoomRefusal):
    """A room in which every seat, or the requested seat, is taken."""

    status = 409


class FreeSeats(RoomRefusal):
    """A match that cannot begin because seats are free."""

    status, message = 409, mark("the match can begin once every seat is taken (free: {free})")


class NotReady(RoomRefusal):
    """A rematch that waits for players who are not ready yet."""

    status, message = 409, mark("waiting for {names}")


class NotSeated(RoomRefusal):
    """A command from a person without a seat, or about a seat that does not allow it."""

    status = 403


class NotHost(RoomRefusal):
    """A command that only the host can give."""

    status, message = 403, mark("only the host, {host}, can do this")


class StalePrompt(RoomRefusal):
    """An answer to a decision that was already made, or is not owed: the page was outdated."""

    status, message = 409, mark("this decision is no longer yours to make")


class Gone(StalePrompt):
    """An answer that is no longer possible, because others have acted since the seat was asked."""

    message = mark("that’s no longer possible: others have acted meanwhile")


class Changed(StalePrompt):
    """An answer that means something different now, because others have acted since the seat was asked."""

    message = mark("things have changed since you looked: look again and choose")


class NotUndoable(RoomRefusal):
    """A request to take back a decision that cannot be taken back, or an answer to such a request that is over."""

    status = 409


class DecideFirst(RoomRefusal):
    """An answer ahead from a seat whose decision is already open."""

    status, message = 409, mark("it’s your decision now: answers ahead are for later ones")


class NotAhead(RoomRefusal):
    """Codes or patterns that an answer ahead cannot have."""


class NotGathering(RoomRefusal):
    """A command for the time before a match, which has already begun."""

    status, message = 409, mark("the match has already begun")


class NotPlaying(RoomRefusal):
    """A command that requires a running match."""

    status, message = 409, mark("no match is being played here right now")


class NotOver(RoomRefusal):
    """A request that needs a finished match, for example because it reveals secrets."""

    status = 409


class BadName(RoomRefusal):
    """A name that is empty or too long."""

    message = mark("a name needs 1 to {most} characters")


class BadText(RoomRefusal):
    """A line of chat that is empty or too long."""

    message = mark("a line needs 1 to {most} characters")


class BadSetting(RoomRefusal):
    """An invalid room setting, bot level or command id."""


class NoTalk(RoomRefusal):
    """Talk in a room whose settings do not allow it."""

    status, message = 409, mark("no one talks at this table during a match")


class TooFast(RoomRefusal):
    """Too many lines of chat in a short time."""

    status = 429


class TooMuch(RoomRefusal):
    """More than a room stores for one person or role, or more than a person may ask of a bot."""

    status = 409


class NotLate(RoomRefusal):
    """A nudge, or a vote for a bot, for a player who still has time or owes no decision."""

    status = 409


class OtherRules(RoomRefusal):
    """A room whose match was played under another version of its game's rules."""

    status, message = 409, mark("this match was played under version {version} of the rules")


class NotWelcome(RoomRefusal):
    """A removed player who tries to sit down again too soon."""

    status, message = 403, mark("the host took you off this table: you can sit down again in {minutes} min")


class OneSeat(RoomRefusal):
    """A second seat at public tables for one address while others look for one."""

    status = 409
    message = mark(
        "others are looking for a seat, and someone on your network already has one: play together in a private room"
    )


class Damaged(RoomRefusal):
    """A room whose log fails verification: its valid part can be read, and nothing is added."""

    status = 409


class NotWritten(RoomRefusal):
    """A failed write to disk; nothing has changed."""

    status, message = 503, mark("this couldn’t be saved: nothing has changed")


class Closing(RoomRefusal):
    """A command while the server is shutting down."""

    status, message = 503, mark("the server is shutting down")


class UnknownMoment(RoomRefusal):
    """A moment before the match or after its last action."""
