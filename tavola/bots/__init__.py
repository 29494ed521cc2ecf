"""Bots: like people, they decide by a view and its legal actions only.

    bot = tavola.bots.bot("search", seed=7, milliseconds=50)
    match.play(bot.choose(match.view(seat)), seat)

`LEVELS` lists them: `random` plays any legal action, `greedy` the one with the greatest prior, `search` looks ahead.
They are the same for all games: game-specific knowledge is in `tavola.core.Heuristics`.

    found = tavola.bots.search(view, 400, evaluate=values, priors=policy)

is a search for your own bots, which evaluates positions and actions by Python functions in batches. The guide
`docs/programs.md` describes how such bots join a table. Public and stable are the names of `__all__`, with their
signatures and the public attributes of their classes.
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
    """Load bots that are programs on demand: their module also loads the sentences of all languages."""
    if name in ("BadOutside", "NoProgram", "Outside"):
        return getattr(import_module("tavola.bots.outside.player"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
