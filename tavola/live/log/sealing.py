"""Sealed answers: in correspondence games they replace measured speed in a race.

A held outcome before a race does not fall by time there. Each racer seals an answer first; when all have, it falls, and
the sealed answers are played. So no racer sees the outcome before answering, and none has to be quick.
"""

from collections.abc import Mapping

import numpy as np

from tavola.core import CHANCE, Match, View, kernels

Answers = Mapping[int, tuple[int, ...]]
"""By seat, the numbers of the answers that it may seal."""


def answers_after(match: Match) -> dict[int, tuple[int, ...]]:
    """Return the answers in the race after the held outcome: they are the same for every outcome.

    Empty if no race follows.
    """
    game = match.game
    states = game.copy_states(np.frombuffer(match.state_bytes(), game.state.dtype))
    kernels.apply_at(states, 0, CHANCE, match.legal_numbers(CHANCE)[0])
    owing = [seat for seat in View(game, states, None).to_act if seat != CHANCE]
    legal = {seat: View(game, states, seat).legal for seat in owing}
    return {seat: numbers for seat, numbers in legal.items() if any(map(game.is_race_answer, numbers))}


class SealingView(View):
    """The view of a table with sealed answers: a seat that owes one can give it, although chance acts first."""

    def __init__(self, view: View, owed: Answers) -> None:
        """`owed`: the answers of seats that have not sealed one yet."""
        super().__init__(view.game, view.states, view.seat)
        answers = () if view.seat is None else owed.get(view.seat, ())
        vars(self).update(to_act=tuple(sorted(owed)), legal=answers)
