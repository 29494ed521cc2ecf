"""Trust: how surely a seat keeps its word, by what it has kept and broken; and what one's own word is worth.

Keeping is taken for a coin of unknown bias: a Beta distribution that begins with what a temper expects of strangers and
counts each word. Source: Jøsang and Ismail, "The beta reputation system", 2002.
"""

from tavola.bargain.heard import Heard, Word
from tavola.bargain.tempers import Temper

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
