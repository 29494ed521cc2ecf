"""Template: hidden cards, a tossed prize and a secret bid, the smallest game that has every part. Copy it."""

from tavola.core import Game
from tavola.games._template import rules

GAME = Game(name="template", title="Template", version=1, rules=rules)
