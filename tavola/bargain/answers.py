"""What a bot answers: whether to agree, to decline, or to offer something else."""

from collections.abc import Callable, Sequence
from itertools import islice

from tavola.bargain.foresight import Prospect, fitting
from tavola.bargain.heard import Heard, asked_deed
from tavola.bargain.outlook import Outlook
from tavola.bargain.proposals import LEAST_TRUST, Proposing
from tavola.bargain.tempers import Temper, trust
from tavola.core import View
from tavola.talk import Act, Deed, Pattern, Said, Statement, When

MOST_ANSWERS = 3
"""Answers a decision: whoever is asked more often than that says nothing."""
FAVOUR = 0.004
"""What each word that the asker has kept to this seat, and not yet been repaid, may cost beyond goodwill."""
MOST_FAVOURS = 3
EMPTY_WORD = 0.02
"""What agreeing may cost whoever does not mean to keep it."""
LATER_WORTH = 0.01
"""The worth of a deed that is promised for later, which nobody can judge yet."""
HONEST = 0.3
"""The honour above which nobody gives a word that he would break at once."""
SAME_KIND_COST = -0.5
"""What cannot be done at all."""


class Answering:
    """The answers of one seat.

    `foresee()` finds its prospect and its outlook, where they are needed; `keeps(view, heard, prospect, patterns)` is
    true of more words, the last of which it has not given yet, where it would keep them all.
    """

    def __init__(
        self,
        view: View,
        heard: Heard,
        temper: Temper,
        foresee: Callable[[], tuple[Prospect | None, Outlook]],
        keeps: Callable[[View, Heard, Prospect, Sequence[Pattern]], bool],
    ) -> None:
        assert view.seat is not None
        self.keeps = keeps
        self.view, self.heard, self.temper, self.foresee = view, heard, temper, foresee
        self.seat = view.seat
        self.given: list[Pattern] = []  # words that it gives in these very answers

    def statements(self, asked: Sequence[Said]) -> list[Statement]:
        """Return the answers to what was asked, the latest first."""
        left = MOST_ANSWERS - sum(said.statement.answers is not None for said in self.heard.said_now())
        answers = (self._answer(said) for said in reversed(asked))
        return [statement for answer in islice(answers, max(0, left)) for statement in answer]

    def _answer(self, said: Said) -> list[Statement]:
        statement = said.statement
        if statement.act is Act.ASK:
            return self._answer_question(said)
        deed = asked_deed(said)
        if deed is not None and self._agrees(said, deed):
            self.given.append(deed.pattern)
            return [Statement(self.seat, Act.ACCEPT, answers=said.number)]
        if statement.to is None:
            return []
        return [Statement(self.seat, Act.DECLINE, answers=said.number), *self._counter(said, deed)]

    def _answer_question(self, said: Said) -> list[Statement]:
        if said.statement.fact is not None and self._decides():
            _, outlook = self.foresee()
            claim = Proposing(self.view, self.heard, self.temper, outlook, ()).claim()
            if claim is not None:
                return [claim]
        to_me = said.statement.to is not None
        return [Statement(self.seat, Act.DECLINE, answers=said.number)] if to_me else []

    def _agrees(self, said: Said, deed: Deed) -> bool:
        speaker = said.statement.speaker
        if not self._decides() or deed.when is not When.NOW:
            return False
        prospect, outlook = self.foresee()
        is_honest = self.temper.honour > HONEST
        words = [*self.given, deed.pattern]
        if is_honest and prospect is not None and not self.keeps(self.view, self.heard, prospect, words):
            return False
        cost = self._own_worth(outlook, deed.pattern)
        if said.statement.act is Act.REQUEST:
            return cost >= -self._favour(speaker)
        if trust(self.heard, speaker, self.temper) < LEAST_TRUST:
            return False
        gain = self._offered_worth(outlook, said) * trust(self.heard, speaker, self.temper)
        return gain + cost * min(1.0, self.temper.honour) > self.temper.margin / 2

    def _favour(self, speaker: int) -> float:
        """Return what agreeing to a request of a seat may cost."""
        favours = FAVOUR * min(MOST_FAVOURS, max(0, self.heard.favours(speaker)))
        empty = EMPTY_WORD * max(0.0, 1.0 - self.temper.honour)
        return self.temper.goodwill * trust(self.heard, speaker, self.temper) + favours + empty

    def _own_worth(self, outlook: Outlook, deed: Pattern) -> float:
        """Return what a deed brings this seat, below 0 what it costs; of a long turn also what comes later in it."""
        fits = fitting(self.view, self.view.legal, deed)
        if not fits.any():
            return SAME_KIND_COST
        if fits.all() and not self.heard.language.kind(deed.verb).whole_turn:
            return 0.0
        worth = outlook.worth(self.seat, deed)
        if worth is None:
            return 0.0 if fits.all() else SAME_KIND_COST
        return float(worth.by_seat[self.seat])

    def _offered_worth(self, outlook: Outlook, said: Said) -> float:
        offered = said.statement.deed
        assert offered is not None
        if offered.when is not When.NOW:
            return LATER_WORTH
        worth = outlook.worth(said.statement.speaker, offered.pattern)
        return 0.0 if worth is None else float(worth.by_seat[self.seat])

    def _counter(self, said: Said, deed: Deed | None) -> list[Statement]:
        """Return an offer of what was wanted for something that is worth it, where there is such a thing."""
        spoken = sum(each.statement.answers is None for each in self.heard.said_now())
        other = said.statement.speaker
        if deed is None or not self._decides() or deed.when is not When.NOW or spoken >= self.temper.budget:
            return []
        if other not in self.view.to_act or trust(self.heard, other, self.temper) < LEAST_TRUST:
            return []
        _, outlook = self.foresee()
        offer = Proposing(self.view, self.heard, self.temper, outlook, (other,)).offer(other, deed.pattern)
        return [] if offer is None else [offer.statement]

    def _decides(self) -> bool:
        return self.seat in self.view.to_act and len(self.view.legal) > 1 and not self.view.open
