"""The rules of Expedition. `R…` cites the paragraphs of RULES.md in this folder."""

import numpy as np

from tavola.core import CHANCE, compiled, rank_seats
from tavola.games.expedition.arrows import add_arrows, add_arrows_of
from tavola.games.expedition.components import (
    ACTIONS,
    OPTIONS,
    VOUCHER_TIES,
    VOUCHERS,
    VOUCHERS_EACH,
    First,
    Phase,
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
    """R2, R3: vouchers for all seats, the cards shuffled; variant B has none (R32)."""
    t = s.table
    for seat in range(t.players):
        t.explorers[seat].vouchers = VOUCHERS_EACH
    t.bank = VOUCHERS - VOUCHERS_EACH * t.players
    if t.variant_b:
        t.phase = Phase.TOKENS
        return
    t.deck = PLACE_COUNT
    fill_cards(s.box.cards)
    t.phase = Phase.DEAL


@compiled
def to_act(s):
    phase = s.table.phase
    if phase in (Phase.TOKENS, Phase.TURN, Phase.EXTRA, Phase.LOOP, Phase.GREEN, Phase.KEEP):
        return 1 << np.int64(s.table.seat)
    return 0 if phase == Phase.OVER else 1 << CHANCE


@compiled
def legal(s, seat, actions, weights):
    t = s.table
    phase = t.phase
    if phase == Phase.TURN:
        return legal_turn(s, seat, actions)
    if phase == Phase.LOOP:
        return add_arrows_of(t, np.int64(t.due) - 1, actions, 0)
    if phase == Phase.CLAIM:
        actions[0] = First.CLAIM + 1 + holder(s, np.int64(t.arrived) - 1)
        weights[0] = 1
        return 1
    if phase in (Phase.EXTRA, Phase.GREEN):
        count = add_arrows(t, actions, 0)
        if phase == Phase.GREEN:
            actions[count] = First.DONE
            count += 1
        return count
    if phase == Phase.TOKENS:
        return legal_token(s, seat, actions)
    if phase == Phase.KEEP:
        return legal_keep(s.hand[seat], actions)
    return legal_draw(s, First.REVEAL if phase in (Phase.REVEAL, Phase.REFILL) else First.DEAL, actions, weights)


@compiled
def apply(s, seat, action):
    phase = s.table.phase
    if phase in (Phase.TURN, Phase.EXTRA, Phase.LOOP, Phase.GREEN):
        apply_turn(s, seat, action)
    elif phase == Phase.CLAIM:
        apply_claim(s, action - First.CLAIM - 1)
    elif phase == Phase.DEAL:
        apply_deal(s, action - First.DEAL)
    elif phase == Phase.TOKENS:
        apply_token(s, seat, action)
    elif phase == Phase.REFILL:
        apply_refill(s, action - First.REVEAL)
    elif phase == Phase.REVEAL:
        apply_reveal(s, action - First.REVEAL)
    elif phase == Phase.DRAW:
        apply_draw(s, action - First.DEAL)
    elif phase == Phase.KEEP:
        apply_keep(s, seat, action - First.KEEP)
    elif phase == Phase.MEND:
        apply_mend(s, action - First.DEAL)


@compiled
def score(s, points, place):
    """R35, R36: points, and the tie-break: in variant B the walks; with an option, the vouchers left."""
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
