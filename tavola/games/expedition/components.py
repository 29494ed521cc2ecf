"""The components of Expedition, its state, actions and options: data only. The map is in `atlas.py`.

The rulebook gives the 135 arrows in three colours, the 79 cards, the tokens and the 31 vouchers. The colours yellow,
blue and red are from reviews of the published game. `R…` cites RULES.md in this folder.

In a field for one place, 0 means none and any other number is the place's spot (see `network.py`); so place `p` is
`p + 1`. There is one card for each place.
"""

from enum import IntEnum
from typing import Any, cast

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
from tavola.games.expedition.network import LINE_NAMES, PLACE_COUNT, PLACES, SPOT_COUNT, SPOTS, WAYS

SEATS = 6
SEAT_NAMES = numerals(0, SEATS - 1)
COLOURS = ("yellow", "blue", "red")
COLOUR_COUNT = len(COLOURS)
ARROWS = 45  # of each colour
EVERY_ARROW = ARROWS * COLOUR_COUNT

VOUCHERS = 31
VOUCHERS_EACH = 3
VOUCHERS_A_TURN = 2
CARDS_OF_FEW, CARDS_OF_MANY, FEW = 12, 9, 3  # cards each for up to three players, and for more
GOALS = 6  # public
GOAL_DISTANCE = 3
TOKENS, TOKENS_IN_A, TOKENS_IN_B = 4, 10, 8
MOST_UNDER = 50  # maximum number of cards under the deck: two players leave 49
MOST_TURNS = 1_000  # a limit of the engine
MOST_SWAPS = VOUCHERS_A_TURN * MOST_TURNS  # cards exchanged in a match
MOST_GREEN = 9  # bonus arrows owed at once


class Phase(IntEnum):
    """The phases: those of the preparations, then those of a turn."""

    DEAL = 0
    REVEAL = 1
    MEND = 2
    TOKENS = 3
    TURN = 4
    EXTRA = 5
    LOOP = 6
    GREEN = 7
    CLAIM = 8
    DRAW = 9
    KEEP = 10
    REFILL = 11
    OVER = 12


class Ending(IntEnum):
    """The endings of a match."""

    NONE = 0
    ARROWS = 1
    CARDS = 2
    TOKENS = 3
    STUCK = 4
    TURNS = 5


OPTIONS = Options(
    (2, SEATS),
    switch_option("variant_a", provenance="rulebook"),
    switch_option("variant_b", provenance="rulebook"),
    number_option("token_distance", 2, 3, default=2, provenance="published"),
    choice_option("first_lines", "free", "shared", default="free", provenance="published"),
    switch_option("goals_by_removal", provenance="published"),
    choice_option("last_round", "finish", "one-more", default="finish", provenance="published"),
    choice_option("ties", "shared", "vouchers", default="shared", provenance="published"),
)
ACTIONS = Actions(
    verb("deal", place=PLACES, secret=True),
    verb("reveal", place=PLACES),
    verb("claim", seat=("nobody", *SEAT_NAMES)),
    verb("token", place=PLACES),
    verb("arrow", colour=COLOURS, way=WAYS, planned=True),
    verb("voucher", planned=True),
    verb("remove", colour=COLOURS, planned=True),
    verb("exchange", place=PLACES, secret=True, planned=True),
    verb("keep", place=PLACES, secret=True, planned=True),
    verb("done", planned=True),
)


First = cast(Any, IntEnum)("First", {name.upper(): number for name, number in ACTIONS.first.items()})
"""First number of each verb; an action's number is that plus the place of its argument."""


FREE_LINES, SHARED_LINES = range(2)
FINISH_ROUND, ONE_MORE = range(2)
SHARED_TIES, VOUCHER_TIES = range(2)


class Route(Record):
    """One expedition: its arrows in the order they were laid."""

    count: int = number(0, ARROWS)
    path: tuple[int, ...] = each(ARROWS, choice("none", *WAYS))  # the way's number and one
    lines: int = members(*LINE_NAMES)  # with one of its arrows
    visited: int = members(*SPOTS)  # touched by its arrows
    head: int = choice(*SPOTS)  # START until it has begun
    loose: int = flag()  # it closed a loop that it could not leave: its next arrow can
    fresh: int = number(0, ARROWS)  # its arrows laid in the last turn played


class Explorer(Record):
    """The public pieces of a seat, and the number of cards in its hand."""

    cards: int = number(0, CARDS_OF_FEW)
    vouchers: int = number(0, VOUCHERS)
    own: int = number(0, PLACE_COUNT)  # private goals reached
    public: int = number(0, PLACE_COUNT)  # public goals reached
    collected: int = number(0, TOKENS_IN_A)  # own tokens
    tokens: int = number(0, TOKENS_IN_A)  # own tokens on the map
    swaps: int = number(0, MOST_SWAPS)  # cards exchanged
    newcomers: tuple[int, ...] = each(CARDS_OF_FEW, number(0, MOST_SWAPS))  # exchanges whose card may be in the hand
    walk: int = number(0, PLACE_COUNT * SPOT_COUNT)  # segments to all tokens left: set at the end if it breaks a tie


class Table(Record):
    """The table, which everyone sees."""

    players: int = number(2, SEATS)
    variant_a: int = flag()
    variant_b: int = flag()
    token_distance: int = number(2, 3)
    first_lines: int = choice("free", "shared")
    goals_by_removal: int = flag()
    last_round: int = choice("finish", "one-more")
    ties: int = choice("shared", "vouchers")
    phase: int = choice(*labels(Phase))
    dealt: int = number(0, CARDS_OF_MANY * SEATS)
    seat: int = number(0, SEATS - 1)  # the seat whose turn it is
    expedition: tuple[Route, ...] = each(COLOURS, Route)
    explorers: tuple[Explorer, ...] = each(SEATS, Explorer)
    token: tuple[int, ...] = each(PLACES, choice("none", *SEAT_NAMES))  # the owner of the token on the map there
    laid: tuple[int, ...] = each(PLACES, choice("none", *SEAT_NAMES))  # the seat that has reached the place
    won: int = members(*PLACES)  # places reached together with their token
    goals: tuple[int, ...] = each(GOALS, choice("none", *PLACES))  # the public ones
    deck: int = number(0, PLACE_COUNT)  # shuffled cards
    beneath: int = number(0, MOST_UNDER)  # cards that have been put under the deck
    under: tuple[int, ...] = each(MOST_UNDER, choice("none", *PLACES))  # the public ones, next first
    given: tuple[int, ...] = each(MOST_UNDER, number(0, MOST_SWAPS))  # the exchange that brought its first card there
    missed: tuple[int, ...] = each(PLACES, number(0, MOST_SWAPS + 1))  # exchanges + 1 when last reached in vain
    bank: int = number(0, VOUCHERS)
    placed: int = flag()  # the turn's own arrow
    used: int = number(0, VOUCHERS_A_TURN)  # vouchers in this turn: they stay on the board until it ends
    looped: int = members(*COLOURS)  # colours that closed a loop in this turn
    due: int = choice("none", *COLOURS)  # this colour must leave its loop at once
    green: int = number(0, MOST_GREEN)  # arrows owed by green stations
    arrived: int = choice("none", *PLACES)  # a place whose card a seat may have to lay
    removed: int = flag()  # the expedition reached it by a removal
    passed: int = members(*SEAT_NAMES)  # seats that have finished placing tokens
    turns: int = number(0, MOST_TURNS)  # finished
    idle: int = number(0, SEATS)  # turns in a row without an arrow or a voucher
    ending: int = choice(*labels(Ending))
    left: int = number(0, SEATS)  # turns after this one, once a seat has laid its last card


class Hand(Record):
    """A hand, which only its seat sees."""

    cards: int = members(*PLACES)
    drawn: tuple[int, ...] = each(2, choice("none", *PLACES))  # one of them will be kept
    under: tuple[int, ...] = each(MOST_UNDER, choice("none", *PLACES))  # cards that the seat put under the deck


class Box(Record):
    """The box, which no one sees."""

    cards: int = members(*PLACES)  # shuffled
    under: tuple[int, ...] = each(MOST_UNDER, choice("none", *PLACES))


class State(Record):
    """A full state."""

    table: Table = one(Table)
    hand: tuple[Hand, ...] = each(SEATS, Hand)
    box: Box = one(Box)


Seen = View[Table, Hand | None]
"""A view of this game, for type checkers."""
