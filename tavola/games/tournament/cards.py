"""Cards of a hand, a pile or a note: a set of valued cards and a number of jokers. Compiled."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

import numpy as np

from tavola.core import compiled, lowest_member
from tavola.games.tournament.components import (
    CARD_COUNT,
    EVERY_VALUE,
    JOKER,
    KIND_COUNT,
    MOST_CARDS,
    TOP,
    TOP_VALUE,
    VALUED_COUNT,
)

KIND_CARDS = np.array([EVERY_VALUE << TOP * kind for kind in range(KIND_COUNT)], np.int64)
ANSWERING_CARDS = np.array(
    [(EVERY_VALUE >> card % TOP << card % TOP) << TOP * (card // TOP) for card in range(VALUED_COUNT)] + [0], np.int64
)
"""For each card, the set of cards that answer a request for it: itself and the higher ones of its kind (R9)."""


@compiled
def value(card):
    """Return the value of a card; 0 for a joker (R3)."""
    return 0 if card == JOKER else card % TOP + 1


@compiled
def deck(players):
    """Return the valued cards of a match, as a set (R3)."""
    return deck_of(TOP_VALUE[players])


@compiled
def deck_of(top):
    """Return the cards of all kinds up to a value, as a set."""
    cards = np.int64(0)
    for kind in range(KIND_COUNT):
        cards |= ((1 << np.int64(top)) - 1) << TOP * kind
    return cards


@compiled
def put_card(hand, card):
    if card == JOKER:
        hand.jokers += 1
    else:
        hand.cards |= 1 << np.int64(card)


@compiled
def take_card(hand, card):
    if card == JOKER:
        hand.jokers -= 1
    else:
        hand.cards &= ~(1 << np.int64(card))


@compiled
def count_missing_kinds(cards):
    lacking = 0
    for kind in range(KIND_COUNT):
        lacking += not cards & KIND_CARDS[kind]
    return lacking


@compiled
def has_set(hand):
    """R4: one card for each box, jokers for the missing ones."""
    return count_missing_kinds(hand.cards) <= hand.jokers


@compiled
def has_spare_joker(hand, box):
    """R18: whether a joker can be laid on a box, because no later box needs it."""
    earlier = (1 << TOP * (np.int64(box) + 1)) - 1
    return hand.jokers > count_missing_kinds(hand.cards | earlier)


@compiled
def card_set(cards):
    """Return the valued ones of listed cards (0 for none, otherwise the card's number + 1), as a set."""
    found = np.int64(0)
    for k in range(MOST_CARDS):
        if 0 < cards[k] < CARD_COUNT:
            found |= 1 << np.int64(cards[k] - 1)
    return found


@compiled
def jokers_in(cards):
    count = 0
    for k in range(MOST_CARDS):
        count += cards[k] == CARD_COUNT
    return count


@compiled
def answer_request(cards, asked):
    """R9: return the cards among `cards` that answer the request `asked`, -1 if any is missing; jokers are ignored.

    The highest request is served first, by the lowest card that answers it.
    """
    left = np.int64(cards)
    for k in range(MOST_CARDS - 1, -1, -1):
        if 0 < asked[k] < CARD_COUNT:
            fitting = left & ANSWERING_CARDS[asked[k] - 1]
            if not fitting:
                return np.int64(-1)
            left &= ~(fitting & -fitting)
    return np.int64(cards) & ~left


@compiled
def legal_cards(cards, first, actions, weights):
    """List the draws of chance from a set of valued cards, equally likely; `first` is the action of the first card."""
    left = np.int64(cards)
    count = 0
    while left:
        actions[count] = first + lowest_member(left)
        weights[count] = 1
        count += 1
        left &= left - 1
    return count
