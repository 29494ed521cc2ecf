"""Answers that are sealed before chance falls: by correspondence, where a live room would measure who is faster.

What chance holds before a race does not fall by time there. Each racer seals his answer first; when all have, it falls,
and what was sealed is played. So nobody sees what he answers to, and nobody need be quick.
"""

from collections.abc import Mapping

import numpy as np

from tavola.core import CHANCE, Match, View, kernels

Answers = Mapping[int, tuple[int, ...]]
"""By seat the numbers of the answers that it may seal."""


def answers_after(match: Match) -> dict[int, tuple[int, ...]]:
    """Return the answers in the race after what chance holds now: they are the same whatever falls.

    Empty where no race comes of it.
    """
    game = match.game
    states = game.copy_states(np.frombuffer(match.state_bytes(), game.state.dtype))
    kernels.apply_at(states, 0, CHANCE, match.legal_numbers(CHANCE)[0])
    owing = [seat for seat in View(game, states, None).to_act if seat != CHANCE]
    legal = {seat: View(game, states, seat).legal for seat in owing}
    return {seat: numbers for seat, numbers in legal.items() if any(map(game.is_race_answer, numbers))}


class SealingView(View):
    """The view of a table where answers are sealed: whoever owes one may give it, though chance is to fall first."""

    def __init__(self, view: View, owed: Answers) -> None:
        """`owed`: of those who have sealed none yet."""
        super().__init__(view.game, view.states, view.seat)
        answers = () if view.seat is None else owed.get(view.seat, ())
        vars(self).update(to_act=tuple(sorted(owed)), legal=answers)
