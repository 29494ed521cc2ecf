"""Symmetry: bots must judge positions alike that differ only in exchanged labels, as far as the game allows.

A game declares in `symmetry.py` where its labels occur, above all those of seats. Positions are relabelled by their
declared state only. So the game's own functions are tested: the policy of a relabelled view must be the relabelled
policy.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, cast

import numpy as np

from tavola.contract.samples import Sample, expect, legal, list_actions, states_of
from tavola.core.fields import Choice, Each, Field, Layout, Members
from tavola.core.game import CHANCE, Game, Labels, Symmetry
from tavola.core.rng import random_below, stream

EVERY = 4
"""One position in this number is tried."""
LATE = 10_000
"""Number of actions after which heuristics judge every position that they can judge."""
TOLERANCE = 1e-6
"""Relative tolerance for sums in a different order."""


class Relabelling:
    """Labels exchanged: `number` k becomes `targets[k]`, in states and in actions."""

    def __init__(self, game: Game, labels: Labels, targets: Sequence[int]) -> None:
        self.game, self.labels, self.targets = game, labels, targets
        ways = [name.split(".") for name in labels.fields]
        self._above = {".".join(way[:depth]) for way in ways for depth in range(len(way) + 1)}
        self._word = cache(self._word)  # type: ignore[method-assign]
        self.actions = [game.actions.number(self._code(number)) for number in range(len(game.actions))]

    def states(self, states: np.ndarray) -> np.ndarray:
        """Return an array of one state with its labels exchanged."""
        state = self.game.state
        return states_of(self.game, state.pack(self._value(state, state.unpack(states.tobytes()), "")))

    def seat(self, seat: int) -> int:
        """Return the new number of a seat; unchanged if other things are exchanged."""
        symmetry = cast(Symmetry, self.game.symmetry)
        return self._target(seat) if self.labels is symmetry.seats and seat != CHANCE else seat

    def _target(self, number: int) -> int:
        return self.targets[number] if 0 <= number < len(self.targets) else number

    def _word(self, word: str) -> str:
        """Return the label that replaces a word, or its parts with hyphens."""
        for words in self.labels.words:
            for number, label in enumerate(words):
                if word == label:
                    return words[self._target(number)]
        parts = word.split("-")
        return "-".join(map(self._word, parts)) if len(parts) > 1 else word

    def _code(self, number: int) -> str:
        verb, words = self.game.actions.verb(number), self.game.actions.code(number).split()[1:]
        arguments = zip(verb.arguments, words, strict=True)
        renamed = (self._word(w) if f"{verb.name}.{name}" in self.labels.arguments else w for name, w in arguments)
        return " ".join([verb.name, *renamed])

    def _value(self, field: Field, value: Any, path: str) -> Any:
        if path not in self._above:
            return value
        inside = self._parts(field, value, path)
        if path not in self.labels.fields:
            return inside
        if isinstance(field, Each):
            return self._moved(field, inside)
        if isinstance(field, Members):
            named = (name for place, name in enumerate(field.names) if value >> place & 1)
            return sum(1 << field.names.index(self._word(name)) for name in named)
        if isinstance(field, Choice):
            return field.names.index(self._word(field.names[value]))
        return self._target(cast(int, value))

    def _parts(self, field: Field, value: Any, path: str) -> Any:
        if isinstance(field, Layout):
            named = zip(field.fields.items(), value, strict=True)
            parts = (self._value(part, each, f"{path}.{key}" if path else key) for (key, part), each in named)
            return type(value)._make(parts)
        if isinstance(field, Each):
            return tuple(self._value(field.field, each, f"{path}.*") for each in value)
        return value

    def _moved(self, field: Each, parts: Sequence[Any]) -> tuple[Any, ...]:
        moved, names = list(parts), field.names
        for place, part in enumerate(parts):
            moved[self._target(place) if names is None else names.index(self._word(names[place]))] = part
        return tuple(moved)


def relabellings(game: Game, players: int, rng: np.ndarray) -> Iterator[Relabelling]:
    """Yield the symmetries of a game, each with labels exchanged at random."""
    if (symmetry := game.symmetry) is None:
        return
    turn = 1 + int(random_below(rng, players - 1))
    seats = [(seat + turn) % players for seat in range(players)] if symmetry.turned else _shuffled(players, rng)
    yield Relabelling(game, symmetry.seats, seats)
    yield from (Relabelling(game, labels, _shuffled(len(labels.words[0]), rng)) for labels in symmetry.others)


def _shuffled(count: int, rng: np.ndarray) -> list[int]:
    return random.Random(int(random_below(rng, 2**31 - 1))).sample(range(count), count)


def policies_are_symmetric(w: Sample) -> None:
    """Bots judge a position alike after seats, or other interchangeable things, were exchanged (`symmetry.py`)."""
    if not w.is_due(EVERY):
        return
    rng = stream(w.seed, (w.number << 32) + len(w.past))  # separate, so that the draws of other promises do not change
    for relabelling in relabellings(w.game, w.match.players, rng):
        for seat in [seat for seat in w.match.to_act if seat != CHANCE]:
            _judges_alike(w, seat, relabelling)


def _judges_alike(w: Sample, seat: int, relabelling: Relabelling) -> None:
    other, here = relabelling.seat(seat), w.game.copy_states(w.match.view(seat).states)
    there = relabelling.states(here)
    actions, moved = legal(w.game, here, seat)[0], legal(w.game, there, other)[0]
    named = sorted(relabelling.actions[number] for number in actions)
    words = relabelling.labels.words[0]
    exchanged = ", ".join(f"{words[a]} as {words[b]}" for a, b in enumerate(relabelling.targets) if a != b)
    said = f"with {exchanged or 'nothing exchanged'} seat {seat} becomes seat {other}"
    can = f"{said}, which can play {list_actions(w.game, moved)}"
    expect(named == moved, f"{can}: expected {list_actions(w.game, named)}")
    weights = _priors(w.game, there, other)
    for number, weight in _priors(w.game, here, seat).items():
        renamed = relabelling.actions[number]
        prior = f"{list_actions(w.game, [number])} has the prior {weight:.6g}"
        then = f"as {list_actions(w.game, [renamed])} {weights[renamed]:.6g}"
        expect(_alike(weight, weights[renamed]), f"{said}: {prior}, and {then}: expected the same")
    _whole_position_alike(w, seat, relabelling, said)


def _whole_position_alike(w: Sample, seat: int, relabelling: Relabelling, said: str) -> None:
    """Compare what searches read of a redealt position: its likelihood, and its value for each seat."""
    there, heuristics = relabelling.states(w.states), w.game.heuristics
    one, other = heuristics.likelihood(w.states[0], seat), heuristics.likelihood(there[0], relabelling.seat(seat))
    expect(_alike(one, other), f"{said}: the likelihood is {one:.6g}, and then {other:.6g}: expected the same")
    if heuristics.evaluate is None:
        return
    hopes, moved = (np.zeros(w.match.players) for _ in range(2))
    judged, again = heuristics.evaluate(w.states[0], LATE, hopes), heuristics.evaluate(there[0], LATE, moved)
    expect(judged == again, f"{said}: evaluate returns {bool(judged)}, and then {bool(again)}: expected the same")
    for hoped in w.players if judged else ():
        before, after = hopes[hoped], moved[relabelling.seat(hoped)]
        expect(_alike(before, after), f"{said}: the value for seat {hoped} is {before:.6g}, and then {after:.6g}")


def _priors(game: Game, states: np.ndarray, seat: int) -> dict[int, float]:
    actions, scores = legal(game, states, seat)[0], np.zeros(len(game.actions))
    game.heuristics.priors(states[0], seat, np.array(actions, np.int32), len(actions), scores)
    return dict(zip(actions, scores[: len(actions)].tolist(), strict=True))


def _alike(one: float, other: float) -> bool:
    return abs(one - other) <= TOLERANCE * max(abs(one), abs(other))
