"""Expedition: three shared expeditions across the world, steered by everybody to the places on his own cards."""

from tavola.core import Game
from tavola.games.expedition import rules

GAME = Game(name="expedition", title="Expedition", version=1, rules=rules, notes=("under",))
