"""Tell what a choice does now where one does not foresee it: to close one's market, to deal, to cry for a kind."""

from tavola.games.tournament.components import JOKER, JOKER_SORT, KIND_COUNT, TO_ALL, TOP, Hand, Seen
from tavola.games.tournament.words.nouns import (
    KIND,
    answering_cards,
    cards_of,
    cost_of_offer,
    missing_kinds,
    pairs_of,
)
from tavola.show.speech import Say
from tavola.show.words import Consequence, Indices, told_by_last_word


def _done(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    """R13, R15: a new offer calls one back; who lacks a kind when his duel comes is out for good, unless he rests."""
    t, gaps = view.table, missing_kinds(cards_of(_own(view)))
    if t.out >> seat & 1 or not gaps:
        return Consequence(say("until you are made an offer"), say("A new offer to you or to all calls you back."))
    if not any(seat in pair for pair in pairs_of(t, max(1, t.begun))):
        return Consequence(say("you rest: no set needed yet"))
    told = say("You lack {kind:a}: without a full set you are out of every duel from now on.", kind=KIND(gaps[0], say))
    return Consequence(say("out of every duel from now on"), told, "grave")


def _forfeit(view: Seen, seat: int, places: Indices, say: Say) -> Consequence:
    told = say("You fight no more in this match. You go on trading, and the richest wins.")
    return Consequence(say("out of every duel from now on"), told, "grave")


def _accept(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    """What the deal makes of the own set, as far as the seat knows what it is given."""
    (maker, number), hand = places, _own(view)
    t, cards = view.table, cards_of(hand)
    if t.out >> seat & 1:
        return None
    left = [*cards, *_given_cards(view, hand, maker, number)]
    for paid in answering_cards(cards, cost_of_offer(hand, t.offers[maker][number], maker, number)):
        left.remove(paid)
    before, after = missing_kinds(cards), missing_kinds(left)
    if before and not after:
        return Consequence(say("then your set is full"), tone="good")
    if after and not before:
        return Consequence(say("then you lack {kind:a}", kind=KIND(after[0], say)), tone="grave")
    return None


def _given_cards(view: Seen, hand: Hand, maker: int, number: int) -> list[int]:
    """The cards that an offer gives; of a cry the lowest of each kind, since only kinds are heard."""
    offer = view.table.offers[maker][number]
    if offer.to != TO_ALL:
        return [card - 1 for card in hand.terms[maker][number].given if card]
    lowest = [*(TOP * kind for kind in range(KIND_COUNT)), JOKER]
    return [lowest[sort] for sort, count in enumerate(offer.gives) for _ in range(count)]


def _cry(view: Seen, seat: int, places: Indices, say: Say) -> Consequence | None:
    """R9: of a kind cried for one gets the lowest that the other holds."""
    draft = _own(view).draft
    asked = [places[0]] if places else [card - 1 for card in draft.asked if card]
    if draft.to != TO_ALL or all(card // TOP >= JOKER_SORT for card in asked):
        return None
    told = say("Whoever accepts gives the lowest card of that kind that he holds. A whisper can ask for more.")
    return Consequence(say("he gives his lowest"), told)


def _own(view: Seen) -> Hand:
    assert view.hand is not None  # whoever decides sees his own
    return view.hand


consequence = told_by_last_word(
    {
        "done": _done,
        "forfeit": _forfeit,
        "accept": _accept,
        "ask": _cry,
        "publish": _cry,
    }
)
