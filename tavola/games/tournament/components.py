"""The components of Tournament, its state, actions and options: data only.

Provenance: the rulebook gives the four kinds, the jokers, the tokens, ten sous and a banner each; how many cards and
jokers there are for each number of players is told by reviews of the published game; the schedule (R14), the prize
and the price (R27, R30) are ours. `R…` cites RULES.md beside this file.

A card is a number: `15 * kind + value - 1` for a valued one, each there once, and 60 for a joker, of which several are
alike. Where a card may be named or not, the number is 0 for none and else the card's and one. The seats of a duel are
its first and its second; banner A is seat 0, and so on.
"""

from enum import IntEnum
from typing import Any, cast

import numpy as np

from tavola.core import (
    Actions,
    Options,
    Record,
    View,
    choice,
    choice_option,
    each,
    flag,
    labels,
    members,
    number,
    number_option,
    numerals,
    one,
    switch_option,
    verb,
)

FEWEST, SEATS = 3, 6
SEAT_NAMES = numerals(0, SEATS - 1)
KINDS = ("sword", "shield", "lance", "armour")
KIND_COUNT = len(KINDS)
JOKER_SORT = KIND_COUNT
SORTS = (*KINDS, "joker")
"""What everybody hears of the cards of a cried offer."""
SORT_COUNT = len(SORTS)

TOP = 15
VALUED = tuple(f"{kind}-{value}" for kind in KINDS for value in numerals(1, TOP))
VALUED_COUNT = len(VALUED)
JOKER = VALUED_COUNT
CARDS = (*VALUED, "joker")
CARD_COUNT = len(CARDS)  # 61
EVERY_VALUE = (1 << TOP) - 1
TOP_VALUE = np.array([0, 0, 0, 6, 9, 12, 15], np.int64)
"""The highest value of each kind, by the number of players: published (R3)."""
JOKERS = np.array([0, 0, 0, 3, 4, 2, 6], np.int64)
"""By the number of players: published (R3)."""
MOST_JOKERS = 6
DECK = VALUED_COUNT + MOST_JOKERS  # 66 for six players

SOUS = 10  # at the beginning
MOST_SOUS = 10_000
MOST_PAID = 30  # in one offer
MOST_CARDS = 3  # on either side of an offer
OFFERS = 6  # that a seat may publish in a round, at most
NUMBERS = numerals(1, OFFERS)
MOST_ROUNDS = 20
MOST_PRIZE = 10
DUELS = 3  # in a round of six players

SCHEDULE = (
    ("AB", "AC", "BC"),
    ("AB CD", "AC BD", "AD BC"),
    ("AB DE", "AC BD", "AD CE", "AE BC", "BE CD"),
    ("AB CF DE", "AC BD EF", "AD BF CE", "AE BC DF", "AF BE CD"),
)
"""The duels of each round, for three to six players, then from the beginning again: ours (R14)."""
CYCLE = np.array([0, 0, 0, *map(len, SCHEDULE)], np.int64)
"""Rounds until the schedule begins again, by the number of players."""
DUELS_A_ROUND = np.array([0, 0, 0, *(players // 2 for players in range(FEWEST, SEATS + 1))], np.int64)
LONGEST_CYCLE = max(map(len, SCHEDULE))
PAIRS = np.zeros((SEATS + 1, LONGEST_CYCLE, DUELS, 2), np.int64)
"""`SCHEDULE` as seats: by players, round of the cycle, duel, side."""
for _players, _rounds in enumerate(SCHEDULE, FEWEST):
    for _round, _duels in enumerate(_rounds):
        for _duel, _pair in enumerate(_duels.split()):
            PAIRS[_players, _round, _duel] = [ord(banner) - ord("A") for banner in _pair]

SYMBOLS = ("crown", "chalice", "globe")
CORNERS = (*SYMBOLS, "all")
"""The big tokens at the corners: one a symbol, and one that bears all three."""
ALL_SYMBOLS = len(SYMBOLS)
TOKEN_FACES = (("crown", "chalice"), ("chalice", "globe"), ("globe", "crown"))
"""The three small tokens with symbols, each with its two faces; the fourth has one dot and two."""
DOTS = ("1", "2")
THROWS = 16
MOST_WRONG = 3  # throws of one judgement at which both pointed wrongly (R25)


class Phase(IntEnum):
    """The phases of a match, from the deal to the end of the match."""

    DEAL = 0
    TRADE = 1
    BALLOT = 2
    ARMING = 3
    THROW = 4
    POINTING = 5
    RACE = 6
    PURCHASE = 7
    DRAW = 8
    OVER = 9


class Ending(IntEnum):
    """The ways in which a match ends (R32 to R34)."""

    NONE, LAST_SET, NO_SET, ALL_OUT, ROUNDS = range(5)


ENDINGS = labels(Ending, "-")


class Will(IntEnum):
    """The decisions of a seat before a duel; one that has no full set cannot decide."""

    NONE, FIGHT, FORFEIT, UNABLE = range(4)


class Deal(IntEnum):
    """The ways in which cards are dealt (R5)."""

    SHUFFLED, KINDS, THIRDS = range(3)


class EmptyRounds(IntEnum):
    """The ways to treat a round in which no duel can be (R35)."""

    HELD, SKIPPED = range(2)


TO_ALL = SEATS + 1  # what `to` of an offer is when it is cried

OPTIONS = Options(
    (FEWEST, SEATS),
    number_option("prize", 0, MOST_PRIZE, default=5, letter=0, provenance="decided"),
    switch_option("rising_prize", provenance="ours"),
    number_option("price", 1, MOST_PRIZE, default=2, provenance="decided"),
    choice_option("deal", *labels(Deal), default="shuffled", provenance="ours"),
    number_option("offer_limit", 1, OFFERS, default=OFFERS, provenance="decided"),
    choice_option("empty_rounds", *labels(EmptyRounds), default="held", provenance="decided"),
    number_option("rounds", 1, MOST_ROUNDS, default=MOST_ROUNDS, provenance="decided"),
)

ACTIONS = Actions(
    verb("deal", card=CARDS, secret=True),
    verb("draw", card=VALUED, secret=True),
    verb("throw", first=TOKEN_FACES[0], second=TOKEN_FACES[1], third=TOKEN_FACES[2], dots=DOTS),
    verb("first", seat=(*SEAT_NAMES, "none")),
    verb("offer", to=(*SEAT_NAMES, "all"), secret=True, planned=True),
    verb("give", card=CARDS, secret=True, planned=True),
    verb("ask", card=CARDS, secret=True, planned=True),
    verb("pay", sous=numerals(1, MOST_PAID), secret=True, planned=True),
    verb("charge", sous=numerals(1, MOST_PAID), secret=True, planned=True),
    verb("publish"),
    verb("accept", seat=SEAT_NAMES, number=NUMBERS),
    verb("withdraw", number=NUMBERS),
    verb("done"),
    verb("fight", secret=True),
    verb("forfeit", secret=True),
    verb("equip", box=KINDS, value=("joker", *numerals(1, TOP)), secret=True),
    verb("point", corner=CORNERS, secret=True),
    verb("buy"),
    verb("pass"),
)


First = cast(Any, IntEnum)("First", {name.upper(): number for name, number in ACTIONS.first.items()})
"""The number of the first action of each verb; an action is that and the place of its argument."""


FIRST_NONE = First.FIRST + SEATS
OFFER_ALL = First.OFFER + SEATS
VALUES = TOP + 1  # that a box may hold: 0 is the joker


class Terms(Record):
    """The cards of an offer, in ascending order, the empty places last."""

    given: tuple[int, ...] = each(MOST_CARDS, choice("none", *CARDS))
    asked: tuple[int, ...] = each(MOST_CARDS, choice("none", *CARDS))  # this one or a higher one of its kind


class Draft(Record):
    """An offer that its maker is building; to nobody: there is none."""

    to: int = choice("nobody", *SEAT_NAMES, "all")
    given: tuple[int, ...] = each(MOST_CARDS, choice("none", *CARDS))
    asked: tuple[int, ...] = each(MOST_CARDS, choice("none", *CARDS))
    pay: int = number(0, MOST_PAID)
    charge: int = number(0, MOST_PAID)


class Offer(Record):
    """The part of an offer that everybody sees; to nobody: none of this number stands."""

    to: int = choice("nobody", *SEAT_NAMES, "all")
    given: int = number(0, MOST_CARDS)  # cards
    asked: int = number(0, MOST_CARDS)
    gives: tuple[int, ...] = each(SORTS, number(0, MOST_CARDS))  # of an offer to all; of a whispered one nothing
    asks: tuple[int, ...] = each(SORTS, number(0, MOST_CARDS))
    pay: int = number(0, MOST_PAID)  # sous that its maker pays
    charge: int = number(0, MOST_PAID)  # sous that its maker gets


class Sale(Record):
    """The part that everybody sees of the last deal that was made in this round; maker nobody: there was none."""

    maker: int = choice("nobody", *SEAT_NAMES)
    taker: int = choice("nobody", *SEAT_NAMES)
    number: int = number(0, OFFERS)
    terms: Offer = one(Offer)  # as they were published


class Duel(Record):
    """A duel; it stays to be seen until the next begins. By side: the first of the pair, the second."""

    seats: tuple[int, ...] = each(2, number(0, SEATS - 1))
    wills: tuple[int, ...] = each(2, choice(*labels(Will)))  # as they were revealed
    box: int = number(0, KIND_COUNT)  # that is being filled; when all eight cards lie open, their number
    chosen: int = members(*SEAT_NAMES)  # who has decided what is asked in secret
    boxes: tuple[tuple[int, ...], ...] = each(2, each(KINDS, choice("none", *CARDS)))  # turned up
    points: tuple[int, ...] = each(2, number(0, KIND_COUNT))
    tokens: tuple[int, ...] = each(3, choice("none", *SYMBOLS))  # as they were thrown
    dots: int = number(0, 2)
    thrower: int = choice("nobody", *SEAT_NAMES)
    pointed: tuple[int, ...] = each(2, choice("none", *CORNERS))  # as it was revealed
    wrong: int = number(0, MOST_WRONG)  # throws at which both pointed wrongly
    victor: int = choice("nobody", *SEAT_NAMES)
    prize: int = number(0, MOST_PRIZE + MOST_ROUNDS)  # that the victor was paid
    buyer: int = choice("nobody", *SEAT_NAMES)  # who is asked whether he buys a card, or draws it
    bought: int = members(*SEAT_NAMES)


class Table(Record):
    """The part that everybody sees."""

    players: int = number(FEWEST, SEATS)
    prize: int = number(0, MOST_PRIZE)
    rising_prize: int = flag()
    price: int = number(1, MOST_PRIZE)
    deal: int = choice(*labels(Deal))
    offer_limit: int = number(1, OFFERS)
    empty_rounds: int = choice(*labels(EmptyRounds))
    rounds: int = number(1, MOST_ROUNDS)
    phase: int = choice(*labels(Phase))
    dealt: int = number(0, DECK)
    begun: int = number(0, MOST_ROUNDS)  # rounds
    fought: int = number(0, DUELS)  # duels of this round that are over, the ones that could not be among them
    purse: tuple[int, ...] = each(SEATS, number(0, MOST_SOUS))
    held: tuple[int, ...] = each(SEATS, number(0, DECK))  # cards in hand; those laid on boxes no more
    won: tuple[int, ...] = each(SEATS, number(0, MOST_ROUNDS + 1))  # duels
    prizes: tuple[int, ...] = each(SEATS, number(0, MOST_SOUS))  # sous for them, paid by the bank
    spent: tuple[int, ...] = each(SEATS, number(0, MOST_SOUS))  # sous paid to the bank for cards drawn
    out: int = members(*SEAT_NAMES)  # excluded from duels
    done: int = members(*SEAT_NAMES)  # who has done with trading
    published: tuple[int, ...] = each(SEATS, number(0, OFFERS))  # offers in this round
    offers: tuple[tuple[Offer, ...], ...] = each(SEATS, each(NUMBERS, Offer))  # that stand, by maker and number
    sales: int = number(0, SEATS * OFFERS)  # deals made in this round
    sale: Sale = one(Sale)
    duel: Duel = one(Duel)
    last: Duel = one(Duel)  # as it ended: the next one may begin with the same action
    pile: int = number(0, VALUED_COUNT)  # cards on the discard pile
    discarded: int = members(*VALUED)  # went onto it and were not seen since: on it, or drawn in secret
    ending: int = choice(*ENDINGS)
    champion: int = choice("nobody", *SEAT_NAMES)  # who alone had a full set at the end


class Known(Record):
    """The cards that another hand is sure to hold."""

    cards: int = members(*VALUED)
    jokers: int = number(0, MOST_JOKERS)


class Hand(Record):
    """The part that a seat alone sees."""

    jokers: int = number(0, MOST_JOKERS)
    cards: int = members(*VALUED)
    draft: Draft = one(Draft)
    terms: tuple[tuple[Terms, ...], ...] = each(SEATS, each(NUMBERS, Terms))  # of own offers, and of those whispered
    known: tuple[Known, ...] = each(SEATS, Known)  # what other hands are sure to hold
    will: int = choice("none", "fight", "forfeit")  # until both are revealed
    laid: tuple[int, ...] = each(KINDS, choice("none", *CARDS))  # face down on the own boxes
    pointed: int = choice("none", *CORNERS)  # until both are revealed


class Box(Record):
    """The part that nobody sees: the cards that are not dealt yet, later the discard pile."""

    cards: int = members(*VALUED)
    jokers: int = number(0, MOST_JOKERS)


class State(Record):
    """A whole position."""

    table: Table = one(Table)
    hand: tuple[Hand, ...] = each(SEATS, Hand)
    box: Box = one(Box)


Seen = View[Table, Hand | None]
"""A view of this game, as a type checker reads it."""
