"""Judge actions in Lifeboats, and the likelihood of cards face down. `R…` cites RULES.md in this folder.

A boat's hope is its estimated chance to reach the island, from the moves it still needs and from its margin: the leaks
it can take before it sinks. A seat's stake in a boat is what its men aboard would score. A ballot is good if it
changes the hopes of boats for the seat's own stake and against the seats that are ahead.
"""

import numpy as np

from tavola.core import Heuristics, compiled, local_array
from tavola.games.lifeboats.boats import crew_size, island_of, vote_weight
from tavola.games.lifeboats.components import BLACK, BOATS, OFFICER, SAILOR, SEATS, VALUES, At, First, Phase
from tavola.games.lifeboats.rules import legal, new_votes

ALL = SEATS  # the row of sums
VOTES = SEATS + 1  # the row of the votes that candidates may expect
EQUAL = 1e-9  # points: likings that differ by at most this are equal
MOVE_COSTS = 1.5  # leaks of margin that one more move is worth
CAPTAIN_WORTH = 3.5  # points in danger that are worth a captain
new_weights, new_priors = local_array(BOATS + 1, np.int64), local_array(BOATS + 1, np.float64)
new_gains = local_array((SEATS + 2, BOATS + 1), np.float64)


@compiled
def priors(s, seat, actions, count, weights):
    """Write a positive weight for each legal action: how good it looks."""
    t = s.table
    phase = t.phase
    if Phase.LEAK_BALLOT <= phase <= Phase.MOVE_CHOICE:
        _ballot_priors(t, seat, actions, count, weights)
    elif phase == Phase.LEAVING:
        _leaving_priors(t, seat, actions, count, weights)
    elif phase == Phase.BOARDING:
        for k in range(count):
            weights[k] = _weight_of_gain(_berth_value(t, t.behind_rank[seat], actions[k] - First.BOARD))
    elif phase == Phase.CREW:
        for k in range(count):
            place = actions[k] - First.CREW
            weights[k] = _weight_of_gain(_seating_value(t, seat, place // BOATS, place % BOATS))
    else:
        for k in range(count):
            island = island_of(t, actions[k] - First.LANE + 1)
            weights[k] = VALUES[island, OFFICER] + VALUES[island, SAILOR]


@compiled
def likelihood(s, seat):
    """R9: a card face down is as likely as it looks good to the seat that played it."""
    t = s.table
    if t.voted == 0:
        return 1.0
    actions, ignored, weights = new_votes(), new_weights(), new_priors()
    chance = 1.0
    for other in range(t.players):
        if other != seat and t.voted >> other & 1:
            count = legal(s, other, actions, ignored)
            priors(s, other, actions, count, weights)
            chance *= _relative_likelihood(actions, count, weights, s.hand[other].card + First.VOTE - 1)
    return chance


@compiled
def _relative_likelihood(actions, count, weights, action):
    """The share of `weights` on `action`, times the number of actions that could have been played."""
    total = 0.0
    own = 0.0
    for k in range(count):
        total += weights[k]
        if actions[k] == action:
            own = weights[k]
    return own * count / total


@compiled
def _weight_of_gain(points):
    """A positive weight that grows with `points`, eightfold for the first point."""
    x = 1.0 + points if points > 0.0 else 1.0 / (1.0 - points)
    return _cube(x)


@compiled
def _cube(x):
    return x * x * x


# Boats: margin, hope, stake


@compiled
def _survival_chance(moves, margin):
    """The estimated chance of a boat that needs `moves` and sinks at the leak after `margin` more."""
    if margin < 0:
        return 0.0
    return (margin + 1.0) / (margin + 1.0 + MOVE_COSTS * moves)


@compiled
def _fill_gains(t, leak, gains):
    """Write what each seat, and in the last row all seats together, gain by a leak (or a move) of each boat.

    The last column is a seat's points, hopes included.
    """
    for seat in range(t.players):
        for island in range(3):
            for rank in range(2):
                gains[seat, BOATS] += VALUES[island, rank] * t.ashore[seat, island, rank]
    for boat in range(BOATS):
        b = t.boats[boat]
        if b.at == At.SEA:
            men = crew_size(b)
            hope = _survival_chance(t.moves - b.row, men - b.leaks)
            # R17: in a full boat the leak also costs a man
            margin = men - b.leaks - (0 if not leak else 2 if men + b.leaks >= t.seats else 1)
            change = _survival_chance(t.moves - b.row - (0 if leak else 1), margin) - hope
            island = island_of(t, b.lane)
            for seat in range(t.players):
                stake = VALUES[island, OFFICER] * b.crew[seat, OFFICER] + VALUES[island, SAILOR] * b.crew[seat, SAILOR]
                gains[seat, boat] = change * stake
                gains[ALL, boat] += change * stake
                gains[seat, BOATS] += hope * stake


@compiled
def _fill_overboard_gains(t, gains):
    """R20, R21: each colour aboard the full boat would lose its cheapest man, and that man's hope."""
    b = t.boats[t.target - 1]
    island = island_of(t, b.lane)
    hope = _survival_chance(t.moves - b.row, crew_size(b) - b.leaks - 2) + 0.2
    gains[:, :BOATS] = 0.0
    for seat in range(t.players):
        rank = SAILOR if b.crew[seat, SAILOR] else OFFICER
        if b.crew[seat, rank]:
            gains[seat, seat] = gains[ALL, seat] = -hope * VALUES[island, rank]


# Ballots


@compiled
def _ballot_priors(t, seat, actions, count, weights):
    """Weigh candidates by their effect on the seat and on its rivals, the captain by what the others threaten."""
    phase = t.phase
    gains = new_gains()
    _fill_gains(t, phase == Phase.LEAK_BALLOT or phase == Phase.LEAK_CHOICE, gains)
    if phase == Phase.OVERBOARD_BALLOT or phase == Phase.OVERBOARD_CHOICE:
        _fill_overboard_gains(t, gains)
    offset = (
        First.VOTE
        if phase == Phase.LEAK_BALLOT or phase == Phase.OVERBOARD_BALLOT or phase == Phase.MOVE_BALLOT
        else First.CHOOSE
    )
    captain = actions[count - 1] - offset == BOATS
    candidates = count - 1 if captain else count
    best = _preferences(t, seat, gains, actions, candidates, weights, offset)
    if captain:
        danger = best - _expected_worth(t, seat, gains, actions, candidates, weights, offset)
        weights[candidates] = 0.02 + _cube(danger / CAPTAIN_WORTH)
    for k in range(candidates):
        weights[k] = _weight_of_gain(2.0 * (weights[k] - best))


@compiled
def _preferences(t, seat, gains, actions, candidates, weights, offset):
    """Write each candidate's worth: the seat's gain less that of rivals, weighted by strength. Return the highest."""
    shared = 0.0
    for other in range(t.players):
        if other != seat:
            shared += _rival_weight(gains[other, BOATS])
    best = -1e9
    for k in range(candidates):
        candidate = actions[k] - offset
        theirs = 0.0
        for other in range(t.players):
            if other != seat:
                theirs += _rival_weight(gains[other, BOATS]) * gains[other, candidate]
        weights[k] = gains[seat, candidate] - theirs / shared
        best = max(best, weights[k])
    return best


@compiled
def _rival_weight(standing):
    return (standing + 4.0) * (standing + 4.0)


@compiled
def _expected_worth(t, seat, gains, actions, candidates, weights, offset):
    """Return the worth of the winning candidate if every other voter asks for what they like best.

    A voter who likes several equally asks for each of them in part. Candidates with equal votes are equally likely.
    """
    for other in range(t.players):
        if other != seat and t.voters >> other & 1:
            _add_votes(t, other, gains, actions, candidates, offset)
    most = 0.0
    for k in range(candidates):
        most = max(most, gains[VOTES, k])
    worth = 0.0
    winners = 0
    for k in range(candidates):
        if gains[VOTES, k] >= most - EQUAL:
            worth += weights[k]
            winners += 1
    return worth / winners


@compiled
def _add_votes(t, voter, gains, actions, candidates, offset):
    """Add a voter's votes to the candidates they like best, in equal parts."""
    most = -1e9
    liked = 0
    for k in range(candidates):
        liking = _liking(t, voter, gains, actions[k] - offset)
        if liking > most + EQUAL:
            most = liking
            liked = 1
        elif liking >= most - EQUAL:
            liked += 1
    for k in range(candidates):
        if _liking(t, voter, gains, actions[k] - offset) >= most - EQUAL:
            gains[VOTES, k] += vote_weight(t, voter) / liked


@compiled
def _liking(t, voter, gains, candidate):
    """A voter's gain by a candidate, less the average gain."""
    return gains[voter, candidate] * (t.players + 1.0) - gains[ALL, candidate]


# Seats


@compiled
def _berth_value(t, rank, boat):
    """What a man is worth who boards `boat` now."""
    b = t.boats[boat]
    return _survival_chance(t.moves - b.row, crew_size(b) - b.leaks + 1) * VALUES[island_of(t, b.lane), rank]


@compiled
def _best_berth(t, rank, besides):
    """The boat with a free seat that is best for a man of `rank`, other than `besides`; -1 if there is none."""
    best = -1
    most = -1.0
    for boat in range(BOATS):
        b = t.boats[boat]
        if boat != besides and b.at == At.SEA and crew_size(b) + b.leaks < t.seats:
            worth = _berth_value(t, rank, boat)
            if worth > most:
                most = worth
                best = boat
    return best


@compiled
def _leaving_priors(t, seat, actions, count, weights):
    """Weigh each leaving by the gain in the best other berth, less the loss of the seat's men who stay behind."""
    rank = -1
    for k in range(count):
        place = actions[k] - First.LEAVE
        boat = place % BOATS
        if place // BOATS != rank:
            rank = place // BOATS
            first = _best_berth(t, rank, -1)
            second = _best_berth(t, rank, first)
        other = second if boat == first else first
        gain = _berth_value(t, rank, other) if other >= 0 else 0.0
        b = t.boats[boat]
        island = island_of(t, b.lane)
        moves = t.moves - b.row
        margin = crew_size(b) - b.leaks
        stays, goes = _survival_chance(moves, margin), _survival_chance(moves, margin - 1)
        behind = VALUES[island, OFFICER] * b.crew[seat, OFFICER] + VALUES[island, SAILOR] * b.crew[seat, SAILOR]
        value = VALUES[island, rank]
        weights[k] = _weight_of_gain(gain - stays * value - (stays - goes) * (behind - value))


@compiled
def _seating_value(t, seat, rank, boat):
    """R7: prefer a good island, a boat with other seats' men, and not its last seat: R17 empties full boats."""
    b = t.boats[boat]
    men = crew_size(b)
    own = b.crew[seat, OFFICER] + b.crew[seat, SAILOR]
    friends = men - own
    crowded = 1.5 if men + 1 >= t.seats else 0.0
    alone = 1.0 if boat == BLACK or men == 0 else 0.0
    points = 0.5 * VALUES[island_of(t, b.lane), rank] + 0.5 * min(friends, 3) - 0.4 * max(own - 1, 0)
    return points - crowded - 0.3 * alone - 3.0


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood)
