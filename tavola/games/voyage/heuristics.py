"""Judge actions in Voyage, and the likelihood of secrets. `R…` cites RULES.md in this folder.

A course is worth to a role the points of its next tile and of the voyage that can follow, compared with a voyage that
ends now without Avalon: so a course that loses the route is worth 0. Seats are assumed to sail for their own role,
more surely the more is at stake. In reverse, courses laid and votes show how likely each role is.
"""

import numpy as np

from tavola.core import Heuristics, compiled, count_members, local_array
from tavola.games.voyage.chart import BARRED, BEYOND, cell_set, destination
from tavola.games.voyage.components import (
    BESIDE,
    BORDER,
    CELL_COUNT,
    CHART_CROSSES,
    CHART_ISLANDS,
    COAST,
    EMENDED,
    FOG,
    ISLANDS,
    RANDOM,
    SEA,
    START,
    START_CELL,
    TILES,
    TURNS,
    WHITE,
    WIDTH,
    First,
    Phase,
    Role,
)
from tavola.games.voyage.rules import alternatives

ISLANDS_A_TURN = 0.11  # islands found per turn on the way to another goal
AVALON_NEAR, AVALON_FAR = 0.7, 0.06  # chance to find Avalon from the fog, and its loss for each step away
POINT_WEIGHT = 1.5  # how much a point matters in a choice
NOISE = 0.1  # share of choices made for unknown reasons

DISTANCE = np.array(
    [[abs(a // WIDTH - b // WIDTH) + abs(a % WIDTH - b % WIDTH) for b in range(CELL_COUNT)] for a in range(CELL_COUNT)]
)
FOG_DISTANCE = np.array(
    [min(int(DISTANCE[a, b]) for b in range(CELL_COUNT) if FOG >> b & 1) for a in range(CELL_COUNT)]
)
NEARNESS = np.array([0.0, 0.0, 0.45, 0.25, 0.12, 0.06, *[0.0] * 16])
"""How much an island adds to the expected number of visits, by its distance from the ship; 0 for the next cell."""

# Known facts about the tile at the end of a course, by course
LOSES, ON_AVALON, ON_CROSS, ON_PLAIN, ON_OPEN, ON_BORDER, ON_FOG, AWAY, ISLANDS_NEAR, CROSSES_NEAR = range(10)
FACTS = 10
new_facts, new_worths = local_array((4, FACTS), np.float64), local_array(4, np.float64)


@compiled
def priors(s, seat, actions, count, weights):
    """Write a positive weight for each legal action: how good it looks."""
    t = s.table
    facts, worths = new_facts(), new_worths()
    explored = np.int64(t.explored)
    _fill_facts(t, explored, np.int64(t.ship), facts)
    _fill_worths(t, s.hand[seat].role, explored, np.int64(t.turn), facts, worths)
    if t.phase == Phase.COURSES:
        for k in range(count):
            pair = actions[k] - First.COURSES
            weights[k] = _pair_weight(t.turns[t.turn - 1], worths, pair // 4, pair % 4)
    else:
        white = _white_probability(s, seat, t.turn - 1, worths)
        for k in range(count):
            weights[k] = white if actions[k] == First.VOTE else 1.0 - white


@compiled
def likelihood(s, seat):
    """Return the likelihood of the courses laid and the votes, if all others but `seat` sail for their roles."""
    t = s.table
    facts, worths = new_facts(), new_worths()
    chance = 1.0
    ship = np.int64(START_CELL)
    explored = np.int64(START)
    for place in range(t.turn):
        turn = t.turns[place]
        if turn.preferred and turn.courses & (turn.courses - 1):
            _fill_facts(t, explored, ship, facts)
            voted = t.voted if place == t.turn - 1 and t.phase == Phase.BALLOT else (1 << np.int64(t.players)) - 1
            for other in range(t.players):
                if other != seat and (other == turn.captain or voted >> other & 1):
                    _fill_worths(t, s.hand[other].role, explored, place + 1, facts, worths)
                    chance *= _turn_likelihood(s, other, place, voted, worths)
        if turn.reached:
            ship = np.int64(turn.reached - 1)
            explored |= cell_set(ship)
    return chance


@compiled
def _turn_likelihood(s, seat, place, voted, worths):
    """The likelihood of a seat's actions in a turn, relative to random play."""
    turn = s.table.turns[place]
    chance = 1.0
    if seat == turn.captain:
        chance *= _courses_likelihood(s.table, turn, worths, turn.preferred - 1, s.hand[seat].alternatives[place] - 1)
    if voted >> seat & 1:
        white = _white_probability(s, seat, place, worths)
        card = s.hand[seat].card
        is_white = card == WHITE if card else not turn.black >> seat & 1
        chance *= 2.0 * (white if is_white else 1.0 - white)
    return chance


@compiled
def _courses_likelihood(t, turn, worths, preferred, alternative):
    """The likelihood of a pair of courses, relative to a random choice of the legal pairs."""
    total = 0.0
    count = 0
    for first in range(4):
        if turn.courses >> first & 1:
            others = alternatives(t, turn, first)
            for second in range(4):
                if others >> second & 1:
                    total += _pair_weight(turn, worths, first, second)
                    count += 1
    return NOISE + (1.0 - NOISE) * count * _pair_weight(turn, worths, preferred, alternative) / total


@compiled
def _pair_weight(turn, worths, preferred, alternative):
    """How good a pair of courses looks: the preferred one is sailed more often."""
    best = -1e9
    for course in range(4):
        if turn.courses >> course & 1:
            best = max(best, worths[course])
    return _weight_of_gain(worths[preferred] - best) * _weight_of_gain(0.6 * (worths[alternative] - best))


@compiled
def _white_probability(s, seat, place, worths):
    """The probability of a white vote: the preferred course against the alternative, which only the captain knows."""
    t = s.table
    turn = t.turns[place]
    preferred = np.int64(turn.preferred) - 1
    if seat == turn.captain:
        other = worths[s.hand[seat].alternatives[place] - 1]
    else:
        others = alternatives(t, turn, preferred)
        other = 0.0
        for course in range(4):
            if others >> course & 1:
                other += worths[course]
        other /= count_members(others)
    white = _weight_of_gain(worths[preferred] - other)
    return NOISE / 2 + (1.0 - NOISE) * white / (white + 1.0)


@compiled
def _weight_of_gain(points):
    """A positive weight that grows with `points`, about fifteenfold for the first."""
    x = 1.0 + POINT_WEIGHT * points if points > 0.0 else 1.0 / (1.0 - POINT_WEIGHT * points)
    return x * x * x


# What a course leads to


@compiled
def _fill_facts(t, explored, ship, facts):
    """The facts of each course, from a ship's cell and the cells explored by then; barred courses are left out."""
    for course in range(4):
        for fact in range(FACTS):
            facts[course, fact] = 0.0
        cell = destination(explored, ship, course)
        if cell == BEYOND:
            facts[course, LOSES] = 1.0
        elif cell != BARRED:
            facts[course, AWAY] = FOG_DISTANCE[cell]
            facts[course, ON_BORDER] = BORDER >> cell & 1
            _fill_tile_chances(t, explored, cell, facts[course])
            if t.layout != RANDOM:
                _fill_nearby_islands(explored | cell_set(cell), cell, facts[course])


@compiled
def _fill_tile_chances(t, explored, cell, facts):
    """R16: the chances of each face at a cell."""
    if FOG >> cell & 1:
        crosses = 1 - count_members(t.crosses & FOG & explored)
        plains = 1 - count_members(t.plains & FOG & explored)
        left = 9.0 - count_members(explored & FOG)
        facts[ON_FOG] = 1.0
        facts[ON_AVALON] = TILES[1, 3] / left
        facts[ON_CROSS] = crosses / left
        facts[ON_PLAIN] = plains / left
    elif SEA >> cell & 1 and t.layout == RANDOM:
        seen = (t.crosses | t.plains) & SEA & explored
        if not BESIDE[cell] & seen:
            # The estimated share of islands among the cells that can still have one.
            free = 47.0 - count_members(explored & SEA) - 2.5 * count_members(seen)
            island = min(0.5, (ISLANDS - count_members(seen)) / max(free, 1.0))
            facts[ON_CROSS] = island / 2
            facts[ON_PLAIN] = island / 2
    elif CHART_ISLANDS >> cell & 1:
        facts[ON_CROSS if CHART_CROSSES >> cell & 1 else ON_PLAIN] = 1.0
    if not (COAST | START) >> cell & 1:
        facts[ON_OPEN] = 1.0 - facts[ON_AVALON] - facts[ON_CROSS] - facts[ON_PLAIN]


@compiled
def _fill_nearby_islands(explored, cell, facts):
    for other in range(CELL_COUNT):
        if CHART_ISLANDS & ~explored & cell_set(other):
            near = NEARNESS[DISTANCE[cell, other]]
            facts[ISLANDS_NEAR] += near
            if CHART_CROSSES >> other & 1:
                facts[CROSSES_NEAR] += near


# The worth of courses


@compiled
def _fill_worths(t, role, explored, turn, facts, worths):
    """The worth of each course to a role, if it is sailed in turn `turn`."""
    islands = count_members((t.crosses | t.plains) & explored)
    for course in range(4):
        f = facts[course]
        if f[LOSES]:
            worths[course] = 0.0
        else:
            goes_on = 1.0 - f[ON_AVALON]
            hope = _tile_points(t, role, islands, f) + (
                _future_points(t, role, islands, TURNS - turn, f) if turn < TURNS else 0.0
            )
            worths[course] = f[ON_AVALON] * _avalon_points(role, f) + goes_on * hope


@compiled
def _avalon_points(role, f):
    """R22 to R27: the points for Avalon."""
    if role == Role.ADMIRAL:
        return 5.0
    if role == Role.TRAITOR:
        return -5.0
    if role == Role.EXPLORER:
        return 3.0 + 0.5 * f[ON_BORDER]
    return 2.0 if role == Role.CABIN_BOY else 1.0 if role == Role.MERCHANT else 0.0


@compiled
def _tile_points(t, role, islands, f):
    """R22 to R27: the immediate points for any other tile."""
    other = 1.0 - f[ON_AVALON]
    island = (f[ON_CROSS] + f[ON_PLAIN]) / other if other > 0.0 else 0.0
    if role == Role.ADMIRAL:
        return -3.0 * island if islands == 4 else 0.0
    if role == Role.CABIN_BOY:
        return island
    if role == Role.MERCHANT:
        return 2.0 * f[ON_CROSS] / other
    if role == Role.TRAITOR:
        return 3.0 * island if islands == 4 else 0.0
    if role == Role.EXPLORER:
        return f[ON_FOG] + 0.5 * f[ON_BORDER]
    return _open_sea_points(t) * f[ON_OPEN] / other


@compiled
def _open_sea_points(t):
    """R27."""
    return 0.5 if t.sailor == EMENDED else 2.0


@compiled
def _future_points(t, role, islands, left, f):
    """The points that the voyage can still gain or lose with `left` turns to come."""
    found = (AVALON_NEAR - AVALON_FAR * f[AWAY]) * min(1.0, left / (f[AWAY] + 3.0))
    turns = left * (1.0 - 0.5 * found)
    if role == Role.EXPLORER:
        return 3.0 * found + 0.3 * turns
    if role == Role.MERCHANT:
        return found + 2.0 * (0.5 * ISLANDS_A_TURN * turns + f[CROSSES_NEAR])
    more = ISLANDS_A_TURN * turns + f[ISLANDS_NEAR]
    if role == Role.CABIN_BOY:
        return 2.0 * found + more
    # The fifth island takes three points from the Admiral and gives them to the Traitor.
    now = islands + f[ON_CROSS] + f[ON_PLAIN]
    fifth = min(1.0, max(0.0, (now + more - 2.0) / 4.0)) if islands <= 4 else 0.0
    if role == Role.ADMIRAL:
        return 5.0 * found - 3.0 * fifth
    if role == Role.TRAITOR:
        return -5.0 * found + 3.0 * fifth
    return 0.65 * _open_sea_points(t) * turns


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood)
