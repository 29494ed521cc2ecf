"""The components of Lifeboats, its state, actions and options: data only.

The rulebook gives the men, the cards and the islands' points. Its pictures are lost: six seats a boat, three moves to
the island and the order 2, 2, 3 of the islands' lanes are from public reviews of the published game.

A boat has the number of the seat that owns it; the black one has the last. Lanes are 1 to 7 from left to right; row 0
is the start. A ballot's card is a boat's number plus one, or CAPTAIN; 0 means no card.
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

SEATS = 6
COLOURS = ("red", "green", "violet", "yellow", "blue", "white", "black")
BLACK = 6
BOATS = 7
CAPTAIN = 8
CARDS = ("none", *COLOURS, "captain")
RANKS = ("officer", "sailor")
OFFICER, SAILOR = range(2)
LANES = 7

ISLANDS = ("left", "middle", "right")
VALUES = np.array([[8, 6], [6, 4], [7, 5]])
"""Points for an officer and a sailor on each island (R31)."""
ISLAND_LANES = ("2-2-3", "2-3-2", "3-2-2")
FIRST_LANES = np.array([[3, 5], [3, 6], [4, 6]])
"""First lane of the middle and of the right island, for each value of the option `islands`."""


class Phase(IntEnum):
    """The phases; a ballot's choice phase follows its ballot."""

    LOT = 0
    BOATS = 1
    BLACK_BOAT = 2
    CREW = 3
    LEAK_BALLOT = 4
    LEAK_CHOICE = 5
    OVERBOARD_BALLOT = 6
    OVERBOARD_CHOICE = 7
    MOVE_BALLOT = 8
    MOVE_CHOICE = 9
    LEAVING = 10
    BOARDING = 11
    OVER = 12


PHASES = labels(Phase)
BALLOTS = (Phase.LEAK_BALLOT, Phase.OVERBOARD_BALLOT, Phase.MOVE_BALLOT)
CHOICES = (Phase.LEAK_CHOICE, Phase.OVERBOARD_CHOICE, Phase.MOVE_CHOICE)

OPTIONS = Options(
    (3, 6),
    number_option("seats", 6, 8, default=6, provenance="published"),
    number_option("moves", 2, 5, default=3, provenance="published"),
    choice_option("islands", *ISLAND_LANES, default="2-2-3", provenance="published"),
    switch_option("last_boat_stays", provenance="decided"),
)

ACTIONS = Actions(
    verb("start", seat=numerals(0, SEATS - 1)),
    verb("lane", lane=numerals(1, LANES)),
    verb("crew", rank=RANKS, boat=COLOURS),
    verb("vote", secret=True, ballot=CARDS[1:]),
    verb("choose", colour=COLOURS),
    verb("leave", rank=RANKS, boat=COLOURS),
    verb("board", boat=COLOURS),
)


First = cast(Any, IntEnum)("First", {name.upper(): number for name, number in ACTIONS.first.items()})
"""First number of each verb; an action's number is that plus the place of its arguments."""


class At(IntEnum):
    """The places of a boat."""

    ASIDE, SEA, ASHORE, SUNK = range(4)


class Boat(Record):
    """A boat, wherever it is."""

    at: int = choice(*labels(At))
    lane: int = number(0, LANES)  # 0 while aside
    row: int = number(0, 5)  # waves passed; `moves` on the island
    leaks: int = number(0, 8)
    crew: tuple[tuple[int, ...], ...] = each(SEATS, each(RANKS, number(0, 5)))
    arrival: int = number(0, BOATS)  # 1 for the first ashore, 0 for none


class BallotKind(IntEnum):
    """The kinds of ballots, by what they choose."""

    NONE, LEAK, OVERBOARD, MOVE = range(4)


class Ballot(Record):
    """A ballot that was revealed."""

    kind: int = choice(*labels(BallotKind))
    boat: int = choice("none", *COLOURS)  # the full boat of an overboard ballot
    cards: tuple[int, ...] = each(SEATS, choice(*CARDS))
    weights: tuple[int, ...] = each(SEATS, number(0, 12))  # votes of each card; 0 if the seat did not vote
    decider: int = number(-1, SEATS - 1)  # the seat that had to choose; -1 if the majority decided
    candidates: int = members(*COLOURS)  # what could be chosen; empty if the majority decided
    chosen: int = choice("none", *COLOURS)


class Table(Record):
    """The table, which everyone sees."""

    players: int = number(3, SEATS)
    seats: int = number(6, 8)
    moves: int = number(2, 5)
    islands: int = choice(*ISLAND_LANES)
    last_boat_stays: int = flag()
    phase: int = choice(*PHASES)
    rounds: int = number(0, 60)  # 0 before the first
    starter: int = number(0, SEATS - 1)
    turn: int = number(0, SEATS - 1)  # the seat to act, in phases in which only one acts
    boats: tuple[Boat, ...] = each(COLOURS, Boat)
    ashore: tuple[tuple[tuple[int, ...], ...], ...] = each(SEATS, each(ISLANDS, each(RANKS, number(0, 5))))
    unseated: tuple[tuple[int, ...], ...] = each(SEATS, each(RANKS, number(0, 5)))
    lost: tuple[tuple[int, ...], ...] = each(SEATS, each(RANKS, number(0, 5)))
    behind: tuple[int, ...] = each(SEATS, choice("none", *COLOURS))  # the boat that a man of the seat swims behind
    behind_rank: tuple[int, ...] = each(SEATS, choice(*RANKS))
    captains: tuple[int, ...] = each(SEATS, number(0, 3))
    arrived: int = number(0, BOATS)
    target: int = choice("none", *COLOURS)  # the full boat that takes a leak
    voters: int = members(*numerals(0, SEATS - 1))
    voted: int = members(*numerals(0, SEATS - 1))
    ballots: int = number(0, 200)  # ballots revealed so far; `ballot` is the last of them
    ballot: Ballot = one(Ballot)


class Hand(Record):
    """A hand, which only its seat sees."""

    card: int = choice(*CARDS)  # the card played face down


class State(Record):
    """A full state."""

    table: Table = one(Table)
    hand: tuple[Hand, ...] = each(SEATS, Hand)


Seen = View[Table, Hand | None]
"""A view of this game; a spectator's has no hand."""
