"""Actions tried on a copy of the match before they are stored, with the chance outcomes that follow.

Chance outcomes are drawn by weight, with the given dice, only when they are due. Until then they are not known, and not
on disk. A held outcome is due when the room releases it. Races are decided by reaction times.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tavola.core import CHANCE, Game, Match, Result, View, kernels
from tavola.core.kernels import CHANCE_BIT, OPEN_BIT
from tavola.core.view import Buffers, thread_buffers
from tavola.live.log.dice import Dice
from tavola.live.time.race import Reaction, first_outcomes


class Draft:
    """A copy of a match. `actions` are those tried so far, chance's included: pairs of seat and number.

    `reactions`: reaction times of seats that have answered in a race already. `released`: a held outcome falls now.
    `extra_fields`: further fields of an action's event, by the action's index.
    """

    def __init__(
        self, match: Match, dice: Dice, reactions: Mapping[int, Reaction] | None = None, *, released: bool = False
    ) -> None:
        self.game: Game = match.game
        self._players, self._dice = match.players, dice
        self.actions: list[tuple[int, int]] = []
        self.extra_fields: dict[int, dict[str, Any]] = {}
        self._reactions, self._is_timed = dict(reactions or {}), True
        self._buffers = thread_buffers(self.game)
        self._states = self.game.copy_states(np.frombuffer(match.state_bytes(), self.game.state.dtype))
        self._table_before, self._was_open = self._states["table"].tobytes(), match.open
        self._play_chance(released=released)

    def legal(self, seat: int) -> list[int]:
        """Return the numbers of the seat's legal actions; empty if it owes no decision."""
        return legal_in(self._states, seat, self._buffers)

    def view_if_unseen(self, seat: int) -> View | None:
        """Return the seat's view if it acts again and others have seen nothing of its actions; else None."""
        owing, alone = self._all_to_act_bits(), 1 << seat
        goes_on = owing == alone or (owing & OPEN_BIT and owing & alone)
        return View(self.game, self._states, seat) if goes_on and not self._table_changed else None

    @property
    def renews_decisions(self) -> bool:
        """Return whether an action in an open decision was seen by others, who are then asked again."""
        return self._was_open and self._table_changed

    @property
    def _table_changed(self) -> bool:
        return bool(self._states["table"].tobytes() != self._table_before)

    def result(self) -> Result | None:
        """Return points and places; None until the match has ended."""
        return None if self._all_to_act_bits() else Result.of(self._states, self._players)

    @property
    def to_act_bits(self) -> int:
        """Return the seats that owe a decision, as a bit mask."""
        return self._all_to_act_bits() & ~(CHANCE_BIT | OPEN_BIT)

    def play(self, seat: int, number: int, reaction: Reaction | None = None, meant: int | None = None) -> None:
        """Play a legal action, and the chance outcomes that follow.

        `reaction`: in a race, the time it took. `meant`: the player's choice, if the room plays another action instead.
        """
        if reaction is not None:
            self._reactions[seat] = reaction
            self.extra_fields[len(self.actions)] = {"reaction": list(reaction)}
            if meant is not None:
                self.extra_fields[len(self.actions)]["meant"] = self.game.actions.code(meant)
        self._apply(seat, number)
        self._play_chance()

    def open_seals(self, answers: Mapping[int, int]) -> None:
        """Release the held outcome and play the sealed answers, numbers by seat, until a seat has won.

        The answers apply to every further throw. None is faster: what a race would decide is drawn by weight.
        """
        self._is_timed, answered = False, True
        while answered and self._all_to_act_bits() & CHANCE_BIT and self.game.is_suspense(self.legal(CHANCE)[0]):
            self._play_chance(released=True)
            answered = False
            for seat, number in answers.items():
                if number in self.legal(seat):
                    self.play(seat, number)
                    answered = True

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


def legal_in(states: np.ndarray, seat: int, buffers: Buffers) -> list[int]:
    """Return the numbers of a seat's legal actions in a state; empty if it owes no decision."""
    if not int(kernels.to_act_at(states, 0)) >> seat & 1:
        return []
    count = kernels.legal_at(states, 0, seat, buffers.actions, buffers.weights)
    return buffers.actions[:count].tolist()  # type: ignore[no-any-return]


def play_turn(draft: Draft, seat: int, turn: Sequence[int], reaction: Reaction | None = None) -> None:
    """Play the steps of a turn as long as they are legal."""
    for number in turn:
        if number not in draft.legal(seat):
            return
        draft.play(seat, number, reaction if draft.game.is_race_answer(number) else None)


def play_time_outs(draft: Draft, plays: Mapping[int, int]) -> None:
    """Play the actions for seats whose time has run out, as long as they owe the same decision."""
    left = draft.to_act_bits
    for seat, number in plays.items():
        if number not in draft.legal(seat):
            return
        draft.play(seat, number)
        left &= ~(1 << seat)
        if draft.to_act_bits & ~left:  # another decision: a new seat owes one, or the same seat again
            return
