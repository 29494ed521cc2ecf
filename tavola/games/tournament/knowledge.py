"""What a seat is sure of about the hands of others: notes in its own hand (R12). Compiled.

A note never says more than is certain: for each card that leaves a hand unseen, every note that it may have been goes.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled
from tavola.games.tournament.cards import KIND_CARDS
from tavola.games.tournament.components import JOKER, JOKER_SORT, KIND_COUNT


@compiled
def note_card_shown(s, owner, card):
    """Everybody sees that this card is no longer in the hand of `owner`."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[owner]
        if card != JOKER:
            note.cards &= ~(1 << np.int64(card))
        elif note.jokers:
            note.jokers -= 1


@compiled
def note_cards_lost(s, owner, partner, count):
    """The others see so many backs leave the hand of `owner`."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[owner]
        if noter != partner and count:
            note.cards = 0
            note.jokers = max(0, note.jokers - count)


@compiled
def note_sorts_lost(s, owner, partner, sorts):
    """The others hear which kinds leave the hand of `owner`, and how many of each."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[owner]
        if noter != partner:
            for kind in range(KIND_COUNT):
                if sorts[kind]:
                    note.cards &= ~KIND_CARDS[kind]
            note.jokers = max(0, note.jokers - sorts[JOKER_SORT])


@compiled
def note_exchange(s, one, other, cards, jokers, back, back_jokers):
    """Cards go to `other` and others come back at once, and both partners see them.

    All that leaves a hand comes off before what enters it is noted: who gives a joker for a joker is sure of it.
    """
    _remove_from_note(s.hand[one].known[other], back, back_jokers)
    _remove_from_note(s.hand[other].known[one], cards, jokers)
    _add_to_note(s.hand[one].known[other], cards, jokers)
    _add_to_note(s.hand[other].known[one], back, back_jokers)


@compiled
def _remove_from_note(note, cards, jokers):
    note.cards &= ~np.int64(cards)
    note.jokers = max(0, note.jokers - jokers)


@compiled
def _add_to_note(note, cards, jokers):
    note.cards |= cards
    note.jokers += jokers
