"""What search gains by redeals that keep to what all know: Expedition, with that knowledge and with it wiped.

Everybody knows of some cards that they cannot be in some hands: nobody laid them when their place was reached. A
forgetful search is given views without these notes, so that it deals any unknown card to any hand, as Expedition did
before it kept them. Both have the same number of iterations. One knowing seat plays among forgetful ones, each deal
from every seat, so that an equal share of the wins says that the knowledge is worth nothing.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain

from tavola import games
from tavola.bots import bot
from tavola.core import Match, View
from tavola.lab.intervals import wilson_interval

GAME = games.load("expedition")
NOTES = ("missed", "given")
"""What the table keeps of hidden cards; what each explorer does are his `newcomers`."""

REPORTED = 10
"""Deals between two lines of what has been found so far: the interval is for a number that was fixed beforehand."""


def forgetful(view: View) -> View:
    """Return a view without what all know of hidden cards."""
    states = view.states.copy()
    for field in NOTES:
        states["table"][field] = 0
    states["table"]["explorers"]["newcomers"] = 0
    return View(GAME, states, view.seat)


def share_of_knowing(iterations: int, players: int, game: tuple[int, int]) -> float:
    """Play the deal of a seed with one knowing seat; return its share of the win."""
    seed, knowing = game
    match = Match(GAME, seed=seed, players=players)
    bots = [bot("search", seed * players + seat, None, iterations) for seat in range(players)]
    while match.to_act:
        _decide(match, bots, knowing)
    winners = match.standing().winners
    return (knowing in winners) / len(winners)


def _decide(match: Match, bots: list, knowing: int) -> None:  # type: ignore[type-arg]
    """Let everybody who owes a decision choose, and then all act."""
    views = {seat: match.view(seat) for seat in match.to_act}
    for seat, view in views.items():
        match.play(bots[seat].choose(view if seat == knowing else forgetful(view)), seat)


def main() -> None:
    """Play, and print the share of wins with its interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=300)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    matches = list(chain.from_iterable([(deal, seat) for seat in range(asked.players)] for deal in range(asked.deals)))
    print(f"{asked.players} players, {asked.iterations} iterations a decision; one who knows among forgetful ones:")
    won: list[float] = []
    with ProcessPoolExecutor(asked.processes) as pool:
        for one in pool.map(partial(share_of_knowing, asked.iterations, asked.players), matches):
            won.append(one)
            if len(won) % (REPORTED * asked.players) == 0 or len(won) == len(matches):
                share = sum(won) / len(won)
                low, high = wilson_interval(share, len(won))
                print(f"{len(won)} matches: {share:.1%} of the wins, 95 % {low:.1%} to {high:.1%}", flush=True)


if __name__ == "__main__":
    main()
