"""A match: one playing of a game, from Python as a newcomer meets it.

game = tavola.load("lifeboats")
match = game.match(players=4, seed=7)
match.play("lane 3", match.to_act[0])
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np

from tavola.core import kernels
from tavola.core.actions import Played
from tavola.core.draws import stream
from tavola.core.errors import BadOption, IllegalAction, NotYourTurn
from tavola.core.fields import Json, shown, whole
from tavola.core.game import CHANCE, Game
from tavola.core.plan import Plan, action_number, called, plan
from tavola.core.position import read_position, write_position
from tavola.core.view import Buffers, Result, View, seats_in


class Match:
    """One playing of a game. With a seed chance plays itself; without, `CHANCE` is a seat whose outcomes you play."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, object] | None = None,
        seed: int | None = None,
        position: Json = None,
        rules: str = "recommended",
        check: str = "strict",
    ) -> None:
        self.game, self.seed = game, whole(seed)
        if self.seed is None and seed is not None:
            raise BadOption(f"seed: expected a whole number, found {shown(seed)}")
        self._buffers = Buffers(game)
        if position is None:
            self.options = game.options.array(options or {}, rules)
            self._states = laid(game, self.options)
        else:
            self.options, self._states = read_position(game, position, options or {}, rules, check)
        self.position, self.check = deepcopy(position), check
        self.history: list[tuple[int, int]] = []
        self._beginning = self._states.copy()
        self._to_act: tuple[int, ...] | None = None
        self._legal: dict[int, list[int]] = {}  # of the seats that were asked for since the last action
        self._chance_plays()

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return int(self.options[0])

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision; several for a secret ballot or an open decision, empty at the end."""
        if self._to_act is None:
            self._to_act = seats_in(self._mask)
        return self._to_act

    @property
    def open(self) -> bool:
        """Whether whoever comes first acts and the others are asked anew, as in barter; else all decide in secret."""
        return bool(self._mask & kernels.OPEN_BIT)

    def actor(self, rng: np.ndarray) -> int:
        """Who acts next where nobody is chosen: the lowest seat, in an open decision any, drawn from `rng`."""
        if self.over:
            raise NotYourTurn(f"nobody is to act: expected {self._owing()}")
        return int(kernels.actor(self._mask, rng))

    @property
    def _mask(self) -> int:
        return int(kernels.to_act_at(self._states, 0))

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return not self.to_act

    def legal(self, seat: int | None = None) -> list[str]:
        """The codes of the legal actions of a seat, the only one to act if none is named."""
        return [self.game.actions.code(number) for number in self.legal_numbers(self._actor(seat))]

    def legal_numbers(self, seat: int) -> list[int]:
        """The same as numbers, ascending; empty for a seat that owes no decision."""
        return list(self._legal_of(seat))

    def odds(self) -> dict[str, int]:
        """What chance may do now, each outcome with its weight; empty when chance owes nothing."""
        numbers = self._asked(CHANCE)
        weights = self._buffers.weights[: len(numbers)].tolist()
        return {self.game.actions.code(number): weight for number, weight in zip(numbers, weights, strict=True)}

    def play(self, action: str | int, seat: int | None = None) -> None:
        """Play an action, by code or number; `IllegalAction` or `NotYourTurn` if the rules do not allow it."""
        actor = self._actor(seat)
        number = action_number(self.game, action)
        if actor not in self.to_act:
            raise NotYourTurn(f"{seat_name(actor)} owes no decision now: expected {self._owing()}")
        if number not in self._legal_of(actor):
            raise IllegalAction(self._why(actor, number))
        self._push(actor, number)
        self._chance_plays()

    def plan(self, seat: int, steps: Sequence[str | int]) -> Plan:
        """What a seat would see after some steps of its own: see `tavola.core.plan`. Nothing is played."""
        return plan(self.view(seat), steps)

    def play_all(self, steps: Sequence[str | int], seat: int | None = None) -> None:
        """Play several steps of a seat that can be planned, all or, if one is refused, none; one step as `play`."""
        actor = self._actor(seat)
        if len(steps) == 1:
            self.play(steps[0], actor)
            return
        if not steps:
            raise IllegalAction("no steps: expected at least one action")
        before, played = self._states.copy(), len(self.history)
        for number in self.plan(actor, steps).numbers:
            if number not in self._legal_of(actor):
                self._states[:] = before
                del self.history[played:]
                self._forget()
                raise IllegalAction(
                    f"{self.game.actions.code(number)!r} is not allowed any more: expected another plan"
                )
            self._push(actor, number)
        self._chance_plays()

    def undo(self) -> None:
        """Take back the last decision, and what chance played by itself after it."""
        decided = [place for place, (seat, _) in enumerate(self.history) if seat != CHANCE or self.seed is None]
        if not decided:
            raise IllegalAction("nothing has been played yet: expected a match with at least one action to undo")
        self._states[:] = self.states_at(decided[-1])
        del self.history[decided[-1] :]
        self._forget()

    def states_at(self, at: int) -> np.ndarray:
        """The state after the first `at` actions, an array of one: played again in one compiled pass."""
        states = self._beginning.copy()
        seats, numbers = (np.array([pair[part] for pair in self.history[:at]], np.int64) for part in (0, 1))
        kernels.replay(states, 0, seats, numbers, self._buffers.actions, self._buffers.weights)
        return states

    def view(self, seat: int | None = None) -> View:
        """What a seat sees; without a seat, what a spectator sees."""
        if seat is not None and whole(seat) not in range(self.players):
            raise NotYourTurn(f"seat {shown(seat)} is not at this table: expected 0 to {self.players - 1}")
        return View(self.game, self._states, whole(seat))

    def heard(self, hearer: int | None = None) -> Played | None:
        """The last action as a seat or a spectator hears of it; None where it is secret to him, or none was played."""
        return self.game.heard(*self.history[-1], hearer) if self.history else None

    def result(self) -> Result | None:
        """Points and places, or None while the match goes on."""
        return self.standing() if self.over else None

    def standing(self) -> Result:
        """Points and places as they would be if the match ended now."""
        return Result.of(self._states, self.players)

    def document(self) -> Json:
        """The position with named values: `game.match(position=document)` starts there."""
        return write_position(self.game, self.options, self._states)

    def record(self, names: Sequence[str] = ()) -> Any:
        """The match as a record that a person can read: `str(match.record())`."""
        from tavola.core.matchfile import MatchRecord

        return MatchRecord.of(self, names)

    def state_bytes(self) -> bytes:
        """Every byte of the state, hidden ones included: for tests and copies, never for a player."""
        return self._states.tobytes()

    def _actor(self, seat: int | None) -> int:
        if seat is not None:
            actor = whole(seat)
            return actor if actor is not None else self._no_seat(seat)
        if len(self.to_act) != 1:
            raise NotYourTurn(f"several seats or none may act: expected a seat to be named, {self._owing()}")
        return self.to_act[0]

    def _no_seat(self, seat: object) -> int:
        raise NotYourTurn(f"{shown(seat)} is no seat: expected {self._owing()}")

    def _owing(self) -> str:
        return " or ".join(map(seat_name, self.to_act)) or "nobody, the match is over"

    def _why(self, seat: int, number: int) -> str:
        legal = self.legal(seat)
        expected = ", ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        return f"{called(self.game, number)} is not allowed now for {seat_name(seat)}: expected {expected}"

    def _push(self, seat: int, number: int) -> None:
        self.history.append((seat, number))
        kernels.apply_at(self._states, 0, seat, number)
        self._forget()

    def _forget(self) -> None:
        self._to_act = None
        self._legal.clear()

    def _legal_of(self, seat: int) -> list[int]:
        if seat not in self._legal:
            self._legal[seat] = self._asked(seat)
        return self._legal[seat]

    def _asked(self, seat: int) -> list[int]:
        """The rules' answer, with the weights in the buffers."""
        if seat not in self.to_act:
            return []
        count = kernels.legal_at(self._states, 0, seat, self._buffers.actions, self._buffers.weights)
        return self._buffers.actions[:count].tolist()  # type: ignore[no-any-return]

    def _chance_plays(self) -> None:
        """Draw for chance, outcome by outcome: the draw depends on the seed and the number of actions before it."""
        while self.seed is not None and CHANCE in self.to_act:
            count = kernels.legal_at(self._states, 0, CHANCE, self._buffers.actions, self._buffers.weights)
            place = kernels.weighted(stream(self.seed, len(self.history)), self._buffers.weights, count)
            self._push(CHANCE, int(self._buffers.actions[place]))


def laid(game: Game, options: np.ndarray) -> np.ndarray:
    """An array of one state, right after the table was laid."""
    states = game.states(1)
    kernels.start_at(states, 0, options)
    return states


def perft(game: Game, states: np.ndarray, depth: int) -> int:
    """The number of sequences of `depth` actions from `states[0]`, chance's outcomes included."""
    levels = game.states(depth + 1)
    levels[0] = states[0]
    actions = np.zeros((depth + 1, len(game.actions)), np.int32)
    return int(kernels.perft(levels, 0, depth, actions, Buffers(game).weights))


def seat_name(seat: int) -> str:
    """A seat in a message."""
    return "chance" if seat == CHANCE else f"seat {shown(seat)}"
