"""What a seat is sure of about cards it cannot see: notes in its own hand, as counts (R42). Compiled.

A note never says more than is certain. Where only the back of a card is seen to leave a hand, each note about a kind
with that back is lowered by one.

What everybody saw of a face-down King card is a mark on the table, which moves with the card.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

import numpy as np

from tavola.core import compiled
from tavola.games.fairies.components import WAND_COUNT

__all__ = [
    "mark_seen",
    "move_king_card",
    "note_king_card_taken",
    "note_shield_shown",
    "note_theft",
    "note_wand_lost",
    "note_wand_shown",
    "place_piece",
]


@compiled
def note_wand_shown(s, seat, kind):
    """Everybody sees a wand card leave the hand of `seat`."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[seat]
        if noter != seat and note.wands[kind]:
            note.wands[kind] -= 1


@compiled
def note_shield_shown(s, seat, bit):
    """Everybody sees a King card leave the hand of `seat`."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[seat]
        if noter != seat:
            note.kings &= ~np.int64(bit)


@compiled
def note_wand_lost(s, seat, thief):
    """The others see the back of a wand card leave the hand of `seat`; `thief` may be the seat itself."""
    for noter in range(s.table.players):
        if noter not in (seat, thief):
            note = s.hand[noter].known[seat]
            for kind in range(WAND_COUNT):
                if note.wands[kind]:
                    note.wands[kind] -= 1


@compiled
def note_theft(s, thief, victim, card):
    """A card (a wand's kind, or beyond them a King's) goes from hand to hand: the two see its face."""
    if card < WAND_COUNT:
        note_wand_lost(s, victim, thief)
        note = s.hand[thief].known[victim]
        if note.wands[card]:
            note.wands[card] -= 1
        s.hand[victim].known[thief].wands[card] += 1
        return
    bit = 1 << (card - WAND_COUNT)
    for noter in range(s.table.players):
        if noter not in (victim, thief):
            s.hand[noter].known[victim].kings = 0
    s.hand[thief].known[victim].kings &= ~np.int64(bit)
    s.hand[victim].known[thief].kings |= bit


@compiled
def mark_seen(t, place, looked, shielded):
    """Note what everybody knows of the card at a place from now on: that somebody looked at it, that it is a shield."""
    others = ~(1 << np.int64(place))
    t.looked = np.int64(t.looked) & others | looked << np.int64(place)
    t.shielded = np.int64(t.shielded) & others | shielded << np.int64(place)


@compiled
def note_king_card_taken(s, seat, place, bit):
    """A face-down King card goes into the hand of `seat`: who had looked at it knows where it is now."""
    for noter in range(s.table.players):
        if noter != seat and s.hand[noter].grid[place]:
            s.hand[noter].known[seat].kings |= bit
        s.hand[noter].grid[place] = 0
    mark_seen(s.table, place, 0, 0)


@compiled
def move_king_card(s, hole, place):
    """A face-down King card goes from its place into a hole, and what is known of it goes with it."""
    for noter in range(s.table.players):
        grid = s.hand[noter].grid
        grid[hole] = grid[place]
        grid[place] = 0
    s.box.grid[hole] = s.box.grid[place]
    s.box.grid[place] = 0
    t = s.table
    mark_seen(t, hole, np.int64(t.looked) >> place & 1, np.int64(t.shielded) >> place & 1)
    mark_seen(t, place, 0, 0)


@compiled
def place_piece(s, piece, place):
    """A piece of the picture lies open on its place; the card that lay there fills the hole, unless it is the same."""
    if piece != place:
        move_king_card(s, place, piece)
        return
    for noter in range(s.table.players):
        s.hand[noter].grid[place] = 0
    s.box.grid[place] = 0
    mark_seen(s.table, place, 0, 0)
