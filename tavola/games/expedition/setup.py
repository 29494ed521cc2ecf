"""The preparations: dealing, public goals, mending of hands, tokens. Compiled."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import add_member, compiled, count_members, has_member, lowest_member, remove_member
from tavola.core.fields import WORD_BITS
from tavola.games.expedition.components import (
    CARDS_OF_FEW,
    CARDS_OF_MANY,
    FEW,
    GOAL_DISTANCE,
    TOKENS,
    TOKENS_IN_A,
    TOKENS_IN_B,
    First,
    Phase,
)
from tavola.games.expedition.deck import empty_goal, put_under, take_card
from tavola.games.expedition.network import DISTANCE, FAR_PLACES, PLACE_COUNT, START


@compiled
def apply_deal(s, place):
    """R7: one card each in turn, from the first seat on."""
    t = s.table
    take_card(s, place)
    _take_into_hand(s, t.dealt % t.players, place)
    t.dealt += 1
    if t.dealt == t.players * (CARDS_OF_FEW if t.players <= FEW else CARDS_OF_MANY):
        t.phase = Phase.REVEAL


@compiled
def _take_into_hand(s, seat, place):
    add_member(s.hand[seat].cards, place)
    s.table.explorers[seat].cards += 1


@compiled
def apply_reveal(s, place):
    """R8: six public goals at three segments or more; the others go under the deck."""
    t = s.table
    take_card(s, place)
    if DISTANCE[START, place + 1] >= GOAL_DISTANCE:
        t.goals[empty_goal(t)] = place + 1
    else:
        put_under(s, t, place)
    if not t.deck or empty_goal(t) < 0:
        mend_hands(s, 0)


@compiled
def apply_mend(s, place):
    """R9: take the card that replaces one that no token fits."""
    take_card(s, place)
    _take_into_hand(s, np.int64(s.table.seat), place)
    mend_hands(s, np.int64(s.table.seat))


@compiled
def mend_hands(s, seat):
    """R9: mend hands from `seat` on, until one needs a card, or all can place their tokens."""
    t = s.table
    while seat < t.players:
        if not t.variant_a and _count_fitting(t, s.hand[seat].cards) < TOKENS and _deck_has_fitting(s):
            place = _first_unfit(t, s.hand[seat].cards)
            remove_member(s.hand[seat].cards, place)
            t.explorers[seat].cards -= 1
            put_under(s, s.hand[seat], place)
            t.seat = seat
            t.phase = Phase.MEND
            return
        seat += 1
    t.seat = 0
    t.phase = Phase.TOKENS


@compiled
def is_far_enough(t, place):
    """R10: return whether a token can be this near to START."""
    return DISTANCE[START, place + 1] >= t.token_distance


@compiled
def _count_fitting(t, cards):
    count = 0
    for word in range(len(cards)):
        count += count_members(cards[word] & FAR_PLACES[t.token_distance, word])
    return count


@compiled
def _deck_has_fitting(s):
    t = s.table
    for k in range(t.beneath):
        if is_far_enough(t, s.box.under[k] - 1):
            return True
    return _count_fitting(t, s.box.cards) > 0


@compiled
def _first_unfit(t, cards):
    for place in range(PLACE_COUNT):
        if has_member(cards, place) and not is_far_enough(t, place):
            return place
    return -1


@compiled
def legal_token(s, seat, actions):
    """R11, R30, R32: on places of the seat's own cards; in variant B anywhere, for the previous seat."""
    t = s.table
    count = 0
    cards = s.hand[seat].cards
    for word in range(len(cards)):
        left = FAR_PLACES[t.token_distance, word]
        if not t.variant_b:
            left &= np.int64(cards[word])
        while left:
            place = WORD_BITS * word + lowest_member(left)
            actions[count] = First.TOKEN + place
            count += t.token[place] == 0
            left &= left - 1
    if count == 0 or (t.variant_a and not t.variant_b):
        actions[count] = First.DONE
        count += 1
    return count


@compiled
def apply_token(s, seat, action):
    """One token each in turn; a seat that has placed all its tokens, or passes, is skipped."""
    t = s.table
    owner = (seat + t.players - 1) % t.players if t.variant_b else seat
    if action == First.DONE:
        t.passed |= 1 << seat
    else:
        t.token[action - First.TOKEN] = owner + 1
        t.explorers[owner].tokens += 1
    most = TOKENS_IN_B if t.variant_b else TOKENS_IN_A if t.variant_a else TOKENS
    if t.explorers[owner].tokens == most:
        t.passed |= 1 << seat
    if np.int64(t.passed) == (1 << np.int64(t.players)) - 1:
        t.passed = 0
        t.seat = 0
        t.phase = Phase.TURN
        return
    t.seat = (seat + 1) % t.players
    while np.int64(t.passed) >> np.int64(t.seat) & 1:
        t.seat = (t.seat + 1) % t.players
