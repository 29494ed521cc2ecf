"""Moments of a match as values: each knows the one before it, so that a tree of them can be walked and searched.

The information state of a seat has perfect recall. Two moments have the same one for a seat exactly when it has seen
and heard the same since the match began; `View.key` tells what it sees now and no more. What it neither sees nor hears
leaves its information state as it was, so nobody counts the secret actions of others.
"""

from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from tavola.core import CHANCE, Game, kernels
from tavola.core.kernels import CHANCE_BIT, OPEN_BIT
from tavola.core.rng import MASK_64, stream
from tavola.core.view import Buffers, Result, View, seats_in

DIGEST_BYTES = 16
NOBODY = -1


class Memory(NamedTuple):
    """The past of a redealt moment: what `seat` remembers is all of it, what the others do is what everyone heard."""

    seat: int
    information: bytes
    history: tuple[tuple[int, int], ...]


class Moment:
    """A state of a match that never changes, and how it was come to.

    `asked` are the seats that decide now, several for a secret ballot: none of them sees what another chose. In an open
    decision chance says first who acts (`first` is the seat), and he alone is asked.
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
        """True at the end of the match."""
        return not self.mask

    @property
    def chance_draws_first(self) -> bool:
        """True when whoever comes first acts, and who that is has not been drawn."""
        return bool(self.mask & OPEN_BIT) and self.first == NOBODY

    @property
    def is_chance(self) -> bool:
        """True when chance is next."""
        return bool(self.mask & CHANCE_BIT) or self.chance_draws_first

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that decide now; none where chance is next, and at the end."""
        if self.is_chance:
            return ()
        return seats_in(self.mask) if self.first == NOBODY else (self.first,)

    def legal(self, seat: int) -> list[int]:
        """The legal actions of a seat that decides now, ascending."""
        if seat not in self.asked:
            return []
        scratch = Buffers(self.game)
        count = kernels.legal_at(self.states, 0, seat, scratch.actions, scratch.weights)
        return [int(number) for number in scratch.actions[:count]]

    def outcomes(self) -> list[tuple[int, float]]:
        """Chance's outcomes with their probabilities; that seat s is first in an open decision is `actions + s`."""
        if self.chance_draws_first:
            seats = seats_in(self.mask)
            return [(len(self.game.actions) + seat, 1 / len(seats)) for seat in seats]
        scratch = Buffers(self.game)
        count = kernels.legal_at(self.states, 0, CHANCE, scratch.actions, scratch.weights)
        total = int(scratch.weights[:count].sum())
        pairs = zip(scratch.actions[:count].tolist(), scratch.weights[:count].tolist(), strict=True)
        return [(number, weight / total) for number, weight in pairs if weight]

    def play(self, seat: int, number: int) -> "Moment":
        """The moment after an action that is legal, chance's included."""
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
        """The moment after every seat that is asked has played its own of `chosen`.

        What a seat no longer owes, since another's choice ended the decision, is dropped.
        """
        moment = self
        for seat in self.asked:
            if moment.mask >> seat & 1:
                moment = moment.play(seat, chosen[seat])
        return moment

    def view(self, seat: int) -> View:
        """Return what a seat sees."""
        return View(self.game, self.states, seat)

    def result(self, players: int) -> Result:
        """Points and places as they stand."""
        return Result.of(self.states, players)

    def history(self, hearer: int | None = None) -> list[tuple[int, int]]:
        """All actions so far, pairs of seat and number; of those before a redeal what `hearer` remembers."""
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
        """The moment in a world that agrees with all that a seat sees, drawn by `seed`.

        The seat's information state and what it heard are the same; what others saw before is forgotten.
        """
        states = redealt(self.view(seat), seed)
        memory = Memory(seat, self.information_state(seat), tuple(self.history(seat)))
        return Moment(self.game, states, None, None, self.first, memory)

    def information_state(self, seat: int) -> bytes:
        """All that a seat has seen and heard, in 16 bytes."""
        for moment in reversed(self._line()):
            if seat not in moment._information:
                moment._information[seat] = moment._digest_information(seat)
        return self._information[seat]

    def _digest_information(self, seat: int) -> bytes:
        """The information state, where that of the moment before is known."""
        seen = self.view(seat).key
        if self.before is None:
            return _digest(b"", b"", seen)
        before = self.before._information[seat]
        heard = self.played is not None and self.game.observe_action(*self.played, seat) is not None
        if not heard and self.before.view(seat).key == seen:
            return before
        return _digest(before, repr(self.played).encode() if heard else b"", seen)

    def _line(self) -> list["Moment"]:
        line: list[Moment] = []
        moment: Moment | None = self
        while moment is not None:
            line.append(moment)
            moment = moment.before
        return line

    def __deepcopy__(self, memo: object) -> "Moment":
        """Itself: it never changes."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        line = self._line()
        return _restore, (line[-1]._root(), [moment._step for moment in reversed(line[:-1])])

    def _root(self) -> tuple[object, ...]:
        return Moment, self.game, self.states.tobytes(), (None, None, self.first, self.memory)


class Belief(Moment):
    """A root where chance draws the world: one of those that agree with what a seat sees, by how often it was drawn."""

    def __init__(self, game: Game, states: np.ndarray, seat: int, worlds: int) -> None:
        view = View(game, states, seat)
        super().__init__(game, view.states, None, None)
        self.seat, self.worlds = seat, worlds
        counts: dict[bytes, int] = {}
        for seed in range(worlds):
            world = redealt(view, seed).tobytes()
            counts[world] = counts.get(world, 0) + 1
        self._drawn = list(counts.items())

    @property
    def is_chance(self) -> bool:
        return True

    def outcomes(self) -> list[tuple[int, float]]:
        """The worlds by number, each with its part of those that were drawn."""
        return [(number, count / self.worlds) for number, (_, count) in enumerate(self._drawn)]

    def _after(self, seat: int, number: int) -> Moment:
        return Moment(self.game, _states_of(self.game, self._drawn[number][0]), self, None)

    def _root(self) -> tuple[object, ...]:
        return Belief, self.game, self.states.tobytes(), (self.seat, self.worlds)


def redealt(view: View, seed: int) -> np.ndarray:
    """An array of one state that agrees with the view of a seat, drawn by `seed`."""
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
