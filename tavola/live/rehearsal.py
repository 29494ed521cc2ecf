"""Everything that rooms and their pages ask of a game, asked once before anybody waits for it.

What is asked is compiled by it, or read from the cache.
"""

from collections.abc import Iterable

from tavola.bots import LEVELS, Bot, bot
from tavola.core import Game, Match, View, kernels, stream
from tavola.core.matchfile import replay_history

GLANCING = tuple(name for name, level in LEVELS.items() if not level.searches)
"""The levels whose machine code is soon read: that of the rules, and a little."""
OPENING = 12
"""Decisions after which bots have asked all that they ask."""
ITERATIONS = 8
"""What a search is given: its machine code is asked for, not what it finds."""


def rehearse(game: Game, levels: Iterable[str] = LEVELS, decisions: int = OPENING) -> None:
    """Play matches of bots, of each level one, as far as that, and ask what rooms and pages ask of them."""
    for level in levels:
        player = bot(level, seed=1, iterations=ITERATIONS if LEVELS[level].searches else None)
        match, made = Match(game, seed=1), 0
        while not match.over and made < decisions:
            _decide(match, player)
            made += 1
        _look_ahead(match.view())
        _look_back(match)


def _decide(match: Match, player: Bot) -> None:
    view = match.view(match.to_act[0])
    _look_ahead(view)
    match.play(player.choose(view), view.seat)


def _look_ahead(view: View) -> None:
    """What pages ask of a view: how it stands, and how it would look after the first thing that may be done."""
    states = view.game.copy_states(view.states)
    assert view.standing.points
    if view.seat is not None:
        kernels.redeal_at(states, 0, view.seat, stream(1))
        kernels.apply_at(states, 0, view.seat, int(view.legal[0]))


def _look_back(match: Match) -> None:
    """What is asked of a match that was played: how it stands, what was heard, and that it is played again."""
    match.score()
    match.heard(None)
    replay_history(match.game, match.options, match.history)
