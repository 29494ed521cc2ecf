"""A drill of shared knowledge: a card is stolen from a hand, and thief and victim both know which it was.

Chance deals two cards to each in secret. In turn each steals from another seat, chance draws the card unseen by the
others, and both note it. Once in the match a seat may turn up the card in the nest before stealing. Pairs of a kind
count.
"""

from magpie import rules
from tavola.core import Game

GAME = Game(name="magpie", title="Magpie", version=1, rules=rules, secret_points=True, notes=("knows",))
