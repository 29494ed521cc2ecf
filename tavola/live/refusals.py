"""The refusals of a room that cannot do what was asked. Each is English and can be translated by its template."""

from tavola.show.refusals import TranslatableRefusal


class RoomRefusal(TranslatableRefusal):
    """A command refused with nothing changed. `message` is the template that catalogues know, `values` fill it."""


class UnknownRoom(RoomRefusal):
    """No room has that code."""


class FullRoom(RoomRefusal):
    """Every seat, or the seat asked for, is taken."""


class FreeSeats(RoomRefusal):
    """A match cannot begin while seats are free."""


class NotReady(RoomRefusal):
    """Somebody whom a rematch waits for is not ready yet."""


class NotSeated(RoomRefusal):
    """Only somebody who has a seat may do this, and only for that seat."""


class NotHost(RoomRefusal):
    """Only the host may do this."""


class StalePrompt(RoomRefusal):
    """The decision was made already, or is not owed: the page was behind."""


class Gone(StalePrompt):
    """The refusal of what was possible when a seat was asked and is no more: others have acted meanwhile."""


class Changed(StalePrompt):
    """The refusal of what is possible, and not what it was when the seat was asked: others have acted meanwhile."""


class DecideFirst(RoomRefusal):
    """The refusal of an answer ahead from who is asked already."""


class NotAhead(RoomRefusal):
    """Something that cannot be answered before it is asked, or be waited for."""


class NotGathering(RoomRefusal):
    """The match has begun."""


class NotPlaying(RoomRefusal):
    """No match is being played."""


class NotOver(RoomRefusal):
    """The match is not over: it would tell secrets."""


class BadName(RoomRefusal):
    """A name that is empty or too long."""


class BadText(RoomRefusal):
    """A line of chat that is empty or too long."""


class BadSetting(RoomRefusal):
    """A setting of a room, a bot's level or a command's id that is none."""


class NoTalk(RoomRefusal):
    """Talk at a table without it."""


class TooFast(RoomRefusal):
    """Too many lines of chat in a short time."""


class TooMuch(RoomRefusal):
    """More than is kept of one person or role in a room, or than somebody may ask of a bot."""


class OtherRules(RoomRefusal):
    """A room whose match was played under another version of its game's rules."""


class NotWelcome(RoomRefusal):
    """The refusal of who was taken off a table: he does not sit down there again at once."""


class OneSeat(RoomRefusal):
    """The refusal of a second seat at public tables to one address while others look for one."""


class Damaged(RoomRefusal):
    """A room whose log does not verify: it can be read as far as it does, and nothing is added."""


class NotWritten(RoomRefusal):
    """The disk refused: nothing has changed."""


class Closing(RoomRefusal):
    """The server is stopping."""


class UnknownMoment(RoomRefusal):
    """A moment before the match or after its last action."""
