"""Worth of a hand, in sous: the prizes that it may still win. `R…` cites RULES.md beside this folder.

A hand is divided into sets: the best card of each kind in the first, the next ones in the second, and so on. The chance
that a set wins a duel follows exactly from the chances of its four boxes (R21). The chance of a box follows from the
number of cards of that kind that an opponent probably holds, of which they lay the best. Each further set counts less,
since it needs another duel. Any card makes a hand last longer, and a seat without a set at its duel wins no further
prizes.
"""

import numpy as np

from tavola.core import compiled, count_members, lowest_member
from tavola.games.tournament.cards import KIND_CARDS
from tavola.games.tournament.components import FEWEST, JOKER_SORT, KIND_COUNT, SEATS, TOP, TOP_VALUE
from tavola.games.tournament.duels import prize_of_round

SETS = np.array([1.0, 0.8, 0.6, 0.4])
"""Weight of a duel fought with a hand's first set, its second, and so on."""
WITHOUT = np.array([1.0, 0.25, 0.08, 0.03, 0.01])
"""Fraction of its worth that a hand keeps, by the number of kinds missing from its set; it can still barter for them.
"""
LATER_WITHOUT = np.array([1.0, 0.5, 0.25, 0.1, 0.0])
"""The same for later sets: beaten cards and purchases will fill some of them."""
CARD_WORTH = 1.1
"""Sous for any card, at the usual prize: about two more cards last for one more duel."""
JOKER_WORTH = 1.2
"""Additional sous for a joker: it replaces any missing kind."""
OUT_CARD_WORTH = 0.1
"""Sous for a card of a seat that is out."""
USUAL_PRIZE = 5.0
RIVALS = 3
"""Cards of a kind that an opponent may hold, at most, as far as chances depend on it."""
UNSEEN_VALUE = 0.35
"""Estimated value of an unseen card, as a fraction of the highest value."""


def _box_chances():
    """Return the chance that a value wins a box: by players, the opponent's number of cards of the kind, value."""
    chances = np.zeros((SEATS + 1, RIVALS + 1, TOP + 1))
    for players in range(FEWEST, SEATS + 1):
        top = int(TOP_VALUE[players])
        for rivals in range(1, RIVALS + 1):
            for value in range(1, top + 1):
                chances[players, rivals, value] = ((value - 0.5) / top) ** rivals
    return chances


BOX_CHANCES = _box_chances()


@compiled
def duel_chance(first, second, third, fourth):
    """Return the chance to win a duel from the chances of its boxes: three, or two and the judgement (R21)."""
    none, one, two = (1.0 - first) * (1.0 - second), first + second - 2.0 * first * second, first * second
    below, equal, above = (1.0 - third) * (1.0 - fourth), third + fourth - 2.0 * third * fourth, third * fourth
    return two * above + two * equal + one * above + 0.5 * (two * below + one * equal + none * above)


@compiled
def rivals_of(t, seat):
    """Return how many cards of a kind an opponent probably holds; at most a tenth of the cards are jokers."""
    held = 0
    for other in range(t.players):
        if other != seat:
            held += t.held[other]
    return min(max(np.int64(held / (4.4 * (t.players - 1)) + 0.5), 1), RIVALS)


@compiled
def worth(t, seat, cards, jokers):
    """Return the expected gain from the cards of a seat's hand, in sous."""
    count = count_members(cards) + jokers
    if t.out >> seat & 1:
        return OUT_CARD_WORTH * count
    scale = max(prize_of_round(t) / USUAL_PRIZE, OUT_CARD_WORTH)
    hoped = USUAL_PRIZE * _duels_hoped(t, rivals_of(t, seat), np.int64(cards), np.int64(jokers))
    kinds = 0
    for kind in range(KIND_COUNT):
        kinds += cards & KIND_CARDS[kind] != 0
    missing = max(KIND_COUNT - kinds - jokers, 0)
    return scale * WITHOUT[missing] * (hoped + CARD_WORTH * count + JOKER_WORTH * jokers)


@compiled
def _duels_hoped(t, rivals, cards, jokers):
    swords, shields, lances, armours = (
        cards & KIND_CARDS[0],
        cards >> TOP & KIND_CARDS[0],
        cards >> 2 * TOP & KIND_CARDS[0],
        cards >> 3 * TOP,
    )
    hoped = 0.0
    for k in range(len(SETS)):
        # int64, since NumPy adds two bools to True.
        filled = np.int64(swords != 0) + np.int64(shields != 0) + np.int64(lances != 0) + np.int64(armours != 0)
        if not filled:
            break
        missing = max(KIND_COUNT - filled - jokers, 0)
        jokers = max(jokers - KIND_COUNT + filled, 0)
        sword, shield, lance, armour = _highest(swords), _highest(shields), _highest(lances), _highest(armours)
        chances = BOX_CHANCES[t.players, rivals]
        hoped += (
            SETS[k]
            * (LATER_WITHOUT[missing] if k else 1.0)
            * duel_chance(chances[sword], chances[shield], chances[lance], chances[armour])
        )
        swords, shields, lances, armours = (
            _without_highest(swords, sword),
            _without_highest(shields, shield),
            _without_highest(lances, lance),
            _without_highest(armours, armour),
        )
    return hoped


@compiled
def _highest(values):
    """Return the highest value of a set of values; 0 if it is empty."""
    highest = 0
    for bit in (8, 4, 2, 1):
        if values >> bit:
            values >>= bit
            highest += bit
    return highest + np.int64(values != 0)


@compiled
def _without_highest(values, highest):
    return values & ~(1 << highest - 1) if highest else values


@compiled
def with_typical(t, cards, kind, count):
    """Return a hand with `count` more cards of a kind, of average value."""
    low = TOP * kind + np.int64(UNSEEN_VALUE * TOP_VALUE[t.players])
    for card in range(low, TOP * (kind + 1)):
        if count > 0 and not cards >> card & 1:
            cards |= 1 << card
            count -= 1
    return cards


@compiled
def worth_with(t, seat, cards, jokers, sort, more):
    if sort == JOKER_SORT:
        return worth(t, seat, cards, jokers + more)
    return worth(t, seat, with_typical(t, cards, sort, more), jokers)


@compiled
def lowest_of(cards, kind):
    return lowest_member(cards & KIND_CARDS[kind])
