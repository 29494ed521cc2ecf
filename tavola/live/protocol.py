"""The whole wire protocol of a room: JSON messages over one WebSocket, each an object with a `type`.

A client sends

    {"type": "play", "command_id": "k3", "code": "vote green", "prompt_id": 7}      make the decision 7
    {"type": "play", "command_id": "k3", "codes": ["gift 2", "done"], "prompt_id": 7}   several steps: all or nothing
    {"type": "plan", "command_id": "k3", "codes": ["gift 2"], "prompt_id": 7}       what it would be: nothing happens
    {"type": "answer_ahead", "command_id": "k3", "codes": ["vote green", "vote red"], "unless": ["board red"]}
                                                              to the own next decision of that kind: the first that is
                                                              allowed then is played, none where something named has
                                                              happened by then; without codes it is taken back
    {"type": "say", "command_id": "k4", "text": "Green, please"}
    {"type": "speak", "command_id": "k4", "act": "promise", "deed": "vote not red now"}      a statement, to all
    {"type": "speak", "command_id": "k4", "act": "offer", "to": 2, "aloud": true, "deed": "vote not red now",
     "condition": "vote black now"}                           to a seat; whispered where it is not aloud
    {"type": "speak", "command_id": "k4", "act": "accept", "answers": 7}    or `decline`, `withdraw`: statement number 7
    {"type": "gesture", "command_id": "k4", "gesture": "thanks"}    `praise`, `thanks`, `laugh`, `wonder`, `sorry`,
                                                              `remember`: everybody reads it in his language
    {"type": "join", "command_id": "k5", "seat": 2}           sit down; without seat on the first free one
    {"type": "leave", "command_id": "k6"}
    {"type": "add_bot", "command_id": "k7", "level": "greedy", "seat": 3}           seat may be left out
    {"type": "remove", "command_id": "k8", "seat": 3}
    {"type": "fill", "command_id": "k9", "level": "greedy"}   bots on all free seats, and begin; level may be left out
    {"type": "start", "command_id": "k9"}
    {"type": "come_back", "command_id": "k10"}                take the own seat back from a bot
    {"type": "sit_out", "command_id": "k10", "show": "rounds"}    let a bot decide for the own seat, and watch. When
                                                              nobody decides himself any more they do so faster, with
                                                              a scene a round, or with `end` none; may be left out
    {"type": "rematch", "command_id": "k11", "level": "search"}                     level: of its bots, may be left out,
                                                              as may `pace`: then it is as it was
    {"type": "ready", "command_id": "k12"}                    for the rematch, which begins when all are
    {"type": "note", "command_id": "k12", "about": 3, "mark": "traitor"}            a private guess about another seat
    {"type": "mute", "command_id": "k13", "speaker": 2, "muted": true}              read no more of somebody, or again;
                                                              speaker 0: no free text at all, statements still
    {"type": "report", "command_id": "k14", "speaker": 2}     tell whoever runs the site, and read no more of him
    {"type": "pace", "command_id": "k15", "pace": "brisk"}    how fast what happens is shown, for the whole table
    {"type": "enough", "command_id": "k15"}                   needs no more time to talk: a ballot's window closes when
                                                              all who decide themselves say so
    {"type": "skip", "command_id": "k16"}                     look at a scene no longer: where all others are bots they
                                                              answer at once. It stands in no log
    {"type": "ping"}
    {"type": "echo", "token": "3xA…"}                         at once, whenever a server has sent one

and gets

    {"type": "acknowledged", "command_id": "k3", "seq": 41, "message": ""}
                                                              it is on disk; sent again it changes nothing. In a race a
                                                              message says that the answer came too soon
    {"type": "refused", "command_id": "k3", "kind": "StalePrompt", "message": "…"}  nothing has changed
    {"type": "state", "seq": 41, …}                           programs: all they may know, after every change, and what
                                                              happened since the state before: see `RoomState`
    {"type": "planned", "command_id": "k3", "stop": "", "legal": […], "view": {…}}  programs: what a plan leads to
    {"type": "scene", "frames": [{"fragments": {…}, "order": {…}, "milliseconds": 900, "closed": false, "told": ""}, …]}
                                                              pages: pictures on the way to what follows, in order;
                                                              `closed`: all cards lie face down, which nothing skips;
                                                              `told`: what happens, where no line of the log says it
    {"type": "fragments", "seq": 41, "fragments": {"prompt": "<p>…"}, "order": {"log": ["log-9", "log-8"]}}
                                                              pages: what looks different now, and the children of
                                                              lists where some came, went or moved
    {"type": "page", "seq": 41}                               pages: another page is shown now, to be fetched anew
    {"type": "pong"}
    {"type": "echo", "token": "3xA…"}                         to be sent back as it is, at once

Where whoever comes first acts an answer may bear an earlier `prompt_id` than the last, as long as its sender has not
acted since: it is carried out if it still means the same, and else refused as `Gone` or `Changed`.

A decision with one possible answer only plays itself a moment after it was shown, where nobody else can learn from that
what he does not know: a client that answers later is refused as `StalePrompt`.

`command_id` is the client's own (1 to 64 letters, digits, - or _). A command without an answer, because the
connection broke, is sent again with the same id. `seq` counts what everybody may know of: a private guess moves it for
nobody. Who acts is never said: the server knows whose connection it is, by its cookie or, for a program, by the `token`
in its address. How a program begins, and every field of a state, stands in docs/programs.md. Forms of pages send the
same commands: `from_form` reads their texts.

While a race is on, or may be soon, a server sends echoes, several a second: by what comes back it measures how long the
way there and back takes, and takes that out of the time of an answer (`live.time.race`). Nothing is answered to an echo
that comes back, and no client says when anything happened. Whoever does not send them back has nothing taken out.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec

from tavola.bots.outside.lines import LineDecoder
from tavola.core.text import mark
from tavola.live.log.people import COMMAND_ID
from tavola.live.room_refusals import RoomRefusal
from tavola.talk import StatementTexts

LARGEST_MESSAGE = 16_384
"""Bytes of a client's message."""
MOST_STEPS = 64
"""Codes in one plan."""
LONGEST_PART = 120
"""Characters of one part of a statement."""
LONGEST_REASON = 160
"""Characters that are told of what is wrong with a message: it may quote the client."""

CommandId = Annotated[str, msgspec.Meta(pattern=COMMAND_ID.pattern)]
Codes = Annotated[tuple[str, ...], msgspec.Meta(max_length=MOST_STEPS)]
Short = Annotated[str, msgspec.Meta(max_length=LONGEST_PART)]


class BadMessage(RoomRefusal):
    """Something that is no message of this protocol."""


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything that goes over the wire."""

    @property
    def type(self) -> str:
        """Return the kind of the message, as it is written."""
        return str(self.__struct_config__.tag)


# What a client sends


class Ping(Message, frozen=True, tag="ping"):
    """Are you there?"""


class Echo(Message, frozen=True, tag="echo"):
    """A probe of how long the way is: sent by the server, and sent back by the client as it is, at once."""

    token: Annotated[str, msgspec.Meta(max_length=64)]


class Command(Message, frozen=True):
    """A request to a room. What each one does stands in `log.decide`."""

    command_id: CommandId


class Play(Command, frozen=True, tag="play"):
    """Make a decision; with several `codes` the steps of one, all of them or none.

    All but the last must be such as can be planned.
    """

    prompt_id: int
    code: str = ""
    codes: Codes = ()

    def __post_init__(self) -> None:
        if bool(self.code) == bool(self.codes):
            raise ValueError("Expected one of the fields `code` and `codes`")

    @property
    def steps(self) -> tuple[str, ...]:
        """The codes, however they were sent."""
        return self.codes or (self.code,)


class Plan(Command, frozen=True, tag="plan"):
    """Try steps of a decision on one's own view; nothing happens, and nobody is told."""

    prompt_id: int
    codes: Codes = ()


class AnswerAhead(Command, frozen=True, tag="answer_ahead"):
    """Leave an answer to one's own next decision in which something of the kind of `codes` may be played.

    The first of them that is allowed then is played by the house; where none is, or what a pattern of `unless` names
    has been done by others meanwhile, nothing is. Nobody else hears of it. Without codes it is taken back.
    """

    codes: Codes = ()
    unless: Annotated[tuple[Short, ...], msgspec.Meta(max_length=MOST_STEPS)] = ()


class Talk(Command, frozen=True):
    """Anything that is said at the table: people say only so much in a time."""


class Say(Talk, frozen=True, tag="say"):
    """Write a line of chat."""

    text: str


class Gesture(Talk, frozen=True, tag="gesture"):
    """Show one of the gestures, which everybody reads in his own language; a person may do so every few seconds."""

    gesture: Short


class Speak(Talk, frozen=True, tag="speak"):
    """Make a statement in the match: `tavola.talk.statements` has the acts, and what each of them says.

    `deed`, `condition`: a pattern over the game's actions and when, `vote not red now`; `fact`: a pattern over what may
    be claimed of secrets, `role merchant`; `to`, `about`: seats; `answers`: the number of another statement.
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
        """Return what is said, without the id of the command."""
        return StatementTexts(
            self.act, self.to, self.aloud, self.deed, self.condition, self.fact, self.about, self.answers
        )


class Join(Command, frozen=True, tag="join"):
    """Sit down on a seat, the first free one if none is named; who sits already may move to a free seat."""

    seat: int | None = None


class Leave(Command, frozen=True, tag="leave"):
    """Get up. Out of a match that runs a bot plays on; the seat stays his, `ComeBack` takes it again."""


class AddBot(Command, frozen=True, tag="add_bot"):
    """The host seats a bot of a level, on the first free seat if none is named; `member`: who of the cast it is."""

    level: str
    seat: int | None = None
    member: str = ""


class Fill(Command, frozen=True, tag="fill"):
    """The host seats bots on all free seats, of the level that takes over seats if none is named, and begins."""

    level: str = ""


class Remove(Command, frozen=True, tag="remove"):
    """The host frees a seat before the match."""

    seat: int


class Start(Command, frozen=True, tag="start"):
    """The host begins the match; every seat must be taken."""


class ComeBack(Command, frozen=True, tag="come_back"):
    """Take the own seat back from the bot."""


class SitOut(Command, frozen=True, tag="sit_out"):
    """Let a bot decide for the own seat and go on watching, until `ComeBack`; the seat stays his, in a rematch too.

    `show`: what he wants to be shown once nobody decides himself any more, `rounds` or `end`.
    """

    show: str = "rounds"


class Note(Command, frozen=True, tag="note"):
    """Keep a private guess about another seat, one of the game's own `notes`; an empty mark forgets it."""

    about: int
    mark: str = ""


class Mute(Command, frozen=True, tag="mute"):
    """Read no more of what a speaker says, or read it again; nobody else is told. `speaker` as in the lines of chat."""

    speaker: int
    muted: bool = True


class Report(Command, frozen=True, tag="report"):
    """Tell whoever runs the site what a speaker has said, and read no more of it."""

    speaker: int


class Rematch(Command, frozen=True, tag="rematch"):
    """Play again, everybody one seat further: `next_room` says where. Nothing else changes but what is named.

    `level`: that of its bots; `pace`: how fast what happens is shown.
    """

    level: str = ""
    pace: str = ""


class Ready(Command, frozen=True, tag="ready"):
    """Be ready for a rematch, which begins when everybody is, or when it has waited long enough."""


class SetPace(Command, frozen=True, tag="pace"):
    """Show what happens faster or slower from now on, for the whole table; whoever sits there may."""

    pace: str


class Enough(Command, frozen=True, tag="enough"):
    """Need no more time to talk: the window of a ballot closes when all who decide themselves say so."""


class Skip(Command, frozen=True, tag="skip"):
    """Look no longer at what is being shown. Where all others at the table are bots nobody waits for it any more."""


ClientMessage = (
    Ping
    | Play
    | Plan
    | AnswerAhead
    | Say
    | Gesture
    | Speak
    | Join
    | Leave
    | AddBot
    | Fill
    | Remove
    | Start
    | ComeBack
    | SitOut
    | Note
    | Mute
    | Report
    | Rematch
    | Ready
    | SetPace
    | Enough
    | Skip
    | Echo
)
KINDS: dict[str, type[Message]] = {kind.__struct_config__.tag: kind for kind in ClientMessage.__args__}
_decoder: LineDecoder[Any] = LineDecoder(ClientMessage)
C = TypeVar("C", bound=Command)


def parse(text: str | bytes) -> ClientMessage:
    """A client's message, or `BadMessage` with what was expected."""
    written_out = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if len(written_out) > LARGEST_MESSAGE:
        raise BadMessage(mark("a message has at most {most} bytes"), most=LARGEST_MESSAGE)
    try:
        return _decoder.decode(written_out)  # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        raise _bad_message(str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(mark("a message is a JSON object")) from error


def from_form(kind: type[C], fields: Mapping[str, object]) -> C:
    """The command of a form, whose fields are texts; `BadMessage` with what was expected."""
    try:
        return msgspec.convert(fields, kind, strict=False)
    except msgspec.ValidationError as error:
        raise _bad_message(str(error)) from error


def _bad_message(reason: str) -> BadMessage:
    if "$.type`" in reason or "`type`" in reason:
        return BadMessage(mark("a message's type is one of {types}"), types=", ".join(KINDS))
    if reason.startswith("Expected `object`, got"):
        return BadMessage(mark("a message is a JSON object"))
    return BadMessage(mark("this message cannot be understood: {reason}"), reason=reason[:LONGEST_REASON])
