"""What a seat is sure of about the hands of others: notes in its own hand (R12). Compiled.

A note never says more than is certain: for each card that leaves a hand unseen, every note that it may have been goes.
"""
# mypy: allow-untyped-defs, no-check-untyped-defs

import numpy as np

from tavola.core import compiled
from tavola.games.tournament.cards import OF_KIND
from tavola.games.tournament.components import JOKER, JOKER_SORT, KIND_COUNT

__all__ = ["exchanged", "lost_of_sorts", "lost_unseen", "shown"]


@compiled
def shown(s, owner, card):
    """Everybody sees that this card is no longer in the hand of `owner`."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[owner]
        if card != JOKER:
            note.cards &= ~(1 << np.int64(card))
        elif note.jokers:
            note.jokers -= 1


@compiled
def lost_unseen(s, owner, partner, count):
    """The others see so many backs leave the hand of `owner`."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[owner]
        if noter != partner and count:
            note.cards = 0
            note.jokers = max(0, note.jokers - count)


@compiled
def lost_of_sorts(s, owner, partner, sorts):
    """The others hear which kinds leave the hand of `owner`, and how many of each."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[owner]
        if noter != partner:
            for kind in range(KIND_COUNT):
                if sorts[kind]:
                    note.cards &= ~OF_KIND[kind]
            note.jokers = max(0, note.jokers - sorts[JOKER_SORT])


@compiled
def exchanged(s, giver, taker, cards, jokers):
    """These cards go from hand to hand, and both partners see them."""
    gone = s.hand[taker].known[giver]
    gone.cards &= ~np.int64(cards)
    gone.jokers = max(0, gone.jokers - jokers)
    kept = s.hand[giver].known[taker]
    kept.cards |= cards
    kept.jokers += jokers
