"""What looks good in Lifeboats at a glance, and how likely cards face down are. `R…` cites RULES.md beside this file.

A boat's hope is the chance that it reaches its island, guessed from the moves it still needs and from its margin, the
leaks it can take before it sinks. A seat's stake in a boat is what its men aboard would score. A ballot is good when
it changes the hopes of boats to the advantage of one's own stake and to the harm of those who are ahead.
"""

import numpy as np

from tavola.core import compiled
from tavola.games.lifeboats.components import (
    BLACK,
    BOARD,
    BOARDING,
    BOATS,
    CHOOSE,
    CREW,
    FIRST_LANES,
    LANE,
    LEAK,
    LEAK_CHOICE,
    LEAVE,
    LEAVING,
    MOVE,
    MOVE_CHOICE,
    OFFICER,
    OVERBOARD,
    OVERBOARD_CHOICE,
    SAILOR,
    SEA,
    SEATS,
    SIT,
    VALUES,
    VOTE,
)
from tavola.games.lifeboats.rules import legal

__all__ = ["likelihood", "priors"]

MOVE_COSTS = 1.5  # leaks of margin that one more move to make is worth
CAPTAIN_WORTH = 3.5  # points in danger that are worth a captain


@compiled
def priors(s, seat, actions, count, weights):
    """For each legal action a positive weight: how good it looks."""
    t = s.table
    phase = t.phase
    if phase == LEAK or phase == MOVE or phase == LEAK_CHOICE or phase == MOVE_CHOICE:
        _judge_boats(t, seat, actions, count, weights)
    elif phase == OVERBOARD or phase == OVERBOARD_CHOICE:
        _judge_colours(t, seat, actions, count, weights)
    elif phase == LEAVE:
        for k in range(count):
            place = actions[k] - LEAVING
            weights[k] = _sharp(_reason_to_leave(t, seat, place // BOATS, place % BOATS))
    elif phase == BOARD:
        for k in range(count):
            weights[k] = _sharp(_berth(t, t.behind_rank[seat], actions[k] - BOARDING))
    elif phase == CREW:
        for k in range(count):
            place = actions[k] - SIT
            weights[k] = _sharp(_seating(t, seat, place // BOATS, place % BOATS))
    else:
        for k in range(count):
            island = _island(t, actions[k] - LANE + 1)
            weights[k] = VALUES[island, OFFICER] + VALUES[island, SAILOR]


@compiled
def likelihood(s, seat):
    """R9: cards face down are likely as far as they look good to who played them."""
    t = s.table
    if t.voted == 0:
        return 1.0
    actions = np.empty(BOATS + 1, np.int32)
    ignored = np.empty(BOATS + 1, np.int64)
    weights = np.empty(BOATS + 1, np.float64)
    chance = 1.0
    for other in range(t.players):
        if other != seat and t.voted >> other & 1:
            count = legal(s, other, actions, ignored)
            priors(s, other, actions, count, weights)
            chance *= _share(actions, count, weights, s.hand[other].card + VOTE - 1)
    return chance


@compiled
def _share(actions, count, weights, action):
    """The part of `weights` that falls on `action`, by how many could have been played."""
    total = 0.0
    own = 0.0
    for k in range(count):
        total += weights[k]
        if actions[k] == action:
            own = weights[k]
    return own * count / total


@compiled
def _sharp(points):
    """A positive weight that grows with `points`, about threefold for each point where it matters."""
    x = 1.0 + points if points > 0.0 else 1.0 / (1.0 - points)
    return x * x * x


# Boats: margin, hope, stake


@compiled
def _island(t, lane):
    island = 0
    while island < 2 and lane >= FIRST_LANES[t.islands, island]:
        island += 1
    return island


@compiled
def _crew_size(boat):
    men = 0
    for seat in range(SEATS):
        men += boat.crew[seat, OFFICER] + boat.crew[seat, SAILOR]
    return men


@compiled
def _stake(t, seat, boat):
    """What the men of `seat` in `boat` would score on its island."""
    island = _island(t, t.boats[boat].lane)
    crew = t.boats[boat].crew
    return VALUES[island, OFFICER] * crew[seat, OFFICER] + VALUES[island, SAILOR] * crew[seat, SAILOR]


@compiled
def _hope(moves, margin):
    """The chance guessed of a boat that needs `moves` and sinks by the leak after `margin` more."""
    if margin < 0:
        return 0.0
    return (margin + 1.0) / (margin + 1.0 + MOVE_COSTS * moves)


@compiled
def _margin(boat):
    return _crew_size(boat) - boat.leaks


@compiled
def _change(t, boat, leak):
    """How the hope of a boat changes by a leak, or by a move."""
    b = t.boats[boat]
    men = _crew_size(b)
    margin = men - b.leaks
    moves = t.moves - b.row
    if not leak:
        return _hope(moves - 1, margin) - _hope(moves, margin)
    # R17: a full boat loses a man to the leak as well
    full = men + b.leaks >= t.seats
    return _hope(moves, margin - (2 if full else 1)) - _hope(moves, margin)


@compiled
def _standing(t, seat):
    """Points ashore, and those hoped for."""
    points = 0.0
    for island in range(3):
        for rank in range(2):
            points += VALUES[island, rank] * t.ashore[seat, island, rank]
    for boat in range(BOATS):
        if t.boats[boat].at == SEA:
            points += _hope(t.moves - t.boats[boat].row, _margin(t.boats[boat])) * _stake(t, seat, boat)
    return points


# Ballots


@compiled
def _judge_boats(t, seat, actions, count, weights):
    """Ballots on boats: the change for oneself, less that for the others, the strong among them more."""
    leak = t.phase == LEAK or t.phase == LEAK_CHOICE
    offset = VOTE if t.phase == LEAK or t.phase == MOVE else CHOOSE
    gains = np.zeros((SEATS, BOATS), np.float64)
    for boat in range(BOATS):
        if t.boats[boat].at == SEA:
            change = _change(t, boat, leak)
            for other in range(t.players):
                gains[other, boat] = change * _stake(t, other, boat)
    rivals = np.empty(SEATS, np.float64)
    _rivals(t, seat, rivals)
    _weigh(t, seat, gains, rivals, actions, count, weights, offset)


@compiled
def _judge_colours(t, seat, actions, count, weights):
    """R20, R21: each colour aboard stands to lose its cheapest man, and with him what hope he had."""
    boat = t.target - 1
    offset = VOTE if t.phase == OVERBOARD else CHOOSE
    b = t.boats[boat]
    island = _island(t, b.lane)
    hope = _hope(t.moves - b.row, _margin(b) - 2) + 0.2
    gains = np.zeros((SEATS, BOATS), np.float64)
    for colour in range(t.players):
        if b.crew[colour, SAILOR]:
            gains[colour, colour] = -hope * VALUES[island, SAILOR]
        elif b.crew[colour, OFFICER]:
            gains[colour, colour] = -hope * VALUES[island, OFFICER]
    rivals = np.empty(SEATS, np.float64)
    _rivals(t, seat, rivals)
    _weigh(t, seat, gains, rivals, actions, count, weights, offset)


@compiled
def _rivals(t, seat, rivals):
    """How much each other seat's gain is one's own harm: in all 1, more for who stands better."""
    total = 0.0
    for other in range(t.players):
        rivals[other] = 0.0
        if other != seat:
            standing = _standing(t, other) + 4.0
            rivals[other] = standing * standing
            total += rivals[other]
    for other in range(t.players):
        rivals[other] /= total


@compiled
def _weigh(t, seat, gains, rivals, actions, count, weights, offset):
    """Weigh the candidates of a ballot, and the captain by what the others threaten."""
    scores = np.empty(BOATS, np.float64)
    best = -1e9
    for k in range(count):
        candidate = actions[k] - offset
        if candidate < BOATS:
            score = gains[seat, candidate]
            for other in range(t.players):
                score -= rivals[other] * gains[other, candidate]
            scores[candidate] = score
            best = max(best, score)
    for k in range(count):
        candidate = actions[k] - offset
        if candidate < BOATS:
            weights[k] = _sharp(2.0 * (scores[candidate] - best))
        else:
            danger = (best - scores[_expected(t, seat, gains, actions, count - 1, offset)]) / CAPTAIN_WORTH
            weights[k] = 0.02 + danger * danger * danger


@compiled
def _expected(t, seat, gains, actions, count, offset):
    """The candidate that the ballot would choose if every other voter asked for what he likes best."""
    votes = np.zeros(BOATS, np.float64)
    for other in range(t.players):
        if other == seat or not t.voters >> other & 1:
            continue
        liked = actions[0] - offset
        most = -1e9
        for k in range(count):
            candidate = actions[k] - offset
            liking = gains[other, candidate] * (1.0 + 1.0 / t.players)
            for each in range(t.players):
                liking -= gains[each, candidate] / t.players
            if liking > most:
                most = liking
                liked = candidate
        votes[liked] += _votes_of(t, other)
    return votes.argmax()


@compiled
def _votes_of(t, seat):
    """R19."""
    if t.phase != OVERBOARD:
        return 1.0
    crew = t.boats[t.target - 1].crew
    return 2.0 * crew[seat, OFFICER] + crew[seat, SAILOR]


# Seats


@compiled
def _berth(t, rank, boat):
    """What a man is worth who boards `boat` now."""
    b = t.boats[boat]
    return _hope(t.moves - b.row, _margin(b) + 1) * VALUES[_island(t, b.lane), rank]


@compiled
def _reason_to_leave(t, seat, rank, boat):
    """What the best other berth is better by than staying, less what those of one's own who stay behind lose."""
    b = t.boats[boat]
    best = 0.0
    for other in range(BOATS):
        o = t.boats[other]
        if other != boat and o.at == SEA and _crew_size(o) + o.leaks < t.seats:
            best = max(best, _berth(t, rank, other))
    moves = t.moves - b.row
    stays, goes = _hope(moves, _margin(b)), _hope(moves, _margin(b) - 1)
    value = VALUES[_island(t, b.lane), rank]
    return best - stays * value - (stays - goes) * (_stake(t, seat, boat) - value)


@compiled
def _seating(t, seat, rank, boat):
    """R7: a good island, a crew that is no target alone, and a seat that is not the last: R17 empties full boats."""
    b = t.boats[boat]
    men = _crew_size(b)
    own = b.crew[seat, OFFICER] + b.crew[seat, SAILOR]
    friends = men - own
    crowded = 1.5 if men + 1 >= t.seats else 0.0
    alone = 1.0 if boat == BLACK or men == 0 else 0.0
    points = 0.5 * VALUES[_island(t, b.lane), rank] + 0.5 * min(friends, 3) - 0.4 * max(own - 1, 0)
    return points - crowded - 0.3 * alone - 3.0
