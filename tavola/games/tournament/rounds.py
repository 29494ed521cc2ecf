"""The deal, the rounds, and the end. Compiled."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import compiled, copy_record, count_members, lowest_member
from tavola.games.tournament.cards import KIND_CARDS, deck, deck_of, has_set, legal_cards, put_card, take_card
from tavola.games.tournament.components import (
    CYCLE,
    DUELS_A_ROUND,
    JOKER,
    JOKERS,
    KIND_COUNT,
    PAIRS,
    SOUS,
    TOP_VALUE,
    Deal,
    EmptyRounds,
    Ending,
    First,
    Phase,
    Will,
)
from tavola.games.tournament.duels import begin_duel, decide_walkover, pay_prize
from tavola.games.tournament.market import lapse_offers, open_market

THIRDS = 3


@compiled
def everybody(t):
    return (1 << np.int64(t.players)) - 1


@compiled
def lay_table(s):
    """R3, R5: the cards for this number of players, and ten sous each."""
    s.box.cards = deck(s.table.players)
    s.box.jokers = JOKERS[s.table.players]
    for seat in range(s.table.players):
        s.table.purse[seat] = SOUS


@compiled
def legal_deal(s, actions, weights):
    """R5, R6: any card of the current pack."""
    t = s.table
    dealt = pack(t, t.dealt)
    count = legal_cards(s.box.cards & dealt, First.DEAL, actions, weights)
    if s.box.jokers and (t.deal == Deal.SHUFFLED or not dealt):
        actions[count] = First.DEAL + JOKER
        weights[count] = s.box.jokers
        count += 1
    return count


@compiled
def pack(t, place):
    """R6: return the valued cards of the pack that is dealt at this place; 0 for the jokers."""
    top = TOP_VALUE[t.players]
    if t.deal == Deal.SHUFFLED:
        return deck(t.players)
    if place >= KIND_COUNT * top:
        return np.int64(0)
    if t.deal == Deal.KINDS:
        return deck(t.players) & KIND_CARDS[place // top]
    third = top // THIRDS
    number = place // (KIND_COUNT * third)
    return deck_of(third * (number + 1)) & ~deck_of(third * number)


@compiled
def apply_deal(s, card):
    """R5: one card each in turn; once all are dealt, the first round begins."""
    t = s.table
    seat = t.dealt % t.players
    take_card(s.box, card)
    put_card(s.hand[seat], card)
    t.held[seat] += 1
    t.dealt += 1
    if not s.box.cards and not s.box.jokers:
        _begin_round(t)


@compiled
def _begin_round(t):
    t.phase = Phase.TRADE
    t.begun += 1
    t.fought = 0
    open_market(t)


@compiled
def end_trade(s):
    """R13, R32: the match ends if at most one full set is left; otherwise the duels begin."""
    t = s.table
    lapse_offers(s)
    armed = np.int64(0)
    for seat in range(t.players):
        if not t.out >> seat & 1 and has_set(s.hand[seat]):
            armed |= 1 << seat
    if count_members(armed) > 1:
        _next_duel(s)
    else:
        _end_match(t, Ending.LAST_SET if armed else Ending.NO_SET)
        if armed:
            t.champion = lowest_member(armed) + 1
            pay_prize(t, lowest_member(armed))


@compiled
def _end_match(t, ending):
    t.ending = ending
    t.phase = Phase.OVER


@compiled
def end_duel(s):
    copy_record(s.table.last, s.table.duel)  # so that it stays visible when the next one begins with the same action
    s.table.fought += 1
    _next_duel(s)


@compiled
def _next_duel(s):
    """R14, R15: a seat that is out rests, and so does its opponent; a seat without a set is out without being asked."""
    t = s.table
    while t.fought < DUELS_A_ROUND[t.players]:
        first, second = _pair(t, t.begun, t.fought)
        if not t.out >> first & 1 and not t.out >> second & 1:
            begin_duel(t, first, second)
            for side in range(2):
                t.duel.wills[side] = Will.FIGHT if has_set(s.hand[t.duel.seats[side]]) else Will.UNABLE
            if not decide_walkover(t):
                _ask_both(t)
                return
        t.fought += 1
    _next_round(t)


@compiled
def _ask_both(t):
    for side in range(2):
        t.duel.wills[side] = 0
    t.phase = Phase.BALLOT


@compiled
def _pair(t, begun, duel):
    """R14: return the two seats of a duel."""
    two = PAIRS[t.players, (begun - 1) % CYCLE[t.players], duel]
    return two[0], two[1]


@compiled
def _next_round(t):
    """R33 to R35: begin another round, unless all seats are out or this was the last one."""
    if t.out == everybody(t):
        _end_match(t, Ending.ALL_OUT)
        return
    while t.begun < t.rounds:
        _begin_round(t)
        if t.empty_rounds != EmptyRounds.SKIPPED or _has_possible_duel(t):
            return
    _end_match(t, Ending.ROUNDS)


@compiled
def _has_possible_duel(t):
    """R35: a round without a possible duel may be skipped, but not the last barter of the only seat left."""
    for duel in range(DUELS_A_ROUND[t.players]):
        first, second = _pair(t, t.begun, duel)
        if not (t.out >> first | t.out >> second) & 1:
            return True
    return count_members(everybody(t) & ~t.out) == 1
