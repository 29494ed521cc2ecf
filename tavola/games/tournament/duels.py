"""A duel: fight or forfeit, four boxes filled face down, all cards turned up, the judgement, the purchase. Compiled."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import clear_record, compiled, lowest_member
from tavola.games.tournament.cards import KIND_CARDS, has_spare_joker, legal_cards, put_card, take_card, value
from tavola.games.tournament.components import (
    ALL_SYMBOLS,
    CORNERS,
    FIRST_NONE,
    JOKER,
    KIND_COUNT,
    MOST_WRONG,
    SYMBOLS,
    THROWS,
    TOP,
    VALUES,
    First,
    Phase,
    Will,
)
from tavola.games.tournament.knowledge import note_card_shown

ENOUGH = 3  # points


@compiled
def duellists(t):
    return 1 << np.int64(t.duel.seats[0]) | 1 << np.int64(t.duel.seats[1])


@compiled
def side_of(t, seat):
    return int(t.duel.seats[1] == seat)


@compiled
def close_choice(t):
    """Return whether both have made their secret decision; if so, open the next one."""
    if t.duel.chosen != duellists(t):
        return False
    t.duel.chosen = 0
    return True


@compiled
def mark_chosen(t, seat):
    t.duel.chosen |= 1 << seat


@compiled
def begin_duel(t, first, second):
    clear_record(t.duel)
    t.duel.seats[0] = first
    t.duel.seats[1] = second


# The ballot


@compiled
def legal_ballot(actions):
    """R16: to fight or to forfeit."""
    actions[0] = First.FIGHT
    actions[1] = First.FORFEIT
    return 2


@compiled
def apply_ballot(s, seat, action):
    """R16: both decisions are revealed together; return whether the duel is over."""
    t = s.table
    s.hand[seat].will = Will.FIGHT if action == First.FIGHT else Will.FORFEIT
    mark_chosen(t, seat)
    if not close_choice(t):
        return False
    for side in range(2):
        duellist = t.duel.seats[side]
        t.duel.wills[side] = s.hand[duellist].will
        s.hand[duellist].will = 0
    t.phase = Phase.ARMING
    return decide_walkover(t)


@compiled
def decide_walkover(t):
    """R15 to R17: a seat that does not fight is out, and the other wins; return whether this decides the duel."""
    duel = t.duel
    for side in range(2):
        if duel.wills[side] != Will.FIGHT:
            t.out |= 1 << np.int64(duel.seats[side])
            if duel.wills[1 - side] == Will.FIGHT:
                _name_victor(t, duel.seats[1 - side])
    return duel.wills[0] != Will.FIGHT or duel.wills[1] != Will.FIGHT


@compiled
def prize_of_round(t):
    """R27: return the prize for a duel won in this round."""
    return max(t.prize + t.begun - 2, 0) if t.rising_prize else t.prize


@compiled
def pay_prize(t, victor):
    """R27: pay the victor from the bank."""
    t.purse[victor] += prize_of_round(t)
    t.prizes[victor] += prize_of_round(t)
    t.won[victor] += 1


@compiled
def _name_victor(t, victor):
    t.duel.victor = victor + 1
    t.duel.prize = prize_of_round(t)
    pay_prize(t, victor)


# The boxes


@compiled
def legal_arming(t, hand, actions):
    """R18: a card of the box's kind, or a joker that no later box needs."""
    box = np.int64(t.duel.box)
    first = First.EQUIP + VALUES * box
    count = 0
    if has_spare_joker(hand, box):
        actions[count] = first
        count += 1
    left = hand.cards & KIND_CARDS[box]
    while left:
        actions[count] = first + lowest_member(left) - TOP * box + 1
        count += 1
        left &= left - 1
    return count


@compiled
def apply_arming(s, seat, action):
    """R18: lay a card face down; after the last two, turn up all eight and return True."""
    t, hand = s.table, s.hand[seat]
    box, worth = (action - First.EQUIP) // VALUES, (action - First.EQUIP) % VALUES
    card = box * TOP + worth - 1 if worth else JOKER
    take_card(hand, card)
    hand.laid[box] = card + 1
    t.held[seat] -= 1
    mark_chosen(t, seat)
    if not close_choice(t):
        return False
    t.duel.box += 1
    if t.duel.box < KIND_COUNT:
        return False
    _turn_up(s)
    return True


@compiled
def _turn_up(s):
    """R19: all eight cards become public, and each box is scored."""
    t, duel = s.table, s.table.duel
    for side in range(2):
        duellist = np.int64(duel.seats[side])
        for box in range(KIND_COUNT):
            card = np.int64(s.hand[duellist].laid[box]) - 1
            s.hand[duellist].laid[box] = 0
            duel.boxes[side, box] = card + 1
            note_card_shown(s, duellist, card)
            if card != JOKER:
                t.discarded &= ~(1 << card)
    for box in range(KIND_COUNT):
        better = _box_winner(duel, box)
        if better >= 0:
            duel.points[better] += 1


@compiled
def _box_winner(duel, box):
    """R19, R20: return the side with the higher card in a box; -1 for two jokers."""
    first, second = value(duel.boxes[0, box] - 1), value(duel.boxes[1, box] - 1)
    return -1 if first == second else int(second > first)


@compiled
def winner(duel):
    """R21: return the seat that has three points or four; -1 if the judgement decides."""
    for side in range(2):
        if duel.points[side] >= ENOUGH:
            return np.int64(duel.seats[side])
    return np.int64(-1)


# Prize, cards, purchase


@compiled
def settle_duel(s, victor):
    """R26: pay the prize, move the cards and ask the first buyer; return whether there is one."""
    t, duel = s.table, s.table.duel
    _name_victor(t, victor)
    for box in range(KIND_COUNT):
        better = _box_winner(duel, box)
        if better >= 0:
            _to_pile(s, np.int64(duel.boxes[better, box] - 1))
            _to_hand(s, duel.seats[better], duel.boxes[1 - better, box] - 1)
        else:
            for side in range(2):  # R20: two jokers return to their hands
                _to_hand(s, duel.seats[side], JOKER)
    return ask_buyer(t)


@compiled
def _to_pile(s, card):
    """R28: put a winning card on the discard pile; it is never a joker."""
    put_card(s.box, card)
    s.table.pile += 1
    s.table.discarded |= 1 << card


@compiled
def _to_hand(s, seat, card):
    put_card(s.hand[seat], card)
    s.table.held[seat] += 1


@compiled
def ask_buyer(t):
    """R30: ask the victor, then the other, if they can pay and there is a card; return whether a seat is asked."""
    duel = t.duel
    victor = np.int64(duel.victor)
    loser = duel.seats[1 - side_of(t, victor - 1)] + 1
    while duel.buyer != loser:
        duel.buyer = loser if duel.buyer else victor
        if t.pile and t.purse[duel.buyer - 1] >= t.price:
            t.phase = Phase.PURCHASE
            return True
    duel.buyer = 0
    return False


@compiled
def legal_purchase(actions):
    """R30: to buy a draw from the pile, or not."""
    actions[0] = First.BUY
    actions[1] = First.PASS
    return 2


@compiled
def apply_purchase(t, seat, action):
    """R30: take the price of a draw; return whether the duel is over."""
    if action == First.BUY:
        t.purse[seat] -= t.price
        t.spent[seat] += t.price
        t.duel.bought |= 1 << seat
        t.phase = Phase.DRAW
        return False
    return not ask_buyer(t)


@compiled
def legal_draw(s, actions, weights):
    """R31: any card of the pile, equally likely."""
    return legal_cards(s.box.cards, First.DRAW, actions, weights)


@compiled
def apply_draw(s, card):
    """R31: move the card into the buyer's hand unseen; return whether the duel is over."""
    take_card(s.box, card)
    s.table.pile -= 1
    _to_hand(s, s.table.duel.buyer - 1, card)
    return not ask_buyer(s.table)


# The judgement of God: four tokens are thrown, and two knights point at a corner


@compiled
def begin_judgement(t):
    """R22: the thrower is the first seat not in the duel, clockwise after the first of the pair."""
    thrower = np.int64(t.duel.seats[0])
    while duellists(t) >> thrower & 1:
        thrower = (thrower + 1) % t.players
    t.duel.thrower = thrower + 1
    t.phase = Phase.THROW


@compiled
def legal_throw(actions, weights):
    """R22: four tokens with two faces each: sixteen outcomes, equally likely."""
    for outcome in range(THROWS):
        actions[outcome] = First.THROW + outcome
        weights[outcome] = 1
    return THROWS


@compiled
def apply_throw(t, outcome):
    """Set the tokens: token `k` shows its own symbol or the next one; then the dots."""
    duel = t.duel
    for k in range(len(SYMBOLS)):
        duel.tokens[k] = (k + (outcome >> (len(SYMBOLS) - k) & 1)) % len(SYMBOLS) + 1
    duel.dots = 1 + (outcome & 1)
    for side in range(2):
        duel.pointed[side] = 0
    t.phase = Phase.POINTING


@compiled
def right_corner(first, second, third, dots):
    """R23: return the right corner, 0 to 3 as in `CORNERS`, for three symbols (1 to 3) and one dot or two."""
    if first == second:
        single, double = third, first
    elif first == third:
        single, double = second, first
    elif second == third:
        single, double = first, second
    else:
        return ALL_SYMBOLS
    return (single if dots == 1 else double) - 1


@compiled
def legal_pointing(actions):
    """R24: any corner."""
    for corner in range(len(CORNERS)):
        actions[corner] = First.POINT + corner
    return len(CORNERS)


@compiled
def apply_pointing(s, seat, corner):
    """R24, R25: reveal both corners once both have pointed; return the only seat that was right, or -1."""
    t, duel = s.table, s.table.duel
    s.hand[seat].pointed = corner + 1
    mark_chosen(t, seat)
    if not close_choice(t):
        return np.int64(-1)
    right = right_corner(duel.tokens[0], duel.tokens[1], duel.tokens[2], duel.dots) + 1
    for side in range(2):
        duel.pointed[side] = s.hand[duel.seats[side]].pointed
        s.hand[duel.seats[side]].pointed = 0
    if (duel.pointed[0] == right) != (duel.pointed[1] == right):
        return np.int64(duel.seats[int(duel.pointed[1] == right)])
    duel.wrong += duel.pointed[0] != right
    t.phase = Phase.RACE if duel.pointed[0] == right or duel.wrong == MOST_WRONG else Phase.THROW
    return np.int64(-1)


@compiled
def legal_race(t, actions, weights):
    """R25: either seat was first, equally likely; a tie (weight 0) can only come from a room's clocks."""
    for side in range(2):
        actions[side] = First.FIRST + np.int64(t.duel.seats[side])
        weights[side] = 1
    actions[2], weights[2] = FIRST_NONE, 0
    return 2 if t.duel.wrong == MOST_WRONG else 3


@compiled
def apply_race(t, action):
    """R25: return the seat that was first; -1 for a tie, after which the tokens are thrown again."""
    if action == FIRST_NONE:
        t.phase = Phase.THROW
        return np.int64(-1)
    return np.int64(action - First.FIRST)
