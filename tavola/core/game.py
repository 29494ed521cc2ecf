"""The declaration of a game. Whatever plays, encodes or shows a game takes it as an argument.

A game's folder holds `rules.py` (the state, the actions, the options and six compiled functions); its `__init__.py`
says `GAME = Game(...)`. Its words, picture, heuristics and faults are modules beside it, each with a typed card at its
end, such as `WORDS = Words(...)`. `Game.card` loads them when they are first needed, so rules run without them.
"""

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

import numba
import numpy as np

from tavola.core.actions import Actions, PlayedAction
from tavola.core.cards import Clock, Faults, Heuristics, Symmetry, Unchanged
from tavola.core.compilation import UNCOMPILED, as_records, source_folder_of, source_folders
from tavola.core.fields import Each, Layout, layout
from tavola.core.options import Options
from tavola.core.rulesets import RULESETS_FOLDER, Ruleset, kept_versions

CHANCE = 31
"""The seat that deals, draws and tosses: written `*` in records."""

OPEN = 30
"""No seat, but a bit of `to_act` beside seats: whoever comes first acts, and the others are asked anew."""

NO_WINNER = "none"
"""The winner that a raced verb names where several came at the same instant."""

CHECK_LEVELS = ("strict", "pieces")
DOCUMENT_KEYS = {"game", "version", "options", "hands", "box"}
"""The keys at the top of every position document, beside the fields of the table."""

Card = TypeVar("Card")
_by_type: dict[object, "Game"] = {}


@dataclass(frozen=True, eq=False)
class Game:
    """One game. `rules` is the module with `State`, `ACTIONS`, `OPTIONS` and the six functions:

    start(s)                            lay the table; `s` is all zeros but for the options, each in the field of the
                                        table that bears its name
    to_act(s)                           bit mask of the seats that owe a decision, `1 << CHANCE`, or 0 at the end;
                                        with `1 << OPEN` beside seats whoever comes first acts, as in barter: without
                                        it several seats decide in secret, as in a ballot, and all of them do
    legal(s, seat, actions, weights)    write the legal actions, ascending, for chance with weights; their count
    apply(s, seat, action)              play an action known to be legal
    score(s, points, place)             points and places of every seat (int64), shared places shared
    redeal(s, seat, rng)                given a view of `seat`, fill the other hands and the box in agreement with it

    Beside `rules.py`: `faults.py`, `heuristics.py`, `symmetry.py`, and `words` and `picture`, a file or a folder each.

    A game is pickled by its name, its version and the package that holds it, and copied as itself.

    At the end `score` reads the table alone: everybody can count. Before it too, unless `secret_points` says that what
    a seat has so far is nobody else's to know.

    `notes` names the fields of a hand in which a seat keeps what it knows for certain of what others hold, as counts
    (a card stolen, seen by two): zeros where nothing is known. `faults` compares them with the hands, and `redeal`
    deals by the seat's own.

    What a live room does with time, and nobody else: `clock` says what running out of it plays. `held` names verbs of
    chance that fall after a time which nobody can foresee, as a toss does. `raced` names verbs of chance that tell
    which seat answered first, each with the verb of the answers: `{"first": "point"}`. Their one argument is a seat's
    number, or `none` of weight 0: they came at the same instant. By weight when a match is simulated, a room answers
    them from its clocks.

    `brief` names verbs that go round the table many times, one step each, and are taken in at a glance, such as men who
    are seated one by one: bots hardly pause before them.

    `unchanged` says, where whoever comes first acts, whether an answer still means what it meant when it was asked:
    then others may have acted in between. Without it such an answer comes too late.

    `ruleset` is for an earlier version of its rules alone, as `load(name, version)` gives it: the file that says what
    was otherwise then. Its states have the same bytes and another type, so that kernels find its own functions.
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
        """Tell the kernels where this game's functions are, by the type of its state."""
        self._check_timing()
        for name in DOCUMENT_KEYS & self.table.fields.keys():
            raise TypeError(f"{self.name}: every position document has a {name!r}: expected another name for the field")
        key = numba.from_dtype(self.state.dtype)
        twin = _by_type.setdefault(key, self)
        if twin.name != self.name:
            # Compiled code is shared by the type of the state: two games of one type would play each other's rules.
            raise TypeError(f"{self.name} and {twin.name} declare equal states: name one field differently")
        _by_type[key] = _by_type[self.state.dtype] = self
        source_folders[key] = source_folders[self.state.dtype] = self.source_folder

    def _check_timing(self) -> None:
        for name in (*self.suspense, *self.races, *self.races.values(), *self.brief):
            if name not in self.actions.verb_by_name:
                raise TypeError(f"{self.name}: {name!r} is held, raced or brief: expected one of its verbs")
        for name in self.races:
            arguments = list(self.actions.verb_by_name[name].arguments.values())
            if len(arguments) != 1 or any(word != NO_WINNER and not word.isdecimal() for word in arguments[0]):
                raise TypeError(
                    f"{self.name}: {name!r} is raced: expected one argument, a seat's number or {NO_WINNER!r}"
                )
        if self.races and self.clock is None:
            raise TypeError(f"{self.name}: races need a clock: expected one that answers for who answers too soon")

    @property
    def reference(self) -> str:
        """The word by which `registry.find` finds these rules: `tournament`, of an earlier version `tournament@1`."""
        return self.name if self.ruleset is None else f"{self.name}@{self.version}"

    def is_suspense(self, number: int) -> bool:
        """True when an action is chance's and falls after a time which nobody can foresee."""
        return self.actions.verb(number).name in self.suspense

    def is_brief(self, number: int) -> bool:
        """True when an action is taken in at a glance."""
        return self.actions.verb(number).name in self.brief

    def is_race_outcome(self, number: int) -> bool:
        """True when an action is chance's and tells which seat answered first."""
        return self.actions.verb(number).name in self.races

    def is_race_answer(self, number: int) -> bool:
        """True when an action is a seat's answer in a race."""
        return self.actions.verb(number).name in self.races.values()

    def race_winner(self, number: int) -> int | None:
        """The seat that a raced action names; None where it says that nobody came first."""
        word = self.actions.code(number).partition(" ")[2]
        return None if word == NO_WINNER else int(word)

    @cached_property
    def state(self) -> Layout:
        """The declared state: `table`, which everybody sees, `hand` by seat, and `box`, which nobody sees, if any."""
        declared = layout(self.rules.State)
        return declared if self.ruleset is None else declared.marked(f"version {self.version}")

    @property
    def table(self) -> Layout:
        """The declaration of what everybody sees."""
        return cast(Layout, self.state.fields["table"])

    @property
    def hand(self) -> Layout:
        """The declaration of what one seat sees."""
        return cast(Layout, cast(Each, self.state.fields["hand"]).field)

    @property
    def actions(self) -> Actions:
        """The declared actions."""
        return self.rules.ACTIONS  # type: ignore[no-any-return]

    @property
    def options(self) -> Options:
        """The declared options, players first."""
        return self.rules.OPTIONS  # type: ignore[no-any-return]

    @cached_property
    def table_options(self) -> tuple[tuple[str, int], ...]:
        """The options that lie on the table under their own names, with their places."""
        return tuple((name, place) for name, place in self.options.index.items() if name in self.table.fields)

    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most players."""
        return self.options.all[0].low, self.options.all[0].high

    @cached_property
    def source_folder(self) -> Path:
        """The folder whose sources what is compiled for this game depends on, beside the core's and the bots'.

        For an earlier version of its rules the file that says what was otherwise, beside that folder.
        """
        if self.ruleset is not None:
            return self.ruleset.path
        return source_folder_of(self.folder / "rules.py") or self.folder

    @property
    def folder(self) -> Path:
        """Return the folder of its rules text, catalogues and goldens."""
        return Path(str(self.rules.__file__)).parent

    def faults(self, state: object) -> list[str]:
        """Return what is impossible about the pieces of a state (in named tuples): for documents and tests."""
        return self.card(Faults).pieces(state)

    def history_faults(self, state: object) -> list[str]:
        """Return what no match could come to though its pieces are sound; nothing where `faults.py` does not say."""
        return self.card(Faults).history(state)

    def observe_action(self, seat: int, number: int, hearer: int | None) -> PlayedAction | None:
        """The action number `number` of `seat` as `hearer` (None: a spectator) hears of it; None where it is secret."""
        action = self.actions.action(number)
        secret = self.actions.verb(number).secret and hearer != seat
        return None if secret else PlayedAction(seat, *action)

    def card(self, kind: type[Card]) -> Card:
        """Return one of its cards by type: for `Words` what its module `words` calls `WORDS`, as this version had it.

        `TypeError` where the module has no such card.
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
        """The knowledge that generic search lacks."""
        return self.card(Heuristics)

    @property
    def symmetry(self) -> Symmetry | None:
        """What the game treats alike; None where it has no module `symmetry`."""
        there = importlib.util.find_spec(f"{self.package}.symmetry")
        return self.card(Symmetry) if there else None

    @property
    def package(self) -> str:
        """The package of its modules."""
        return self.rules.__name__.rpartition(".")[0]

    def rulebook(self, language: str = "en") -> tuple[Path, str] | None:
        """Return the file of its rules as text, in `language` or else in English, and its language; None without one.

        An earlier version has its own where `rulesets/vN.md` and `rulesets/vN.LANGUAGE.md` keep it, or else that of
        the version after it.
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
        """`count` empty states, one array; attributes (`states[0].table`) read the same compiled and uncompiled."""
        states = np.zeros(count, self.state.dtype)
        return as_records(states) if UNCOMPILED else states

    def copy_states(self, states: np.ndarray) -> np.ndarray:
        """An array of states that can be written, with the same bytes; NumPy's `copy` goes field by field."""
        copy = np.frombuffer(bytearray(states.tobytes()), self.state.dtype)
        return as_records(copy) if UNCOMPILED else copy

    def visible_states(self, states: np.ndarray, seat: int | None) -> np.ndarray:
        """Return what a seat (None: a spectator) sees of an array of one state; all else is zero. Read only."""
        whole, (table, *hands) = states.tobytes(), self._byte_slices
        kept = bytearray(len(whole))
        for part in (table,) if seat is None else (table, hands[seat]):
            kept[part] = whole[part]
        seen = np.frombuffer(bytes(kept), self.state.dtype)
        return as_records(seen) if UNCOMPILED else seen

    @cached_property
    def _byte_slices(self) -> list[slice]:
        (table, first), (hands, after) = (self.state.dtype.fields[part][:2] for part in ("table", "hand"))
        size = hands.base.itemsize
        starts = range(after, after + hands.itemsize, size)
        return [slice(first, first + table.itemsize), *(slice(start, start + size) for start in starts)]

    def __repr__(self) -> str:
        return f"Game({self.name!r}, version={self.version})"


def game_of(state_type: object) -> Game:
    """The game of a state's Numba type or NumPy dtype."""
    return _by_type[state_type]


def game_of_dtype(dtype: np.dtype) -> Game:
    """The game of the dtype of an uncompiled state, a record array's included."""
    return _by_type[np.dtype((np.void, dtype))]
