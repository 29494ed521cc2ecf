"""Results of entries over many matches, in total and by seat: shares of wins, places, replaced decisions.

Here are also the parts of tables for the terminal and of JSON documents that arenas and ladders share.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.table import Table

from tavola.core.options import Rules
from tavola.games import load
from tavola.lab.entries import Entry
from tavola.lab.intervals import Interval, bounded_mean_interval, wilson_interval
from tavola.lab.matches import MatchResult

NARROWEST = 10
"""Minimum width of a name's column; longer names wrap and are never cut."""


@dataclass(frozen=True)
class Findings:
    """The game, options and matches of a result."""

    game: str
    options: dict[str, str]
    seed: int
    matches: int

    @property
    def rules(self) -> Rules | None:
        """The named set of options that was played; None for a custom one."""
        return load(self.game).options.rules_of(self.options)

    @property
    def title(self) -> str:
        return f"{self.game}, {self.rules or 'custom'} rules: {self.matches} matches, seed {self.seed}"

    def bots_table(
        self,
        caption: str,
        columns: Sequence[str],
        bots: Sequence[Any],
        seats: Sequence["SeatStanding"],
        cells: Callable[[Any], tuple[str, ...]],
        seat_cells: Callable[["SeatStanding"], tuple[str, ...]],
    ) -> Table:
        """Return a table for the terminal: a row for each of `bots` and of its seats, then one for each of `seats`.

        The first of the `columns` has the names of the bots. If one is external, the last has what was replaced.
        """
        told = any(one.entry.outside is not None for one in bots)
        table = Table(title=self.title, caption=caption)
        table.add_column(columns[0], overflow="fold", min_width=NARROWEST)
        for heading in (*columns[1:], *(["replaced"] if told else [])):
            table.add_column(heading, justify="right", no_wrap=True)
        for one in bots:
            why = ", ".join(f"{count} {reason}" for reason, count in one.reasons)
            replaced = f"{one.replaced} ({why})" if why else str(one.replaced)
            table.add_row(str(one.entry), *cells(one), *([replaced] if told else []))
            _add_seats(table, one.by_seat, seat_cells)
        if len(bots) > 1:
            table.add_row("all bots")
            _add_seats(table, seats, seat_cells)
        return table

    def head(self) -> dict[str, Any]:
        """Return the beginning of a JSON document."""
        return {"game": self.game, "options": self.options, "seed": self.seed, "matches": self.matches}


@dataclass(frozen=True)
class SeatStanding:
    """The result of one seat: matches, the share of wins with Wilson's 95 % interval over matches, the mean place."""

    seat: int
    matches: int
    wins: float
    wins_low: float
    wins_high: float
    rank: float

    def document(self) -> dict[str, Any]:
        wins_95 = self.wins_low, self.wins_high
        return {"seat": self.seat, "matches": self.matches, "wins": self.wins, "wins_95": wins_95, "place": self.rank}


@dataclass(frozen=True)
class Standing:
    """The result of an entry. Shares and places are means over its seats, intervals are of 95 %.

    The share of wins has Wilson's interval over matches (a win shared by k seats counts 1/k; the interval is computed
    for the entry's seats together and divided by their number). The interval of the mean place allows for places not
    observed. An entry on all seats wins every match, so its intervals are those of one seat.
    """

    entry: Entry
    seats: int
    wins: float
    wins_low: float
    wins_high: float
    rank: float
    rank_low: float
    rank_high: float
    decisions: int
    seconds: float
    reasons: tuple[tuple[str, int], ...] = ()
    """Replaced decisions of an external bot by reason (late, died, illegal, unreadable), the most frequent first."""
    by_seat: tuple[SeatStanding, ...] = ()

    @property
    def replaced(self) -> int:
        """Decisions of an external bot that were late, failed or illegal; a legal action was played instead."""
        return sum(count for _, count in self.reasons)

    @property
    def decisions_per_second(self) -> float:
        """Decisions per second of thinking time."""
        return self.decisions / self.seconds if self.seconds else 0.0

    @classmethod
    def of(cls, entry: Entry, table: Sequence[Entry], played: Sequence[MatchResult]) -> "Standing":
        """Return the results of all seats of an entry at a table of entries."""
        seats = table.count(entry)
        mine = [[seat for seat, place in enumerate(one.entries) if table[place] == entry] for one in played]
        pairs = list(zip(played, mine, strict=True))
        seated = [(one, seat) for one, held in pairs for seat in held]
        wins = float(np.mean([sum(one.wins[seat] for seat in held) for one, held in pairs]))
        places = np.array([np.mean([one.places[seat] for seat in held]) for one, held in pairs])
        (low, high), (first, last) = _intervals(wins, places, pairs, len(table))
        return cls(
            entry=entry,
            seats=seats,
            wins=wins / seats,
            wins_low=low / seats,
            wins_high=high / seats,
            rank=float(places.mean()),
            rank_low=first,
            rank_high=last,
            decisions=sum(one.decisions[seat] for one, seat in seated),
            seconds=sum(one.seconds[seat] for one, seat in seated),
            reasons=replaced_reasons(seated),
            by_seat=seat_standings(seated, len(table)),
        )


def _intervals(
    wins: float, places: np.ndarray, pairs: Sequence[tuple[MatchResult, Sequence[int]]], table: int
) -> tuple[Interval, Interval]:
    seats = len(pairs[0][1])
    if seats < table:
        return wilson_interval(wins, len(pairs)), bounded_mean_interval(places, 1, table)
    low, high = wilson_interval(wins / seats, len(pairs))
    alone = np.array([one.places[number % seats] for number, (one, _) in enumerate(pairs)])
    first, last = bounded_mean_interval(alone, 1, table)
    mean = float(places.mean())
    return (low * seats, high * seats), (min(first, mean), max(last, mean))


def replaced_reasons(seated: Sequence[tuple[MatchResult, int]]) -> tuple[tuple[str, int], ...]:
    """Return the reasons for replaced decisions in these seats of matches, the most frequent first."""
    return tuple(sum((Counter(one.reasons[seat]) for one, seat in seated), Counter[str]()).most_common())


def seat_standings(seated: Sequence[tuple[MatchResult, int]], seats: int) -> tuple[SeatStanding, ...]:
    """Return the results of these seats of matches, a row for each seat that was used."""
    rows = []
    for seat in range(seats):
        if held := [one for one, place in seated if place == seat]:
            wins = float(np.mean([one.wins[seat] for one in held]))
            low, high = wilson_interval(wins, len(held))
            rank = float(np.mean([one.places[seat] for one in held]))
            rows.append(SeatStanding(seat, len(held), wins, low, high, rank))
    return tuple(rows)


def all_seats(played: Sequence[MatchResult]) -> tuple[SeatStanding, ...]:
    """Return the result of each seat over all entries: the value of the seat itself."""
    seats = len(played[0].entries) if played else 0
    return seat_standings([(one, seat) for one in played for seat in range(seats)], seats)


def percent_text(low: float, high: float) -> str:
    """Return an interval of a share."""
    return f"{100 * low:.1f}–{100 * high:.1f}%"


def _add_seats(table: Table, seats: Sequence[SeatStanding], cells: Callable[[SeatStanding], tuple[str, ...]]) -> None:
    for one in seats:
        table.add_row(f"  seat {one.seat}", *cells(one))
    table.add_section()
