"""Random playouts on one core: Lifeboats compiled, beside OpenSpiel's C++ loop on its own game of secret roles."""

import numpy as np
import peer
from measure import rates, ratio, show

import tavola
from tavola.core import kernels

MATCHES = 3000


def playouts(players: int):  # noqa: ANN201
    """Work for `measure.rates`: random matches; the actions in them, chance's included."""
    game = tavola.load("lifeboats")
    options, states = game.options.array({"players": players}), game.states(2)
    points, places = (np.zeros((MATCHES, players), np.int64) for _ in range(2))
    lengths = np.zeros(MATCHES, np.int64)
    actions, weights = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions), np.int64)

    def work() -> int:
        kernels.batch(states, options, 1, 0, points, places, lengths, actions, weights)
        return int(lengths.sum())

    return work


def main() -> None:
    """Measure and print."""
    game, state = peer.root_of("social_deduction")
    length, rollouts = peer.length(state), peer.rollouts(game, state)
    contenders = {f"lifeboats, {players} players": playouts(players) for players in range(3, 7)}
    contenders["OpenSpiel social_deduction"] = lambda: round(rollouts() * length)
    found = rates(contenders)
    show("Random playouts, one core", "actions/s", found)
    for players in range(3, 7):
        print(ratio(found, f"lifeboats, {players} players", "OpenSpiel social_deduction"))
    print(f"A random playout of social_deduction has {length:.1f} actions on average.")


if __name__ == "__main__":
    main()
