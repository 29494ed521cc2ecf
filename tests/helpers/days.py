"""Clocks of the site that tests turn, for matches over days."""

import asyncio
import time

from tavola.live import Hub

NOON = 1_800_014_400.0
"""12:00 in UTC of a day in January: 13:00 in Rome."""


HOUR = 3600
"""Seconds that no test lasts: of clocks of the product that must not run out while a test is at work."""
MINUTE = 60
"""Seconds by which a time may be off that a test compares with another: a machine may stand still in between."""


class SiteClock:
    """A clock of the site that stands still until it is turned."""

    def __init__(self, at: float = NOON) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at

    async def turn(self, hub: Hub, seconds: float) -> None:
        """Let time pass, and the site look at it, as it does by itself some seconds later."""
        self.at += seconds
        await hub.look_at_dues()
        await asyncio.sleep(0.05)


class RunningClock:
    """A clock of the site that goes as the computer's does, as many seconds ahead as a test says."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead
