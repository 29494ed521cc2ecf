"""Fairies (Le Fate di Avalon): wands wake three fairies, their powers rob and cover, together they heal King Arthur."""

from tavola.core import Game
from tavola.games.fairies import rules

GAME = Game(name="fairies", title="The Fairies of Avalon", version=1, rules=rules, notes=("known", "grid"))
