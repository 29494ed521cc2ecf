"""Bots: they get a view and the legal actions, nothing else, as people do.

    bot = tavola.bots.bot("search", seed=7, milliseconds=50)
    match.play(bot.choose(match.view(seat)), seat)

`random` plays anything legal, `greedy` what looks best at a glance, `search` looks ahead. None of them knows which
game it plays: what it cannot know is asked of the game's card `tavola.core.Heuristics`.
"""

from tavola.bots.levels import LEVELS, Bot, bot

__all__ = ["LEVELS", "Bot", "bot"]
