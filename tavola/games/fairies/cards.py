"""Wand cards from a hand onto the wands (R8), and shields from a hand onto the table (R19). Compiled."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled
from tavola.games.fairies.components import COLOURED_COUNT, HALF_COUNT, JOKER_COUNT, SEATS, First, Shield
from tavola.games.fairies.knowledge import note_shield_shown, note_wand_shown
from tavola.games.fairies.turns import add_wakings
from tavola.games.fairies.wands import put_card

__all__ = ["add_cards", "add_use", "add_wake", "is_usable", "lay_shield", "play_card", "wake_fairy"]


@compiled
def add_cards(s, seat, owners, awake_only, actions, count):
    """R8: every wand card of the hand, on every half it fits in front of `owners`, a mask of seats."""
    t = s.table
    wands = s.hand[seat].wands
    for kind in range(COLOURED_COUNT):
        if wands[kind]:
            for owner in range(t.players):
                if owners >> owner & 1 and not (awake_only and not t.fairies[owner].up >> (kind // 8) & 1):
                    actions[count] = First.LAY + kind * SEATS + owner
                    count += 1
    for joker in range(JOKER_COUNT):
        if wands[COLOURED_COUNT + joker]:
            count = _add_joker(t, joker, owners, awake_only, actions, count)
    return count


@compiled
def _add_joker(t, joker, owners, awake_only, actions, count):
    for owner in range(t.players):
        if owners >> owner & 1:
            for half in range(HALF_COUNT):
                if not (awake_only and not t.fairies[owner].up >> (half // 2) & 1):
                    actions[count] = First.JOKER + (joker * SEATS + owner) * HALF_COUNT + half
                    count += 1
    return count


@compiled
def play_card(s, seat, kind, owner, half):
    """A wand card of the hand comes to lie on a half in front of `owner`: everybody sees it."""
    s.hand[seat].wands[kind] -= 1
    s.table.fairies[seat].wands -= 1
    note_wand_shown(s, seat, kind)
    put_card(s.table.fairies[owner], half, kind)


@compiled
def is_usable(s, seat, shield):
    """R19: owned, not used in this turn, and a fairy of the own is active."""
    garden = s.table.fairies[seat]
    owned = np.int64(s.hand[seat].kings) | np.int64(garden.shields)
    return garden.up != 0 and (owned & ~np.int64(s.table.used)) >> shield & 1 != 0


@compiled
def add_use(s, seat, shield, actions, count):
    """Add the use of a shield, where it is usable; the count of actions."""
    if not is_usable(s, seat, shield):
        return count
    actions[count] = First.USE + shield
    return count + 1


@compiled
def add_wake(s, seat, actions, count):
    """R26: one own covered fairy may be turned up at once."""
    if not is_usable(s, seat, Shield.WAKE):
        return count
    return add_wakings(s.table.fairies[seat], actions, count)


@compiled
def lay_shield(s, seat, shield):
    """A shield from the hand comes to lie on the table, where it stays."""
    bit = 1 << shield
    garden = s.table.fairies[seat]
    if s.hand[seat].kings & bit:
        s.hand[seat].kings &= ~np.int64(bit)
        garden.kings -= 1
        garden.shields |= bit
        note_shield_shown(s, seat, bit)
    s.table.used |= bit


@compiled
def wake_fairy(s, seat, fairy):
    """R26: use `wake`."""
    lay_shield(s, seat, Shield.WAKE)
    s.table.fairies[seat].up |= 1 << fairy
