"""The rules of the drills."""

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
    members,
    number,
    numerals,
    one,
    random_below,
    verb,
)

BALLOT, DEAL, SHOW, GUESS, URN, TOSS, DECIDE, LOTTERY, OVER = range(9)
PENNIES, THIMBLES, URNS = range(3)
DRILLS = ("pennies", "thimbles", "urns")
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
    phase: int = number(0, OVER)
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
    t.phase = BALLOT if t.drill == PENNIES else DEAL if t.drill == THIMBLES else URN


@compiled
def to_act(s):
    t = s.table
    if t.phase == OVER:
        return 0
    if t.phase == BALLOT:
        return np.int64(3 & ~t.voted)
    if t.phase == DEAL or t.phase == TOSS or t.phase == LOTTERY:
        return 1 << CHANCE
    return 2 if t.phase == SHOW else 1


@compiled
def legal(s, seat, actions, weights):
    t = s.table
    for k in range(WIDTH[t.phase]):
        actions[k] = FIRST[t.phase] + k
        if seat == CHANCE:
            weights[k] = 1
    if t.phase == LOTTERY:
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
    if t.phase == BALLOT:
        s.hand[seat].side = k + 1
        t.voted |= 1 << seat
        if t.voted == 3:
            one, two = s.hand[0].side, s.hand[1].side
            _end(t, 0 if one != two else 10 if one == 1 else 5)
    elif t.phase == DEAL:
        s.hand[1].card = k + 1
        t.phase = SHOW
    elif t.phase == SHOW:
        t.shown = k
        t.phase = GUESS
    elif t.phase == GUESS:
        _end(t, 10 if s.hand[1].card == k + 1 else 0)
    elif t.phase == URN:
        t.plain = k == 0
        t.phase = TOSS
    elif t.phase == TOSS:
        t.tails = k
        t.phase = DECIDE
    elif t.phase == DECIDE:
        _end(t, 6 if t.plain or (t.tails and k) else 0 if t.tails or k else 10)
    else:
        t.winner = k
        t.phase = OVER


@compiled
def _end(t, odds):
    t.odds = odds
    t.phase = LOTTERY


@compiled
def score(s, points, place):
    for seat in range(2):
        points[seat] = s.table.winner == seat
        place[seat] = 1 if s.table.winner == seat else 2


@compiled
def redeal(s, seat, rng):
    t = s.table
    if t.drill == THIMBLES and seat != 1 and t.phase >= SHOW:
        s.hand[1].card = random_below(rng, 4) + 1
    if t.phase == BALLOT:
        for other in range(2):
            if other != seat and t.voted >> other & 1:
                s.hand[other].side = random_below(rng, 2) + 1
