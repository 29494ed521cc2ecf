"""What lies in front of a seat and who knows of it; cards and shields that are played from a hand. Compiled.

The three sums of the rulebook differ, and each has its function: `attack` and `attack_of_three` (phase 2), `stars`
(phase 3), `mana` (the end). `R…` cites RULES.md beside this file.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled
from tavola.games.fairies.components import (
    COLOURED_COUNT,
    HALF_COUNT,
    JOKER_COUNT,
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
    """The value of the card that is seen on a half; 0 where there is none."""
    cards = garden.halves[half]
    return VALUE[cards.cards[cards.count - 1]] if cards.count else np.int64(0)


@compiled
def is_whole(garden, fairy):
    """R9: whether a wand has both its halves."""
    return garden.halves[2 * fairy + STAR].count > 0 and garden.halves[2 * fairy + TAIL].count > 0


@compiled
def count_active(garden):
    """Count the fairies that are face up."""
    up = np.int64(garden.up)
    return (up & 1) + (up >> 1 & 1) + (up >> 2 & 1)


@compiled
def is_covered(garden, fairy):
    """R18: covered is a fairy face down with a whole wand."""
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
    """R33: the stars of the active fairies, what healing is worth."""
    total = np.int64(0)
    for fairy in range(3):
        if garden.up >> fairy & 1:
            total += shown_value(garden, 2 * fairy + STAR)
    return total


@compiled
def mana(garden):
    """R36: stars and tails of the active fairies, what counts at the end."""
    total = np.int64(0)
    for fairy in range(3):
        if garden.up >> fairy & 1:
            total += attack(garden, fairy)
    return total


@compiled
def put_card(garden, half, kind):
    """R8: a card covers what lies on its half."""
    cards = garden.halves[half]
    cards.cards[cards.count] = kind
    cards.count += 1


@compiled
def lift_card(garden, half):
    """R15: take the card that is seen off a half; its kind."""
    cards = garden.halves[half]
    cards.count -= 1
    kind = np.int64(cards.cards[cards.count])
    cards.cards[cards.count] = 0
    return kind


@compiled
def sweep_covered(garden, half, deck):
    """R11: the covered cards of a half go into the deck (counts by kind); how many they were."""
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
    """The kind of card, the seat and the half that `lay` and `joker` name."""
    if action < First.JOKER:
        kind = (action - First.LAY) // SEATS
        return kind, (action - First.LAY) % SEATS, kind // 4
    code = action - First.JOKER
    return COLOURED_COUNT + code // (SEATS * HALF_COUNT), code // HALF_COUNT % SEATS, code % HALF_COUNT


# Notes: what a seat is sure of, as counts in its own hand (R42). None says more than is certain: where only the
# back of a card is seen to leave a hand, each note about a kind with that back is lowered by one. What everybody saw
# of a face-down King card is a mark on the table, which moves with the card.


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


# Wand cards from a hand onto the wands (R8), and shields from a hand onto the table (R19)


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
def add_wakings(garden, actions, count):
    """Add the waking of every covered fairy; the count of actions."""
    for fairy in range(3):
        if is_covered(garden, fairy):
            actions[count] = First.WAKE + fairy
            count += 1
    return count


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
