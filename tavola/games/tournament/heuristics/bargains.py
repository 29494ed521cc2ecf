"""The offer that a seat would make now: goods that both sides may like, and sous that share the gain between them.

One card is offered for another, for sous, or sous for a card; where it helps a second card goes with either side. What
the other side may gain is not seen: a card is worth to it what it is worth to most, more where somebody cries for it.
Each time a seat offers again in a round it leaves the other side a greater part.
"""
# mypy: allow-untyped-defs, no-check-untyped-defs

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
"""Sous that make a deal worth while."""
OPENING_GAIN = 0.02
"""The same for the first offer of a round: everybody lays out something."""
SHARES = np.array([0.25, 0.4, 0.55, 0.7, 0.8, 0.9, 0.9])
"""The part of the gain of both that is left to the other side, by the offers that one has published in the round."""
USUAL_WORTH = 1.5
"""Sous that a card is worth to most."""
USUAL_JOKER_WORTH = 2.5
WANTED_WORTH = 1.5
"""Sous that a card is worth more to who cries for it."""
COUNTER_GAIN = 0.1
"""Sous that one wants to gain by an offer that answers another's."""
NEAR = 2
"""Sous at most that such an answer to a cry is off what was cried."""
SOUS = 2 * MOST_CARDS
TERMS = SOUS + 1
"""The terms of an offer in one array: cards given and asked (0 none, else the card's number and one), sous it pays."""


# What others want


@compiled
def usual_worths(t, seat, usual):
    """Write into `usual` what one card of each sort is probably worth to who buys or sells it."""
    for sort in range(SORT_COUNT):
        usual[sort] = USUAL_JOKER_WORTH if sort == JOKER_SORT else USUAL_WORTH
    for maker in range(t.players):
        if maker != seat:
            for place in range(t.published[maker]):
                offer = t.offers[maker, place]
                if offer.to == TO_ALL:
                    for sort in range(SORT_COUNT):
                        usual[sort] += WANTED_WORTH * ((offer.asks[sort] > 0) - np.int64(offer.gives[sort] > 0))


@compiled
def _most_sous(t, seat, to):
    """Return the most sous that an addressee has."""
    if to != TO_ALL:
        return np.int64(t.purse[to - 1])
    most = np.int64(0)
    for other in range(t.players):
        if other != seat:
            most = max(most, np.int64(t.purse[other]))
    return most


# The obvious offer


@compiled
def plan_offer(t, hand, seat, to, terms):
    """Write the terms of the offer that looks best into `terms`; return what it would bring, in sous, 0 for none."""
    cards, jokers = np.int64(hand.cards), np.int64(hand.jokers)
    usual = np.zeros(SORT_COUNT)
    usual_worths(t, seat, usual)
    now = worth(t, seat, cards, jokers)
    share = SHARES[t.published[seat]]
    most = _most_sous(t, seat, to)
    best = 0.0
    terms[:] = 0
    for given in range(SORT_COUNT + 1):
        if not _holds(cards, jokers, given, 1):
            continue
        left, left_jokers = _without(cards, jokers, given, 1)
        for asked in range(SORT_COUNT + 1):
            if asked == given or _stands(t, seat, to, given, asked):
                continue
            own = worth_with(t, seat, left, left_jokers, asked, np.int64(asked < SORT_COUNT)) - now
            others = _usual(usual, given) - _usual(usual, asked)
            profit = _profit(t, seat, most, own, others, share, given < SORT_COUNT, asked < SORT_COUNT, terms, best)
            if profit > best:
                best = profit
                _write(cards, terms, given, asked)
    if best > 0.0:
        return _with_second(t, seat, cards, jokers, usual, now, share, most, terms, best)
    return 0.0 if t.published[seat] else _sale(t, seat, cards, jokers, now, most, terms)


@compiled
def _sale(t, seat, cards, jokers, now, most, terms):
    """Write what is missed least, for sous that are worth it; return what that brings, 0 if nobody has so many."""
    sort, least = SORT_COUNT, 0.0
    for given in range(SORT_COUNT):
        if _holds(cards, jokers, given, 1):
            left, left_jokers = _without(cards, jokers, given, 1)
            loss = now - worth(t, seat, left, left_jokers)
            if sort == SORT_COUNT or loss < least:
                sort, least = given, loss
    charge = np.int64(np.ceil(least + GAIN))
    if sort == SORT_COUNT or charge > min(most, MOST_PAID):
        return 0.0
    _write(cards, terms, sort, SORT_COUNT)
    terms[SOUS] = -charge
    return charge - least


@compiled
def _profit(t, seat, most, own, others, share, gives, asks, terms, best):
    """Return what goods bring with the sous that share the gain; where that is more than `best` write the sous."""
    both, enough = own + others, GAIN if t.published[seat] else OPENING_GAIN
    if both <= enough or not (gives or asks):
        return 0.0
    sous = np.int64(np.floor(share * both - others + 0.5))
    if not gives:
        sous = max(sous, 1)
    if not asks:
        sous = min(sous, -1)
    sous = max(min(sous, np.int64(t.purse[seat]), MOST_PAID), -most, -MOST_PAID)
    if (not gives and sous < 1) or (not asks and sous > -1) or others + sous < 0.0:
        return 0.0
    profit = own - sous
    if profit <= enough:
        return 0.0
    if profit > best:
        terms[SOUS] = sous
    return profit


@compiled
def _with_second(t, seat, cards, jokers, usual, now, share, most, terms, best):
    """Two for one, where that is better for both: a second card goes with what is given, or with what is asked."""
    given, asked = _sort_of(terms[0]), _sort_of(terms[MOST_CARDS])
    left, left_jokers = _without(cards, jokers, given, 1)
    asked_count, others = np.int64(asked < SORT_COUNT), _usual(usual, given) - _usual(usual, asked)
    second, side = SORT_COUNT, 0
    if given < SORT_COUNT and asked < SORT_COUNT:
        for sort in range(SORT_COUNT):
            if sort != asked and _holds(left, left_jokers, sort, 1):
                less, fewer_jokers = _without(left, left_jokers, sort, 1)
                own = worth_with(t, seat, less, fewer_jokers, asked, asked_count) - now
                profit = _profit(t, seat, most, own, others + usual[sort], share, True, True, terms, best)
                if profit > best:
                    best, second, side = profit, sort, 0
            if sort not in (given, asked):
                more, more_jokers = _with(t, left, left_jokers, sort)
                own = worth_with(t, seat, more, more_jokers, asked, asked_count) - now
                profit = _profit(t, seat, most, own, others - usual[sort], share, True, True, terms, best)
                if profit > best:
                    best, second, side = profit, sort, 1
    if second < SORT_COUNT:
        _add_second(left, terms, second, side)
    return best


@compiled
def _add_second(left, terms, sort, side):
    """A second card on one side; both ascend."""
    first = side * MOST_CARDS
    terms[first + 1] = _card_of(left if side == 0 else np.int64(0), sort) + 1
    if terms[first + 1] < terms[first]:
        terms[first], terms[first + 1] = terms[first + 1], terms[first]


@compiled
def finish_offer(t, hand, seat, draft, terms):
    """Write the terms of an offer with the goods of a draft; return what it would bring, in sous, 0 for none."""
    usual = np.zeros(SORT_COUNT)
    usual_worths(t, seat, usual)
    others = 0.0
    for k in range(MOST_CARDS):
        terms[k] = draft.given[k]
        terms[MOST_CARDS + k] = draft.asked[k]
        others += _usual(usual, _sort_of(draft.given[k])) - _usual(usual, _sort_of(draft.asked[k]))
    own = _worth_if_exchanged(t, hand, seat, draft) - worth(t, seat, np.int64(hand.cards), np.int64(hand.jokers))
    most, share = _most_sous(t, seat, np.int64(draft.to)), SHARES[t.published[seat]]
    return _profit(t, seat, most, own, others, share, draft.given[0] > 0, draft.asked[0] > 0, terms, 0.0)


@compiled
def _usual(usual, sort):
    return usual[sort] if sort < SORT_COUNT else 0.0


@compiled
def _holds(cards, jokers, sort, count):
    if sort == JOKER_SORT:
        return jokers >= count
    return sort == SORT_COUNT or count_members(cards & KIND_CARDS[sort]) >= count


@compiled
def _without(cards, jokers, sort, count):
    """A hand without its lowest cards of a sort."""
    for _ in range(count):
        if sort == JOKER_SORT:
            jokers -= 1
        elif sort < KIND_COUNT:
            cards &= ~(1 << lowest_of(cards, sort))
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
    """Return the lowest card of a sort among cards; of none the lowest there is, which stands for any of its kind."""
    if sort == JOKER_SORT:
        return np.int64(JOKER)
    return np.int64(lowest_of(cards, sort)) if cards & KIND_CARDS[sort] else np.int64(TOP * sort)


@compiled
def _write(cards, terms, given, asked):
    terms[0] = _card_of(cards, given) + 1 if given < SORT_COUNT else 0
    terms[MOST_CARDS] = _card_of(np.int64(0), asked) + 1 if asked < SORT_COUNT else 0


@compiled
def _stands(t, seat, to, given, asked):
    """Return whether the seat offers these goods to all already, alone or with others."""
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


# Another's offer, and the answer to it


@compiled
def worth_after(t, hand, seat, maker, place):
    """Return what a hand is worth when an offer to it has been accepted, without the sous."""
    offer, terms = t.offers[maker, place], hand.terms[maker, place]
    cards, jokers = np.int64(hand.cards), np.int64(hand.jokers)
    if offer.to == TO_ALL:
        for kind in range(KIND_COUNT):
            for _ in range(offer.asks[kind]):
                left = cards & KIND_CARDS[kind]
                cards &= ~(left & -left)
        for kind in range(KIND_COUNT):
            cards = with_typical(t, cards, kind, offer.gives[kind])
        jokers += offer.gives[JOKER_SORT] - offer.asks[JOKER_SORT]
    else:
        cards = cards & ~answer_request(cards, terms.asked) | card_set(terms.given)
        jokers += jokers_in(terms.given) - jokers_in(terms.asked)
    return worth(t, seat, cards, jokers)


@compiled
def worth_if_taken(t, hand, seat, place):
    """Return what a hand is worth when somebody accepts its own offer, without the sous."""
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
def plan_answer(t, hand, seat, maker, terms):
    """Write the whisper that answers offers of `maker` into `terms`; return what it would bring, in sous, 0 for none.

    Each whisper to the seat is answered: the same goods for sous that suit it, or else what it would like from him. A
    cry is where little lacks. One answer stands for each whisper, or for all cries.
    """
    whispers, last = _whispers(t, maker, seat)
    answers, _ = _whispers(t, seat, maker)
    if whispers > answers:
        if _return_offer(t, hand, seat, maker, last, MOST_PAID, terms):
            return COUNTER_GAIN
        return plan_offer(t, hand, seat, maker + 1, terms)
    if not whispers and not answers and not np.int64(t.done) >> maker & 1:
        for place in range(t.published[maker]):
            if t.offers[maker, place].to == TO_ALL and _return_offer(t, hand, seat, maker, place, NEAR, terms):
                return COUNTER_GAIN
    return 0.0


@compiled
def _whispers(t, maker, to):
    """Return how many whispers of a maker to a seat stand, and the last of them."""
    count, last = 0, np.int64(-1)
    for place in range(t.published[maker]):
        if t.offers[maker, place].to == to + 1:
            count += 1
            last = np.int64(place)
    return count, last


@compiled
def _return_offer(t, hand, seat, maker, place, most, terms):
    """Offer the maker his own goods for at most so many sous more than he offers; return whether that can be."""
    offer = t.offers[maker, place]
    if not (offer.given or offer.asked) or not _copy_goods(hand, seat, maker, place, offer, terms):
        return False
    now = worth(t, seat, np.int64(hand.cards), np.int64(hand.jokers))
    gained = worth_after(t, hand, seat, maker, place) - now
    wanted = np.int64(np.ceil(COUNTER_GAIN - gained))
    offered = np.int64(offer.pay) - offer.charge
    terms[SOUS] = -wanted
    if (
        not (wanted or (offer.given and offer.asked))
        or (wanted > 0 and not offer.asked)
        or (wanted < 0 and not offer.given)
    ):
        return False
    return offered < wanted <= min(offered + most, t.purse[maker], MOST_PAID) and -wanted <= min(
        t.purse[seat], MOST_PAID
    )


@compiled
def _copy_goods(hand, seat, maker, place, offer, terms):
    """Write what an offer asks as given, and what it gives as asked; return whether the hand has it."""
    terms[:] = 0
    if offer.to != TO_ALL:
        cards, listed = answer_request(np.int64(hand.cards), hand.terms[maker, place].asked), hand.terms[maker, place]
        if cards < 0 or jokers_in(listed.asked) > hand.jokers:
            return False
        for k in range(MOST_CARDS):
            terms[MOST_CARDS + k] = listed.given[k]
        return _list_cards(cards, jokers_in(listed.asked), terms)
    cards, count = np.int64(0), MOST_CARDS
    for sort in range(SORT_COUNT):
        if not _holds(np.int64(hand.cards), hand.jokers, sort, offer.asks[sort]):
            return False
        for _ in range(offer.asks[sort] if sort < KIND_COUNT else 0):
            cards |= 1 << lowest_of(np.int64(hand.cards) & ~cards, sort)
        for _ in range(offer.gives[sort]):
            terms[count] = TOP * sort + 1
            count += 1
    return _list_cards(cards, offer.asks[JOKER_SORT], terms)


@compiled
def _list_cards(cards, jokers, terms):
    """Write cards as given, the jokers last."""
    count = 0
    while cards:
        terms[count] = lowest_member(cards) + 1
        cards &= cards - 1
        count += 1
    for _ in range(jokers):
        terms[count] = JOKER + 1
        count += 1
    return True
