"""The card of a game: everything anybody else may know of it, behind one door.

A game's folder holds `rules.py` (the state, the actions, the options and six compiled functions), `words.py`,
`picture.py` and `heuristics.py`; its `__init__.py` says `GAME = Game(...)`. Words, pictures and heuristics are
loaded when first asked for, so that rules run without them. Each ends with a typed card like this one:
`WORDS = Words(...)`, `PICTURE = Picture(...)` (see `tavola.show.cards`), `HEURISTICS = Heuristics(...)` and
`FAULTS = Faults(...)`.
"""

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba
import numpy as np

from tavola.core.actions import Actions, PlayedAction
from tavola.core.compilation import UNCOMPILED, as_records, source_folder_of, source_folders
from tavola.core.fields import Each, Layout, layout
from tavola.core.options import Options
from tavola.core.timing import Clock, Unchanged

if TYPE_CHECKING:
    from tavola.core.encoding import Encoder
    from tavola.core.match import Match
    from tavola.core.rulesets import Ruleset

    # Types alone point up the ladder here: who asks a game for its words is told what they are.
    from tavola.show.cards import Picture, Words

CHANCE = 31
"""The seat that deals, draws and tosses: written `*` in records."""

OPEN = 30
"""No seat, but a bit of `to_act` beside seats: whoever comes first acts, and the others are asked anew."""

NO_WINNER = "none"
"""The winner that a raced verb names where several came at the same instant."""

CHECK_LEVELS = ("strict", "pieces")
DOCUMENT_KEYS = {"game", "version", "options", "hands", "box"}
"""The keys at the top of every position document, beside the fields of the table."""
SHOW_MODULE = "tavola.show"

Card = TypeVar("Card")
_by_type: dict[object, "Game"] = {}


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
    ruleset: "Ruleset | None" = None

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
        return self._load_card("faults", Faults).pieces(state)

    def history_faults(self, state: object) -> list[str]:
        """Return what no match could come to though its pieces are sound; nothing where `faults.py` does not say."""
        return self._load_card("faults", Faults).history(state)

    def observe_action(self, seat: int, number: int, hearer: int | None) -> PlayedAction | None:
        """The action number `number` of `seat` as `hearer` (None: a spectator) hears of it; None where it is secret."""
        action = self.actions.action(number)
        secret = self.actions.verb(number).secret and hearer != seat
        return None if secret else PlayedAction(seat, *action)

    def match(
        self,
        seed: int | None = None,
        position: object = None,
        rules: str = "recommended",
        check: str = "strict",
        **options: object,
    ) -> "Match":
        """A new match: `game.match(players=4, seed=7)`; without a seed, chance's outcomes are played by hand.

        Options that are not given are as recommended, or with `rules="letter"` by the letter of the rulebook.

        `position` is a document as `match.document()` gives it: the match starts there. With `check="pieces"` it may be
        a sketch for study: its pieces must be sound, but no match need come to it.
        """
        from tavola.core.match import Match

        return Match(self, options, seed, position, rules, check)

    def encoder(self, recall: int = 0) -> "Encoder":
        """Views and legal actions as arrays for programs that learn, by the declared state alone.

        With `recall` what a seat sees is followed by the last so many actions that it heard.
        """
        from tavola.core.encoding import Encoder

        return Encoder(self, recall)

    @cached_property
    def words(self) -> "Words":
        """Its sentences: `WORDS` of the module `words`; `TypeError` where that is missing or incomplete."""
        return cast("Words", self._load_card("words", vars(self.show)["Words"]))

    @cached_property
    def picture(self) -> "Picture":
        """Its picture: `PICTURE` of the module `picture`; `TypeError` where that is missing or incomplete."""
        return cast("Picture", self._load_card("picture", vars(self.show)["Picture"]))

    @cached_property
    def heuristics(self) -> Heuristics:
        """Return the knowledge that generic search lacks: `HEURISTICS` of the module `heuristics`."""
        card = self._load_card("heuristics", Heuristics)
        return card if self.ruleset is None else self.ruleset.heuristics(card)

    @cached_property
    def symmetry(self) -> Symmetry | None:
        """Return what the game treats alike: `SYMMETRY` of the module `symmetry`; None where there is none."""
        there = importlib.util.find_spec(f"{self._package}.symmetry")
        return self._load_card("symmetry", Symmetry) if there else None

    @property
    def show(self) -> ModuleType:
        """Return the module that shows its views: loaded when asked for, since it lies above the core."""
        return importlib.import_module(SHOW_MODULE)

    def _load_card(self, name: str, kind: type[Card]) -> Card:
        module = importlib.import_module(f"{self._package}.{name}")
        card = vars(module).get(name.upper())
        if not isinstance(card, kind):
            raise TypeError(f"{module.__name__} has no card: expected {name.upper()} = {kind.__name__}(...) at its end")
        return card

    @property
    def _package(self) -> str:
        return self.rules.__name__.rpartition(".")[0]

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, memo: object) -> "Game":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        from tavola.core.registry import find_in

        return find_in, (self._package, self.name, self.version)

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
        """Return the slices of a state's bytes that are the table, and the hand of each seat."""
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
