"""A drill of barter: whoever comes first acts, and the others are asked anew.

Chance deals three goods to each in secret. Then everybody may lay up to two of his goods out, unseen, and offer them
for one good of a kind; anybody who holds one may accept, the owner may withdraw, and who is done leaves. When one is
left the hands are shown: goods of a kind are worth the square of their number.
"""

from bazaar import rules
from tavola.core import Game

GAME = Game(name="bazaar", title="Bazaar", version=1, rules=rules, secret_points=True)
