"""Faults of positions in Tournament, as text: for position documents, and for tests at every step."""

from collections.abc import Iterator, Sequence
from itertools import chain

from tavola.core import Faults, layout
from tavola.games.tournament.components import (
    CARD_COUNT,
    CYCLE,
    DUELS_A_ROUND,
    ENDINGS,
    EVERY_VALUE,
    JOKERS,
    KIND_COUNT,
    MOST_WRONG,
    PAIRS,
    SEATS,
    SORT_COUNT,
    SOUS,
    TO_ALL,
    TOP,
    TOP_VALUE,
    Box,
    Draft,
    Duel,
    Ending,
    Hand,
    Known,
    Offer,
    Phase,
    State,
    Table,
    Terms,
)
from tavola.games.tournament.duels import right_corner

UNARMED = (Phase.BALLOT, Phase.ARMING)
JUDGED = (Phase.THROW, Phase.POINTING, Phase.RACE)
BUYING = (Phase.PURCHASE, Phase.DRAW)
SECRETS = (*UNARMED, Phase.POINTING)
NO_TERMS = Terms((0, 0, 0), (0, 0, 0))
NO_OFFER = Offer(0, 0, 0, (0,) * SORT_COUNT, (0,) * SORT_COUNT, 0, 0)


def faults(state: State) -> list[str]:
    """Return every fault of a state given in named tuples; a state that a match can reach has none."""
    found = [*_seats(state), *_cards(state), *_sous(state.table), *_phase(state.table)]
    return found or [*_market(state), *_duel(state), *_secrets(state), *_notes(state)]


def _seats(state: State) -> Iterator[str]:
    t = state.table
    if (t.out | t.done | t.duel.chosen | t.duel.bought) >> t.players:
        yield f"out, done, chosen, bought: expected seats from 0 to {t.players - 1}"
    named = (t.champion, t.sale.maker, t.sale.taker, t.duel.victor, t.duel.thrower, t.duel.buyer, t.last.victor)
    if max(*named, *(seat + 1 for seat in (*t.duel.seats, *t.last.seats))) > t.players:
        yield f"champion, sale, duel: expected seats from 0 to {t.players - 1}"
    for seat in range(t.players, SEATS):
        counts = (t.purse[seat], t.held[seat], t.won[seat], t.published[seat], t.prizes[seat], t.spent[seat])
        offers = (layout(Offer).integers(offer) for offer in t.offers[seat])
        known = (layout(Known).integers(hand.known[seat]) for hand in state.hand)
        if any(chain(counts, layout(Hand).integers(state.hand[seat]), *offers, *known)):
            yield f"seat {seat}: expected nothing for an empty seat"


def _deck(players: int) -> int:
    return sum(1 << TOP * kind + place for kind in range(KIND_COUNT) for place in range(int(TOP_VALUE[players])))


def _listed(cards: Sequence[int]) -> tuple[int, int]:
    """Return the set of the valued cards among listed ones (-1 if one is repeated) and the number of jokers."""
    valued = [card - 1 for card in cards if 0 < card < CARD_COUNT]
    return (sum(1 << card for card in set(valued)) if len(set(valued)) == len(valued) else -1), cards.count(CARD_COUNT)


def _cards(state: State) -> Iterator[str]:
    """R3: every card is in exactly one place."""
    t = state.table
    places: list[Hand | Box] = [*state.hand, state.box]
    face_up = (*t.duel.boxes[0], *t.duel.boxes[1]) if t.phase in JUDGED else ()
    lists = [_listed(cards) for cards in (*(hand.laid for hand in state.hand), face_up)]
    masks = [place.cards for place in places] + [cards for cards, _ in lists]
    if min(masks) < 0 or sum(masks) != _deck(t.players) or sum(m.bit_count() for m in masks) != sum(masks).bit_count():
        yield f"cards: expected each valued card up to {TOP_VALUE[t.players]} once"
    jokers = sum(place.jokers for place in places) + sum(count for _, count in lists)
    if jokers != JOKERS[t.players]:
        yield f"jokers: expected {JOKERS[t.players]} in all, found {jokers}"
    for seat in range(t.players):
        if t.held[seat] != state.hand[seat].cards.bit_count() + state.hand[seat].jokers:
            yield f"held.{seat}: expected the number of cards in that hand"
    if t.phase == Phase.DEAL and (t.pile or t.discarded):
        yield "pile, discarded: expected no cards before all are dealt"
    if t.phase != Phase.DEAL and (t.pile != state.box.cards.bit_count() or state.box.jokers):
        yield f"pile: expected {state.box.cards.bit_count()} cards, and no joker among them"
    if t.phase != Phase.DEAL and (state.box.cards & ~t.discarded or t.discarded & ~_deck(t.players)):
        yield "discarded: expected every card of the pile, and cards of this match"


def _sous(t: Table) -> Iterator[str]:
    """R27, R30: the bank pays prizes and is paid for draws; other sous only move between purses."""
    if sum(t.purse) != SOUS * t.players + sum(t.prizes) - sum(t.spent):
        yield f"purse: expected {SOUS * t.players + sum(t.prizes) - sum(t.spent)} sous in all, found {sum(t.purse)}"
    if not t.rising_prize and any(prizes != won * t.prize for prizes, won in zip(t.prizes, t.won, strict=True)):
        yield f"prizes: expected {t.prize} sous for each duel won"
    if any(spent % t.price for spent in t.spent):
        yield f"spent: expected {t.price} sous for each card drawn"


def _phase(t: Table) -> Iterator[str]:
    deck = _deck(t.players).bit_count() + int(JOKERS[t.players])
    if (t.phase == Phase.DEAL) != (t.begun == 0) or (t.phase == Phase.DEAL) != (t.dealt < deck) or t.dealt > deck:
        yield "dealt, begun: expected 0 rounds before all cards are dealt, and from 1 afterwards"
    if t.phase == Phase.DEAL and any(t.held[seat] != -(-(t.dealt - seat) // t.players) for seat in range(t.players)):
        yield "held: expected cards dealt one at a time to each seat in turn"
    if t.begun > t.rounds or t.fought > DUELS_A_ROUND[t.players] or (t.phase == Phase.TRADE and t.fought):
        yield "begun, fought: expected no more rounds and duels than the match has, and no duel during the barter"
    if (t.phase == Phase.OVER) != (t.ending > 0):
        yield f"ending: expected one of {', '.join(ENDINGS[1:])} when the match is over, and none before"
    if (t.ending == Ending.LAST_SET) != (t.champion > 0):
        yield "champion: expected a seat if only one has a full set at the end, and none otherwise"
    if t.phase == Phase.TRADE and t.done == (1 << t.players) - 1:
        yield "done: expected at least one seat still trading"


def _market(state: State) -> Iterator[str]:
    t = state.table
    for maker in range(t.players):
        if t.published[maker] > t.offer_limit:
            yield f"published.{maker}: expected at most {t.offer_limit}"
        for place, offer in enumerate(t.offers[maker]):
            yield from (f"offers.{maker}.{place + 1}: {said}" for said in _offer(state, maker, place, offer))
    for seat, hand in enumerate(state.hand[: t.players]):
        if hand.draft.to and (t.phase != Phase.TRADE or t.done >> seat & 1 or t.published[seat] == t.offer_limit):
            yield f"hands.{seat}.draft: expected none if the seat cannot publish"
        yield from (f"hands.{seat}.draft: {said}" for said in _draft(t, seat, hand))
    sale = t.sale
    if len({bool(t.sales), bool(sale.maker), bool(sale.taker), bool(sale.number), bool(sale.terms.to)}) > 1:
        yield "sale: expected the last deal of this round, or nothing if there was none"
    if t.sales and (sale.maker == sale.taker or sale.terms.to not in (sale.taker, TO_ALL)):
        yield "sale: expected its taker to be another seat, and one that it was addressed to"
    if t.sales and sale.number > t.published[sale.maker - 1]:
        yield "sale.number: expected an offer that was published"


def _offer(state: State, maker: int, place: int, offer: Offer) -> Iterator[str]:
    """R8 to R11: a published offer is in the hands of those who know its cards, and can be honoured."""
    t, terms = state.table, state.hand[maker].terms[maker][place]
    others = [hand.terms[maker][place] if seat != maker else NO_TERMS for seat, hand in enumerate(state.hand)]
    if not offer.to:
        if offer != NO_OFFER or any(one != NO_TERMS for one in (terms, *others)):
            yield "expected nothing where there is no offer"
        return
    whispered = offer.to != TO_ALL
    if t.phase != Phase.TRADE or place >= t.published[maker] or offer.to == maker + 1 or SEATS >= offer.to > t.players:
        yield "expected a published offer to another seat during the barter"
        return
    expected = [terms if whispered and seat + 1 == offer.to else NO_TERMS for seat in range(SEATS)]
    if others != expected:
        yield "expected its cards only in the terms of its maker and of the seat it was whispered to"
    sides = [[(card - 1) // TOP for card in cards if card] for cards in (terms.given, terms.asked)]
    counts = [*map(len, sides)]
    sorts = [tuple(side.count(sort) * (not whispered) for sort in range(SORT_COUNT)) for side in sides]
    if [offer.given, offer.asked] != counts or [offer.gives, offer.asks] != sorts:
        yield "expected the number of its maker's cards and, for an offer to all, their number of each kind"
    yield from _wording(t, maker, state.hand[maker], terms, offer)
    if not (counts[0] or counts[1] or offer.pay or offer.charge):
        yield "expected something to be given or asked for"


def _draft(t: Table, seat: int, hand: Hand) -> Iterator[str]:
    draft = hand.draft
    if not draft.to:
        if any(layout(Draft).integers(draft)):
            yield "expected nothing where there is no draft"
    elif draft.to == seat + 1 or SEATS >= draft.to > t.players:
        yield "expected another seat, or all seats"
    else:
        yield from _wording(t, seat, hand, Terms(draft.given, draft.asked), draft)


def _wording(t: Table, maker: int, hand: Hand, terms: Terms, offer: Offer | Draft) -> Iterator[str]:
    """R8: the order of the cards, and the limits of what can be asked and paid."""
    for cards in terms:
        listed = [card for card in cards if card]
        if listed != sorted(listed) or any(cards[len(listed) :]):
            yield "expected cards in ascending order, without gaps"
    given, jokers = _listed(terms.given)
    if given & ~hand.cards or jokers > hand.jokers or offer.pay > t.purse[maker]:
        yield "expected cards and sous that its maker has"
    low = 1 if offer.to == TO_ALL else int(TOP_VALUE[t.players])
    if max(map(_card_value, terms.asked)) > low or terms.asked.count(CARD_COUNT) > JOKERS[t.players]:
        yield "expected asked cards to be in this match, and only kinds in an offer to all"
    if offer.pay and offer.charge:
        yield "expected sous on only one side"


def _duel(state: State) -> Iterator[str]:
    t, duel = state.table, state.table.duel
    if t.phase not in (*UNARMED, *JUDGED, *BUYING):
        if duel.chosen or duel.buyer:
            yield "duel: expected no seat to act without a duel"
        return
    pairs = PAIRS[t.players, (t.begun - 1) % CYCLE[t.players], : DUELS_A_ROUND[t.players]].tolist()
    scheduled = pairs[t.fought] if t.fought < len(pairs) else []
    if [*duel.seats] != scheduled:
        yield f"duel.seats: expected {scheduled}, as scheduled"
    elif any(t.out >> seat & 1 for seat in duel.seats):
        yield "duel.seats: expected no seat that is out"
    else:
        yield from _boxes(t, duel)
        yield from _judgement(t, duel)
        yield from _buying(t, duel)


def _boxes(t: Table, duel: Duel) -> Iterator[str]:
    full = t.phase in (*JUDGED, *BUYING)
    if full != (duel.box == KIND_COUNT) or (t.phase == Phase.BALLOT and duel.box):
        yield f"duel.box: expected {KIND_COUNT} when the cards are face up, and fewer before"
    if full != (duel.wills == (1, 1) and all(chain(*duel.boxes))) or (not full and any(chain(*duel.boxes))):
        yield "duel.boxes: expected all eight cards, or none"
        return
    if any(card and not _fits(card, box) for side in duel.boxes for box, card in enumerate(side)):
        yield "duel.boxes: expected cards of the right kinds, or jokers"
    pairs = list(zip(*duel.boxes, strict=True))
    points = tuple(sum(_card_value(pair[side]) > _card_value(pair[1 - side]) for pair in pairs) for side in range(2))
    if duel.points != points:
        yield f"duel.points: expected {list(points)}"


def _fits(card: int, box: int) -> bool:
    return card == CARD_COUNT or (card - 1) // TOP == box


def _card_value(card: int) -> int:
    return 0 if card in (0, CARD_COUNT) else (card - 1) % TOP + 1


def _judgement(t: Table, duel: Duel) -> Iterator[str]:
    if t.phase in JUDGED and (max(duel.points) > 2 or duel.victor):
        yield "phase: expected no judgement if a seat has three points"
    thrown = any(duel.tokens) or duel.dots
    if thrown and not (duel.dots and all(face in (k + 1, (k + 1) % 3 + 1) for k, face in enumerate(duel.tokens))):
        yield "duel.tokens: expected four tokens, each with one of its faces"
        return
    if t.phase in (Phase.POINTING, Phase.RACE) and not thrown:
        yield "duel.tokens: expected them to have been thrown"
        return
    if t.phase in JUDGED and (not duel.thrower or duel.thrower - 1 in duel.seats):
        yield "duel.thrower: expected a seat that does not fight"
    if t.phase in UNARMED and (thrown or duel.thrower or any(duel.pointed) or duel.wrong or duel.victor):
        yield "duel: expected no judgement before the cards are face up"
    lost = duel.wrong == MOST_WRONG and t.phase in (Phase.THROW, Phase.POINTING)
    if lost or (t.phase == Phase.POINTING and any(duel.pointed)):
        yield "duel.pointed, duel.wrong: expected no seat to have pointed at this throw, after at most two wrong ones"
    if t.phase == Phase.RACE:
        first, second, third = duel.tokens
        right = right_corner(first, second, third, duel.dots) + 1
        both = [corner == right for corner in duel.pointed]
        if not all(duel.pointed) or both[0] != both[1] or (not both[0] and duel.wrong < MOST_WRONG):
            yield "duel.pointed: expected both at the right corner, or both wrong for the third time"


def _buying(t: Table, duel: Duel) -> Iterator[str]:
    if t.phase in BUYING:
        if duel.victor - 1 not in duel.seats or duel.buyer - 1 not in duel.seats:
            yield "duel.victor, duel.buyer: expected duellists"
        elif not t.pile or (t.phase == Phase.PURCHASE and t.purse[duel.buyer - 1] < t.price):
            yield "phase: expected a card to draw, and a buyer who can pay"
        elif (t.phase == Phase.DRAW) != bool(duel.bought >> duel.buyer - 1 & 1):
            yield "duel.bought: expected the seat that draws, not the one that is asked"
    elif duel.buyer:
        yield "duel.buyer: expected no seat before the duel is decided"


def _secrets(state: State) -> Iterator[str]:
    """R16, R18, R24: the hand of a seat that has chosen holds its choice, and no other hand holds any."""
    t, duel = state.table, state.table.duel
    pair = 1 << duel.seats[0] | 1 << duel.seats[1]
    if duel.chosen and (t.phase not in SECRETS or duel.chosen & ~pair or duel.chosen == pair):
        yield "duel.chosen: expected at most one of the two while both are asked"
    for seat, hand in enumerate(state.hand):
        chosen = duel.chosen >> seat & 1
        laid = duel.box + chosen if t.phase == Phase.ARMING and pair >> seat & 1 else 0
        if any((card > 0) != (box < laid) or (card and not _fits(card, box)) for box, card in enumerate(hand.laid)):
            yield f"hands.{seat}.laid: expected {laid} cards on the first boxes, each of its kind or a joker"
        said, pointed = (chosen and t.phase == phase for phase in (Phase.BALLOT, Phase.POINTING))
        if (bool(hand.will), bool(hand.pointed)) != (said, pointed):
            yield f"hands.{seat}: expected a choice if the seat has made one, and none otherwise"
        lacking = sum(not hand.cards >> TOP * kind & EVERY_VALUE for kind in range(laid, KIND_COUNT))
        if t.phase in UNARMED and pair >> seat & 1 and lacking > hand.jokers:
            yield f"hands.{seat}: expected a card for each box"


def _notes(state: State) -> Iterator[str]:
    """R12: what a seat has noted as certain is true."""
    for seat, hand in enumerate(state.hand):
        for other, note in enumerate(hand.known):
            held = state.hand[other]
            cards, jokers = _listed(held.laid)
            more = note.cards & ~(held.cards | cards) or note.jokers > held.jokers + jokers
            if more or (other == seat and any(note)):
                yield f"hands.{seat}.known.{other}: expected at most what that hand has, and nothing for the own hand"


FAULTS = Faults(pieces=faults)
