"""How the levels stand to each other in Lifeboats: four players, the same deals from every seat.

    python benchmarks/strength.py [matches]

At 400 matches and 50 milliseconds a decision it takes about a quarter of an hour on two cores.
"""

import sys

from rich.console import Console

from tavola.lab import arena

TABLES = (["greedy", "random", "random", "random"], ["search@50ms", "greedy", "greedy", "greedy"])


def main() -> None:
    """Hold both arenas and print their tables."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for entries in TABLES:
        Console(width=110).print(arena("lifeboats", entries, matches, seed=2026).table())


if __name__ == "__main__":
    main()
