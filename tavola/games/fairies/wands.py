"""Cards in front of a seat, notes about cards, and playing cards and shields from a hand. Compiled.

The three sums of the rulebook differ, and each has its function: `attack` and `attack_of_three` (phase 2), `stars`
(phase 3), `mana` (the end). `R…` cites RULES.md beside this file.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled, lowest_member
from tavola.games.fairies.components import (
    COLOURED_COUNT,
    HALF_COUNT,
    SEATS,
    STAR,
    TAIL,
    VALUE,
    WAND_COUNT,
    First,
    Shield,
)


@compiled
def shown_value(garden, half):
    """Return the visible value of a half; 0 if it has no card."""
    cards = garden.halves[half]
    return VALUE[cards.cards[cards.count - 1]] if cards.count else np.int64(0)


@compiled
def is_whole(garden, fairy):
    """R9: return whether a wand has both halves."""
    return garden.halves[2 * fairy + STAR].count > 0 and garden.halves[2 * fairy + TAIL].count > 0


@compiled
def count_active(garden):
    up = np.int64(garden.up)
    return (up & 1) + (up >> 1 & 1) + (up >> 2 & 1)


@compiled
def is_covered(garden, fairy):
    """R18: a fairy is covered if she is face down with a complete wand."""
    return not garden.up >> fairy & 1 and is_whole(garden, fairy)


@compiled
def attack(garden, fairy):
    """R13: star and tail of one fairy."""
    return shown_value(garden, 2 * fairy + STAR) + shown_value(garden, 2 * fairy + TAIL)


@compiled
def attack_of_three(garden):
    """R17: the six cards of the three wands."""
    return attack(garden, 0) + attack(garden, 1) + attack(garden, 2)


@compiled
def stars(garden):
    """R33: the stars of the awake fairies, the points for healing."""
    total = np.int64(0)
    for fairy in range(3):
        if garden.up >> fairy & 1:
            total += shown_value(garden, 2 * fairy + STAR)
    return total


@compiled
def mana(garden):
    """R36: stars and tails of the awake fairies, the points at the end."""
    total = np.int64(0)
    for fairy in range(3):
        if garden.up >> fairy & 1:
            total += attack(garden, fairy)
    return total


@compiled
def put_card(garden, half, kind):
    """R8: a card covers the one below it on its half."""
    cards = garden.halves[half]
    cards.cards[cards.count] = kind
    cards.count += 1


@compiled
def lift_card(garden, half):
    """R15: take the visible card off a half and return its kind."""
    cards = garden.halves[half]
    cards.count -= 1
    kind = np.int64(cards.cards[cards.count])
    cards.cards[cards.count] = 0
    return kind


@compiled
def sweep_covered(garden, half, deck):
    """R11: move the covered cards of a half into the deck (counts by kind); return their number."""
    cards = garden.halves[half]
    under = np.int64(cards.count) - 1
    if under <= 0:
        return np.int64(0)
    for place in range(under):
        deck[cards.cards[place]] += 1
    cards.cards[0] = cards.cards[under]
    for place in range(1, under + 1):
        cards.cards[place] = 0
    cards.count = 1
    return under


@compiled
def card_of(action):
    """Return the kind of card, the seat and the half of a `lay` or `joker`."""
    if action < First.JOKER:
        kind = (action - First.LAY) // SEATS
        return kind, (action - First.LAY) % SEATS, kind // 4
    code = action - First.JOKER
    return COLOURED_COUNT + code // (SEATS * HALF_COUNT), code // HALF_COUNT % SEATS, code % HALF_COUNT


# Notes: what a seat is sure of, as counts in its own hand (R42). They contain only certainties: if only the back of a
# card is seen leaving a hand, each note about a kind with that back is lowered by one. Public knowledge about a
# face-down King card is a mark on the table, which moves with the card.


@compiled
def note_wand_shown(s, seat, kind):
    """Update the notes of seats that see a wand card leave the hand of `seat`."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[seat]
        if noter != seat and note.wands[kind]:
            note.wands[kind] -= 1


@compiled
def note_shield_shown(s, seat, bit):
    """Update the notes of seats that see a King card leave the hand of `seat`."""
    for noter in range(s.table.players):
        note = s.hand[noter].known[seat]
        if noter != seat:
            note.kings &= ~np.int64(bit)


@compiled
def note_wand_lost(s, seat, thief):
    """Update the notes of seats that see only the back of a wand card leave the hand of `seat`.

    `thief` sees its face; it may be `seat` itself.
    """
    for noter in range(s.table.players):
        if noter not in (seat, thief):
            note = s.hand[noter].known[seat]
            for kind in range(WAND_COUNT):
                if note.wands[kind]:
                    note.wands[kind] -= 1


@compiled
def note_theft(s, thief, victim, card):
    """Note a stolen card (a wand's kind, or beyond them a King card): thief and victim see its face."""
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
    """Set public knowledge about the card at a place: that a player looked at it, that it is a shield."""
    others = ~(1 << np.int64(place))
    t.looked = np.int64(t.looked) & others | looked << np.int64(place)
    t.shielded = np.int64(t.shielded) & others | shielded << np.int64(place)


@compiled
def note_king_card_taken(s, seat, place, bit):
    """Note that `seat` takes a face-down King card: seats that had looked at it know where it is now."""
    for noter in range(s.table.players):
        if noter != seat and s.hand[noter].grid[place]:
            s.hand[noter].known[seat].kings |= bit
        s.hand[noter].grid[place] = 0
    mark_seen(s.table, place, 0, 0)


@compiled
def move_king_card(s, hole, place):
    """Move a face-down King card from its place into a hole, with all knowledge of it."""
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
    """Put a piece of the picture face up in its place; another card that was there fills the hole."""
    if piece != place:
        move_king_card(s, place, piece)
        return
    for noter in range(s.table.players):
        s.hand[noter].grid[place] = 0
    s.box.grid[place] = 0
    mark_seen(s.table, place, 0, 0)


# Wand cards from a hand onto the wands (R8), and shields from a hand onto the table (R19)


@compiled
def kinds_in(wands):
    """Return the kinds of which a hand has a card, as a set."""
    found = np.int64(0)
    for kind in range(WAND_COUNT):
        found |= np.int64(wands[kind] > 0) << kind
    return found


@compiled
def _owners_awake(t, owners, fairy):
    awake = np.int64(0)
    for owner in range(SEATS):
        awake |= (np.int64(t.fairies[owner].up) >> fairy & 1) << owner
    return awake & owners


@compiled
def add_cards(s, seat, owners, awake_only, actions, count):
    """R8: add each wand card of the hand on every half it fits in front of `owners`, a mask of seats."""
    t = s.table
    left = kinds_in(s.hand[seat].wands)
    while left & ((1 << COLOURED_COUNT) - 1):
        kind = lowest_member(left)
        left &= left - 1
        fitting = _owners_awake(t, owners, kind // 8) if awake_only else owners
        for owner in range(SEATS):
            actions[count] = First.LAY + kind * SEATS + owner
            count += fitting >> owner & 1
    while left:
        joker = lowest_member(left) - COLOURED_COUNT
        left &= left - 1
        count = _add_joker(t, joker, owners, awake_only, actions, count)
    return count


@compiled
def _add_joker(t, joker, owners, awake_only, actions, count):
    for owner in range(SEATS):
        if owners >> owner & 1:
            first = First.JOKER + (joker * SEATS + owner) * HALF_COUNT
            up = np.int64(t.fairies[owner].up) if awake_only else np.int64(7)
            for half in range(HALF_COUNT):
                actions[count] = first + half
                count += up >> half // 2 & 1
    return count


@compiled
def play_card(s, seat, kind, owner, half):
    """Play a wand card from the hand, visibly, on a half in front of `owner`."""
    s.hand[seat].wands[kind] -= 1
    s.table.fairies[seat].wands -= 1
    note_wand_shown(s, seat, kind)
    put_card(s.table.fairies[owner], half, kind)


@compiled
def is_usable(s, seat, shield):
    """R19: owned, not used in this turn, and the seat has an awake fairy."""
    garden = s.table.fairies[seat]
    owned = np.int64(s.hand[seat].kings) | np.int64(garden.shields)
    return garden.up != 0 and (owned & ~np.int64(s.table.used)) >> shield & 1 != 0


@compiled
def add_use(s, seat, shield, actions, count):
    """Add the use of a shield if it is usable; return the count of actions."""
    if not is_usable(s, seat, shield):
        return count
    actions[count] = First.USE + shield
    return count + 1


@compiled
def add_wakings(garden, actions, count):
    """Add the waking of every covered fairy; return the count of actions."""
    for fairy in range(3):
        if is_covered(garden, fairy):
            actions[count] = First.WAKE + fairy
            count += 1
    return count


@compiled
def add_wake(s, seat, actions, count):
    """R26: one covered fairy of the seat may be turned up at once."""
    if not is_usable(s, seat, Shield.WAKE):
        return count
    return add_wakings(s.table.fairies[seat], actions, count)


@compiled
def lay_shield(s, seat, shield):
    """Use a shield: one in hand is put on the table, where it stays."""
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
