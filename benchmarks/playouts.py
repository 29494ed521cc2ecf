"""Random playouts on one core: our games compiled, beside OpenSpiel's C++ loop on its own game of secret roles."""

from collections.abc import Callable

import numpy as np
import peer
from measure import rates, ratio, show

import tavola
from tavola.core import kernels

MATCHES = 3000
PEER = "OpenSpiel social_deduction"
TABLES = [("lifeboats", players, "") for players in range(3, 7)]
TABLES += [("voyage", 5, layout) for layout in ("chart", "random")]
TABLES += [("expedition", players, "") for players in (3, 4)]
TABLES += [("fairies", players, "") for players in (2, 3, 4)]
TABLES += [("tournament", players, "") for players in (3, 4, 5, 6)]


def playouts(name: str, players: int, layout: str) -> Callable[[], int]:
    """Work for `measure.rates`: random matches by the letter; the actions in them, chance's included."""
    game = tavola.load(name)
    options = game.options.array({"players": players, **({"layout": layout} if layout else {})}, "letter")
    states = game.states(2)
    points, places = (np.zeros((MATCHES, players), np.int64) for _ in range(2))
    lengths = np.zeros(MATCHES, np.int64)
    actions, weights = np.zeros(len(game.actions), np.int32), np.zeros(len(game.actions), np.int64)

    def work() -> int:
        kernels.play_batch(states, options, 1, 0, points, places, lengths, actions, weights)
        return int(lengths.sum())

    return work


def called(name: str, players: int, layout: str) -> str:
    """A contender's name."""
    return f"{name}, {players} players" + (f", layout {layout}" if layout else "")


def main() -> None:
    """Measure and print."""
    game, state = peer.root_of("social_deduction")
    length, rollouts = peer.length(state), peer.rollouts(game, state)
    contenders = {called(*table): playouts(*table) for table in TABLES}
    contenders[PEER] = lambda: round(rollouts() * length)
    found = rates(contenders)
    show("Random playouts, one core", "actions/s", found)
    for table in TABLES:
        print(ratio(found, called(*table), PEER))
    print(f"A random playout of social_deduction has {length:.1f} actions on average.")


if __name__ == "__main__":
    main()
