"""The shelf: every game is a folder in `tavola/games`, or a package that declares the entry point group `tavola.games`.

Nobody lists games by hand. `load("lifeboats")` returns the card that the folder's `__init__.py` calls `GAME`. Games are
found by their place, not imported: the core knows none of them. `load("tournament", 1)` returns the game as it was
under version 1 of its rules, where `rulesets/v1.py` in its folder keeps what was otherwise.
"""

import copyreg
import importlib
import importlib.metadata
import importlib.util
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from tavola.core.compilation import ENTRY_POINTS, PACKAGE, interpret
from tavola.core.errors import UnknownGame, UnknownVersion
from tavola.core.game import Game
from tavola.core.rulesets import RULESETS_FOLDER, Ruleset, kept_versions


def names() -> tuple[str, ...]:
    """The names of all games, sorted."""
    return tuple(sorted(_modules()))


def load(name: str, version: int | None = None) -> Game:
    """The card of a game, under the rules of `version` if told; `UnknownGame`, `UnknownVersion` say what there is."""
    game = _present(name)
    return game if version is None else game_of_version(game, version)


def game_of_version(game: Game, version: int) -> Game:
    """A game under the rules of a version, the present ones or kept ones; `UnknownVersion` says what there is."""
    present = _present_of(game)
    return present if version == present.version else earlier_version(present, version)


def find(reference: str) -> Game:
    """The card by what it calls its `reference`: a name, or a name and a version, `tournament@1`."""
    name, _, version = reference.partition("@")
    return load(name, (int(version) if version.isdecimal() else 0) if version else None)


def find_in(package: str, name: str, version: int) -> Game:
    """The card of a game in a package, as it was pickled; `UnknownGame`, `UnknownVersion` where it is not there."""
    try:
        game: Game | None = vars(importlib.import_module(package)).get("GAME")
    except ImportError as error:
        raise UnknownGame(f"game {name!r} of {package}: expected the package to be installed") from error
    if game is None or game.name != name:
        raise UnknownGame(f"game {name!r} of {package}: expected the package to hold it")
    return game_of_version(game, version)


def _reduce_game(game: Game) -> tuple[Callable[..., Game], tuple[Any, ...]]:
    return find_in, (game.package, game.name, game.version)


copyreg.pickle(Game, _reduce_game)


@cache
def _present(name: str) -> Game:
    return importlib.import_module(_module(name)).GAME  # type: ignore[no-any-return]


def versions(game: Game) -> tuple[int, ...]:
    """The versions of a game's rules whose matches can be played, ascending: the last are the present ones."""
    return (*kept_versions(game.folder), _present_of(game).version)


def _present_of(game: Game) -> Game:
    return game if game.ruleset is None else importlib.import_module(game.package).GAME


@cache
def earlier_version(game: Game, version: int) -> Game:
    """The game under the rules of an earlier version; `UnknownVersion` where they are not kept.

    Each file says what was otherwise than in the version after it, so none may be missing in between. It runs as plain
    Python until somebody compiles it: nobody waits minutes for one old match.
    """
    kept = [at for at in versions(game)[:-1] if at >= version]
    if version not in kept or kept != list(range(version, game.version)):
        known = " or ".join(map(str, versions(game)))
        raise UnknownVersion(f"version {version} of {game.name}: expected version {known}")
    later: Mapping[str, Any] = {}
    for at in reversed(kept):
        file: Ruleset = importlib.import_module(f"{game.package}.{RULESETS_FOLDER}.v{at}").RULESET
        ruleset = replace(file, package=game.package, later=later)
        later = ruleset.stand_ins
    clock, unchanged = ruleset.as_kept((game.clock, game.unchanged))
    rules = ruleset.rules_as_kept(game.rules)
    earlier = replace(game, version=version, rules=rules, clock=clock, unchanged=unchanged, ruleset=ruleset)
    interpret(earlier.source_folder)
    return earlier


def game_folder(name: str) -> Path:
    """The folder of a game, which is not loaded for it; `UnknownGame` as for `load`."""
    spec = importlib.util.find_spec(_module(name))
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _module(name: str) -> str:
    module = _modules().get(name)
    if module is None:
        raise UnknownGame(f"unknown game {name[:60]!r}: expected one of {', '.join(names())}")
    return module


@cache
def _modules() -> dict[str, str]:
    """Module by game: our folders, then packages from elsewhere, which cannot take a name that is ours."""
    folders = pkgutil.iter_modules([str(PACKAGE / "games")])
    ours = {found.name: f"tavola.games.{found.name}" for found in folders if found.ispkg and found.name[0] != "_"}
    theirs = {entry.name: entry.module for entry in importlib.metadata.entry_points(group=ENTRY_POINTS)}
    return {**theirs, **ours}
