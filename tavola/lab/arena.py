"""The arena: bots play the same deals from every seat, and are compared with confidence intervals.

report = arena("lifeboats", ["search", "greedy", "greedy", "greedy"], matches=400, seed=1)
print(report.standings[0].wins, report.standings[0].wins_low, report.standings[0].wins_high)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table

from tavola.core import BadOption
from tavola.games import load
from tavola.lab.engines import engine
from tavola.lab.entries import DealsWork, Entry, check_talk, read_entries
from tavola.lab.matches import MatchResult, play_deals
from tavola.lab.results import open_results, results_header, run_chunks, talk_hash
from tavola.lab.standings import Findings, SeatStanding, Standing, all_seats, percent_text
from tavola.lab.talking import TalkStanding, talk_table

QUICK_DEALS = 50
"""Deals per chunk if no bot searches: each takes only milliseconds."""
CAPTION = (
    "Every deal is played from every seat. Shared wins are divided. 95 % intervals: Wilson's for wins; Student's for "
    "places, with a first and a last place added."
)
COLUMNS = ("entry", "seats", "wins", "95 %", "place", "95 %", "decisions/s")
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Arena(Findings):
    """The results of an arena."""

    standings: tuple[Standing, ...]
    talk: tuple[TalkStanding, ...] = ()
    """The talk of each entry that negotiates, if bots talk."""
    seats: tuple[SeatStanding, ...] = ()
    """The result of each seat over all entries."""

    def standings_table(self) -> Table:
        """Return a row for each entry: its wins, mean place and decisions per second."""
        return self.bots_table(CAPTION, COLUMNS, self.standings, self.seats, _entry_cells, _seat_cells)

    def talk_table(self) -> Table | None:
        """Return the talk as a table for the terminal; None if bots do not talk."""
        return talk_table(self.talk, self.title) if self.talk else None

    def tables(self) -> list[Table]:
        """Return everything that the terminal prints: the standings, and what was said if any entry talks."""
        return [table for table in (self.standings_table(), self.talk_table()) if table is not None]

    def document(self) -> dict[str, Any]:
        """Return all figures as a JSON document; intervals are pairs."""
        standings = [
            {
                "entry": str(one.entry),
                "seats": one.seats,
                "wins": one.wins,
                "wins_95": (one.wins_low, one.wins_high),
                "place": one.rank,
                "place_95": (one.rank_low, one.rank_high),
                "decisions": one.decisions,
                "seconds": one.seconds,
                "replaced": one.replaced,
                "reasons": dict(one.reasons),
                "by_seat": [seat.document() for seat in one.by_seat],
            }
            for one in self.standings
        ]
        talk = [{"entry": one.entry, "matches": one.matches, **one.mean} for one in self.talk]
        by_seat = [seat.document() for seat in self.seats]
        return {**self.head(), "standings": standings, "by_seat": by_seat, **({"talk": talk} if talk else {})}


def _entry_cells(one: Standing) -> tuple[str, ...]:
    rank = f"{one.rank:.2f}", f"{one.rank_low:.2f}–{one.rank_high:.2f}"
    wins = f"{one.wins:.1%}", percent_text(one.wins_low, one.wins_high)
    return str(one.seats), *wins, *rank, f"{one.decisions_per_second:,.0f}"


def _seat_cells(one: SeatStanding) -> tuple[str, ...]:
    return "", f"{one.wins:.1%}", percent_text(one.wins_low, one.wins_high), f"{one.rank:.2f}"


def arena(
    game: str,
    entries: Sequence[Entry | str],
    matches: int,
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    processes: int | None = None,
    progress: Progress | None = None,
    rules: str = "recommended",
    on: str | None = None,
    results: Path | None = None,
    *,
    talk: bool = False,
) -> Arena:
    """Play at least `matches` matches with one bot for each of `entries`, each deal from every seat.

    Equal entries are reported together. If budgets are iterations, the results depend only on the seed, not on the
    engine `on` and its number of `processes` (see `tavola.lab.engines`). `progress` is called with the deals played and
    those to play. Missing options are as in the set `rules`.

    With `talk`, bots with a temper (`search:400+bold`) speak when a decision opens, answer each other and then choose.
    Raise `BadEntry` if no entry has a temper, or if one has and `talk` is false.

    Played deals are written to the file `results`; those already in it are not played again.
    """
    card, table = load(game), read_entries(entries, matches)
    check_talk(table, talk=talk)
    given = {**(options or {}), "players": len(table)}
    if options and str(options.get("players", len(table))) != str(len(table)):
        raise BadOption(f"option players: expected {len(table)}, one for each entry, found {options['players']!r}")
    words = card.options.to_words(card.options.array(given, rules))
    work = ArenaWork(game, table, seed, words, -(-matches // len(table)), talk)
    head = {**results_header("arena", card, words, seed), "entries": [str(entry) for entry in table]}
    head |= {"talk": talk_hash()} if talk else {}
    played: dict[int, tuple[MatchResult, ...]] = {}
    dealt = 0
    with open_results(results, head, tuple[MatchResult, ...]) as file:
        for chunk, found in run_chunks(engine(on, processes), work, work.chunks, file, work.is_complete):
            played[chunk] = found
            dealt += len(found) // len(table)
            if progress:
                progress(dealt, work.deals)
    return work.report([one for chunk in work.chunks for one in played[chunk]])


@dataclass(frozen=True)
class ArenaWork(DealsWork):
    """The work of an arena: a chunk is one deal, or several if no bot searches."""

    talk: bool = False

    @property
    def chunks(self) -> range:
        return range(-(-self.deals // self._size))

    def is_complete(self, chunk: int, played: Sequence[MatchResult]) -> bool:
        """True if the results contain all matches of a chunk."""
        return len(played) == len(self._deals(chunk)) * len(self.entries)

    def __call__(self, chunk: int) -> tuple[MatchResult, ...]:
        deals = self._deals(chunk)
        return tuple(play_deals(self.game, self.entries, self.seed, self.options, deals, talk=self.talk))

    @property
    def _size(self) -> int:
        return 1 if any(entry.is_slow for entry in self.entries) else QUICK_DEALS

    def _deals(self, chunk: int) -> range:
        return range(chunk * self._size, min((chunk + 1) * self._size, self.deals))

    def report(self, played: Sequence[MatchResult]) -> Arena:
        """Return the results of the deals, summed in their order, so that the engine makes no difference."""
        entries = dict.fromkeys(self.entries)
        standings = tuple(Standing.of(entry, self.entries, played) for entry in entries)
        spoken = tuple(_entry_talk(entry, self.entries, played) for entry in entries if entry.temper and self.talk)
        return Arena(self.game, self.options, self.seed, len(played), standings, spoken, all_seats(played))


def _entry_talk(entry: Entry, table: Sequence[Entry], played: Sequence[MatchResult]) -> TalkStanding:
    seats = [(one, seat) for one in played for seat, place in enumerate(one.entries) if table[place] == entry]
    return TalkStanding.of(str(entry), [(one.talk[seat], one.wins[seat], one.seconds[seat]) for one, seat in seats])
