"""Bots that negotiate: they read statements, make some, and keep promises as their temper and their interest decide.

The package uses search and talk and knows no game: `Bargainer` is a bot of a level and a temper at one seat, `Heard`
what that seat has heard. Rooms and arenas call it.
"""

from tavola.bargain.bargainer import BARGAINING_LEVELS, Bargainer
from tavola.bargain.heard import Heard
from tavola.bargain.tempers import TEMPERS, BadTemper, Temper, temper_of

__all__ = ["BARGAINING_LEVELS", "TEMPERS", "BadTemper", "Bargainer", "Heard", "Temper", "temper_of"]
