"""Components, state, actions and options of Fairies: data only.

Provenance: the rulebook gives the 110 cards by kind, the values of the wand cards and the example. How many cards there
are of each value is our choice (R3). So are the texts of the eight shields (R20 to R27), which are lost.

A *kind* of wand card is a number: `8 * colour + 4 * half + value` for a coloured one, 24 to 28 for a joker. Copies of a
kind are interchangeable. The six halves of a seat's wands are numbered `2 * fairy + half`, so a coloured card of kind
`k` fits only half `k // 4`.
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
    each,
    flag,
    labels,
    members,
    number,
    number_option,
    numerals,
    one,
    seat_option,
    verb,
)

SEATS = 4
SEAT_NAMES = numerals(0, SEATS - 1)


class Fairy(IntEnum):
    """A seat's fairies, by colour."""

    GREEN, BLUE, RED = range(3)


FAIRIES = labels(Fairy)
ALL_UP = 7
HALVES = ("star", "tail")
STAR, TAIL = range(2)
HALF_COUNT = 6
PLACES_OF_HALVES = tuple(f"{fairy}-{half}" for fairy in FAIRIES for half in HALVES)

VALUES = ("0", "1", "2", "3")
JOKER_VALUES = ("0", "1", "2", "3", "5")
COLOURED = tuple(f"{fairy}-{half}-{value}" for fairy in FAIRIES for half in HALVES for value in VALUES)
WANDS = (*COLOURED, *(f"gold-{value}" for value in JOKER_VALUES))
COLOURED_COUNT, JOKER_COUNT = len(COLOURED), len(JOKER_VALUES)
WAND_COUNT = len(WANDS)
VALUE = np.array([int(name[-1]) for name in WANDS], np.int64)
COPIES = np.array([*(3, 3, 3, 2) * HALF_COUNT, 3, 3, 3, 3, 2], np.int64)
"""Number of cards of each kind; our choice (R3)."""
DECK = int(COPIES.sum())  # 80
MOST_COPIES = 3
DEEPEST = 25  # cards on one half: all eleven of its colour and all jokers
DEALT = 4  # wand cards dealt to each seat

PIECES = 9


class Shield(IntEnum):
    """The fairy shields, by what they do (R20 to R27)."""

    FOUR, EXTRA, EQUAL, AGAIN, LONE, PEEK, WAKE, GUARD = range(8)


SHIELDS = labels(Shield)
CROWN = 8
TREASURES = (*SHIELDS, "crown")
"""King's cards that a hand can hold: the eight fairy shields and the King's shield."""
KINGS = (*(f"piece-{piece}" for piece in numerals(1, PIECES)), *TREASURES)
KING_COUNT = len(KINGS)  # 18
GRID = PIECES
PILE = KING_COUNT - GRID
EVERY_KING = (1 << KING_COUNT) - 1
EVERY_PIECE = (1 << PIECES) - 1
FAIRY_SHIELDS = (1 << len(SHIELDS)) - 1


class Phase(IntEnum):
    """Phases of a match, from the draw for the first player to the end."""

    LOT = 0
    DEAL = 1
    EMPOWER = 2
    DRAW = 3
    DISCARD = 4
    ENERGY = 5
    EQUAL = 6
    STEAL = 7
    REFILL = 8
    EXCHANGE = 9
    HEAL = 10
    REVEAL = 11
    CHOOSE = 12
    LOOK = 13
    GLIMPSE = 14
    PICK = 15
    RESTORE = 16
    LAST_PLAYS = 17
    OVER = 18


PHASES = labels(Phase, "-")
TURN_PHASES = (
    (Phase.EMPOWER, Phase.DRAW, Phase.DISCARD),
    (Phase.ENERGY, Phase.EQUAL, Phase.STEAL, Phase.REFILL, Phase.EXCHANGE),
    (Phase.HEAL, Phase.REVEAL, Phase.CHOOSE, Phase.LOOK, Phase.GLIMPSE, Phase.PICK),
    (Phase.RESTORE,),
)
"""The four phases of a turn (R6), each with its steps."""


class Ending(IntEnum):
    """How a match ended."""

    NONE, CROWNED, ROUNDS = range(3)


FIRST_PLAYER = seat_option("first_player", SEATS, provenance="rulebook")
MOST_ROUNDS = 60
MOST_LAID = 4  # by the shield `four`
LAST_CARDS = 3
MOST_POINTS = 10_000

OPTIONS = Options(
    (2, SEATS),
    number_option("rounds", 0, MOST_ROUNDS, default=30, letter=0, provenance="decided"),
    FIRST_PLAYER,
    usual=3,
)

ACTIONS = Actions(
    verb("first", seat=SEAT_NAMES),
    verb("deal", wand=WANDS, secret=True),
    verb("steal", card=(*WANDS, *TREASURES), secret=True),
    verb("king", card=KINGS, secret=True),
    verb("done"),
    verb("lay", wand=COLOURED, seat=SEAT_NAMES, planned=True),
    verb("joker", value=JOKER_VALUES, seat=SEAT_NAMES, half=PLACES_OF_HALVES, planned=True),
    verb("return", wand=WANDS, secret=True),
    verb("green", seat=SEAT_NAMES),
    verb("blue", seat=SEAT_NAMES, half=PLACES_OF_HALVES),
    verb("red", shield=SHIELDS),
    verb("cover", seat=SEAT_NAMES, fairy=FAIRIES),
    verb("use", shield=SHIELDS),
    verb("wake", fairy=FAIRIES),
    verb("turn", place=numerals(1, GRID)),
    verb("look", place=numerals(1, GRID)),
    verb("heal"),
    verb("take"),
    verb("leave"),
    verb("crown"),
)


First = cast(Any, IntEnum)("First", {name.upper(): number for name, number in ACTIONS.first.items()})
"""First action number of each verb; an action adds the index of its arguments."""


class Half(Record):
    """One half of a wand."""

    count: int = number(0, DEEPEST)
    cards: tuple[int, ...] = each(DEEPEST, choice(*WANDS))  # bottom first; only the last is visible and counts


class Garden(Record):
    """Cards in front of a seat."""

    up: int = members(*FAIRIES)  # awake
    halves: tuple[Half, ...] = each(PLACES_OF_HALVES, Half)
    shields: int = members(*SHIELDS)  # laid on the table
    wands: int = number(0, DECK)  # wand cards in hand; their backs are public
    kings: int = number(0, PILE)  # King cards in hand
    healing: int = number(0, MOST_POINTS)  # points from healing
    crowned: int = number(0, MOST_POINTS)  # points from the King's shield
    points: int = number(-MOST_POINTS, MOST_POINTS)
    last: int = number(0, LAST_CARDS)  # cards played at the end of the match


class Table(Record):
    """Public part of the state."""

    players: int = number(2, SEATS)
    rounds: int = number(0, MOST_ROUNDS)
    first_player: int = choice(*FIRST_PLAYER.names)
    phase: int = choice(*PHASES)
    dealt: int = number(0, DEALT * SEATS)
    begun: int = number(0, 30_000)  # rounds
    first: int = number(0, SEATS - 1)  # seat that begins the round
    turns: int = number(0, SEATS)  # finished in this round
    seat: int = number(0, SEATS - 1)  # whose turn it is
    fairies: tuple[Garden, ...] = each(SEATS, Garden)
    deck: int = number(0, DECK)
    pile: int = number(0, PILE)
    healed: int = members(*numerals(1, PIECES))  # pieces of the picture face up in their places
    looked: int = members(*numerals(1, GRID))  # face-down King cards that a player looked at and left there
    shielded: int = members(*numerals(1, GRID))  # those of them that were shown to be shields and put back
    laid: int = number(0, MOST_LAID)  # wand cards played in this turn
    due: int = number(0, MOST_LAID + 1)  # wand cards still to be drawn
    used: int = members(*SHIELDS)  # in this turn
    spare: int = flag()  # the card of `extra` was drawn, and one must go back
    energy: int = number(0, 3)  # actions left in phase 2
    victim: int = number(0, SEATS - 1)
    aside: int = choice("none", *WANDS)  # taken by the blue fairy, before the exchange
    whole: int = members(*FAIRIES)  # the victim's wands that were complete before the exchange
    covered: int = members(*SEAT_NAMES)  # seats that had a fairy covered in this round
    guarded: int = members(*SEAT_NAMES)
    place: int = choice("none", *numerals(1, GRID))  # the King card being looked at; none: from the pile
    other: int = choice("none", *numerals(1, GRID))  # the one looked at before it
    passed: int = members(*SEAT_NAMES)  # seats that have finished their last plays
    ending: int = choice(*labels(Ending))
    ender: int = number(0, SEATS - 1)  # seat that played the King's shield


class Known(Record):
    """Cards that another hand certainly holds."""

    wands: tuple[int, ...] = each(WANDS, number(0, MOST_COPIES))
    kings: int = members(*TREASURES)


class Hand(Record):
    """Private part of a seat."""

    wands: tuple[int, ...] = each(WANDS, number(0, MOST_COPIES))
    kings: int = members(*TREASURES)
    grid: tuple[int, ...] = each(GRID, choice("none", *KINGS))  # face-down King cards this seat has looked at
    known: tuple[Known, ...] = each(SEATS, Known)  # what other hands certainly hold


class Box(Record):
    """Part of the state that no seat sees."""

    deck: tuple[int, ...] = each(WANDS, number(0, MOST_COPIES))
    grid: tuple[int, ...] = each(GRID, choice("none", *KINGS))  # face-down King cards that a player has looked at
    kings: int = members(*KINGS)  # the others, in the grid and the pile: their places are unknown


class State(Record):
    """Complete state."""

    table: Table = one(Table)
    hand: tuple[Hand, ...] = each(SEATS, Hand)
    box: Box = one(Box)


Seen = View[Table, Hand | None]
"""Type of a view of this game."""
