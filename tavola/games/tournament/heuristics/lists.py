"""How good the actions of a duel look: what is laid on the boxes, pointed at, and bought."""

import numpy as np

from tavola.core import compiled
from tavola.games.tournament.cards import KIND_CARDS, has_set
from tavola.games.tournament.components import TOP, VALUES, First
from tavola.games.tournament.heuristics.worth import worth
from tavola.games.tournament.judgement import right_corner

POOR = 0.01
LOWEST_CARD_PRIOR = 0.6
"""How good the lowest card looks, where the highest is 1."""
KEPT_SOUS = 0.8
"""How good a card of the pile looks to who is whole, beside keeping his sous."""


@compiled
def duel_prior(t, hand, seat, action):
    if action == First.FORFEIT:
        return POOR
    if First.EQUIP <= action < First.POINT:
        return _laid_prior(hand, (action - First.EQUIP) // VALUES, (action - First.EQUIP) % VALUES)
    if First.POINT <= action < First.BUY:
        duel = t.duel
        right = right_corner(duel.tokens[0], duel.tokens[1], duel.tokens[2], duel.dots)
        return 1.0 if action - First.POINT == right else POOR
    return _purchase_prior(t, hand, seat) if action == First.BUY else 1.0


@compiled
def _purchase_prior(t, hand, seat):
    """A card of the pile, as far as the seat knows what lies there, beside the price: above 1 it is worth it (R30).

    Who is whole rather keeps his sous: where all buy, hands never shrink, and matches last for ever.
    """
    if has_set(hand):
        return KEPT_SOUS
    cards, jokers = np.int64(hand.cards), np.int64(hand.jokers)
    now, gained, count = worth(t, seat, cards, jokers), 0.0, 0
    left = np.int64(t.discarded) & ~cards
    while left:
        gained += worth(t, seat, cards | (left & -left), jokers) - now
        left &= left - 1
        count += 1
    return max(POOR, min(1.0 + gained / count - t.price, 3.0)) if count else POOR


@compiled
def _laid_prior(hand, box, worth):
    """The highest card is laid to win, the lowest or a joker to be lost without regret."""
    cards = np.int64(hand.cards) & KIND_CARDS[box]
    if not worth:
        return LOWEST_CARD_PRIOR
    card = 1 << (TOP * box + worth - 1)
    if not cards & ~((card << 1) - 1):
        return 1.0
    return LOWEST_CARD_PRIOR / 4.0 if cards & (card - 1) or hand.jokers else LOWEST_CARD_PRIOR
