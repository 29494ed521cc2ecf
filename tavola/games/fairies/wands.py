"""What the wands in front of a seat come to: compiled, asked by the rules and by the heuristics.

The three sums of the rulebook differ, and each has its function: `attack` and `attack_of_three` (phase 2), `stars`
(phase 3), `mana` (the end). `R…` cites RULES.md beside this file.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled
from tavola.games.fairies.components import COLOURED_COUNT, HALF_COUNT, SEATS, STAR, TAIL, VALUE, First

__all__ = [
    "attack",
    "attack_of_three",
    "card_of",
    "count_active",
    "is_covered",
    "is_whole",
    "lift_card",
    "mana",
    "put_card",
    "shown_value",
    "stars",
]


@compiled
def shown_value(garden, half):
    """The value of the card that is seen on a half; 0 where there is none."""
    cards = garden.halves[half]
    return VALUE[cards.cards[cards.count - 1]] if cards.count else np.int64(0)


@compiled
def is_whole(garden, fairy):
    """R9: whether a wand has both its halves."""
    return garden.halves[2 * fairy + STAR].count > 0 and garden.halves[2 * fairy + TAIL].count > 0


@compiled
def count_active(garden):
    """Count the fairies that are face up."""
    up = np.int64(garden.up)
    return (up & 1) + (up >> 1 & 1) + (up >> 2 & 1)


@compiled
def is_covered(garden, fairy):
    """R18: covered is a fairy face down with a whole wand."""
    return not garden.up >> fairy & 1 and is_whole(garden, fairy)


@compiled
def attack(garden, fairy):
    """R13: star and tail of one fairy."""
    return shown_value(garden, 2 * fairy + STAR) + shown_value(garden, 2 * fairy + TAIL)


@compiled
def attack_of_three(garden):
    """R17: the six cards of the three wands."""
    return attack(garden, 0) + attack(garden, 1) + attack(garden, 2)


@compiled
def stars(garden):
    """R33: the stars of the active fairies, what healing is worth."""
    total = np.int64(0)
    for fairy in range(3):
        if garden.up >> fairy & 1:
            total += shown_value(garden, 2 * fairy + STAR)
    return total


@compiled
def mana(garden):
    """R36: stars and tails of the active fairies, what counts at the end."""
    total = np.int64(0)
    for fairy in range(3):
        if garden.up >> fairy & 1:
            total += attack(garden, fairy)
    return total


@compiled
def put_card(garden, half, kind):
    """R8: a card covers what lies on its half."""
    cards = garden.halves[half]
    cards.cards[cards.count] = kind
    cards.count += 1


@compiled
def lift_card(garden, half):
    """R15: take the card that is seen off a half; its kind."""
    cards = garden.halves[half]
    cards.count -= 1
    kind = np.int64(cards.cards[cards.count])
    cards.cards[cards.count] = 0
    return kind


@compiled
def sweep_covered(garden, half, deck):
    """R11: the covered cards of a half go into the deck (counts by kind); how many they were."""
    cards = garden.halves[half]
    under = np.int64(cards.count) - 1
    if under <= 0:
        return np.int64(0)
    for place in range(under):
        deck[cards.cards[place]] += 1
    cards.cards[0] = cards.cards[under]
    for place in range(1, under + 1):
        cards.cards[place] = 0
    cards.count = 1
    return under


@compiled
def card_of(action):
    """The kind of card, the seat and the half that `lay` and `joker` name."""
    if action < First.JOKER:
        kind = (action - First.LAY) // SEATS
        return kind, (action - First.LAY) % SEATS, kind // 4
    code = action - First.JOKER
    return COLOURED_COUNT + code // (SEATS * HALF_COUNT), code // HALF_COUNT % SEATS, code % HALF_COUNT
