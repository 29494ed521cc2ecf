"""Actions tried on a copy before they are written down, with what chance makes of them.

Chance's outcomes are drawn from the operating system when they are due, by weight. Until then nobody knows them and
nothing on disk tells them.
"""

import secrets
from collections.abc import Sequence

import numpy as np

from tavola.core import CHANCE, OPEN, Game, Match, Result, View, kernels
from tavola.core.view import Buffers

CHANCE_BIT, OPEN_BIT = 1 << CHANCE, 1 << OPEN


class Draft:
    """What a match would become. `actions` are those tried so far, chance's included: pairs of seat and number."""

    def __init__(self, match: Match) -> None:
        self.game: Game = match.game
        self._players = match.players
        self.actions: list[tuple[int, int]] = []
        self._buffers = Buffers(self.game)
        self._states = self.game.states(1)
        self._states[:] = np.frombuffer(match.state_bytes(), self._states.dtype)
        self._table, self._open = self._states["table"].tobytes(), match.open
        self._chance()

    def legal(self, seat: int) -> list[int]:
        """The numbers of the seat's legal actions; empty when it owes nothing."""
        if not self._owing() >> seat & 1:
            return []
        count = kernels.legal_at(self._states, 0, seat, self._buffers.actions, self._buffers.weights)
        return self._buffers.actions[:count].tolist()  # type: ignore[no-any-return]

    def quiet_view(self, seat: int) -> View | None:
        """What the seat sees where it goes on and nobody else has seen anything of what it did; else None."""
        owing, alone = self._owing(), 1 << seat
        goes_on = owing == alone or (owing & OPEN_BIT and owing & alone)
        return View(self.game, self._states, seat) if goes_on and not self._told else None

    @property
    def asks_anew(self) -> bool:
        """Whether whoever comes first acted, others have seen it, and so are asked anew."""
        return self._open and self._told

    @property
    def _told(self) -> bool:
        return bool(self._states["table"].tobytes() != self._table)

    def result(self) -> Result | None:
        """Points and places when the match has ended."""
        return None if self._owing() else Result.of(self._states, self._players)

    def play(self, seat: int, number: int) -> None:
        """Play a legal action, and what chance owes after it."""
        self._apply(seat, number)
        self._chance()

    def _owing(self) -> int:
        return int(kernels.to_act_at(self._states, 0))

    def _apply(self, seat: int, number: int) -> None:
        kernels.apply_at(self._states, 0, seat, number)
        self.actions.append((seat, number))

    def _chance(self) -> None:
        while self._owing() & CHANCE_BIT:
            outcomes = self.legal(CHANCE)
            weights = self._buffers.weights[: len(outcomes)].tolist()
            self._apply(CHANCE, drawn(outcomes, weights))


def play_turn(draft: Draft, seat: int, turn: Sequence[int]) -> None:
    """Play the steps of a turn as long as the rules allow them."""
    for number in turn:
        if number not in draft.legal(seat):
            return
        draft.play(seat, number)


def drawn(outcomes: list[int], weights: list[int]) -> int:
    """One outcome, by weight, that nobody could foresee."""
    left = secrets.randbelow(sum(weights))
    for outcome, weight in zip(outcomes, weights, strict=True):
        if left < weight:
            return outcome
        left -= weight
    raise AssertionError("weights sum to more than their parts")
