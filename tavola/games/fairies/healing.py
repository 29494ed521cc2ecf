"""Phase 3, healing: the King's cards are turned up one by one (R28 to R34). Compiled."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled, count_members
from tavola.games.fairies.cards import add_use, add_wake, lay_shield, wake_fairy
from tavola.games.fairies.components import CROWN, EVERY_PIECE, GRID, KING_COUNT, PIECES, Ending, First, Phase, Shield
from tavola.games.fairies.knowledge import mark_seen, note_king_card_taken, note_shield_shown, place_piece
from tavola.games.fairies.turns import begin_restoring
from tavola.games.fairies.wands import count_active, mana, stars

__all__ = [
    "add_king_cards",
    "apply_choose",
    "apply_heal",
    "apply_king",
    "legal_heal",
    "legal_king",
    "legal_pick",
    "turn_up",
]


@compiled
def legal_heal(s, seat, actions):
    """R28: nothing, a shield, a King card to turn up, and with the whole picture healing or its end."""
    t = s.table
    actions[0] = First.DONE
    count = 1
    may = _may_heal(t, seat)
    if count_active(t.fairies[seat]) == 1:
        count = add_use(s, seat, Shield.LONE, actions, count)
    if may and PIECES - count_members(t.healed) >= 2:
        count = add_use(s, seat, Shield.PEEK, actions, count)
    count = add_wake(s, seat, actions, count)
    if may and t.healed != EVERY_PIECE:
        return add_king_cards(t, First.TURN, actions, count)
    if may:
        actions[count] = First.HEAL
        count += 1
        if s.hand[seat].kings >> CROWN & 1 and count_active(t.fairies[seat]) >= 2:
            actions[count] = First.CROWN
            count += 1
    return count


@compiled
def _may_heal(t, seat):
    """R28, R24: two active fairies, or one with the shield `lone`."""
    count = count_active(t.fairies[seat])
    return count >= 2 or (count == 1 and t.used >> Shield.LONE & 1 != 0)


@compiled
def add_king_cards(t, first, actions, count):
    """Every King card that lies face down, but the one looked at just now."""
    for place in range(GRID):
        if not t.healed >> place & 1 and place != t.other - 1:
            actions[count] = first + place
            count += 1
    return count


@compiled
def apply_heal(s, seat, action):
    """Play what was chosen in phase 3."""
    t = s.table
    if action == First.DONE:
        begin_restoring(s)
    elif action == First.CROWN:
        _lay_crown(s, seat)
    elif action == First.HEAL:
        if t.pile:
            t.phase = Phase.REVEAL
        else:
            _score_healing(s, seat)  # R32: nothing is left to draw
    elif action >= First.TURN:
        t.place = action - First.TURN + 1
        t.phase = Phase.REVEAL
    elif action >= First.WAKE:
        wake_fairy(s, seat, action - First.WAKE)
    else:
        lay_shield(s, seat, action - First.USE)
        if action - First.USE == Shield.PEEK:
            t.phase = Phase.LOOK


@compiled
def legal_king(s, actions, weights):
    """R29: a card that somebody has looked at is what it is; of the others each is as likely."""
    place = s.table.place - 1
    weights[0] = 1
    if place >= 0 and s.box.grid[place]:
        actions[0] = First.KING + np.int64(s.box.grid[place]) - 1
        return 1
    count = 0
    for card in range(KING_COUNT):
        if s.box.kings >> card & 1:
            actions[count] = First.KING + card
            weights[count] = 1
            count += 1
    return count


@compiled
def apply_king(s, card):
    """Chance says which King card it is."""
    t = s.table
    seat = np.int64(t.seat)
    s.box.kings &= ~(1 << card)
    if not t.place:
        # R31: from the pile, where nothing but shields is left; it must be taken.
        _take_shield(s, seat, card)
        _score_healing(s, seat)
        return
    s.box.grid[t.place - 1] = card + 1
    s.hand[seat].grid[t.place - 1] = card + 1
    if t.phase == Phase.REVEAL:
        turn_up(s, seat, t.place - 1)
        return
    mark_seen(t, t.place - 1, 1, np.int64(t.shielded) >> (t.place - 1) & 1)  # R42
    if t.other:
        t.phase = Phase.PICK
    else:
        t.other = t.place
        t.place = 0
        t.phase = Phase.LOOK


@compiled
def legal_pick(t, actions):
    """R25: one of the two looked at."""
    one, two = np.int64(t.place), np.int64(t.other)
    actions[0] = First.TURN + min(one, two) - 1
    actions[1] = First.TURN + max(one, two) - 1
    return 2


@compiled
def turn_up(s, seat, place):
    """R29, R30: a piece of the picture goes to its place; a shield is the seat's to take."""
    t = s.table
    card = np.int64(s.box.grid[place]) - 1
    if card < PIECES:
        t.healed |= 1 << card
        place_piece(s, card, place)
        _score_healing(s, seat)
    else:
        t.place = place + 1
        t.other = 0
        t.phase = Phase.CHOOSE


@compiled
def apply_choose(s, seat, action):
    """R30: a card taken is replaced from the pile, one left goes back face down."""
    t = s.table
    place = t.place - 1
    if action == First.TAKE:
        card = np.int64(s.box.grid[place]) - 1
        s.box.grid[place] = 0
        note_king_card_taken(s, seat, place, 1 << (card - PIECES))
        _take_shield(s, seat, card)
    else:
        mark_seen(t, place, 1, 1)  # R42: everybody saw that it is a shield
    _score_healing(s, seat)


@compiled
def _take_shield(s, seat, card):
    """A shield comes into the hand, and the pile is one smaller."""
    t = s.table
    s.hand[seat].kings |= 1 << (card - PIECES)
    t.fairies[seat].kings += 1
    t.pile -= 1


@compiled
def _score_healing(s, seat):
    """R33."""
    t = s.table
    garden = t.fairies[seat]
    garden.healing += stars(garden)
    garden.points += stars(garden)
    begin_restoring(s)


@compiled
def _lay_crown(s, seat):
    """R34, R36: the King's shield on the whole picture; stars and tails count double."""
    t = s.table
    s.hand[seat].kings &= ~(1 << CROWN)
    note_shield_shown(s, seat, 1 << CROWN)
    garden = t.fairies[seat]
    garden.kings -= 1
    garden.crowned = 2 * mana(garden)
    garden.points += garden.crowned
    t.energy = 0
    t.ending = Ending.CROWNED
    t.ender = seat
    t.passed = 1 << seat
    t.phase = Phase.LAST_PLAYS
    t.seat = (seat + 1) % t.players
