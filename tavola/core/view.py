"""Views: all that one seat can see. Everything but the table and the seat's hand is zeroed."""

import threading
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
    """Return the seats of a bit mask, ascending; `CHANCE` is last, and the bit `OPEN` is ignored."""
    return tuple(seat for seat in range(CHANCE + 1) if mask >> seat & 1 and seat != OPEN)


@dataclass(frozen=True)
class Result:
    """The points and ranks of a match, by seat. Ranks count from 1; ties share a rank (1, 1, 3)."""

    points: tuple[int, ...]
    ranks: tuple[int, ...]

    @classmethod
    def of(cls, states: np.ndarray, players: int) -> "Result":
        """Return the points and ranks of `states[0]`."""
        points, places = np.zeros(players, np.int64), np.zeros(players, np.int64)
        kernels.score_at(states, 0, points, places)
        return cls(tuple(points.tolist()), tuple(places.tolist()))

    @property
    def winners(self) -> tuple[int, ...]:
        """Seats with rank 1."""
        return tuple(seat for seat, place in enumerate(self.ranks) if place == 1)


class Buffers:
    """Buffers that `legal` writes to: `actions` (int32) and `weights` (int64), both of shape `(number of actions,)`."""

    def __init__(self, game: Game) -> None:
        self.actions = np.zeros(len(game.actions), np.int32)
        self.weights = np.zeros(len(game.actions), np.int64)


class _Scratch(threading.local):
    """The buffers of one thread, by game."""

    def __init__(self) -> None:
        self.buffers: dict[Game, Buffers] = {}


_scratch = _Scratch()


def thread_buffers(game: Game) -> Buffers:
    """Return the buffers of this thread for a game."""
    if (buffers := _scratch.buffers.get(game)) is None:
        buffers = _scratch.buffers[game] = Buffers(game)
    return buffers


@cache
def view_kernels(game: Game, interpreted: bool) -> tuple[Callable[..., Any], ...]:
    """Return the kernels `to_act_at` and `legal_at`, as machine code for the read-only states of views if compiled."""
    if interpreted:
        return kernels.to_act_at, kernels.legal_at
    scratch, seen = Buffers(game), game.visible_states(game.states(1), None)
    return (
        specialize(kernels.to_act_at, seen, 0),
        specialize(kernels.legal_at, seen, 0, 0, scratch.actions, scratch.weights),
    )


class View(Generic[T, H]):
    """A match as `seat` sees it, or a spectator (`seat` is None). Immutable; equal if game, seat and bytes are equal.

    `states` is a read-only array of one state in which everything that the seat must not see is zero. Bots and kernels
    use it directly. `table` and `hand` are the same as named tuples of integers, for words and pictures. With the
    annotation `View[Table, Hand | None]`, a type checker knows every field.
    """

    def __init__(self, game: Game, states: np.ndarray, seat: int | None, mask: int | None = None) -> None:
        """`states`: the full state; `mask`: the seats to act, as the rules return them, if that is known."""
        self.game, self.seat = game, seat
        self.states = game.visible_states(states, seat)
        if mask is not None:
            self._mask = mask

    @cached_property
    def table(self) -> T:
        """Public part of the state."""
        return self.game.table.unpack(self.states["table"].tobytes())  # type: ignore[no-any-return]

    @cached_property
    def hand(self) -> H:
        """The seat's own hidden part; None for a spectator."""
        if self.seat is None:
            return None  # type: ignore[return-value]
        return self.game.hand.unpack(self.states["hand"][0, self.seat].tobytes())  # type: ignore[no-any-return]

    @cached_property
    def to_act(self) -> tuple[int, ...]:
        """Seats to act, ascending."""
        return seats_in(self._mask)

    @property
    def open(self) -> bool:
        """True in an open decision, such as barter: the first seat to act is heard, the others are asked again."""
        return bool(self._mask & kernels.OPEN_BIT)

    @cached_property
    def _mask(self) -> int:
        to_act_at, _ = view_kernels(self.game, is_interpreted(self.game.source_folder))
        return int(to_act_at(self.states, 0))

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """Numbers of the seat's legal actions, ascending; empty if it is not to act.

        With the match at hand, `match.legal_numbers(seat)` returns the same numbers without creating a view.
        """
        if self.seat is None or not self._mask >> self.seat & 1:
            return ()
        scratch = thread_buffers(self.game)
        _, legal_at = view_kernels(self.game, is_interpreted(self.game.source_folder))
        count = legal_at(self.states, 0, self.seat, scratch.actions, scratch.weights)
        return tuple(scratch.actions[:count].tolist())

    @cached_property
    def standing(self) -> Result:
        """Points and ranks so far, computed only from what the view shows."""
        return Result.of(self.states, int(self.states["table"]["players"][0]))

    def public(self) -> "View[T, H]":
        """Return the spectator's view of the same position."""
        return self if self.seat is None else View(self.game, self.states, None)

    def share_table(self, public: "View[T, H]") -> "View[T, H]":
        """Return the view itself, after copying what the spectator's view of the position has already computed."""
        vars(self).update(table=public.table, _mask=public._mask)
        return self

    @cached_property
    def key(self) -> bytes:
        """Bytes that identify what the seat sees now: table, hand and seat. Suitable as a dictionary key.

        Keys of two views of a game are equal if and only if the same seat sees the same.
        """
        hand = b"" if self.seat is None else self.states["hand"][0, self.seat].tobytes()
        seat = 255 if self.seat is None else self.seat
        return self.states["table"].tobytes() + bytes([seat]) + hand

    @classmethod
    def read(cls, game: Game, document: Json) -> "View[T, H]":
        """Return the view of a document, as written by `document()`.

        A document of an earlier version names it; the view is then of that version of the game. Raises `BadPosition`,
        naming the wrong field.
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
        """Return the table and the seat's hand as a document with named values."""
        hand = {} if self.seat is None else {"hand": self.game.hand.write(self.hand)}
        table = self.game.table.write(self.table)
        earlier = {} if self.game.ruleset is None else {"version": self.game.version}
        return {"game": self.game.name, **earlier, "seat": self.seat, "table": table, **hand}

    def tobytes(self) -> bytes:
        """Return the bytes of `states`."""
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
