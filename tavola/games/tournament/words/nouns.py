"""Names of what is on the table of Tournament: cards, kinds, corners, sides of an offer. Also data read from a view."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from tavola.core import verb
from tavola.games.tournament.components import (
    CARDS,
    CYCLE,
    DUELS_A_ROUND,
    JOKER,
    JOKER_SORT,
    KIND_COUNT,
    PAIRS,
    TO_ALL,
    TOP,
    TOP_VALUE,
    VALUED_COUNT,
    Draft,
    Duel,
    Hand,
    Offer,
    Phase,
    Seen,
    Table,
    Terms,
    Will,
)
from tavola.show.speech import Say, mark, marks
from tavola.show.talk import Fact, Forms, Kind, Known, Revealed, Talk, Topic
from tavola.show.words import Noun, Vocabulary, members_of

Pairs: TypeAlias = tuple[tuple[int, int], ...]
"""The seats of each duel of a round."""

KIND = Noun(
    a=marks("a sword", "a shield", "a lance", "a suit of armour", "a joker"),
    the=marks("the sword", "the shield", "the lance", "the armour", "the joker"),
    short=marks("Sword", "Shield", "Lance", "Armour", "Joker"),
)
MANY_OF = marks("{count} swords", "{count} shields", "{count} lances", "{count} suits of armour", "{count} jokers")
CORNER = Noun(
    the=marks("the crown", "the chalice", "the globe", "the token with all three"),
    at=marks("at the crown", "at the chalice", "at the globe", "at the token with all three"),
    short=marks("Crown", "Chalice", "Globe", "All three"),
)
CARD = marks("sword {value}", "shield {value}", "lance {value}", "armour {value}", "joker")
ASKED_CARD = marks("sword {value}+", "shield {value}+", "lance {value}+", "armour {value}+", "joker")


def sort_of(card: int) -> int:
    return card // TOP if card < VALUED_COUNT else JOKER_SORT


def value_of(card: int) -> int:
    """Return the value of a card in a duel; 0 for a joker (R4)."""
    return card % TOP + 1 if card < VALUED_COUNT else 0


def card_name(card: int, say: Say) -> str:
    return say(CARD[sort_of(card)], value=value_of(card))


def asked_name(card: int, say: Say) -> str:
    """Return the name of a request, which means this card or a higher one: `a lance`, `sword 5+`."""
    if value_of(card) == 1:
        return str(KIND(sort_of(card), say))
    return say(ASKED_CARD[sort_of(card)], value=value_of(card))


def sort_name(sort: int, count: int, say: Say) -> str:
    return str(KIND(sort, say)) if count == 1 else say(MANY_OF[sort], count=count)


def addressee_name(place: int, say: Say) -> str:
    return say("Everyone") if place == TO_ALL - 1 else say.name(place)


def racer_name(place: int, say: Say) -> str:
    return say("No one") if place == TO_ALL - 1 else say.name(place)


def price_text(place: int, say: Say) -> str:
    """Return the sous that a place among the values of an argument stands for: place 0 for one."""
    return sous_text(place + 1, say)


VOCABULARY = Vocabulary(
    seat=racer_name,
    card=card_name,
    first=CORNER,
    second=CORNER,
    third=CORNER,
    box=KIND,
    corner=CORNER,
    to=addressee_name,
    sous=price_text,
)


def cards_text(cards: Sequence[int], say: Say) -> str:
    return say.listing([card_name(card, say) for card in cards])


def won_text(cards: Sequence[int], say: Say) -> str:
    named, jokers = [card_name(card, say) for card in cards if card != JOKER], cards.count(JOKER)
    return say.listing([*named, *([sort_name(JOKER_SORT, jokers, say)] if jokers else [])])


def sous_text(count: int, say: Say) -> str:
    return say.many("{count} sou", "{count} sous", count)


@lru_cache(maxsize=1024)
def offer_parts(offer: Offer, say: Say) -> Mapping[str, str]:
    """Return the public part of both sides of an offer: sorts if announced, a number if whispered; and the sous."""
    sides = {"given": (offer.gives, offer.given, offer.pay), "asked": (offer.asks, offer.asked, offer.charge)}
    return {side: _public_side(offer.to == TO_ALL, *public, say) for side, public in sides.items()}


def _public_side(announced: bool, sorts: Sequence[int], count: int, sous: int, say: Say) -> str:
    if announced:
        return _goods_text([sort_name(sort, many, say) for sort, many in enumerate(sorts) if many], sous, say)
    return _goods_text([say.many("{count} card", "{count} cards", count)] if count else [], sous, say)


def offer_text(maker: int, offer: Offer, sides: Mapping[str, str], say: Say) -> str:
    """Return who offers what to whom; `sides`: what is `given` and `asked`, such as `offer_parts`."""
    name = say.name(maker)
    if offer.to == TO_ALL:
        return say("{name} {name:calls|call} out: {given} for {asked}!", name=name, **sides)
    other = say.name(offer.to - 1)
    return say("{name} {name:whispers|whisper} to {other}: {given} for {asked}.", name=name, other=other, **sides)


def terms_side_text(cards: Sequence[int], sous: int, asked: bool, say: Say) -> str:
    named = asked_name if asked else card_name
    return _goods_text([named(card, say) for card in listed(cards)], sous, say)


def _goods_text(items: list[str], sous: int, say: Say) -> str:
    items = items + [sous_text(sous, say)] * bool(sous)
    return say.listing(items) if items else say("nothing")


# Data read from a view


def own_hand(view: Seen) -> Hand:
    assert view.hand is not None
    return view.hand


def listed(cards: Sequence[int]) -> list[int]:
    """Return the cards in places of which some may be empty, as in `Terms`."""
    return [card - 1 for card in cards if card]


def lowest_cards(sorts: Sequence[int]) -> list[int]:
    """Return the lowest cards of the sorts of an announced offer: only the number of each sort is public."""
    return [JOKER if sort == JOKER_SORT else TOP * sort for sort, count in enumerate(sorts) for _ in range(count)]


def cards_of(hand: Hand) -> list[int]:
    """Return the cards in a hand, ascending, jokers last."""
    return [*members_of(hand.cards), *[JOKER] * hand.jokers]


def values_of_kind(hand: Hand, kind: int) -> list[int]:
    return [value_of(card) for card in members_of(hand.cards) if card // TOP == kind]


def missing_kinds(cards: Sequence[int]) -> list[int]:
    """Return the kinds without a card, except the first ones, which jokers replace (R4)."""
    return kinds_without_cards(cards)[cards.count(JOKER) :]


def kinds_without_cards(cards: Sequence[int]) -> list[int]:
    """Return the kinds without a card, ignoring jokers."""
    return sorted({*range(KIND_COUNT)} - {sort_of(card) for card in cards})


def answering_cards(cards: Sequence[int], asked: Sequence[int]) -> list[int]:
    """Return the cards of a hand that would be given for a request: the lowest possible, highest request first (R9).

    Shorter than the request if the hand cannot serve it.
    """
    left = sorted(cards)
    found: list[int] = []
    for wanted in sorted(asked, reverse=True):
        fitting = [card for card in left if sort_of(card) == sort_of(wanted) and card >= wanted]
        if not fitting:
            return found
        found.append(fitting[0])
        left.remove(fitting[0])
    return found


def cost_of_offer(hand: Hand, offer: Offer, maker: int, number: int) -> list[int]:
    """Return the request of an offer to the seat with this hand, as the lowest cards that answer it."""
    return lowest_cards(offer.asks) if offer.to == TO_ALL else listed(hand.terms[maker][number].asked)


def known_terms(view: Seen, maker: int, number: int) -> Terms | None:
    """Return the cards of an offer that the view's seat makes, or that is whispered to it; None if it knows none."""
    if view.hand is None or view.seat is None:
        return None
    is_known = maker == view.seat or view.table.offers[maker][number].to == view.seat + 1
    return view.hand.terms[maker][number] if is_known else None


def cards_after_deal(hand: Hand, offer: Offer, maker: int, number: int) -> list[int]:
    """Return a hand after it accepts an offer; of an announced one, it gets the lowest card of each kind."""
    cards = cards_of(hand)
    given = lowest_cards(offer.gives) if offer.to == TO_ALL else listed(hand.terms[maker][number].given)
    left = [*cards, *given]
    for paid in answering_cards(cards, cost_of_offer(hand, offer, maker, number)):
        left.remove(paid)
    return left


def pairs_of(t: Table, begun: int) -> Pairs:
    """Return the duels of a round, counted from 1 (R14)."""
    place = (begun - 1) % int(CYCLE[t.players])
    return tuple((int(a), int(b)) for a, b in PAIRS[t.players, place, : int(DUELS_A_ROUND[t.players])])


def round_text(begun: int, pairs: Pairs, say: Say) -> str:
    return say("Round {number}: {pairs}.", number=begun, pairs=duels_text(pairs, say))


def duels_text(pairs: Pairs, say: Say) -> str:
    duels = (say("{first:*|you} against {second}", first=say.name(one), second=say.name(other)) for one, other in pairs)
    return say.listing([*duels])


def seat_text(t: Table, seat: int, say: Say) -> str:
    parts = {"name": say.name(seat), "sous": sous_text(t.purse[seat], say), "cards": t.held[seat]}
    if t.out >> seat & 1:
        return say("{name}: {sous}, {cards} cards. Out of the duels, but can still trade.", **parts)
    return say("{name}: {sous}, {cards} cards, {won} duels won.", won=t.won[seat], **parts)


def possible_duels(t: Table) -> tuple[Pairs, list[int]]:
    """Return this round's duels that can be fought, and the seats in the lists without an opponent (R14, R17)."""
    possible = tuple(pair for pair in pairs_of(t, t.begun) if not any(t.out >> seat & 1 for seat in pair))
    opposed = {seat for pair in possible for seat in pair}
    return possible, [seat for seat in range(t.players) if seat not in opposed and not t.out >> seat & 1]


def right_corner(tokens: Sequence[int], dots: int) -> int:
    """Return the right corner after a throw (R23); tokens from 1, as in `Duel.tokens`."""
    symbols = [token - 1 for token in tokens]
    if len({*symbols}) == len(symbols):
        return len(symbols)
    return next(symbol for symbol in symbols if symbols.count(symbol) == dots)


def can_offer(t: Table, seat: int, draft: Draft) -> bool:
    """Return whether a seat can build an offer, or go on with its draft (R8, R10)."""
    trades = t.phase == Phase.TRADE and not t.done >> seat & 1
    return trades and (bool(draft.to) or t.published[seat] < t.offer_limit)


def top_value(t: Table) -> int:
    """Return the highest value at this table (R3)."""
    return int(TOP_VALUE[t.players])


FIGHT = Topic("fight", Forms("I’ll fight", "I won’t fight", mark("fight", context="request"), "don’t fight"))
FORFEIT = Topic("forfeit", Forms("I’ll forfeit the duel", "I won’t forfeit", "forfeit the duel", "don’t forfeit"))
EQUIP = Topic(
    "equip",
    Forms(
        "I’ll put {value} in {box:the} box",
        "I won’t put {value} in {box:the} box",
        "put {value} in {box:the} box",
        "don’t put {value} in {box:the} box",
    ),
)
POINT = Topic(
    "point",
    Forms(
        "I’ll point {corner:at}",
        "I won’t point {corner:at}",
        mark("point {corner:at}", context="request"),
        "don’t point {corner:at}",
    ),
)
BUY = Topic("buy", Forms("I’ll buy a card", "I won’t buy a card", "buy a card", "don’t buy a card"))
HOLD = Fact(
    verb("hold", card=CARDS), Forms("I hold {card}", "I don’t hold {card}", "you hold {card}", "you don’t hold {card}")
)


def held_card(card: int, say: Say) -> str:
    return str(KIND(JOKER_SORT, say)) if card == JOKER else card_name(card, say)


def revealed(before: Seen, after: Seen) -> Revealed:
    """R16, R19, R25: choices of duellists are revealed when both have chosen, their cards when all boxes are full."""
    b, a = before.table, after.table
    if a.duel.chosen or b.phase not in (Phase.BALLOT, Phase.ARMING, Phase.POINTING):
        return {}  # one of the two has not chosen yet
    if b.phase == Phase.ARMING and b.duel.box < KIND_COUNT - 1:
        return {}  # all cards are turned up together
    for duel in (a.duel, a.last):
        if any(told := [_told(duel, side, b.phase) for side in range(2)]):
            return {int(duel.seats[side]): told[side] for side in range(2) if told[side]}
    return {}


def _told(duel: Duel, side: int, phase: int) -> list[Known]:
    if phase == Phase.BALLOT:
        will = duel.wills[side]
        return [Known("fight" if will == Will.FIGHT else "forfeit", ())] if will in (Will.FIGHT, Will.FORFEIT) else []
    if phase == Phase.POINTING:
        return [Known("point", (int(duel.pointed[side]) - 1,))] if duel.pointed[side] else []
    boxes = duel.boxes[side]
    return [Known("equip", (box, value_of(card - 1))) for box, card in enumerate(boxes)] if all(boxes) else []


def box_value(place: int, say: Say) -> str:
    return str(place) if place else held_card(JOKER, say)


def true_facts(view: Seen) -> Collection[Known]:
    return [Known("hold", (card,)) for card in dict.fromkeys(cards_of(view.hand))] if view.hand else []


TALK = Talk(
    kinds=(
        Kind((FIGHT, FORFEIT)),
        Kind((EQUIP,), bargained=False),
        Kind((POINT,), bargained=False),
        Kind((BUY,), beside=("pass",)),
    ),
    vocabulary=Vocabulary(**{**VOCABULARY.arguments, "card": held_card, "value": box_value}),
    facts=(HOLD,),
    revealed=revealed,
    true_facts=true_facts,
)
