"""Weights of actions. In a barter, bargains and answers come before announced offers; `done` is last.

A seat keeps two announced offers open at most. It withdraws the older one before it announces another, and any offer
that would by now cost it too much.
"""

import numpy as np

from tavola.core import compiled, count_members
from tavola.games.tournament.cards import KIND_CARDS, card_set, has_set, value
from tavola.games.tournament.components import (
    JOKER,
    MOST_CARDS,
    OFFER_ALL,
    OFFERS,
    TO_ALL,
    TOP,
    TOP_VALUE,
    VALUES,
    First,
    Phase,
)
from tavola.games.tournament.duels import right_corner
from tavola.games.tournament.heuristics.bargains import (
    ALL,
    GAIN,
    SOUS,
    finish_offer,
    plan_answer,
    plan_offer,
    worth_after,
    worth_if_taken,
)
from tavola.games.tournament.heuristics.worth import worth

POOR = 0.01
IDLE = 1.0
TAKEN, ANSWERED, ANNOUNCED = 8.0, 4.0, 2.0
"""Weights of a good deal, an answer and an announced offer; the gain in sous is added."""
REGRET = 1.0
"""Loss in sous for which a seat withdraws its offer."""
STALL = 2
"""Announced offers of a seat that are open at the same time."""
KEPT = 2
"""Offers of a round that are kept for answers."""
STEP, OTHER_STEP = 5.0, 0.03
"""Weights of the next step of the planned offer, and of any other."""


@compiled
def market_priors(t, hand, seat, actions, count, weights):
    now = worth(t, seat, np.int64(hand.cards), np.int64(hand.jokers))
    cries, oldest = open_announcements(t, seat)
    cry = _announcement_prior(t, hand, seat)
    for k in range(count):
        action = np.int64(actions[k])
        if action == First.DONE:
            weights[k] = IDLE
        elif action >= First.WITHDRAW:
            place = action - First.WITHDRAW
            weights[k] = _withdrawal_prior(t, hand, seat, place, now)
            if cries >= STALL and place == oldest:
                weights[k] = max(weights[k], cry)
        elif action >= First.ACCEPT:
            maker, place = (action - First.ACCEPT) // OFFERS, (action - First.ACCEPT) % OFFERS
            offer = t.offers[maker, place]
            gain = worth_after(t, hand, seat, np.int64(maker), np.int64(place)) + offer.pay - offer.charge - now
            weights[k] = TAKEN + gain if gain > GAIN else POOR
        elif action == OFFER_ALL:
            weights[k] = cry if cries < STALL else POOR
        else:
            profit, _ = plan_answer(t, hand, seat, action - First.OFFER)
            weights[k] = ANSWERED + profit if profit > 0.0 else 2.0 * POOR


@compiled
def open_announcements(t, seat):
    count, oldest = 0, np.int64(-1)
    for place in range(t.published[seat] - 1, -1, -1):
        if t.offers[seat, place].to == TO_ALL:
            count += 1
            oldest = np.int64(place)
    return count, oldest


@compiled
def _announcement_prior(t, hand, seat):
    """Weigh announcing goods. That makes done seats trade again (R13), so later only a seat without a set does it."""
    if t.published[seat] and (t.published[seat] + KEPT >= t.offer_limit or (t.done and has_set(hand))):
        return POOR
    profit, _ = plan_offer(t, hand, seat, ALL)
    return ANNOUNCED + min(profit, 1.0) if profit > 0.0 else POOR


@compiled
def _withdrawal_prior(t, hand, seat, place, now):
    offer = t.offers[seat, place]
    lost = now - worth_if_taken(t, hand, seat, place) + offer.pay - offer.charge
    return ANNOUNCED + lost if lost > REGRET else POOR


@compiled
def draft_priors(t, hand, seat, actions, count, weights):
    """Weigh the steps of an offer: the next one towards the best offer, if the draft can still become it."""
    draft = hand.draft
    if draft.to == TO_ALL:
        profit, terms = plan_offer(t, hand, seat, ALL)
    else:
        profit, terms = plan_answer(t, hand, seat, np.int64(draft.to) - 1)
    step = _next_step(draft, terms) if profit > 0.0 else np.int64(-1)
    if step < 0:
        profit, terms = finish_offer(t, hand, seat, draft)
        step = _next_step(draft, terms) if profit > 0.0 else np.int64(-1)
    for k in range(count):
        action = np.int64(actions[k])
        if action == step:
            weights[k] = STEP
        elif action == First.PUBLISH:
            weights[k] = 10.0 * OTHER_STEP if draft.given[0] and draft.asked[0] else POOR
        else:
            weights[k] = _other_step_prior(action, terms)


@compiled
def _other_step_prior(action, terms):
    """Weigh a step away from the plan: `done` is the best of them, and sous are better the nearer they are."""
    if action == First.DONE:
        return 2.0 * OTHER_STEP
    if action < First.PAY:
        return OTHER_STEP
    sous = First.CHARGE - action - 1 if action >= First.CHARGE else action - First.PAY + 1
    off = sous - terms[SOUS]
    return OTHER_STEP / max(off * off, 1)


@compiled
def _next_step(draft, terms):
    """Return the next step from a draft to the planned terms; -1 if it no longer leads there."""
    for k in range(MOST_CARDS):
        if draft.given[k] != terms[k]:
            return _listing_step(draft.given[k] or draft.asked[0] or draft.pay or draft.charge, terms[k], First.GIVE)
    for k in range(MOST_CARDS):
        if draft.asked[k] != terms[MOST_CARDS + k]:
            return _listing_step(draft.asked[k] or draft.pay or draft.charge, terms[MOST_CARDS + k], First.ASK)
    left = terms[SOUS] - draft.pay + draft.charge
    if not left:
        return np.int64(First.PUBLISH)
    if draft.pay or draft.charge:
        return np.int64(-1)
    return np.int64(First.PAY + left - 1 if left > 0 else First.CHARGE - left - 1)


@compiled
def _listing_step(beyond, card, first):
    return np.int64(-1) if beyond or not card else np.int64(first + card - 1)


# Duels: cards on the boxes, corners, purchases

LOWEST_CARD_PRIOR = 0.6
"""Weight of the lowest card; the highest has 1."""
KEPT_SOUS = 0.8
"""Weight of a purchase for a seat that has a full set; keeping the sous has 1."""


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
    """Weigh a draw from the pile, by what the seat knows of it, against the price: above 1 it is worth it (R30).

    A seat with a full set prefers to keep its sous: if all seats buy, hands never shrink and matches never end.
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
    """Weigh a card for a box: the highest to win, the lowest or a joker to lose cheaply."""
    cards = np.int64(hand.cards) & KIND_CARDS[box]
    if not worth:
        return LOWEST_CARD_PRIOR
    card = 1 << (TOP * box + worth - 1)
    if not cards & ~((card << 1) - 1):
        return 1.0
    return LOWEST_CARD_PRIOR / 4.0 if cards & (card - 1) or hand.jokers else LOWEST_CARD_PRIOR


# Playouts: like the priors, but without a plan of offers, which would cost three times the rest of a playout. Bargains
# are accepted if they are worth it. A seat with several cards of a kind announces one for a kind that it lacks, for
# sous that share the gain.

FIRST_ANNOUNCEMENT = 3.0
"""Weight of the first announced offer of a round; later ones have less."""
SPARE = np.array([0.0, 0.1, 1.0, 2.0])
"""Weight of giving a card, by the number of cards of its kind in hand: the only one is kept."""
LACKED = np.array([4.0, 1.0, 0.4, 0.1])
"""Weight of asking for a kind, by the number of its cards in hand."""
GIVEN_JOKER, ASKED_JOKER = 0.1, 1.0


@compiled
def playout_priors(s, seat, actions, count, weights):
    """Set a positive weight for each legal action, at little cost."""
    t, hand = s.table, s.hand[seat]
    if t.phase != Phase.TRADE:
        for k in range(count):
            weights[k] = duel_prior(t, hand, seat, np.int64(actions[k]))
    elif hand.draft.to:
        _draft_weights(t, hand, seat, actions, count, weights)
    else:
        _market_weights(t, hand, seat, actions, count, weights)


@compiled
def _market_weights(t, hand, seat, actions, count, weights):
    now = worth(t, seat, np.int64(hand.cards), np.int64(hand.jokers))
    cries, oldest = open_announcements(t, seat)
    cry = FIRST_ANNOUNCEMENT / (1 + t.published[seat]) if t.published[seat] + KEPT < t.offer_limit else POOR
    for k in range(count):
        action = np.int64(actions[k])
        if action == First.DONE:
            weights[k] = IDLE
        elif action >= First.WITHDRAW:
            weights[k] = cry if cries >= STALL and action - First.WITHDRAW == oldest else POOR
        elif action >= First.ACCEPT:
            maker, place = (action - First.ACCEPT) // OFFERS, (action - First.ACCEPT) % OFFERS
            offer = t.offers[maker, place]
            gain = worth_after(t, hand, seat, maker, place) + offer.pay - offer.charge - now
            weights[k] = TAKEN + gain if gain > GAIN else POOR
        else:
            weights[k] = cry if action == OFFER_ALL and cries < STALL else POOR


@compiled
def _draft_weights(t, hand, seat, actions, count, weights):
    """Weigh a card for a card, then the sous that suit both."""
    draft = hand.draft
    begun = draft.given[0] > 0 or draft.asked[0] > 0
    profit, terms = 0.0, np.int64(0)
    if begun:
        profit, listed = finish_offer(t, hand, seat, draft)
        terms = listed[SOUS]
    left = np.int64(hand.cards) & ~card_set(draft.given)
    for k in range(count):
        action = np.int64(actions[k])
        if action == First.DONE:
            weights[k] = 2.0 * OTHER_STEP
        elif action >= First.PAY:
            weights[k] = _closing_weight(draft, action, begun and profit > 0.0, terms)
        elif action >= First.ASK:
            weights[k] = OTHER_STEP if draft.asked[0] else _asked_weight(t, draft, left, action - First.ASK)
        else:
            weights[k] = OTHER_STEP if draft.given[0] else _given_weight(left, action - First.GIVE)


@compiled
def _closing_weight(draft, action, pays, sous):
    """Weigh the last steps of a draft: the sous that suit both sides, and publishing."""
    if action == First.PUBLISH:
        return STEP if pays and sous == draft.pay - draft.charge else OTHER_STEP
    named = First.CHARGE - action - 1 if action >= First.CHARGE else action - First.PAY + 1
    off = named - sous
    if not pays or not sous:
        return OTHER_STEP / 10.0
    return STEP if not off else OTHER_STEP / (off * off)


@compiled
def _given_weight(left, card):
    """Weigh giving a card: best is the lowest of several of its kind."""
    if card == JOKER:
        return GIVEN_JOKER
    same = left & KIND_CARDS[card // TOP]
    spare = SPARE[min(count_members(same), len(SPARE) - 1)]
    return spare if not same & ((1 << card) - 1) else spare / 4.0


@compiled
def _asked_weight(t, draft, left, card):
    """Weigh asking for a kind that the seat lacks; in a whisper, higher cards weigh less."""
    if card == JOKER:
        return ASKED_JOKER
    for k in range(MOST_CARDS):
        if draft.given[k] and (np.int64(draft.given[k]) - 1) // TOP == card // TOP:
            return OTHER_STEP
    lacked = LACKED[min(count_members(left & KIND_CARDS[card // TOP]), len(LACKED) - 1)]
    return lacked if draft.to == TO_ALL else lacked * (1.0 - 0.9 * value(card) / TOP_VALUE[t.players])
