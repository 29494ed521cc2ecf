"""Cards in which a game declares its faults, its symmetries and its heuristics, and types of its timing hooks.

`faults.py` in its folder ends with `FAULTS = Faults(...)`, `symmetry.py` with `SYMMETRY = Symmetry(...)` and
`heuristics.py` with `HEURISTICS = Heuristics(...)`. The cards of words and pictures are in `tavola.show.cards`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


def _no_faults(state: Any) -> list[str]:
    return []


@dataclass(frozen=True, kw_only=True)
class Faults:
    """Faults of a state, given as named tuples, hidden parts included. Each fault names what was expected instead."""

    pieces: Callable[[Any], list[str]]
    """(state): faults that no position may have, such as too many pieces or a card in two places."""
    history: Callable[[Any], list[str]] = _no_faults
    """(state): faults of positions whose pieces are sound but that no match could reach. Optional."""


def ballot_faults(
    voted: int, voters: int, cards: Sequence[int], done: str = "voted", card: str = "card"
) -> Iterator[str]:
    """Yield the faults of a secret ballot, as sentences for `Faults` of a game with ballots.

    `voted` and `voters` are bit masks of seats; `voters` is 0 without a ballot. `cards[seat]` is the seat's face-down
    card, 0 for none. `done` and `card` are the names of the fields of the table and of a hand.
    """
    if voted & ~voters or (voters and voted == voters):
        yield f"{done}: expected only voters, and not all of them"
    for seat, held in enumerate(cards):
        if (held > 0) != (voted >> seat & 1):
            yield f"hands.{seat}.{card}: expected a card if the seat has {done}, and none otherwise"


@dataclass(frozen=True, kw_only=True)
class Labels:
    """Labels of interchangeable things, such as seats: exchanging them does not change the game.

    `words` are lists of labels by the number of the thing: seat 0 may be called "0" in one place and "red" in another.
    `fields` are the paths of a state where labels occur, with `*` for any part of a list. A path leads to a list that
    they index (`table.boats`), a choice, members, or a number (`table.boats.*.crew`). `arguments` are arguments of
    verbs, such as `vote.ballot`. In a word with hyphens, `sword-3`, only the part that is one of `words` is exchanged.
    """

    words: tuple[tuple[str, ...], ...]
    fields: tuple[str, ...]
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Symmetry:
    """Symmetries of a game. Its bots must judge a position the same when labels are exchanged."""

    seats: Labels
    """Seats, and everything that is indexed by seat."""
    turned: bool = False
    """True if seats may only be rotated, because their order matters."""
    others: tuple[Labels, ...] = ()
    """Other interchangeable things, such as colours."""


@dataclass(frozen=True, kw_only=True)
class Heuristics:
    """Knowledge of a game for generic search, as compiled functions that dispatch on the type of the state."""

    priors: Callable[..., Any]
    """(s, seat, actions, count, weights): write a positive weight (float64) for each of the `count` legal actions of
    `seat`: how good it looks from the table and the seat's own hand."""
    likelihood: Callable[..., Any]
    """(s, seat): return the likelihood (float64, any scale) of what has been seen, given the hidden cards in `s`; 1.0
    if nothing can be inferred."""
    evaluate: Callable[..., Any] | None = None
    """(s, played, worth): return whether the position, `played` actions after the searched ones, can be judged without
    playing on. If so, write into `worth` (float64, by seat) each seat's expected result, from 0 to 1 for a sure win.
    Optional: games with short matches need none."""
    playout_priors: Callable[..., Any] | None = None
    """(s, seat, actions, count, weights): cheaper weights for playouts in searches, if `priors` plan ahead; `priors` if
    it is left out."""


# Time: rooms have clocks, games do not


class TimeOut(NamedTuple):
    """The action played for a seat whose time runs out. `code` is one of its legal actions, such as `done`.

    `patiences` is the time allowed, as a multiple of the room's time per move. `period`: in an open decision, the seats
    are asked repeatedly; they have one allowance while this number stays the same, such as the round of a barter.
    """

    code: str
    patiences: float = 1.0
    period: int = 0


Clock = Callable[[Any], TimeOut | None]
"""`clock(view)`: the action that is played when the time of the view's seat, which is to act, runs out.

It must depend on the view only. If it returns None, a bot decides for the seat from then on, as in games without a
clock."""

Unchanged = Callable[[Any, Any, int], bool]
"""`unchanged(then, now, number)`: whether an action means the same to a seat in both of its views.

In an open decision the other seats are asked again after every change. An answer to an earlier prompt still counts if
the action is legal now and unchanged: the same bargain, for the cards that the seat held when it saw it. The action is
legal in both views; the result must depend on them only."""
