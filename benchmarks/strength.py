"""How the levels stand to each other: the same deals from every seat.

    python benchmarks/strength.py [matches]              Lifeboats, four players
    python benchmarks/strength.py fairies [matches]      Fairies, two to four players, as many matches as are needed
    python benchmarks/strength.py tournament [matches]   Tournament, four players, the same
    python benchmarks/strength.py expedition [matches]   Expedition, three players, the same

At 400 matches and 50 milliseconds a decision the first takes about a quarter of an hour on two cores. The others stop
as soon as the interval of the first entry, one that may be looked at at any time, is clear of an equal share, and after
400 matches at the latest.
"""

import sys
from collections.abc import Sequence

from rich.console import Console

from tavola.lab import arena
from tavola.lab.intervals import anytime_share

TABLES = (["greedy", "random", "random", "random"], ["search@50ms", "greedy", "greedy", "greedy"])
SEQUENTIAL = {
    "fairies": ((2, 3, 4), "search@20ms"),
    "expedition": ((3,), "search@100ms"),
    "tournament": ((4,), "search@20ms"),
}
"""Numbers of players, and who is held against greedy."""
AT_ONCE = 24
"""Matches between two looks at the interval: every deal is played from each of two, three or four seats."""


def sequential(game: str, entries: Sequence[str], most: int) -> str:
    """Play until the first entry's share of wins is clear of an equal one; what came of it, in words."""
    share, played, wins = 1 / len(entries), 0, 0.0
    low, high = 0.0, 1.0
    while low <= share <= high and played < most:
        report = arena(game, entries, AT_ONCE, seed=2026 + played, processes=1)
        played += report.matches
        wins += report.standings[0].wins * report.matches
        low, high = anytime_share(wins / played, played)
    against = f"{entries[0]} among {len(entries) - 1} of {entries[1]}"
    return f"{against}: {played} matches, {wins / played:.1%} of the wins, 95 % {low:.1%} to {high:.1%}"


def main() -> None:
    """Hold the arenas and print what they found."""
    games, numbers = [word for word in sys.argv[1:] if not word.isdigit()], [*filter(str.isdigit, sys.argv[1:])]
    matches = int(numbers[0]) if numbers else 400
    console = Console(width=110)
    for game in games:
        tables, searching = SEQUENTIAL[game]
        for one, other in (("greedy", "random"), (searching, "greedy")):
            for players in tables:
                console.print(sequential(game, [one, *[other] * (players - 1)], matches))
    if games:
        return
    for entries in TABLES:
        console.print(arena("lifeboats", entries, matches, seed=2026).standings_table())


if __name__ == "__main__":
    main()
