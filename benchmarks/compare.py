"""Compare this checkout with an earlier commit, in turns in one run: a table of ratios, for CHANGELOG.md.

    python benchmarks/compare.py 4cd5863                     everything, five pairs
    python benchmarks/compare.py HEAD~40 rules live --pairs 9

The commit is checked out and installed in `build/compare`, with the dependencies that it pins; a second run finds it
there. Both sides run the functions of this file, which use only names that have existed since 0.1.0, and each runs its
own `benchmarks/live.py`. They take turns within seconds, so other load on the machine affects both. In every figure
more is better; the ratio is that of now to then, pair by pair. What the commit cannot do yet is not measured.

The exit status is 1 if a median has fallen by more than a tenth.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

import tavola

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "build" / "compare"
GAMES = ("expedition", "fairies", "lifeboats", "tournament", "voyage")
PAIRS = 5
LEAST = 0.9
"""Ratio below which a figure is worse, not noise."""
SECONDS = 0.5
"""CPU seconds of each measurement, after a warm-up of the same work. The load of other programs changes more slowly."""
ITERATIONS, MATCHES, DECISIONS, PLAYED = 400, 512, 400, 40
"""Iterations of a search, matches in a batch, decisions of a match, and those before the position that is searched."""
LIVE = ("--mode", "html", "--rooms", "50", "--rates", "100", "--seconds", "10")
GOOD = "no ratio below 0.9; a release explains those below in CHANGELOG.md."
Work: TypeAlias = Callable[[], int]
Figures: TypeAlias = Mapping[str, float]


# What either side measures, in a process of its own


def rules(name: str) -> Work:
    """Actions of random playouts in machine code."""
    from tavola.cli.bench import speed

    game = tavola.load(name)
    return lambda: 2 * speed(game, 0)[1]  # it plays everything twice, and counts it once


def match(name: str, views: bool = False) -> Work:
    """Decisions of a match from Python."""

    def work() -> int:
        played, draws = tavola.Match(tavola.load(name), seed=1), random.Random(1)
        for decisions in range(DECISIONS):
            if not played.to_act:
                return decisions
            seat = played.to_act[0]
            played.play(draws.choice(played.view(seat).legal if views else played.legal_numbers(seat)), seat)
        return DECISIONS

    return work


def views(name: str) -> Work:
    """Decisions of a match from Python, each from the view of its seat."""
    return match(name, views=True)


def search(name: str) -> Work:
    """Iterations of a search, some way into a match, for a seat that has a choice."""
    from tavola.bots import bot

    searched, draws, played = tavola.Match(tavola.load(name), seed=1), random.Random(1), 0
    while played < PLAYED or len(searched.legal_numbers(searched.to_act[0])) < 2:
        searched.play(draws.choice(searched.legal_numbers(searched.to_act[0])), searched.to_act[0])
        played += 1
    view, searcher = searched.view(searched.to_act[0]), bot("search", 1, iterations=ITERATIONS)

    def work() -> int:
        searcher.choose(view)
        return ITERATIONS

    return work


def batch(name: str) -> Work:
    """Decisions of a batch, with observations and masks."""
    matches = tavola.Batch(name, n=MATCHES, seed=1, threads=1)
    observations = np.zeros((MATCHES, *matches.encoder.shape), np.float32)
    masks = np.zeros((MATCHES, len(matches.game.actions)), np.bool_)

    def work() -> int:
        matches.observe(observations)
        matches.mask(masks)
        matches.step(matches.sample(1))
        return MATCHES

    return work


MEASURES = {measure.__name__: measure for measure in (rules, match, views, search, batch)}


def answer(part: str) -> None:
    """Print a rate of each game in turn, by CPU time, whenever a line is read."""
    for name in GAMES:
        work = MEASURES[part](name)
        work()
        while sys.stdin.readline().strip() == "again":
            begun, amount = time.process_time(), 0
            while time.process_time() < begun + SECONDS:
                amount += work()
            print(amount / (time.process_time() - begun), flush=True)


# Two sides, in turns


@dataclass(frozen=True)
class Side:
    """A checkout of Tavola and the Python in which it is installed."""

    folder: Path
    python: Path

    def begin(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start a Python program of this side."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONWARNINGS": "ignore"}
        command, pipe = [str(self.python), *arguments], subprocess.PIPE
        return subprocess.Popen(  # noqa: S603 - ourselves
            command, cwd=self.folder, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0
        )

    def run(self, *arguments: str) -> str:
        """Return what a program prints."""
        running = self.begin(*arguments)
        printed, errors = running.communicate()
        if running.returncode:
            raise MissingError(last_line(errors))
        return printed.decode()

    def start(self) -> Figures:
        """Return how many programs start per CPU second: the least time of three counts."""
        found = []
        for _ in range(3):
            before = sum(os.times()[2:4])
            self.run("-m", "tavola", "games")
            found.append(sum(os.times()[2:4]) - before)
        return {"starts of `tavola games` per CPU second": 1 / min(found)}

    def live(self) -> Figures:
        """Return what this side's own benchmark of rooms finds; more is better in all figures."""
        row = json.loads(self.run("benchmarks/live.py", *LIVE).splitlines()[0])
        return {
            "live: moves per CPU second of the server": 1000 / row["server_ms_a_move"],
            "live: moves per megabyte to a client": 1e6 / row["bytes_a_move_and_client"],
            "live: 1 / seconds until the slowest hundredth is seen": 1000 / row["p99_ms"],
            "live: rooms with six sockets per gigabyte": 1e6 / row["kilobytes_a_room_with_sockets_after_play"],
        }


class MissingError(Exception):
    """A side cannot measure a part: it has no such thing."""


def last_line(errors: bytes) -> str:
    """Return what a program complains of at its end."""
    return (errors.decode().strip().splitlines() or ["no output"])[-1]


PARTS = (*MEASURES, "start", "live")


def earlier(commit: str) -> Side:
    """Check out and install a commit, unless that has been done; compile its games."""
    named = git("rev-parse", "--short=12", f"{commit}^{{commit}}")
    if named.returncode:
        raise SystemExit(f"{commit}: expected a commit of this repository")
    folder = BUILT / named.stdout.strip()
    side = Side(folder, folder / ".venv" / "bin" / "python")
    if not (installed := folder / ".venv" / "installed").exists():
        git("worktree", "add", "--detach", str(folder), folder.name)
        venv.create(folder / ".venv", with_pip=True)
        pip = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--constraint", "constraints.txt")
        side.run(*pip, "--editable", ".", "httpx")
        installed.touch()
    side.run("-m", "tavola", "warm")
    return side


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Git on this repository."""
    return subprocess.run(["git", "-C", ROOT, *arguments], check=False, capture_output=True, text=True)  # noqa: S603, S607


Pairs: TypeAlias = list[tuple[float, float]]


def compare(part: str, pairs: int, then: Side, now: Side) -> Iterator[tuple[str, Pairs]]:
    """Yield the figures of a part with their pairs, then and now. The sides take turns, also at being first."""
    if part in MEASURES:
        yield from alternate(part, pairs, then, now)
        return
    measure = Side.live if part == "live" else Side.start
    found = [(measure(then), measure(now)) for _ in range(pairs)]
    for name in found[0][1]:
        yield name, [(before[name], after[name]) for before, after in found]


def alternate(part: str, pairs: int, then: Side, now: Side) -> Iterator[tuple[str, Pairs]]:
    """Yield a figure for each game, measured by two processes that wait for each other."""
    with then.begin(__file__, "--answer", part) as one, now.begin(__file__, "--answer", part) as other:
        try:
            for name in GAMES:
                found = []
                for number in range(pairs):
                    order = (one, other) if number % 2 else (other, one)
                    rates = {side: ask(side) for side in order}
                    found.append((rates[one], rates[other]))
                yield f"{part}: {name}", found
                for side in (one, other):
                    tell(side, "next")
        finally:
            for side in (one, other):
                side.kill()


def tell(side: subprocess.Popen[bytes], word: str) -> None:
    """Send a line to a process."""
    assert side.stdin is not None
    side.stdin.write(f"{word}\n".encode())


def ask(side: subprocess.Popen[bytes]) -> float:
    """Return the next rate of a process."""
    assert side.stdout is not None
    try:
        tell(side, "again")
        return float(side.stdout.readline())
    except (BrokenPipeError, ValueError):
        raise MissingError(last_line(side.communicate()[1])) from None


def main() -> None:
    """Parse arguments, measure in turns, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", nargs="?", help="the earlier commit, tag or branch")
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--pairs", type=int, default=PAIRS, help="measurements of each side (default: %(default)s)")
    parser.add_argument("--answer", choices=MEASURES, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.answer:
        answer(asked.answer)
        return
    if asked.commit is None or set(asked.parts) - set(PARTS) or asked.pairs < 1:
        parser.error(f"expected a commit, parts among {', '.join(PARTS)}, and at least one pair")
    raise SystemExit(report(asked.parts or PARTS, asked.pairs, earlier(asked.commit)))


def report(parts: Sequence[str], pairs: int, then: Side) -> int:
    """Print the table; return 1 if a figure has fallen by more than a tenth."""
    from measure import readable, show, spread

    now, worse = Side(ROOT, Path(sys.executable)), list[str]()
    now.run("-m", "tavola", "warm")

    def rows() -> Iterator[tuple[str, ...]]:
        for part in parts:
            try:
                for name, found in compare(part, pairs, then, now):
                    ratios = [after / before for before, after in found]
                    if statistics.median(ratios) < LEAST:
                        worse.append(name)
                    medians = (readable(statistics.median(side)) for side in zip(*found, strict=True))
                    yield name, *medians, *spread(ratios)
            except MissingError as missing:
                yield part, f"not measured: {missing}", "", "", "", ""

    show(("", "then", "now", "ratio", "min", "max"), rows(), GOOD)
    print("".join(f"Worse by more than a tenth: {name}\n" for name in worse), end="")
    return int(bool(worse))


if __name__ == "__main__":
    main()
