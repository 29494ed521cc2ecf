"""Immutable moments of a match, each linked to the one before it, for walking and searching game trees.

The information state of a seat has perfect recall. It is the same at two moments exactly if the seat has seen and heard
the same since the match began; `View.key` covers only what it sees now. Events that a seat neither sees nor hears leave
its information state unchanged, so the number of others' secret actions stays hidden.
"""

from collections import Counter
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from tavola.core import CHANCE, Game, kernels
from tavola.core.kernels import CHANCE_BIT, OPEN_BIT
from tavola.core.rng import MASK_64, stream
from tavola.core.view import Buffers, View, seats_in

DIGEST_BYTES = 16
NOBODY = -1


class Memory(NamedTuple):
    """The past of a redealt moment: everything for `seat`, only public actions for the others."""

    seat: int
    information: bytes
    history: tuple[tuple[int, int], ...]


class Moment:
    """An immutable state of a match with its history.

    `asked` are the seats that decide now, several in a secret ballot, without seeing each other's choices. In an open
    decision, chance first draws the seat that acts (`first`), and only that seat is asked.
    """

    def __init__(
        self,
        game: Game,
        states: np.ndarray,
        before: "Moment | None",
        played: tuple[int, int] | None,
        first: int = NOBODY,
        memory: Memory | None = None,
    ) -> None:
        self.game, self.states, self.before, self.played, self.first = game, states, before, played, first
        self.memory = memory
        self.mask = int(kernels.to_act_at(states, 0))
        self._information: dict[int, bytes] = {} if memory is None else {memory.seat: memory.information}
        self._step = (NOBODY, NOBODY)

    @property
    def over(self) -> bool:
        return not self.mask

    @property
    def chance_draws_first(self) -> bool:
        """True in an open decision whose first actor has not been drawn."""
        return bool(self.mask & OPEN_BIT) and self.first == NOBODY

    @property
    def is_chance(self) -> bool:
        """True if chance is next."""
        return bool(self.mask & CHANCE_BIT) or self.chance_draws_first

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that decide now; none if chance is next, and at the end."""
        if self.is_chance:
            return ()
        return seats_in(self.mask) if self.first == NOBODY else (self.first,)

    def legal(self, seat: int) -> list[int]:
        """Return the legal actions of a seat that decides now, ascending."""
        return list(self.view(seat).legal) if seat in self.asked else []

    def outcomes(self) -> list[tuple[int, float]]:
        """Return chance's outcomes with their probabilities; `actions + s` draws seat s first in an open decision."""
        if self.chance_draws_first:
            seats = seats_in(self.mask)
            return [(len(self.game.actions) + seat, 1 / len(seats)) for seat in seats]
        scratch = Buffers(self.game)
        count = kernels.legal_at(self.states, 0, CHANCE, scratch.actions, scratch.weights)
        total = int(scratch.weights[:count].sum())
        pairs = zip(scratch.actions[:count].tolist(), scratch.weights[:count].tolist(), strict=True)
        return [(number, weight / total) for number, weight in pairs if weight]

    def play(self, seat: int, number: int) -> "Moment":
        """Return the moment after a legal action, chance's included."""
        after = self._after(seat, number)
        after._step = seat, number
        return after

    def _after(self, seat: int, number: int) -> "Moment":
        if number >= len(self.game.actions):
            return Moment(self.game, self.states, self, None, number - len(self.game.actions))
        states = self.game.copy_states(self.states)
        kernels.apply_at(states, 0, seat, number)
        return Moment(self.game, states, self, (seat, number))

    def play_together(self, chosen: list[int]) -> "Moment":
        """Return the moment after every asked seat has played its own action of `chosen`.

        Actions of seats that owe none any more, after another's choice, are dropped.
        """
        moment = self
        for seat in self.asked:
            if moment.mask >> seat & 1:
                moment = moment.play(seat, chosen[seat])
        return moment

    def view(self, seat: int) -> View:
        return View(self.game, self.states, seat, self.mask)

    def history(self, hearer: int | None = None) -> list[tuple[int, int]]:
        """Return all actions so far, pairs of seat and number; those before a redeal as `hearer` remembers them."""
        line = self._line()
        past, memory = list[tuple[int, int]](), line[-1].memory
        if memory is not None:
            past = [
                (seat, number)
                for seat, number in memory.history
                if hearer == memory.seat or self.game.observe_action(seat, number, None) is not None
            ]
        return [*past, *(moment.played for moment in reversed(line) if moment.played is not None)]

    def redeal(self, seat: int, seed: int) -> "Moment":
        """Return the moment in a world, drawn by `seed`, that agrees with all that a seat sees.

        The seat's information state and what it heard are the same; what others saw before is forgotten.
        """
        states = redealt(self.view(seat), seed)
        memory = Memory(seat, self.information_state(seat), tuple(self.history(seat)))
        return Moment(self.game, states, None, None, self.first, memory)

    def information_state(self, seat: int) -> bytes:
        """Return a digest of all that a seat has seen and heard, 16 bytes."""
        for moment in reversed(self._line()):
            if seat not in moment._information:
                moment._information[seat] = moment._digest_information(seat)
        return self._information[seat]

    def _digest_information(self, seat: int) -> bytes:
        """Return the information state, given that of the moment before."""
        seen = self.view(seat).key
        if self.before is None:
            return _digest(b"", b"", seen)
        before = self.before._information[seat]
        heard = self.played is not None and self.game.observe_action(*self.played, seat) is not None
        if not heard and self.before.view(seat).key == seen:
            return before
        return _digest(before, repr(self.played).encode() if heard else b"", seen)

    def _line(self) -> list["Moment"]:
        line = [self]
        while (before := line[-1].before) is not None:
            line.append(before)
        return line

    def __deepcopy__(self, memo: object) -> "Moment":
        """Return itself, as it is immutable."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        line = self._line()
        return _restore, (line[-1]._root(), [moment._step for moment in reversed(line[:-1])])

    def _root(self) -> tuple[object, ...]:
        return Moment, self.game, self.states.tobytes(), (None, None, self.first, self.memory)


class Belief(Moment):
    """A root where chance draws a world that agrees with a seat's view, weighted by how often it was dealt."""

    def __init__(self, game: Game, states: np.ndarray, seat: int, worlds: int) -> None:
        view = View(game, states, seat)
        super().__init__(game, view.states, None, None)
        self.seat, self.worlds = seat, worlds
        self._drawn = list(Counter(redealt(view, seed).tobytes() for seed in range(worlds)).items())

    @property
    def is_chance(self) -> bool:
        return True

    def outcomes(self) -> list[tuple[int, float]]:
        """Return the worlds by number, each with its share of the sample."""
        return [(number, count / self.worlds) for number, (_, count) in enumerate(self._drawn)]

    def _after(self, seat: int, number: int) -> Moment:
        return Moment(self.game, _states_of(self.game, self._drawn[number][0]), self, None)

    def _root(self) -> tuple[object, ...]:
        return Belief, self.game, self.states.tobytes(), (self.seat, self.worlds)


def redealt(view: View, seed: int) -> np.ndarray:
    """Return an array of one state that agrees with a seat's view, drawn by `seed`."""
    states = view.game.copy_states(view.states)
    kernels.redeal_at(states, 0, view.seat, stream(seed & MASK_64))
    return states


def _digest(*parts: bytes) -> bytes:
    return blake2b(b"|".join(parts), digest_size=DIGEST_BYTES).digest()


def _states_of(game: Game, stored: bytes) -> np.ndarray:
    return game.copy_states(np.frombuffer(stored, game.state.dtype))


def _restore(root: tuple[Any, ...], steps: list[tuple[int, int]]) -> Moment:
    kind, game, stored, settings = root
    moment: Moment = kind(game, _states_of(game, stored), *settings)
    for seat, number in steps:
        moment = moment.play(seat, number)
    return moment
