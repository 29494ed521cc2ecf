"""What all commands have in common, and the inputs of a decision that are not in the log.

People's commands are in `protocol`, the server's beside their decisions. Every change of a room is a command.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import msgspec

from tavola.live.log.dice import Dice
from tavola.live.log.events import NewEvent
from tavola.live.log.people import Person
from tavola.live.log.state import State
from tavola.live.protocol import Command
from tavola.live.time.race import Arrival, Reaction


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

    def decide(self, state: State, given: Given) -> list[NewEvent]:
        """Return its events. It is never refused: a late command changes nothing."""
        raise NotImplementedError


class BotAnswer(NamedTuple):
    """A bot's answer to the decision `prompt_id`: the numbers of its actions, and in a race its reaction time."""

    prompt_id: int
    turn: Sequence[int]
    reaction: Reaction | None = None


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
