"""Redeals: a random full state that agrees with a view. Certain cards come first, then inferred ones, then the others.

Certain are the cards noted and those in offers whispered to the seat. Inferred are the kinds that makers of announced
offers hold, the full sets of duellists, and the cards that may be on the discard pile. The notes and drafts of others
are left empty; their whispers to each other are filled with any possible cards.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import clear_record, compiled, count_members, lowest_member, random_below, random_member
from tavola.games.tournament.cards import KIND_CARDS, card_set, deck, has_spare_joker, jokers_in, put_card, take_card
from tavola.games.tournament.components import (
    CORNERS,
    DECK,
    JOKER,
    JOKER_SORT,
    JOKERS,
    KIND_COUNT,
    OFFERS,
    SEATS,
    SORT_COUNT,
    TO_ALL,
    TOP,
    Phase,
    Will,
)
from tavola.games.tournament.duels import duellists, right_corner
from tavola.games.tournament.market import copy_terms
from tavola.games.tournament.rounds import pack

FORFEIT_ODDS = 8
"""One seat in `FORFEIT_ODDS` forfeits; one in half as many points at a random corner."""


@compiled
def redeal(s, seat, rng):
    """Fill the other hands and the pile at random, consistent with what `seat` sees."""
    t = s.table
    for other in range(t.players):
        if other != seat:
            clear_record(s.hand[other])
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
    """Put every card into the box, for now, except the seat's own and those on boxes that it sees."""
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
    """R6: every card of another seat comes from the pack that was dealt at its place."""
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
    """R12: deal the cards noted of a hand, and those that its owner offers the seat in a whisper."""
    note, hand = s.hand[seat].known[other], s.hand[other]
    hand.cards = note.cards
    hand.jokers = note.jokers
    for place in range(OFFERS):
        hand.cards |= card_set(s.hand[seat].terms[other, place].given)
    s.box.cards &= ~np.int64(hand.cards)
    s.box.jokers -= hand.jokers


@compiled
def _redeal_secrets(s, seat, rng):
    """Redeal the secret decisions of others: most fight, and most point right."""
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
    """R18: lay any card that is allowed on a box."""
    among = hand.cards & KIND_CARDS[box]
    joker = has_spare_joker(hand, box) and not random_below(rng, count_members(among) + 1)
    card = JOKER if joker else random_member(among, rng)
    take_card(hand, card)
    hand.laid[box] = card + 1


@compiled
def _redeal_offers(s, seat, rng):
    """R10: set the cards of every offer: those that the seat knows, and any others."""
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
    """Draw any cards of the maker's hand that match the offer; for a whisper, ask for any kinds."""
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


# Deal the hidden cards so that every hand holds what is publicly known of it, each such deal equally likely. A random
# deal usually does. If none of a few does, each hand gets the least that it must hold, and then any cards. That favours
# some deals: so cards change places at random, if both hands still hold what they must, until no trace of the start is
# left. Jokers count as different cards in this, as in a shuffled pack.

MOST_DEALS = 8
"""Deals that are discarded because a hand lacks what it must hold, before one is constructed."""
SWAPS_A_CARD = 12
"""Attempted swaps for each hidden card, and again for each that was discarded."""
PILE_OWNER = SEATS


@compiled
def deal_hidden_cards(s, seat, rng):
    """Deal from the box to the other hands, which already hold what `seat` is sure of; the rest is the pile."""
    sure = _count_by_sort(s, seat)
    least, armed = _least_by_sort(s, seat, sure), _seats_with_set(s.table, seat)
    free, jokers = np.int64(s.box.cards), np.int64(s.box.jokers)
    _deal_any(s, seat, rng)
    for _ in range(MOST_DEALS):
        if _all_hold_least(s, seat, least, armed):
            return
        _take_back(s, seat, free, jokers, sure)
        _deal_any(s, seat, rng)
    _take_back(s, seat, free, jokers, sure)
    _deal_least(s, seat, least, rng)
    _deal_sets(s, seat, armed, rng)
    _deal_any(s, seat, rng)
    _swap_cards(s, seat, free, sure, least, armed, rng)


@compiled
def _deal_any(s, seat, rng):
    t = s.table
    pile = draw_any(s.box.cards & t.discarded, t.pile, rng)
    s.box.cards &= ~pile
    for other in range(t.players):
        if other != seat:
            for _ in range(_room(t, s.hand[other], other)):
                deal_card(s, other, _draw_card(s.box, rng))
    s.box.cards = pile


@compiled
def _take_back(s, seat, free, jokers, sure):
    """Put all cards back into the box except those that `seat` is sure of."""
    for other in range(s.table.players):
        if other != seat:
            s.hand[other].cards &= ~free
            s.hand[other].jokers = sure[other, JOKER_SORT]
    s.box.cards = free
    s.box.jokers = jokers


@compiled
def _all_hold_least(s, seat, least, armed):
    held, enough = _count_by_sort(s, seat), True
    for other in range(s.table.players):
        enough &= other == seat or _holds_least(held, least, armed, other)
    return enough


# Public knowledge


@compiled
def _count_by_sort(s, seat):
    held = np.zeros((SEATS + 1, SORT_COUNT), np.int64)
    for other in range(s.table.players):
        if other != seat:
            for kind in range(KIND_COUNT):
                held[other, kind] = count_members(s.hand[other].cards & KIND_CARDS[kind])
            held[other, JOKER_SORT] = s.hand[other].jokers
    return held


@compiled
def _least_by_sort(s, seat, sure):
    """Return the least number of cards of each sort in the other hands: a seat that offers two swords has two (R10)."""
    t, least = s.table, sure.copy()
    if t.phase == Phase.TRADE:
        for other in range(t.players):
            if other != seat:
                for place in range(t.published[other]):
                    for sort in range(SORT_COUNT):
                        least[other, sort] = max(least[other, sort], t.offers[other, place].gives[sort])
                    whispered = jokers_in(s.hand[seat].terms[other, place].given)
                    least[other, JOKER_SORT] = max(least[other, JOKER_SORT], whispered)
    return least


@compiled
def _seats_with_set(t, seat):
    """R15: a seat that is asked to fight has a full set."""
    return duellists(t) & ~(1 << np.int64(seat)) if t.phase in (Phase.BALLOT, Phase.ARMING) else np.int64(0)


# The deal to start with


@compiled
def _deal_least(s, seat, least, rng):
    for other in range(s.table.players):
        if other != seat:
            hand = s.hand[other]
            for kind in range(KIND_COUNT):
                for _ in range(least[other, kind] - count_members(hand.cards & KIND_CARDS[kind])):
                    deal_card(s, other, _draw_of_kind(s, kind, rng))
            for _ in range(least[other, JOKER_SORT] - hand.jokers):
                deal_card(s, other, JOKER)


@compiled
def _draw_of_kind(s, kind, rng):
    """Draw a card of a kind, if possible one that was never discarded, since the pile needs discarded ones."""
    among = s.box.cards & KIND_CARDS[kind]
    fresh = among & ~np.int64(s.table.discarded)
    return np.int64(random_member(fresh if fresh else among, rng))


@compiled
def _deal_sets(s, seat, armed, rng):
    """Complete the sets of the seats in `armed`, two at most, with cards for as many missing kinds as possible."""
    if not armed:
        return
    one = np.int64(lowest_member(armed))
    other = np.int64(lowest_member(armed & (armed - 1))) if armed & (armed - 1) else one
    first, second = _lacking_kinds(s, one), _lacking_kinds(s, other) if other != one else np.int64(0)
    for some in range(first, -1, -1):
        for more in range(second, -1, -1):
            if not (some & ~first | more & ~second) and _completes_sets(s, one, other, first, second, some, more):
                _deal_set(s, one, some, first, rng)
                _deal_set(s, other, more, second, rng)
                return


@compiled
def _lacking_kinds(s, seat):
    kinds = np.int64(0)
    for kind in range(KIND_COUNT):
        if not s.hand[seat].cards & KIND_CARDS[kind]:
            kinds |= 1 << np.int64(kind)
    return kinds


@compiled
def _jokers_needed(hand, lacking, kinds):
    """Return how many more jokers complete a set, once there are cards for `kinds` of the kinds it lacks."""
    return max(0, count_members(lacking) - count_members(kinds) - hand.jokers)


@compiled
def _completes_sets(s, one, other, first, second, some, more):
    """Return whether cards of the kinds `some` for one hand, `more` for the other, and jokers complete both sets.

    No card is given if a joker in the hand already replaces it: there may be no room for it.
    """
    t = s.table
    for hand, lacking, kinds in ((s.hand[one], first, some), (s.hand[other], second, more)):
        if count_members(kinds) > max(0, count_members(lacking) - hand.jokers):
            return False
    if _jokers_needed(s.hand[one], first, some) + _jokers_needed(s.hand[other], second, more) > s.box.jokers:
        return False
    lain = 0
    for kind in range(KIND_COUNT):
        wanted = (some >> kind & 1) + (more >> kind & 1)
        among = s.box.cards & KIND_CARDS[kind]
        if wanted > count_members(among):
            return False
        lain += max(0, wanted - count_members(among & ~np.int64(t.discarded)))
    return lain <= count_members(s.box.cards & t.discarded) - t.pile


@compiled
def _deal_set(s, other, kinds, lacking, rng):
    jokers = _jokers_needed(s.hand[other], lacking, kinds)
    for kind in range(KIND_COUNT):
        if kinds >> kind & 1:
            deal_card(s, other, _draw_of_kind(s, kind, rng))
    for _ in range(jokers):
        deal_card(s, other, JOKER)


@compiled
def deal_card(s, other, card):
    take_card(s.box, card)
    put_card(s.hand[other], card)


@compiled
def draw_any(cards, count, rng):
    found = np.int64(0)
    for _ in range(count):
        found |= 1 << np.int64(random_member(cards & ~found, rng))
    return found


@compiled
def _draw_card(pile, rng):
    if random_below(rng, count_members(pile.cards) + pile.jokers) < pile.jokers:
        return np.int64(JOKER)
    return np.int64(random_member(pile.cards, rng))


@compiled
def count_laid(t, seat):
    if t.phase != Phase.ARMING or not duellists(t) >> seat & 1:
        return 0
    return np.int64(t.duel.box) + (t.duel.chosen >> seat & 1)


@compiled
def _room(t, hand, other):
    """Return how many cards must still be dealt to a hand, those on boxes included."""
    return t.held[other] + count_laid(t, other) - count_members(hand.cards) - hand.jokers


# Swaps, until all deals are equally likely


@compiled
def _swap_cards(s, seat, free, sure, least, armed, rng):
    """Swap any cards, and as often those that were discarded: few others, or none, can take their place on the pile."""
    cards, owners = np.zeros(DECK, np.int64), np.zeros(DECK, np.int64)
    held, discarded = _count_by_sort(s, seat), np.int64(s.table.discarded)
    lain = _take_movable(s, seat, free & discarded, cards, owners, 0)
    count = _take_movable_jokers(s, seat, sure, cards, owners, _take_movable(s, seat, free, cards, owners, lain))
    for _ in range(SWAPS_A_CARD):
        for among in (count, lain):
            for _ in range(among):
                one, other = random_below(rng, among), random_below(rng, among)
                if _try_swap(held, least, armed, discarded, owners[one], owners[other], cards[one], cards[other]):
                    owners[one], owners[other] = owners[other], owners[one]
    for k in range(count):
        if owners[k] == PILE_OWNER:
            put_card(s.box, cards[k])
        else:
            put_card(s.hand[owners[k]], cards[k])


@compiled
def _take_movable(s, seat, free, cards, owners, count):
    """Take the cards in `free` from the other hands and the pile; list them with their owners, and return how many."""
    for owner in range(s.table.players):
        if owner != seat:
            hand = s.hand[owner]
            count = _list_all(hand.cards & free, owner, cards, owners, count)
            hand.cards &= ~free
    count = _list_all(s.box.cards & free, PILE_OWNER, cards, owners, count)
    s.box.cards &= ~free
    return count


@compiled
def _take_movable_jokers(s, seat, sure, cards, owners, count):
    for owner in range(s.table.players):
        if owner != seat:
            hand = s.hand[owner]
            while hand.jokers > sure[owner, JOKER_SORT]:
                hand.jokers -= 1
                cards[count], owners[count] = JOKER, owner
                count += 1
    return count


@compiled
def _list_all(among, owner, cards, owners, count):
    left = np.int64(among)
    while left:
        cards[count], owners[count] = lowest_member(left), owner
        count += 1
        left &= left - 1
    return count


@compiled
def _try_swap(held, least, armed, discarded, one, other, gives, gets):
    """Return whether owners can exchange two cards; if so, exchange them in `held`, the counts by owner and sort."""
    if (
        one == other
        or (one == PILE_OWNER and not _may_lie_on_pile(discarded, gets))
        or (other == PILE_OWNER and not _may_lie_on_pile(discarded, gives))
    ):
        return False
    given, got = gives // TOP, gets // TOP
    if given == got:
        return True
    _swap_counts(held, one, other, given, got)
    if _holds_least(held, least, armed, one) and _holds_least(held, least, armed, other):
        return True
    _swap_counts(held, other, one, given, got)
    return False


@compiled
def _may_lie_on_pile(discarded, card):
    """Return whether a card can be on the pile: it was discarded, and not seen since."""
    return card != JOKER and discarded >> card & 1


@compiled
def _swap_counts(held, one, other, given, got):
    held[one, given] -= 1
    held[one, got] += 1
    held[other, got] -= 1
    held[other, given] += 1


@compiled
def _holds_least(held, least, armed, owner):
    """Return whether a hand holds what is publicly known of it; always true of the pile."""
    if owner == PILE_OWNER:
        return True
    lacking = 0
    for sort in range(SORT_COUNT):
        if held[owner, sort] < least[owner, sort]:
            return False
        lacking += sort < KIND_COUNT and not held[owner, sort]
    return not armed >> owner & 1 or lacking <= held[owner, JOKER_SORT]
