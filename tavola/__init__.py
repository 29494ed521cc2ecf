"""Tavola: five board games to play with friends and bots, and a bench to study them.

    import tavola

    match = tavola.Match(tavola.load("lifeboats"), players=4, seed=7)
    match.play(match.legal()[0])

Public and stable are the names of `__all__` here, in `tavola.core` (what a game's rules are made of), `tavola.show`
(words and pictures), `tavola.contract` (what every game is held to) and `tavola.bots` (what plays), with their
signatures; and of a game the names of its options, actions and fields. A release that changes one of them says so in
CHANGELOG.md. All other packages serve the commands and the site, and change as these need it. The package is typed.
"""

import importlib
from typing import TYPE_CHECKING

from tavola.core import CHANCE, Game, Match, MatchRecord, Refusal, Result, View, read_record
from tavola.games import load, names
from tavola.renamed import add_old_names

if TYPE_CHECKING:
    from tavola.rl import Batch

__version__ = "0.2.0"
__all__ = [
    "CHANCE",
    "Batch",
    "Game",
    "Match",
    "MatchRecord",
    "Refusal",
    "Result",
    "View",
    "load",
    "names",
    "read_record",
]


def __getattr__(name: str) -> object:
    """Load what lies above games when it is asked for: `Batch`, and packages such as `tavola.bots`."""
    if name == "Batch":
        return importlib.import_module("tavola.rl").Batch
    if name in ("bots", "contract", "lab", "rl", "show"):
        return importlib.import_module(f"tavola.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
