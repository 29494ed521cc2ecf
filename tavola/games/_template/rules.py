"""The rules of Template. `R…` cites the paragraphs of RULES.md in this folder."""

import numpy as np

from tavola.core import CHANCE, compiled, random_member, rank_seats
from tavola.games._template.components import ACTIONS, DECK, EVERY_CARD, OPTIONS, PRIZES, First, Phase, State

__all__ = ["ACTIONS", "OPTIONS", "State", "apply", "legal", "redeal", "score", "start", "to_act"]


@compiled
def start(s):
    """R1: the cards are about to be dealt."""
    t = s.table
    t.phase = Phase.DEAL


@compiled
def to_act(s):
    t = s.table
    if t.phase == Phase.BID:
        return np.int64(_everybody(t) & ~t.played)
    if t.phase == Phase.OVER:
        return 0
    return 1 << CHANCE


@compiled
def legal(s, seat, actions, weights):
    if s.table.phase == Phase.BID:
        return _legal_bid(s, seat, actions)
    if s.table.phase == Phase.TOSS:
        return _legal_toss(actions, weights)
    return _legal_deal(s, actions, weights)


@compiled
def apply(s, seat, action):
    if s.table.phase == Phase.BID:
        _apply_bid(s, seat, action - First.BID)
    elif s.table.phase == Phase.TOSS:
        _apply_toss(s, action - First.TOSS)
    else:
        _apply_deal(s, action - First.DEAL)


@compiled
def score(s, points, place):
    """R6: most points win; equal points share the place."""
    t = s.table
    for seat in range(t.players):
        points[seat] = t.points[seat]
    rank_seats(points, place, t.players)


@compiled
def redeal(s, seat, rng):
    """Redraw the cards that others hold, face down or in hand, from all that `seat` has not seen."""
    t = s.table
    for other in range(t.players):
        if other != seat:
            s.hand[other].cards = 0
            s.hand[other].bid = 0
    for other in range(t.players):
        if other != seat:
            for place in range(_count_unshown(t, other)):
                card = _random_unseen(s, rng)
                if place == 0 and t.played >> other & 1:
                    s.hand[other].bid = card + 1
                else:
                    s.hand[other].cards |= 1 << card


@compiled
def _everybody(t):
    return (1 << np.int64(t.players)) - 1


@compiled
def _count_unshown(t, seat):
    """R1: the number of cards that a seat has not shown yet; cards are dealt round the table, one at a time."""
    return (t.dealt - seat + t.players - 1) // t.players - t.rounds


@compiled
def _known_cards(s):
    """Cards in any seat's hand or bid, or already shown, as a bit mask."""
    mask = np.int64(s.table.spent)
    for seat in range(s.table.players):
        mask |= s.hand[seat].cards
        if s.hand[seat].bid:
            mask |= 1 << np.int64(s.hand[seat].bid - 1)
    return mask


@compiled
def _random_unseen(s, rng):
    """A random card that no seat holds or has shown."""
    return random_member(EVERY_CARD & ~_known_cards(s), rng)


# Dealing and tossing: R1 and R2


@compiled
def _legal_deal(s, actions, weights):
    known = _known_cards(s)
    count = 0
    for card in range(DECK):
        if not known >> card & 1:
            actions[count] = First.DEAL + card
            weights[count] = 1
            count += 1
    return count


@compiled
def _apply_deal(s, card):
    t = s.table
    s.hand[t.dealt % t.players].cards |= 1 << card
    t.dealt += 1
    if t.dealt == t.players * t.cards:
        t.phase = Phase.TOSS


@compiled
def _legal_toss(actions, weights):
    """R2: a prize of 1 is three times as likely as one of 3."""
    for prize in range(PRIZES):
        actions[prize] = First.TOSS + prize
        weights[prize] = PRIZES - prize
    return PRIZES


@compiled
def _apply_toss(s, prize):
    s.table.template_prize = prize + 1
    s.table.phase = Phase.BID


# Bidding: R3 to R5


@compiled
def _legal_bid(s, seat, actions):
    count = 0
    for card in range(DECK):
        if s.hand[seat].cards >> card & 1:
            actions[count] = First.BID + card
            count += 1
    return count


@compiled
def _apply_bid(s, seat, card):
    """R3: bids stay face down until all seats have bid; then they are revealed together."""
    t = s.table
    s.hand[seat].cards &= ~(1 << card)
    s.hand[seat].bid = card + 1
    t.played |= 1 << seat
    if t.played == _everybody(t):
        _reveal(s)


@compiled
def _reveal(s):
    t = s.table
    winner = 0
    for seat in range(t.players):
        t.shown[seat] = s.hand[seat].bid
        t.spent |= 1 << np.int64(t.shown[seat] - 1)
        s.hand[seat].bid = 0
        if _beats(t, seat, winner):
            winner = seat
    t.points[winner] += t.template_prize
    t.template_prize = 0
    t.played = 0
    t.rounds += 1
    t.phase = Phase.OVER if t.rounds == t.cards else Phase.TOSS  # R5


@compiled
def _beats(t, seat, other):
    """R4: the highest card wins the prize; with the option `low_wins`, the lowest."""
    return t.shown[seat] < t.shown[other] if t.low_wins else t.shown[seat] > t.shown[other]
