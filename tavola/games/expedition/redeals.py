"""A random full state that agrees with a view: what the seat is sure of first, then any card for any place.

Whose token lies on a place had its card when he placed it, and is dealt it as long as there is room in his hand. What
others have put under the deck is redealt as unknown to them: they may know less than they do, never more.
"""
# mypy: allow-untyped-defs, no-check-untyped-defs

import numpy as np

from tavola.core import below, compiled, holds, put_in, take_out
from tavola.games.expedition.components import DRAW, GOALS, KEEP, MOST_UNDER
from tavola.games.expedition.deck import every_card
from tavola.games.expedition.network import PLACE_COUNT

__all__ = ["redeal"]


@compiled
def redeal(s, seat, rng):
    """Fill the other hands and the deck at random, in agreement with what `seat` sees."""
    t = s.table
    if t.variant_b:
        return
    unknown = s.box.cards
    every_card(unknown)
    _known(s, seat, unknown)
    for other in range(t.players):
        if other != seat:
            _forget(s.hand[other])
            _deal_tokens(t, s.hand[other], other, unknown)
    pool = np.zeros(PLACE_COUNT, np.int64)
    left = _shuffled(unknown, pool, rng)
    for other in range(t.players):
        if other != seat:
            left = _fill(s, other, unknown, pool, left)
    for k in range(t.beneath):
        if not s.box.under[k]:
            left -= 1
            s.box.under[k] = pool[left] + 1
            take_out(unknown, pool[left])


@compiled
def _forget(hand):
    hand.cards[:] = 0
    hand.drawn[:] = 0
    hand.under[:] = 0


@compiled
def _known(s, seat, unknown):
    """Take out of the unknown cards whatever the seat sees: its own, those laid and public, those it knows beneath."""
    t, hand = s.table, s.hand[seat]
    for place in range(PLACE_COUNT):
        if t.laid[place] or holds(hand.cards, place):
            take_out(unknown, place)
    for slot in range(GOALS):
        if t.goals[slot]:
            take_out(unknown, t.goals[slot] - 1)
    for k in range(2):
        if hand.drawn[k]:
            take_out(unknown, hand.drawn[k] - 1)
    for k in range(MOST_UNDER):
        s.box.under[k] = max(t.under[k], hand.under[k])
        if s.box.under[k]:
            take_out(unknown, s.box.under[k] - 1)


@compiled
def _deal_tokens(t, hand, other, unknown):
    room = np.int64(t.explorers[other].cards)
    for place in range(PLACE_COUNT):
        if room and t.token[place] == other + 1 and holds(unknown, place):
            take_out(unknown, place)
            put_in(hand.cards, place)
            room -= 1


@compiled
def _shuffled(unknown, pool, rng):
    """Write the unknown cards into `pool` in any order; how many they are."""
    count = 0
    for place in range(PLACE_COUNT):
        if holds(unknown, place):
            pool[count] = place
            count += 1
    for k in range(count - 1, 0, -1):
        other = below(rng, k + 1)
        pool[k], pool[other] = pool[other], pool[k]
    return count


@compiled
def _fill(s, other, unknown, pool, left):
    """Deal a hand as many cards as it has; the cards that are left of the pool."""
    t, hand = s.table, s.hand[other]
    missing = np.int64(t.explorers[other].cards)
    for place in range(PLACE_COUNT):
        if holds(hand.cards, place):
            missing -= 1
    for _ in range(missing):
        left -= 1
        put_in(hand.cards, pool[left])
        take_out(unknown, pool[left])
    if other == t.seat and t.phase in (DRAW, KEEP):
        for k in range(_drawn(t)):
            left -= 1
            hand.drawn[k] = pool[left] + 1
            take_out(unknown, pool[left])
    return left


@compiled
def _drawn(t):
    """How many of the two cards of an exchange have been drawn: those that are nowhere else."""
    missing = PLACE_COUNT - np.int64(t.deck) - np.int64(t.beneath)
    for seat in range(t.players):
        missing -= t.explorers[seat].cards
    for place in range(PLACE_COUNT):
        missing -= t.laid[place] > 0
    for slot in range(GOALS):
        missing -= t.goals[slot] > 0
    return missing
