"""The first traders of Tournament: greedy bots that offer one card for another or for sous.

They are the yardstick for later traders, and unchanged except for what a search needs. Each process compiles them
again, because the cache would not notice changes in the rules that they call.
"""
# mypy: allow-untyped-defs, no-check-untyped-defs

from collections.abc import Iterator

import numba
import numpy as np

from tavola.bots.levels import deciding_seat, decision_rng
from tavola.core import View, count_members, lowest_member
from tavola.core.rng import random_below
from tavola.games.tournament.cards import KIND_CARDS, answer_request, card_set, jokers_in, value
from tavola.games.tournament.components import (
    JOKER,
    JOKER_SORT,
    KIND_COUNT,
    OFFER_ALL,
    OFFERS,
    SORT_COUNT,
    TO_ALL,
    TOP,
    TOP_VALUE,
    VALUES,
    First,
    Phase,
)
from tavola.games.tournament.duels import prize_of_round, right_corner
from tavola.lab import Entry, arena
from tavola.lab.intervals import anytime_share

PLAYERS, AT_ONCE = 4, 24
"""Seats of a table where traders are compared, and matches between two interim results."""
POOR = 0.01
IDLE = 1.0  # for `done`
SETS = np.array([0.0, 4.0, 6.0, 7.0, 7.5, 8.0])  # sous by number of full sets, if a duel wins USUAL_PRIZE sous
USUAL_PRIZE = 5.0
RANKS = np.array([1.0, 0.8, 0.6, 0.4, 0.2, 0.1])  # weights of the best card of a kind, the next one, and so on
BEST_CARD_WORTH = 2.2  # sous for the highest card of a kind, as the best one held
CARD_WORTH = 1.2  # sous for any card: players with more cards last longer
BOX_WORTH = 0.5  # sous for each box that can be filled
JOKER_WORTH = 1.5  # sous for a joker
OUT_CARD_WORTH = 0.1  # sous for a card of a player who is out
UNSEEN_VALUE = 0.35  # assumed value of an unseen card, as a share of the highest
GAIN = 0.5  # sous that make a deal worthwhile
MARGIN = 2.0  # sous that a seller wants beyond the loss
OTHER_STEP_PRIOR = 0.03  # for steps of an offer that lead elsewhere
LOWEST_CARD_PRIOR = 0.6  # for laying the lowest card; the highest has 1
PURCHASE_PRIOR = 0.8  # for buying an unknown card; keeping one's sous has 1


@numba.njit(nogil=True, error_model="numpy")
def priors(s, seat, actions, count, weights):
    """Set a positive weight for each legal action: how good it looks."""
    t, hand = s.table, s.hand[seat]
    if t.phase != Phase.TRADE:
        for k in range(count):
            weights[k] = _duel_prior(t, hand, seat, np.int64(actions[k]))
    elif hand.draft.to:
        _draft_priors(t, hand, seat, actions, count, weights)
    else:
        _market_priors(t, hand, seat, actions, count, weights)


# Value of cards


@numba.njit(nogil=True, error_model="numpy")
def worth(t, seat, cards, jokers):
    """Return what a seat can expect to gain from the cards of its hand, in sous."""
    if t.out >> seat & 1:
        return OUT_CARD_WORTH * (count_members(cards) + jokers)
    ranked = 0.0
    covered = np.int64(jokers)
    for kind in range(KIND_COUNT):
        left = np.int64(cards) & KIND_CARDS[kind]
        covered += left != 0
        rank = count_members(left)
        while left:
            rank -= 1
            ranked += RANKS[min(rank, len(RANKS) - 1)] * (lowest_member(left) - TOP * kind + 1)
            left &= left - 1
    hoped = (
        SETS[_count_sets(cards, jokers)]
        + CARD_WORTH * (count_members(cards) + jokers)
        + BOX_WORTH * min(covered, KIND_COUNT)
        + JOKER_WORTH * jokers
    )
    return (hoped + BEST_CARD_WORTH * ranked / TOP_VALUE[t.players]) * max(
        prize_of_round(t) / USUAL_PRIZE, OUT_CARD_WORTH
    )


@numba.njit(nogil=True, error_model="numpy")
def _count_sets(cards, jokers):
    sets = 0
    left = np.int64(jokers)
    while sets < len(SETS) - 1:
        for kind in range(KIND_COUNT):
            left -= count_members(cards & KIND_CARDS[kind]) <= sets
        if left < 0:
            return sets
        sets += 1
    return sets


@numba.njit(nogil=True, error_model="numpy")
def _with_typical(t, cards, kind, count):
    """Return the cards with `count` more of a kind, of typical value."""
    low = TOP * kind + np.int64(UNSEEN_VALUE * TOP_VALUE[t.players])
    for card in range(low, TOP * (kind + 1)):
        if count > 0 and not cards >> card & 1:
            cards |= 1 << card
            count -= 1
    return cards


@numba.njit(nogil=True, error_model="numpy")
def _gains(t, hand, seat, cards, jokers, gains):
    """Set the gain from one more card of each sort."""
    now = worth(t, seat, cards, jokers)
    for kind in range(KIND_COUNT):
        gains[kind] = worth(t, seat, _with_typical(t, cards, kind, 1), jokers) - now
    gains[JOKER_SORT] = worth(t, seat, cards, jokers + 1) - now


# Barter


@numba.njit(nogil=True, error_model="numpy")
def _market_priors(t, hand, seat, actions, count, weights):
    now = worth(t, seat, np.int64(hand.cards), hand.jokers)
    for k in range(count):
        action = np.int64(actions[k])
        if action == First.DONE:
            weights[k] = IDLE
        elif action >= First.WITHDRAW:
            weights[k] = POOR
        elif action >= First.ACCEPT:
            maker, place = (action - First.ACCEPT) // OFFERS, (action - First.ACCEPT) % OFFERS
            gain = _worth_after(t, hand, seat, maker, place) - now
            weights[k] = 4.0 + gain if gain > GAIN else POOR
        elif action == OFFER_ALL:
            weights[k] = max(_offer_profit(t, hand, seat), POOR)
        else:
            weights[k] = 4.0 * POOR


@numba.njit(nogil=True, error_model="numpy")
def _worth_after(t, hand, seat, maker, place):
    """Return the value of a hand after an offer is accepted, plus the change in sous."""
    offer, terms = t.offers[maker, place], hand.terms[maker, place]
    cards, jokers = np.int64(hand.cards), np.int64(hand.jokers)
    if offer.to == TO_ALL:
        for kind in range(KIND_COUNT):
            for _ in range(offer.asks[kind]):
                left = cards & KIND_CARDS[kind]
                cards &= ~(left & -left)
        for kind in range(KIND_COUNT):
            cards = _with_typical(t, cards, kind, offer.gives[kind])
        jokers += offer.gives[JOKER_SORT] - offer.asks[JOKER_SORT]
    else:
        cards = cards & ~answer_request(cards, terms.asked) | card_set(terms.given)
        jokers += jokers_in(terms.given) - jokers_in(terms.asked)
    return worth(t, seat, cards, jokers) + offer.pay - offer.charge


@numba.njit(nogil=True, error_model="numpy")
def _offer_profit(t, hand, seat):
    """Return the likely profit of the obvious offer: the least valuable card for the most wanted sort, or for sous."""
    cards, jokers = np.int64(hand.cards), np.int64(hand.jokers)
    gains = np.zeros(SORT_COUNT)
    _gains(t, hand, seat, cards, jokers, gains)
    now = worth(t, seat, cards, jokers)
    least = 100.0
    left = cards
    while left:
        least = min(least, now - worth(t, seat, cards & ~(left & -left), jokers))
        left &= left - 1
    return max(np.max(gains) - least - GAIN, MARGIN - least) - t.published[seat]


@numba.njit(nogil=True, error_model="numpy")
def _draft_priors(t, hand, seat, actions, count, weights):
    """Weigh the next step of an offer: the least valuable card, the most wanted sort, sous until both sides gain."""
    draft = hand.draft
    cards = np.int64(hand.cards) & ~card_set(draft.given)
    jokers = np.int64(hand.jokers) - jokers_in(draft.given)
    loss = worth(t, seat, np.int64(hand.cards), hand.jokers) - worth(t, seat, cards, jokers)
    gains = np.zeros(SORT_COUNT)
    _gains(t, hand, seat, cards, jokers, gains)
    price = _offer_price(t, draft, seat, loss)
    for k in range(count):
        action = np.int64(actions[k])
        if action == First.DONE:
            weights[k] = 2.0 * OTHER_STEP_PRIOR
        elif action == First.PUBLISH:
            weights[k] = _publish_prior(draft, price)
        elif action >= First.PAY:
            sous = First.CHARGE - action - 1 if action >= First.CHARGE else action - First.PAY + 1
            weights[k] = _sous_prior(draft, sous - price)
        elif action >= First.ASK:
            weights[k] = _ask_prior(t, draft, gains, loss, action - First.ASK)
        else:
            weights[k] = _give_prior(t, hand, seat, cards, jokers, action - First.GIVE)


@numba.njit(nogil=True, error_model="numpy")
def _offer_price(t, draft, seat, loss):
    """Return the sous that go with an offer, negative if charged: one more is conceded for each offer of the round."""
    made = np.int64(t.published[seat])
    if draft.asked[0]:
        return made if draft.given[0] else made + 2
    return min(made - np.int64(loss + MARGIN + 0.5), -1)


@numba.njit(nogil=True, error_model="numpy")
def _sous_prior(draft, off):
    """Weigh sous by their distance from the right price."""
    if not draft.given[0] and not draft.asked[0]:
        return POOR
    return 3.0 if off == 0 else max(0.3 / (off * off), OTHER_STEP_PRIOR / 10.0)


@numba.njit(nogil=True, error_model="numpy")
def _publish_prior(draft, price):
    asked, given = draft.asked[0] > 0, draft.given[0] > 0
    if draft.pay or draft.charge:
        return 5.0 if asked or given else POOR
    if asked and given:
        return 5.0 if price == 0 else 1.0
    return POOR


@numba.njit(nogil=True, error_model="numpy")
def _ask_prior(t, draft, gains, loss, card):
    """Weigh a card to ask for by its gain less the loss; a single seat is asked less often for higher cards."""
    gain = gains[card // TOP] - loss
    if draft.asked[0] or gain <= GAIN:
        return OTHER_STEP_PRIOR / 10.0
    return gain * (1.0 - 0.9 * value(card) / TOP_VALUE[t.players] if draft.to != TO_ALL and card != JOKER else 1.0)


@numba.njit(nogil=True, error_model="numpy")
def _give_prior(t, hand, seat, cards, jokers, card):
    if hand.draft.given[0]:
        return OTHER_STEP_PRIOR
    after = worth(t, seat, cards, jokers - 1) if card == JOKER else worth(t, seat, cards & ~(1 << card), jokers)
    return 4.0 * np.exp(min(after - worth(t, seat, cards, jokers), 0.0))


# Duels


@numba.njit(nogil=True, error_model="numpy")
def _duel_prior(t, hand, seat, action):
    if action == First.FORFEIT:
        return POOR
    if First.EQUIP <= action < First.POINT:
        return _laid_prior(hand, (action - First.EQUIP) // VALUES, (action - First.EQUIP) % VALUES)
    if First.POINT <= action < First.BUY:
        duel = t.duel
        right = right_corner(duel.tokens[0], duel.tokens[1], duel.tokens[2], duel.dots)
        return 1.0 if action - First.POINT == right else POOR
    return PURCHASE_PRIOR if action == First.BUY else 1.0


@numba.njit(nogil=True, error_model="numpy")
def _laid_prior(hand, box, worth):
    """Weigh a card to lay: the highest to win, the lowest or a joker to lose cheaply."""
    cards = np.int64(hand.cards) & KIND_CARDS[box]
    if not worth:
        return LOWEST_CARD_PRIOR
    card = 1 << (TOP * box + worth - 1)
    if not cards & ~((card << 1) - 1):
        return 1.0
    return LOWEST_CARD_PRIOR / 4.0 if cards & (card - 1) or hand.jokers else LOWEST_CARD_PRIOR


class FirstTrader:
    """A bot that plays what looks best to the first traders, with random ties."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View) -> int:
        seat, rng, legal = deciding_seat(view), decision_rng(self.seed, view), view.legal
        weights = np.zeros(len(legal))
        priors(view.states[0], seat, np.array(legal, np.int32), len(legal), weights)
        best = np.flatnonzero(weights == weights.max())
        return legal[int(best[random_below(rng, len(best))])]


class FirstTraders(Entry):
    def bot(self, seed: int) -> FirstTrader:
        return FirstTrader(seed)

    def __str__(self) -> str:
        return "first traders"


def shares_against_first_traders(most: int) -> Iterator[tuple[int, float, float, float]]:
    """Yield the matches so far and the win share of one current trader against three first ones, with its interval.

    The interval is valid at any time. Stop when it is above an equal share, or after `most` matches. Every deal is
    played from each seat.
    """
    entries, played, wins, low = [Entry("greedy"), *[FirstTraders("greedy")] * (PLAYERS - 1)], 0, 0.0, 0.0
    while low <= 1 / PLAYERS and played < most:
        report = arena("tournament", entries, AT_ONCE, seed=2026 + played, processes=1)
        played += report.matches
        wins += report.standings[0].wins * report.matches
        low, high = anytime_share(wins / played, played)
        yield played, wins / played, low, high
