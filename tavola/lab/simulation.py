"""Simulation: a game played many times, at random or by its priors, and the resulting figures.

    report = simulate("lifeboats", matches=1_000_000, vary="moves")
    print(report.variants[0].counts.wins(0), report.variants[0].share(0))

Match i of a seed does not depend on the number of matches or the engine, and can be repeated: `count_matches(…, i, 1)`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

import numpy as np

from tavola.bots import policies
from tavola.core import Game, Refusal
from tavola.core.rng import MASK_64
from tavola.core.view import Buffers
from tavola.games import load
from tavola.lab.counts import Counts
from tavola.lab.engines import engine
from tavola.lab.intervals import Interval, anytime_mean, anytime_share, mean_interval, wilson_interval
from tavola.lab.results import open_results, results_header, run_chunks, source_hash

CHUNK_SIZES = {"random": 20_000, "prior": 5_000}
"""Matches per chunk by way of playing: about half a second for most games."""
DEFAULT_MATCHES = 100_000
MOST_VARIANTS = 32
Progress = Callable[[int, int], None]


class BadSimulation(Refusal):
    """An impossible simulation."""


@dataclass(frozen=True)
class Variant:
    """One set of options and the counts of its matches. Intervals are of 95 %, see `tavola.lab.intervals`.

    `sequential`: the run could stop early, so anytime intervals are used.
    """

    options: dict[str, str]
    value: str
    counts: Counts
    sequential: bool

    def share(self, seat: int) -> Interval:
        """Return the interval of a seat's share of wins."""
        return (anytime_share if self.sequential else wilson_interval)(self.counts.wins(seat), self.counts.matches)

    def points(self, seat: int) -> Interval:
        """Return the interval of a seat's mean points."""
        return self._mean(*self.counts.mean_points(seat))

    def length(self) -> Interval:
        """Return the interval of the mean number of actions."""
        return self._mean(*self.counts.mean_length())

    @cached_property
    def half_width(self) -> float:
        """Half the width of the widest interval of the seats' shares of wins."""
        return max((high - low) / 2 for low, high in map(self.share, range(self.counts.players)))

    def _mean(self, mean: float, deviation: float) -> Interval:
        return (anytime_mean if self.sequential else mean_interval)(mean, deviation, self.counts.matches)


@dataclass(frozen=True)
class Simulation:
    """The results of a simulation; `varied` is the option in which the variants differ, if any."""

    game: str
    play: str
    seed: int
    varied: str | None
    variants: tuple[Variant, ...]


def simulate(
    game: str,
    matches: int | None = None,
    play: str = "random",
    seed: int = 0,
    options: Mapping[str, object] | None = None,
    rules: str = "recommended",
    vary: str | None = None,
    until: float | None = None,
    on: str | None = None,
    processes: int | None = None,
    results: Path | None = None,
    progress: Progress | None = None,
    chunk: int | None = None,
) -> Simulation:
    """Play `matches` matches (100,000 by default) of each variant; `play` is how seats choose.

    `vary` names an option, of which all values are played side by side, or those in `option=value,value`. With `until`,
    a variant ends as soon as the intervals of all win rates have a half width of at most `until`, or after `matches`,
    if given. The results depend only on the seed, not on the engine `on` and its number of `processes`. `progress` is
    called with the matches played and those expected. Completed chunks are written to the file `results`; those already
    in it are not played again.
    """
    card = load(game)
    _check_arguments(play, matches, until, chunk)
    varied, values = _parse_variation(card, vary)
    given = [{**(options or {}), **({varied: value} if varied else {})} for value in values]
    words = tuple(card.options.to_words(card.options.array(one, rules)) for one in given)
    most = DEFAULT_MATCHES if matches is None and until is None else matches
    work = SimulationWork(game, play, seed, words, chunk or CHUNK_SIZES[play], most)
    lines = [_Line(work, *one, until) for one in zip(words, values, strict=True)]
    parts = count() if work.parts is None else range(work.parts)
    # Only variants that still need matches get more chunks.
    chunks = (part * len(lines) + place for part in parts for place, line in enumerate(lines) if not line.over)
    head = {**results_header("simulate", card, words, seed), "play": play, "chunk": work.size}
    with open_results(results, head, Counts) as file:
        for number, tally in run_chunks(engine(on, processes), work, chunks, file, work.is_complete):
            lines[number % len(lines)].add(number // len(lines), tally)
            if progress:
                progress(sum(line.matches for line in lines), sum(line.expected_matches for line in lines))
            if all(line.over for line in lines):
                break
    return Simulation(game, play, seed, varied, tuple(line.found for line in lines if line.found is not None))


@dataclass(frozen=True)
class SimulationWork:
    """The work of a simulation. Chunk n is part n // variants of the matches of variant n % variants."""

    game: str
    play: str
    seed: int
    options: tuple[dict[str, str], ...]
    size: int
    most: int | None

    def warm(self) -> str:
        card = load(self.game)
        count_matches(card, self.options[0], self.play, self.seed, 0, 1)
        return source_hash(card)

    def __call__(self, chunk: int) -> Counts:
        part, variant = divmod(chunk, len(self.options))
        matches = self.matches(part)
        return count_matches(load(self.game), self.options[variant], self.play, self.seed, matches.start, len(matches))

    def is_complete(self, chunk: int, tally: Counts) -> bool:
        """True if the counts cover all matches of a chunk."""
        return tally.matches == len(self.matches(chunk // len(self.options)))

    def matches(self, part: int) -> range:
        """Return the numbers of the matches of a part."""
        after = (part + 1) * self.size
        return range(part * self.size, after if self.most is None else min(after, self.most))

    @property
    def parts(self) -> int | None:
        """The number of parts, None if unlimited."""
        return None if self.most is None else -(-self.most // self.size)


class _Line:
    """A variant that is being played. Its counts are added in the order of the matches.

    So the decision to stop does not depend on the order in which chunks arrive.
    """

    def __init__(self, work: SimulationWork, options: dict[str, str], value: str, until: float | None) -> None:
        self._work, self._options, self._value, self._until = work, options, value, until
        self._waiting: dict[int, Counts] = {}
        self._parts, self.over = 0, False
        self.found: Variant | None = None

    def add(self, part: int, tally: Counts) -> None:
        self._waiting[part] = tally
        while not self.over and self._parts in self._waiting:
            tally = self._waiting.pop(self._parts)
            counts = tally if self.found is None else self.found.counts + tally
            self.found = Variant(self._options, self._value, counts, self._until is not None)
            self._parts += 1
            enough = self._until is not None and self.found.half_width <= self._until
            self.over = enough or self._parts == self._work.parts

    @property
    def matches(self) -> int:
        return 0 if self.found is None else self.found.counts.matches

    @property
    def expected_matches(self) -> int:
        most = self._work.most
        if self.found is None or self.over or self._until is None:
            return self.matches if self.over else most or self._work.size
        # An interval narrows with the root of the number of matches.
        needed = int(self.matches * (self.found.half_width / self._until) ** 2)
        return needed if most is None else min(needed, most)


def count_matches(game: Game, options: Mapping[str, object], play: str, seed: int, first: int, matches: int) -> Counts:
    """Play and count matches `first`, `first + 1`, … of a seed, in this process."""
    array, scratch = game.options.array(options), Buffers(game)
    points, places = (np.zeros((matches, int(array[0])), np.int64) for _ in range(2))
    lengths, ends = (np.zeros(matches, np.int64) for _ in range(2))
    scores = np.zeros(len(game.actions) if play == "prior" else 0)
    # The kernel uses only the last 64 bits of a seed.
    stream = np.uint64(seed & MASK_64)
    policies.play_batch(
        game.states(2), array, stream, first, points, places, lengths, ends, scratch.actions, scratch.weights, scores
    )
    return Counts.of(game, points, places, lengths, ends)


def _check_arguments(play: str, matches: int | None, until: float | None, chunk: int | None) -> None:
    if play not in CHUNK_SIZES:
        raise BadSimulation(f"play {play[:60]!r}: expected {' or '.join(CHUNK_SIZES)}")
    for number in (matches, chunk):
        if number is not None and number < 1:
            raise BadSimulation(f"{number} matches: expected at least 1")
    if until is not None and not 0 < until < 0.5:
        raise BadSimulation(f"until {until:.4%}: expected more than 0 % and less than 50 %")


def _parse_variation(game: Game, vary: str | None) -> tuple[str | None, tuple[str, ...]]:
    if vary is None:
        return None, ("",)
    name, equals, listed = vary.partition("=")
    if name not in game.options.index:
        raise BadSimulation(f"vary {name[:60]!r}: expected one of {', '.join(game.options.index)}")
    option = game.options.all[game.options.index[name]]
    values = [option.read(word.strip()) for word in listed.split(",")] if equals else list(option.values())
    if len(values) > MOST_VARIANTS:
        raise BadSimulation(f"vary {name}: expected at most {MOST_VARIANTS} values, {name}=…,…, found {len(values)}")
    return name, tuple(dict.fromkeys(map(option.write, values)))
