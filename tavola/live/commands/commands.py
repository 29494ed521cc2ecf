"""The server's own commands, and the inputs of a decision that are not in the log.

People's commands are in `protocol`. Every change of a room is a command; `decide` returns its events.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import msgspec

from tavola.live.correspondence.hours import Hours
from tavola.live.log.dice import Dice
from tavola.live.log.people import Person
from tavola.live.protocol import Command
from tavola.live.time.race import Arrival, Reaction
from tavola.talk import StatementTexts


@dataclass(frozen=True)
class Given:
    """The inputs of a decision that are not in the log. Times are in seconds since 1970.

    `level`: of bots that take over a seat. `reaction`: the time since the current race was shown, None if unknown.
    `may_speak`: the sender had a line of chat left, which is spent already. `heir`: the seat whose person follows a
    vanished host, None if the host has not vanished. `scene_end`: when the last scene has been shown. `next_room`: the
    code of the rematch's room. `origin`: the sender's anonymised address, empty if unknown. `crowds`: that address has
    a seat at a public table already, and others look for one. `outside`: names of outside bots. `bank_spent`: seconds
    of its bank that each seat has used for its pending decision, not in the log yet.
    """

    now: float
    dice: Dice
    level: str
    reaction: Reaction | None = None
    may_speak: bool = True
    heir: int | None = None
    scene_end: float = 0.0
    next_room: str = ""
    origin: str = ""
    crowds: bool = False
    bank_spent: Mapping[int, float] = field(default_factory=dict)
    outside: tuple[str, ...] = ()


class ServerCommand(msgspec.Struct, frozen=True):
    """A command of the server. If it `needs_lease`, only the worker that looks after the room carries it out."""

    needs_lease: ClassVar[bool] = True


class BotAnswer(NamedTuple):
    """A bot's answer to the decision `prompt_id`: the numbers of its actions, and in a race its reaction time."""

    prompt_id: int
    turn: Sequence[int]
    reaction: Reaction | None = None


class DecideForBots(ServerCommand, frozen=True):
    """Bots' answers, by seat; late ones are dropped."""

    answers: Mapping[int, BotAnswer]


class SpeakForBot(ServerCommand, frozen=True):
    """A bot's statement, dropped if it cannot be made."""

    seat: int
    texts: StatementTexts


class HoldChance(ServerCommand, frozen=True):
    """The delay of a held chance outcome: it falls `seconds` after everything that is being shown."""

    seconds: float


class ReleaseChance(ServerCommand, frozen=True):
    """The release of a held chance outcome, which is drawn only now."""


class OpenWindow(ServerCommand, frozen=True):
    """The opening of a ballot's talk window, if one is due."""


class CloseWindow(ServerCommand, frozen=True):
    """The closing of the talk window that was to be open `until` then; its choices are played."""

    until: float


class EndUndo(ServerCommand, frozen=True):
    """The end of the request to undo that was to be open `until` then; it fails if not all have allowed it."""

    until: float


class RunOut(ServerCommand, frozen=True):
    """The end of the time for the decisions in `prompts`, by seat, or for all in the clock's `period`.

    The actions that the game plays then are played for all of these seats at once.
    """

    prompts: Mapping[int, int]
    period: int | None = None


class TakeOver(ServerCommand, frozen=True):
    """A takeover by bots of the seats that still owe the decisions in `prompts`, by seat."""

    prompts: Mapping[int, int]


class UpdateDeadlines(ServerCommand, frozen=True):
    """An update of the deadlines of a correspondence game, with the `hours` of each person who has set some."""

    hours: Mapping[str, Hours]


class PlayAhead(ServerCommand, frozen=True):
    """The play of a seat's answer ahead, if the seat still owes the decision `prompt_id`."""

    seat: int
    prompt_id: int


class PlayOnly(ServerCommand, frozen=True):
    """The play of a seat's only legal action, if the seat still owes the decision `prompt_id`."""

    seat: int
    prompt_id: int


class PlayForced(ServerCommand, frozen=True):
    """The play of the decisions in `prompts`, by seat, in which everyone has only one legal action."""

    prompts: Mapping[int, int]


class Begin(ServerCommand, frozen=True):
    """The start of a match that has waited long enough; bots decide for people who are not ready."""


class TransferHost(ServerCommand, frozen=True):
    """The transfer of the host's role to the next person present, if the host has vanished."""

    needs_lease: ClassVar[bool] = False


class HandOver(ServerCommand, frozen=True):
    """A handover of clocks to another worker: the patience used by each decision, from `elapsed_patience`.

    `bank_spent`: the seconds that each seat has used of its bank so far.
    """

    elapsed: Mapping[str, Sequence[float]]
    bank_spent: Mapping[int, float] = msgspec.field(default_factory=dict)


class Adopt(ServerCommand, frozen=True):
    """The transfer of a guest's seat to the person they turned out to be, unless that person has a seat here."""

    needs_lease: ClassVar[bool] = False
    guest: str
    person: Person


class OpenRematch(ServerCommand, frozen=True):
    """The opening of the room for a rematch, with another bot `level` or `pace` if one is given.

    Its events begin the log of that room, not the log of the room in which it is decided.
    """

    person: Person
    level: str = ""
    pace: str = ""


class Request(NamedTuple):
    """A command on its way: its sender (None: the server), its id in the log, its arrival and the sender's address."""

    command: Command | ServerCommand
    who: Person | None = None
    key: str | None = None
    arrival: Arrival | None = None
    origin: str = ""

    @property
    def needs_lease(self) -> bool:
        """Return whether only the worker that looks after the room can carry it out; checked when it is stored."""
        return isinstance(self.command, ServerCommand) and self.command.needs_lease
