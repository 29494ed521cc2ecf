"""The offer that a seat would make now: goods that both sides may like, and sous that share the gain.

An offer is one card for another, a card for sous, or sous for a card; if it helps, one side adds a second card. The
other side's gain is unknown: a card has its usual worth for it, and more if a player announced a wish for it. Each
further offer of a seat in a round leaves the other side a greater share.
"""

import math

import numpy as np

from tavola.core import compiled, count_members, lowest_member
from tavola.games.tournament.cards import KIND_CARDS, answer_request, card_set, jokers_in
from tavola.games.tournament.components import (
    JOKER,
    JOKER_SORT,
    KIND_COUNT,
    MOST_CARDS,
    MOST_PAID,
    SORT_COUNT,
    TO_ALL,
    TOP,
)
from tavola.games.tournament.heuristics.worth import lowest_of, with_typical, worth, worth_with

GAIN = 0.1
"""Sous that make a deal worthwhile."""
OPENING_GAIN = 0.02
"""The same for the first offer of a round, so that every seat offers something."""
SHARES = np.array([0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 0.9])
"""Share of the joint gain left to the other side, by the number of offers that the seat has published in the round."""
USUAL_WORTH = 1.5
"""Usual worth of a card, in sous."""
USUAL_JOKER_WORTH = 2.5
WANTED_WORTH = 1.5
"""Additional worth of a card, in sous, to a player who asks for it in an announced offer."""
COUNTER_GAIN = 0.1
"""Sous that a seat wants to gain by a counter-offer."""
NEAR = np.int64(2)
"""Maximum sous by which a counter-offer differs from an announced offer."""
NO_SORT = np.int64(SORT_COUNT)
"""No card, in place of a sort; int64 as all other sorts are, or callees would be compiled twice."""
ALL = np.int64(TO_ALL)
SOUS = 2 * MOST_CARDS
"""Index of the sous in terms, after cards given and asked (0 for none, otherwise the card's number + 1)."""
ANY = np.int64(MOST_PAID)
"""The same for an answer to a whisper."""
NOTHING = (0.0, (0, 0, 0, 0, 0, 0, 0))
"""No offer: no gain, and empty terms."""


# Wishes of the others


@compiled
def usual_worths(t, seat):
    """Return the probable worth of one card of each sort to another player, and 0 for no card at the end."""
    swords = shields = lances = armours = jokers = 0
    for maker in range(t.players):
        for place in range(t.published[maker] if maker != seat else 0):
            offer = t.offers[maker, place]
            if offer.to == TO_ALL:
                swords += _wants(offer, 0)
                shields += _wants(offer, 1)
                lances += _wants(offer, 2)
                armours += _wants(offer, 3)
                jokers += _wants(offer, 4)
    return (
        USUAL_WORTH + WANTED_WORTH * swords,
        USUAL_WORTH + WANTED_WORTH * shields,
        USUAL_WORTH + WANTED_WORTH * lances,
        USUAL_WORTH + WANTED_WORTH * armours,
        USUAL_JOKER_WORTH + WANTED_WORTH * jokers,
        0.0,
    )


@compiled
def _wants(offer, sort):
    """Return 1 if an announced offer asks for a sort, -1 if it gives it, otherwise 0."""
    return np.int64(offer.asks[sort] > 0) - np.int64(offer.gives[sort] > 0)


@compiled
def _most_sous(t, seat, to):
    if to != TO_ALL:
        return np.int64(t.purse[to - 1])
    most = np.int64(0)
    for other in range(t.players):
        if other != seat:
            most = max(most, np.int64(t.purse[other]))
    return most


# The seat's own offer


@compiled
def plan_offer(t, hand, seat, to):
    """Return the gain of the best offer, in sous, and its terms; a gain of 0 for none."""
    cards, jokers = np.int64(hand.cards), np.int64(hand.jokers)
    usual = usual_worths(t, seat)
    now = worth(t, seat, cards, jokers)
    most = _most_sous(t, seat, to)
    best, best_given, best_asked, best_sous = 0.0, NO_SORT, NO_SORT, np.int64(0)
    for given in range(SORT_COUNT + 1):
        if _holds(cards, jokers, given):
            left, left_jokers = _without(cards, jokers, given)
            for asked in range(SORT_COUNT + 1):
                if asked != given and not _stands(t, seat, to, given, asked):
                    own = worth_with(t, seat, left, left_jokers, asked, np.int64(asked < SORT_COUNT)) - now
                    others = usual[given] - usual[asked]
                    profit, sous = _profit(t, seat, most, own, others, given < SORT_COUNT, asked < SORT_COUNT)
                    if profit > best:
                        best, best_given, best_asked, best_sous = profit, given, asked, sous
    if best > 0.0:
        if best_given < SORT_COUNT and best_asked < SORT_COUNT:
            return _with_second(t, seat, cards, jokers, usual, now, most, best, best_given, best_asked, best_sous)
        return best, _terms(cards, best_given, NO_SORT, best_asked, NO_SORT, best_sous)
    return NOTHING if t.published[seat] else _sale(t, seat, cards, jokers, now, most)


@compiled
def _sale(t, seat, cards, jokers, now, most):
    """Return the offer of the least useful card for sous that are worth it; nothing if no other seat has enough."""
    sort, least = NO_SORT, 0.0
    for given in range(SORT_COUNT):
        if _holds(cards, jokers, given):
            left, left_jokers = _without(cards, jokers, given)
            loss = now - worth(t, seat, left, left_jokers)
            if sort == SORT_COUNT or loss < least:
                sort, least = given, loss
    charge = np.int64(math.ceil(least + GAIN))
    if sort == SORT_COUNT or charge > min(most, np.int64(MOST_PAID)):
        return NOTHING
    return charge - least, _terms(cards, sort, NO_SORT, NO_SORT, NO_SORT, -charge)


@compiled
def _profit(t, seat, most, own, others, gives, asks):
    """Return the gain of an exchange with the sous that share it, and these sous; 0 if it is too small."""
    both, enough = own + others, GAIN if t.published[seat] else OPENING_GAIN
    if both <= enough or not (gives or asks):
        return 0.0, np.int64(0)
    sous = np.int64(math.floor(SHARES[t.published[seat]] * both - others + 0.5))
    if not gives:
        sous = max(sous, np.int64(1))
    if not asks:
        sous = min(sous, np.int64(-1))
    sous = max(min(sous, np.int64(t.purse[seat]), np.int64(MOST_PAID)), -most, np.int64(-MOST_PAID))
    profit = own - sous
    if (not gives and sous < 1) or (not asks and sous > -1) or others + sous < 0.0 or profit <= enough:
        return 0.0, np.int64(0)
    return profit, sous


@compiled
def _with_second(t, seat, cards, jokers, usual, now, most, best, given, asked, best_sous):
    """Return the best offer with a second card given or asked for, if that is better for both."""
    left, left_jokers = _without(cards, jokers, given)
    more_given, more_asked = NO_SORT, NO_SORT
    others = usual[given] - usual[asked]
    for sort in range(SORT_COUNT):
        if sort != asked and _holds(left, left_jokers, sort):
            less, fewer_jokers = _without(left, left_jokers, sort)
            own = worth_with(t, seat, less, fewer_jokers, asked, 1) - now
            profit, sous = _profit(t, seat, most, own, others + usual[sort], True, True)
            if profit > best:
                best, best_sous, more_given, more_asked = profit, sous, sort, NO_SORT
        if sort not in (given, asked):
            more, more_jokers = _with(t, left, left_jokers, sort)
            own = worth_with(t, seat, more, more_jokers, asked, 1) - now
            profit, sous = _profit(t, seat, most, own, others - usual[sort], True, True)
            if profit > best:
                best, best_sous, more_given, more_asked = profit, sous, NO_SORT, sort
    return best, _terms(cards, given, more_given, asked, more_asked, best_sous)


@compiled
def _terms(cards, given, more_given, asked, more_asked, sous):
    """Return the terms: the lowest cards of the sorts given, any of those asked for; both ascending."""
    first = _card_of(cards, given)
    left = cards & ~(1 << first - 1) if 0 < first <= JOKER else cards
    second = _card_of(left, more_given)
    one, other = _card_of(np.int64(0), asked), _card_of(np.int64(0), more_asked)
    if second:
        first, second = min(first, second), max(first, second)
    if other:
        one, other = min(one, other), max(one, other)
    none = np.int64(0)
    return first, second, none, one, other, none, np.int64(sous)


@compiled
def finish_offer(t, hand, seat, draft):
    """Return the gain of an offer with the goods of a draft, in sous, and its terms; a gain of 0 for none."""
    usual = usual_worths(t, seat)
    others = 0.0
    for k in range(MOST_CARDS):
        others += usual[_sort_of(draft.given[k])] - usual[_sort_of(draft.asked[k])]
    own = _worth_if_exchanged(t, hand, seat, draft) - worth(t, seat, np.int64(hand.cards), np.int64(hand.jokers))
    most = _most_sous(t, seat, np.int64(draft.to))
    profit, sous = _profit(t, seat, most, own, others, draft.given[0] > 0, draft.asked[0] > 0)
    return profit, _terms_of(draft.given, draft.asked, sous)


@compiled
def _terms_of(given, asked, sous):
    return (
        np.int64(given[0]),
        np.int64(given[1]),
        np.int64(given[2]),
        np.int64(asked[0]),
        np.int64(asked[1]),
        np.int64(asked[2]),
        np.int64(sous),
    )


@compiled
def _holds(cards, jokers, sort):
    if sort == JOKER_SORT:
        return jokers > 0
    return sort == SORT_COUNT or cards & KIND_CARDS[sort] != 0


@compiled
def _without(cards, jokers, sort):
    if sort == JOKER_SORT:
        return cards, jokers - 1
    if sort < KIND_COUNT:
        return cards & ~(1 << lowest_of(cards, sort)), jokers
    return cards, jokers


@compiled
def _with(t, cards, jokers, sort):
    if sort == JOKER_SORT:
        return cards, jokers + 1
    return with_typical(t, cards, sort, 1), jokers


@compiled
def _sort_of(listed):
    return np.int64(SORT_COUNT) if not listed else (np.int64(listed) - 1) // TOP


@compiled
def _card_of(cards, sort):
    """Return the lowest of the cards of a sort, as terms name it; without any, the sort's first card, for any of it."""
    if sort == SORT_COUNT:
        return np.int64(0)
    if sort == JOKER_SORT:
        return np.int64(JOKER + 1)
    return np.int64(lowest_of(cards, sort) + 1) if cards & KIND_CARDS[sort] else np.int64(TOP * sort + 1)


@compiled
def _stands(t, seat, to, given, asked):
    """Return whether one of the seat's open announced offers already includes these goods."""
    if to == TO_ALL:
        for place in range(t.published[seat]):
            offer = t.offers[seat, place]
            if (
                offer.to == TO_ALL
                and _names(offer.gives, offer.given, given)
                and _names(offer.asks, offer.asked, asked)
            ):
                return True
    return False


@compiled
def _names(sorts, count, sort):
    return sorts[sort] > 0 if sort < SORT_COUNT else count == 0


# Offers of others, and answers to them


@compiled
def worth_after(t, hand, seat, maker, place):
    """Return the worth of a hand after it accepts an offer, without the sous."""
    offer, terms = t.offers[maker, place], hand.terms[maker, place]
    cards, jokers = np.int64(hand.cards), np.int64(hand.jokers)
    if offer.to == TO_ALL:
        for kind in range(KIND_COUNT):
            for _ in range(offer.asks[kind]):
                left = cards & KIND_CARDS[kind]
                cards &= ~(left & -left)
        for kind in range(KIND_COUNT):
            cards = with_typical(t, cards, kind, np.int64(offer.gives[kind]))
        jokers += np.int64(offer.gives[JOKER_SORT]) - np.int64(offer.asks[JOKER_SORT])
    else:
        cards = cards & ~answer_request(cards, terms.asked) | card_set(terms.given)
        jokers += jokers_in(terms.given) - jokers_in(terms.asked)
    return worth(t, seat, cards, jokers)


@compiled
def worth_if_taken(t, hand, seat, place):
    """Return the worth of a hand after its own offer is accepted, without the sous."""
    return _worth_if_exchanged(t, hand, seat, hand.terms[seat, place])


@compiled
def _worth_if_exchanged(t, hand, seat, listed):
    cards = np.int64(hand.cards) & ~card_set(listed.given)
    jokers = np.int64(hand.jokers) - jokers_in(listed.given) + jokers_in(listed.asked)
    for k in range(MOST_CARDS):
        sort = _sort_of(listed.asked[k])
        if sort < KIND_COUNT:
            cards = with_typical(t, cards, sort, 1)
    return worth(t, seat, cards, jokers)


@compiled
def plan_answer(t, hand, seat, maker):
    """Return the gain of a whisper that answers offers of `maker`, in sous, and its terms; a gain of 0 for none.

    Each whisper to the seat is answered with the same goods for better sous, or with another offer. An announced offer
    is answered if it is nearly acceptable. There is one answer for each whisper, and one for all announced offers.
    """
    whispers, last = _whispers(t, maker, seat)
    answers, _ = _whispers(t, seat, maker)
    if whispers > answers:
        back = _return_offer(t, hand, seat, maker, last, ANY)
        return back if back[0] > 0.0 else plan_offer(t, hand, seat, maker + 1)
    if not whispers and not answers and not np.int64(t.done) >> maker & 1:
        for place in range(t.published[maker]):
            if t.offers[maker, place].to == TO_ALL:
                back = _return_offer(t, hand, seat, maker, np.int64(place), NEAR)
                if back[0] > 0.0:
                    return back
    return NOTHING


@compiled
def _whispers(t, maker, to):
    count, last = 0, np.int64(-1)
    for place in range(t.published[maker]):
        if t.offers[maker, place].to == to + 1:
            count += 1
            last = np.int64(place)
    return count, last


@compiled
def _return_offer(t, hand, seat, maker, place, most):
    """Return an offer of the same goods for at most `most` sous more than the maker offers; nothing if impossible."""
    offer, listed = t.offers[maker, place], hand.terms[maker, place]
    if not _has_asked(hand, offer, listed.asked):
        return NOTHING
    now = worth(t, seat, np.int64(hand.cards), np.int64(hand.jokers))
    wanted = np.int64(math.ceil(COUNTER_GAIN - (worth_after(t, hand, seat, maker, place) - now)))
    offered = np.int64(offer.pay) - np.int64(offer.charge)
    if (wanted >= 0 and not offer.asked) or (wanted <= 0 and not offer.given):
        return NOTHING
    if not offered < wanted <= min(offered + most, np.int64(t.purse[maker]), np.int64(MOST_PAID)):
        return NOTHING
    if -wanted > min(np.int64(t.purse[seat]), np.int64(MOST_PAID)):
        return NOTHING
    if offer.to != TO_ALL:
        given = answer_request(np.int64(hand.cards), listed.asked)
        return COUNTER_GAIN, _terms_of(_first_cards(given, jokers_in(listed.asked)), listed.given, -wanted)
    given = np.int64(0)
    for kind in range(KIND_COUNT):
        for _ in range(offer.asks[kind]):
            given |= 1 << lowest_of(np.int64(hand.cards) & ~given, kind)
    cards = _first_cards(given, np.int64(offer.asks[JOKER_SORT]))
    return COUNTER_GAIN, _terms_of(cards, _first_sorts(offer.gives), -wanted)


@compiled
def _has_asked(hand, offer, asked):
    if offer.to != TO_ALL:
        return jokers_in(asked) <= hand.jokers and answer_request(np.int64(hand.cards), asked) >= 0
    for kind in range(KIND_COUNT):
        if count_members(np.int64(hand.cards) & KIND_CARDS[kind]) < offer.asks[kind]:
            return False
    return offer.asks[JOKER_SORT] <= hand.jokers


@compiled
def _first_cards(cards, jokers):
    """List three cards as terms name them: valued ones in ascending order, then jokers, then none."""
    first, cards, jokers = _next_card(cards, np.int64(jokers))
    second, cards, jokers = _next_card(cards, jokers)
    third, cards, jokers = _next_card(cards, jokers)
    return first, second, third


@compiled
def _next_card(cards, jokers):
    if cards:
        return np.int64(lowest_member(cards) + 1), cards & (cards - 1), jokers
    return np.int64((JOKER + 1) * (jokers > 0)), cards, max(jokers - 1, 0)


@compiled
def _first_sorts(sorts):
    """List three cards for the numbers of each sort, any card of it."""
    return _nth_sort(sorts, np.int64(0)), _nth_sort(sorts, np.int64(1)), _nth_sort(sorts, np.int64(2))


@compiled
def _nth_sort(sorts, number):
    for sort in range(SORT_COUNT):
        number -= np.int64(sorts[sort])
        if number < 0:
            return np.int64(TOP * sort + 1)
    return np.int64(0)
