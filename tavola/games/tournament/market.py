"""Barter: offers are built, published, accepted and withdrawn; the first to act is served. Compiled."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import clear_record, compiled, copy_record, count_members, lowest_member
from tavola.games.tournament.cards import KIND_CARDS, answer_request, card_set, jokers_in
from tavola.games.tournament.components import (
    JOKER,
    JOKER_SORT,
    JOKERS,
    KIND_COUNT,
    MOST_CARDS,
    MOST_PAID,
    OFFER_ALL,
    OFFERS,
    SEATS,
    TO_ALL,
    TOP,
    TOP_VALUE,
    First,
)
from tavola.games.tournament.knowledge import note_cards_lost, note_exchange, note_sorts_lost


@compiled
def legal_trade(s, seat, actions):
    """R7 to R10: extend a draft or begin one, accept, withdraw; `done` is always legal."""
    t, hand = s.table, s.hand[seat]
    if hand.draft.to:
        count = _legal_draft(t, hand, seat, actions)
    else:
        count = _legal_offer(t, seat, actions)
        count = _legal_answers(t, hand, seat, actions, count)
    actions[count] = First.DONE
    return count + 1


@compiled
def _legal_offer(t, seat, actions):
    count = 0
    if t.published[seat] == t.offer_limit:
        return count
    for other in range(t.players):
        if other != seat:
            actions[count] = First.OFFER + other
            count += 1
    actions[count] = OFFER_ALL
    return count + 1


@compiled
def _legal_answers(t, hand, seat, actions, count):
    for maker in range(t.players):
        if maker != seat:
            for place in range(t.published[maker]):
                if can_accept(t, hand, seat, maker, place):
                    actions[count] = First.ACCEPT + maker * OFFERS + place
                    count += 1
    for place in range(t.published[seat]):
        if t.offers[seat, place].to:
            actions[count] = First.WITHDRAW + place
            count += 1
    return count


@compiled
def can_accept(t, hand, seat, maker, place):
    """R9: the offer is for the seat, and it has the cards and the sous."""
    offer = t.offers[maker, place]
    if offer.to == seat + 1:
        asked = hand.terms[maker, place].asked
        if jokers_in(asked) > hand.jokers or answer_request(hand.cards, asked) < 0:
            return False
    elif offer.to != TO_ALL or not _has_sorts(hand, offer.asks):
        return False
    return offer.charge <= t.purse[seat]


@compiled
def _has_sorts(hand, sorts):
    for kind in range(KIND_COUNT):
        if sorts[kind] and count_members(hand.cards & KIND_CARDS[kind]) < sorts[kind]:
            return False
    return sorts[JOKER_SORT] <= hand.jokers


@compiled
def _legal_draft(t, hand, seat, actions):
    """R8: cards given, cards asked for, sous, in this order; then it can be published."""
    draft = hand.draft
    given, asked = _count_listed(draft.given), _count_listed(draft.asked)
    count = 0
    if not draft.pay and not draft.charge:
        if not asked and given < MOST_CARDS:
            count = _legal_give(hand, given, actions, count)
        if asked < MOST_CARDS:
            count = _legal_ask(t, draft, asked, actions, count)
        count = _list_successive(First.PAY, min(t.purse[seat], MOST_PAID), actions, count)
        count = _list_successive(First.CHARGE, min(_most_sous(t, seat, draft.to), MOST_PAID), actions, count)
    if given or asked or draft.pay or draft.charge:
        actions[count] = First.PUBLISH
        count += 1
    return count


@compiled
def _count_listed(cards):
    count = 0
    while count < MOST_CARDS and cards[count]:
        count += 1
    return count


@compiled
def _most_sous(t, seat, to):
    if to != TO_ALL:
        return t.purse[to - 1]
    most = t.purse[(seat + 1) % t.players]
    for other in range(t.players):
        if other != seat:
            most = max(most, t.purse[other])
    return most


@compiled
def _list_successive(first, length, actions, count):
    """List `length` successive actions from `first` on, at most `MOST_PAID`.

    As many are always written, since loops of fixed length are faster. There is room: no position allows every action.
    """
    for k in range(MOST_PAID):
        actions[count + k] = first + k
    return count + length


@compiled
def _legal_give(hand, given, actions, count):
    last = np.int64(hand.draft.given[given - 1]) if given else 0
    left = np.int64(hand.cards) >> min(last, JOKER) << min(last, JOKER)
    while left:
        actions[count] = First.GIVE + lowest_member(left)
        count += 1
        left &= left - 1
    if hand.jokers > jokers_in(hand.draft.given):
        actions[count] = First.GIVE + JOKER
        count += 1
    return count


@compiled
def _legal_ask(t, draft, asked, actions, count):
    """List any card of this match for a whisper; if announced, only kinds, each by its lowest card."""
    last = np.int64(draft.asked[asked - 1]) if asked else 0
    begin = max(last - 1, 0)
    top = 1 if draft.to == TO_ALL else TOP_VALUE[t.players]
    for kind in range(begin // TOP, KIND_COUNT):
        lowest = max(begin, kind * TOP)
        count = _list_successive(First.ASK + lowest, max(kind * TOP + top - lowest, 0), actions, count)
    if jokers_in(draft.asked) < JOKERS[t.players]:
        actions[count] = First.ASK + JOKER
        count += 1
    return count


@compiled
def apply_trade(s, seat, action):
    draft = s.hand[seat].draft
    if action == First.DONE:
        clear_record(draft)
        s.table.done |= 1 << seat
    elif action >= First.WITHDRAW:
        clear_offer(s, seat, action - First.WITHDRAW)
    elif action >= First.ACCEPT:
        _accept(s, seat, (action - First.ACCEPT) // OFFERS, (action - First.ACCEPT) % OFFERS)
    elif action == First.PUBLISH:
        _publish(s, seat)
    else:
        _extend_draft(draft, action)


@compiled
def _extend_draft(draft, action):
    if action >= First.CHARGE:
        draft.charge = action - First.CHARGE + 1
    elif action >= First.PAY:
        draft.pay = action - First.PAY + 1
    elif action >= First.ASK:
        draft.asked[_count_listed(draft.asked)] = action - First.ASK + 1
    elif action >= First.GIVE:
        draft.given[_count_listed(draft.given)] = action - First.GIVE + 1
    else:
        draft.to = action - First.OFFER + 1


@compiled
def _publish(s, seat):
    """R10: seats that the offer is for are no longer done."""
    t, hand = s.table, s.hand[seat]
    draft, place = hand.draft, t.published[seat]
    offer = t.offers[seat, place]
    t.published[seat] += 1
    offer.to = draft.to
    offer.given = _count_listed(draft.given)
    offer.asked = _count_listed(draft.asked)
    offer.pay = draft.pay
    offer.charge = draft.charge
    copy_terms(hand.terms[seat, place], draft)
    if draft.to == TO_ALL:
        for k in range(offer.given):
            offer.gives[(draft.given[k] - 1) // TOP] += 1
        for k in range(offer.asked):
            offer.asks[(draft.asked[k] - 1) // TOP] += 1
        t.done = 0
    else:
        copy_terms(s.hand[draft.to - 1].terms[seat, place], draft)
        t.done &= ~(1 << np.int64(draft.to - 1))
    clear_record(draft)


@compiled
def copy_terms(terms, source):
    for k in range(len(terms.given)):  # a loop, since slices of unknown length would compile an error message
        terms.given[k] = source.given[k]
        terms.asked[k] = source.asked[k]


@compiled
def _accept(s, taker, maker, place):
    """R11: both consent, and everything changes hands."""
    t = s.table
    offer, terms = t.offers[maker, place], s.hand[maker].terms[maker, place]
    given, given_jokers = card_set(terms.given), jokers_in(terms.given)
    taken, taken_jokers = answer_request(s.hand[taker].cards, terms.asked), jokers_in(terms.asked)
    _record_sale(t, maker, taker, place)
    if offer.to == TO_ALL:
        note_sorts_lost(s, maker, taker, offer.gives)
        note_sorts_lost(s, taker, maker, offer.asks)
    else:
        note_cards_lost(s, maker, taker, offer.given)
        note_cards_lost(s, taker, maker, offer.asked)
    _hand_over(s, maker, taker, given, given_jokers, offer.pay)
    _hand_over(s, taker, maker, taken, taken_jokers, offer.charge)
    note_exchange(s, maker, taker, given, given_jokers, taken, taken_jokers)
    t.held[maker] += offer.asked - offer.given
    t.held[taker] += offer.given - offer.asked
    t.done &= ~(1 << maker)
    clear_offer(s, maker, place)
    for partner in (maker, taker):
        clear_record(s.hand[partner].draft)
        _lapse_broken_offers(s, partner)


@compiled
def _hand_over(s, giver, taker, cards, jokers, sous):
    t = s.table
    s.hand[giver].cards &= ~cards
    s.hand[giver].jokers -= jokers
    s.hand[taker].cards |= cards
    s.hand[taker].jokers += jokers
    t.purse[giver] -= sous
    t.purse[taker] += sous


@compiled
def _record_sale(t, maker, taker, place):
    t.sales += 1
    t.sale.maker = maker + 1
    t.sale.taker = taker + 1
    t.sale.number = place + 1
    copy_record(t.sale.terms, t.offers[maker, place])


@compiled
def open_market(t):
    """R7: begin with all seats trading, no offers and no deals."""
    t.done = 0
    t.sales = 0
    clear_record(t.sale)
    for seat in range(t.players):
        t.published[seat] = 0


@compiled
def _lapse_broken_offers(s, maker):
    """R11: remove offers that their maker can no longer honour."""
    t, hand = s.table, s.hand[maker]
    for place in range(t.published[maker]):
        offer, given = t.offers[maker, place], hand.terms[maker, place].given
        if offer.to and (card_set(given) & ~hand.cards or jokers_in(given) > hand.jokers or offer.pay > t.purse[maker]):
            clear_offer(s, maker, place)


@compiled
def lapse_offers(s):
    """R13: all offers lapse when the barter ends."""
    t = s.table
    for maker in range(t.players):
        for place in range(t.published[maker]):
            if t.offers[maker, place].to:
                clear_offer(s, maker, place)


@compiled
def clear_offer(s, maker, place):
    """Remove an offer, and its cards from the lists of the seats that know them."""
    offer = s.table.offers[maker, place]
    if offer.to <= SEATS:
        clear_record(s.hand[offer.to - 1].terms[maker, place])
    clear_record(s.hand[maker].terms[maker, place])
    clear_record(offer)
