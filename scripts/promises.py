"""Count the promises that bots keep and break, by temper and game, in matches among themselves.

python -m scripts.promises                       the table of docs/talk.md, in Markdown
python -m scripts.promises lifeboats --matches 4 --iterations 60

Each match seats the next tempers in turn, so that all meet. A promise that was never due counts for neither.
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product

from scripts.talk import PLAYERS, play_talking, seated
from tavola.bargain import TEMPERS
from tavola.games import names

Counts = Counter[tuple[str, str, str]]
"""Kept and broken promises, by game, temper and outcome."""


def counts_of(game: str, seed: int, level: str, iterations: int | None) -> Counts:
    """Play a match; return the outcomes of its promises."""
    players = PLAYERS.get(game, 3)
    tempers = [list(TEMPERS)[(seed * players + seat) % len(TEMPERS)] for seat in range(players)]
    talk, found = seated(game, seed, tempers, level, iterations), Counts()
    for _ in play_talking(talk, seed):
        pass
    for temper, counts in zip(tempers, talk.counts(), strict=True):
        found += Counts({(game, temper, "kept"): counts.kept, (game, temper, "broken"): counts.broken})
    return found


def table_of(counts: Counts, games: Sequence[str]) -> str:
    """Return the share of promises kept, with the numbers behind it, as a table in Markdown."""

    def cell(temper: str, played: Sequence[str]) -> str:
        kept, broken = (sum(counts[game, temper, what] for game in played) for what in ("kept", "broken"))
        return f"{kept / (kept + broken):.0%} ({kept} of {kept + broken})" if kept + broken else "–"

    head = ["temper", *games, "all"]
    rows = [[temper, *(cell(temper, [game]) for game in games), cell(temper, games)] for temper in TEMPERS]
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Play the matches and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=names())
    parser.add_argument("--matches", type=int, default=8, help="matches per game")
    parser.add_argument("--level", default="search")
    parser.add_argument("--iterations", type=int, default=100, help="search iterations per decision")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    counts, iterations = Counts(), given.iterations if given.level == "search" else None
    with ProcessPoolExecutor(given.processes) as pool:
        matches = product(given.games, range(given.matches))
        jobs = [pool.submit(counts_of, game, seed, given.level, iterations) for game, seed in matches]
        for job in jobs:
            counts += job.result()
    print(table_of(counts, given.games))


if __name__ == "__main__":
    main()
