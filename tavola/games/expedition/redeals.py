"""Random full states that agree with a view: each arrangement of cards that fits public knowledge is equally likely.

Public knowledge (see `deck.py`): a card dealt is not one whose place was reached while no seat had it; a card from an
exchange is not one of a place missed after it. Secret choices are assumed: no seat gives away a card that it has a
token for, nor one from an exchange, while it has another. Cards that others put under the deck are redealt as unknown
to them: they can know less than in the real match, but never more.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import add_member, clear_record, compiled, has_member, random_below, remove_member
from tavola.games.expedition.components import GOALS, MOST_SWAPS, MOST_UNDER, SEATS, Phase
from tavola.games.expedition.deck import count_named, fill_cards
from tavola.games.expedition.network import PLACE_COUNT

DRAWN_SLOT, UNDER_SLOT = (
    SEATS,
    SEATS + 1,
)  # owners of slots that are not in a hand: drawn, or the first under the deck
ANY_CARD = MOST_SWAPS + 1  # a slot that can have any card
SWAPS_A_CARD = 6  # swaps tried for each card


@compiled
def redeal(s, seat, rng):
    """Fill the other hands and the deck at random, consistent with what `seat` sees."""
    if s.table.variant_b:
        return
    if not _try_deal(s, seat, rng, True):
        _try_deal(s, seat, rng, False)


@compiled
def _try_deal(s, seat, rng, tokens):
    """Deal; return whether it succeeded. It can fail only with `tokens`: owners of tokens then have their cards."""
    unknown = s.box.cards
    fill_cards(unknown)
    _remove_known(s, seat, unknown)
    whose, since = np.zeros(PLACE_COUNT, np.int64), np.full(PLACE_COUNT, ANY_CARD, np.int64)
    count = 0
    for other in range(s.table.players):
        if other != seat:
            clear_record(s.hand[other])
            count = _add_hand(s, other, unknown, tokens, whose, since, count)
    _sort_slots(whose, since, count)
    count = _add_others(s, seat, whose, since, count)
    pool = np.zeros(PLACE_COUNT, np.int64)
    size = _shuffle_into(unknown, pool, rng)
    dealt = _deal(s.table, pool, size, whose, since, count, rng)
    if dealt or not tokens:
        _swap_cards(s.table, pool, size, since, count, rng)
        _write_deal(s, unknown, pool, whose, count)
        return True
    return False


@compiled
def _remove_known(s, seat, unknown):
    t, hand = s.table, s.hand[seat]
    for place in range(PLACE_COUNT):
        if t.laid[place] or has_member(hand.cards, place):
            remove_member(unknown, place)
    for slot in range(GOALS):
        if t.goals[slot]:
            remove_member(unknown, t.goals[slot] - 1)
    for k in range(2):
        if hand.drawn[k]:
            remove_member(unknown, hand.drawn[k] - 1)
    for k in range(MOST_UNDER):
        s.box.under[k] = max(t.under[k], hand.under[k])
        if s.box.under[k]:
            remove_member(unknown, s.box.under[k] - 1)


# Slots: the owner of each, and in `since` the cards that fit. From 0 to ANY_CARD: a card missed at that exchange or
# before; below 0: one not missed before that exchange.


@compiled
def _add_hand(s, other, unknown, tokens, whose, since, count):
    """Deal the cards of the tokens and add a slot for each other card of a hand; return the new count of slots."""
    t, explorer = s.table, s.table.explorers[other]
    missing = np.int64(explorer.cards)
    for place in range(PLACE_COUNT):
        mine = tokens and missing and t.token[place] == other + 1 and not t.missed[place]
        if mine and has_member(unknown, place):
            remove_member(unknown, place)
            add_member(s.hand[other].cards, place)
            missing -= 1
    newest = count_named(explorer)
    for k in range(missing):
        whose[count] = other
        since[count] = explorer.newcomers[newest - 1 - k] if k < newest else 0
        count += 1
    return count


@compiled
def _sort_slots(whose, since, count):
    """Put the slots that the fewest cards fit first."""
    for k in range(1, count):
        place = k
        while place and since[place - 1] > since[place]:
            since[place - 1], since[place] = since[place], since[place - 1]
            whose[place - 1], whose[place] = whose[place], whose[place - 1]
            place -= 1


@compiled
def _add_others(s, seat, whose, since, count):
    t = s.table
    for k in range(t.beneath):
        if not s.box.under[k]:
            whose[count] = UNDER_SLOT + k
            since[count] = -np.int64(t.given[k]) if t.given[k] else ANY_CARD
            count += 1
    if t.seat != seat and t.phase in (Phase.DRAW, Phase.KEEP):
        for _ in range(_count_drawn(t)):
            whose[count] = DRAWN_SLOT
            since[count] = ANY_CARD
            count += 1
    return count


@compiled
def _count_drawn(t):
    """How many of the two cards of an exchange have been drawn: those that are nowhere else."""
    missing = PLACE_COUNT - np.int64(t.deck) - np.int64(t.beneath)
    for seat in range(t.players):
        missing -= t.explorers[seat].cards
    for place in range(PLACE_COUNT):
        missing -= t.laid[place] > 0
    for slot in range(GOALS):
        missing -= t.goals[slot] > 0
    return missing


@compiled
def _shuffle_into(unknown, pool, rng):
    count = 0
    for place in range(PLACE_COUNT):
        if has_member(unknown, place):
            pool[count] = place
            count += 1
    for k in range(count - 1, 0, -1):
        other = random_below(rng, k + 1)
        pool[k], pool[other] = pool[other], pool[k]
    return count


@compiled
def _may_lie(t, place, since):
    missed = np.int64(t.missed[place])
    if since < 0:
        return missed == 0 or missed > -since
    return missed <= since


@compiled
def _deal(t, pool, size, whose, since, count, rng):
    """Move a card that fits to each slot's place; return whether every slot of a hand got one."""
    for slot in range(count):
        if since[slot] == ANY_CARD:
            continue
        fit = 0
        for k in range(slot, size):
            fit += _may_lie(t, pool[k], since[slot])
        if fit:
            nth = random_below(rng, fit)
            k = slot
            while nth or not _may_lie(t, pool[k], since[slot]):
                nth -= _may_lie(t, pool[k], since[slot])
                k += 1
            pool[slot], pool[k] = pool[k], pool[slot]
        elif whose[slot] < SEATS:
            return False
    return True


@compiled
def _swap_cards(t, pool, size, since, count, rng):
    """Swap pairs of cards that fit each other's slots, often, so that each deal is equally likely.

    If no seat has given a card away, this holds already: a card that fits a slot fits all later ones.
    """
    least = np.int64(0)
    for slot in range(count):
        least = min(least, since[slot])
    if least == 0:
        return
    for _ in range(SWAPS_A_CARD * size):
        one, other = random_below(rng, size), random_below(rng, size)
        if _may_lie(t, pool[one], since[other]) and _may_lie(t, pool[other], since[one]):
            pool[one], pool[other] = pool[other], pool[one]


@compiled
def _write_deal(s, unknown, pool, whose, count):
    for slot in range(count):
        place = pool[slot]
        remove_member(unknown, place)
        if whose[slot] < SEATS:
            add_member(s.hand[whose[slot]].cards, place)
        elif whose[slot] == DRAWN_SLOT:
            drawn = s.hand[s.table.seat].drawn
            drawn[1 if drawn[0] else 0] = place + 1
        else:
            s.box.under[whose[slot] - UNDER_SLOT] = place + 1
