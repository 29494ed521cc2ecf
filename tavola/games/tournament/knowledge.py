"""What a seat knows for certain about other hands: notes in its own hand (R12). Compiled.

A note contains only certainties: if a card leaves a hand unseen, every note that may be about it is removed.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled
from tavola.games.tournament.cards import KIND_CARDS
from tavola.games.tournament.components import JOKER, JOKER_SORT, KIND_COUNT


@compiled
def note_card_shown(s, owner, card):
    """Update the notes of all seats: this card has left the hand of `owner` visibly."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[owner]
        if card != JOKER:
            note.cards &= ~(1 << np.int64(card))
        elif note.jokers:
            note.jokers -= 1


@compiled
def note_cards_lost(s, owner, partner, count):
    """Update the notes of seats that see `count` backs leave the hand of `owner`."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[owner]
        if noter != partner and count:
            note.cards = 0
            note.jokers = max(0, note.jokers - count)


@compiled
def note_sorts_lost(s, owner, partner, sorts):
    """Update the notes of seats that learn the kinds that leave the hand of `owner`, and their numbers."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[owner]
        if noter != partner:
            for kind in range(KIND_COUNT):
                if sorts[kind]:
                    note.cards &= ~KIND_CARDS[kind]
            note.jokers = max(0, note.jokers - sorts[JOKER_SORT])


@compiled
def note_exchange(s, one, other, cards, jokers, back, back_jokers):
    """Note an exchange of cards, which both partners see: `cards` go to `other`, `back` to `one`.

    Cards that leave a hand are removed before cards that enter it are noted: after a joker for a joker, both are known.
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
