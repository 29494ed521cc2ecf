"""A drill of barter: the first seat to act is heard, and the others are asked again.

Chance deals three goods to each in secret. Then each seat may lay up to two goods out, unseen, and offer them for one
good of a kind. A seat that has one may accept, the owner may withdraw, and seats that are done leave. When one is left,
the hands are shown: goods of a kind are worth the square of their number.
"""

from bazaar import rules
from tavola.core import Game

GAME = Game(name="bazaar", title="Bazaar", version=1, rules=rules, secret_points=True)
