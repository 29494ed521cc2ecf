"""The settings of a hub and its rooms, in one object."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tavola.bots import LEVELS, bot
from tavola.bots.outside.player import Outside
from tavola.live.log.dice import Dice
from tavola.live.log.require import require_level
from tavola.live.thinking import BotFactory
from tavola.live.time.delays import Reflexes, Suspense, human_reflexes
from tavola.store import Retention

NAP = 600.0
"""Seconds after which a room sleeps where nobody is: bots wait until somebody comes, wherever the match is."""

READING = 4.0
"""Seconds that bots who bargain give people to read and to answer."""

BOT_NAME = re.compile(r"[a-z][a-z0-9-]{0,23}")
"""The form of the name of a bot from outside."""

Clock = Callable[[], float]
"""A clock, in seconds since 1970."""
Affinity = Callable[[str], bool]
"""True for the code of a room whose people come here."""


def _come_all(code: str) -> bool:
    return True


def is_bot_name(name: str) -> bool:
    """True for a name under which hosts may seat a bot from outside."""
    return name not in LEVELS and BOT_NAME.fullmatch(name) is not None


@dataclass(frozen=True)
class HubSettings:
    """The settings by which a hub runs its rooms. `BadSetting` where `level` is none, `ValueError` for a bot's name.

    `bot_pause`: seconds before a bot answers; `bot_stay`: seconds that a bot stays at a barter at least, as long as
    people do; `beat`: seconds before the only possible answer plays itself, None: never; `reading`: seconds
    that bots who bargain give people to read and to answer before they choose; `level`: that of bots who
    take over a seat; `bots(level, seed)` makes a bot; without `scenes` nobody waits until what was played has been
    shown. `nap`: seconds until a room sleeps where nobody is; `retention`: what the store keeps, and for how long.
    `suspense`: how long what chance holds may take to fall; `reflexes(level, answers)`: seconds that a bot takes where
    it races people. `has_affinity(code)`: true where people of a room come here if they can: new rooms get such codes,
    others are left to other workers. `dice` draw chance's outcomes and the cast. `outside`: bots from outside, by the
    names under which hosts may seat them. `clock`: the clock of the site, in seconds since 1970: what is written down
    is of its time, and matches by correspondence go by it. `steady`: the clock by which tosses, talk windows and bots'
    reading end; it is never set.
    """

    bot_pause: float = 0.8
    bot_stay: float = 60.0
    beat: float | None = 1.5
    reading: float = READING
    level: str = "search"
    bots: BotFactory = bot
    scenes: bool = True
    nap: float = NAP
    retention: Retention = field(default_factory=Retention)
    suspense: Suspense = field(default_factory=Suspense)
    reflexes: Reflexes = field(default_factory=human_reflexes)
    has_affinity: Affinity = _come_all
    dice: Dice = field(default_factory=Dice)
    outside: Mapping[str, Outside] = field(default_factory=dict)
    clock: Clock = time.time
    steady: Clock = time.monotonic

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of bots that a host may seat, and the names of those from outside."""
        return (*LEVELS, *self.outside)

    @property
    def has_own_bots(self) -> bool:
        """True where bots are those of the house, which bargain."""
        return self.bots is bot

    def __post_init__(self) -> None:
        require_level(self.level)
        for name in self.outside:
            if not is_bot_name(name):
                expected = f"expected a name of 1 to 24 small letters, digits or -, none of {', '.join(LEVELS)}"
                raise ValueError(f"{name!r}: {expected}")
