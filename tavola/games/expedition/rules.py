"""The rules of Expedition. `R…` cites the paragraphs of RULES.md beside this file."""

import numpy as np

from tavola.core import CHANCE, compiled, rank_seats
from tavola.games.expedition.arrows import add_arrows, add_arrows_of
from tavola.games.expedition.components import (
    ACTIONS,
    CLAIM,
    CLAIMING,
    DEAL,
    DEALING,
    DONE,
    DRAW,
    EXTRA,
    GREEN,
    KEEP,
    KEEPING,
    LOOP,
    MEND,
    OPTIONS,
    OVER,
    PLACING,
    REFILL,
    REVEAL,
    REVEALING,
    TURN,
    VOUCHER_TIES,
    VOUCHERS,
    VOUCHERS_EACH,
    State,
)
from tavola.games.expedition.deck import fill_cards, holder, legal_draw
from tavola.games.expedition.network import PLACE_COUNT, SPOT_COUNT
from tavola.games.expedition.redeals import redeal
from tavola.games.expedition.setup import apply_deal, apply_mend, apply_reveal, apply_token, legal_token
from tavola.games.expedition.turns import (
    apply_claim,
    apply_draw,
    apply_keep,
    apply_refill,
    apply_turn,
    legal_keep,
    legal_turn,
)

__all__ = ["ACTIONS", "OPTIONS", "State", "apply", "legal", "redeal", "score", "start", "to_act"]

LONGEST_WALK = PLACE_COUNT * SPOT_COUNT


@compiled
def start(s):
    """R2, R3: vouchers for everybody, the cards shuffled; in variant B there are no cards (R32)."""
    t = s.table
    for seat in range(t.players):
        t.explorers[seat].vouchers = VOUCHERS_EACH
    t.bank = VOUCHERS - VOUCHERS_EACH * t.players
    if t.variant_b:
        t.phase = PLACING
        return
    t.deck = PLACE_COUNT
    fill_cards(s.box.cards)
    t.phase = DEAL


@compiled
def to_act(s):
    """Who owes a decision."""
    phase = s.table.phase
    if phase in (PLACING, TURN, EXTRA, LOOP, GREEN, KEEP):
        return 1 << np.int64(s.table.seat)
    return 0 if phase == OVER else 1 << CHANCE


@compiled
def legal(s, seat, actions, weights):
    """The legal actions of `seat`, ascending; chance's with their weights."""
    t = s.table
    phase = t.phase
    if phase == TURN:
        return legal_turn(s, seat, actions)
    if phase == LOOP:
        return add_arrows_of(t, np.int64(t.due) - 1, actions, 0)
    if phase == CLAIM:
        actions[0] = CLAIMING + 1 + holder(s, np.int64(t.arrived) - 1)
        weights[0] = 1
        return 1
    if phase in (EXTRA, GREEN):
        count = add_arrows(t, actions, 0)
        if phase == GREEN:
            actions[count] = DONE
            count += 1
        return count
    if phase == PLACING:
        return legal_token(s, seat, actions)
    if phase == KEEP:
        return legal_keep(s.hand[seat], actions)
    return legal_draw(s, REVEALING if phase in (REVEAL, REFILL) else DEALING, actions, weights)


@compiled
def apply(s, seat, action):
    """Play a legal action."""
    phase = s.table.phase
    if phase in (TURN, EXTRA, LOOP, GREEN):
        apply_turn(s, seat, action)
    elif phase == CLAIM:
        apply_claim(s, action - CLAIMING - 1)
    elif phase == DEAL:
        apply_deal(s, action - DEALING)
    elif phase == PLACING:
        apply_token(s, seat, action)
    elif phase == REFILL:
        apply_refill(s, action - REVEALING)
    elif phase == REVEAL:
        apply_reveal(s, action - REVEALING)
    elif phase == DRAW:
        apply_draw(s, action - DEALING)
    elif phase == KEEP:
        apply_keep(s, seat, action - KEEPING)
    elif phase == MEND:
        apply_mend(s, action - DEALING)


@compiled
def score(s, points, place):
    """R35, R36: points, and what breaks a tie: in variant B the walks, by an option the vouchers that are left."""
    t = s.table
    ties = LONGEST_WALK + 1 if t.variant_b else VOUCHERS + 1
    for seat in range(t.players):
        own = t.explorers[seat]
        tie = np.int64(0)
        if t.variant_b:
            tie = LONGEST_WALK - np.int64(own.walk)
            total = np.int64(own.collected)
        else:
            total = np.int64(own.own) + own.public + own.collected - own.cards - own.tokens
            tie = np.int64(own.vouchers) if t.ties == VOUCHER_TIES else np.int64(0)
        points[seat] = total * ties + tie
    rank_seats(points, place, t.players, ties)
