"""Course of a turn: from phase to phase, seat to seat, round to round (R6). Compiled.

No step calls back into the one that begins a turn: each sets the next phase instead.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled, count_members, lowest_member
from tavola.games.fairies.components import (
    ALL_UP,
    CROWN,
    EVERY_PIECE,
    FAIRY_SHIELDS,
    GRID,
    HALF_COUNT,
    KING_COUNT,
    PIECES,
    SHIELDS,
    WAND_COUNT,
    Ending,
    First,
    Phase,
    Shield,
)
from tavola.games.fairies.wands import (
    add_use,
    add_wake,
    attack,
    attack_of_three,
    card_of,
    count_active,
    is_covered,
    is_usable,
    is_whole,
    lay_shield,
    lift_card,
    mana,
    mark_seen,
    note_king_card_taken,
    note_shield_shown,
    note_theft,
    place_piece,
    play_card,
    stars,
    sweep_covered,
    wake_fairy,
)


@compiled
def take_into_hand(s, seat, kind):
    s.hand[seat].wands[kind] += 1
    s.table.fairies[seat].wands += 1


@compiled
def begin_drawing(s, wanted):
    """R10, R11: set the number of cards to draw, `wanted` at most; if the deck is too small, shuffle the covered cards
    in.
    """
    t = s.table
    if t.deck < wanted:
        for seat in range(t.players):
            for half in range(HALF_COUNT):
                t.deck += sweep_covered(t.fairies[seat], half, s.box.deck)
    t.due = min(np.int64(t.deck), np.int64(wanted))


@compiled
def begin_turn(t):
    """Begin phase 1 of `t.seat`."""
    t.laid = 0
    t.used = 0
    t.energy = 0
    t.guarded &= ~(1 << np.int64(t.seat))  # R27: until the seat's next turn begins
    t.phase = Phase.EMPOWER


@compiled
def begin_energy(s):
    """R12: skipped if the seat has no awake fairy."""
    t = s.table
    t.spare = 0
    if t.fairies[t.seat].up:
        t.energy = 1
        t.phase = Phase.ENERGY
    else:
        begin_restoring(s)


@compiled
def spend_energy(t):
    """Spend an action of phase 2; phase 3 follows the last one."""
    t.energy -= 1
    t.victim = 0
    t.phase = Phase.ENERGY if t.energy else Phase.HEAL


@compiled
def begin_restoring(s):
    """R35: skipped if the seat has no covered fairy."""
    t = s.table
    t.energy = 0
    t.place = 0
    t.other = 0
    garden = t.fairies[t.seat]
    if is_covered(garden, 0) or is_covered(garden, 1) or is_covered(garden, 2):
        t.phase = Phase.RESTORE
    else:
        end_turn(s)


@compiled
def end_turn(s):
    """Go to the next seat, the next round, or the end."""
    t = s.table
    t.turns += 1
    t.seat = (t.seat + 1) % t.players
    if t.turns == t.players:
        if t.begun == t.rounds:
            score_end(s)
            return
        _next_round(t)
    begin_turn(t)


@compiled
def _next_round(t):
    """R6: with three or four players the first player passes to the left; R18: every seat can be covered again."""
    t.turns = 0
    t.begun += 1
    t.covered = 0
    if t.players > 2:
        t.first = (t.first + 1) % t.players
    t.seat = t.first


@compiled
def score_end(s):
    """R36 to R39."""
    t = s.table
    for seat in range(t.players):
        garden = t.fairies[seat]
        if t.ending != Ending.CROWNED or seat != t.ender:
            garden.points += mana(garden)
        owned = np.int64(garden.shields) | (np.int64(s.hand[seat].kings) & FAIRY_SHIELDS)
        garden.points -= 2 * count_members(owned)
    if t.ending != Ending.CROWNED:
        t.ending = Ending.ROUNDS
    t.phase = Phase.OVER


# Phase 2, energy: the powers of the fairies and the shields of that phase (R12 to R18)


SHIELD_COUNT = len(SHIELDS)


@compiled
def legal_energy(s, seat, actions):
    """R12: nothing, a power, or a shield."""
    # R22: the shield is only usable if an equal sum makes a power possible.
    equal = is_usable(s, seat, Shield.EQUAL) and add_powers(s, seat, 0, actions, 0) > 0
    actions[0] = First.DONE
    count = add_powers(s, seat, 1, actions, 1)
    if equal:
        actions[count] = First.USE + Shield.EQUAL
        count += 1
    count = add_use(s, seat, Shield.AGAIN, actions, count)
    count = add_use(s, seat, Shield.GUARD, actions, count)
    return add_wake(s, seat, actions, count)


@compiled
def add_powers(s, seat, more, actions, count):
    """R13, R17: add the powers for which the seat's own sum is greater by at least `more`."""
    t = s.table
    own = t.fairies[seat]
    green = blue = red = cover = np.int64(0)
    for victim in range(t.players):
        theirs = t.fairies[victim]
        both = own.up & theirs.up if victim != seat else 0
        if both & 1 and theirs.wands + theirs.kings > 0 and attack(own, 0) >= attack(theirs, 0) + more:
            green |= 1 << victim
        if both & 2 and own.wands and attack(own, 1) >= attack(theirs, 1) + more:
            blue |= 1 << victim
        if both & 4 and theirs.shields and attack(own, 2) >= attack(theirs, 2) + more:
            red |= np.int64(theirs.shields)
        if both == ALL_UP and _can_cover(t, seat, victim, more):
            cover |= 1 << victim
    count = _add_members(green, First.GREEN, actions, count)
    while blue:
        count = _add_tops(t.fairies[lowest_member(blue)], lowest_member(blue), actions, count)
        blue &= blue - 1
    count = _add_members(red, First.RED, actions, count)
    while cover:
        for fairy in range(3):
            actions[count] = First.COVER + lowest_member(cover) * 3 + fairy
            count += 1
        cover &= cover - 1
    return count


@compiled
def _add_members(mask, first, actions, count):
    while mask:
        actions[count] = first + lowest_member(mask)
        count += 1
        mask &= mask - 1
    return count


@compiled
def _can_cover(t, seat, victim, more):
    """R17, R18, R27: three awake fairies against three, once a round, and not against `guard`."""
    own, theirs = t.fairies[seat], t.fairies[victim]
    spared = (t.covered | t.guarded) >> victim & 1
    return (
        victim != seat and theirs.up == ALL_UP and not spared and attack_of_three(own) >= attack_of_three(theirs) + more
    )


@compiled
def _add_tops(garden, victim, actions, count):
    for half in range(HALF_COUNT):
        actions[count] = First.BLUE + victim * HALF_COUNT + half
        count += garden.halves[half].count > 0
    return count


@compiled
def apply_energy(s, seat, action):
    t = s.table
    if action == First.DONE:
        t.energy = 0
        t.phase = Phase.HEAL
    elif action >= First.WAKE:
        wake_fairy(s, seat, action - First.WAKE)
        spend_energy(t)
    elif action >= First.USE:
        _apply_shield(s, seat, action - First.USE)
    elif action >= First.COVER:
        victim = (action - First.COVER) // 3
        t.fairies[victim].up &= ~(1 << (action - First.COVER) % 3)
        t.covered |= 1 << victim
        spend_energy(t)
    elif action >= First.RED:
        _apply_red(s, seat, action - First.RED)
    elif action >= First.BLUE:
        _apply_blue(t, (action - First.BLUE) // HALF_COUNT, (action - First.BLUE) % HALF_COUNT)
    else:
        t.victim = action - First.GREEN
        t.phase = Phase.STEAL


@compiled
def _apply_shield(s, seat, shield):
    t = s.table
    lay_shield(s, seat, shield)
    if shield == Shield.EQUAL:
        t.phase = Phase.EQUAL
        return
    if shield == Shield.AGAIN:
        t.energy += 2  # R23: this action, then two more
    if shield == Shield.GUARD:
        t.guarded |= 1 << seat
    spend_energy(t)


@compiled
def legal_steal(hand, actions, weights):
    """R14: any card of the hand, each as likely as the others."""
    count = 0
    for kind in range(WAND_COUNT):
        if hand.wands[kind]:
            actions[count] = First.STEAL + kind
            weights[count] = hand.wands[kind]
            count += 1
    for treasure in range(SHIELD_COUNT + 1):
        if hand.kings >> treasure & 1:
            actions[count] = First.STEAL + WAND_COUNT + treasure
            weights[count] = 1
            count += 1
    return count


@compiled
def apply_steal(s, card):
    """R14: the card changes hands, and the victim draws."""
    t = s.table
    thief, victim = np.int64(t.seat), np.int64(t.victim)
    note_theft(s, thief, victim, card)
    if card < WAND_COUNT:
        s.hand[victim].wands[card] -= 1
        t.fairies[victim].wands -= 1
        take_into_hand(s, thief, card)
    else:
        bit = 1 << (card - WAND_COUNT)
        s.hand[victim].kings &= ~np.int64(bit)
        s.hand[thief].kings |= bit
        t.fairies[victim].kings -= 1
        t.fairies[thief].kings += 1
    begin_drawing(s, 1)
    if t.due:
        t.phase = Phase.REFILL
    else:
        spend_energy(t)


@compiled
def _apply_blue(t, victim, half):
    """R15: the card is set aside until another has been put down."""
    garden = t.fairies[victim]
    t.victim = victim
    t.whole = is_whole(garden, 0) | is_whole(garden, 1) << 1 | is_whole(garden, 2) << 2
    t.aside = lift_card(garden, half) + 1
    t.phase = Phase.EXCHANGE


@compiled
def apply_exchange(s, seat, action):
    """R15: another card is put down; then fairies wake or fall asleep."""
    t = s.table
    kind, owner, half = card_of(action)
    play_card(s, seat, kind, owner, half)
    take_into_hand(s, seat, t.aside - 1)
    garden = t.fairies[owner]
    for fairy in range(3):
        if not is_whole(garden, fairy):
            garden.up &= ~(1 << fairy)
        elif not t.whole >> fairy & 1:
            garden.up |= 1 << fairy
    t.aside = 0
    t.whole = 0
    spend_energy(t)


@compiled
def _apply_red(s, seat, shield):
    """R16."""
    t = s.table
    bit = 1 << shield
    for victim in range(t.players):
        if t.fairies[victim].shields & bit:
            t.fairies[victim].shields &= ~bit
            if shield == Shield.GUARD:
                t.guarded &= ~(1 << victim)  # R27: it protects while it is on its owner's table
    s.hand[seat].kings |= bit
    t.fairies[seat].kings += 1
    spend_energy(t)


# Phase 3, healing: King's cards are turned up one by one (R28 to R34)


@compiled
def legal_heal(s, seat, actions):
    """R28: nothing, a shield, or a King card to turn up; with the complete picture, healing or the King's shield."""
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
    """R28, R24: two awake fairies, or one with the shield `lone`."""
    count = count_active(t.fairies[seat])
    return count >= 2 or (count == 1 and t.used >> Shield.LONE & 1 != 0)


@compiled
def add_king_cards(t, first, actions, count):
    """Add every King card that is face down, except the one just looked at."""
    for place in range(GRID):
        actions[count] = first + place
        count += not t.healed >> place & 1 and place != t.other - 1
    return count


@compiled
def apply_heal(s, seat, action):
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
    """R29: a card that a player has looked at is already fixed; the others are equally likely."""
    place = s.table.place - 1
    weights[0] = 1
    if place >= 0 and s.box.grid[place]:
        actions[0] = First.KING + np.int64(s.box.grid[place]) - 1
        return 1
    count = 0
    for card in range(KING_COUNT):
        actions[count] = First.KING + card
        weights[count] = 1
        count += s.box.kings >> card & 1
    return count


@compiled
def apply_king(s, card):
    """Set the King card drawn by chance."""
    t = s.table
    seat = np.int64(t.seat)
    s.box.kings &= ~(1 << card)
    if not t.place:
        # R31: from the pile, which has only shields; it must be taken.
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
    """R29, R30: a piece of the picture is put in its place; the seat may take a shield."""
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
    """R30: a taken card is replaced from the pile; one that is left is turned face down again."""
    t = s.table
    place = t.place - 1
    if action == First.TAKE:
        card = np.int64(s.box.grid[place]) - 1
        s.box.grid[place] = 0
        note_king_card_taken(s, seat, place, 1 << (card - PIECES))
        _take_shield(s, seat, card)
    else:
        mark_seen(t, place, 1, 1)  # R42: all saw that it is a shield
    _score_healing(s, seat)


@compiled
def _take_shield(s, seat, card):
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
