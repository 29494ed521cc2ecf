"""How well hidden roles can be told from what everybody has seen: Voyage's likelihood, turn by turn.

Bots play by the weight of their priors, five players, the emended sailor. At the beginning of every turn seat 0 looks
at the table and at its own role: how likely does it find the true role of each other seat? The mean over all matches
that lasted so long, beside what the cards alone would say.
"""

import argparse
from collections import defaultdict
from statistics import fmean, stdev

import numpy as np

import tavola
from tavola.core import CHANCE, Match, kernels, stream
from tavola.core.rng import random_below
from tavola.core.view import Buffers

GAME = tavola.load("voyage")
ROLES = 7
SCRATCH = Buffers(GAME)


def play(match: Match, rng: np.ndarray) -> None:
    """One action, by the weight of the priors."""
    seat = match.to_act[0]
    numbers = match.legal_numbers(seat)
    if seat == CHANCE:
        weights = np.array(list(match.odds().values()), float)
    else:
        weights = np.zeros(len(numbers))
        states = match.view(seat).states
        GAME.heuristics.priors(states[0], seat, np.array(numbers, np.int32), len(numbers), weights)
    place = np.searchsorted(weights.cumsum(), random_below(rng, 1 << 30) / (1 << 30) * weights.sum(), side="right")
    match.play(numbers[int(place)], seat)


def beliefs(match: Match, redeals: int, rng: np.ndarray) -> list[float]:
    """How likely seat 0 finds the true role of each other seat, from weighted redeals of its view."""
    view, belief = match.view(0), np.zeros((match.players, ROLES))
    states = view.states.copy()
    for _ in range(redeals):
        states[:] = view.states
        kernels.redeal_at(states, 0, 0, rng)
        weight = GAME.heuristics.likelihood(states[0], 0)
        belief[np.arange(match.players), states["hand"]["role"][0][: match.players]] += weight
    true = [match.view(seat).hand.role for seat in range(match.players)]
    return [float(belief[seat, true[seat]] / belief[seat].sum()) for seat in range(1, match.players)]


def main() -> None:
    """Print a table: turn, matches, mean probability of the true role and its 95 % interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--redeals", type=int, default=500)
    asked = parser.parse_args()
    by_turn: defaultdict[int, list[float]] = defaultdict(list)
    for number in range(asked.matches):
        match, rng, turn = Match(GAME, seed=number, players=5, rules="letter", sailor="emended"), stream(6, number), 0
        while not match.over:
            if match.view().table.turn > turn:
                turn = match.view().table.turn
                by_turn[turn].append(fmean(beliefs(match, asked.redeals, rng)))
            play(match, rng)
    print("| turn | matches | mean probability of the true role | 95 % |\n|---:|---:|---:|---:|")
    for turn, found in sorted(by_turn.items()):
        half = 1.96 * stdev(found) / len(found) ** 0.5 if len(found) > 1 else 0.0
        print(f"| {turn} | {len(found)} | {fmean(found):.3f} | ±{half:.3f} |")


if __name__ == "__main__":
    main()
