"""The rules of the joust."""

from enum import IntEnum

from tavola.core import (
    CHANCE,
    OPEN,
    Actions,
    Options,
    Record,
    choice,
    compiled,
    each,
    flag,
    labels,
    members,
    number,
    numerals,
    one,
    rank_seats,
    verb,
)

SEATS = 2
CORNERS = ("crown", "chalice", "globe", "star")
MOST_WARES = 4
BOUTS = 2
THROWS = 3
PRIZE = 3
SEAT_NAMES = numerals(0, SEATS - 1)


class Phase(IntEnum):
    WARES, TOSS, POINT, JUDGE, PRIZE, OVER = range(6)


OPTIONS = Options((SEATS, SEATS))
ACTIONS = Actions(
    verb("toss", corner=CORNERS),
    verb("take"),
    verb("done"),
    verb("point", secret=True, corner=CORNERS),
    verb("first", who=(*SEAT_NAMES, "none")),
    verb("keep"),
    verb("share"),
)


class First(IntEnum):
    TOSS, TAKE, DONE, POINT, FIRST, KEEP, SHARE = ACTIONS.first.values()


NONE = First.FIRST + SEATS


class Table(Record):
    players: int = number(SEATS, SEATS)
    phase: int = choice(*labels(Phase))
    bout: int = number(0, BOUTS)
    wares: int = number(0, MOST_WARES)
    done: int = members(*SEAT_NAMES)
    tossed: int = choice("nothing", *CORNERS)
    wrong: int = number(0, THROWS)  # throws of this round at which both were wrong
    pointed: int = members(*SEAT_NAMES)
    shown: tuple[int, ...] = each(SEATS, choice("nothing", *CORNERS))  # where both pointed last
    winner: int = number(0, SEATS)  # of the prize; 0: none yet
    points: tuple[int, ...] = each(SEATS, number(0, 40))
    joust: int = flag()


class Hand(Record):
    pointed: int = choice("nothing", *CORNERS)


class State(Record):
    table: Table = one(Table)
    hand: tuple[Hand, ...] = each(SEATS, Hand)


@compiled
def start(s):
    s.table.wares = MOST_WARES


@compiled
def to_act(s):
    t = s.table
    if t.phase == Phase.WARES:
        return 0b11 & ~int(t.done) | 1 << OPEN
    if t.phase == Phase.POINT:
        return 0b11 & ~int(t.pointed)
    if t.phase == Phase.PRIZE:
        return 1 << int(t.winner - 1)
    return 0 if t.phase == Phase.OVER else 1 << CHANCE


@compiled
def legal(s, seat, actions, weights):
    t = s.table
    if t.phase == Phase.WARES:
        return _legal_wares(t, actions)
    if t.phase == Phase.JUDGE:
        return _legal_judge(t, actions, weights)
    if t.phase == Phase.PRIZE:
        actions[0], actions[1] = First.KEEP, First.SHARE
        return 2
    first = First.TOSS if t.phase == Phase.TOSS else First.POINT
    for corner in range(len(CORNERS)):
        actions[corner] = first + corner
        weights[corner] = 1
    return len(CORNERS)


@compiled
def _legal_wares(t, actions):
    count = 0
    if t.wares:
        actions[count] = First.TAKE
        count += 1
    actions[count] = First.DONE
    return count + 1


@compiled
def _legal_judge(t, actions, weights):
    """After three throws at which both were wrong, one seat must be first."""
    count = SEATS + (t.wrong < THROWS)
    for k in range(count):
        actions[k] = First.FIRST + k
        weights[k] = k < SEATS
    return count


@compiled
def apply(s, seat, action):
    t = s.table
    if t.phase == Phase.WARES:
        _apply_wares(t, seat, action)
    elif t.phase == Phase.TOSS:
        t.tossed = action - First.TOSS + 1
        t.phase = Phase.POINT
    elif t.phase == Phase.POINT:
        _apply_point(s, seat, action - First.POINT + 1)
    elif t.phase == Phase.JUDGE:
        _apply_judge(t, action)
    else:
        t.points[seat] += PRIZE if action == First.KEEP else PRIZE - 1
        t.points[1 - seat] += action == First.SHARE
        _next_bout(t)


@compiled
def _apply_wares(t, seat, action):
    if action == First.TAKE:
        t.wares -= 1
        t.points[seat] += 1
    else:
        t.done |= 1 << seat
    if t.done == 0b11:
        t.phase = Phase.TOSS


@compiled
def _apply_point(s, seat, corner):
    t = s.table
    s.hand[seat].pointed = corner
    t.pointed |= 1 << seat
    if t.pointed != 0b11:
        return
    right = 0
    for p in range(SEATS):
        t.shown[p] = s.hand[p].pointed
        right += t.shown[p] == t.tossed
        s.hand[p].pointed = 0
    if right == 1:
        _win(t, 0 if t.shown[0] == t.tossed else 1)
    elif right == 0 and t.wrong + 1 < THROWS:
        t.wrong += 1
        _throw_anew(t)
    else:
        t.wrong += right == 0
        t.phase = Phase.JUDGE


@compiled
def _apply_judge(t, action):
    if action == NONE:
        _throw_anew(t)
    else:
        _win(t, action - First.FIRST)


@compiled
def _throw_anew(t):
    t.pointed = 0
    t.tossed = 0
    t.phase = Phase.TOSS


@compiled
def _win(t, seat):
    t.winner = seat + 1
    t.phase = Phase.PRIZE


@compiled
def _next_bout(t):
    t.bout += 1
    t.done = t.pointed = t.wrong = t.tossed = t.winner = 0
    t.wares = MOST_WARES
    t.phase = Phase.OVER if t.bout == BOUTS else Phase.WARES


@compiled
def score(s, points, place):
    for seat in range(SEATS):
        points[seat] = s.table.points[seat]
    rank_seats(points, place, SEATS)


@compiled
def redeal(s, seat, rng):
    """A seat that has pointed gets some corner."""
    for other in range(SEATS):
        if other != seat and s.table.phase == Phase.POINT and s.table.pointed >> other & 1:
            s.hand[other].pointed = 1 + (s.table.tossed + other) % len(CORNERS)
