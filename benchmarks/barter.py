"""How lively the barter of Tournament is among four bots, and how well it pays.

    python benchmarks/barter.py [matches]        offers, deals and their spread, the first traders beside today's
    python benchmarks/barter.py strength [most]  one of today's among three of the first, until the interval is clear

The first traders are in `tests/helpers/first_traders.py`. The second prints the share of wins with an interval that may
be looked at at any time; every deal is played from each seat.
"""

import sys
from collections import Counter
from collections.abc import Callable

import numpy as np

from tavola.bots import Bot, bot
from tavola.core import Match, stream
from tavola.games import load
from tests.helpers.first_traders import PLAYERS, FirstTrader, shares_against_first_traders


def count_verbs(seed: int, make: Callable[[int], Bot]) -> Counter[str]:
    """Play a match of four bots; count the verbs of its barter, whispers among them, its rounds and actions."""
    match = Match(load("tournament"), players=PLAYERS, seed=seed)
    bots, counted = [make(seed * PLAYERS + seat) for seat in range(PLAYERS)], Counter[str]()
    while match.to_act:
        seats = [match.actor(stream(seed, len(match.history)))] if match.open else list(match.to_act)
        for seat, number in [(seat, bots[seat].choose(match.view(seat))) for seat in seats]:
            verb, indices = match.game.actions.verb(number).name, match.game.actions.action(number)[1]
            if verb == "publish":
                counted["whispers"] += match.view(seat).hand.draft.to <= PLAYERS
            if verb == "accept":
                counted["whispered deals"] += match.view().table.offers[indices[0]][indices[1]].to <= PLAYERS
            counted[verb] += 1
            match.play(number, seat)
    counted["rounds"] = match.view().table.begun
    counted["actions"] = len(match.history)
    return counted


def print_liveliness(matches: int) -> None:
    """Print the means of matches of four bots with their spread."""
    makers: dict[str, Callable[[int], Bot]] = {"first traders": FirstTrader, "greedy": lambda seed: bot("greedy", seed)}
    for name, make in makers.items():
        counted = [count_verbs(seed, make) for seed in range(matches)]
        for key in ("publish", "whispers", "accept", "whispered deals", "withdraw", "rounds", "actions"):
            found = np.array([one[key] for one in counted])
            spread = f"from {found.min()} to {found.max()}, standard deviation {found.std(ddof=1):.1f}"
            print(f"{name}, {matches} matches, {key}: {found.mean():.1f} a match, {spread}")


def print_strength(most: int) -> None:
    """Print the share of wins of one of today's traders among three of the first."""
    for played, share, low, high in shares_against_first_traders(most):
        print(f"{played} matches, {share:.1%} of the wins, 95 % {low:.1%} to {high:.1%}")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    if "strength" in sys.argv:
        print_strength(numbers[0] if numbers else 480)
    else:
        print_liveliness(numbers[0] if numbers else 20)
