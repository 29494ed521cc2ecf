"""The cards by which a game says what is impossible, what it treats alike and what its bots know.

`faults.py` in its folder ends with `FAULTS = Faults(...)`, `symmetry.py` with `SYMMETRY = Symmetry(...)` and
`heuristics.py` with `HEURISTICS = Heuristics(...)`. Its words and its picture have theirs in `tavola.show.cards`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple


def _no_faults(state: Any) -> list[str]:
    return []


@dataclass(frozen=True, kw_only=True)
class Faults:
    """Faults of a state, in named tuples, hidden parts included; each says what was expected instead."""

    pieces: Callable[[Any], list[str]]
    """(state): too many pieces, a card in two places: what no position can have, a sketch for study neither."""
    history: Callable[[Any], list[str]] = _no_faults
    """(state): what no match could come to though its pieces are sound. It may be left out."""


@dataclass(frozen=True, kw_only=True)
class Labels:
    """Names of things that a game treats alike, such as seats: whatever is exchanged among them changes nothing.

    `words` are lists of names by the number of the thing: seat 0 may be called "0" in one place and "red" in another.
    `fields` are the paths of a state where they occur, `*` for any part of a list: a list by them (`table.boats`), a
    choice, members, or a number of one (`table.boats.*.crew`). `arguments` are those of verbs, `vote.ballot`. Of a
    word with hyphens, `sword-3`, the part is meant that is one of `words`.
    """

    words: tuple[tuple[str, ...], ...]
    fields: tuple[str, ...]
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Symmetry:
    """The symmetries of a game: its bots must judge positions alike whose labels were exchanged."""

    seats: Labels
    """Seats, and whatever is theirs by number."""
    turned: bool = False
    """Seats can only be turned round the table: who comes after whom matters."""
    others: tuple[Labels, ...] = ()
    """Other things alike, such as colours."""


@dataclass(frozen=True, kw_only=True)
class Heuristics:
    """Knowledge of a game that generic search lacks: compiled functions, reached by the type of the state."""

    priors: Callable[..., Any]
    """(s, seat, actions, count, weights): for each of `count` legal actions of `seat` a positive weight (float64): how
    good it looks from the table and the seat's own hand."""
    likelihood: Callable[..., Any]
    """(s, seat): how likely what has been seen is (float64, any scale), if the cards that `seat` cannot see are those
    of `s`; 1.0 where nothing can be inferred."""
    evaluate: Callable[..., Any] | None = None
    """(s, played, worth): whether the position, `played` actions after those that were searched, can be judged without
    playing it to the end; if so, into `worth` (float64, by seat) what each seat may hope for, from 0 to 1 for a sure
    win. It may be left out, where matches are short."""
    playout_priors: Callable[..., Any] | None = None
    """(s, seat, actions, count, weights): cheaper weights by which searches play out, where `priors` plan ahead; left
    out, `priors` serve there too."""


# Time: a game has no clock of its own, a room has


class TimeOut(NamedTuple):
    """The play for one seat whose time runs out: `code`, a legal action of his, such as `done` or a wrong corner.

    `patiences`: how much time there is, in patiences of the room. `period`: where whoever comes first acts, the seats
    are asked anew again and again, and have one time for all of it while the number stays the same: the round of a
    barter.
    """

    code: str
    patiences: float = 1.0
    period: int = 0


Clock = Callable[[Any], TimeOut | None]
"""`clock(view)`: what running out of time plays for the view's seat, which owes a decision.

It depends on nothing but the view. None: as in games without a clock a bot decides from then on, unhurried.
"""

Unchanged = Callable[[Any, Any, int], bool]
"""`unchanged(then, now, number)`: whether an action means the same to a seat in both of its views.

Where whoever comes first acts, the others are asked anew with every change. Who answers what he was asked before is
heard if what he chose is legal now and unchanged: the same bargain, for what he held when he saw it. It is legal in
both views, and depends on nothing but them.
"""
