"""Components, state, actions and options of Tournament: data only.

Provenance: the rulebook gives the four kinds, the jokers, the tokens, and ten sous and a banner each. The numbers of
cards and jokers by number of players come from reviews of the published game. The schedule (R14), the prize and the
price (R27, R30) are our choice. `R…` cites RULES.md beside this file.

A card is a number: `15 * kind + value - 1` for a valued one, each of which exists once, and 60 for a joker; jokers are
interchangeable. If a card is optional, the number is 0 for none and otherwise the card's number + 1. The seats of a
duel are its first and its second; banner A is seat 0, and so on.
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
"""What is public about the cards of an announced offer."""
SORT_COUNT = len(SORTS)

TOP = 15
VALUED = tuple(f"{kind}-{value}" for kind in KINDS for value in numerals(1, TOP))
VALUED_COUNT = len(VALUED)
JOKER = VALUED_COUNT
CARDS = (*VALUED, "joker")
CARD_COUNT = len(CARDS)  # 61
EVERY_VALUE = (1 << TOP) - 1
TOP_VALUE = np.array([0, 0, 0, 6, 9, 12, 15], np.int64)
"""Highest value of each kind, by number of players; as published (R3)."""
JOKERS = np.array([0, 0, 0, 3, 4, 2, 6], np.int64)
"""Number of jokers, by number of players; as published (R3)."""
MOST_JOKERS = 6
DECK = VALUED_COUNT + MOST_JOKERS  # 66 for six players

SOUS = 10  # of each seat at the beginning
MOST_SOUS = 10_000
MOST_PAID = 30  # in one offer
MOST_CARDS = 3  # on either side of an offer
OFFERS = 6  # maximum that a seat can publish in a round
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
"""The duels of each round, for three to six players; it repeats. Our choice (R14)."""
CYCLE = np.array([0, 0, 0, *map(len, SCHEDULE)], np.int64)
"""Rounds until the schedule repeats, by number of players."""
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
"""The big tokens at the corners: one for each symbol, and one with all three."""
ALL_SYMBOLS = len(SYMBOLS)
TOKEN_FACES = (("crown", "chalice"), ("chalice", "globe"), ("globe", "crown"))
"""The faces of the three small tokens with symbols; the fourth token has one dot and two."""
DOTS = ("1", "2")
THROWS = 16
MOST_WRONG = 3  # throws of one judgement at which both pointed wrong (R25)


class Phase(IntEnum):
    """Phases of a match, from the deal to the end."""

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
    """How a match ended (R32 to R34)."""

    NONE, LAST_SET, NO_SET, ALL_OUT, ROUNDS = range(5)


ENDINGS = labels(Ending, "-")


class Will(IntEnum):
    """A seat's decision before a duel; a seat without a full set cannot decide."""

    NONE, FIGHT, FORFEIT, UNABLE = range(4)


class Deal(IntEnum):
    """How cards are dealt (R5)."""

    SHUFFLED, KINDS, THIRDS = range(3)


class EmptyRounds(IntEnum):
    """What happens to a round in which no duel is possible (R35)."""

    HELD, SKIPPED = range(2)


TO_ALL = SEATS + 1  # value of `to` in an announced offer

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
"""First action number of each verb; an action adds the index of its argument."""


FIRST_NONE = First.FIRST + SEATS
OFFER_ALL = First.OFFER + SEATS
VALUES = TOP + 1  # of a box: 0 is the joker


class Terms(Record):
    """Cards of an offer, in ascending order, empty places last."""

    given: tuple[int, ...] = each(MOST_CARDS, choice("none", *CARDS))
    asked: tuple[int, ...] = each(MOST_CARDS, choice("none", *CARDS))  # this card or a higher one of its kind


class Draft(Record):
    """An offer being built by its maker; if `to` is `nobody`, the seat has none."""

    to: int = choice("nobody", *SEAT_NAMES, "all")
    given: tuple[int, ...] = each(MOST_CARDS, choice("none", *CARDS))
    asked: tuple[int, ...] = each(MOST_CARDS, choice("none", *CARDS))
    pay: int = number(0, MOST_PAID)
    charge: int = number(0, MOST_PAID)


class Offer(Record):
    """Public part of an offer; `to` is `nobody` if the offer is not open."""

    to: int = choice("nobody", *SEAT_NAMES, "all")
    given: int = number(0, MOST_CARDS)  # cards
    asked: int = number(0, MOST_CARDS)
    gives: tuple[int, ...] = each(SORTS, number(0, MOST_CARDS))  # of an announced offer; empty for a whispered one
    asks: tuple[int, ...] = each(SORTS, number(0, MOST_CARDS))
    pay: int = number(0, MOST_PAID)  # sous that its maker pays
    charge: int = number(0, MOST_PAID)  # sous that its maker gets


class Sale(Record):
    """Public part of the last deal of this round; `maker` is `nobody` before the first."""

    maker: int = choice("nobody", *SEAT_NAMES)
    taker: int = choice("nobody", *SEAT_NAMES)
    number: int = number(0, OFFERS)
    terms: Offer = one(Offer)  # as they were published


class Duel(Record):
    """A duel, kept on the table until the next one begins. By side: the first of the pair, the second."""

    seats: tuple[int, ...] = each(2, number(0, SEATS - 1))
    wills: tuple[int, ...] = each(2, choice(*labels(Will)))  # as they were revealed
    box: int = number(0, KIND_COUNT)  # box being filled; the number of boxes once all eight cards are face up
    chosen: int = members(*SEAT_NAMES)  # seats that have made the current secret decision
    boxes: tuple[tuple[int, ...], ...] = each(2, each(KINDS, choice("none", *CARDS)))  # turned up
    points: tuple[int, ...] = each(2, number(0, KIND_COUNT))
    tokens: tuple[int, ...] = each(3, choice("none", *SYMBOLS))  # as they were thrown
    dots: int = number(0, 2)
    thrower: int = choice("nobody", *SEAT_NAMES)
    pointed: tuple[int, ...] = each(2, choice("none", *CORNERS))  # as it was revealed
    wrong: int = number(0, MOST_WRONG)  # throws at which both pointed wrong
    victor: int = choice("nobody", *SEAT_NAMES)
    prize: int = number(0, MOST_PRIZE + MOST_ROUNDS)  # that the victor was paid
    buyer: int = choice("nobody", *SEAT_NAMES)  # seat that is asked to buy a card, or draws it
    bought: int = members(*SEAT_NAMES)


class Table(Record):
    """Public part of the state."""

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
    fought: int = number(0, DUELS)  # finished duels of this round, including those that could not be fought
    purse: tuple[int, ...] = each(SEATS, number(0, MOST_SOUS))
    held: tuple[int, ...] = each(SEATS, number(0, DECK))  # cards in hand, without those laid on boxes
    won: tuple[int, ...] = each(SEATS, number(0, MOST_ROUNDS + 1))  # duels
    prizes: tuple[int, ...] = each(SEATS, number(0, MOST_SOUS))  # sous for them, paid by the bank
    spent: tuple[int, ...] = each(SEATS, number(0, MOST_SOUS))  # sous paid to the bank for cards drawn
    out: int = members(*SEAT_NAMES)  # excluded from duels
    done: int = members(*SEAT_NAMES)  # seats that are done trading
    published: tuple[int, ...] = each(SEATS, number(0, OFFERS))  # offers in this round
    offers: tuple[tuple[Offer, ...], ...] = each(SEATS, each(NUMBERS, Offer))  # open offers, by maker and number
    sales: int = number(0, SEATS * OFFERS)  # deals made in this round
    sale: Sale = one(Sale)
    duel: Duel = one(Duel)
    last: Duel = one(Duel)  # as it ended: the next one may begin with the same action
    pile: int = number(0, VALUED_COUNT)  # cards on the discard pile
    discarded: int = members(*VALUED)  # discarded and not seen since: still on the pile, or drawn in secret
    ending: int = choice(*ENDINGS)
    champion: int = choice("nobody", *SEAT_NAMES)  # the only seat with a full set at the end


class Known(Record):
    """Cards that another hand certainly holds."""

    cards: int = members(*VALUED)
    jokers: int = number(0, MOST_JOKERS)


class Hand(Record):
    """Private part of a seat."""

    jokers: int = number(0, MOST_JOKERS)
    cards: int = members(*VALUED)
    draft: Draft = one(Draft)
    terms: tuple[tuple[Terms, ...], ...] = each(SEATS, each(NUMBERS, Terms))  # of own and whispered offers
    known: tuple[Known, ...] = each(SEATS, Known)  # what other hands certainly hold
    will: int = choice("none", "fight", "forfeit")  # until both are revealed
    laid: tuple[int, ...] = each(KINDS, choice("none", *CARDS))  # face down on the seat's own boxes
    pointed: int = choice("none", *CORNERS)  # until both are revealed


class Box(Record):
    """Part of the state that no seat sees: cards that are not dealt yet, later the discard pile."""

    cards: int = members(*VALUED)
    jokers: int = number(0, MOST_JOKERS)


class State(Record):
    """Complete state."""

    table: Table = one(Table)
    hand: tuple[Hand, ...] = each(SEATS, Hand)
    box: Box = one(Box)


Seen = View[Table, Hand | None]
"""Type of a view of this game."""
