"""The reveal of words: after the cards have been turned seals for those that were kept, cracks for the others.

Its length is known to who shows it and to who waits for it; where no word was due that all had heard it takes no time.
"""

from typing import NamedTuple

from tavola.core import Moment
from tavola.show.board import PACES
from tavola.talk.conversation import Conversation, Said
from tavola.talk.statements import Status

SEALS, CRACK = 700, 1400
"""Milliseconds that the seals and the first crack are shown at a calm pace."""
SEAL, NEXT_SEAL, NEXT_CRACK = 260, 120, 350
"""Milliseconds of one seal, and from one to the next of several."""


class Reveal(NamedTuple):
    """The words of one moment that all had heard: first those that were kept, then those that were broken."""

    kept: tuple[Said, ...]
    broken: tuple[Said, ...]

    @property
    def lengths(self) -> tuple[int, int]:
        """Return how long the seals and the cracks stay at a calm pace, in milliseconds."""
        seals = max(SEALS, SEAL + NEXT_SEAL * (len(self.kept) - 1)) if self.kept else 0
        return seals, CRACK + NEXT_CRACK * (len(self.broken) - 1) if self.broken else 0

    def milliseconds(self, pace: str) -> tuple[int, int]:
        """Return the same at a pace."""
        seals, cracks = self.lengths
        return round(seals * PACES[pace]), round(cracks * PACES[pace])


def reveal_at(talk: Conversation | None, moment: Moment) -> Reveal:
    """Return what all learn of words with the action that led to a moment; of whispers two alone know."""
    judged = [said for said in talk.said if said.judged_at == moment and _is_public(said)] if talk is not None else []
    kept, broken = (tuple(said for said in judged if said.status is status) for status in (Status.KEPT, Status.BROKEN))
    return Reveal(kept, broken)


def _is_public(said: Said) -> bool:
    return said.trial is not None and said.is_heard_by(None)
