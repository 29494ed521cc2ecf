"""Rehearsal of a game: run all that rooms and pages need of it, so that it is compiled or read from the cache."""

from collections.abc import Iterable

from tavola.bots import LEVELS, bot
from tavola.bots.lookahead import new_workspace, run_playouts
from tavola.core import Game, Match, View, kernels, stream
from tavola.core.matchfile import replay_history
from tavola.live.log.undo import steps_of

GLANCING = tuple(name for name, level in LEVELS.items() if not level.searches)
"""Levels that do not search, whose machine code is little more than that of the rules."""
OPENING = 12
"""Decisions after which bots have used all their code."""
ITERATIONS = 8
"""Iterations of a search; only its machine code is needed."""


def rehearse(game: Game, levels: Iterable[str] = LEVELS, decisions: int = OPENING) -> None:
    """Play up to `decisions` decisions of a match of each level, and compute what rooms and pages need."""
    for level in levels:
        player = bot(level, seed=1, iterations=ITERATIONS if LEVELS[level].searches else None)
        match, made = Match(game, seed=1), 0
        while not match.over and made < decisions:
            view = match.view(match.to_act[0])
            _look_ahead(view)
            match.play(player.choose(view), view.seat)
            made += 1
        _look_ahead(match.view())
        # What pages need of a played match: its score, the public history and a replay.
        match.score()
        match.heard(None)
        replay_history(match.game, match.options, match.history)
    workspace = new_workspace(game)  # negotiating bots need to know how a match may go on
    workspace.pool[:1] = Match(game, seed=1).view().states
    run_playouts(workspace, 1, stream(1))


def _look_ahead(view: View) -> None:
    """Compute what pages need of a view: its standing, and what its first legal action leads to and reveals."""
    states = view.game.copy_states(view.states)
    assert view.standing.points
    if view.seat is not None:
        kernels.redeal_at(states, 0, view.seat, stream(1))
        for step in steps_of(view.game, states, [(view.seat, view.legal[0])]):
            step.excludes_world(view.seat)
