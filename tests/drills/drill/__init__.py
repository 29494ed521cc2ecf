"""A game of three tiny drills whose best play is known on paper: what a search must be able to do.

pennies    both seats choose a or b in secret: equal a's win for seat 0, equal b's every other time, else seat 1 wins.
           In equilibrium both play a one time in three, and seat 0 wins one match in three.
thimbles   chance gives seat 1 one of four cards; seat 1 shows one of four, 20 times as often its own as another;
           seat 0 wins by guessing the card.
urns       seat 0 takes the plain urn and wins 6 times in 10 whatever it does then, or the other: after heads to keep
           wins and to swap loses, after tails to keep loses and to swap wins 6 times in 10. With the other urn, random
           play wins 4 times in 10, and good play 8 times.
"""

from drill import rules
from tavola.core import Game

GAME = Game(name="drill", title="Drill", version=1, rules=rules)
