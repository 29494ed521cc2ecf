"""The components of Template, its state, actions and options: data only.

Cards are 1 to 15; card `n` is bit `n - 1` of a mask of cards. A bid of 0 means that the seat has not bid.
"""

from enum import IntEnum

from tavola.core import (
    Actions,
    Options,
    Record,
    View,
    choice,
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

SEATS = 4
DECK = 15
CARDS = numerals(1, DECK)
EVERY_CARD = (1 << DECK) - 1
PRIZES = 3


class Phase(IntEnum):
    """The phases of a match, in their order."""

    DEAL, TOSS, BID, OVER = range(4)


OPTIONS = Options(
    (2, SEATS),
    number_option("cards", 2, 3, default=3, provenance="ours"),
    switch_option("low_wins", provenance="ours"),
)

ACTIONS = Actions(
    verb("deal", secret=True, card=CARDS),
    verb("toss", prize=numerals(1, PRIZES)),
    verb("bid", secret=True, card=CARDS),
)


class First(IntEnum):
    """The number of the first action of each verb: `First.DEAL + place`."""

    DEAL = ACTIONS.first["deal"]
    TOSS = ACTIONS.first["toss"]
    BID = ACTIONS.first["bid"]


class Table(Record):
    """The part of a state that everyone sees."""

    players: int = number(2, SEATS)
    cards: int = number(2, 3)
    low_wins: int = flag()
    phase: int = choice(*labels(Phase))
    dealt: int = number(0, 3 * SEATS)  # cards dealt so far, round the table
    rounds: int = number(0, 3)  # rounds finished
    # One field has the game's name: games whose states have equal types would share compiled code, and are refused.
    template_prize: int = number(0, PRIZES)
    played: int = members(*numerals(0, SEATS - 1))
    shown: tuple[int, ...] = each(SEATS, number(0, DECK))  # the bids of the last round
    spent: int = members(*CARDS)
    points: tuple[int, ...] = each(SEATS, number(0, 3 * PRIZES))


class Hand(Record):
    """The part of a state that only its seat sees."""

    cards: int = members(*CARDS)
    bid: int = number(0, DECK)  # face down until all have bid


class State(Record):
    """A full state."""

    table: Table = one(Table)
    hand: tuple[Hand, ...] = each(SEATS, Hand)


Seen = View[Table, Hand | None]
"""A view of this game; a spectator's has no hand."""
