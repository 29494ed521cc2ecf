"""A drill of time: wares for the first to take them, a toss that a room delays, and a race to point at a corner.

In each of two bouts both take wares from the table, one at a time, until both are done. Then chance tosses a corner
and both point: if one is right, it wins; if both are, the quicker wins; if none is, the corner is tossed again.
The winner keeps the prize or shares it.
"""

from joust import rules
from joust.clock import clock
from tavola.core import Game

GAME = Game(
    name="joust", title="Joust", version=1, rules=rules, clock=clock, suspense=("toss",), races={"first": "point"}
)
