"""Tournament (Avalon): knights barter for swords, shields, lances and armour, and fight duels; the richest wins."""

from tavola.core import Game
from tavola.games.tournament import rules
from tavola.games.tournament.trading import clock, unchanged

GAME = Game(
    name="tournament",
    title="Tournament",
    version=2,
    rules=rules,
    notes=("known",),
    clock=clock,
    suspense=("throw",),
    races={"first": "point"},
    unchanged=unchanged,
)
