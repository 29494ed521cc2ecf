"""A view: all that one seat may see. The table, one hand, and nothing else is even there."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from tavola.core import kernels
from tavola.core.compilation import is_interpreted, specialize
from tavola.core.errors import UnknownVersion
from tavola.core.fields import Json, as_integer, check_keys, refuse
from tavola.core.game import CHANCE, OPEN, Game
from tavola.core.registry import game_of_version, versions

if TYPE_CHECKING:
    # A type checker knows defaults of type variables; Python itself does from 3.13 on.
    from typing_extensions import TypeVar as Defaulted

    T = Defaulted("T", default=Any)
    H = Defaulted("H", default=Any)
else:
    T, H = TypeVar("T"), TypeVar("H")


@lru_cache(maxsize=4096)
def seats_in(mask: int) -> tuple[int, ...]:
    """The seats of a bit mask, ascending; `CHANCE` comes last, the bit `OPEN` is no seat."""
    return tuple(seat for seat in range(CHANCE + 1) if mask >> seat & 1 and seat != OPEN)


@dataclass(frozen=True)
class Result:
    """The end of a match: points and places by seat; shared places are shared (1, 1, 3)."""

    points: tuple[int, ...]
    ranks: tuple[int, ...]

    @classmethod
    def of(cls, states: np.ndarray, players: int) -> "Result":
        """Points and places as they stand in an array of one state."""
        points, places = np.zeros(players, np.int64), np.zeros(players, np.int64)
        kernels.score_at(states, 0, points, places)
        return cls(tuple(points.tolist()), tuple(places.tolist()))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place."""
        return tuple(seat for seat, place in enumerate(self.ranks) if place == 1)


class Buffers:
    """Scratch that `legal` writes into: `actions` int32[all actions], `weights` int64[all actions]."""

    def __init__(self, game: Game) -> None:
        self.actions = np.zeros(len(game.actions), np.int32)
        self.weights = np.zeros(len(game.actions), np.int64)


def view_kernels(game: Game) -> tuple[Callable[..., Any], ...]:
    """The kernels `to_act_at` and `legal_at` for views of a game."""
    if is_interpreted(game.source_folder):
        return kernels.to_act_at, kernels.legal_at
    return _specialized_kernels(game)


@cache
def _specialized_kernels(game: Game) -> tuple[Callable[..., Any], ...]:
    """The same as machine code: the states of a view are always read only."""
    scratch, seen = Buffers(game), game.visible_states(game.states(1), None)
    return (
        specialize(kernels.to_act_at, seen, 0),
        specialize(kernels.legal_at, seen, 0, 0, scratch.actions, scratch.weights),
    )


class View(Generic[T, H]):
    """A match as `seat` sees it, or a spectator (`seat` None). Immutable; equal when the bytes are equal.

    `states` is an array of one state in which all that may not be seen is zero: bots and kernels take it as it is.
    `table` and `hand` are the same in named tuples of integers, for sentences and pictures: where these ask for a
    `View[Table, Hand | None]`, a type checker knows every field.
    """

    def __init__(self, game: Game, states: np.ndarray, seat: int | None) -> None:
        self.game, self.seat = game, seat
        self.states = game.visible_states(states, seat)

    @cached_property
    def table(self) -> T:
        """Return what lies open on the table."""
        return self.game.table.unpack(self.states["table"].tobytes())  # type: ignore[no-any-return]

    @cached_property
    def hand(self) -> H:
        """Return what the seat alone holds; None for a spectator."""
        if self.seat is None:
            return None  # type: ignore[return-value]
        return self.game.hand.unpack(self.states["hand"][0, self.seat].tobytes())  # type: ignore[no-any-return]

    @cached_property
    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a decision."""
        return seats_in(self._mask)

    @property
    def open(self) -> bool:
        """True when whoever comes first acts and the others are asked anew, as in barter."""
        return bool(self._mask & kernels.OPEN_BIT)

    @cached_property
    def _mask(self) -> int:
        to_act_at, _ = view_kernels(self.game)
        return int(to_act_at(self.states, 0))

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """The numbers of the seat's legal actions, ascending; empty when it owes no decision.

        A program that holds the match asks `match.legal_numbers(seat)`: the same numbers without making a view.
        """
        if self.seat is None or self.seat not in self.to_act:
            return ()
        scratch, (_, legal_at) = Buffers(self.game), view_kernels(self.game)
        count = legal_at(self.states, 0, self.seat, scratch.actions, scratch.weights)
        return tuple(scratch.actions[:count].tolist())

    @cached_property
    def standing(self) -> Result:
        """Points and places as they stand, counted from what is seen and nothing else."""
        return Result.of(self.states, int(self.states["table"]["players"][0]))

    def public(self) -> "View[T, H]":
        """The same table as a spectator sees it."""
        return self if self.seat is None else View(self.game, self.states, None)

    def share_table(self, public: "View[T, H]") -> "View[T, H]":
        """Itself, with what a view of the same position has found on the table already: it is the same for all."""
        vars(self).update(table=public.table, _mask=public._mask)
        return self

    @cached_property
    def key(self) -> bytes:
        """The bytes of the information set: equal for two views of a game where a seat sees the same, else different.

        Table and own hand as they lie in memory, and the seat; as the key of a dictionary they say what a seat knows.
        """
        hand = b"" if self.seat is None else self.states["hand"][0, self.seat].tobytes()
        seat = 255 if self.seat is None else self.seat
        return self.states["table"].tobytes() + bytes([seat]) + hand

    @classmethod
    def read(cls, game: Game, document: Json) -> "View[T, H]":
        """Return the view of a document as `document()` writes it, or `BadPosition` with the field that is wrong.

        One of an earlier version of the rules says which: it is a view of the game as it was then.
        """
        check_keys(document, "", ("game", "version", "seat", "table", "hand"))
        if document.get("game", game.name) != game.name:
            refuse("game", repr(game.name), document["game"])
        if "version" in document:
            game = _game_of_version(game, document["version"])
        seat, laid = document.get("seat"), game.state.unpack(game.states(1).tobytes())
        if seat is not None and as_integer(seat) not in range(len(laid.hand)):
            refuse("seat", f"a seat, 0 to {len(laid.hand) - 1}, or null", seat)
        parts = {"table": game.table.read(document.get("table", {}), "table", laid.table)}
        if seat is not None:
            own = game.hand.read(document.get("hand", {}), "hand", laid.hand[seat])
            parts["hand"] = (*laid.hand[:seat], own, *laid.hand[seat + 1 :])
        states = np.frombuffer(game.state.pack(laid._replace(**parts)), game.state.dtype)
        return cls(game, states, seat)

    def document(self) -> Json:
        """The table and the own hand with named values."""
        hand = {} if self.seat is None else {"hand": self.game.hand.write(self.hand)}
        table = self.game.table.write(self.table)
        earlier = {} if self.game.ruleset is None else {"version": self.game.version}
        return {"game": self.game.name, **earlier, "seat": self.seat, "table": table, **hand}

    def tobytes(self) -> bytes:
        """Every byte that is seen."""
        return self.states.tobytes()

    def __copy__(self) -> "View[T, H]":
        return self

    def __deepcopy__(self, memo: object) -> "View[T, H]":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), self.game, self.tobytes(), self.seat)

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, View) and (self.game, self.seat) == (other.game, other.seat)
        return same and self.tobytes() == other.tobytes()  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self.seat, self.tobytes()))

    def __repr__(self) -> str:
        return f"View({self.game.name!r}, seat={self.seat}, to_act={self.to_act})"


def _restore(kind: type[View], game: Game, seen: bytes, seat: int | None) -> View:
    return kind(game, np.frombuffer(seen, game.state.dtype), seat)


def _game_of_version(game: Game, version: Json) -> Game:
    try:
        return game_of_version(game, as_integer(version) or 0)
    except UnknownVersion:
        return refuse("version", f"one of {', '.join(map(str, versions(game)))}", version)  # type: ignore[no-any-return]
