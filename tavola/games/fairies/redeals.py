"""A random full state that agrees with a view, any such state with the same chance (R42).

First what the seat is sure of; then the hands and the places that hold shields, of shields alone; then any card for any
place. Third seats' notes are redealt as none: they may know less than they do, never more.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled, count_members, random_below, random_member
from tavola.games.fairies.components import (
    COPIES,
    EVERY_KING,
    EVERY_PIECE,
    GRID,
    HALF_COUNT,
    KING_COUNT,
    PIECES,
    WAND_COUNT,
    Phase,
)

__all__ = ["redeal"]


@compiled
def redeal(s, seat, rng):
    """Fill the other hands, the deck and the King's cards at random, in agreement with what `seat` sees."""
    t = s.table
    for other in range(t.players):
        if other != seat:
            _forget(s.hand[other])
    _count_deck(s)
    _count_kings(s, seat)
    for other in range(t.players):
        if other != seat:
            _deal_known(s, seat, other)
    for other in range(t.players):
        if other != seat:
            _deal_rest(s, other, rng)
    _fix_looked_at(t, s.box, rng)
    _note_looked_at(s)


@compiled
def _forget(hand):
    for kind in range(WAND_COUNT):
        hand.wands[kind] = 0
    hand.kings = 0
    for place in range(GRID):
        hand.grid[place] = 0
    for other in range(len(hand.known)):
        hand.known[other].kings = 0
        for kind in range(WAND_COUNT):
            hand.known[other].wands[kind] = 0


@compiled
def _count_deck(s):
    """Every wand card that lies neither in front of somebody, nor aside, nor in a hand that is known."""
    t = s.table
    for kind in range(WAND_COUNT):
        s.box.deck[kind] = COPIES[kind]
        for player in range(t.players):
            s.box.deck[kind] -= s.hand[player].wands[kind]
    for player in range(t.players):
        for half in range(HALF_COUNT):
            cards = t.fairies[player].halves[half]
            for place in range(cards.count):
                s.box.deck[cards.cards[place]] -= 1
    if t.aside:
        s.box.deck[t.aside - 1] -= 1


@compiled
def _count_kings(s, seat):
    """The King's cards nobody can see, and those in the grid that `seat` has looked at."""
    t = s.table
    seen = np.int64(t.healed) | np.int64(s.hand[seat].kings) << PIECES
    if t.ending == 1:
        seen |= 1 << (KING_COUNT - 1)  # the King's shield lies on the picture
    for player in range(t.players):
        seen |= np.int64(t.fairies[player].shields) << PIECES
    for place in range(GRID):
        card = np.int64(s.hand[seat].grid[place])
        s.box.grid[place] = card
        if card:
            seen |= 1 << (card - 1)
    s.box.kings = EVERY_KING & ~seen


@compiled
def _deal_known(s, seat, other):
    note, hand = s.hand[seat].known[other], s.hand[other]
    for kind in range(WAND_COUNT):
        hand.wands[kind] = note.wands[kind]
        s.box.deck[kind] -= note.wands[kind]
    hand.kings = note.kings
    s.box.kings &= ~(np.int64(note.kings) << PIECES)


@compiled
def _fix_looked_at(t, box, rng):
    """Cards that somebody looked at are something: where everybody knows of a shield, one of those that are left."""
    shields = np.int64(t.shielded)
    if t.phase == Phase.CHOOSE:
        shields |= 1 << (np.int64(t.place) - 1)
    _fix_places(box, shields, EVERY_KING & ~EVERY_PIECE, rng)
    _fix_places(box, np.int64(t.looked), EVERY_KING, rng)


@compiled
def _fix_places(box, places, among, rng):
    for place in range(GRID):
        if places >> place & 1 and not box.grid[place]:
            card = random_member(np.int64(box.kings) & among, rng)
            box.kings &= ~(1 << card)
            box.grid[place] = card + 1


@compiled
def _note_looked_at(s):
    """A seat that is looking at cards knows them."""
    t = s.table
    grid = s.hand[np.int64(t.seat)].grid
    if t.phase in (Phase.CHOOSE, Phase.PICK):
        grid[t.place - 1] = s.box.grid[t.place - 1]
    if t.phase in (Phase.LOOK, Phase.GLIMPSE, Phase.PICK) and t.other:
        grid[t.other - 1] = s.box.grid[t.other - 1]


@compiled
def _deal_rest(s, other, rng):
    garden, hand = s.table.fairies[other], s.hand[other]
    wands = np.int64(garden.wands)
    cards = np.int64(0)
    for kind in range(WAND_COUNT):
        wands -= hand.wands[kind]
        cards += s.box.deck[kind]
    for _ in range(wands):
        kind = _kind_at(s.box.deck, random_below(rng, cards))
        s.box.deck[kind] -= 1
        hand.wands[kind] += 1
        cards -= 1
    for _ in range(garden.kings - count_members(hand.kings)):
        card = random_member(np.int64(s.box.kings) & ~EVERY_PIECE, rng)
        s.box.kings &= ~(1 << card)
        hand.kings |= 1 << (card - PIECES)


@compiled
def _kind_at(deck, left):
    """The kind of the card number `left` of a deck given as counts."""
    kind = 0
    while left >= deck[kind]:
        left -= deck[kind]
        kind += 1
    return kind
