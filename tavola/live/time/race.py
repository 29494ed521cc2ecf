"""Races: which of several answers was first, by the room's own clock.

Times sent by clients are not trusted. An answer's time is from when it was shown to everyone until it arrived at the
socket. The round trip is measured by echoes and subtracted, at most `MOST_TRIP`. The kernel's own measurement of the
connection, if there is one, is a limit too. So delaying echoes gains nothing on a direct connection.

Known limits: behind a proxy the kernel measures only the connection to the proxy. Players who delay their echoes there,
or write their own TCP, gain at most `MOST_TRIP` less their own round trip. By feigning jitter, a player can turn a
result within `MOST_JITTER` into a tie. An answer that is too soon is wrong and the slowest, and only the first answer
counts.
"""

import secrets
import statistics
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cachetools import FIFOCache

from tavola.core import Game

SHORTEST_REACTION = 0.1
"""Minimum seconds in which a person can see, choose and move; a faster answer is a guess."""
MOST_TRIP = 0.08
"""Maximum seconds subtracted for a round trip."""
MOST_JITTER = 0.025
"""Maximum seconds by which a round trip is considered uncertain."""
RESOLUTION = 0.004
"""Seconds between two arrivals that a busy server cannot distinguish."""
ECHOES_KEPT = 12
"""Echoes by which a round trip is measured, and the maximum pending."""


class Arrival(NamedTuple):
    """The arrival of a message, by `time.monotonic`, and the round trip of its connection; all in seconds."""

    at: float
    trip: float = 0.0
    jitter: float = 0.0

    @classmethod
    def now(cls) -> "Arrival":
        """Return the arrival of a message on an unmeasured connection: nothing is subtracted."""
        return cls(time.monotonic())


class Reaction(NamedTuple):
    """The time of an answer: `after` seconds from being shown to its arrival, `trip` of them in transit."""

    after: float
    trip: float = 0.0
    jitter: float = 0.0

    @classmethod
    def of(cls, arrival: Arrival, shown: float) -> "Reaction":
        """Return the reaction of a message that arrived after something was shown, by the same clock."""
        return cls(*(round(seconds, 6) for seconds in (arrival.at - shown, arrival.trip, arrival.jitter)))

    @property
    def seconds(self) -> float:
        """Return the seconds that the answer took without the trip."""
        return self.after - self.trip

    @property
    def too_soon(self) -> bool:
        """Return whether the answer was too quick for a person."""
        return self.seconds < SHORTEST_REACTION


def first_outcomes(game: Game, outcomes: Sequence[int], reactions: Mapping[int, Reaction]) -> list[int]:
    """Return the chance outcomes that are possible by the reaction times: one, or several for chance to decide.

    If a time is unknown, as after a restart, no seat was first, since the times cannot be compared. A guess, an answer
    that is too soon, is slower than every other answer.
    """
    named = {game.race_winner(outcome): outcome for outcome in outcomes}
    nobody, racers = named.pop(None, None), {seat for seat in named if seat is not None}
    answered = [seat for seat in racers if seat in reactions and not reactions[seat].too_soon]
    if racers <= reactions.keys() and answered:
        best = min((reactions[seat] for seat in answered), key=lambda one: one.seconds)
        # Times that cannot be distinguished are tied; the best always ties with itself.
        blurred = {seat: reactions[seat].jitter + best.jitter + RESOLUTION for seat in answered}
        alike = [seat for seat in answered if reactions[seat].seconds - best.seconds <= blurred[seat]]
    else:
        alike = list(racers)
    return [nobody] if len(alike) > 1 and nobody is not None else sorted(named[seat] for seat in alike)


class Echoes:
    """The round trip of one connection, measured by echoes. All times are by one clock, in seconds."""

    def __init__(self) -> None:
        self._sent_at: FIFOCache[str, float] = FIFOCache(ECHOES_KEPT)
        self._trips: deque[float] = deque(maxlen=ECHOES_KEPT)

    def new_token(self, now: float) -> str:
        """Return the token of an echo sent now; it is random, so that it cannot be answered before."""
        token = secrets.token_urlsafe(9)
        self._sent_at[token] = now
        return token

    def accept(self, token: str, now: float) -> bool:
        """Take an answer; return whether it is the first to an echo that was sent not long ago."""
        asked = self._sent_at.pop(token, None)
        if asked is not None:
            self._trips.append(now - asked)
        return asked is not None

    def arrival(self, now: float, line_trip: float | None = None) -> Arrival:
        """Return the arrival of a message now. The shortest round trip counts: longer ones were delayed.

        `line_trip`: the round trip that the kernel measures, None if it cannot; at most this is subtracted.
        """
        if not self._trips:
            return Arrival(now)
        shortest = min(self._trips)
        most = MOST_TRIP if line_trip is None else min(MOST_TRIP, line_trip)
        return Arrival(now, min(shortest, most), min(statistics.median(self._trips) - shortest, MOST_JITTER))
