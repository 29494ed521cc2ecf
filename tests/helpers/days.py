"""Clocks of a site that tests turn, for correspondence matches."""

import asyncio
import time

from tavola.live import Hub

NOON = 1_800_014_400.0
"""12:00 UTC on a day in January, 13:00 in Rome."""
HOUR = 3600
"""Seconds that no test takes, for clocks of the product that must not run out during a test."""
MINUTE = 60
"""Tolerance in seconds when a test compares times: a machine may pause in between."""


class SiteClock:
    """A clock of the site that runs only when it is turned."""

    def __init__(self, at: float = NOON) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at

    async def turn(self, hub: Hub, seconds: float) -> None:
        """Let `seconds` pass and have the site check its deadlines, as it does regularly."""
        self.at += seconds
        await hub.update_deadlines()
        await asyncio.sleep(0.05)


class RunningClock:
    """A clock of the site that runs like the computer's, `ahead` seconds ahead of it."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead
