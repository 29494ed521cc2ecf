"""A drill of time: wares that go to whoever comes first, a toss that a room holds, and a race to point at a corner.

In each of two bouts both take wares from the table, one at a time, until both are done. Then chance tosses a corner
and both point: who alone is right wins, of two who are right the quicker, and two who are wrong see it tossed again.
The winner keeps the prize or shares it.
"""

from joust import rules
from joust.clock import clock
from tavola.core import Game

GAME = Game(
    name="joust", title="Joust", version=1, rules=rules, clock=clock, suspense=("toss",), races={"first": "point"}
)
