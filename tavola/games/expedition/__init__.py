"""Expedition: all players steer three shared expeditions across the world, each to the places on their own cards."""

from tavola.core import Game
from tavola.games.expedition import rules

GAME = Game(name="expedition", title="Expedition", version=1, rules=rules, notes=("under",))
