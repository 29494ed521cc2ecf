"""How good the actions of a barter look: bargains are taken and offers answered, then goods are cried; done comes last.

Two cries of a seat stand at most: it withdraws the older one before it cries again, and what it would regret by now.
"""

import numpy as np

from tavola.core import compiled
from tavola.games.tournament.cards import has_set
from tavola.games.tournament.components import MOST_CARDS, OFFER_ALL, OFFERS, TO_ALL, First
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
TAKEN, ANSWERED, CRIED = 8.0, 4.0, 2.0
"""A deal that is worth while, an answer, a cry: with the sous that each brings added."""
REGRET = 1.0
"""Sous that a deal would cost for which one withdraws one's offer."""
STALL = 2
"""Cries of a seat that stand at the same time."""
KEPT = 2
"""Offers of a round that are kept for answers."""
STEP, OTHER_STEP = 5.0, 0.03
"""The next step of the offer that is planned, and any other."""


@compiled
def market_priors(t, hand, seat, actions, count, weights):
    now = worth(t, seat, np.int64(hand.cards), np.int64(hand.jokers))
    cries, oldest = standing_cries(t, seat)
    cry = _cry_prior(t, hand, seat)
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
def standing_cries(t, seat):
    count, oldest = 0, np.int64(-1)
    for place in range(t.published[seat] - 1, -1, -1):
        if t.offers[seat, place].to == TO_ALL:
            count += 1
            oldest = np.int64(place)
    return count, oldest


@compiled
def _cry_prior(t, hand, seat):
    """Weigh crying goods. It calls back who has done (R13): after the first time only who lacks a set does that."""
    if t.published[seat] and (t.published[seat] + KEPT >= t.offer_limit or (t.done and has_set(hand))):
        return POOR
    profit, _ = plan_offer(t, hand, seat, ALL)
    return CRIED + min(profit, 1.0) if profit > 0.0 else POOR


@compiled
def _withdrawal_prior(t, hand, seat, place, now):
    offer = t.offers[seat, place]
    lost = now - worth_if_taken(t, hand, seat, place) + offer.pay - offer.charge
    return CRIED + lost if lost > REGRET else POOR


@compiled
def draft_priors(t, hand, seat, actions, count, weights):
    """Weigh the steps of an offer: the next one of the offer that looks best, as long as it can become that."""
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
    """Weigh a step that leads elsewhere: having done is the best of them, sous the better the nearer they are."""
    if action == First.DONE:
        return 2.0 * OTHER_STEP
    if action < First.PAY:
        return OTHER_STEP
    sous = First.CHARGE - action - 1 if action >= First.CHARGE else action - First.PAY + 1
    off = sous - terms[SOUS]
    return OTHER_STEP / max(off * off, 1)


@compiled
def _next_step(draft, terms):
    """The next step from a draft to the terms that are planned; -1 where it leads there no more."""
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
