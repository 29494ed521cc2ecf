"""A drill of knowledge shared by two: a card is stolen from a hand, and thief and victim both know which it was.

Chance deals two cards to each in secret. In turn each steals from somebody, chance draws the card unseen by the others;
both note it. Once in the match somebody may turn up the card in the nest before he steals. Pairs of a kind count.
"""

from magpie import rules
from tavola.core import Game

GAME = Game(name="magpie", title="Magpie", version=1, rules=rules, secret_points=True, notes=("knows",))
