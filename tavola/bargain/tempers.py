"""Tempers: how a bot bargains. The cast has one each (`tavola.live.log.occupants`); how well it plays is its level."""

from typing import NamedTuple

from tavola.bargain.heard import Heard, Word
from tavola.core import Refusal


class BadTemper(Refusal):
    """A temper that does not exist."""


class Temper(NamedTuple):
    """A way of bargaining. Gains and worths are parts of a match, as a search measures them: 1 is a sure win.

    `budget`: statements of one's own accord a decision; `eagerness`: the share of decisions at which it speaks up;
    `margin`: the gain for which it troubles others; `goodwill`: what a favour may cost it; `honour`: what its word is
    worth to it, in what a word is worth at the table; `trust`: how many words kept, and how many broken, strangers are
    taken to have on record; `lies`: it claims what pays, unasked; `whispers`: its offers are for one pair of ears;
    `threatens`: it says what it would do to whoever harms it.
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


TEMPERS: dict[str, Temper] = {
    temper.name: temper
    for temper in (
        Temper("faithful", goodwill=0.012, honour=4.0, trust=(3.0, 1.0)),
        Temper("treacherous", budget=2, eagerness=0.9, margin=0.0025, honour=0.05, lies=True, whispers=True),
        Temper("careful", eagerness=0.5, margin=0.006, goodwill=0.002, trust=(1.5, 1.5)),
        Temper("bold", budget=2, eagerness=0.9, margin=0.0025, honour=0.8, trust=(3.0, 1.5), lies=True, threatens=True),
        Temper("stubborn", eagerness=0.5, margin=0.008, goodwill=0.0, honour=2.0, trust=(1.0, 1.0), threatens=True),
        Temper(
            "gambler", budget=2, eagerness=0.8, margin=0.0015, honour=0.5, trust=(4.0, 1.0), lies=True, whispers=True
        ),
        Temper("reckoner", eagerness=0.8, margin=0.003),
        Temper("silent", budget=1, eagerness=0.12, margin=0.012, goodwill=0.006, honour=2.0),
    )
}
"""Every temper, by name."""


def temper_of(name: str) -> Temper:
    """Return the temper of a name, or refuse with those that there are."""
    if name not in TEMPERS:
        raise BadTemper(f"temper {name[:60]!r}: expected one of {', '.join(TEMPERS)}")
    return TEMPERS[name]


BREACH_WEIGHT = 2.0
"""One broken word weighs as many kept ones: who breaks chose the moment."""
WORD_WORTH = 0.06
"""The worth of a word at a table where nobody has kept one yet, in parts of a match, when the match begins."""
KEPT_WORTH = 0.02
"""What each word that others have kept to this seat adds to it."""
MOST_KEPT = 4
END = 0.05
"""The share of the match before its end in which a word is worth nothing any more."""


def trust(heard: Heard, seat: int, temper: Temper) -> float:
    """Return the chance that a seat keeps its word, 0 to 1."""
    return chance_of_keeping(*heard.record(seat), *temper.trust)


def chance_of_keeping(kept: int, broken: int, good: float, bad: float) -> float:
    """Return the mean of the distribution that began with `good` and `bad`, after so many words."""
    return (good + kept) / (good + bad + kept + BREACH_WEIGHT * broken)


def likelihood_of(heard: Heard, word: Word, temper: Temper) -> float:
    """Return the chance that a word is kept: who waits for another's deed does so only if that is done."""
    others = 1.0 if word.waits_for in (None, heard.seat) else trust(heard, word.waits_for, temper)
    return others * trust(heard, word.seat, temper)


def word_worth(heard: Heard, temper: Temper, left: float) -> float:
    """Return what its own word is worth to a seat, in parts of a match.

    It grows with the words that others have kept at this table, goes with what others may think of this seat, and
    ends with the match, of which the share `left` is still to come.
    """
    kept = min(MOST_KEPT, sum(heard.record(seat)[0] for seat in _speakers(heard) if seat != heard.seat))
    reputation = trust(heard, heard.seat, temper)
    return temper.honour * max(0.0, left - END) * reputation * (WORD_WORTH + KEPT_WORTH * kept)


def _speakers(heard: Heard) -> set[int]:
    return {each.statement.speaker for each in heard.said}
