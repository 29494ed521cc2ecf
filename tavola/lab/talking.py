"""Talk between bots in simulations: when a decision opens they speak, answer each other, and then choose.

A bot hears only what its seat hears, and the conversation judges promises and claims as at a table.
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
from tavola.talk import PROMISE_ACTS, Act, BadStatement, Conversation, Said, Statement, Status, language_of
from tavola.talk.trial import Trial

ROUNDS = 3
"""Maximum rounds of talk before bots choose: statements, answers, and answers to those."""
STRANGER = 2.0, 1.0
"""Prior of trust in an unknown seat: kept and broken promises, as if they had been observed."""


class TalkCounts(msgspec.Struct, frozen=True):
    """The statements of one seat in one match, and the outcomes of its promises.

    `bargains`: its offers that were accepted; `trusted`: the chance that it keeps a promise, estimated at the end from
    those kept and broken; `seconds`: time spent talking; `ahead`: time of searches before it spoke, which its choice
    reuses.
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
    """The talk of an entry in all its matches, averaged per match. Intervals are of 95 %.

    `wins_kept`, `wins_broken`: its share of wins, with intervals, in matches where it kept every promise and where it
    broke one, None without such matches. `talking`: time spent talking as a fraction of the time for choosing.
    """

    entry: str
    matches: int
    mean: dict[str, float]
    wins_kept: tuple[float, Interval] | None
    wins_broken: tuple[float, Interval] | None
    talking: float

    @classmethod
    def of(cls, entry: str, told: Sequence[tuple[TalkCounts, float, float]]) -> "TalkStanding":
        """Sum up the counts of its seats, each with its share of the win and the seconds of its choices."""
        fields = [name for name in TalkCounts.__struct_fields__ if name not in ("seconds", "ahead")]
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
    "bargains": "offers accepted",
    "given": "promises",
    "kept": "promises kept",
    "broken": "promises broken",
    "lies": "false claims",
    "trusted": "trust at the end",
}
"""Rows of the table, each an average per match and seat."""


def talk_table(standings: Sequence[TalkStanding], title: str) -> Table:
    """Return the talk of entries as a table for the terminal, one column each."""
    caption = "Averages per match and seat. Trust: probability that a promise is kept, by the record at the end."
    table = Table(title=f"talk: {title}", caption=caption)
    table.add_column("")
    for one in standings:
        table.add_column(one.entry, justify="right")
    for name, label in ROWS.items():
        table.add_row(label, *(f"{one.mean[name]:.2f}" for one in standings))
    table.add_row("wins, every promise kept", *(_share_text(one.wins_kept) for one in standings))
    table.add_row("wins, a promise broken", *(_share_text(one.wins_broken) for one in standings))
    table.add_row("time to talk / time to choose", *(f"{one.talking:.2f}" for one in standings))
    return table


def _share_text(found: tuple[float, Interval] | None) -> str:
    return "-" if found is None else f"{found[0]:.0%} ({found[1][0]:.0%} to {found[1][1]:.0%})"


class Talk:
    """The talk of one match between bots; those that do not negotiate are silent."""

    def __init__(self, match: Match, bots: Sequence[Bot | Bargainer]) -> None:
        self.match, self.bots = match, bots
        self.talk = Conversation(language_of(match.game))
        self.seconds = [0.0] * len(bots)
        self._since = Moment(0)
        self._noticed = self._counted = 0  # actions that everyone could notice, among those counted
        self._turn: tuple[int, ...] = ()

    def open_decision(self, rng: np.ndarray) -> None:
        """Let all bots talk about a new decision; a further step of the same turn is not new."""
        owing = tuple(seat for seat in self.match.to_act if seat != CHANCE)
        last = next((seat for seat, _ in reversed(self.match.history) if seat != CHANCE), None)
        goes_on = owing == self._turn == (last,)
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

    def choose(self, seat: int) -> int:
        player, view = self.bots[seat], self.match.view(seat)
        return player.choose(view, self.heard(seat)) if isinstance(player, Bargainer) else player.choose(view)

    def play(self, number: int, seat: int) -> None:
        """Play an action and those of chance after it, and judge what each of them settles, one by one."""
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
        return Heard.of(self.match.game, self.talk, seat, self._noticed, self._since)

    def counts(self) -> tuple[TalkCounts, ...]:
        return tuple(self._counts(seat) for seat in range(len(self.bots)))

    def _ask_all(self, order: Sequence[int], ask: Callable[[Bargainer, View, Heard], list[Statement]]) -> int:
        said = 0
        for seat in order:
            if isinstance(bargainer := self.bots[seat], Bargainer):
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
                continue  # another bot was faster: the statement does not apply any more
            self.talk.say(statement, self.match)
            said += 1
        return said

    def _counts(self, seat: int) -> TalkCounts:
        own = [said for said in self.talk.said if said.statement.speaker == seat]
        acts = [said.statement.act for said in own]
        words = [said.status for said in own if said.statement.act in PROMISE_ACTS and _is_given(said)]
        kept, broken = words.count(Status.KEPT), words.count(Status.BROKEN)
        claims = [said.status for said in own if said.statement.act is Act.CLAIM]
        ahead = bargainer.ahead if isinstance(bargainer := self.bots[seat], Bargainer) else 0.0
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
    """True for a promise that was binding: an offer that was not accepted is not."""
    return said.status in (Status.KEPT, Status.BROKEN, Status.VOID) and isinstance(said.trial, Trial)
