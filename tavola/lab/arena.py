"""The arena: bots play the same deals from every seat, and are compared with the error of the comparison.

report = arena("lifeboats", ["search", "greedy", "greedy", "greedy"], matches=400, seed=1)
print(report.standings[0].wins, report.standings[0].wins_low, report.standings[0].wins_high)
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from time import perf_counter

import msgspec
import numpy as np
from rich.table import Table

from tavola.bargain import Bargainer
from tavola.bots import Bot, bot
from tavola.bots.outside.player import Outside, OutsidePlayer, finish_match, hear_match
from tavola.core import BadOption, Game, Match, Refusal, stream
from tavola.core.options import Rules
from tavola.games import load
from tavola.lab.engines import engine
from tavola.lab.intervals import normal_interval, wilson_interval
from tavola.lab.results import open_results, run_chunks
from tavola.lab.sources import results_header, source_hash, talk_hash
from tavola.lab.talking import Talk, TalkCounts, TalkStanding, talk_table

ENTRY = re.compile(r"(?P<level>[a-z]+)([:@](?P<budget>\d{1,9})(?P<unit>ms)?)?(\+(?P<temper>[a-z]+))?")
OUTSIDE = ("python:", "exec:")
FIRST_ACTOR_STREAM = 30
"""The stream of a deal's seed that draws who comes first in open decisions."""
TALK_STREAM = 31
"""The stream of a deal's seed that draws who speaks first."""
QUICK_DEALS = 50
"""Deals of a chunk where nobody searches: each takes but milliseconds."""
Progress = Callable[[int, int], None]


class BadEntry(Refusal):
    """An entry that cannot be read, or an arena that cannot be held."""


@dataclass(frozen=True)
class Entry:
    """A participant: a level of bot and, for `search`, its budget a decision; or a bot from outside.

    `temper`: how it bargains where bots talk; empty for one that says nothing.
    """

    level: str
    milliseconds: int | None = None
    iterations: int | None = None
    outside: Outside | None = None
    temper: str = ""

    @classmethod
    def parse(cls, text: str) -> "Entry":
        """Read `greedy`, `search`, `search:50ms` or `search:1000` (iterations); `search@50ms` is the same.

        `search:400+bold` bargains where bots talk, by the temper behind the sign. Bots from outside are
        `python:module:Class` and `exec:command`, a limit a decision behind them: `@500ms`.
        """
        if text.startswith(OUTSIDE):
            outside = Outside.parse(text)
            return cls(outside.kind, outside=outside)
        found = ENTRY.fullmatch(text)
        if found is None:
            raise BadEntry(
                f"entry {text[:60]!r}: expected a level, level:50ms or level:1000 (iterations), "
                "python:module:Class or exec:command"
            )
        budget = int(found["budget"]) if found["budget"] else None
        milliseconds, iterations = (budget, None) if found["unit"] else (None, budget)
        entry = cls(found["level"], milliseconds, iterations, temper=found["temper"] or "")
        entry.bot(0)
        return entry

    def bot(self, seed: int) -> Bot:
        """Return a bot of this entry, for one seat of one match."""
        if self.outside is not None:
            return self.outside.player(seed)
        if self.temper:
            return Bargainer(self.level, self.temper, seed, self.milliseconds, self.iterations)
        return bot(self.level, seed, self.milliseconds, self.iterations)

    @property
    def is_slow(self) -> bool:
        """True where a decision takes more than a moment."""
        return self.level == "search" or self.outside is not None or bool(self.temper)

    def __str__(self) -> str:
        if self.outside is not None:
            return str(self.outside)
        budget = f"@{self.milliseconds}ms" if self.milliseconds is not None else f"@{self.iterations}"
        written = self.level if self.milliseconds is self.iterations is None else self.level + budget
        return f"{written}+{self.temper}" if self.temper else written


@dataclass(frozen=True)
class Standing:
    """The result of an entry. Shares and places are means over its seats, intervals are of 95 %.

    The share of wins has Wilson's interval over matches (a win shared by k seats counts 1/k; the interval is for the
    entry's seats together, divided by their number); the mean place has the normal interval over matches.
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
    replaced: int = 0
    """Decisions of a bot from outside that were late, failed or not allowed: anything legal was played instead."""

    @property
    def decisions_per_second(self) -> float:
        """Decisions a second of the time it spent deciding."""
        return self.decisions / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Findings:
    """The matches that something was found by."""

    game: str
    options: dict[str, str]
    seed: int
    matches: int

    @property
    def rules(self) -> Rules | None:
        """The named set of options that was played; None for one's own."""
        return load(self.game).options.rules_of(self.options)

    @property
    def title(self) -> str:
        """The heading of a table of findings."""
        return f"{self.game}, {self.rules or 'own'} rules: {self.matches} matches, seed {self.seed}"


@dataclass(frozen=True)
class Arena(Findings):
    """The findings of an arena."""

    standings: tuple[Standing, ...]
    talk: tuple[TalkStanding, ...] = ()
    """What each entry that bargains has said, where bots talk."""

    def talk_table(self) -> Table | None:
        """Return what was said as a table for the terminal; None where nobody talks."""
        return talk_table(self.talk, self.title) if self.talk else None

    def standings_table(self) -> Table:
        """Return the standings as a table for the terminal."""
        caption = (
            "Same deals from every seat. Shared wins are shared. 95 % intervals: Wilson's for wins, normal for places."
        )
        table = Table(title=self.title, caption=caption)
        table.add_column("entry")
        for heading in ("seats", "wins", "95 %", "mean place", "95 %", "decisions/s"):
            table.add_column(heading, justify="right")
        told = any(one.entry.outside is not None for one in self.standings)
        if told:
            table.add_column("replaced", justify="right")
        for one in self.standings:
            table.add_row(
                str(one.entry),
                str(one.seats),
                f"{one.wins:.1%}",
                f"{one.wins_low:.1%} to {one.wins_high:.1%}",
                f"{one.rank:.2f}",
                f"{one.rank_low:.2f} to {one.rank_high:.2f}",
                f"{one.decisions_per_second:,.0f}",
                *([f"{one.replaced}"] if told else []),
            )
        return table


class MatchResult(msgspec.Struct, frozen=True):
    """One match: by seat the place of its entry among the entries, wins, places, decisions, and seconds deciding.

    `replaced`: by seat, decisions of bots from outside that were replaced. `talk`: by seat, what it said where bots
    talk.
    """

    entries: tuple[int, ...]
    wins: tuple[float, ...]
    places: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]
    replaced: tuple[int, ...]
    talk: tuple[TalkCounts, ...] = ()


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
    """Seat one bot for each of `entries` and play at least `matches` matches; each deal is played from every seat.

    Equal entries are reported together. The results depend on the seed alone where budgets are of iterations, whatever
    the engine `on` and the number of its `processes` (see `tavola.lab.engines`). `progress` is called with the deals
    played and those to play. Options that are not given are as in the set `rules`.

    With `talk` the bots of a temper (`search:400+bold`) speak when a decision opens, answer each other and choose then;
    `BadEntry` where there is none of them, or where there is one and nobody talks.

    Deals that were played go into the file `results`; those that are in it already are not played again.
    """
    card, table = load(game), read_entries(entries, matches)
    _check_talk(table, talk=talk)
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


def read_entries(entries: Sequence[Entry | str], matches: int) -> tuple[Entry, ...]:
    """Return entries, parsed where they are text. `BadEntry` for what is none, and where no match is to be played."""
    parsed = tuple(Entry.parse(entry) if isinstance(entry, str) else entry for entry in entries)
    if matches < 1:
        raise BadEntry(f"{matches} matches: expected at least 1")
    return parsed


@dataclass(frozen=True)
class ArenaWork:
    """The work of an arena: a chunk is a deal, or where nobody searches several, each played from every seat."""

    game: str
    entries: tuple[Entry, ...]
    seed: int
    options: dict[str, str]
    deals: int
    talk: bool = False

    @property
    def chunks(self) -> range:
        """All chunks."""
        return range(-(-self.deals // self._size))

    def is_complete(self, chunk: int, played: Sequence[MatchResult]) -> bool:
        """True when the results hold all matches of a chunk."""
        return len(played) == len(self._deals(chunk)) * len(self.entries)

    def warm(self) -> str:
        """Let everything be compiled before processes start that would each compile it and be timed."""
        return try_entries(self.game, self.entries, self.options)

    def __call__(self, chunk: int) -> tuple[MatchResult, ...]:
        """Play the deals of a chunk."""
        deals = (
            play_deal(self.game, self.entries, self.seed, self.options, deal, talk=self.talk)
            for deal in self._deals(chunk)
        )
        return tuple(chain.from_iterable(deals))

    @property
    def _size(self) -> int:
        return 1 if any(entry.is_slow for entry in self.entries) else QUICK_DEALS

    def _deals(self, chunk: int) -> range:
        return range(chunk * self._size, min((chunk + 1) * self._size, self.deals))

    def report(self, played: Sequence[MatchResult]) -> Arena:
        """Return the findings of the deals; every sum is taken in their order, whoever played them."""
        entries = dict.fromkeys(self.entries)
        standings = tuple(_entry_standing(entry, self.entries, played) for entry in entries)
        spoken = tuple(_entry_talk(entry, self.entries, played) for entry in entries if entry.temper and self.talk)
        return Arena(self.game, self.options, self.seed, len(played), standings, spoken)


def try_entries(game: str, entries: Sequence[Entry], options: Mapping[str, str]) -> str:
    """Let a bot of each entry decide once, so that everything is compiled; return the hash of all sources.

    `BadEntry` for a bot from outside that fails at its first decision.
    """
    card = load(game)
    match = card.match(seed=0, **options)
    for entry in dict.fromkeys(entries):
        for seat in match.to_act:
            _try_entry(entry, match, seat)
    return source_hash(card)


def _try_entry(entry: Entry, match: Match, seat: int) -> None:
    """Let a bot of an entry decide once; refuse one from outside that fails at its first decision."""
    tried = entry.bot(0)
    hear_match(tried, match, seat)
    tried.choose(match.view(seat))
    finish_match(tried, match, seat)
    if isinstance(tried, OutsidePlayer) and tried.faults:
        raise BadEntry(f"{entry}: {tried.faults[0]}")


def play_deal(
    game: str, entries: Sequence[Entry], seed: int, options: Mapping[str, str], deal: int, *, talk: bool = False
) -> list[MatchResult]:
    """Play one deal as often as there are seats, everybody moving one seat on each time."""
    card, count = load(game), len(entries)
    turns = [tuple((seat + turn) % count for seat in range(count)) for turn in range(count)]
    return [play_match(card, entries, turn, seed, deal, options, talk=talk) for turn in turns]


def play_match(
    game: Game,
    entries: Sequence[Entry],
    seated: tuple[int, ...],
    seed: int,
    deal: int,
    options: Mapping[str, str],
    *,
    talk: bool = False,
) -> MatchResult:
    """Play one match; `seated` gives the entry of each seat. Seats that decide at once see it before any moved.

    Where whoever comes first acts, the lot draws the seat. With `talk` they talk before.
    """
    match = game.match(seed=mix_seed(seed, deal), **options)
    bots = [entries[entry].bot(mix_seed(seed, deal, seat, entry)) for seat, entry in enumerate(seated)]
    decisions, seconds = [0] * len(seated), [0.0] * len(seated)
    table = Talk(match, bots) if talk else None
    while match.to_act:
        if table is not None:
            table.open_decision(stream(mix_seed(seed, deal, TALK_STREAM), len(match.history)))
        first = match.actor(stream(mix_seed(seed, deal, FIRST_ACTOR_STREAM), len(match.history)))
        views = {seat: match.view(seat) for seat in ((first,) if match.open else match.to_act)}
        for seat in views:
            hear_match(bots[seat], match, seat)
        chosen = {}
        for seat, view in views.items():
            begun = perf_counter()
            chosen[seat] = bots[seat].choose(view) if table is None else table.choose(seat)
            seconds[seat] += perf_counter() - begun
            decisions[seat] += 1
        for seat, action in chosen.items():
            if table is None:
                match.play(action, seat)
            else:
                table.play(action, seat)
    for seat, played in enumerate(bots):
        finish_match(played, match, seat)
    result, replaced = match.standing(), tuple(len(getattr(played, "faults", ())) for played in bots)
    wins = tuple((place == 1) / len(result.winners) for place in result.ranks)
    told = () if table is None else table.counts()
    return MatchResult(seated, wins, result.ranks, tuple(decisions), tuple(seconds), replaced, told)


def _entry_standing(entry: Entry, table: Sequence[Entry], played: Sequence[MatchResult]) -> Standing:
    """Return the results of all seats of an entry."""
    seats = table.count(entry)
    mine = [[seat for seat, place in enumerate(one.entries) if table[place] == entry] for one in played]
    pairs = list(zip(played, mine, strict=True))
    wins = float(np.mean([sum(one.wins[seat] for seat in held) for one, held in pairs]))
    places = np.array([np.mean([one.places[seat] for seat in held]) for one, held in pairs])
    low, high = wilson_interval(wins, len(played))
    deviation = float(places.std(ddof=1)) if len(places) > 1 else 0.0
    place_low, place_high = normal_interval(float(places.mean()), deviation, len(places))
    return Standing(
        entry=entry,
        seats=seats,
        wins=wins / seats,
        wins_low=low / seats,
        wins_high=high / seats,
        rank=float(places.mean()),
        rank_low=place_low,
        rank_high=place_high,
        decisions=sum(one.decisions[seat] for one, held in pairs for seat in held),
        seconds=sum(one.seconds[seat] for one, held in pairs for seat in held),
        replaced=sum(one.replaced[seat] for one, held in pairs for seat in held),
    )


def _entry_talk(entry: Entry, table: Sequence[Entry], played: Sequence[MatchResult]) -> TalkStanding:
    """Return what all seats of an entry have said, and how they fared by what became of their words."""
    seats = [(one, seat) for one in played for seat, place in enumerate(one.entries) if table[place] == entry]
    told = [(one.talk[seat], one.wins[seat], one.seconds[seat]) for one, seat in seats]
    return TalkStanding.of(str(entry), told)


def _check_talk(table: Sequence[Entry], *, talk: bool) -> None:
    """Refuse bots with a temper where nobody talks, and talk where none has one."""
    if talk != any(entry.temper for entry in table):
        wanted = "a bot with a temper, search:400+bold, where bots talk" if talk else "--talk for a bot with a temper"
        raise BadEntry(f"{' '.join(map(str, table))[:60]!r}: expected {wanted}")


def mix_seed(*numbers: int) -> int:
    """Return a seed from several numbers: NumPy's mixing of entropy."""
    return int(np.random.SeedSequence(numbers).generate_state(1, np.uint64)[0]) & 0x7FFFFFFFFFFFFFFF
