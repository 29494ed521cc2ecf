"""The rules of Lifeboats. `R…` cites the paragraphs of RULES.md in this folder."""

import numpy as np

from tavola.core import CHANCE, compiled, local_array, random_below, rank_seats
from tavola.games.lifeboats.boats import (
    boats_at_sea,
    crew_size,
    has_free_seat,
    island_of,
    men_of,
    next_seat,
    vote_weight,
)
from tavola.games.lifeboats.components import (
    ACTIONS,
    BLACK,
    BOATS,
    CAPTAIN,
    LANES,
    OFFICER,
    OPTIONS,
    SAILOR,
    SEATS,
    VALUES,
    At,
    First,
    Phase,
    State,
)

__all__ = ["ACTIONS", "OPTIONS", "State", "apply", "legal", "redeal", "score", "start", "to_act"]

LATEST = BOATS + 1  # later than any arrival
new_votes = local_array(BOATS + 1, np.int32)

# The six functions. `legal` writes every action and counts only the legal ones: the next overwrites an illegal one.
# Under random play a branch would be mispredicted half the time, which costs more.


@compiled
def start(s):
    """R1 to R4: each seat has a boat, two officers and sailors; the board is empty."""
    t = s.table
    for seat in range(t.players):
        t.unseated[seat, OFFICER] = 2
        t.unseated[seat, SAILOR] = 5 if t.players <= 4 else 4
        t.captains[seat] = 3
    t.ballot.decider = -1
    t.phase = Phase.LOT


@compiled
def to_act(s):
    t = s.table
    if t.phase == Phase.LOT:
        return 1 << CHANCE
    if t.phase == Phase.LEAK_BALLOT or t.phase == Phase.MOVE_BALLOT or t.phase == Phase.OVERBOARD_BALLOT:
        return np.int64(t.voters & ~t.voted)
    if t.phase == Phase.OVER:
        return 0
    return 1 << np.int64(t.turn)


@compiled
def legal(s, seat, actions, weights):
    phase = s.table.phase
    if phase == Phase.LEAK_BALLOT or phase == Phase.MOVE_BALLOT:
        return _legal_vote(s, seat, actions)
    if phase == Phase.OVERBOARD_BALLOT:
        return _legal_overboard_vote(s, seat, actions)
    if phase == Phase.LEAVING:
        return _legal_leave(s, seat, actions)
    if phase == Phase.BOARDING:
        return _legal_board(s, seat, actions)
    if phase == Phase.LEAK_CHOICE or phase == Phase.OVERBOARD_CHOICE or phase == Phase.MOVE_CHOICE:
        return _legal_choice(s, actions)
    if phase == Phase.CREW:
        return _legal_crew(s, seat, actions)
    if phase == Phase.BOATS or phase == Phase.BLACK_BOAT:
        return _legal_lane(s, actions)
    return _legal_lot(s, actions, weights)


@compiled
def apply(s, seat, action):
    phase = s.table.phase
    if phase == Phase.LEAK_BALLOT or phase == Phase.MOVE_BALLOT or phase == Phase.OVERBOARD_BALLOT:
        _apply_vote(s, seat, action - First.VOTE + 1)
    elif phase == Phase.LEAVING:
        _apply_leave(s, seat, action - First.LEAVE)
    elif phase == Phase.BOARDING:
        _apply_board(s, seat, action - First.BOARD)
    elif phase == Phase.LEAK_CHOICE or phase == Phase.OVERBOARD_CHOICE or phase == Phase.MOVE_CHOICE:
        _apply_outcome(s, action - First.CHOOSE)
    elif phase == Phase.CREW:
        _apply_crew(s, seat, action - First.CREW)
    elif phase == Phase.LOT:
        _apply_lot(s, action - First.START)
    else:
        _apply_lane(s, seat, action - First.LANE + 1)


@compiled
def score(s, points, place):
    """R31: men on the islands. R32: with equal points, the seat whose boat arrived earlier; if neither did, shared."""
    t = s.table
    for seat in range(t.players):
        points[seat] = 0
        for island in range(3):
            for rank in range(2):
                points[seat] += VALUES[island, rank] * t.ashore[seat, island, rank]
        arrival = t.boats[seat].arrival
        points[seat] = points[seat] * LATEST + (LATEST - arrival if arrival else 0)
    rank_seats(points, place, t.players, LATEST)


@compiled
def redeal(s, seat, rng):
    """Only cards played face down are hidden: redraw each from those that its seat could have played."""
    t = s.table
    if t.voted == 0:
        return
    actions = new_votes()
    for other in range(t.players):
        if other != seat and t.voted >> other & 1:
            if t.phase == Phase.OVERBOARD_BALLOT:
                count = _legal_overboard_vote(s, other, actions)
            else:
                count = _legal_vote(s, other, actions)
            s.hand[other].card = actions[random_below(rng, count)] - First.VOTE + 1


# Lot and placing: R5 to R7


@compiled
def _legal_lot(s, actions, weights):
    for seat in range(s.table.players):
        actions[seat] = First.START + seat
        weights[seat] = 1
    return np.int64(s.table.players)


@compiled
def _apply_lot(s, seat):
    s.table.starter = seat
    s.table.turn = seat
    s.table.phase = Phase.BOATS


@compiled
def _legal_lane(s, actions):
    taken = 0
    for boat in range(BOATS):
        taken |= 1 << np.int64(s.table.boats[boat].lane)
    count = 0
    for lane in range(1, LANES + 1):
        if not taken >> lane & 1:
            actions[count] = First.LANE + lane - 1
            count += 1
    return count


@compiled
def _apply_lane(s, seat, lane):
    t = s.table
    boat = t.boats[BLACK if t.phase == Phase.BLACK_BOAT else seat]
    boat.at = At.SEA
    boat.lane = lane
    if t.phase == Phase.BLACK_BOAT:  # R6: the start player places the black boat, and seats the first man
        t.phase = Phase.CREW
    else:
        t.turn = next_seat(t, seat)
        if t.turn == t.starter:
            t.phase = Phase.BLACK_BOAT


@compiled
def _legal_crew(s, seat, actions):
    t = s.table
    free = 0
    for boat in range(BOATS):
        free |= has_free_seat(t, boat) << boat
    count = 0
    for rank in range(2):
        for boat in range(BOATS):
            actions[count] = First.CREW + rank * BOATS + boat
            count += (t.unseated[seat, rank] > 0) & free >> boat
    return count


@compiled
def _apply_crew(s, seat, place):
    t = s.table
    rank, boat = place // BOATS, place % BOATS
    t.unseated[seat, rank] -= 1
    t.boats[boat].crew[seat, rank] += 1
    t.turn = next_seat(t, seat)
    if t.unseated[t.turn, OFFICER] + t.unseated[t.turn, SAILOR] == 0:  # R7: all seats have the same number of men
        _open_round(t)


# Ballots: R9 to R15


@compiled
def _open_round(t):
    t.rounds += 1
    _open_ballot(t, Phase.LEAK_BALLOT)


@compiled
def _open_ballot(t, phase):
    t.phase = phase
    t.voted = 0
    t.voters = (1 << np.int64(t.players)) - 1


@compiled
def _legal_vote(s, seat, actions):
    """R10: the colour of a boat at sea, or a captain."""
    t = s.table
    count = 0
    for boat in range(BOATS):
        actions[count] = First.VOTE + boat
        count += t.boats[boat].at == At.SEA
    return _add_captain(t, seat, actions, count)


@compiled
def _legal_overboard_vote(s, seat, actions):
    """R20: a colour that has a man in the full boat, the voter's own too, or a captain."""
    t = s.table
    count = 0
    for other in range(t.players):
        actions[count] = First.VOTE + other
        count += men_of(t.boats[t.target - 1], other) > 0
    return _add_captain(t, seat, actions, count)


@compiled
def _add_captain(t, seat, actions, count):
    if t.captains[seat]:
        actions[count] = First.VOTE + CAPTAIN - 1
        count += 1
    return count


@compiled
def _apply_vote(s, seat, card):
    """R9: cards stay face down until all have played; then they are revealed together."""
    t = s.table
    s.hand[seat].card = card
    t.voted |= 1 << seat
    if t.voted == t.voters:
        _reveal(s)


@compiled
def _reveal(s):
    t, ballot = s.table, s.table.ballot
    captains = 0
    captain = 0
    voters = 0
    for seat in range(SEATS):
        card = s.hand[seat].card
        s.hand[seat].card = 0
        ballot.cards[seat] = card
        ballot.weights[seat] = vote_weight(t, seat) if card else 0
        voters += card > 0
        if card == CAPTAIN:  # R12: a captain played is spent, even if it is cancelled
            captains += 1
            captain = seat
            t.captains[seat] -= 1
    ballot.kind = 1 + (t.phase - Phase.LEAK_BALLOT) // 2  # the kinds are in the order of their phases
    ballot.boat = t.target
    ballot.chosen = 0
    t.ballots += 1
    t.voters = 0
    t.voted = 0
    if captains == 1:  # R11
        _open_choice(t, captain, _candidates(t))
    elif captains == voters:  # R13
        _open_choice(t, t.starter, _candidates(t))
    else:
        _count_votes(s)


@compiled
def _candidates(t):
    """What this ballot can choose, boats or overboard colours, as a bit mask."""
    mask = 0
    for boat in range(BOATS):
        if t.phase == Phase.OVERBOARD_BALLOT:
            may = boat < BLACK and men_of(t.boats[t.target - 1], boat) > 0
        else:
            may = t.boats[boat].at == At.SEA
        mask |= may << boat
    return mask


@compiled
def _count_votes(s):
    """R14: most votes win, cancelled captains not counted; R15: the start player chooses among the tied."""
    t, ballot = s.table, s.table.ballot
    votes = 0  # eight bits a boat: there are at most 24 votes
    for seat in range(t.players):
        if 0 < ballot.cards[seat] < CAPTAIN:
            votes += np.int64(ballot.weights[seat]) << 8 * (ballot.cards[seat] - 1)
    most = 0
    tied = 0
    winner = 0
    leaders = 0
    for boat in range(BOATS):
        count = votes >> 8 * boat & 0xFF
        if count > most:
            most = count
            tied = 0
            leaders = 0
        if count == most:
            tied |= 1 << boat
            winner = boat
            leaders += 1
    if leaders > 1:
        _open_choice(t, t.starter, tied)
    else:
        ballot.decider = -1
        ballot.candidates = 0
        _apply_outcome(s, winner)


@compiled
def _open_choice(t, seat, candidates):
    """Ask `seat` to choose among `candidates`; the choice phases follow their ballots."""
    t.phase += 1
    t.turn = seat
    t.ballot.decider = seat
    t.ballot.candidates = candidates


@compiled
def _legal_choice(s, actions):
    candidates = s.table.ballot.candidates
    count = 0
    for colour in range(BOATS):
        actions[count] = First.CHOOSE + colour
        count += candidates >> colour & 1
    return count


@compiled
def _apply_outcome(s, chosen):
    t = s.table
    t.ballot.chosen = chosen + 1
    if t.phase == Phase.LEAK_BALLOT or t.phase == Phase.LEAK_CHOICE:
        _add_leak(s, chosen)
    elif t.phase == Phase.MOVE_BALLOT or t.phase == Phase.MOVE_CHOICE:
        _move_boat(s, chosen)
    else:
        _throw_overboard(s, chosen)


# Phase 1, a leak: R16 to R22


@compiled
def _add_leak(s, boat):
    t = s.table
    if has_free_seat(t, boat):
        t.boats[boat].leaks += 1
        _end_phase(s, Phase.MOVE_BALLOT)
    else:  # R17: a full boat must first lose a man
        t.target = boat + 1
        t.phase = Phase.OVERBOARD_BALLOT
        for seat in range(t.players):
            t.voters |= (men_of(t.boats[boat], seat) > 0) << seat


@compiled
def _throw_overboard(s, seat):
    """R21: a sailor before an officer; the leak takes the seat."""
    t = s.table
    boat = t.boats[t.target - 1]
    rank = SAILOR if boat.crew[seat, SAILOR] else OFFICER
    boat.crew[seat, rank] -= 1
    t.lost[seat, rank] += 1
    boat.leaks += 1
    t.target = 0
    _end_phase(s, Phase.MOVE_BALLOT)


# Phase 2, a boat moves: R23 to R25


@compiled
def _move_boat(s, chosen):
    t = s.table
    boat = t.boats[chosen]
    boat.row += 1
    if boat.row == t.moves:
        _land(t, boat)
    _end_phase(s, Phase.LEAVING)


@compiled
def _land(t, boat):
    """R24: the crew goes ashore on the island of the lane; the boat takes the lowest free number of arrival."""
    t.arrived += 1
    boat.arrival = t.arrived
    boat.at = At.ASHORE
    boat.leaks = 0
    island = island_of(t, boat.lane)
    for seat in range(t.players):
        for rank in range(2):
            t.ashore[seat, island, rank] += boat.crew[seat, rank]
            boat.crew[seat, rank] = 0


# Phase 3, changing boats: R26 to R29


@compiled
def _open_leaving(s):
    t = s.table
    first = _next_to_leave(t, t.starter, t.players)
    if first < 0 or (t.last_boat_stays and boats_at_sea(t) == 1):
        _pass_marker(t)
    else:
        t.phase = Phase.LEAVING
        t.turn = first


@compiled
def _next_to_leave(t, seat, left):
    """R26: the first of `left` seats from `seat` on that can leave a boat, and therefore must; -1 if there is none."""
    while left:
        if _can_leave(t, seat):
            return np.int64(seat)
        seat = next_seat(t, seat)
        left -= 1
    return -1


@compiled
def _left_boats(t):
    """R27: boats that a man has left in this phase, as a bit mask."""
    mask = 0
    for seat in range(t.players):
        if t.behind[seat]:
            mask |= 1 << np.int64(t.behind[seat] - 1)
    return mask


@compiled
def _can_leave(t, seat):
    left = _left_boats(t)
    for boat in range(BOATS):
        if not left >> boat & 1 and men_of(t.boats[boat], seat):
            return True
    return False


@compiled
def _legal_leave(s, seat, actions):
    t = s.table
    left = _left_boats(t)
    count = 0
    for rank in range(2):
        for boat in range(BOATS):
            actions[count] = First.LEAVE + rank * BOATS + boat
            count += (t.boats[boat].crew[seat, rank] > 0) & ~left >> boat
    return count


@compiled
def _apply_leave(s, seat, place):
    t = s.table
    rank, boat = place // BOATS, place % BOATS
    t.boats[boat].crew[seat, rank] -= 1
    t.behind[seat] = boat + 1
    t.behind_rank[seat] = rank
    after = next_seat(t, seat)
    following = _next_to_leave(t, after, (t.starter - after) % t.players)
    if following < 0:
        t.phase = Phase.BOARDING
        _open_boarding(s)
    else:
        t.turn = following


@compiled
def _open_boarding(s):
    """R28: in reverse order each man behind a boat boards another. R29: a man without a free seat in any is lost."""
    t = s.table
    for back in range(t.players):
        seat = (t.starter + t.players - 1 - back) % t.players
        if t.behind[seat]:
            if _any_free_seat(t, t.behind[seat] - 1):
                t.turn = seat
                return
            t.lost[seat, t.behind_rank[seat]] += 1
            t.behind[seat] = 0
    _end_phase(s, Phase.LEAK_BALLOT)


@compiled
def _any_free_seat(t, left):
    for boat in range(BOATS):
        if boat != left and has_free_seat(t, boat):
            return True
    return False


@compiled
def _legal_board(s, seat, actions):
    t = s.table
    count = 0
    for boat in range(BOATS):
        actions[count] = First.BOARD + boat
        count += boat != t.behind[seat] - 1 and has_free_seat(t, boat)
    return count


@compiled
def _apply_board(s, seat, boat):
    t = s.table
    t.boats[boat].crew[seat, t.behind_rank[seat]] += 1
    t.behind[seat] = 0
    _open_boarding(s)


# The end of a phase: R22, R30


@compiled
def _end_phase(s, following):
    """R22: boats with more leaks than men sink now, and only now. R30: with no boat at sea the match ends at once."""
    t = s.table
    for boat in range(BOATS):
        if t.boats[boat].at == At.SEA and t.boats[boat].leaks > crew_size(t.boats[boat]):
            _sink(t, t.boats[boat])
    if boats_at_sea(t) == 0:
        t.phase = Phase.OVER
    elif following == Phase.MOVE_BALLOT:
        _open_ballot(t, Phase.MOVE_BALLOT)
    elif following == Phase.LEAVING:
        _open_leaving(s)
    else:
        _pass_marker(t)


@compiled
def _sink(t, boat):
    boat.at = At.SUNK
    boat.leaks = 0
    for seat in range(t.players):
        for rank in range(2):
            t.lost[seat, rank] += boat.crew[seat, rank]
            boat.crew[seat, rank] = 0


@compiled
def _pass_marker(t):
    t.starter = next_seat(t, t.starter)
    _open_round(t)
