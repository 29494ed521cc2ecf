"""Strength of bots: levels against each other, barter in Tournament, beliefs in Voyage, redeals in Expedition.

    python benchmarks/strength.py lifeboats [--matches 400]     one seat of a level among others, with the same deals
    python benchmarks/strength.py fairies expedition tournament until the interval excludes an equal share
    python benchmarks/strength.py barter [--matches 20]         what four traders do in a match of Tournament
    python benchmarks/strength.py beliefs [--matches 400]       how well votes reveal hidden roles, turn by turn
    python benchmarks/strength.py redeals [--matches 180]       one search that uses public knowledge, among others

Without a name everything is measured. With 400 matches and 50 milliseconds per decision, Lifeboats takes a quarter of
an hour on two cores.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from statistics import fmean, stdev

import numpy as np
from measure import run_parts

from tavola.bots import bot
from tavola.core import CHANCE, Match, View, kernels, stream
from tavola.core.rng import random_below
from tavola.games import load
from tavola.lab import arena
from tavola.lab.intervals import anytime_share, wilson_interval

GOOD = """the interval of a level's share of wins is above the equal share (the last column); the probability of the \
true role grows with every turn."""
HEADINGS = ("", "matches", "result", "95 %", "equal share, or spread")
TABLES = (["greedy", "random", "random", "random"], ["search@50ms", "greedy", "greedy", "greedy"])
SEQUENTIAL = {
    "fairies": ((2, 3, 4), "search@20ms"),
    "expedition": ((3,), "search@100ms"),
    "tournament": ((4,), "search@20ms"),
}
"""Numbers of players, and the level that plays against greedy."""
AT_ONCE = 24
"""Matches between two checks of the interval: every deal is played from each of two, three or four seats."""
TRADERS, ROLES, REDEALS = 4, 7, 500
NOTES = ("missed", "given")
"""Public knowledge of hidden cards on Expedition's table; actions of explorers are in their `newcomers`."""
EXPLORERS, ITERATIONS = 3, 100
Row = tuple[object, ...]


def share_row(name: str, matches: int, share: float, interval: tuple[float, float], equal: float) -> Row:
    """Return a row of a share of wins."""
    return name, matches, f"{share:.1%}", f"{interval[0]:.1%} to {interval[1]:.1%}", f"{equal:.1%}"


# Levels


def hold_arenas(matches: int) -> Iterator[Row]:
    """Play `matches` matches of Lifeboats with four players for each pair of levels."""
    for entries in TABLES:
        won = arena("lifeboats", entries, matches, seed=2026).standings[0].wins
        name = f"lifeboats, {entries[0]} among {len(entries) - 1} of {entries[1]}"
        yield share_row(name, matches, won, wilson_interval(won, matches), 1 / len(entries))


def hold_sequential(game: str, most: int) -> Iterator[Row]:
    """Play each pair of levels at each table, at most `most` matches, until its share is clear of an equal one."""
    tables, searching = SEQUENTIAL[game]
    for one, other in (("greedy", "random"), (searching, "greedy")):
        for players in tables:
            share, played, wins = 1 / players, 0, 0.0
            low, high = 0.0, 1.0
            while low <= share <= high and played < most:
                report = arena(game, [one, *[other] * (players - 1)], AT_ONCE, seed=2026 + played, processes=1)
                played += report.matches
                wins += report.standings[0].wins * report.matches
                low, high = anytime_share(wins / played, played)
            yield share_row(f"{game}, {one} among {players - 1} of {other}", played, wins / played, (low, high), share)


# Barter


def count_verbs(seed: int) -> Counter[str]:
    """Play a match of four bots; count the verbs of its barter, including whispers, its rounds and actions."""
    match = Match(load("tournament"), players=TRADERS, seed=seed)
    bots, counted = [bot("greedy", seed * TRADERS + seat) for seat in range(TRADERS)], Counter[str]()
    while match.to_act:
        seats = [match.actor(stream(seed, len(match.history)))] if match.open else list(match.to_act)
        for seat, number in [(seat, bots[seat].choose(match.view(seat))) for seat in seats]:
            verb, indices = match.game.actions.verb(number).name, match.game.actions.action(number)[1]
            if verb == "publish":
                counted["whispers"] += match.view(seat).hand.draft.to <= TRADERS
            if verb == "accept":
                counted["whispered deals"] += match.view().table.offers[indices[0]][indices[1]].to <= TRADERS
            counted[verb] += 1
            match.play(number, seat)
    counted["rounds"] = match.view().table.begun
    counted["actions"] = len(match.history)
    return counted


def trade(matches: int) -> Iterator[Row]:
    """Count the actions of four traders in a match."""
    counted = [count_verbs(seed) for seed in range(matches)]
    for key in ("publish", "whispers", "accept", "whispered deals", "withdraw", "rounds", "actions"):
        found = np.array([one[key] for one in counted])
        spread = f"{found.min()} to {found.max()}, standard deviation {found.std(ddof=1):.1f}"
        yield f"tournament, greedy, {key} per match", matches, f"{found.mean():.1f}", "", spread


# Beliefs


def play_by_priors(match: Match, rng: np.ndarray) -> None:
    """Play one action, drawn by its prior."""
    seat = match.to_act[0]
    numbers = match.legal_numbers(seat)
    if seat == CHANCE:
        weights = np.array(list(match.chance_weights().values()), float)
    else:
        weights = np.zeros(len(numbers))
        states = match.view(seat).states
        match.game.heuristics.priors(states[0], seat, np.array(numbers, np.int32), len(numbers), weights)
    place = np.searchsorted(weights.cumsum(), random_below(rng, 1 << 30) / (1 << 30) * weights.sum(), side="right")
    match.play(numbers[int(place)], seat)


def beliefs(match: Match, rng: np.ndarray) -> list[float]:
    """Return the probability that seat 0 gives to the true role of each other seat, by weighted redeals of its view."""
    view, belief = match.view(0), np.zeros((match.players, ROLES))
    states = view.states.copy()
    for _ in range(REDEALS):
        states[:] = view.states
        kernels.redeal_at(states, 0, 0, rng)
        weight = match.game.heuristics.likelihood(states[0], 0)
        belief[np.arange(match.players), states["hand"]["role"][0][: match.players]] += weight
    true = [match.view(seat).hand.role for seat in range(match.players)]
    return [float(belief[seat, true[seat]] / belief[seat].sum()) for seat in range(1, match.players)]


def infer_roles(matches: int) -> Iterator[Row]:
    """Play Voyage by priors, with five players and the emended sailor; evaluate seat 0 at the start of every turn."""
    game, by_turn = load("voyage"), defaultdict[int, list[float]](list)
    for number in range(matches):
        match, rng, turn = Match(game, seed=number, players=5, rules="letter", sailor="emended"), stream(6, number), 0
        while not match.over:
            if match.view().table.turn > turn:
                turn = match.view().table.turn
                by_turn[turn].append(fmean(beliefs(match, rng)))
            play_by_priors(match, rng)
    for turn, found in sorted(by_turn.items()):
        half = 1.96 * stdev(found) / len(found) ** 0.5 if len(found) > 1 else 0.0
        name = f"voyage, turn {turn}, probability of the true role"
        yield name, len(found), f"{fmean(found):.3f}", f"±{half:.3f}", ""


# Redeals


def forgetful(view: View) -> View:
    """Return a view without public knowledge of hidden cards: a redeal may then give any unknown card to any hand."""
    states = view.states.copy()
    for field in NOTES:
        states["table"][field] = 0
    states["table"]["explorers"]["newcomers"] = 0
    return View(view.game, states, view.seat)


def share_of_knowing(asked: tuple[int, int]) -> float:
    """Play the deal of a seed with one knowing seat; return its share of the win."""
    seed, knowing = asked
    match = Match(load("expedition"), seed=seed, players=EXPLORERS)
    bots = [bot("search", seed * EXPLORERS + seat, None, ITERATIONS) for seat in range(EXPLORERS)]
    while match.to_act:
        views = {seat: match.view(seat) for seat in match.to_act}
        for seat, view in views.items():
            match.play(bots[seat].choose(view if seat == knowing else forgetful(view)), seat)
    winners = match.score().winners
    return (knowing in winners) / len(winners)


def keep_knowledge(matches: int) -> Iterator[Row]:
    """Play Expedition with one knowing search among forgetful ones of as many iterations; each deal from every seat."""
    deals = chain.from_iterable([(deal, seat) for seat in range(EXPLORERS)] for deal in range(matches // EXPLORERS))
    with ProcessPoolExecutor() as pool:
        won = list(pool.map(share_of_knowing, deals))
    name = f"expedition, redeals with public knowledge, {ITERATIONS} iterations"
    yield share_row(name, len(won), fmean(won), wilson_interval(fmean(won), len(won)), 1 / EXPLORERS)


def usually(matches: int, play: Callable[[int], Iterator[Row]]) -> Callable[[argparse.Namespace], Iterator[Row]]:
    """Return a part that plays `matches` matches unless the command line gives a number."""
    return lambda asked: play(asked.matches or matches)


PARTS = {
    "lifeboats": usually(400, hold_arenas),
    **{game: usually(400, partial(hold_sequential, game)) for game in SEQUENTIAL},
    "barter": usually(20, trade),
    "beliefs": usually(400, infer_roles),
    "redeals": usually(180, keep_knowledge),
}

if __name__ == "__main__":
    run_parts(__doc__, PARTS, HEADINGS, GOOD, {"matches": 0})
