"""The ladder: more bots than seats, rated by matches at tables drawn at random.

    found = ladder("lifeboats", ["random", "greedy", "search@100", "python:mybots:Mine"], players=3, matches=600)
    print(found.rungs[0].entry, found.rungs[0].rating, found.rungs[0].low, found.rungs[0].high)

`tavola.lab.ratings` describes ratings and their intervals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from msgspec.structs import replace
from rich.table import Table

from tavola.games import load
from tavola.lab.arena import Progress
from tavola.lab.engines import engine
from tavola.lab.entries import BadEntry, DealsWork, Entry, read_entries
from tavola.lab.matches import MatchResult, mix_seed, play_deals
from tavola.lab.ratings import rate_with_intervals
from tavola.lab.results import open_results, results_header, run_chunks
from tavola.lab.standings import Findings, SeatStanding, all_seats, percent_text, replaced_reasons, seat_standings

CAPTION = "Bradley-Terry ratings on the Elo scale, with mean 0. 95 %: profile likelihood and bootstrap over deals."
COLUMNS = ("bot", "rating", "95 %", "matches", "wins", "place")
COMPANY_STREAM = 31
"""The stream of a deal's seed that draws the bots at its table."""


@dataclass(frozen=True)
class Rung:
    """A bot of a ladder: its rating with the 95 % interval, matches, share of wins, mean place."""

    entry: Entry
    rating: float
    low: float
    high: float
    matches: int
    wins: float
    rank: float
    replaced: int
    """Decisions of an external bot that were late, failed or illegal; a legal action was played instead."""
    reasons: tuple[tuple[str, int], ...] = ()
    """Number of them by reason: late, died, illegal, unreadable."""
    by_seat: tuple[SeatStanding, ...] = ()


@dataclass(frozen=True)
class Ladder(Findings):
    """The results of a ladder, the best bot first."""

    rungs: tuple[Rung, ...]
    seats: tuple[SeatStanding, ...] = ()
    """The result of each seat over all bots."""

    def ratings_table(self) -> Table:
        """Return a row for each bot, the best first: its rating, matches, wins and mean place."""
        return self.bots_table(CAPTION, COLUMNS, self.rungs, self.seats, _rung_cells, _seat_cells)

    def tables(self) -> list[Table]:
        """Return everything that the terminal prints: the ratings."""
        return [self.ratings_table()]

    def document(self) -> dict[str, Any]:
        """Return all figures as a JSON document, the best bot first; intervals are pairs."""
        rungs = [
            {
                "bot": str(rung.entry),
                "rating": rung.rating,
                "rating_95": (rung.low, rung.high),
                "matches": rung.matches,
                "wins": rung.wins,
                "place": rung.rank,
                "replaced": rung.replaced,
                "reasons": dict(rung.reasons),
                "by_seat": [seat.document() for seat in rung.by_seat],
            }
            for rung in self.rungs
        ]
        return {**self.head(), "bots": rungs, "by_seat": [seat.document() for seat in self.seats]}


def _rung_cells(rung: Rung) -> tuple[str, ...]:
    rating = f"{rung.rating:+.0f}", f"{rung.low:+.0f} to {rung.high:+.0f}"
    return *rating, str(rung.matches), f"{rung.wins:.1%}", f"{rung.rank:.2f}"


def _seat_cells(one: SeatStanding) -> tuple[str, ...]:
    wins = f"{one.wins:.1%} ({percent_text(one.wins_low, one.wins_high)})"
    return "", "", str(one.matches), wins, f"{one.rank:.2f}"


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
    """Rate `bots` by at least `matches` matches; a table is drawn for each deal and plays it from every seat.

    Budgets, engines, options and the file of results are as in `tavola.lab.arena`. Raise `BadEntry` for fewer than two
    bots or a repeated one.
    """
    card, entries = load(game), read_entries(bots, matches)
    if len(entries) < 2 or len(set(entries)) < len(entries):
        raise BadEntry(f"{', '.join(map(str, entries)) or 'no bots'}: expected two or more different bots")
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


class LadderWork(DealsWork):
    """The work of a ladder: a chunk is a deal, played by the bots drawn for it."""

    def __call__(self, deal: int) -> tuple[MatchResult, ...]:
        company = self.company(deal)
        played = play_deals(self.game, [self.entries[place] for place in company], self.seed, self.options, [deal])
        return tuple(replace(one, entries=tuple(company[place] for place in one.entries)) for one in played)

    def company(self, deal: int) -> list[int]:
        """Draw the bots of a deal; a bot is repeated only if there are fewer bots than seats."""
        order = np.argsort([mix_seed(self.seed, deal, COMPANY_STREAM, place) for place in range(len(self.entries))])
        return [int(order[seat % len(order)]) for seat in range(int(self.options["players"]))]

    def report(self, played: Sequence[Sequence[MatchResult]]) -> Ladder:
        won = np.array([_comparisons(deal, len(self.entries)) for deal in played])
        rating, low, high = rate_with_intervals(won, int(self.options["players"]), self.seed)
        matches = list(chain.from_iterable(played))
        rows = zip(self.entries, rating, low, high, strict=True)
        rungs = [_rung(entry, place, matches, *bounds) for place, (entry, *bounds) in enumerate(rows)]
        best_first = tuple(sorted(rungs, key=lambda rung: -rung.rating))
        return Ladder(self.game, self.options, self.seed, len(matches), best_first, all_seats(matches))


def _comparisons(deal: Sequence[MatchResult], bots: int) -> np.ndarray:
    """Return how often each bot beat each other in the matches of a deal; a shared place counts half."""
    won = np.zeros((bots, bots))
    for one in deal:
        for seat, bot in enumerate(one.entries):
            for other, rival in enumerate(one.entries):
                if bot != rival:
                    mine, theirs = one.places[seat], one.places[other]
                    won[bot, rival] += 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
    return won


def _rung(entry: Entry, place: int, matches: Sequence[MatchResult], rating: float, low: float, high: float) -> Rung:
    seats = [(one, seat) for one in matches for seat, bot in enumerate(one.entries) if bot == place]
    wins, places = [one.wins[seat] for one, seat in seats], [one.places[seat] for one, seat in seats]
    mean = [float(np.mean(figures)) if figures else 0.0 for figures in (wins, places)]
    reasons = replaced_reasons(seats)
    numbers = float(rating), float(low), float(high), len(seats), mean[0], mean[1], sum(count for _, count in reasons)
    return Rung(entry, *numbers, reasons, seat_standings(seats, len(matches[0].entries)))
