"""Earlier versions of a game: the current one, with the functions and constants that have changed since.

A file `rulesets/vN.py` in a game's folder ends with `RULESET = Ruleset(...)` and keeps the old functions and constants,
of rules and of words. Every current function that reaches one of them is copied for that version: functions find those
they call by name, and compiled code binds them permanently.
"""

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property, lru_cache, partial
from importlib import import_module
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any, TypeVar, cast

from tavola.core.compilation import Kernel, compile_in

T = TypeVar("T")
RULES = ("start", "to_act", "legal", "apply", "score", "redeal")
RULESETS_FOLDER = "rulesets"
ATOMS = (str, bytes, int, float, type(None))
"""Types of constants that are one object wherever they are equal, and are therefore known by name."""
Cached = type(lru_cache(len))


@dataclass(frozen=True, eq=False)
class Ruleset:
    """The differences of an earlier version from the version after it, by module of the game and name.

    `Ruleset(__file__, {"rules.score": score, "words.help.LESSON": LESSON})`. Functions take the same arguments as the
    current ones. Raises `TypeError` for a name that the game does not have.

    The registry fills in the game's `package`, and `later`, the differences of the versions after it. So a file is
    written once, whatever is repaired later.
    """

    file: str
    kept: Mapping[str, Any]
    package: str = ""
    later: Mapping[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """File of the ruleset."""
        return Path(self.file)

    @cached_property
    def stand_ins(self) -> Mapping[str, Any]:
        """Values that replace the current ones, by name: those kept by this version or by a later one."""
        return {**self.later, **self.kept}

    @cached_property
    def _copies(self) -> "_Copies":
        return _Copies(self.package, self.path, self.stand_ins)

    def rules_as_kept(self, rules: ModuleType) -> ModuleType:
        """Return the rules of this version: a module with the names of the current one."""
        kept = ModuleType(rules.__name__)
        vars(kept).update(vars(rules), **{name: self.as_kept(vars(rules)[name]) for name in RULES})
        return kept

    def as_kept(self, value: T) -> T:
        """Return a function of the game, or a card with functions, as it was in this version."""
        return cast(T, self._copies.of(value))


def kept_versions(folder: Path) -> list[int]:
    """Return the earlier versions that a game's folder keeps, ascending."""
    found = (path.stem[1:] for path in (folder / RULESETS_FOLDER).glob("v*.py"))
    return sorted(int(number) for number in found if number.isdecimal())


class _Copies:
    """Copies of a game's functions, each calling the copies of those it called, and of objects that contain functions.

    Classes are not copied: functions that use a changed class must be kept.
    """

    def __init__(self, package: str, home: Path, stand_ins: Mapping[str, Any]) -> None:
        self._package, self._home = package, home
        self._by_name = {name: (self._present(name), kept) for name, kept in stand_ins.items()}
        self._by_object = {id(now): kept for now, kept in self._by_name.values() if not isinstance(now, ATOMS)}
        self._made: dict[int, tuple[Any, Any]] = {}
        self._globals: dict[str, dict[str, Any]] = {}

    def _present(self, name: str) -> Any:
        module, _, called = name.rpartition(".")
        names = vars(import_module(f"{self._package}.{module}"))
        if called not in names:
            raise TypeError(f"{self._home}: {name!r}: expected MODULE.NAME of {self._package}")
        return names[called]

    def of(self, value: Any) -> Any:
        """Return a value as it was in the earlier version; the value itself if nothing in it has changed."""
        if id(value) not in self._made:
            made = self._remade(self._by_object.get(id(value), value))
            self._made.setdefault(id(value), (value, made))  # the reference keeps its id from being reused
        return self._made[id(value)][1]

    def _remade(self, value: Any) -> Any:
        if isinstance(value, Kernel | FunctionType):
            return self._copy(value) if self._is_ours(value) else value
        if isinstance(value, Cached):
            return lru_cache(**value.cache_parameters())(self.of(value.__wrapped__))
        if isinstance(value, partial):
            return partial(self.of(value.func), *self._all(value.args), **self._items(value.keywords))
        if isinstance(value, MethodType):
            return getattr(self.of(value.__self__), value.__name__)
        return self._remade_container(value)

    def _remade_container(self, value: Any) -> Any:
        kind = type(value)
        if kind is dict:
            return self._unless_alike(value, self._items(value))
        if kind in (tuple, list):
            return self._unless_alike(value, kind(self._all(value)))
        if isinstance(value, tuple) and hasattr(value, "_make"):
            return self._unless_alike(value, value._make(self._all(value)))
        # Objects with an identity, such as a game, are not copied.
        return self._with_fields(value) if is_dataclass(kind) and kind.__eq__ is not object.__eq__ else value

    def _with_fields(self, value: Any) -> Any:
        now = {part.name: getattr(value, part.name) for part in fields(value)}
        then = self._items(now)
        if self._unless_alike(now, then) is now:
            return value
        made = copy(value)
        for name, part in then.items():
            object.__setattr__(made, name, part)
        return made

    def _all(self, values: Any) -> list[Any]:
        return [self.of(value) for value in values]

    def _items(self, values: Mapping[Any, Any]) -> dict[Any, Any]:
        return {key: self.of(value) for key, value in values.items()}

    @staticmethod
    def _unless_alike(value: Any, made: Any) -> Any:
        before, after = (part.values() if isinstance(part, dict) else part for part in (value, made))
        return value if all(old is new for old, new in zip(before, after, strict=True)) else made

    def _copy(self, function: Callable[..., Any]) -> Callable[..., Any]:
        plain: Any = function.function if isinstance(function, Kernel) else function
        names = self._globals_of(plain.__module__)
        if id(function) in self._made:  # copied meanwhile, for a function of its module that calls it
            return cast(Callable[..., Any], self._made[id(function)][1])
        made = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, plain.__closure__)
        made.__module__, made.__doc__, made.__kwdefaults__ = plain.__module__, plain.__doc__, plain.__kwdefaults__
        # Machine code is linked by name and types, and both versions may have the same types.
        made.__qualname__ = f"{self._home.stem}.{plain.__qualname__}"
        return compile_in(self._home, made) if isinstance(function, Kernel) else made

    def _globals_of(self, module: str) -> dict[str, Any]:
        """Return the globals of a module of the game in that version, shared by functions that call each other."""
        if module not in self._globals:
            present = vars(import_module(module))
            names = self._globals[module] = dict(present)
            names.update({name: self.of(value) for name, value in present.items() if not name.startswith("__")})
            for name, (now, kept) in self._by_name.items():
                called = name.rpartition(".")[2]
                if isinstance(now, ATOMS) and present.get(called) is now:
                    names[called] = kept
        return self._globals[module]

    def _is_ours(self, function: Callable[..., Any]) -> bool:
        return function.__module__ == self._package or function.__module__.startswith(f"{self._package}.")
