"""Tavola: five board games to play with friends and bots, and tools to study them.

    >>> import tavola
    >>> tavola.game_names()                                             # the names of all games
    ('expedition', 'fairies', 'lifeboats', 'tournament', 'voyage')
    >>> lifeboats = tavola.load("lifeboats")
    >>> match = tavola.Match(lifeboats, players=4, seed=7)              # with a seed, chance is resolved automatically
    >>> match.play(match.legal_codes()[0])                              # play the first legal action
    >>> view = match.view(match.to_act[0])                              # what one seat can see
    >>> match.play(tavola.bots.bot("greedy").choose(view), view.seat)   # a bot decides from the view only
    >>> print(tavola.show.text(match.view()))                           # the table as text; `picture` draws it
    >>> tavola.read_record(str(match.record())).match()                 # write a record and replay it
    >>> tavola.lab.arena("lifeboats", ["search:400", "greedy", "greedy", "greedy"], matches=100)
    >>> tavola.Batch("lifeboats", n=4096, seed=1).observe()             # many matches as arrays, for learning

Bad input raises a `Refusal`, or a subclass, that says what was expected. The same is available in the terminal: `tavola
--help`. The guides in `docs` cover programs, arenas, learning and new games.

Public and stable are the names of `__all__` here, in `tavola.core` (what a game's rules are made of), `tavola.show`
(words and pictures), `tavola.contract` (the properties of every game), `tavola.bots` (the bots) and `tavola.rl`
(arrays and environments for learning), with their signatures, and the names of a game's options, actions and fields.
Changes are listed in CHANGELOG.md; former names work for a while, with a DeprecationWarning (docs/api-changes.md). All
other packages serve the commands and the site, and may change at any time. The package is typed.
"""

import importlib
from typing import TYPE_CHECKING

from tavola.core import (
    CHANCE,
    BadOption,
    BadPosition,
    BadRecord,
    Game,
    IllegalAction,
    Match,
    MatchRecord,
    NotYourTurn,
    Refusal,
    Result,
    UnknownGame,
    UnknownVersion,
    View,
    read_record,
)
from tavola.core.errors import warn_renamed
from tavola.games import load
from tavola.games import names as game_names
from tavola.renamed import add_old_names

if TYPE_CHECKING:
    from tavola import bots, contract, lab, rl, show
    from tavola.rl import Batch

__version__ = "0.4.0"
__all__ = [
    "CHANCE",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "Batch",
    "Game",
    "IllegalAction",
    "Match",
    "MatchRecord",
    "NotYourTurn",
    "Refusal",
    "Result",
    "UnknownGame",
    "UnknownVersion",
    "View",
    "bots",
    "contract",
    "game_names",
    "lab",
    "load",
    "read_record",
    "rl",
    "show",
]


def __getattr__(name: str) -> object:
    """Import `Batch`, and packages such as `tavola.bots`, on first access."""
    if name == "Batch":
        return importlib.import_module("tavola.rl").Batch
    if name in ("bots", "contract", "lab", "rl", "show"):
        return importlib.import_module(f"tavola.{name}")
    if name == "names":
        warn_renamed("tavola.names", "tavola.game_names")
        return game_names
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Include the packages that are imported later."""
    return sorted({*globals(), *__all__})


# `tavola.core` cannot import `tavola.show`, but views are printed and drawn by it.
setattr(View, "__str__", lambda view: importlib.import_module("tavola.show").text(view))  # noqa: B010
setattr(View, "_repr_svg_", lambda view: importlib.import_module("tavola.show").picture(view))  # noqa: B010
add_old_names()
