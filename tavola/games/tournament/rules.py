"""Rules of Tournament. `R…` cites the paragraphs of RULES.md beside this file."""

import numpy as np

from tavola.core import CHANCE, OPEN, compiled, rank_seats
from tavola.games.tournament.components import ACTIONS, OPTIONS, First, Phase, State
from tavola.games.tournament.duels import (
    apply_arming,
    apply_ballot,
    apply_draw,
    apply_pointing,
    apply_purchase,
    apply_race,
    apply_throw,
    begin_judgement,
    duellists,
    legal_arming,
    legal_ballot,
    legal_draw,
    legal_pointing,
    legal_purchase,
    legal_race,
    legal_throw,
    settle_duel,
    winner,
)
from tavola.games.tournament.market import apply_trade, legal_trade
from tavola.games.tournament.redeals import redeal
from tavola.games.tournament.rounds import apply_deal, end_duel, end_trade, everybody, lay_table, legal_deal

__all__ = ["ACTIONS", "OPTIONS", "State", "apply", "legal", "redeal", "score", "start", "to_act"]


@compiled
def start(s):
    """R3, R5: all cards undealt, ten sous for each seat; then chance deals."""
    lay_table(s)


@compiled
def to_act(s):
    t = s.table
    phase = t.phase
    if phase == Phase.TRADE:
        return everybody(t) & ~np.int64(t.done) | 1 << OPEN
    if phase in (Phase.DEAL, Phase.THROW, Phase.RACE, Phase.DRAW):
        return 1 << CHANCE
    if phase in (Phase.BALLOT, Phase.ARMING, Phase.POINTING):
        return duellists(t) & ~np.int64(t.duel.chosen)
    return 1 << np.int64(t.duel.buyer - 1) if phase == Phase.PURCHASE else 0


@compiled
def legal(s, seat, actions, weights):
    t = s.table
    phase = t.phase
    if phase == Phase.TRADE:
        return legal_trade(s, seat, actions)
    if phase == Phase.DEAL:
        return legal_deal(s, actions, weights)
    if phase == Phase.ARMING:
        return legal_arming(t, s.hand[seat], actions)
    if phase == Phase.BALLOT:
        return legal_ballot(actions)
    if phase == Phase.PURCHASE:
        return legal_purchase(actions)
    if phase == Phase.DRAW:
        return legal_draw(s, actions, weights)
    if phase == Phase.POINTING:
        return legal_pointing(actions)
    if phase == Phase.THROW:
        return legal_throw(actions, weights)
    return legal_race(t, actions, weights)


@compiled
def apply(s, seat, action):
    t = s.table
    phase = t.phase
    if phase == Phase.TRADE:
        apply_trade(s, seat, action)
        if t.done == everybody(t):
            end_trade(s)
    elif phase == Phase.DEAL:
        apply_deal(s, action - First.DEAL)
    elif phase == Phase.ARMING:
        if apply_arming(s, seat, action):
            _decide_by_boxes(s)
    elif _apply_duel(s, seat, action):
        end_duel(s)


@compiled
def _decide_by_boxes(s):
    """R21: three points win the duel; otherwise the judgement decides."""
    victor = winner(s.table.duel)
    if victor < 0:
        begin_judgement(s.table)
    elif not settle_duel(s, victor):
        end_duel(s)


@compiled
def _apply_duel(s, seat, action):
    """Play an action of the ballot, the judgement or the purchase; return whether the duel is over."""
    t = s.table
    phase = t.phase
    if phase == Phase.BALLOT:
        return apply_ballot(s, seat, action)
    if phase == Phase.PURCHASE:
        return apply_purchase(t, seat, action)
    if phase == Phase.DRAW:
        return apply_draw(s, action - First.DRAW)
    if phase == Phase.THROW:
        apply_throw(t, action - First.THROW)
        return False
    victor = apply_pointing(s, seat, action - First.POINT) if phase == Phase.POINTING else apply_race(t, action)
    return victor >= 0 and not settle_duel(s, victor)


@compiled
def score(s, points, place):
    """R36: the richest wins; equal purses share the place."""
    t = s.table
    for seat in range(t.players):
        points[seat] = t.purse[seat]
    rank_seats(points, place, t.players)
