"""The settings of a hub and its rooms, in one object."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tavola.bots import LEVELS, bot
from tavola.bots.outside.player import Outside
from tavola.live.bots.thinking import BotFactory
from tavola.live.commands.require import require_level
from tavola.live.log.dice import Dice
from tavola.live.time.delays import Reflexes, Suspense, human_reflexes
from tavola.store import Retention

IDLE_AFTER = 600.0
"""Seconds after which bots in an empty room wait until a person comes."""
READING = 4.0
"""Seconds that negotiating bots give people to read and reply."""
BOT_NAME = re.compile(r"[a-z][a-z0-9-]{0,23}")
"""Pattern of the name of an external bot."""
Clock = Callable[[], float]
"""A clock, in seconds since 1970."""
Affinity = Callable[[str], bool]
"""Function that returns whether this worker serves the connections of a room, by its code."""


def _come_all(code: str) -> bool:
    return True


def is_bot_name(name: str) -> bool:
    """Return whether an external bot can have this name."""
    return name not in LEVELS and BOT_NAME.fullmatch(name) is not None


@dataclass(frozen=True)
class HubSettings:
    """Settings of a hub and its rooms. Raises `BadSetting` for an unknown `level`, `ValueError` for a bad bot name.

    - `bot_pause`: seconds before a bot answers.
    - `bot_stay`: minimum seconds for which a bot stays in a barter while people do.
    - `beat`: seconds before the only possible answer is played automatically; None for never.
    - `reading`: seconds that negotiating bots give people to read and reply before they choose.
    - `level`: of bots that take over a seat; `bots(level, seed)` makes a bot.
    - `scenes`: whether bots and clocks wait until the last action has been shown.
    - `nap`: seconds after which bots in an empty room wait; `retention`: what the store keeps, and for how long.
    - `suspense`: delays before chance outcomes; `reflexes(level, answers)`: a bot's seconds to answer in a race.
    - `has_affinity(code)`: whether this worker serves the room's connections; new rooms get such codes.
    - `dice`: draw chance outcomes and the cast; `outside`: external bots by the names under which hosts seat them.
    - `clock`: the site's clock in seconds since 1970, used in logs and for correspondence; `steady`: a monotonic
      clock, used for tosses, talk windows and bots' reading time.
    """

    bot_pause: float = 0.8
    bot_stay: float = 60.0
    beat: float | None = 1.5
    reading: float = READING
    level: str = "search"
    bots: BotFactory = bot
    scenes: bool = True
    nap: float = IDLE_AFTER
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
        """The levels of bots that a host can seat, and the names of external bots."""
        return (*LEVELS, *self.outside)

    @property
    def has_own_bots(self) -> bool:
        """Whether bots are the built-in ones, which negotiate."""
        return self.bots is bot

    def __post_init__(self) -> None:
        require_level(self.level)
        for name in self.outside:
            if not is_bot_name(name):
                expected = f"expected a name of 1 to 24 lowercase letters, digits or -, except {', '.join(LEVELS)}"
                raise ValueError(f"{name!r}: {expected}")
