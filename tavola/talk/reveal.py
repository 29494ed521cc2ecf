"""The reveal of promises after cards are turned: seals for those kept, then cracks for broken ones.

Its duration is known to all sides; it is 0 if no public promise was settled.
"""

from typing import NamedTuple

from tavola.core import Moment
from tavola.show.board import PACES
from tavola.talk.conversation import Conversation, Said
from tavola.talk.statements import Status

SEALS, CRACK = 700, 1400
"""Milliseconds that the seals and the first crack are shown at a calm pace."""
SEAL, NEXT_SEAL, NEXT_CRACK = 260, 120, 350
"""Milliseconds of one seal, and intervals between several seals or cracks."""


class Reveal(NamedTuple):
    """The public promises settled at one moment: kept ones, then broken ones."""

    kept: tuple[Said, ...]
    broken: tuple[Said, ...]

    @property
    def lengths(self) -> tuple[int, int]:
        """The milliseconds of the seals and of the cracks at a calm pace."""
        seals = max(SEALS, SEAL + NEXT_SEAL * (len(self.kept) - 1)) if self.kept else 0
        return seals, CRACK + NEXT_CRACK * (len(self.broken) - 1) if self.broken else 0

    def milliseconds(self, pace: str) -> tuple[int, int]:
        seals, cracks = self.lengths
        return round(seals * PACES[pace]), round(cracks * PACES[pace])


def reveal_at(talk: Conversation | None, moment: Moment) -> Reveal:
    """Return the public promises settled by the action that led to a moment; whispered ones are left out."""
    judged = [said for said in talk.said if said.judged_at == moment] if talk is not None else []
    public = [said for said in judged if said.trial is not None and said.is_heard_by(None)]
    kept, broken = (tuple(said for said in public if said.status is status) for status in (Status.KEPT, Status.BROKEN))
    return Reveal(kept, broken)
