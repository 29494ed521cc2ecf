"""Tempers: how bots negotiate. Members of the cast have one each (`tavola.live.log.occupants`), besides their level."""

from typing import NamedTuple

from tavola.bargain.heard import Heard, Promise
from tavola.core import Refusal


class BadTemper(Refusal):
    """An unknown temper."""


class Temper(NamedTuple):
    """A way of negotiating. Gains and worths are fractions of a match, as a search measures them: 1 is a sure win.

    `budget`: unprompted statements per decision; `eagerness`: the share of decisions at which it speaks; `margin`: the
    minimum gain for a statement; `goodwill`: the accepted cost of a favour; `honour`: factor of what its promise is
    worth to it, the price at which it breaks one; `steadfast`: it breaks none at any price, if it can keep it; `trust`:
    kept and broken promises assumed of strangers; `lies`: it claims what pays, true or not, unasked; `whispers`: its
    offers are whispered; `threatens`: it threatens seats that would harm it, and not only those that have wronged it;
    `forgives`: it does not ask for amends nor warn others.
    """

    name: str
    budget: int = 1
    eagerness: float = 0.6
    margin: float = 0.004
    goodwill: float = 0.004
    honour: float = 1.0
    trust: tuple[float, float] = (2.0, 1.0)
    lies: bool = False
    whispers: bool = False
    threatens: bool = False
    steadfast: bool = False
    forgives: bool = False


ALL = (
    Temper("faithful", goodwill=0.012, honour=4.0, trust=(3.0, 1.0), steadfast=True),
    Temper("treacherous", budget=2, eagerness=0.9, margin=0.0025, honour=0.1, lies=True, whispers=True),
    Temper("careful", eagerness=0.5, margin=0.006, goodwill=0.002, trust=(1.5, 1.5)),
    Temper("bold", budget=2, eagerness=0.9, margin=0.0025, honour=0.4, trust=(3.0, 1.5), lies=True, threatens=True),
    Temper(
        "stubborn", eagerness=0.5, margin=0.008, goodwill=0.0, honour=2.0, trust=(1, 1), threatens=True, steadfast=True
    ),
    Temper("gambler", budget=2, eagerness=0.8, margin=0.0015, honour=0.2, trust=(4.0, 1.0), lies=True, whispers=True),
    Temper("reckoner", eagerness=0.8, margin=0.003, honour=0.7),
    Temper("silent", eagerness=0.12, margin=0.012, goodwill=0.006, honour=2.0, steadfast=True, forgives=True),
)
TEMPERS = {temper.name: temper for temper in ALL}
"""All tempers by name."""


def temper_of(name: str) -> Temper:
    """Return the temper of a name; raise `BadTemper` for an unknown one."""
    if name not in TEMPERS:
        raise BadTemper(f"temper {name[:60]!r}: expected one of {', '.join(TEMPERS)}")
    return TEMPERS[name]


BREACH_WEIGHT = 2.0
"""Weight of a broken promise relative to a kept one: the breaker chose the moment."""
WORD_WORTH = 0.06
"""The worth of a promise at the start of a match where none has been kept yet, as a fraction of a match."""
KEPT_WORTH = 0.02
"""Added for each promise that others have kept to this seat."""
MOST_KEPT = 4
END = 0.05
"""The share of the match before its end in which a promise is worth nothing."""


def trust(heard: Heard, seat: int, temper: Temper) -> float:
    """Return the chance that a seat keeps its promises, 0 to 1."""
    return chance_of_keeping(*heard.reputation(seat), *temper.trust)


def chance_of_keeping(kept: float, broken: float, good: float, bad: float) -> float:
    """Return the posterior mean of keeping a promise, from the prior counts `good` and `bad`."""
    return (good + kept) / (good + bad + kept + BREACH_WEIGHT * broken)


def likelihood_of(heard: Heard, promise: Promise, temper: Temper) -> float:
    """Return the chance that a promise is kept, including that of the deed it waits for."""
    others = 1.0 if promise.waits_for in (None, heard.seat) else trust(heard, promise.waits_for, temper)
    return others * trust(heard, promise.seat, temper)


def promise_worth(heard: Heard, temper: Temper, left: float) -> float:
    """Return the worth of its own promise to a seat, as a fraction of a match.

    It grows with the promises that others have kept at this table and with this seat's reputation. It ends with the
    match, of which the share `left` is still to come.
    """
    others = {each.statement.speaker for each in heard.said} - {heard.seat}
    kept = min(MOST_KEPT, sum(heard.record(seat)[0] for seat in others))
    reputation = trust(heard, heard.seat, temper)
    return temper.honour * max(0.0, left - END) * reputation * (WORD_WORTH + KEPT_WORTH * kept)
