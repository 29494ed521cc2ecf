"""A turn: arrows, vouchers, what a point gives, loops that must be left, how the match continues and ends. Compiled.

Steps never call the opening of a turn recursively: each sets the phase of the next decision.
"""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import add_member, compiled, local_array, remove_member
from tavola.games.expedition.arrows import (
    add_arrows,
    can_lay,
    can_lay_any,
    count_arrows,
    lay_arrow,
    lift_arrow,
    loops_when_lifted,
)
from tavola.games.expedition.components import (
    COLOUR_COUNT,
    EVERY_ARROW,
    FINISH_ROUND,
    GOALS,
    MOST_TURNS,
    TOKENS_IN_B,
    VOUCHERS_A_TURN,
    Ending,
    First,
    Phase,
)
from tavola.games.expedition.deck import (
    add_cards,
    empty_goal,
    note_given,
    note_kept,
    note_laid,
    note_missed,
    put_under,
    take_card,
)
from tavola.games.expedition.network import DISTANCE, KIND, PLACE_COUNT, TARGET, WAY_COUNT

A_PLACE, A_GREEN = 1, 2  # kinds of spots; the next ones give vouchers
SETS = 1 << TOKENS_IN_B  # sets of a seat's tokens
new_spots, new_pairs = local_array(TOKENS_IN_B, np.int64), local_array(SETS, np.int16)
new_walks, new_endings = local_array((3, SETS), np.int16), local_array((SETS, TOKENS_IN_B), np.int16)


@compiled
def legal_turn(s, seat, actions):
    """R13: the turn's arrow, vouchers, and the end of the turn once the arrow is laid or none can be."""
    t = s.table
    count = 0 if t.placed else add_arrows(t, actions, 0)
    must = count > 0
    if t.explorers[seat].vouchers and t.used < VOUCHERS_A_TURN:
        count = _add_vouchers(s, seat, actions, count)
    if not must:
        actions[count] = First.DONE
        count += 1
    return count


@compiled
def _add_vouchers(s, seat, actions, count):
    """R23: one more arrow, the removal of an arrow, the exchange of a card."""
    t = s.table
    if count or (t.placed and can_lay_any(t)):
        actions[count] = First.VOUCHER
        count += 1
    for colour in range(COLOUR_COUNT):
        route = t.expedition[colour]
        if route.count and not (np.int64(t.looped) >> colour & 1 and loops_when_lifted(route)):
            actions[count] = First.REMOVE + colour
            count += 1
    if t.deck + t.beneath:
        count = add_cards(s.hand[seat].cards, First.EXCHANGE, actions, count)
    return count


@compiled
def apply_turn(s, seat, action):
    """Play any action of a turn: an arrow, paid for according to the phase, or a voucher."""
    t = s.table
    if t.phase == Phase.TURN and not t.placed and not t.used:
        _clear_fresh(t)
    if action == First.DONE:
        if t.phase == Phase.GREEN:
            t.green -= 1
            resume_turn(s)
        else:
            end_turn(s)
    elif action < First.VOUCHER:
        _pay_for_arrow(t)
        _play_arrow(s, (action - First.ARROW) // WAY_COUNT, (action - First.ARROW) % WAY_COUNT)
    else:
        t.explorers[seat].vouchers -= 1
        t.used += 1
        if action == First.VOUCHER:
            t.phase = Phase.EXTRA
        elif action < First.EXCHANGE:
            _remove_arrow(s, action - First.REMOVE)
        else:
            _exchange(s, seat, action - First.EXCHANGE)


@compiled
def _clear_fresh(t):
    for colour in range(COLOUR_COUNT):
        t.expedition[colour].fresh = 0


@compiled
def _pay_for_arrow(t):
    if t.phase == Phase.TURN:
        t.placed = 1
    elif t.phase == Phase.GREEN:
        t.green -= 1
    elif t.phase == Phase.LOOP:
        t.due = 0


@compiled
def _play_arrow(s, colour, way):
    t = s.table
    if lay_arrow(t, colour, way):
        t.looped |= 1 << colour
        t.due = colour + 1
    _arrive(s, TARGET[way], 0)


@compiled
def _remove_arrow(s, colour):
    """R24, R25: back to the arrow's origin; if no arrow is left, the expedition has not begun."""
    t = s.table
    if lift_arrow(t, colour):
        t.looped |= 1 << colour
        t.due = colour + 1
    if t.expedition[colour].count:
        _arrive(s, np.int64(t.expedition[colour].head), 1)
    else:
        resume_turn(s)


@compiled
def _arrive(s, spot, removed):
    """R18: what the point gives; if a seat may hold its card, chance resolves that first."""
    t = s.table
    kind = KIND[spot]
    if kind == A_PLACE:
        if _reach_place(s, spot - 1, removed):
            t.arrived = spot
            t.removed = removed
            t.phase = Phase.CLAIM
            return
    elif kind == A_GREEN:
        t.green += 1
    elif kind > A_GREEN and t.bank:
        t.bank -= 1
        t.explorers[t.seat].vouchers += 1
    resume_turn(s)


@compiled
def _reach_place(s, place, removed):
    """The public effects of reaching a place; return whether its card can be in a hand."""
    t = s.table
    if t.variant_b:
        if t.token[place]:
            _collect(t, t.token[place] - 1, place)
        return False
    if t.laid[place]:
        return False
    for slot in range(GOALS):
        if t.goals[slot] == place + 1:
            if not removed or t.goals_by_removal:
                t.goals[slot] = 0
                t.explorers[t.seat].public += 1
                _lay_card(t, np.int64(t.seat), place)
            return False
    return True


@compiled
def _lay_card(t, seat, place):
    """Lay the card of a place in front of a seat, with its own token if there is one."""
    t.laid[place] = seat + 1
    if t.token[place] == seat + 1:
        _collect(t, seat, place)


@compiled
def _collect(t, owner, place):
    t.token[place] = 0
    t.laid[place] = owner + 1
    add_member(t.won, place)
    t.explorers[owner].tokens -= 1
    t.explorers[owner].collected += 1
    if t.variant_b and t.explorers[owner].collected == TOKENS_IN_B:
        t.ending = Ending.TOKENS


@compiled
def apply_claim(s, seat):
    """R26, R34: `seat` lays the card of the place; -1 means that none has it. An emptied hand begins the end."""
    t = s.table
    place = np.int64(t.arrived) - 1
    t.arrived = 0
    t.removed = 0
    if seat < 0:
        note_missed(t, place)
    else:
        explorer = t.explorers[seat]
        remove_member(s.hand[seat].cards, place)
        explorer.cards -= 1
        explorer.own += 1
        note_laid(t, explorer, place)
        _lay_card(t, seat, place)
        if explorer.cards == 0 and t.ending == 0:
            t.ending = Ending.CARDS
            t.left = t.players - 1 - (t.seat if t.last_round == FINISH_ROUND else 0)
    resume_turn(s)


@compiled
def resume_turn(s):
    """R19 to R22: what is owed after an arrival: the end, the arrow out of a loop, one for a green station."""
    t = s.table
    if t.ending == Ending.TOKENS or count_arrows(t) == EVERY_ARROW:
        _end_match(t, Ending.TOKENS if t.ending == Ending.TOKENS else Ending.ARROWS)
        return
    if t.due and not can_lay(t, np.int64(t.due) - 1):
        t.expedition[t.due - 1].loose = 1
        t.due = 0
    if t.green and not t.due and not can_lay_any(t):
        t.green = 0
    if t.due:
        t.phase = Phase.LOOP
    elif t.green:
        t.phase = Phase.GREEN
    elif t.placed and (t.used == VOUCHERS_A_TURN or t.explorers[t.seat].vouchers == 0):
        end_turn(s)
    else:
        t.phase = Phase.TURN


@compiled
def _exchange(s, seat, place):
    """R28: the seat's card goes under the deck, two are drawn."""
    remove_member(s.hand[seat].cards, place)
    s.table.explorers[seat].cards -= 1
    s.table.explorers[seat].swaps += 1
    put_under(s, s.hand[seat], place)
    note_given(s.table, s.table.explorers[seat])
    s.table.phase = Phase.DRAW


@compiled
def apply_draw(s, place):
    drawn = s.hand[s.table.seat].drawn
    take_card(s, place)
    if drawn[0]:
        drawn[1] = place + 1
        s.table.phase = Phase.KEEP
    else:
        drawn[0] = place + 1


@compiled
def legal_keep(hand, actions):
    one, other = np.int64(hand.drawn[0]), np.int64(hand.drawn[1])
    actions[0] = First.KEEP + min(one, other) - 1
    actions[1] = First.KEEP + max(one, other) - 1
    return 2


@compiled
def apply_keep(s, seat, place):
    """R28: one is kept, the other goes under the deck."""
    hand = s.hand[seat]
    other = np.int64(hand.drawn[0]) + hand.drawn[1] - (place + 1)
    hand.drawn[0] = 0
    hand.drawn[1] = 0
    add_member(hand.cards, place)
    note_kept(s.table, s.table.explorers[seat])
    s.table.explorers[seat].cards += 1
    put_under(s, hand, other - 1)
    resume_turn(s)


@compiled
def end_turn(s):
    """R29: used vouchers are returned, public goals are replaced; then the next seat, or the end."""
    t = s.table
    t.idle = 0 if t.placed or t.used else t.idle + 1
    t.bank += t.used
    t.used = 0
    t.placed = 0
    t.looped = 0
    t.turns += 1
    if t.ending == Ending.CARDS and t.left == 0:
        _end_match(t, Ending.CARDS)
    elif t.idle == t.players:
        _end_match(t, Ending.STUCK)
    elif t.turns == MOST_TURNS:
        _end_match(t, Ending.TURNS)
    else:
        if t.ending == Ending.CARDS:
            t.left -= 1
        _next_seat(t)


@compiled
def _next_seat(t):
    if not t.variant_b and t.deck + t.beneath and empty_goal(t) >= 0:
        t.phase = Phase.REFILL
    else:
        t.seat = (t.seat + 1) % t.players
        t.phase = Phase.TURN


@compiled
def apply_refill(s, place):
    """R29: from the left."""
    t = s.table
    take_card(s, place)
    t.goals[empty_goal(t)] = place + 1
    t.missed[place] = 0
    _next_seat(t)


@compiled
def _end_match(t, how):
    t.bank += t.used
    t.used = 0
    t.placed = 0
    t.looped = 0
    t.due = 0
    t.green = 0
    t.left = 0
    t.ending = how
    t.phase = Phase.OVER
    if t.variant_b:
        count_walks(t)


UNREACHABLE = 10_000  # segments; the sum of three fits in 16 bits


# Variant B's last tie-break (R36): the fewest segments in which three walks pass all tokens left. An exact search over
# at most eight places: the shortest walk from each head through every set of them (Held and Karp, "A dynamic
# programming approach to sequencing problems", 1962), then the best division of the whole set among the three.


@compiled
def count_walks(t):
    """Write the walk of every seat that is tied with another."""
    for seat in range(t.players):
        for other in range(t.players):
            if other != seat and t.explorers[other].collected == t.explorers[seat].collected:
                t.explorers[seat].walk = _shortest_total(t, seat)
                break


@compiled
def _shortest_total(t, seat):
    spots, alone = new_spots(), new_walks()
    count = 0
    for place in range(PLACE_COUNT):
        if t.token[place] == seat + 1:
            spots[count] = place + 1
            count += 1
    for colour in range(3):
        _shortest_walks(spots, count, np.int64(t.expedition[colour].head), alone[colour])
    return _share_among_three(alone, count)


@compiled
def _shortest_walks(spots, count, head, shortest):
    """The shortest walk from a head through each set of spots."""
    ending = new_endings()
    ending[: 1 << count] = UNREACHABLE
    for last in range(count):
        ending[1 << last, last] = DISTANCE[head, spots[last]]
    for among in range(1, 1 << count):
        shortest[among] = UNREACHABLE
        for last in range(count):
            if among >> last & 1:
                shortest[among] = min(shortest[among], ending[among, last])
                for then in range(count):
                    if not among >> then & 1:
                        length = ending[among, last] + DISTANCE[spots[last], spots[then]]
                        ending[among | 1 << then, then] = min(ending[among | 1 << then, then], length)


@compiled
def _share_among_three(alone, count):
    pairs = new_pairs()
    for among in range(1 << count):
        pairs[among] = _share_between_two(alone[0], alone[1], among)
    return _share_between_two(pairs, alone[2], (1 << count) - 1)


@compiled
def _share_between_two(one, other, among):
    best = one[0] + other[among]
    part = among
    while part:
        best = min(best, one[part] + other[among ^ part])
        part = (part - 1) & among
    return best
