"""Actions tried on a copy before they are written down, with what chance makes of them.

Chance's outcomes are drawn when they are due, by weight, with the dice that are handed in. Until then nobody knows
them and nothing on disk tells them. What a game holds is not due before the room says so, and what it races its clocks
decide.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tavola.core import CHANCE, OPEN, Game, Match, Result, View, kernels
from tavola.core.view import Buffers
from tavola.live.log.dice import Dice
from tavola.live.time.race import Reaction, first_outcomes

CHANCE_BIT, OPEN_BIT = 1 << CHANCE, 1 << OPEN


class Draft:
    """A match as it would become. `actions` are those tried so far, chance's included: pairs of seat and number.

    `reactions`: how long those took who have answered in a race already. With `released` what chance holds falls now.
    `extra_fields` is what else is to be kept of an action, by its place.
    """

    def __init__(
        self, match: Match, dice: Dice, reactions: Mapping[int, Reaction] | None = None, *, released: bool = False
    ) -> None:
        self.game: Game = match.game
        self._players, self._dice = match.players, dice
        self.actions: list[tuple[int, int]] = []
        self.extra_fields: dict[int, dict[str, Any]] = {}
        self._reactions, self._is_timed = dict(reactions or {}), True
        self._buffers = Buffers(self.game)
        self._states = self.game.copy_states(np.frombuffer(match.state_bytes(), self.game.state.dtype))
        self._table_before, self._was_open = self._states["table"].tobytes(), match.open
        self._play_chance(released=released)

    def legal(self, seat: int) -> list[int]:
        """The numbers of the seat's legal actions; empty when it owes nothing."""
        if not self._all_to_act_bits() >> seat & 1:
            return []
        count = kernels.legal_at(self._states, 0, seat, self._buffers.actions, self._buffers.weights)
        return self._buffers.actions[:count].tolist()  # type: ignore[no-any-return]

    def view_if_unseen(self, seat: int) -> View | None:
        """Return what the seat sees where it goes on and nobody else has seen anything of what it did; else None."""
        owing, alone = self._all_to_act_bits(), 1 << seat
        goes_on = owing == alone or (owing & OPEN_BIT and owing & alone)
        return View(self.game, self._states, seat) if goes_on and not self._table_changed else None

    @property
    def renews_decisions(self) -> bool:
        """True when whoever comes first acted, others have seen it, and so are asked anew."""
        return self._was_open and self._table_changed

    @property
    def _table_changed(self) -> bool:
        return bool(self._states["table"].tobytes() != self._table_before)

    def result(self) -> Result | None:
        """Points and places when the match has ended."""
        return None if self._all_to_act_bits() else Result.of(self._states, self._players)

    @property
    def to_act_bits(self) -> int:
        """The seats that owe a decision, a bit mask."""
        return self._all_to_act_bits() & ~(CHANCE_BIT | OPEN_BIT)

    def play(self, seat: int, number: int, reaction: Reaction | None = None, meant: int | None = None) -> None:
        """Play a legal action, and what chance owes after it.

        In a race with the time it took; `meant` is what somebody chose in whose place the room plays it.
        """
        if reaction is not None:
            self._reactions[seat] = reaction
            self.extra_fields[len(self.actions)] = {"reaction": list(reaction)}
            if meant is not None:
                self.extra_fields[len(self.actions)]["meant"] = self.game.actions.code(meant)
        self._apply(seat, number)
        self._play_chance()

    def open_seals(self, answers: Mapping[int, int]) -> None:
        """What chance holds falls, and the sealed answers, numbers by seat, are played, until somebody has won.

        They hold for every throw of it. Nobody is faster: where a race would decide chance does, by weight.
        """
        self._is_timed, answered = False, True
        while answered and self._holds_chance:
            self._play_chance(released=True)
            answered = False
            for seat, number in answers.items():
                if number in self.legal(seat):
                    self.play(seat, number)
                    answered = True

    @property
    def _holds_chance(self) -> bool:
        return bool(self._all_to_act_bits() & CHANCE_BIT) and self.game.is_suspense(self.legal(CHANCE)[0])

    def _all_to_act_bits(self) -> int:
        return int(kernels.to_act_at(self._states, 0))

    def _apply(self, seat: int, number: int) -> None:
        kernels.apply_at(self._states, 0, seat, number)
        self.actions.append((seat, number))

    def _play_chance(self, *, released: bool = False) -> None:
        while self._all_to_act_bits() & CHANCE_BIT:
            outcomes = self.legal(CHANCE)
            if self.game.is_suspense(outcomes[0]) and not released:
                return
            released = False
            self._apply(CHANCE, self._choose_outcome(outcomes))
            self._reactions.clear()

    def _choose_outcome(self, outcomes: list[int]) -> int:
        weights = dict(zip(outcomes, self._buffers.weights[: len(outcomes)].tolist(), strict=True))
        if self._is_timed and self.game.is_race_outcome(outcomes[0]):
            outcomes = first_outcomes(self.game, outcomes, self._reactions)
        if len(outcomes) == 1:
            return outcomes[0]
        return self._dice.draw_outcome(outcomes, [weights[outcome] for outcome in outcomes])


def play_turn(draft: Draft, seat: int, turn: Sequence[int], reaction: Reaction | None = None) -> None:
    """Play the steps of a turn as long as the rules allow them."""
    for number in turn:
        if number not in draft.legal(seat):
            return
        draft.play(seat, number, reaction if draft.game.is_race_answer(number) else None)


def play_time_outs(draft: Draft, plays: Mapping[int, int]) -> None:
    """Play what running out of time plays, by seat, as long as it is the same decision that they owe."""
    left = draft.to_act_bits
    for seat, number in plays.items():
        if number not in draft.legal(seat):
            return
        draft.play(seat, number)
        left &= ~(1 << seat)
        if draft.to_act_bits & ~left:  # somebody decides who did not, or again: another decision
            return
