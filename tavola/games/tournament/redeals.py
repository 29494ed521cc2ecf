"""A random full state that agrees with a view: what the seat is sure of first, then what can be told, then any card.

Certain are the cards noted and those that stand in offers whispered to the seat. It can be told which kinds a maker of
cried offers holds, that duellists have a full set, and which cards may lie on the discard pile. What others know,
what they are building, and what they whisper to each other is redealt as nothing, or as anything that can be.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled, count_members, lowest_member, random_below, random_member
from tavola.games.tournament.cards import KIND_CARDS, card_set, deck, has_spare_joker, take_card
from tavola.games.tournament.components import (
    CORNERS,
    JOKER,
    JOKER_SORT,
    JOKERS,
    KIND_COUNT,
    OFFERS,
    TO_ALL,
    TOP,
    Phase,
    Will,
)
from tavola.games.tournament.constrained_deal import count_laid, deal_card, deal_hidden_cards, draw_any
from tavola.games.tournament.duels import right_corner
from tavola.games.tournament.market import clear_hand, copy_terms
from tavola.games.tournament.rounds import pack

FORFEIT_ODDS = 8
"""One in so many forfeits; one in half as many points anywhere."""


@compiled
def redeal(s, seat, rng):
    """Fill the other hands and the pile at random, in agreement with what `seat` sees."""
    t = s.table
    for other in range(t.players):
        if other != seat:
            clear_hand(s.hand[other])
    _collect_unseen(s, seat)
    if t.phase == Phase.DEAL:
        _deal_again(s, seat, rng)
        return
    for other in range(t.players):
        if other != seat:
            _deal_certain(s, seat, other)
    deal_hidden_cards(s, seat, rng)
    _redeal_offers(s, seat, rng)
    _redeal_secrets(s, seat, rng)


@compiled
def _collect_unseen(s, seat):
    """Every card that is neither in the own hand nor on a box that the seat sees lies in the box, for now."""
    t, hand = s.table, s.hand[seat]
    s.box.cards = deck(t.players) & ~np.int64(hand.cards)
    s.box.jokers = JOKERS[t.players] - hand.jokers
    for box in range(KIND_COUNT):
        if hand.laid[box]:
            take_card(s.box, hand.laid[box] - 1)
        if t.phase in (Phase.THROW, Phase.POINTING, Phase.RACE):
            for side in range(2):
                take_card(s.box, t.duel.boxes[side, box] - 1)


@compiled
def _deal_again(s, seat, rng):
    """R6: every card that another got came from the pack of its place."""
    t = s.table
    for place in range(t.dealt):
        other = place % t.players
        if other != seat:
            among = s.box.cards & pack(t, place)
            jokers = s.box.jokers if not t.deal or not among else 0
            joker = random_below(rng, count_members(among) + jokers) < jokers
            deal_card(s, other, JOKER if joker else random_member(among, rng))


@compiled
def _deal_certain(s, seat, other):
    """R12: what is noted of a hand, and the very cards that its owner offers the seat in a whisper."""
    note, hand = s.hand[seat].known[other], s.hand[other]
    hand.cards = note.cards
    hand.jokers = note.jokers
    for place in range(OFFERS):
        hand.cards |= card_set(s.hand[seat].terms[other, place].given)
    s.box.cards &= ~np.int64(hand.cards)
    s.box.jokers -= hand.jokers


@compiled
def _redeal_secrets(s, seat, rng):
    """Redeal what others have decided and not shown yet: most fight, and most point well."""
    t = s.table
    for other in range(t.players):
        if other != seat:
            hand = s.hand[other]
            for box in range(count_laid(t, other)):
                _lay_any_card(hand, box, rng)
            chosen = t.duel.chosen >> other & 1
            if chosen and t.phase == Phase.BALLOT:
                hand.will = Will.FIGHT if random_below(rng, FORFEIT_ODDS) else Will.FORFEIT
            elif chosen and t.phase == Phase.POINTING:
                hand.pointed = _likely_corner(t.duel, rng)


@compiled
def _likely_corner(duel, rng):
    if random_below(rng, FORFEIT_ODDS // 2):
        return right_corner(duel.tokens[0], duel.tokens[1], duel.tokens[2], duel.dots) + 1
    return random_below(rng, len(CORNERS)) + 1


@compiled
def _lay_any_card(hand, box, rng):
    """R18: any card that may lie on a box."""
    among = hand.cards & KIND_CARDS[box]
    joker = has_spare_joker(hand, box) and not random_below(rng, count_members(among) + 1)
    card = JOKER if joker else random_member(among, rng)
    take_card(hand, card)
    hand.laid[box] = card + 1


@compiled
def _redeal_offers(s, seat, rng):
    """R10: the cards of every offer, those that the seat knows and any others."""
    t = s.table
    for maker in range(t.players):
        for place in range(t.published[maker]):
            to = t.offers[maker, place].to
            if to:
                terms = s.hand[maker].terms[maker, place]
                if to == seat + 1:
                    copy_terms(terms, s.hand[seat].terms[maker, place])
                elif maker != seat:
                    _redeal_terms(s.hand[maker], t.offers[maker, place], terms, rng)
                if to != TO_ALL and to != seat + 1:
                    copy_terms(s.hand[to - 1].terms[maker, place], terms)


@compiled
def _redeal_terms(hand, offer, terms, rng):
    """Any cards of the maker's hand that may be what is offered; of what is asked in a whisper any kinds."""
    asked = np.zeros(KIND_COUNT + 1, np.int64)
    if offer.to == TO_ALL:
        given = np.int64(0)
        for kind in range(KIND_COUNT):
            given |= draw_any(hand.cards & KIND_CARDS[kind], offer.gives[kind], rng)
            asked[kind] = offer.asks[kind]
        asked[JOKER_SORT] = offer.asks[JOKER_SORT]
        jokers = np.int64(offer.gives[JOKER_SORT])
    else:
        jokers = np.int64(0)
        for _ in range(offer.given):
            jokers += random_below(rng, count_members(hand.cards) + hand.jokers) < hand.jokers
        jokers = max(min(jokers, hand.jokers), offer.given - count_members(hand.cards))
        given = draw_any(hand.cards, offer.given - jokers, rng)
        for _ in range(offer.asked):
            asked[random_below(rng, KIND_COUNT)] += 1
    _list_cards(terms.given, given, jokers)
    _list_sorts(terms.asked, asked)


@compiled
def _list_cards(listed, cards, jokers):
    left = np.int64(cards)
    count = 0
    while left:
        listed[count] = lowest_member(left) + 1
        left &= left - 1
        count += 1
    for k in range(count, count + jokers):
        listed[k] = JOKER + 1


@compiled
def _list_sorts(listed, sorts):
    count = 0
    for sort in range(len(sorts)):
        for _ in range(sorts[sort]):
            listed[count] = sort * TOP + 1
            count += 1
