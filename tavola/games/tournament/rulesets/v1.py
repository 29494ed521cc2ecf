"""Version 1: a seat that gave a joker for a joker had no note of it (R12, F9). Compiled.

The two directions of an exchange were noted in turn, so cards left a hand after others had entered it.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import Ruleset, compiled


@compiled
def note_exchange(s, one, other, cards, jokers, back, back_jokers):
    """Note an exchange of cards, one direction after the other."""
    _note_way(s, one, other, cards, jokers)
    _note_way(s, other, one, back, back_jokers)


@compiled
def _note_way(s, giver, taker, cards, jokers):
    gone = s.hand[taker].known[giver]
    gone.cards &= ~np.int64(cards)
    gone.jokers = max(0, gone.jokers - jokers)
    kept = s.hand[giver].known[taker]
    kept.cards |= cards
    kept.jokers += jokers


RULESET = Ruleset(__file__, {"knowledge.note_exchange": note_exchange})
