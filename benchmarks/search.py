"""Search: how much of a bare playout's speed is left inside it, and redeals; beside OpenSpiel's ISMCTS on `oh_hell`.

The games differ, so the figures that compare are the shares: iterations of a search a second over bare playouts of the
same policy and the same position a second.
"""

import random
from collections.abc import Callable

import numpy as np
import peer
import pyspiel
from measure import rates, ratio, show

import tavola
from tavola.bots.lookahead import Workspace, new_workspace, run_iterations, run_playouts, sample_redeals
from tavola.bots.tree import clear
from tavola.core import kernels
from tavola.core.rng import stream

NUMBER = 3000
BALLOT = 60
"""So many actions are played before the positions that are measured: about the fifth round of four players."""


def position(voted: int) -> tuple[Workspace, int]:
    """A desk with a view of Lifeboats in the pool, a ballot in which so many have voted; and who is asked."""
    match, draws = tavola.Match(tavola.load("lifeboats"), players=4, seed=7), random.Random(1)
    while len(match.history) < BALLOT or len(match.to_act) != 4:
        match.play(draws.choice(match.legal_numbers(match.to_act[0])), match.to_act[0])
    for _ in range(voted):
        match.play(match.legal(match.to_act[0])[0], match.to_act[0])
    desk, seat = new_workspace(match.game), match.to_act[0]
    desk.state[:] = match.view(seat).states
    sample_redeals(desk, seat, 1, stream(1))
    return desk, seat


def searching(desk: Workspace, seat: int) -> Callable[[], int]:
    """Iterations of a new search."""
    view, rng = desk.pool[:1].copy(), stream(2)

    def work() -> int:
        clear(desk.tree)
        desk.bounds[0].fill(np.inf)
        desk.bounds[1].fill(-np.inf)
        desk.state[:] = view
        sample_redeals(desk, seat, 1, rng)
        run_iterations(desk, seat, 1, NUMBER, rng)
        return NUMBER

    return work


def random_playouts(desk: Workspace) -> Callable[[], int]:
    """Uniform playouts of the same position, for the price of the priors."""
    rng, actions, weights = stream(3), desk.actions.copy(), desk.weights.copy()
    states = desk.pool[:2].copy()

    def work() -> int:
        for _ in range(NUMBER):
            states[0] = desk.pool[0]
            kernels.playout(states, 0, rng, actions, weights)
        return NUMBER

    return work


def redealing() -> Callable[[], int]:
    """Redeals of a ballot with three cards face down, their likelihood included."""
    desk, seat = position(voted=3)
    rng, view = stream(4), desk.state.copy()

    def work() -> int:
        for _ in range(NUMBER // len(desk.pool) + 1):
            desk.state[:] = view
            sample_redeals(desk, seat, len(desk.pool), rng)
        return (NUMBER // len(desk.pool) + 1) * len(desk.pool)

    return work


def main() -> None:
    """Measure and print."""
    desk, seat = position(voted=0)
    rng = stream(5)
    game, state = peer.root_of("oh_hell")
    ismcts = pyspiel.ISMCTSBot(
        1,
        pyspiel.RandomRolloutEvaluator(1, 3),
        2.0,
        NUMBER,
        -1,
        pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        False,
        False,
    )

    def playing() -> int:
        run_playouts(desk, NUMBER, rng)
        return NUMBER

    def ismcts_search() -> int:
        ismcts.step(state)
        return NUMBER

    def resampling() -> int:
        for _ in range(NUMBER):
            state.resample_from_infostate(state.current_player(), random.random)
        return NUMBER

    found = rates(
        {
            "lifeboats, iterations of a search": searching(desk, seat),
            "lifeboats, bare playouts by priors": playing,
            "lifeboats, bare random playouts": random_playouts(desk),
            "oh_hell, simulations of ISMCTS": ismcts_search,
            "oh_hell, bare random playouts": peer.rollouts(game, state),
        }
    )
    show("Search, one core", "a second", found)
    print(ratio(found, "lifeboats, iterations of a search", "lifeboats, bare playouts by priors"))
    print(ratio(found, "lifeboats, iterations of a search", "lifeboats, bare random playouts"))
    print(ratio(found, "oh_hell, simulations of ISMCTS", "oh_hell, bare random playouts"))
    dealt = rates({"lifeboats": redealing(), "oh_hell, from Python": resampling})
    show("Redeals", "redeals/s", dealt)


if __name__ == "__main__":
    main()
