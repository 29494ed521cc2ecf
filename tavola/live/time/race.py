"""Races: who of several answered first, by the room's own clock.

Nobody's word is taken for a time. An answer counts from when it was shown to everybody to when it came in at the
socket; what the way there and back takes is measured by echoes and taken out, no more of it than the server's own
kernel measures of the line, where it does, and at most `MOST_TRIP`. So to delay echoes gains nothing on a line of one's
own. What is left: behind a proxy the kernel knows only the line to the proxy, and whoever delays his echoes there, or
writes his own TCP, looks quicker by `MOST_TRIP` less his own way at the most. Within `MOST_JITTER` each can have thrown
anew what he has lost, and what he has won. To be too soon is a wrong answer and the slowest, and the first answer is
the only one.
"""

import secrets
import statistics
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tavola.core import Game

SHORTEST_REACTION = 0.1
"""Seconds in which nobody sees, chooses and moves: who answers sooner has guessed."""
MOST_TRIP = 0.08
"""Seconds of somebody's way there and back that are taken out at most."""
MOST_JITTER = 0.025
"""Seconds by which a way is thought uncertain at most."""
RESOLUTION = 0.004
"""Seconds between two arrivals that a busy server cannot tell apart."""
ECHOES_KEPT = 12
"""Echoes by which a way is measured; as many may be under way."""


class Arrival(NamedTuple):
    """The arrival of a message, by `time.monotonic`, and the way there and back of its line; all in seconds."""

    at: float
    trip: float = 0.0
    jitter: float = 0.0

    @classmethod
    def now(cls) -> "Arrival":
        """Of what comes over a line that nobody has measured: nothing is taken out."""
        return cls(time.monotonic())


class Reaction(NamedTuple):
    """The time that an answer took: `after` seconds from the showing to its arrival, `trip` of them on the way."""

    after: float
    trip: float = 0.0
    jitter: float = 0.0

    @classmethod
    def of(cls, arrival: Arrival, shown: float) -> "Reaction":
        """Of a message that came in after something had been shown, by the same clock."""
        return cls(*(round(seconds, 6) for seconds in (arrival.at - shown, arrival.trip, arrival.jitter)))

    @property
    def seconds(self) -> float:
        """Return the seconds that the answer took by itself."""
        return self.after - self.trip

    @property
    def too_soon(self) -> bool:
        """True when nobody can have answered so quickly."""
        return self.seconds < SHORTEST_REACTION


def first_outcomes(game: Game, outcomes: Sequence[int], reactions: Mapping[int, Reaction]) -> list[int]:
    """Return the outcomes of chance that the clocks leave: one, or several between which chance decides.

    Where somebody's time is not known, as after a restart, nobody was first: none of them can be compared. A guess, an
    answer sooner than anybody can give, is slower than every answer that is none.
    """
    named = {game.race_winner(outcome): outcome for outcome in outcomes}
    nobody, racers = named.pop(None, None), {seat for seat in named if seat is not None}
    answered = [seat for seat in racers if seat in reactions and not reactions[seat].too_soon]
    if racers <= reactions.keys() and answered:
        best = min(answered, key=lambda seat: reactions[seat].seconds)
        alike = [seat for seat in answered if _is_tied(reactions[seat], reactions[best])]
    else:
        alike = list(racers)
    if len(alike) > 1 and nobody is not None:
        return [nobody]
    return sorted(named[seat] for seat in alike)


def _is_tied(one: Reaction, best: Reaction) -> bool:
    """True when two times cannot be told apart; the best cannot be told from itself."""
    return one.seconds - best.seconds <= one.jitter + best.jitter + RESOLUTION


class Echoes:
    """The way there and back of one line, measured by what it answers at once. All times by one clock, in seconds."""

    def __init__(self) -> None:
        self._sent_at: dict[str, float] = {}
        self._trips: deque[float] = deque(maxlen=ECHOES_KEPT)

    def new_token(self, now: float) -> str:
        """A new echo, sent now: a word that cannot be answered before it was sent."""
        token = secrets.token_urlsafe(9)
        self._sent_at[token] = now
        if len(self._sent_at) > ECHOES_KEPT:
            del self._sent_at[next(iter(self._sent_at))]
        return token

    def accept(self, token: str, now: float) -> bool:
        """Take an answer; return True when it is one: to an echo that was sent not long ago, for the first time."""
        asked = self._sent_at.pop(token, None)
        if asked is not None:
            self._trips.append(now - asked)
        return asked is not None

    def arrival(self, now: float, line_trip: float | None = None) -> Arrival:
        """Of a message that came in now. The shortest way counts: what took longer was delayed by something.

        `line_trip` is what the kernel measures of the line there and back, None where it cannot: no more is taken out.
        """
        if not self._trips:
            return Arrival(now)
        shortest = min(self._trips)
        spread = statistics.median(self._trips) - shortest
        most = MOST_TRIP if line_trip is None else min(MOST_TRIP, line_trip)
        return Arrival(now, min(shortest, most), min(spread, MOST_JITTER))
