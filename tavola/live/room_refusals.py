"""The refusals of a room that cannot do what was asked. Each is English and can be translated by its template."""

from tavola.core.errors import TranslatableRefusal
from tavola.core.text import mark


class RoomRefusal(TranslatableRefusal):
    """A command refused with nothing changed. `message` is the template that catalogues know, `values` fill it."""


class UnknownRoom(RoomRefusal):
    """No room has that code."""

    status, message = 404, mark("there is no room {code}")


class FullRoom(RoomRefusal):
    """Every seat, or the seat asked for, is taken."""

    status = 409


class FreeSeats(RoomRefusal):
    """A match cannot begin while seats are free."""

    status, message = 409, mark("the match begins when every seat is taken: {free} free")


class NotReady(RoomRefusal):
    """Somebody whom a rematch waits for is not ready yet."""

    status, message = 409, mark("waiting for {names}")


class NotSeated(RoomRefusal):
    """Only somebody who has a seat may do this, and only for that seat."""

    status = 403


class NotHost(RoomRefusal):
    """Only the host may do this."""

    status, message = 403, mark("only the host, {host}, may do this")


class StalePrompt(RoomRefusal):
    """The decision was made already, or is not owed: the page was behind."""

    status, message = 409, mark("this decision is not yours to make any more")


class Gone(StalePrompt):
    """The refusal of what was possible when a seat was asked and is no more: others have acted meanwhile."""

    message = mark("what you chose is gone: others have acted meanwhile")


class Changed(StalePrompt):
    """The refusal of what is possible, and not what it was when the seat was asked: others have acted meanwhile."""

    message = mark("this is no longer what you saw: look again and choose")


class DecideFirst(RoomRefusal):
    """The refusal of an answer ahead from who is asked already."""

    status, message = 409, mark("you are asked now: an answer ahead is for a decision that is still to come")


class NotAhead(RoomRefusal):
    """Something that cannot be answered before it is asked, or be waited for."""


class NotGathering(RoomRefusal):
    """The match has begun."""

    status, message = 409, mark("the match has begun")


class NotPlaying(RoomRefusal):
    """No match is being played."""

    status, message = 409, mark("no match is being played here now")


class NotOver(RoomRefusal):
    """The match is not over: it would tell secrets."""

    status = 409


class BadName(RoomRefusal):
    """A name that is empty or too long."""

    message = mark("a name has 1 to {most} characters")


class BadText(RoomRefusal):
    """A line of chat that is empty or too long."""

    message = mark("a line has 1 to {most} characters")


class BadSetting(RoomRefusal):
    """A setting of a room, a bot's level or a command's id that is none."""


class NoTalk(RoomRefusal):
    """Talk at a table without it."""

    status, message = 409, mark("at this table nobody talks while a match is played")


class TooFast(RoomRefusal):
    """Too many lines of chat in a short time."""

    status = 429


class TooMuch(RoomRefusal):
    """More than is kept of one person or role in a room, or than somebody may ask of a bot."""

    status = 409


class OtherRules(RoomRefusal):
    """A room whose match was played under another version of its game's rules."""

    status, message = 409, mark("this match was played under version {version} of the rules")


class NotWelcome(RoomRefusal):
    """The refusal of who was taken off a table: he does not sit down there again at once."""

    status, message = 403, mark("the host took you off this table: in {minutes} minutes you may sit down again")


class OneSeat(RoomRefusal):
    """The refusal of a second seat at public tables to one address while others look for one."""

    status = 409
    message = mark("others look for a seat, and somebody of your address has one: play together in a private room")


class Damaged(RoomRefusal):
    """A room whose log does not verify: it can be read as far as it does, and nothing is added."""

    status = 409


class NotWritten(RoomRefusal):
    """The disk refused: nothing has changed."""

    status, message = 503, mark("this could not be written down: nothing has changed")


class Closing(RoomRefusal):
    """The server is stopping."""

    status, message = 503, mark("the server is stopping")


class UnknownMoment(RoomRefusal):
    """A moment before the match or after its last action."""
