"""Tavola: five board games to play with friends and bots, and a bench to study them.

import tavola

match = tavola.load("lifeboats").match(players=4, seed=7)
match.play(match.legal()[0])
"""

from tavola.core import CHANCE, Game, Match, MatchRecord, Refusal, Result, View, read_record
from tavola.games import load, names

__version__ = "0.2.0"
__all__ = ["CHANCE", "Game", "Match", "MatchRecord", "Refusal", "Result", "View", "load", "names", "read_record"]
