"""The rules of the bazaar."""

from enum import IntEnum

from tavola.core import (
    CHANCE,
    OPEN,
    Actions,
    Options,
    Record,
    choice,
    compiled,
    draw_from,
    each,
    flag,
    labels,
    legal_draws,
    members,
    number,
    numerals,
    one,
    pile_size,
    random_below,
    rank_seats,
    verb,
)

SEATS = 4
GOODS = ("wool", "salt", "silk")
KINDS = len(GOODS)
DEALT = 3
MOST_LAID = 2
MOST_OFFERS = 3
SEAT_NAMES = numerals(0, SEATS - 1)


class Phase(IntEnum):
    DEAL, TRADE, OVER = range(3)


OPTIONS = Options((2, SEATS))
ACTIONS = Actions(
    verb("deal", secret=True, good=GOODS),
    verb("lay", secret=True, planned=True, good=GOODS),
    verb("offer", planned=True, wanted=GOODS),
    verb("accept", planned=True, seat=SEAT_NAMES),
    verb("withdraw", planned=True),
    verb("done"),
)


class First(IntEnum):
    DEAL, LAY, OFFER, ACCEPT, WITHDRAW, DONE = ACTIONS.first.values()


Goods = each(GOODS, number(0, SEATS * DEALT))


class Offer(Record):
    goods: tuple[int, ...] = each(GOODS, number(0, MOST_LAID))
    wanted: int = choice("nothing", *GOODS)


class Table(Record):
    players: int = number(2, SEATS)
    phase: int = choice(*labels(Phase))
    dealt: int = number(0, SEATS * DEALT)
    gone: int = members(*SEAT_NAMES)
    held: tuple[int, ...] = each(SEATS, number(0, SEATS * DEALT))  # goods of each, including those on offer
    offers: tuple[Offer, ...] = each(SEATS, Offer)
    offered: tuple[int, ...] = each(SEATS, number(0, MOST_OFFERS))  # offers made by each
    accepted: tuple[int, ...] = each(SEATS, number(0, SEATS * MOST_OFFERS))  # offers accepted by each
    shown: tuple[tuple[int, ...], ...] = each(SEATS, Goods)
    bazaar: int = flag()


class Hand(Record):
    goods: tuple[int, ...] = Goods
    laid: tuple[int, ...] = each(GOODS, number(0, MOST_LAID))  # type: ignore[misc]


class Box(Record):
    goods: tuple[int, ...] = Goods


class State(Record):
    table: Table = one(Table)
    hand: tuple[Hand, ...] = each(SEATS, Hand)
    box: Box = one(Box)


@compiled
def start(s):
    t = s.table
    for kind in range(KINDS):
        s.box.goods[kind] = t.players


@compiled
def to_act(s):
    t = s.table
    if t.phase == Phase.DEAL:
        return 1 << CHANCE
    if t.phase == Phase.OVER:
        return 0
    return ((1 << int(t.players)) - 1) & ~int(t.gone) | 1 << OPEN


@compiled
def legal(s, seat, actions, weights):
    if seat == CHANCE:
        return legal_draws(s.box.goods, First.DEAL, actions, weights)
    t, hand = s.table, s.hand[seat]
    count = _legal_offer(t, hand, seat, actions)
    for other in range(t.players):
        wanted = t.offers[other].wanted
        if other != seat and wanted and hand.goods[wanted - 1]:
            actions[count] = First.ACCEPT + other
            count += 1
    if t.offers[seat].wanted:
        actions[count] = First.WITHDRAW
        count += 1
    actions[count] = First.DONE
    return count + 1


@compiled
def _legal_offer(t, hand, seat, actions):
    """Goods may be laid out, and laid goods offered, while the seat has nothing else on offer."""
    count = 0
    if t.offers[seat].wanted or t.offered[seat] == MOST_OFFERS:
        return count
    laid = pile_size(hand.laid)
    for kind in range(KINDS):
        if laid < MOST_LAID and hand.laid[kind] < hand.goods[kind]:
            actions[count] = First.LAY + kind
            count += 1
    for kind in range(KINDS):
        if laid and not hand.laid[kind]:
            actions[count] = First.OFFER + kind
            count += 1
    return count


@compiled
def apply(s, seat, action):
    t = s.table
    if seat == CHANCE:
        _apply_deal(s, action - First.DEAL)
    elif action < First.OFFER:
        s.hand[seat].laid[action - First.LAY] += 1
    elif action < First.ACCEPT:
        _apply_offer(t, s.hand[seat], seat, action - First.OFFER)
    elif action < First.WITHDRAW:
        _apply_accept(s, seat, action - First.ACCEPT)
    else:
        _clear(s, seat)
        if action == First.DONE:
            t.gone |= 1 << seat
            _close_if_alone(s)


@compiled
def _apply_deal(s, kind):
    t = s.table
    seat = t.dealt % t.players
    s.box.goods[kind] -= 1
    s.hand[seat].goods[kind] += 1
    t.held[seat] += 1
    t.dealt += 1
    if t.dealt == DEALT * t.players:
        t.phase = Phase.TRADE


@compiled
def _apply_offer(t, hand, seat, kind):
    for laid in range(KINDS):
        t.offers[seat].goods[laid] = hand.laid[laid]
        hand.laid[laid] = 0
    t.offers[seat].wanted = kind + 1
    t.offered[seat] += 1


@compiled
def _apply_accept(s, seat, other):
    """Exchange the goods; both take back what they had laid out or on offer."""
    t = s.table
    offer = t.offers[other]
    for kind in range(KINDS):
        _give(s, other, seat, kind, offer.goods[kind])
    _give(s, seat, other, offer.wanted - 1, 1)
    t.accepted[seat] += 1
    _clear(s, seat)
    _clear(s, other)


@compiled
def _give(s, giver, taker, kind, count):
    t = s.table
    s.hand[giver].goods[kind] -= count
    s.hand[taker].goods[kind] += count
    t.held[giver] -= count
    t.held[taker] += count


@compiled
def _clear(s, seat):
    for kind in range(KINDS):
        s.table.offers[seat].goods[kind] = 0
        s.hand[seat].laid[kind] = 0
    s.table.offers[seat].wanted = 0


@compiled
def _close_if_alone(s):
    """With one seat left, trading ends: show all hands."""
    t = s.table
    left = 0
    for seat in range(t.players):
        left += 1 - (t.gone >> seat & 1)
    if left > 1:
        return
    t.phase = Phase.OVER
    for seat in range(t.players):
        _clear(s, seat)
        for kind in range(KINDS):
            t.shown[seat, kind] = s.hand[seat].goods[kind]


@compiled
def score(s, points, place):
    t = s.table
    for seat in range(t.players):
        points[seat] = 0
        for kind in range(KINDS):
            count = t.shown[seat, kind] if t.phase == Phase.OVER else s.hand[seat].goods[kind]
            points[seat] += count * count
    rank_seats(points, place, t.players)


@compiled
def redeal(s, seat, rng):
    """Deal what is neither in the own hand nor on offer at random over the other hands, by their sizes."""
    t = s.table
    for kind in range(KINDS):
        s.box.goods[kind] = t.players - s.hand[seat].goods[kind]
    for other in range(t.players):
        if other != seat:
            for kind in range(KINDS):
                s.hand[other].goods[kind] = t.offers[other].goods[kind]
                s.box.goods[kind] -= t.offers[other].goods[kind]
    for other in range(t.players):
        if other != seat:
            for _ in range(t.held[other] - pile_size(s.hand[other].goods)):
                s.hand[other].goods[draw_from(s.box.goods, rng)] += 1
            _lay_something(t, s.hand[other], other, rng)


@compiled
def _lay_something(t, hand, seat, rng):
    """Another seat may have laid a good out, unseen."""
    may = (
        t.phase == Phase.TRADE
        and not t.gone >> seat & 1
        and not t.offers[seat].wanted
        and t.offered[seat] < MOST_OFFERS
    )
    kind = random_below(rng, 2 * KINDS)
    if may and kind < KINDS and hand.goods[kind]:
        hand.laid[kind] = 1
