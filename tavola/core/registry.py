"""The shelf: every game is a folder in `tavola/games`, or a package that declares the entry point group `tavola.games`.

Nobody lists games by hand. `load("lifeboats")` returns the card that the folder's `__init__.py` calls `GAME`. Games are
found by their place, not imported: the core knows none of them.
"""

import importlib
import importlib.metadata
import importlib.util
import pkgutil
from functools import cache
from pathlib import Path

from tavola.core.compilation import ENTRY_POINTS, PACKAGE
from tavola.core.errors import UnknownGame
from tavola.core.game import Game


def names() -> tuple[str, ...]:
    """The names of all games, sorted."""
    return tuple(sorted(_modules()))


@cache
def load(name: str) -> Game:
    """The card of a game, or `UnknownGame` with the names there are."""
    return importlib.import_module(_module(name)).GAME  # type: ignore[no-any-return]


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
