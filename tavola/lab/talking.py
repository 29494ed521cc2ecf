"""Talk between bots in simulation: when a decision opens they speak, answer each other, and then choose.

Nobody hears more than at a table: each is told what its seat has heard, and the same conversation judges it all.
"""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple

import msgspec
import numpy as np
from rich.table import Table

from tavola.bargain import Bargainer, Heard
from tavola.bargain.tempers import chance_of_keeping
from tavola.bots import Bot
from tavola.core import CHANCE, Match, Moment, View
from tavola.core.rng import random_fraction
from tavola.lab.intervals import Interval, wilson_interval
from tavola.talk import WORD_ACTS, Act, BadStatement, Conversation, Said, Statement, Status, language_of
from tavola.talk.trial import Trial

TIMES = ("seconds", "ahead")
ROUNDS = 3
"""Times that everybody is asked before all choose: who speaks, who answers, and who answers that."""
STRANGER = 2.0, 1.0
"""What the table expects of somebody of whom it knows nothing: kept and broken words, as if they had been seen."""


class TalkCounts(msgspec.Struct, frozen=True):
    """What one seat said in one match: statements, and the words it gave by what they came to.

    `bargains`: offers of its own that were agreed to; `trusted`: the chance that it keeps its word as the table would
    guess at the end, by what it has kept and broken; `seconds`: the time it spent talking, `ahead`: and on searches
    made before it spoke, by which it then could choose.
    """

    statements: int = 0
    offers: int = 0
    bargains: int = 0
    requests: int = 0
    agreed: int = 0
    given: int = 0
    kept: int = 0
    broken: int = 0
    lies: int = 0
    trusted: float = 0.0
    seconds: float = 0.0
    ahead: float = 0.0


class TalkStanding(NamedTuple):
    """What an entry has said in all its matches, a match on average. Intervals are of 95 %.

    `wins_kept`, `wins_broken`: its share of wins, with intervals, in matches where it kept every word and where it
    broke one, None where there were none. `talking`: the time it spent talking, in parts of that for its choices.
    """

    entry: str
    matches: int
    mean: dict[str, float]
    wins_kept: tuple[float, Interval] | None
    wins_broken: tuple[float, Interval] | None
    talking: float

    @classmethod
    def of(cls, entry: str, told: Sequence[tuple[TalkCounts, float, float]]) -> "TalkStanding":
        """Sum up what its seats have said, each with its share of the win and the seconds of its choices."""
        fields = [name for name in TalkCounts.__struct_fields__ if name not in TIMES]
        mean = {name: float(np.mean([getattr(counts, name) for counts, _, _ in told])) for name in fields}
        kept = [won for counts, won, _ in told if counts.kept and not counts.broken]
        broken = [won for counts, won, _ in told if counts.broken]
        choosing = sum(seconds + counts.ahead for counts, _, seconds in told)
        talking = sum(counts.seconds for counts, _, _ in told) / choosing if choosing else 0.0
        return cls(entry, len(told), mean, _share(kept), _share(broken), talking)


def _share(won: Sequence[float]) -> tuple[float, Interval] | None:
    return (float(np.mean(won)), wilson_interval(float(np.sum(won)) / len(won), len(won))) if won else None


ROWS = {
    "statements": "statements",
    "requests": "requests",
    "offers": "offers",
    "bargains": "offers taken up",
    "given": "words given",
    "kept": "kept",
    "broken": "broken",
    "lies": "false claims",
    "trusted": "trust at the end",
}
"""What is told of an entry, a match and seat on average."""


def talk_table(standings: Sequence[TalkStanding], title: str) -> Table:
    """Return what entries have said as a table for the terminal, a column each."""
    caption = "A match and seat, on average. Trust: the chance that a word is kept, by the record at the end."
    table = Table(title=f"talk: {title}", caption=caption)
    table.add_column("")
    for one in standings:
        table.add_column(one.entry, justify="right")
    for name, label in ROWS.items():
        table.add_row(label, *(f"{one.mean[name]:.2f}" for one in standings))
    table.add_row("wins, every word kept", *(_share_text(one.wins_kept) for one in standings))
    table.add_row("wins, a word broken", *(_share_text(one.wins_broken) for one in standings))
    table.add_row("time to talk / to choose", *(f"{one.talking:.2f}" for one in standings))
    return table


def _share_text(found: tuple[float, Interval] | None) -> str:
    return "-" if found is None else f"{found[0]:.0%} ({found[1][0]:.0%} to {found[1][1]:.0%})"


class Talk:
    """The talk of one match between bots; those that do not bargain say and hear nothing."""

    def __init__(self, match: Match, bots: Sequence[Bot | Bargainer]) -> None:
        self.match, self.bots = match, bots
        self.talk = Conversation(language_of(match.game))
        self.seconds = [0.0] * len(bots)
        self._since = Moment(0)
        self._noticed = self._counted = 0  # actions that all could notice, of those counted
        self._turn: tuple[int, ...] = ()

    def open_decision(self, rng: np.ndarray) -> None:
        """Let everybody talk about the decision that has opened; a further step of a turn is none."""
        owing = tuple(seat for seat in self.match.to_act if seat != CHANCE)
        goes_on = len(owing) == 1 and owing == self._turn and self._goes_on()
        self._turn = owing
        if self.match.open or goes_on:
            return
        self._since = self.match.moment
        self._noticed += len(self.match.heard(None, self._counted))
        self._counted = len(self.match.history)
        order = [int(seat) for seat in np.argsort([random_fraction(rng) for _ in self.bots])]
        said = self._ask_all(order, Bargainer.speak)
        for _ in range(ROUNDS - 1 if said else 0):
            if not self._ask_all(order, Bargainer.answer):
                break
        for seat in order:
            if isinstance(bargainer := self.bots[seat], Bargainer) and self.talk.said:
                self._say(bargainer.take_back(self.heard(seat)))

    def _goes_on(self) -> bool:
        """True when the last action of a seat was the same seat's: chance may have fallen since."""
        last = next((seat for seat, _ in reversed(self.match.history) if seat != CHANCE), None)
        return last == self._turn[0]

    def choose(self, seat: int) -> int:
        """Return the choice of a bot."""
        player, view = self.bots[seat], self.match.view(seat)
        return player.choose(view, self.heard(seat)) if isinstance(player, Bargainer) else player.choose(view)

    def play(self, number: int, seat: int) -> None:
        """Play an action, and judge what it settles, then what chance does after it: one by one, as at a table."""
        seen = self.match.copy() if self.talk.is_watching else None
        self.match.play(number, seat)
        if seen is not None:
            seen.seed = None
            for actor, played in self.match.history[len(seen.history) :]:
                before = seen.view()
                seen.play(played, actor)
                self.talk.see(before, seen)
        if self.match.over:
            self.talk.finish(self.match)

    def heard(self, seat: int) -> Heard:
        """Return what a seat has heard."""
        return Heard.of(self.match.game, self.talk, seat, self._noticed, self._since)

    def counts(self) -> tuple[TalkCounts, ...]:
        """Return what each seat said, and what became of it."""
        return tuple(self._counts(seat) for seat in range(len(self.bots)))

    def _ask_all(self, order: Sequence[int], ask: Callable[[Bargainer, View, Heard], list[Statement]]) -> int:
        said = 0
        for seat in order:
            bargainer = self.bots[seat]
            if isinstance(bargainer, Bargainer):
                begun = perf_counter()
                said += self._say(ask(bargainer, self.match.view(seat), self.heard(seat)))
                self.seconds[seat] += perf_counter() - begun
        return said

    def _say(self, statements: Sequence[Statement]) -> int:
        said = 0
        for statement in statements:
            try:
                self.talk.require(statement, self.match.view())
            except BadStatement:
                continue  # somebody was faster: it has no place any more
            self.talk.say(statement, self.match)
            said += 1
        return said

    def _counts(self, seat: int) -> TalkCounts:
        own = [said for said in self.talk.said if said.statement.speaker == seat]
        acts = [said.statement.act for said in own]
        words = [said.status for said in own if said.statement.act in WORD_ACTS and _is_given(said)]
        kept, broken = words.count(Status.KEPT), words.count(Status.BROKEN)
        claims = [said.status for said in own if said.statement.act is Act.CLAIM]
        bargainer = self.bots[seat]
        ahead = bargainer.ahead if isinstance(bargainer, Bargainer) else 0.0
        answered = {said.statement.answers for said in self.talk.said if said.statement.act is Act.ACCEPT}
        return TalkCounts(
            statements=len(own),
            offers=acts.count(Act.OFFER),
            bargains=sum(said.statement.act is Act.OFFER and said.number in answered for said in own),
            requests=acts.count(Act.REQUEST),
            agreed=acts.count(Act.ACCEPT),
            given=len(words),
            kept=kept,
            broken=broken,
            lies=claims.count(Status.BROKEN),
            trusted=chance_of_keeping(kept, broken, *STRANGER),
            seconds=self.seconds[seat] - ahead,
            ahead=ahead,
        )


def _is_given(said: Said) -> bool:
    """True for a word that bound somebody: an offer that nobody took up binds nobody."""
    return said.status in (Status.KEPT, Status.BROKEN, Status.VOID) and isinstance(said.trial, Trial)
