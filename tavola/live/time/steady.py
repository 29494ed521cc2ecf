"""Deadlines in seconds, by a clock that only goes forward.

The wall clock can be set at any moment, as when a machine resumes. Logs, pages and deadlines in days use it. Deadlines
in seconds use the loop's clock: a time in the log is converted once, within a bound.
"""

import time
from collections.abc import Callable

STEP = 1.0
"""Seconds by which the wall clock must move against the loop's to count as set."""


class SteadyClock:
    """The clocks of a server. `wall` returns seconds since 1970; the loop's clock is `time.monotonic`.

    `steady`: the clock for deadlines in seconds, the loop's unless a test stops it.
    """

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float] = time.monotonic) -> None:
        self._wall, self.steady, self.started = wall, steady, time.monotonic()
        self._offset = wall() - self.started

    def moment_of(self, steady: float) -> float:
        """Return the moment of the loop's clock at which the steady one reaches a time, if it runs from now on."""
        return steady if self.steady is time.monotonic else steady - self.steady() + time.monotonic()

    def wall_at(self, moment: float) -> float:
        """Return the wall clock's time at a moment of the loop's: the same each time, unless it is set.

        The process may be suspended between two readings, so the offset is updated only if it does not fit both.
        """
        before, wall, after = time.monotonic(), self._wall(), time.monotonic()
        if not wall - after - STEP <= self._offset <= wall - before + STEP:
            self._offset = wall - after
        return moment + self._offset

    def elapsed(self, since: float) -> float | None:
        """Return the seconds since a time in the log of this server; None if the clock has been set meanwhile."""
        elapsed = self._wall() - since
        return elapsed if 0 <= elapsed <= time.monotonic() - self.started else None

    def left(self, until: float, longest: float) -> float:
        """Return the seconds until a time in the log, at most `longest`."""
        return min(max(0.0, until - self._wall()), longest)


class Deadlines:
    """The deadlines in one room's log, each converted when it is first requested."""

    def __init__(self, clock: SteadyClock) -> None:
        self._clock = clock
        self._known: dict[str, tuple[float, float]] = {}

    def moment(self, kind: str, until: float, longest: float) -> float:
        """Return the moment of the loop's clock at which a deadline ends, at most `longest` seconds from now."""
        known = self._known.get(kind)
        if known is None or known[0] != until:
            known = self._known[kind] = until, self._clock.steady() + self._clock.left(until, longest)
        return self._clock.moment_of(known[1])

    def shown(self, kind: str, until: float, longest: float) -> float:
        """Return a deadline by the wall clock: as in the log, unless the clock has been set."""
        now = self._clock.wall_at(self.moment(kind, until, longest))
        return until if abs(now - until) <= STEP else now
