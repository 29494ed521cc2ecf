"""Bots: they get a view and the legal actions, nothing else, as people do.

    bot = tavola.bots.bot("search", seed=7, milliseconds=50)
    match.play(bot.choose(match.view(seat)), seat)

`LEVELS` lists them: `random` plays anything legal, `greedy` what looks best at a glance, `search` looks ahead. None of
them knows which game it plays: the game's card `tavola.core.Heuristics` answers what they cannot know.

    found = tavola.bots.search(view, 400, evaluate=values, priors=policy)

is a search for bots of one's own, whose positions and actions are judged by functions of Python, many at a time. How
such bots come to a table stands in the guide `docs/programs.md`. Public and stable are the names of `__all__`, with
their signatures and the public attributes of their classes.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from tavola.bots.levels import LEVELS, BadBot, Bot, Level, bot
from tavola.bots.outside.guided import Findings, search

if TYPE_CHECKING:
    from tavola.bots.outside.player import BadOutside, Outside
    from tavola.bots.outside.programs import NoProgram

__all__ = ["LEVELS", "BadBot", "BadOutside", "Bot", "Findings", "Level", "NoProgram", "Outside", "bot", "search"]


def __getattr__(name: str) -> object:
    """Load bots that are programs when they are asked for: their module also loads the sentences of all languages."""
    if name in ("BadOutside", "NoProgram", "Outside"):
        return getattr(import_module("tavola.bots.outside.player"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
