"""The wire protocol of a room: JSON messages over one WebSocket, each an object with a `type`.

A client sends the commands below, for example

    {"type": "play", "command_id": "k3", "code": "vote green", "prompt_id": 7}

and receives the messages of `server_messages`: for each command `acknowledged` or `refused`, after every change the
state (programs) or what has changed on the page, and echoes, which it sends back unchanged at once.

In an open decision, an answer can have an earlier `prompt_id` than the last if its sender has not acted since. It is
carried out if it still means the same, and refused as `Gone` or `Changed` if not.

A decision with only one possible answer is played automatically a moment after it was shown, unless that would reveal
something to others. A client that answers later is refused with `StalePrompt`.

The client chooses `command_id` (1 to 64 letters, digits, - or _). If the connection breaks before an answer arrives,
the command is sent again with the same id. `seq` counts public events; a private guess does not change it. Messages do
not name their sender: the server knows it by the connection's cookie or, for a program, by the `token` in its address.
docs/programs.md describes how a program connects, and every field of a state. Forms of pages send the same commands:
`from_form` reads them.

During a race, or shortly before one, the server sends several echoes per second. It measures the round trip by their
return, and subtracts it from the time of an answer (`live.time.race`). Returned echoes are not answered, and clients
send no times. Nothing is subtracted for a client that does not return them.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec

from tavola.bots.outside.programs import LineDecoder
from tavola.core.text import mark
from tavola.live.log.people import COMMAND_ID
from tavola.live.room_refusals import RoomRefusal
from tavola.talk import StatementTexts

LARGEST_MESSAGE = 16_384
"""Maximum bytes of a client's message."""
MOST_STEPS = 64
"""Maximum codes in one plan."""
MOST_ANSWERS = 7
"""Maximum answers ahead of a seat."""
LONGEST_PART = 120
"""Maximum characters of one part of a statement."""
LONGEST_REASON = 160
"""Maximum characters of the reason for a bad message, which can quote the client."""

CommandId = Annotated[str, msgspec.Meta(pattern=COMMAND_ID.pattern)]
Codes = Annotated[tuple[str, ...], msgspec.Meta(max_length=MOST_STEPS)]
Short = Annotated[str, msgspec.Meta(max_length=LONGEST_PART)]


class BadMessage(RoomRefusal):
    """Input that is not a message of this protocol."""


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base class of all messages, of clients and servers."""

    @property
    def type(self) -> str:
        """The `type` of the message."""
        return str(self.__struct_config__.tag)


# What a client sends


class Ping(Message, frozen=True, tag="ping"):
    """Ask for a `Pong`. `hidden`: the page is out of sight, as on a locked phone; the others see that after a while."""

    hidden: bool = False


class Echo(Message, frozen=True, tag="echo"):
    """A probe of the round-trip time, sent by the server and returned unchanged by the client at once."""

    token: Annotated[str, msgspec.Meta(max_length=64)]


class Command(Message, frozen=True):
    """A request to a room. `log.decide` implements what each one does."""

    command_id: CommandId


class Play(Command, frozen=True, tag="play"):
    """Make a decision; several `codes` are its steps, all of them or none.

    All but the last must be steps that can be planned.
    """

    prompt_id: int
    code: str = ""
    codes: Codes = ()

    def __post_init__(self) -> None:
        if bool(self.code) == bool(self.codes):
            raise ValueError("Expected exactly one of the fields `code` and `codes`")

    @property
    def steps(self) -> tuple[str, ...]:
        """The codes, from either field."""
        return self.codes or (self.code,)


class Plan(Command, frozen=True, tag="plan"):
    """Try steps of a decision on one's own view; nothing happens, and other clients receive nothing."""

    prompt_id: int
    codes: Codes = ()


class AnswerAhead(Command, frozen=True, tag="answer_ahead"):
    """Leave an answer to one's own next decision of the kind of `codes`, in one of seven places.

    The server then plays the first code that is legal. It plays nothing if none is, or if others have meanwhile done
    what a pattern of `unless` describes. With `when` the answer waits until others have done what one of its patterns
    describes. At each decision the first answer that fits is played and leaves its place. Answers are private. Without
    codes the place is emptied. `then`: choices for the decisions after it, one each, in the next free places.
    """

    codes: Codes = ()
    unless: Annotated[tuple[Short, ...], msgspec.Meta(max_length=MOST_STEPS)] = ()
    when: Annotated[tuple[Short, ...], msgspec.Meta(max_length=MOST_STEPS)] = ()
    place: Annotated[int, msgspec.Meta(ge=1, le=MOST_ANSWERS)] = 1
    then: Annotated[tuple[Short, ...], msgspec.Meta(max_length=MOST_ANSWERS - 1)] = ()


class Talk(Command, frozen=True):
    """Base class of messages that count towards the chat limit."""


class Say(Talk, frozen=True, tag="say"):
    """Write a line of chat."""

    text: str


class Gesture(Talk, frozen=True, tag="gesture"):
    """Show one of the gestures, which all readers see in their own language; limited to one every few seconds."""

    gesture: Short


class Speak(Talk, frozen=True, tag="speak"):
    """Make a statement in the match: `tavola.talk.statements` defines the acts.

    `deed`, `condition`: a pattern over the game's actions and a time, `vote not red now`; `fact`: a pattern over
    secrets that can be claimed, `role merchant`; `to`, `about`: seats; `answers`: the number of another statement.
    """

    act: Short
    to: int | None = None
    aloud: bool = False
    deed: Short = ""
    condition: Short = ""
    fact: Short = ""
    about: int | None = None
    answers: int | None = None

    @property
    def texts(self) -> StatementTexts:
        """The statement without the command's id."""
        return msgspec.convert(self, StatementTexts, from_attributes=True)


class Join(Command, frozen=True, tag="join"):
    """Sit down on a seat, the first free one by default; a seated person moves to the free seat."""

    seat: int | None = None


class Leave(Command, frozen=True, tag="leave"):
    """Leave the seat. In a running match a bot plays on, and `ComeBack` takes the seat back."""


class AddBot(Command, frozen=True, tag="add_bot"):
    """Seat a bot, on the first free seat by default; only for the host. `member`: its name in the cast."""

    level: str
    seat: int | None = None
    member: str = ""


class Fill(Command, frozen=True, tag="fill"):
    """Seat bots on all free seats and start; only for the host. `level`: by default that of bots that take over."""

    level: str = ""


class Remove(Command, frozen=True, tag="remove"):
    """Free a seat before the match; only for the host."""

    seat: int


class Swap(Command, frozen=True, tag="swap"):
    """Let the occupants of two seats change places before the first match; only for the host."""

    seat: int
    other: int


class Start(Command, frozen=True, tag="start"):
    """Start the match, when every seat is taken; only for the host."""


class ComeBack(Command, frozen=True, tag="come_back"):
    """Take one's own seat back from the bot."""


class Undo(Command, frozen=True, tag="undo"):
    """Take back the decision `prompt_id`, the last one that the sender has made, and everything since.

    Only while nothing hidden has been revealed since. If other people play, they are asked, and all must allow it.
    """

    prompt_id: int


class AllowUndo(Command, frozen=True, tag="allow_undo"):
    """Allow the person of another seat to take back the decision `prompt_id`, or not; one refusal is enough."""

    seat: int
    prompt_id: int
    allow: bool = True


class Nudge(Command, frozen=True, tag="nudge"):
    """Remind another seat's person of the decision that they owe in correspondence, at most once a day."""

    seat: int


class GoOn(Command, frozen=True, tag="go_on"):
    """Want a bot to keep another seat, whose person's time is up, until they are back.

    It does when all other people who play themselves agree.
    """

    seat: int


class SitOut(Command, frozen=True, tag="sit_out"):
    """Let a bot decide for one's own seat and keep watching, until `ComeBack`; the seat is kept, in a rematch too.

    `show`: what to show when all people sit out, `rounds` or `end`.
    """

    show: str = "rounds"


class Note(Command, frozen=True, tag="note"):
    """Store a private guess about another seat, one of the game's own `notes`; an empty mark deletes it."""

    about: int
    mark: str = ""


class Mute(Command, frozen=True, tag="mute"):
    """Hide what a speaker says, or show it again; this is private. `speaker` as in `StateLine`."""

    speaker: int
    muted: bool = True


class Report(Command, frozen=True, tag="report"):
    """Report a speaker's lines to the operator, and hide the speaker."""

    speaker: int


class Rematch(Command, frozen=True, tag="rematch"):
    """Open a rematch in another room, `next_room`, with everyone one seat further.

    `level`: of its bots; `pace`: the speed of scenes. What is left out stays the same.
    """

    level: str = ""
    pace: str = ""


class Ready(Command, frozen=True, tag="ready"):
    """Be ready for a rematch, which begins when everyone is ready, or after a limited time."""


class SetPace(Command, frozen=True, tag="pace"):
    """Set the speed of scenes for the whole table; allowed to every seated person."""

    pace: str


class Enough(Command, frozen=True, tag="enough"):
    """Need no further time to talk: a ballot's talk window closes when all people who decide agree."""


class Skip(Command, frozen=True, tag="skip"):
    """Skip the current scene, which is not logged. If all other seats are bots, the match continues at once."""


PlayMessage = Ping | Play | Plan | AnswerAhead | Say | Gesture | Speak
SeatMessage = Join | Leave | AddBot | Fill | Remove | Swap | Start | ComeBack | Nudge | GoOn | SitOut
UndoMessage = Undo | AllowUndo
TableMessage = Note | Mute | Report | Rematch | Ready | SetPace | Enough | Skip | Echo
ClientMessage = PlayMessage | SeatMessage | UndoMessage | TableMessage
KINDS: dict[str, type[Message]] = {kind.__struct_config__.tag: kind for kind in ClientMessage.__args__}
_decoder: LineDecoder[Any] = LineDecoder(ClientMessage)
C = TypeVar("C", bound=Command)


def parse(text: str | bytes) -> ClientMessage:
    """Return a client's message; raise `BadMessage` if it is not valid."""
    written_out = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if len(written_out) > LARGEST_MESSAGE:
        raise BadMessage(mark("a message can have up to {most} bytes"), most=LARGEST_MESSAGE)
    try:
        return _decoder.decode(written_out)  # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        raise _bad_message(str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(mark("a message must be a JSON object")) from error


def from_form(kind: type[C], fields: Mapping[str, object]) -> C:
    """Return the command in a form, whose fields are texts; raise `BadMessage` if it is not valid."""
    try:
        return msgspec.convert(fields, kind, strict=False)
    except msgspec.ValidationError as error:
        raise _bad_message(str(error)) from error


def _bad_message(reason: str) -> BadMessage:
    if "$.type`" in reason or "`type`" in reason:
        return BadMessage(mark("a message’s type must be one of {types}"), types=", ".join(KINDS))
    if reason.startswith("Expected `object`, got"):
        return BadMessage(mark("a message must be a JSON object"))
    return BadMessage(mark("this message can’t be understood: {reason}"), reason=reason[:LONGEST_REASON])
