"""What a server sends over the wire of a room, message by message: `live.protocol` has the whole, and what it gets."""

from typing import Any

import msgspec

from tavola.core import Refusal
from tavola.live.log.room_settings import StateSettings
from tavola.live.protocol import Echo, Message


class Acknowledged(Message, frozen=True, tag="acknowledged"):
    """The command is on disk. `seq` is the room's last event then that everybody may know of.

    `message`: what whoever sent it must know beside, as that an answer came too soon.
    """

    command_id: str
    seq: int
    message: str = ""


class Refused(Message, frozen=True, tag="refused"):
    """Nothing has changed. `command_id` is None where a message could not be read; `kind` is the refusal's class."""

    command_id: str | None
    kind: str
    message: str


class Happened(msgspec.Struct, frozen=True):
    """An action as the seat heard of it: `seat` is null for chance, `code` null where it is secret to the seat."""

    seat: int | None
    code: str | None


class StateSeat(msgspec.Struct, frozen=True):
    """A seat: who sits there, `level`, `face` and `temper` where it is a bot, and whether it owes a decision.

    `away`: its person is not connected; `ready`: for a rematch; `taken_over`: a bot decides for the person. `replaced`:
    decisions of a bot from outside that were late, failed or not allowed. `bank`: seconds left of its bank; what a
    decision that it owes still has used of it is told when it is made.
    """

    name: str | None
    level: str | None
    face: str | None
    temper: str | None
    away: bool
    ready: bool
    taken_over: bool
    owes: bool
    replaced: int
    bank: float


class StateLine(msgspec.Struct, frozen=True):
    """A line of chat: `seat` null for who only watches, `at` seconds since 1970, `speaker` the same for one person.

    `gesture`: the name of one that was shown instead; then there is no text. `aside` and `back`, with the speaker 0:
    the seat's person lets a bot decide, or decides again.
    """

    name: str
    seat: int | None
    text: str
    at: float
    speaker: int
    gesture: str = ""


class StateStatement(msgspec.Struct, frozen=True):
    """A statement as a seat heard it: parts as they were spoken, see `Speak`; of others' whispers `act` is null.

    `moment`: the `moments` before it; `whispered`: only `speaker` and `to` heard it; `status`: `open`, `accepted`,
    `declined`, `withdrawn`, `kept`, `broken`, `void`, or null where nothing can become of it or it was not heard.
    `voice`, `verdict_voice`: the line of character of a bot beside it, `mara.offer`, or null: as it was made, and as it
    was kept or broken. They say nothing that the statement does not.
    """

    number: int
    speaker: int
    moment: int
    whispered: bool
    act: str | None
    to: int | None
    deed: str
    condition: str
    fact: str
    about: int | None
    answers: int | None
    status: str | None
    voice: str | None = None
    verdict_voice: str | None = None


class StateResult(msgspec.Struct, frozen=True):
    """Points and places by seat; shared places are shared."""

    points: tuple[int, ...]
    places: tuple[int, ...]


class StateView(msgspec.Struct, frozen=True, omit_defaults=True):
    """The view of the seat, or of a spectator without a `hand`: the game's records with named values."""

    game: str
    seat: int | None
    table: dict[str, Any]
    hand: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class StateAhead(msgspec.Struct, frozen=True):
    """The own answer to a coming decision, as in `AnswerAhead`; `ended`: what became of the last one.

    `ended` is empty while it waits, else `played`, `illegal` where none of it was allowed, `happened` where something
    that it named had.
    """

    codes: tuple[str, ...]
    unless: tuple[str, ...]
    ended: str


class PublicState(Message, frozen=True):
    """The part of a state that everybody in the room is told alike, except `chat`: the last lines that the reader sees.

    `seq`: events that everybody may know of; `room` its code; `rules` the named set of options, null for one's own;
    `phase`: `gathering`, `playing`, `over`; `host` its name; `moments`: actions that somebody beside their seat could
    notice; `next_room` where a rematch is played; `talk_until`: when the talk window of a ballot ends, in seconds since
    1970, null where none is open; `result` at the end.
    """

    seq: int
    room: str
    game: str
    options: dict[str, str]
    rules: str | None
    settings: StateSettings
    phase: str
    host: str
    seats: tuple[StateSeat, ...]
    chat: tuple[StateLine, ...]
    moments: int
    next_room: str | None
    talk_until: float | None
    result: StateResult | None


class RoomState(PublicState, frozen=True, tag="state"):
    """All that one program may know, sent after every change (`?form=json`).

    `seat`: its own, null without one; `prompt_id`: the number of the decision it owes, null where it owes none;
    `legal`: the codes it may answer with; `ahead`: its answer to a coming decision, null without one; `notes`: its own
    guesses about others, by seat; `happened`: what it heard since the state before this one, on a fresh connection
    since the match began; `view`: null before the match; `statements`: those that something can still become of, and
    the last ones.
    """

    seat: int | None
    is_host: bool
    prompt_id: int | None
    legal: tuple[str, ...]
    ahead: StateAhead | None
    notes: dict[str, str]
    happened: tuple[Happened, ...]
    statements: tuple[StateStatement, ...]
    view: StateView | None


class LegalAction(msgspec.Struct, frozen=True):
    """An action that is allowed: its code, and what it does in a sentence."""

    code: str
    text: str


class SpokenStatement(msgspec.Struct, frozen=True):
    """A statement in a sentence: its number, by which it is answered, and its status as in `StateStatement`.

    `voice`, `verdict_voice`: the lines of character beside it, in the same language; empty without.
    """

    number: int
    text: str
    status: str | None
    voice: str = ""
    verdict_voice: str = ""


class TextState(PublicState, frozen=True, tag="state"):
    """The same in sentences (`?form=text`), in the language of the connection.

    `prompt`: what is asked, or who is waited for; `table`: the table as lines of text; `told`: what happened since the
    state before this one, of a fresh connection the last lines of it; `statements`: what was said of late, in
    sentences, with their numbers and what became of them.
    """

    seat: int | None
    is_host: bool
    prompt_id: int | None
    prompt: str
    table: tuple[str, ...]
    legal: tuple[LegalAction, ...]
    told: tuple[str, ...]
    statements: tuple[SpokenStatement, ...]


class Planned(Message, frozen=True, tag="planned"):
    """The own seat's view after a plan, the codes with which it may go on, and why where there are none.

    `stop` is empty, or `chance`, `seat`, `over`: who decides then; or `unseen`: what the last step brings cannot be
    known yet.
    """

    command_id: str
    stop: str
    legal: tuple[str, ...]
    view: dict[str, Any]


class Fragments(Message, frozen=True, tag="fragments"):
    """Parts of a page that look different now: HTML by name; for lists the names of all children, in order."""

    seq: int
    fragments: dict[str, str]
    order: dict[str, tuple[str, ...]]


class Frame(msgspec.Struct, frozen=True):
    """One picture of a scene: what looks different from the one before, and how long it stays at most.

    `closed`: all cards lie face down, which nothing skips; `told`: what happens, where no line of the log says it;
    `sound`: what is heard of it, by its name among the game's sounds.
    """

    fragments: dict[str, str]
    order: dict[str, tuple[str, ...]]
    milliseconds: int
    closed: bool = False
    told: str = ""
    sound: str = ""


class Scene(Message, frozen=True, tag="scene"):
    """The scene that leads to what follows, picture by picture; who need not see it goes on at once."""

    frames: tuple[Frame, ...]


class Page(Message, frozen=True, tag="page"):
    """The room has another page now: the match began, or is over."""

    seq: int


class Pong(Message, frozen=True, tag="pong"):
    """I am."""


ServerMessage = Acknowledged | Refused | Planned | Fragments | Scene | Page | Pong | Echo


def encode(message: ServerMessage) -> str:
    """A message as it goes over the wire."""
    return msgspec.json.encode(message).decode()


def refusal_message(command_id: str | None, refusal: Refusal, said: str | None = None) -> Refused:
    """A refusal as a message; `said` is its sentence in the reader's language, English if None."""
    return Refused(command_id, type(refusal).__name__, str(refusal) if said is None else said)
