"""Phase 2, energy: the powers of the fairies and the shields of that phase (R12 to R18). Compiled."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled
from tavola.games.fairies.cards import add_use, add_wake, is_usable, lay_shield, play_card, wake_fairy
from tavola.games.fairies.components import ALL_UP, HALF_COUNT, SHIELDS, WAND_COUNT, Fairy, First, Phase, Shield
from tavola.games.fairies.knowledge import note_theft
from tavola.games.fairies.turns import begin_drawing, spend_energy, take_into_hand
from tavola.games.fairies.wands import attack, attack_of_three, card_of, is_whole, lift_card

__all__ = ["add_powers", "apply_energy", "apply_exchange", "apply_steal", "legal_energy", "legal_steal"]

SHIELD_COUNT = len(SHIELDS)


@compiled
def legal_energy(s, seat, actions):
    """R12: nothing, a power, or a shield."""
    # R22: the shield is only usable where an equal sum is enough for something.
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
    """R13, R17: the powers that can be used where the own sum is greater by `more` at least."""
    t = s.table
    own = t.fairies[seat]
    for victim in range(t.players):
        garden = t.fairies[victim]
        if _can_use_power(t, seat, victim, Fairy.GREEN, more) and np.int64(garden.wands) + garden.kings > 0:
            actions[count] = First.GREEN + victim
            count += 1
    if own.wands:
        for victim in range(t.players):
            if _can_use_power(t, seat, victim, Fairy.BLUE, more):
                count = _add_tops(t.fairies[victim], victim, actions, count)
    count = _add_red(t, seat, more, actions, count)
    if own.up != ALL_UP:
        return count
    for victim in range(t.players):
        if _can_cover(t, seat, victim, more):
            for fairy in range(3):
                actions[count] = First.COVER + victim * 3 + fairy
                count += 1
    return count


@compiled
def _can_use_power(t, seat, victim, fairy, more):
    """R13: both fairies are active, and the own wand is stronger."""
    own, theirs = t.fairies[seat], t.fairies[victim]
    both = own.up & theirs.up
    return victim != seat and both >> fairy & 1 != 0 and attack(own, fairy) >= attack(theirs, fairy) + more


@compiled
def _can_cover(t, seat, victim, more):
    """R17, R18, R27: three active fairies against three, once a round, and not behind `guard`."""
    own, theirs = t.fairies[seat], t.fairies[victim]
    spared = (t.covered | t.guarded) >> victim & 1
    return (
        victim != seat and theirs.up == ALL_UP and not spared and attack_of_three(own) >= attack_of_three(theirs) + more
    )


@compiled
def _add_tops(garden, victim, actions, count):
    for half in range(HALF_COUNT):
        if garden.halves[half].count:
            actions[count] = First.BLUE + victim * HALF_COUNT + half
            count += 1
    return count


@compiled
def _add_red(t, seat, more, actions, count):
    for shield in range(SHIELD_COUNT):
        for victim in range(t.players):
            if t.fairies[victim].shields >> shield & 1 and _can_use_power(t, seat, victim, Fairy.RED, more):
                actions[count] = First.RED + shield
                count += 1
    return count


@compiled
def apply_energy(s, seat, action):
    """Play what was chosen in phase 2."""
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
    """R15: the card lies aside until another has been put down."""
    garden = t.fairies[victim]
    t.victim = victim
    t.whole = is_whole(garden, 0) | is_whole(garden, 1) << 1 | is_whole(garden, 2) << 2
    t.aside = lift_card(garden, half) + 1
    t.phase = Phase.EXCHANGE


@compiled
def apply_exchange(s, seat, action):
    """R15: another card is put down, and then faces are judged."""
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
                t.guarded &= ~(1 << victim)  # R27: it protects as long as it lies on his table
    s.hand[seat].kings |= bit
    t.fairies[seat].kings += 1
    spend_energy(t)
