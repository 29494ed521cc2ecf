"""The catalogue of games: folders in `tavola/games`, and packages with the entry point group `tavola.games`.

Games are found by their place, without a list. `load("lifeboats")` returns the object that the folder's `__init__.py`
calls `GAME`. `load("tournament", 1)` returns the game under version 1 of its rules, if `rulesets/v1.py` in its folder
keeps the differences.
"""

import copyreg
import importlib
import importlib.metadata
import importlib.util
import pkgutil
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from tavola.core.compilation import ENTRY_POINTS, PACKAGE, interpret
from tavola.core.errors import UnknownGame, UnknownVersion
from tavola.core.game import Game
from tavola.core.rulesets import RULESETS_FOLDER, Ruleset, kept_versions


def names() -> tuple[str, ...]:
    """Return the names of all games, sorted."""
    return tuple(sorted(_modules()))


def load(name: str, version: int | None = None) -> Game:
    """Return a game, under the current rules or those of `version`.

    Raises `UnknownGame` or `UnknownVersion`, with the names or versions that exist.
    """
    game = _present(name)
    return game if version is None else game_of_version(game, version)


def game_of_version(game: Game, version: int) -> Game:
    """Return a game under the rules of a current or kept version. Raises `UnknownVersion` for any other."""
    present = _present_of(game)
    return present if version == present.version else earlier_version(present, version)


def find(reference: str) -> Game:
    """Return a game by its `reference`: a name, or a name and a version such as `tournament@1`."""
    name, _, version = reference.partition("@")
    return load(name, (int(version) if version.isdecimal() else 0) if version else None)


def find_in(package: str, name: str, version: int) -> Game:
    """Return a game of a package, for unpickling. Raises `UnknownGame` or `UnknownVersion` if it is not there."""
    try:
        game: Game | None = vars(importlib.import_module(package)).get("GAME")
    except ImportError as error:
        raise UnknownGame(f"game {name!r} of {package}: expected the package to be installed") from error
    if game is None or game.name != name:
        raise UnknownGame(f"game {name!r} of {package}: expected the package to contain it")
    return game_of_version(game, version)


copyreg.pickle(Game, lambda game: (find_in, (game.package, game.name, game.version)))


@cache
def _present(name: str) -> Game:
    return importlib.import_module(_module(name)).GAME  # type: ignore[no-any-return]


def versions(game: Game) -> tuple[int, ...]:
    """Return the versions of a game's rules whose matches can be played, ascending; the last is the current one."""
    return (*kept_versions(game.folder), _present_of(game).version)


def _present_of(game: Game) -> Game:
    return game if game.ruleset is None else importlib.import_module(game.package).GAME


@cache
def earlier_version(game: Game, version: int) -> Game:
    """Return the game under the rules of an earlier version. Raises `UnknownVersion` if they are not kept.

    Each file has the differences from the next version, so no version in between may be missing. The game runs as plain
    Python until it is compiled, so that opening an old match does not take minutes.
    """
    kept = [at for at in versions(game)[:-1] if at >= version]
    if version not in kept or kept != list(range(version, game.version)):
        known = " or ".join(map(str, sorted({*versions(game)})))
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
    """Return the folder of a game without loading it. Raises `UnknownGame`."""
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
    """Return the module of each game. Packages from outside cannot take the name of a built-in game."""
    folders = pkgutil.iter_modules([str(PACKAGE / "games")])
    ours = {found.name: f"tavola.games.{found.name}" for found in folders if found.ispkg and found.name[0] != "_"}
    theirs = {entry.name: entry.module for entry in importlib.metadata.entry_points(group=ENTRY_POINTS)}
    return {**theirs, **ours}
