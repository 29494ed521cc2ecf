"""Voyage (Avalon, the ship in the fog): a captain offers two courses, a secret ballot chooses, secret roles score."""

from tavola.core import Game
from tavola.games.voyage import rules

GAME = Game(name="voyage", title="Voyage to Avalon", version=1, rules=rules, secret_points=True)
