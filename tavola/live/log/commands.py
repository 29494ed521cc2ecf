"""The commands of the house, beside those of people in `protocol`, and what is given to a decision beside the log.

Everything that changes a room is a command: `decide` says what it makes happen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from tavola.live.correspondence.hours import Hours
from tavola.live.log.dice import Dice
from tavola.live.log.people import Person
from tavola.live.protocol import Command
from tavola.live.time.race import Arrival, Reaction
from tavola.talk import StatementTexts


@dataclass(frozen=True)
class Given:
    """The needs of a decision that no log holds. Times are in seconds since 1970.

    `level`: of bots that take over a seat. `reaction`: how long the command took since the race that is on was shown,
    None where nobody knows. `may_speak`: its sender has a line of chat left, spent already. `heir`: the seat whose
    person follows a host who has vanished, None where he has not. `scene_end`: when what was played last has been
    shown. `next_room`: the code of the room in which a rematch is played. `origin`: a mark of the address that the
    command came from, empty where that is not known. `crowds`: somebody of that address has a seat at a public table
    already, and others look for one. `outside`: names of bots from outside.
    `bank_spent`: seconds that seats have used of their banks for what they owe, and that no event tells yet.
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


class HouseCommand:
    """A command that no person gives. Only the worker who looks after the room carries it out, if it `needs_lease`."""

    needs_lease: ClassVar[bool] = True


class BotAnswer(NamedTuple):
    """A bot's answer to its decision `prompt_id`: the numbers of its actions, and in a race the time it took."""

    prompt_id: int
    turn: Sequence[int]
    reaction: Reaction | None = None


@dataclass(frozen=True)
class DecideForBots(HouseCommand):
    """Bots answer, by seat; answers that come too late are dropped."""

    answers: Mapping[int, BotAnswer]


@dataclass(frozen=True)
class SpeakForBot(HouseCommand):
    """A bot makes a statement; what cannot be said is let fall."""

    seat: int
    texts: StatementTexts


@dataclass(frozen=True)
class HoldChance(HouseCommand):
    """The order that what chance holds falls so many seconds after all that is being shown."""

    seconds: float


@dataclass(frozen=True)
class ReleaseChance(HouseCommand):
    """The order that what chance holds falls: only now is it drawn."""


@dataclass(frozen=True)
class OpenWindow(HouseCommand):
    """The order that the talk window of a ballot opens, where one is due."""


@dataclass(frozen=True)
class CloseWindow(HouseCommand):
    """The order that the one that was to be open until then closes: what lies ready is played."""

    until: float


@dataclass(frozen=True)
class RunOut(HouseCommand):
    """Time has run out for the decisions in `prompts`, by seat, or for all who owe one of the clock's `period`.

    What the game plays then is played for all of them at once.
    """

    prompts: Mapping[int, int]
    period: int | None = None


@dataclass(frozen=True)
class TakeOver(HouseCommand):
    """Bots decide for the seats that still owe the decisions in `prompts`, by seat."""

    prompts: Mapping[int, int]


@dataclass(frozen=True)
class LookAtDues(HouseCommand):
    """The order to look who has how much time by correspondence, with the hours of each person that has told some."""

    hours: Mapping[str, Hours]


@dataclass(frozen=True)
class PlayAhead(HouseCommand):
    """The answer that a seat has left is played, where it still owes the decision `prompt_id`, or comes to nothing."""

    seat: int
    prompt_id: int


@dataclass(frozen=True)
class PlayOnly(HouseCommand):
    """The only possible answer plays itself, for the seat that still owes the decision `prompt_id`."""

    seat: int
    prompt_id: int


@dataclass(frozen=True)
class Begin(HouseCommand):
    """Begin what has waited long enough, for its game or for somebody who was not ready; bots decide for him."""


@dataclass(frozen=True)
class TransferHost(HouseCommand):
    """The next person who is there becomes the host, where the host has vanished."""

    needs_lease: ClassVar[bool] = False


@dataclass(frozen=True)
class HandOver(HouseCommand):
    """Another worker counts on: how much of its patience each decision has had, as `elapsed_patience` gives it.

    `bank_spent`: the seconds that each has used of its bank until now, by seat.
    """

    elapsed: Mapping[str, Sequence[float]]
    bank_spent: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Adopt(HouseCommand):
    """The seat of a guest becomes that of a person whom he has turned out to be, unless that one has a seat here."""

    needs_lease: ClassVar[bool] = False
    guest: str
    person: Person


@dataclass(frozen=True)
class OpenRematch(HouseCommand):
    """Open the room in which `person` plays again, with bots of another level and at another pace if one is named.

    What it makes happen is the beginning of that room's log, not of the one it is decided on.
    """

    person: Person
    level: str = ""
    pace: str = ""


class Request(NamedTuple):
    """A command on its way: who gives it (None: the house), its id in the log, when it came in, and from where."""

    command: Command | HouseCommand
    who: Person | None = None
    key: str | None = None
    arrival: Arrival | None = None
    origin: str = ""

    @property
    def needs_lease(self) -> bool:
        """True for what nobody asked for: only who looks after the room may, which is checked where it is written."""
        return isinstance(self.command, HouseCommand) and self.command.needs_lease
