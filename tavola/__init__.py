"""Tavola: five board games to play with friends and bots, and a bench to study them.

    >>> import tavola
    >>> tavola.game_names()                                             # which games there are
    ('expedition', 'fairies', 'lifeboats', 'tournament', 'voyage')
    >>> lifeboats = tavola.load("lifeboats")
    >>> match = tavola.Match(lifeboats, players=4, seed=7)              # chance deals by itself
    >>> match.play(match.legal_codes()[0])                              # play the first legal action
    >>> view = match.view(match.to_act[0])                              # all that one seat may see
    >>> match.play(tavola.bots.bot("greedy").choose(view), view.seat)   # a bot decides from that alone
    >>> print(tavola.show.text(match.view()))                           # the table in words; `picture` draws it
    >>> tavola.read_record(str(match.record())).match()                 # a record, and the match again
    >>> tavola.lab.arena("lifeboats", ["search:400", "greedy", "greedy", "greedy"], matches=100)
    >>> tavola.Batch("lifeboats", n=4096, seed=1).observe()             # matches in arrays, for learning

Everything raises a `Refusal`, or a kind of it, that says what was expected. The terminal has all of this too: `tavola
--help`. Guides are in `docs`: programs, arenas, learning, new games.

Public and stable are the names of `__all__` here, in `tavola.core` (what a game's rules are made of), `tavola.show`
(words and pictures), `tavola.contract` (what every game is held to) and `tavola.bots` (what plays), with their
signatures; and of a game the names of its options, actions and fields. A release that changes one of them says so in
CHANGELOG.md; former names work for a while, with a DeprecationWarning (docs/api-changes.md). All other packages serve
the commands and the site, and change as these need it. The package is typed.
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
from tavola.core.deprecation import warn_renamed
from tavola.games import load
from tavola.games import names as game_names
from tavola.renamed import add_old_names

if TYPE_CHECKING:
    from tavola import bots, contract, lab, rl, show
    from tavola.rl import Batch

LOADED_LATER = ("bots", "contract", "lab", "rl", "show")
"""Packages that are loaded when they are asked for, as `tavola.bots`."""
__version__ = "0.2.0"
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
    """Load what lies above games when it is asked for: `Batch`, and packages such as `tavola.bots`."""
    if name == "Batch":
        return importlib.import_module("tavola.rl").Batch
    if name in LOADED_LATER:
        return importlib.import_module(f"tavola.{name}")
    if name == "names":
        warn_renamed("tavola.names", "tavola.game_names")
        return game_names
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the packages that are loaded later, too, for those who look what there is."""
    return sorted({*globals(), *__all__})


def _text(view: View) -> str:
    """The table as text, in English."""
    return str(importlib.import_module("tavola.show").text(view))


def _picture(view: View) -> str:
    """The picture, for notebooks."""
    return str(importlib.import_module("tavola.show").picture(view))


# Views lie below what shows them, and are printed all the same.
setattr(View, "__str__", _text)  # noqa: B010
setattr(View, "_repr_svg_", _picture)  # noqa: B010
add_old_names()
