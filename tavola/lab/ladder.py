"""The ladder: more bots than there are seats, rated by matches in changing company.

found = ladder("lifeboats", ["random", "greedy", "search@100", "python:mybots:Mine"], players=3, matches=600)
print(found.rungs[0].entry, found.rungs[0].rating, found.rungs[0].low, found.rungs[0].high)

Every match is read as one comparison of every two bots at its table: who has the better place wins, a shared place is
half a win. Ratings are those of Bradley and Terry on Elo's scale: 400 points are odds of ten to one, and the mean of
all bots is 0. Intervals of 95 % are of the bootstrap over deals.

Sources: Bradley, Terry, "Rank analysis of incomplete block designs", 1952; Hunter, "MM algorithms for generalized
Bradley-Terry models", 2004; Efron, "Bootstrap methods: another look at the jackknife", 1979.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from msgspec.structs import replace
from rich.table import Table

from tavola.games import load
from tavola.lab.arena import (
    BadEntry,
    Entry,
    Findings,
    MatchResult,
    Progress,
    mix_seed,
    play_deal,
    read_entries,
    try_entries,
)
from tavola.lab.engines import engine
from tavola.lab.results import open_results, run_chunks
from tavola.lab.sources import results_header

COMPANY_STREAM = 31
"""The stream of a deal's seed that draws who sits at its table."""
SCALE = 400 / np.log(10)
"""Points of Elo for each natural logarithm of odds."""
DRAWN_BEFORE = 1.0
"""Matches drawn against an average bot that every rating begins with, so that whoever always wins has one too."""
RESAMPLES = 400
STEPS = 200
"""Steps of the iteration, each of which makes what was seen more likely."""


@dataclass(frozen=True)
class Rung:
    """A bot of a ladder: its rating with the interval of 95 %, the matches of its seats, wins shared, mean place."""

    entry: Entry
    rating: float
    low: float
    high: float
    matches: int
    wins: float
    rank: float
    replaced: int
    """Decisions of a bot from outside that were late, failed or not allowed: anything legal was played instead."""


@dataclass(frozen=True)
class Ladder(Findings):
    """The findings of a ladder, the best bot first."""

    rungs: tuple[Rung, ...]

    def ratings_table(self) -> Table:
        """Return the ratings as a table for the terminal."""
        caption = "Bradley and Terry's ratings on Elo's scale, their mean 0. 95 % intervals: bootstrap over deals."
        table = Table(title=self.title, caption=caption)
        table.add_column("bot")
        told = any(rung.entry.outside is not None for rung in self.rungs)
        for heading in ("rating", "95 %", "matches", "wins", "mean place", *(["replaced"] if told else [])):
            table.add_column(heading, justify="right")
        for rung in self.rungs:
            table.add_row(
                str(rung.entry),
                f"{rung.rating:+.0f}",
                f"{rung.low:+.0f} to {rung.high:+.0f}",
                str(rung.matches),
                f"{rung.wins:.1%}",
                f"{rung.rank:.2f}",
                *([str(rung.replaced)] if told else []),
            )
        return table


def ladder(
    game: str,
    bots: Sequence[Entry | str],
    matches: int,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    processes: int | None = None,
    progress: Progress | None = None,
    rules: str = "recommended",
    on: str | None = None,
    results: Path | None = None,
) -> Ladder:
    """Rate `bots` by at least `matches` matches: for each deal a table is drawn, which plays it from every seat.

    Everything else is as in `tavola.lab.arena`: budgets, engines, options, the file of results. `BadEntry` for fewer
    than two bots, or one named twice.
    """
    card, entries = load(game), read_entries(bots, matches)
    if len(entries) < 2 or len(set(entries)) < len(entries):
        raise BadEntry(f"{', '.join(map(str, entries)) or 'no bots'}: expected two bots or more, each once")
    words = card.options.to_words(card.options.array(options or {}, rules))
    work = LadderWork(game, entries, seed, words, -(-matches // int(words["players"])))
    head = {**results_header("ladder", card, words, seed), "entries": [str(entry) for entry in entries]}
    played: dict[int, tuple[MatchResult, ...]] = {}
    with open_results(results, head, tuple[MatchResult, ...]) as file:
        for deal, found in run_chunks(engine(on, processes), work, range(work.deals), file):
            played[deal] = found
            if progress:
                progress(len(played), work.deals)
    return work.report([played[deal] for deal in range(work.deals)])


@dataclass(frozen=True)
class LadderWork:
    """The work of a ladder: a chunk is a deal, played from every seat by bots that are drawn for it."""

    game: str
    entries: tuple[Entry, ...]
    seed: int
    options: dict[str, str]
    deals: int

    def warm(self) -> str:
        """Let everything be compiled before processes start; refuse bots from outside that fail at once."""
        return try_entries(self.game, self.entries, self.options)

    def __call__(self, deal: int) -> tuple[MatchResult, ...]:
        """Play a deal."""
        company = self.company(deal)
        drawn = [self.entries[place] for place in company]
        played = play_deal(self.game, drawn, self.seed, self.options, deal)
        return tuple(replace(one, entries=tuple(company[place] for place in one.entries)) for one in played)

    def company(self, deal: int) -> list[int]:
        """Draw the bots of a deal: none twice while there are others."""
        order = np.argsort([mix_seed(self.seed, deal, COMPANY_STREAM, place) for place in range(len(self.entries))])
        return [int(order[seat % len(order)]) for seat in range(int(self.options["players"]))]

    def report(self, played: Sequence[Sequence[MatchResult]]) -> Ladder:
        """Return the findings of the deals."""
        won = np.array([_comparisons(deal, len(self.entries)) for deal in played])
        rating = rate(won.sum(0))
        rng = np.random.default_rng(self.seed & 0xFFFFFFFF)
        drawn = rng.multinomial(len(won), [1 / len(won)] * len(won), RESAMPLES)
        low, high = np.quantile(rate(np.tensordot(drawn, won, 1)), [0.025, 0.975], axis=0)
        matches = list(chain.from_iterable(played))
        rows = zip(self.entries, rating, low, high, strict=True)
        rungs = [_rung(entry, place, matches, *bounds) for place, (entry, *bounds) in enumerate(rows)]
        best_first = tuple(sorted(rungs, key=lambda rung: -rung.rating))
        return Ladder(self.game, self.options, self.seed, len(matches), best_first)


def rate(won: np.ndarray) -> np.ndarray:
    """Return the ratings of bots by their comparisons: `won[…, i, j]` times i came before j. float[…, bots].

    The likeliest strengths by Hunter's iteration, with matches drawn against an average bot before the first.
    """
    wins = won.sum(-1) + DRAWN_BEFORE / 2
    met = won + np.swapaxes(won, -1, -2)
    strength = np.ones(wins.shape)
    for _ in range(STEPS):
        together = strength[..., :, np.newaxis] + strength[..., np.newaxis, :]
        strength = wins / ((met / together).sum(-1) + DRAWN_BEFORE / (strength + 1))
        strength /= np.exp(np.log(strength).mean(-1, keepdims=True))
    return np.asarray(SCALE * np.log(strength))


def _comparisons(deal: Sequence[MatchResult], bots: int) -> np.ndarray:
    """Return how often each bot came before each other in the matches of a deal; a shared place is half of it."""
    won = np.zeros((bots, bots))
    for one in deal:
        for seat, bot in enumerate(one.entries):
            for other, rival in enumerate(one.entries):
                if bot != rival:
                    mine, theirs = one.places[seat], one.places[other]
                    won[bot, rival] += 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
    return won


def _rung(entry: Entry, place: int, matches: Sequence[MatchResult], rating: float, low: float, high: float) -> Rung:
    """Return a bot's rating with what its seats did."""
    seats = [(one, seat) for one in matches for seat, bot in enumerate(one.entries) if bot == place]
    wins, places = [one.wins[seat] for one, seat in seats], [one.places[seat] for one, seat in seats]
    replaced = sum(one.replaced[seat] for one, seat in seats)
    mean = [float(np.mean(figures)) if figures else 0.0 for figures in (wins, places)]
    return Rung(entry, float(rating), float(low), float(high), len(seats), mean[0], mean[1], replaced)
