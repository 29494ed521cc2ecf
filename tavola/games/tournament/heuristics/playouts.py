"""How good actions look where searches play out: as the priors, but a barter at a glance, without a plan of offers.

Bargains are taken as far as they are worth while; who has more than one of a kind cries one for a kind that he lacks,
for sous that share the gain. A plan would cost three times all the rest of a playout.
"""

import numpy as np

from tavola.core import compiled, count_members
from tavola.games.tournament.cards import KIND_CARDS, card_set, value
from tavola.games.tournament.components import (
    JOKER,
    MOST_CARDS,
    OFFER_ALL,
    OFFERS,
    TO_ALL,
    TOP,
    TOP_VALUE,
    First,
    Phase,
)
from tavola.games.tournament.heuristics.bargains import GAIN, SOUS, finish_offer, worth_after
from tavola.games.tournament.heuristics.barter import IDLE, KEPT, OTHER_STEP, POOR, STALL, STEP, TAKEN, standing_cries
from tavola.games.tournament.heuristics.lists import duel_prior
from tavola.games.tournament.heuristics.worth import worth

FIRST_CRY = 3.0
"""The first cry of a round; later ones look the less good the more there were."""
SPARE = np.array([0.0, 0.1, 1.0, 2.0])
"""How good a card looks to be given, by the cards of its kind that one holds: the only one is kept."""
LACKED = np.array([4.0, 1.0, 0.4, 0.1])
"""How good it looks to be asked."""
GIVEN_JOKER, ASKED_JOKER = 0.1, 1.0


@compiled
def playout_priors(s, seat, actions, count, weights):
    """For each legal action a positive weight, cheaply: how good it looks."""
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
    cries, oldest = standing_cries(t, seat)
    cry = FIRST_CRY / (1 + t.published[seat]) if t.published[seat] + KEPT < t.offer_limit else POOR
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
    """Weigh what ends a draft: the sous that suit both sides, and to publish it with them."""
    if action == First.PUBLISH:
        return STEP if pays and sous == draft.pay - draft.charge else OTHER_STEP
    named = First.CHARGE - action - 1 if action >= First.CHARGE else action - First.PAY + 1
    off = named - sous
    if not pays or not sous:
        return OTHER_STEP / 10.0
    return STEP if not off else OTHER_STEP / (off * off)


@compiled
def _given_weight(left, card):
    """The lowest of several cards of a kind is given most gladly."""
    if card == JOKER:
        return GIVEN_JOKER
    same = left & KIND_CARDS[card // TOP]
    spare = SPARE[min(count_members(same), len(SPARE) - 1)]
    return spare if not same & ((1 << card) - 1) else spare / 4.0


@compiled
def _asked_weight(t, draft, left, card):
    """A kind that one lacks is asked; of one alone a higher card more seldom."""
    if card == JOKER:
        return ASKED_JOKER
    for k in range(MOST_CARDS):
        if draft.given[k] and (np.int64(draft.given[k]) - 1) // TOP == card // TOP:
            return OTHER_STEP
    lacked = LACKED[min(count_members(left & KIND_CARDS[card // TOP]), len(LACKED) - 1)]
    return lacked if draft.to == TO_ALL else lacked * (1.0 - 0.9 * value(card) / TOP_VALUE[t.players])
