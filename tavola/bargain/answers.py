"""A bot's answers: to agree, to decline, or to make a counter-offer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from tavola.bargain.foresight import Prospect, fitting
from tavola.bargain.heard import Heard, asked_deed
from tavola.bargain.outlook import Outlook
from tavola.bargain.proposals import LEAST_TRUST, Proposing, breaches_to_settle
from tavola.bargain.tempers import Temper, trust
from tavola.core import View
from tavola.talk import Act, Deed, Pattern, Said, Statement, When

MOST_ANSWERS = 3
"""Maximum answers per decision."""
FAVOUR = 0.004
"""Additional cost accepted for each promise that the asker has kept to this seat and that is not repaid yet."""
MOST_FAVOURS = 3
EMPTY_WORD = 0.1
"""Cost accepted by a bot that does not intend to keep its promise."""
MAKING_UP = 0.02
"""Additional cost accepted to make up for a broken promise."""
LATER_WORTH = 0.01
"""The assumed worth of a deed promised for later, which cannot be judged yet."""
HONEST = 0.3
"""The honour above which a bot makes no promise that it would break at once."""
SAME_KIND_COST = -0.5
"""The assumed cost of a deed that is impossible."""


@dataclass
class Answering:
    """The answers of one seat.

    `foresee()` returns its prospect and its outlook, on demand. `keeps(view, heard, prospect, patterns)` is true if it
    would keep all of these promises, the last of which it has not made yet.
    """

    view: View
    heard: Heard
    temper: Temper
    foresee: Callable[[], tuple[Prospect | None, Outlook]]
    keeps: Callable[[View, Heard, Prospect, Sequence[Pattern]], bool]
    given: list[Pattern] = field(default_factory=list)  # promises made in these answers

    def statements(self, asked: Sequence[Said]) -> list[Statement]:
        """Return the answers to `asked`, the latest first."""
        left = MOST_ANSWERS - sum(said.statement.answers is not None for said in self.heard.said_now())
        answers = (self._answer(said) for said in reversed(asked))
        return [statement for answer in islice(answers, max(0, left)) for statement in answer]

    def _answer(self, said: Said) -> list[Statement]:
        statement = said.statement
        if statement.act is Act.ASK:
            asks_fact = statement.fact is not None and self._decides()
            if asks_fact and (claim := self._proposing().claim()) is not None:
                return [claim]
            return [] if statement.to is None else [Statement(self.heard.seat, Act.DECLINE, answers=said.number)]
        if (deed := asked_deed(said)) is not None and self._agrees(said, deed):
            self.given.append(deed.pattern)
            return [Statement(self.heard.seat, Act.ACCEPT, answers=said.number)]
        if statement.to is None:
            return []
        return [Statement(self.heard.seat, Act.DECLINE, answers=said.number), *self._counter(said, deed)]

    def _agrees(self, said: Said, deed: Deed) -> bool:
        speaker = said.statement.speaker
        if not self._decides() or deed.when is not When.NOW:
            return False
        if not self.heard.language.kind(deed.pattern.verb).bargained:
            return False
        prospect, outlook = self.foresee()
        words, is_honest = [*self.given, deed.pattern], self.temper.honour > HONEST
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
        favours = FAVOUR * min(MOST_FAVOURS, max(0, self.heard.favours(speaker)))
        empty = EMPTY_WORD * max(0.0, 1.0 - self.temper.honour) if self.temper.honour <= HONEST else 0.0
        owed = MAKING_UP * min(1.0, self.temper.honour) if self.heard.owes(speaker) else 0.0
        return self.temper.goodwill * trust(self.heard, speaker, self.temper) + favours + empty + owed

    def _own_worth(self, outlook: Outlook, deed: Pattern) -> float:
        """Return the worth of a deed to this seat, negative for a cost; in a long turn, including its later steps."""
        fits = fitting(self.view, self.view.legal, deed)
        if not fits.any():
            return SAME_KIND_COST
        if fits.all() and not self.heard.language.kind(deed.verb).whole_turn:
            return 0.0
        if (worth := outlook.worth(self.heard.seat, deed)) is None:
            return 0.0 if fits.all() else SAME_KIND_COST
        return float(worth.by_seat[self.heard.seat])

    def _offered_worth(self, outlook: Outlook, said: Said) -> float:
        offered = said.statement.deed
        assert offered is not None
        if offered.when is not When.NOW:
            return LATER_WORTH
        worth = outlook.worth(said.statement.speaker, offered.pattern)
        return 0.0 if worth is None else float(worth.by_seat[self.heard.seat])

    def _counter(self, said: Said, deed: Deed | None) -> list[Statement]:
        spoken = sum(each.statement.answers is None for each in self.heard.said_now())
        other = said.statement.speaker
        may_speak = other in self.view.to_act and spoken < self.temper.budget
        if deed is None or not may_speak or not self._decides() or deed.when is not When.NOW:
            return []
        if trust(self.heard, other, self.temper) < LEAST_TRUST:
            return self._demand(other)
        offer = self._proposing(other).offer(other, deed.pattern)
        return [] if offer is None else [offer.statement]

    def _proposing(self, *partners: int) -> Proposing:
        return Proposing(self.view, self.heard, self.temper, self.foresee()[1], partners)

    def _demand(self, other: int) -> list[Statement]:
        """Return what a seat that is not trusted must do first."""
        if not breaches_to_settle(self.heard, other, self.temper):
            return []
        return [proposal.statement for proposal in self._proposing(other).amends(other)]

    def _decides(self) -> bool:
        return self.heard.seat in self.view.to_act and len(self.view.legal) > 1 and not self.view.open
