"""The judgement of God: four tokens are thrown, and two knights point at a corner. Compiled."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

import numpy as np

from tavola.core import compiled
from tavola.games.tournament.components import (
    ALL_SYMBOLS,
    CORNERS,
    FIRST_NONE,
    MOST_WRONG,
    SYMBOLS,
    THROWS,
    First,
    Phase,
)
from tavola.games.tournament.duels import close_choice, duellists, mark_chosen

__all__ = [
    "apply_pointing",
    "apply_race",
    "apply_throw",
    "begin_judgement",
    "legal_pointing",
    "legal_race",
    "legal_throw",
    "right_corner",
]


@compiled
def begin_judgement(t):
    """R22: the first who does not fight, clockwise after the first of the pair, throws."""
    thrower = np.int64(t.duel.seats[0])
    while duellists(t) >> thrower & 1:
        thrower = (thrower + 1) % t.players
    t.duel.thrower = thrower + 1
    t.phase = Phase.THROW


@compiled
def legal_throw(actions, weights):
    """R22: four tokens with two faces each: sixteen outcomes, equally likely."""
    for outcome in range(THROWS):
        actions[outcome] = First.THROW + outcome
        weights[outcome] = 1
    return THROWS


@compiled
def apply_throw(t, outcome):
    """The tokens lie: the first shows its symbol or the next one, and so on round; then the dots."""
    duel = t.duel
    for k in range(len(SYMBOLS)):
        duel.tokens[k] = (k + (outcome >> (len(SYMBOLS) - k) & 1)) % len(SYMBOLS) + 1
    duel.dots = 1 + (outcome & 1)
    for side in range(2):
        duel.pointed[side] = 0
    t.phase = Phase.POINTING


@compiled
def right_corner(first, second, third, dots):
    """R23: the corner to point at, from three symbols (1 to 3) and one dot or two; 0 to 3 as in `CORNERS`."""
    if first == second:
        single, double = third, first
    elif first == third:
        single, double = second, first
    elif second == third:
        single, double = first, second
    else:
        return ALL_SYMBOLS
    return (single if dots == 1 else double) - 1


@compiled
def legal_pointing(actions):
    """R24: any corner."""
    for corner in range(len(CORNERS)):
        actions[corner] = First.POINT + corner
    return len(CORNERS)


@compiled
def apply_pointing(s, seat, corner):
    """R24, R25: when both have pointed it is revealed: the seat that alone pointed rightly, else -1."""
    t, duel = s.table, s.table.duel
    s.hand[seat].pointed = corner + 1
    mark_chosen(t, seat)
    if not close_choice(t):
        return np.int64(-1)
    right = right_corner(duel.tokens[0], duel.tokens[1], duel.tokens[2], duel.dots) + 1
    for side in range(2):
        duel.pointed[side] = s.hand[duel.seats[side]].pointed
        s.hand[duel.seats[side]].pointed = 0
    if (duel.pointed[0] == right) != (duel.pointed[1] == right):
        return np.int64(duel.seats[int(duel.pointed[1] == right)])
    duel.wrong += duel.pointed[0] != right
    t.phase = Phase.RACE if duel.pointed[0] == right or duel.wrong == MOST_WRONG else Phase.THROW
    return np.int64(-1)


@compiled
def legal_race(t, actions, weights):
    """R25: either was first, as likely as the other; that it cannot be told only a room's clocks say."""
    for side in range(2):
        actions[side] = First.FIRST + np.int64(t.duel.seats[side])
        weights[side] = 1
    actions[2], weights[2] = FIRST_NONE, 0
    return 2 if t.duel.wrong == MOST_WRONG else 3


@compiled
def apply_race(t, action):
    """R25: who was first; -1 where it cannot be told, and the tokens are thrown anew."""
    if action == FIRST_NONE:
        t.phase = Phase.THROW
        return np.int64(-1)
    return np.int64(action - First.FIRST)
