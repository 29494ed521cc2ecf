"""The declaration of a game, an argument of everything that plays, encodes or shows games.

A game's folder contains `rules.py` (the state, the actions, the options and six compiled functions); its `__init__.py`
defines `GAME = Game(...)`. Its words, picture, heuristics and faults are modules beside it. Each ends with a typed
card: `faults.py` with `FAULTS = Faults(...)`, `symmetry.py` with `SYMMETRY = Symmetry(...)`, `heuristics.py` with
`HEURISTICS = Heuristics(...)`; those of words and pictures are in `tavola.show.cards`. `Game.card` loads cards when
they are first needed, so rules run without them.
"""

import importlib
import importlib.util
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np

from tavola.core.actions import Actions, PlayedAction
from tavola.core.compilation import UNCOMPILED, as_records, source_folder_of, source_folders
from tavola.core.fields import Each, Layout, layout
from tavola.core.options import Options
from tavola.core.rulesets import RULESETS_FOLDER, Ruleset, kept_versions

CHANCE = 31
"""The seat that deals, draws and tosses; written `*` in records."""

OPEN = 30
"""A bit of `to_act`, not a seat: the first seat to act is heard, and the others are asked again."""

NO_WINNER = "none"
"""Winner in a race outcome if several seats answered at the same instant."""

CHECK_LEVELS = ("strict", "pieces")
DOCUMENT_KEYS = {"game", "version", "options", "hands", "box"}
"""Top-level keys of every position document, beside the fields of the table."""

Card = TypeVar("Card")
_by_type: dict[object, "Game"] = {}


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


@dataclass(frozen=True, eq=False)
class Game:
    """The declaration of a game. `rules` is the module with `State`, `ACTIONS`, `OPTIONS` and the six functions:

        start(s)                            set up the table; `s` is all zeros except the options, each in the field of
                                            its name
        to_act(s)                           return the bit mask of the seats to act, `1 << CHANCE`, or 0 at the end.
                                            With `1 << OPEN` the first seat to act is heard, as in barter; without it
                                            several seats decide in secret, as in a ballot
        legal(s, seat, actions, weights)    write the legal actions, ascending, for chance with weights; return a count
        apply(s, seat, action)              play an action known to be legal
        score(s, points, place)             write the points and places of every seat (int64); ties share a place
        redeal(s, seat, rng)                given a view of `seat`, fill in the other hands and the box consistently

    Beside `rules.py` are `faults.py`, `heuristics.py`, `symmetry.py`, and `words` and `picture`, a file or a folder
    each.

    A game is pickled by name, version and package; a copy is the game itself.

    At the end `score` reads only the table, so everyone can count. The same holds during the match unless
    `secret_points` declares that a seat's points are known only to that seat.

    `notes` names the fields of a hand in which a seat keeps what it knows for certain of other hands, as counts (a card
    stolen, seen by two); zero if nothing is known. `faults` compares them with the hands, and `redeal` deals by the
    seat's own.

    Four fields are for live rooms. `clock` returns the action that is played when time runs out. `suspense` names
    chance verbs whose outcome falls after an unpredictable delay, such as a toss. `races` maps chance verbs that name
    the seat that answered first to the verbs of the answers: `{"first": "point"}`. Their one argument is the number of
    a seat, or `none` of weight 0 for a tie. Simulations draw it by weight, rooms decide it by their clocks.

    `brief` names verbs that go round the table many times and are taken in at a glance, such as seating men one by one.
    Bots hardly pause before them.

    `unchanged` says, in an open decision, whether an answer still means what it meant when the seat was asked, although
    others have acted since. Without it such an answer comes too late.

    `ruleset` is set only for an earlier version of the rules, as returned by `load(name, version)`. Its states have the
    same bytes as current ones but another dtype, so that kernels find the version's own functions.
    """

    name: str
    title: str
    version: int
    rules: ModuleType
    secret_points: bool = False
    notes: tuple[str, ...] = ()
    clock: Clock | None = None
    suspense: tuple[str, ...] = ()
    races: Mapping[str, str] = field(default_factory=dict)
    brief: tuple[str, ...] = ()
    unchanged: Unchanged | None = None
    ruleset: Ruleset | None = None
    _cards: dict[type, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the declaration, and register the game for kernels by the type of its state."""
        self._check_timing()
        for name in DOCUMENT_KEYS & self.table.fields.keys():
            raise TypeError(f"{self.name}: every position document has the key {name!r}: expected another field name")
        key = numba.from_dtype(self.state.dtype)
        twin = _by_type.setdefault(key, self)
        if twin.name != self.name:
            # Compiled code is shared by the type of the state: two games of one type would play each other's rules.
            raise TypeError(f"{self.name} and {twin.name} declare identical states: rename a field in one of them")
        _by_type[key] = _by_type[self.state.dtype] = self
        source_folders[key] = source_folders[self.state.dtype] = self.source_folder

    def _check_timing(self) -> None:
        for name in (*self.suspense, *self.races, *self.races.values(), *self.brief):
            if name not in self.actions.verb_by_name:
                raise TypeError(f"{self.name}: {name!r} is in suspense, races or brief: expected one of its verbs")
        for name in self.races:
            arguments = list(self.actions.verb_by_name[name].arguments.values())
            if len(arguments) != 1 or any(word != NO_WINNER and not word.isdecimal() for word in arguments[0]):
                raise TypeError(
                    f"{self.name}: {name!r} is a race outcome: expected one argument, a seat's number or {NO_WINNER!r}"
                )
        if self.races and self.clock is None:
            raise TypeError(f"{self.name}: races need a clock, which answers for a seat that answers too soon")

    @property
    def reference(self) -> str:
        """Name for `registry.find`: `tournament`, or `tournament@1` for an earlier version."""
        return self.name if self.ruleset is None else f"{self.name}@{self.version}"

    def is_suspense(self, number: int) -> bool:
        """Return whether an action is an outcome of chance that falls after an unpredictable delay."""
        return self.actions.verb(number).name in self.suspense

    def is_brief(self, number: int) -> bool:
        """Return whether an action is taken in at a glance."""
        return self.actions.verb(number).name in self.brief

    def is_race_outcome(self, number: int) -> bool:
        """Return whether an action is an outcome of chance that names the seat that answered first."""
        return self.actions.verb(number).name in self.races

    def is_race_answer(self, number: int) -> bool:
        """Return whether an action is a seat's answer in a race."""
        return self.actions.verb(number).name in self.races.values()

    def race_winner(self, number: int) -> int | None:
        """Return the winner that a race outcome names; None for a tie."""
        word = self.actions.code(number).partition(" ")[2]
        return None if word == NO_WINNER else int(word)

    @cached_property
    def state(self) -> Layout:
        """Layout of the state: the public `table`, a hidden `hand` per seat, and `box`, if any, which no seat sees."""
        declared = layout(self.rules.State)
        return declared if self.ruleset is None else declared.marked(f"version {self.version}")

    @property
    def table(self) -> Layout:
        """Layout of the public part."""
        return cast(Layout, self.state.fields["table"])

    @property
    def hand(self) -> Layout:
        """Layout of one seat's hidden part."""
        return cast(Layout, cast(Each, self.state.fields["hand"]).field)

    @property
    def actions(self) -> Actions:
        """The declared actions."""
        return self.rules.ACTIONS  # type: ignore[no-any-return]

    @property
    def options(self) -> Options:
        """The declared options, `players` first."""
        return self.rules.OPTIONS  # type: ignore[no-any-return]

    @cached_property
    def table_options(self) -> tuple[tuple[str, int], ...]:
        """Options that are also fields of the table, as pairs of name and index."""
        return tuple((name, place) for name, place in self.options.index.items() if name in self.table.fields)

    @property
    def players(self) -> tuple[int, int]:
        """Minimum and maximum number of players."""
        return self.options.all[0].low, self.options.all[0].high

    @cached_property
    def source_folder(self) -> Path:
        """Folder whose sources the game's compiled code depends on, in addition to the core's and the bots'.

        For an earlier version of the rules it is the file of that version.
        """
        if self.ruleset is not None:
            return self.ruleset.path
        return source_folder_of(self.folder / "rules.py") or self.folder

    @property
    def folder(self) -> Path:
        """Folder with the rulebook, catalogues and goldens."""
        return Path(str(self.rules.__file__)).parent

    def faults(self, state: object) -> list[str]:
        """Return the faults of a state's pieces (in named tuples), for documents and tests."""
        return self.card(Faults).pieces(state)

    def history_faults(self, state: object) -> list[str]:
        """Return the faults of a state with sound pieces that no match could reach; empty if the game declares none."""
        return self.card(Faults).history(state)

    def observe_action(self, seat: int, number: int, hearer: int | None) -> PlayedAction | None:
        """Return an action of `seat` as `hearer` (None: a spectator) hears it; None if it is secret to them."""
        action = self.actions.action(number)
        secret = self.actions.verb(number).secret and hearer != seat
        return None if secret else PlayedAction(seat, *action)

    def card(self, kind: type[Card]) -> Card:
        """Return a card by type, as of this version: for `Words`, the value `WORDS` of the module `words`.

        Raises `TypeError` if the module has no such card.
        """
        if kind not in self._cards:
            name = kind.__name__
            module = importlib.import_module(f"{self.package}.{name.lower()}")
            card = vars(module).get(name.upper())
            if not isinstance(card, kind):
                raise TypeError(f"{module.__name__} has no card: expected {name.upper()} = {name}(...) at its end")
            self._cards[kind] = card if self.ruleset is None else self.ruleset.as_kept(card)
        return cast(Card, self._cards[kind])

    @property
    def heuristics(self) -> Heuristics:
        """Knowledge of the game for generic search."""
        return self.card(Heuristics)

    @property
    def symmetry(self) -> Symmetry | None:
        """The game's symmetries; None without a module `symmetry`."""
        there = importlib.util.find_spec(f"{self.package}.symmetry")
        return self.card(Symmetry) if there else None

    @property
    def package(self) -> str:
        """Package of the game's modules."""
        return self.rules.__name__.rpartition(".")[0]

    def rulebook(self, language: str = "en") -> tuple[Path, str] | None:
        """Return the path and language of the rulebook in `language`, or else in English; None if there is none.

        For an earlier version it is `rulesets/vN.md` or `rulesets/vN.LANGUAGE.md` if kept, or else that of the next
        version.
        """
        kept = kept_versions(self.folder) if self.ruleset else []
        names = [f"{RULESETS_FOLDER}/v{version}" for version in kept if version >= self.version]
        for name in (*names, "RULES"):
            for written in (language, "en"):
                path = self.folder / f"{name}.md" if written == "en" else self.folder / f"{name}.{written}.md"
                if path.exists():
                    return path, written
        return None

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, memo: object) -> "Game":
        return self

    def states(self, count: int) -> np.ndarray:
        """Return an array of `count` zeroed states. Attributes (`states[0].table`) work compiled and uncompiled."""
        states = np.zeros(count, self.state.dtype)
        return as_records(states) if UNCOMPILED else states

    def copy_states(self, states: np.ndarray) -> np.ndarray:
        """Return a writable copy of states. NumPy's `copy` is slower: it copies field by field."""
        copy = np.frombuffer(bytearray(states.tobytes()), self.state.dtype)
        return as_records(copy) if UNCOMPILED else copy

    def visible_states(self, states: np.ndarray, seat: int | None) -> np.ndarray:
        """Return a read-only copy of one state in which everything hidden from `seat` (None: a spectator) is zero."""
        whole, (before, one, between, other, after) = states.tobytes(), self._visible_bytes[seat]
        kept = b"".join((before, whole[one], between, whole[other], after))
        seen = np.ndarray(1, self.state.dtype, kept)  # `frombuffer` takes longer
        return as_records(seen) if UNCOMPILED else seen

    @cached_property
    def _visible_bytes(self) -> dict[int | None, tuple[bytes, slice, bytes, slice, bytes]]:
        """What each seat (None: a spectator) sees of a state: two slices of its bytes, and the zeros around them."""
        dtype = self.state.dtype
        (table, start), (hands, first) = (dtype.fields[part][:2] for part in ("table", "hand"))
        end, size, found = start + table.itemsize, hands.base.itemsize, {}
        places: dict[int | None, tuple[int, int]] = {None: (end, end)}
        places |= {seat: (first + seat * size, first + (seat + 1) * size) for seat in range(hands.shape[0])}
        for seat, hand in places.items():
            (a, b), (c, d) = sorted(((start, end), hand))
            found[seat] = bytes(a), slice(a, b), bytes(c - b), slice(c, d), bytes(dtype.itemsize - d)
        return found

    def __repr__(self) -> str:
        return f"Game({self.name!r}, version={self.version})"


def game_of(state_type: object) -> Game:
    """Return the game of a state's Numba type or NumPy dtype."""
    return _by_type[state_type]


def game_of_dtype(dtype: np.dtype) -> Game:
    """Return the game of the dtype of an uncompiled state, including a record array's."""
    return _by_type[np.dtype((np.void, dtype))]
