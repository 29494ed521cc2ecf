"""Bots: they get a view and the legal actions, nothing else, as people do.

    bot = tavola.bots.bot("search", seed=7, milliseconds=50)
    match.play(bot.choose(match.view(seat)), seat)

`random` plays anything legal, `greedy` what looks best at a glance, `search` looks ahead. None of them knows which
game it plays: what it cannot know is asked of the game's card `tavola.core.Heuristics`.

    found = tavola.bots.search(view, 400, evaluate=values, priors=policy)

is a search for bots of one's own, whose positions and actions are judged by functions of Python, many at a time. How
such bots come to a table stands in the guide `docs/programs.md`. Public and stable are the names of `__all__`, with
their signatures and the public attributes of their classes.
"""

from tavola.bots.levels import LEVELS, BadBot, Bot, Level, bot
from tavola.bots.outside.guided import Findings, search

__all__ = ["LEVELS", "BadBot", "Bot", "Findings", "Level", "bot", "search"]
