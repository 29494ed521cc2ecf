"""Entries of arenas and ladders: bots in command-line notation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from tavola.bargain import Bargainer
from tavola.bots import LEVELS, Bot, bot
from tavola.bots.outside.host import find_class, new_bot
from tavola.bots.outside.player import Outside, OutsidePlayer, finish_match, hear_match
from tavola.core import Match, Refusal
from tavola.games import load
from tavola.lab.results import source_hash

ENTRY = re.compile(r"(?P<level>[a-z]+)([:@](?P<budget>\d{1,9})(?P<unit>ms)?)?(\+(?P<temper>[a-z]+))?")
BATCH = "batch:"


class BadEntry(Refusal):
    """An entry that cannot be parsed, or an impossible set of entries."""


@dataclass(frozen=True)
class Entry:
    """A participant: a level of bot and, for `search`, its budget per decision; or an external bot.

    `temper`: how it negotiates if bots talk; empty for a silent one. `target`: the class of a bot that is asked for
    many matches at once, `module:Class`.
    """

    level: str
    milliseconds: int | None = None
    iterations: int | None = None
    outside: Outside | None = None
    temper: str = ""
    target: str = ""

    @classmethod
    def parse(cls, text: str) -> "Entry":
        """Parse `greedy`, `search`, `search:50ms` or `search:1000` (iterations); `search@50ms` is the same.

        In `search:400+bold`, the temper after the sign makes the bot negotiate if bots talk. External bots are
        `python:module:Class` and `exec:command`, optionally with a limit per decision: `@500ms`. `batch:module:Class`
        is a class in the arena's own process, whose method `choose_many(views)` is called for many matches at once.
        """
        if text.startswith(BATCH):
            return cls._parse_batch(text)
        if text.startswith(("python:", "exec:")):
            outside = Outside.parse(text)
            return cls(outside.kind, outside=outside)
        if (found := ENTRY.fullmatch(text)) is None:
            raise BadEntry(
                f"entry {text[:60]!r}: expected a level, level:50ms or level:1000 (iterations), "
                "python:module:Class, exec:command or batch:module:Class"
            )
        budget = int(found["budget"]) if found["budget"] else None
        milliseconds, iterations = (budget, None) if found["unit"] else (None, budget)
        entry = cls(found["level"], milliseconds, iterations, temper=found["temper"] or "")
        entry.bot(0)
        return entry

    @classmethod
    def _parse_batch(cls, text: str) -> "Entry":
        target = text.removeprefix(BATCH)
        try:
            kind = find_class(target)
        except (ImportError, TypeError, ValueError) as error:
            raise BadEntry(f"entry {text[:60]!r}: expected batch:module:Class, {error}") from error
        if not callable(getattr(kind, "choose_many", None)):
            raise BadEntry(f"entry {text[:60]!r}: expected a class with methods choose(view) and choose_many(views)")
        return cls("batch", target=target)

    def bot(self, seed: int) -> Bot:
        """Return a bot of this entry for one seat of one match; a `batch` bot serves all seats."""
        if self.target:
            return cast(Bot, new_bot(find_class(self.target), seed))
        if self.outside is not None:
            return self.outside.player(seed)
        if self.temper:
            return Bargainer(self.level, self.temper, seed, self.milliseconds, self.iterations)
        return bot(self.level, seed, self.milliseconds, self.iterations)

    @property
    def is_slow(self) -> bool:
        """True if a decision takes long and is not batched."""
        searches = self.level in LEVELS and LEVELS[self.level].searches
        return searches or self.outside is not None or bool(self.temper)

    def __str__(self) -> str:
        if self.outside is not None:
            return str(self.outside)
        if self.target:
            return f"{BATCH}{self.target}"
        budget = f"@{self.milliseconds}ms" if self.milliseconds is not None else f"@{self.iterations}"
        written = self.level if self.milliseconds is self.iterations is None else self.level + budget
        return f"{written}+{self.temper}" if self.temper else written


def read_entries(entries: Sequence[Entry | str], matches: int) -> tuple[Entry, ...]:
    """Return parsed entries; raise `BadEntry` for an invalid one or fewer than one match."""
    parsed = tuple(Entry.parse(entry) if isinstance(entry, str) else entry for entry in entries)
    if matches < 1:
        raise BadEntry(f"{matches} matches: expected at least 1")
    return parsed


@dataclass(frozen=True)
class DealsWork:
    """The work of an arena or a ladder: deals of a game, each played from every seat."""

    game: str
    entries: tuple[Entry, ...]
    seed: int
    options: dict[str, str]
    deals: int

    def warm(self) -> str:
        """Let a bot of each entry decide once before processes start; return the hash of all sources.

        Otherwise each process would compile everything, in its measured time. Raise `BadEntry` if an external bot fails
        at its first decision.
        """
        card = load(self.game)
        match = Match(card, self.options, 0)
        for entry in dict.fromkeys(self.entries):
            for seat in match.to_act:
                _try_entry(entry, match, seat)
        return source_hash(card)


def _try_entry(entry: Entry, match: Match, seat: int) -> None:
    tried = entry.bot(0)
    hear_match(tried, match, seat)
    tried.choose(match.view(seat))
    finish_match(tried, match, seat)
    if isinstance(tried, OutsidePlayer) and tried.faults:
        raise BadEntry(f"{entry}: {tried.faults[0]}")


def check_talk(table: Sequence[Entry], *, talk: bool) -> None:
    """Raise `BadEntry` for bots with a temper without talk, and for talk without such bots."""
    if talk != any(entry.temper for entry in table):
        wanted = (
            "a bot with a temper, such as search:400+bold, if bots talk" if talk else "--talk if a bot has a temper"
        )
        raise BadEntry(f"{' '.join(map(str, table))[:60]!r}: expected {wanted}")
