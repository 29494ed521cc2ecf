"""Bots: they get a view and the legal actions, nothing else, as people do.

    bot = tavola.bots.bot("search", seed=7, milliseconds=50)
    match.play(bot.choose(match.view(seat)), seat)

`random` plays anything legal, `greedy` what looks best at a glance, `search` looks ahead. None of them knows which
game it plays: what it cannot know is asked of the game's `heuristics.py`,

    priors(s, seat, actions, count, priors)   for each of `count` legal actions of `seat` a positive weight (float64):
                                              how good it looks from the table and the seat's own hand
    likelihood(s, seat)                       how likely what has been seen is (float64, any scale), if the cards that
                                              `seat` cannot see are those of `s`; 1.0 where nothing can be inferred
    outlook(s, played, worth)                 may be left out, where matches are short: whether the position, `played`
                                              actions after those that were searched, can be judged without playing it
                                              to the end; if so, into `worth` (float64, by seat) what each seat may
                                              hope for, from 0 to 1 for a sure win

all compiled, all reached by the type of the state.
"""

from tavola.bots.levels import LEVELS, Bot, bot

__all__ = ["LEVELS", "Bot", "bot"]
