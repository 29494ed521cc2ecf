"""Lifeboats (Seenot im Rettungsboot): secret ballots sink boats and save sailors; captains overrule."""

from tavola.core import Game
from tavola.games.lifeboats import rules

GAME = Game(name="lifeboats", title="Lifeboats", version=1, rules=rules, brief=("crew",))
