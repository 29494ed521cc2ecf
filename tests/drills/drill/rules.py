"""The rules of the drills."""

from enum import IntEnum

import numpy as np

from tavola.core import (
    CHANCE,
    Actions,
    Options,
    Record,
    choice,
    choice_option,
    compiled,
    each,
    labels,
    members,
    number,
    numerals,
    one,
    random_below,
    verb,
)


class Phase(IntEnum):
    BALLOT, DEAL, SHOW, GUESS, URN, TOSS, DECIDE, LOTTERY, OVER = range(9)


class Drill(IntEnum):
    PENNIES, THIMBLES, URNS = range(3)


DRILLS = labels(Drill)
OPTIONS = Options((2, 2), choice_option("drill", *DRILLS, default="pennies", provenance="ours"))
CARDS = numerals(0, 3)
ACTIONS = Actions(
    verb("side", secret=True, side=("a", "b")),
    verb("deal", secret=True, card=CARDS),
    verb("show", card=CARDS),
    verb("guess", card=CARDS),
    verb("urn", urn=("plain", "other")),
    verb("toss", side=("heads", "tails")),
    verb("decide", what=("keep", "swap")),
    verb("lot", seat=("0", "1")),
)
FIRST = np.array([ACTIONS.first[name] for name in ("side", "deal", "show", "guess", "urn", "toss", "decide", "lot")])
WIDTH = np.array([2, 4, 4, 4, 2, 2, 2, 2])


class Table(Record):
    drill: int = choice(*DRILLS)
    phase: int = number(0, Phase.OVER)
    voted: int = members("0", "1")
    shown: int = number(0, 3)
    plain: int = number(0, 1)
    tails: int = number(0, 1)
    odds: int = number(0, 10)
    winner: int = number(0, 1)


class Hand(Record):
    card: int = number(0, 4)
    side: int = number(0, 2)


class State(Record):
    table: Table = one(Table)
    hand: tuple[Hand, ...] = each(2, Hand)


@compiled
def start(s):
    t = s.table
    t.phase = Phase.BALLOT if t.drill == Drill.PENNIES else Phase.DEAL if t.drill == Drill.THIMBLES else Phase.URN


@compiled
def to_act(s):
    t = s.table
    if t.phase == Phase.OVER:
        return 0
    if t.phase == Phase.BALLOT:
        return np.int64(3 & ~t.voted)
    if t.phase == Phase.DEAL or t.phase == Phase.TOSS or t.phase == Phase.LOTTERY:
        return 1 << CHANCE
    return 2 if t.phase == Phase.SHOW else 1


@compiled
def legal(s, seat, actions, weights):
    t = s.table
    for k in range(WIDTH[t.phase]):
        actions[k] = FIRST[t.phase] + k
        if seat == CHANCE:
            weights[k] = 1
    if t.phase == Phase.LOTTERY:
        weights[0], weights[1] = t.odds, 10 - t.odds
        if t.odds == 0:
            actions[0], weights[0] = actions[1], weights[1]
        if t.odds == 0 or t.odds == 10:
            return np.int64(1)
    return np.int64(WIDTH[t.phase])


@compiled
def apply(s, seat, action):
    t = s.table
    k = action - FIRST[t.phase]
    if t.phase == Phase.BALLOT:
        s.hand[seat].side = k + 1
        t.voted |= 1 << seat
        if t.voted == 3:
            one, two = s.hand[0].side, s.hand[1].side
            _end(t, 0 if one != two else 10 if one == 1 else 5)
    elif t.phase == Phase.DEAL:
        s.hand[1].card = k + 1
        t.phase = Phase.SHOW
    elif t.phase == Phase.SHOW:
        t.shown = k
        t.phase = Phase.GUESS
    elif t.phase == Phase.GUESS:
        _end(t, 10 if s.hand[1].card == k + 1 else 0)
    elif t.phase == Phase.URN:
        t.plain = k == 0
        t.phase = Phase.TOSS
    elif t.phase == Phase.TOSS:
        t.tails = k
        t.phase = Phase.DECIDE
    elif t.phase == Phase.DECIDE:
        _end(t, 6 if t.plain or (t.tails and k) else 0 if t.tails or k else 10)
    else:
        t.winner = k
        t.phase = Phase.OVER


@compiled
def _end(t, odds):
    t.odds = odds
    t.phase = Phase.LOTTERY


@compiled
def score(s, points, place):
    for seat in range(2):
        points[seat] = s.table.winner == seat
        place[seat] = 1 if s.table.winner == seat else 2


@compiled
def redeal(s, seat, rng):
    t = s.table
    if t.drill == Drill.THIMBLES and seat != 1 and t.phase >= Phase.SHOW:
        s.hand[1].card = random_below(rng, 4) + 1
    if t.phase == Phase.BALLOT:
        for other in range(2):
            if other != seat and t.voted >> other & 1:
                s.hand[other].side = random_below(rng, 2) + 1
