"""An earlier version of a game's rules: the present ones with the functions that were otherwise then.

A file `rulesets/vN.py` in a game's folder ends with `RULESET = Ruleset(...)` and keeps those functions as they were.
All others that the rules and the heuristics reach are the present ones, made once more where these names mean what they
meant: a function finds those it calls by name, and compiled code holds them for good.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, cast

from tavola.core.compilation import Kernel, compile_in
from tavola.core.game import Game, Heuristics

RULES = ("start", "to_act", "legal", "apply", "score", "redeal")


@dataclass(frozen=True, eq=False)
class Ruleset:
    """The functions that an earlier version had otherwise than the version after it, by module of the game and name.

    `Ruleset(__file__, {"knowledge.note_exchange": note_exchange})`. They are called as the present ones are, so they
    take the same arguments. `TypeError` for a name that the game has not. `later` is what the versions after it had
    otherwise, the oldest word first: the shelf fills it in, so a file is written once, whatever is repaired later.
    """

    file: str
    functions: Mapping[str, Callable[..., Any]]
    later: Mapping[Callable[..., Any], Callable[..., Any]] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The file that says so."""
        return Path(self.file)

    @cached_property
    def stand_ins(self) -> Mapping[Callable[..., Any], Callable[..., Any]]:
        """The function in the place of each present one that was otherwise, then or in a version after it."""
        return {**self.later, **{self._present(name): kept for name, kept in self.functions.items()}}

    @cached_property
    def _copies(self) -> "_Copies":
        return _Copies(self.package, self.path, self.stand_ins)

    @cached_property
    def package(self) -> str:
        """The package of the game."""
        kept = next(iter(self.functions.values()))
        return kept.__module__.rpartition(".rulesets.")[0]

    def _present(self, name: str) -> Callable[..., Any]:
        module, _, function = name.rpartition(".")
        found: Any = vars(import_module(f"{self.package}.{module}")).get(function)
        if not _is_function(found):
            raise TypeError(f"{self.file}: {name!r}: expected MODULE.FUNCTION of {self.package}")
        return cast(Callable[..., Any], found)

    def apply_to(self, game: Game, version: int) -> Game:
        """The game as it was: `game` is the present one."""
        rules = ModuleType(game.rules.__name__)
        vars(rules).update(vars(game.rules), **{name: self._copies.of(vars(game.rules)[name]) for name in RULES})
        return replace(game, version=version, rules=rules, ruleset=self)

    def heuristics(self, card: Heuristics) -> Heuristics:
        """What bots know, where it reckons with the rules: with these."""
        parts = {part.name: getattr(card, part.name) for part in fields(card)}
        return Heuristics(**{name: part and self._copies.of(part) for name, part in parts.items()})


class _Copies:
    """Functions of a game once more, each calling the copies of those it called; `kept` stand in for present ones."""

    def __init__(self, package: str, home: Path, kept: Mapping[Callable[..., Any], Callable[..., Any]]) -> None:
        self._package, self._home, self._kept = package, home, kept
        self._made: dict[Callable[..., Any], Callable[..., Any]] = {}
        self._globals: dict[str, dict[str, Any]] = {}

    def of(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The copy of a function of the game, made once; any other function is itself."""
        meant = self._kept.get(function, function)
        if not self._is_ours(meant):
            return meant
        if meant not in self._made:
            self._made[meant] = self._copy(meant)
        return self._made[meant]

    def _copy(self, function: Callable[..., Any]) -> Callable[..., Any]:
        plain: Any = function.function if isinstance(function, Kernel) else function
        names = self._globals_of(plain.__module__)
        made = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, plain.__closure__)
        made.__module__, made.__doc__ = plain.__module__, plain.__doc__
        # Machine code is linked by name and types: a copy that takes a part of a state has those of the present one.
        made.__qualname__ = f"{self._home.stem}.{plain.__qualname__}"
        return compile_in(self._home, made) if isinstance(function, Kernel) else made

    def _globals_of(self, module: str) -> dict[str, Any]:
        """What names mean in a module of the game, then; functions that call each other find the same one."""
        if module not in self._globals:
            present = vars(import_module(module))
            names = self._globals[module] = dict(present)
            names.update({name: self.of(value) for name, value in present.items() if _is_function(value)})
        return self._globals[module]

    def _is_ours(self, function: Callable[..., Any]) -> bool:
        return function.__module__ == self._package or function.__module__.startswith(f"{self._package}.")


def _is_function(value: object) -> bool:
    return isinstance(value, Kernel | FunctionType)
