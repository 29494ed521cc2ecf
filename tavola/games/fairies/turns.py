"""How a turn goes on: from phase to phase, from seat to seat, from round to round (R6). Compiled.

No step calls the one that opens a turn again in a circle: each names the phase that is asked next.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled, count_members
from tavola.games.fairies.components import FAIRY_SHIELDS, HALF_COUNT, Ending, First, Phase
from tavola.games.fairies.wands import is_covered, mana, sweep_covered

__all__ = [
    "add_wakings",
    "begin_drawing",
    "begin_energy",
    "begin_restoring",
    "begin_turn",
    "end_turn",
    "score_end",
    "spend_energy",
    "take_into_hand",
]


@compiled
def take_into_hand(s, seat, kind):
    """A wand card comes into a hand."""
    s.hand[seat].wands[kind] += 1
    s.table.fairies[seat].wands += 1


@compiled
def begin_drawing(s, wanted):
    """R10, R11: so many cards are to be drawn; where the deck is too small the covered cards are shuffled in."""
    t = s.table
    if t.deck < wanted:
        for seat in range(t.players):
            for half in range(HALF_COUNT):
                t.deck += sweep_covered(t.fairies[seat], half, s.box.deck)
    t.due = min(np.int64(t.deck), np.int64(wanted))


@compiled
def begin_turn(t):
    """Phase 1 of `t.seat`."""
    t.laid = 0
    t.used = 0
    t.energy = 0
    t.guarded &= ~(1 << np.int64(t.seat))  # R27: until his next turn begins
    t.phase = Phase.EMPOWER


@compiled
def begin_energy(s):
    """R12: asked who has an active fairy."""
    t = s.table
    t.spare = 0
    if t.fairies[t.seat].up:
        t.energy = 1
        t.phase = Phase.ENERGY
    else:
        begin_restoring(s)


@compiled
def spend_energy(t):
    """An action of phase 2 is done; phase 3 follows the last."""
    t.energy -= 1
    t.victim = 0
    t.phase = Phase.ENERGY if t.energy else Phase.HEAL


@compiled
def begin_restoring(s):
    """R35: asked who has a covered fairy."""
    t = s.table
    t.energy = 0
    t.place = 0
    t.other = 0
    garden = t.fairies[t.seat]
    if is_covered(garden, 0) or is_covered(garden, 1) or is_covered(garden, 2):
        t.phase = Phase.RESTORE
    else:
        end_turn(s)


@compiled
def end_turn(s):
    """The next seat, the next round, or the end."""
    t = s.table
    t.turns += 1
    t.seat = (t.seat + 1) % t.players
    if t.turns == t.players:
        if t.begun == t.rounds:
            score_end(s)
            return
        _next_round(t)
    begin_turn(t)


@compiled
def _next_round(t):
    """R6: with three or four the first player passes to the left; R18: everybody may be covered again."""
    t.turns = 0
    t.begun += 1
    t.covered = 0
    if t.players > 2:
        t.first = (t.first + 1) % t.players
    t.seat = t.first


@compiled
def add_wakings(garden, actions, count):
    """Add the waking of every covered fairy; the count of actions."""
    for fairy in range(3):
        if is_covered(garden, fairy):
            actions[count] = First.WAKE + fairy
            count += 1
    return count


@compiled
def score_end(s):
    """R36 to R39."""
    t = s.table
    for seat in range(t.players):
        garden = t.fairies[seat]
        if t.ending != Ending.CROWNED or seat != t.ender:
            garden.points += mana(garden)
        owned = np.int64(garden.shields) | (np.int64(s.hand[seat].kings) & FAIRY_SHIELDS)
        garden.points -= 2 * count_members(owned)
    if t.ending != Ending.CROWNED:
        t.ending = Ending.ROUNDS
    t.phase = Phase.OVER
