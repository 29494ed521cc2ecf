"""Messages that a server sends to the clients of a room; `live.protocol` has the overview and the clients' messages."""

from typing import Any

import msgspec

from tavola.core import Refusal
from tavola.live.log.room_settings import StateSettings
from tavola.live.protocol import Echo, Message


class Acknowledged(Message, frozen=True, tag="acknowledged"):
    """The command is on disk. `seq` is the room's last public event at that time.

    `message`: a note for the sender, for example that an answer was too early.
    """

    command_id: str
    seq: int
    message: str = ""


class Refused(Message, frozen=True, tag="refused"):
    """Nothing has changed. `command_id` is None if a message could not be read; `kind` is the refusal's class."""

    command_id: str | None
    kind: str
    message: str


class Happened(msgspec.Struct, frozen=True):
    """An action as the seat heard it: `seat` is null for chance, `code` is null if it is secret to the seat."""

    seat: int | None
    code: str | None


class StateSeat(msgspec.Struct, frozen=True):
    """A seat: its player's name and `face`, `level` and `temper` if it is a bot, and whether it owes a decision.

    `away`: its person is not connected; `ready`: for a rematch; `taken_over`: a bot decides for the person. `replaced`:
    decisions of an external bot that were late, failed or illegal. `bank`: seconds left in its time bank, without what
    an open decision has used. In correspondence, times in seconds since 1970: `asked_at` of the decision that its
    person owes, `bot_since` when a bot took over, `away_until` when the person's holiday ends, each null if there is
    none; `misses`: decisions missed in a row.
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
    asked_at: float | None
    misses: int
    bot_since: float | None
    away_until: float | None


class StateLine(msgspec.Struct, frozen=True):
    """A line of chat: `seat` is null for a spectator, `at` in seconds since 1970, `speaker` a number for each person.

    `gesture`: the name of a gesture, shown without text. With the speaker 0, `aside` and `back`: the seat's person
    lets a bot decide, or decides again; `missed` and `kept`: a bot decides once for a late person, or from now on;
    `undo`, `denied` and `undone`: they ask to take back a decision, do not allow it, or have taken it back.
    """

    name: str
    seat: int | None
    text: str
    at: float
    speaker: int
    gesture: str = ""


class StateStatement(msgspec.Struct, frozen=True):
    """A statement as a seat heard it: its parts as in `Speak`; for whispers between others, `act` is null.

    `moment`: the `moments` before it; `whispered`: only `speaker` and `to` heard it; `status`: `open`, `accepted`,
    `declined`, `withdrawn`, `kept`, `broken`, `void`, or null if it has no outcome or was not heard. `voice`,
    `verdict_voice`: the key of a bot's line in character, `mara.offer.2`, or null: when the statement was made, and
    when it was kept or broken. They contain nothing that the statement does not.
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
    """Points and places by seat; tied seats have the same place."""

    points: tuple[int, ...]
    places: tuple[int, ...]


class StateView(msgspec.Struct, frozen=True, omit_defaults=True):
    """The view of the seat, or of a spectator without a `hand`: the game's records with named values."""

    game: str
    seat: int | None
    table: dict[str, Any]
    hand: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


class StateAnswer(msgspec.Struct, frozen=True):
    """One of the seat's own answers ahead, as in `AnswerAhead`."""

    place: int
    codes: tuple[str, ...]
    unless: tuple[str, ...]
    when: tuple[str, ...]


class StateAhead(msgspec.Struct, frozen=True):
    """The seat's own answers ahead.

    `ended` is empty until the decision, then `played`, `illegal` if no code was legal, or `happened` if a pattern of
    `unless` had happened.
    """

    answers: tuple[StateAnswer, ...]
    ended: str


class UndoAsked(msgspec.Struct, frozen=True):
    """A request to undo: of which seat and decision, open `until` a time in seconds since 1970, seats that allow it."""

    seat: int
    prompt_id: int
    until: float
    allowed: tuple[int, ...]


class PublicState(Message, frozen=True):
    """The part of a state that is the same for everyone in the room, except `chat`: the last lines the reader can see.

    `seq`: public events; `room`: its code; `rules`: the named set of options, null for custom ones; `phase`:
    `gathering`, `playing`, `over`; `host`: their name; `moments`: actions that other seats could notice, less after
    an undo; `undone`: decisions taken back so far; `undo_asked`: an open request, or null; `next_room`: the code of the
    rematch; `talk_until`: when the talk window of a ballot ends, in seconds since 1970, null if none
    is open; `result`: null until the end.
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
    undone: int
    undo_asked: UndoAsked | None
    next_room: str | None
    talk_until: float | None
    result: StateResult | None


class RoomState(PublicState, frozen=True, tag="state"):
    """Everything that one program may know, sent after every change (`?form=json`).

    `seat`: its own, null without one; `prompt_id`: the number of the decision it owes, null if none; `undo_id`: the
    number of its decision that can be taken back, or null; `legal`: codes of its legal actions; `ahead`: its answer
    ahead, null without one; `notes`: its private guesses, by seat; `happened`: actions it heard since the last state,
    on a new connection since the match began; `statements`: the last ones, and those that can still change; `view`:
    null before the match.
    """

    seat: int | None
    is_host: bool
    prompt_id: int | None
    undo_id: int | None
    legal: tuple[str, ...]
    ahead: StateAhead | None
    notes: dict[str, str]
    happened: tuple[Happened, ...]
    statements: tuple[StateStatement, ...]
    view: StateView | None


class LegalAction(msgspec.Struct, frozen=True):
    """A legal action: its code, and a sentence that describes it."""

    code: str
    text: str


class SpokenStatement(msgspec.Struct, frozen=True):
    """A statement as a sentence: its number, by which it is answered, and its status as in `StateStatement`.

    `voice`, `verdict_voice`: the bot's lines in character in the same language, or empty.
    """

    number: int
    text: str
    status: str | None
    voice: str = ""
    verdict_voice: str = ""


class TextState(PublicState, frozen=True, tag="state"):
    """The same in sentences (`?form=text`), in the language of the connection.

    `prompt`: the question, or the seats that have to decide; `table`: the table as lines of text; `told`: log lines
    since the last state, on a new connection the last few; `statements`: recent statements with their outcomes.
    """

    seat: int | None
    is_host: bool
    prompt_id: int | None
    undo_id: int | None
    prompt: str
    table: tuple[str, ...]
    legal: tuple[LegalAction, ...]
    told: tuple[str, ...]
    statements: tuple[SpokenStatement, ...]


class Planned(Message, frozen=True, tag="planned"):
    """The seat's view after a plan, the codes that can follow, and why if there are none.

    `stop` is empty; or `chance`, `seat`, `over`: what comes next; or `unseen`: the last step has a hidden result.
    """

    command_id: str
    stop: str
    legal: tuple[str, ...]
    view: dict[str, Any]


Patch = list[int | str | tuple[str, ...]]
"""How a text or list that the same connection has sent before becomes another: a flat list of triples `start, end,
part`. Each replaces `[start:end]` of what was before by `part`; positions ascend. The patch of a new text begins with
the id of another in its list, which it is like."""


class Fragments(Message, frozen=True, tag="fragments"):
    """Changed parts of a page: HTML by name; for lists, the names of all children in order; or patches of either."""

    seq: int
    fragments: dict[str, str | Patch]
    order: dict[str, Patch]


class Frame(msgspec.Struct, frozen=True):
    """One frame of a scene: what differs from the last one, and how long it is shown at most.

    `closed`: all cards are face down, which cannot be skipped; `told`: a description that the log does not have;
    `sound`: the name of one of the game's sounds.
    """

    fragments: dict[str, str | Patch]
    order: dict[str, Patch]
    milliseconds: int
    closed: bool = False
    told: str = ""
    sound: str = ""


class Scene(Message, frozen=True, tag="scene"):
    """The frames that lead to the next state; a client that does not need them continues at once."""

    frames: tuple[Frame, ...]


class Page(Message, frozen=True, tag="page"):
    """The room has another page now: the match has begun, or is over."""

    seq: int


class Announcement(Message, frozen=True, tag="announcement"):
    """The words that the operator of the site shows on every page from now on; empty to remove them."""

    words: str


class Pong(Message, frozen=True, tag="pong"):
    """The answer to a `Ping`."""


ServerMessage = Acknowledged | Refused | Planned | Fragments | Scene | Page | Announcement | Pong | Echo


def _as_text(value: object) -> str:
    """Return markup, or a name in a sentence, as a plain string."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(f"JSON has no {type(value).__name__}")


_encoder = msgspec.json.Encoder(enc_hook=_as_text)


def encode(message: object) -> str:
    """Return a message, or a part of one, as JSON text."""
    return _encoder.encode(message).decode()


def refusal_message(command_id: str | None, refusal: Refusal, said: str | None = None) -> Refused:
    """Return a refusal as a message; `said` is its sentence in the reader's language, English if None."""
    return Refused(command_id, type(refusal).__name__, str(refusal) if said is None else said)
