"""How bots take their time where whoever comes first acts, and people may want to: each for itself, as people do.

When a bot acts again is drawn before anybody knows what it will do, and from nothing but when it acted last: it tells
nothing. It looks at what is new first, and when the time is nearly over it hurries; where there is something new all
the time it does not wait without end.
"""

import random
from typing import NamedTuple

GAP_SPREAD = 0.45
"""The spread of the logarithm of the time between two acts of a bot."""
SHORTEST_GAP, LONGEST_GAP = 0.5, 2.5
"""The least and the greatest time between two acts, as parts of the mean one."""
FIRST_GAP = 0.75
"""The time until its first act, as a part of that between two later ones."""
LOOKS = 0.5, 2.0
"""How long a bot looks at what is new, at least and at most, as parts of the pause of bots elsewhere."""
LONGEST_DELAY = 2.0
"""The time that new things may keep it from its turn, as a part of the one between two acts."""
HURRY_BEGINS = 20.0
"""Seconds before the end of the time from which bots hurry."""
HURRY = 0.4
"""How long they take then, as a part of what they take otherwise."""


class Pace(NamedTuple):
    """A bot's own pace: when it acted last, or the barter began, and the seconds until it acts again."""

    since: float
    gap: float


class BarterPaces:
    """The paces of the bots of a room, by seat; times are the caller's clock's."""

    def __init__(self, dice: random.Random | None = None) -> None:
        self._dice = dice or random.SystemRandom()
        self._paces: dict[int, Pace] = {}
        self._began = 0.0

    def begin(self, now: float) -> None:
        """A barter begins: nobody has acted."""
        self._paces.clear()
        self._began = now

    def note_act(self, seat: int, now: float) -> None:
        """A bot has acted, or let its turn pass."""
        self._paces[seat] = Pace(now, self._draw_gap())

    def due(self, seat: int, now: float, pause: float, gap: float, left: float) -> float:
        """Return when a bot that sees something new now answers it.

        `pause` is that of bots elsewhere, `gap` the mean time between two acts, `left` the time until the barter ends.
        """
        pace = self._paces.setdefault(seat, Pace(self._began, FIRST_GAP * self._draw_gap()))
        hurry = HURRY if left < HURRY_BEGINS else 1.0
        turn = pace.since + hurry * gap * pace.gap
        look = now + hurry * pause * self._dice.uniform(*LOOKS)
        return max(turn, min(look, pace.since + (1.0 + LONGEST_DELAY) * gap * pace.gap), now)

    def _draw_gap(self) -> float:
        gap = 0.0
        while not SHORTEST_GAP <= gap <= LONGEST_GAP:
            gap = self._dice.lognormvariate(-GAP_SPREAD * GAP_SPREAD / 2, GAP_SPREAD)
        return gap
