"""Judge actions in Expedition: prefer steps towards the seat's own goals and away from others' tokens.

A goal is worth more the nearer the nearest expedition is; an arrow is worth the change. Distances are segments of the
empty map. `R…` cites RULES.md in this folder.
"""

import math

import numpy as np

from tavola.core import Heuristics, compiled, has_member, local_array
from tavola.games.expedition.arrows import count_arrows, is_line_free
from tavola.games.expedition.components import COLOUR_COUNT, EVERY_ARROW, GOALS, First, Phase
from tavola.games.expedition.network import DISTANCE, FIRST_WAY, KIND, PLACE_COUNT, START, TARGET, WAY_COUNT

REACH_WORTH = np.array([1.0, 0.62, 0.42, 0.29, 0.2, 0.14, 0.1, 0.07, 0.05, 0.035, 0.025, 0.018, 0.012])
"""Worth of a goal by the segments to the nearest expedition, as a share of its worth when it is reached."""
CARD, OWN_TOKEN, PUBLIC, THEIR_TOKEN = 2.0, 2.0, 1.0, -1.0
EXTRA_ARROW, MORE_VOUCHERS = 0.5, 0.35  # worth of a green and a red station
PREFERENCE = 2.2  # how much the best is preferred
VOUCHER_COST = 0.55  # what a voucher could bring later
IDLE, DECLINED, LIFTED = 0.02, 0.2, 0.05
FRESH_CARD, FAR = 0.05, 4  # a card at this distance from all heads is worth exchanging
A_GREEN = 2
EVALUATE_AFTER = 24  # actions after which a position is judged
SWING = 2.0  # points between a reached and an unreached card or token
LATER_REACH = 0.6  # share of distant goals that many more arrows still reach
WAITING_DISTANCE = 4  # segments assumed for a card whose place an expedition is on already
VOUCHER_WORTH, A_FEW = 0.25, 4  # points each, and how many can be used well
FARTHEST = len(REACH_WORTH) - 1
LAST_ARROWS = 12.0  # below this share of arrows left, a twelfth, the chance to reach a goal falls
SPREAD, LAST_SPREAD = 2.6, 0.7  # points of lead that make a win likely, at the beginning and at the end
MOST = PLACE_COUNT + GOALS
new_spots, new_worth = local_array(MOST, np.int64), local_array(MOST, np.float64)
new_distances = local_array((COLOUR_COUNT + 1, MOST), np.int64)


@compiled
def priors(s, seat, actions, count, weights):
    t = s.table
    if t.phase == Phase.TOKENS:
        for k in range(count):
            weights[k] = _token_prior(s, seat, np.int64(actions[k]))
        return
    spots, near, worth = new_spots(), new_distances(), new_worth()
    goals = _goals(s, seat, spots, worth)
    _distances(t, spots, near, goals)
    for k in range(count):
        action = np.int64(actions[k])
        if First.ARROW <= action < First.VOUCHER:
            weights[k] = math.exp(PREFERENCE * _arrow_prior(action - First.ARROW, spots, near, worth, goals))
        elif action == First.VOUCHER:
            weights[k] = IDLE
            if t.placed:
                weights[k] = math.exp(PREFERENCE * (_best_arrow_worth(t, spots, near, worth, goals) - VOUCHER_COST))
        else:
            weights[k] = _other_prior(s, action)


@compiled
def _goals(s, seat, spots, worth):
    """Write the places that matter to a seat, and how much; return their number."""
    t = s.table
    count = 0
    for place in range(PLACE_COUNT):
        value = 0.0
        if has_member(s.hand[seat].cards, place):
            value = CARD
        owner = np.int64(t.token[place]) - 1
        if owner == seat:
            value += OWN_TOKEN
        elif owner >= 0:
            value += THEIR_TOKEN
        if value != 0.0:
            spots[count] = place + 1
            worth[count] = value
            count += 1
    for slot in range(GOALS):
        if t.goals[slot]:
            spots[count] = t.goals[slot]
            worth[count] = PUBLIC
            count += 1
    return count


@compiled
def _distances(t, spots, near, goals):
    """Segments from each goal to the nearest head of another colour, by colour, and last to the nearest of all."""
    one, two, three = np.int64(t.expedition[0].head), np.int64(t.expedition[1].head), np.int64(t.expedition[2].head)
    for k in range(goals):
        a, b, c = DISTANCE[one, spots[k]], DISTANCE[two, spots[k]], DISTANCE[three, spots[k]]
        near[0, k] = min(b, c)
        near[1, k] = min(a, c)
        near[2, k] = min(a, b)
        near[3, k] = min(a, near[0, k])


@compiled
def _arrow_prior(number, spots, near, worth, goals):
    colour, spot = number // WAY_COUNT, TARGET[number % WAY_COUNT]
    gain = 0.0
    for k in range(goals):
        gain += worth[k] * (REACH_WORTH[min(near[colour, k], DISTANCE[spot, spots[k]])] - REACH_WORTH[near[3, k]])
    kind = KIND[spot]
    if kind == A_GREEN:
        gain += EXTRA_ARROW
    elif kind > A_GREEN:
        gain += MORE_VOUCHERS
    return gain


@compiled
def _best_arrow_worth(t, spots, near, worth, goals):
    best = -1.0
    for colour in range(COLOUR_COUNT):
        head = np.int64(t.expedition[colour].head)
        for way in range(FIRST_WAY[head], FIRST_WAY[head + 1]):
            if is_line_free(t, colour, way):
                best = max(best, _arrow_prior(colour * WAY_COUNT + way, spots, near, worth, goals))
    return best


@compiled
def _other_prior(s, action):
    """Weights of voucher uses except arrows, and of the card to keep."""
    if action == First.DONE:
        return DECLINED if s.table.phase == Phase.GREEN else 1.0
    if action >= First.KEEP:
        return math.exp(PREFERENCE * CARD * REACH_WORTH[_next_head(s.table, action - First.KEEP + 1)])
    if action >= First.EXCHANGE:
        if s.table.token[action - First.EXCHANGE]:
            return IDLE
        far = _next_head(s.table, action - First.EXCHANGE + 1)
        return FRESH_CARD * far if far >= FAR else IDLE
    return LIFTED


@compiled
def _next_head(t, spot):
    """Segments to the nearest expedition that is not there already."""
    nearest = FARTHEST
    for colour in range(COLOUR_COUNT):
        far = DISTANCE[np.int64(t.expedition[colour].head), spot]
        if far:
            nearest = min(nearest, far)
    return nearest


@compiled
def _token_prior(s, seat, action):
    """R11, R32: near many of the seat's cards and not far from START; for a neighbour, far from everything."""
    t = s.table
    if action == First.DONE:
        return 1.0
    spot = action - First.TOKEN + 1
    hope = 2.0 * REACH_WORTH[DISTANCE[START, spot]]
    for place in range(PLACE_COUNT):
        if place + 1 != spot and (t.token[place] or (not t.variant_b and has_member(s.hand[seat].cards, place))):
            hope += REACH_WORTH[DISTANCE[place + 1, spot]] * 0.5
    return math.exp(-PREFERENCE * hope) if t.variant_b else math.exp(PREFERENCE * hope)


@compiled
def evaluate(s, played, worth):
    """Write the winning chances of each seat, at the beginning of a turn after some actions; else return False."""
    t = s.table
    if played < EVALUATE_AFTER or t.phase != Phase.TURN or t.placed or t.used:
        return False
    left = 1.0 - count_arrows(t) / EVERY_ARROW
    if t.ending:
        left = 0.0
    spread = LAST_SPREAD + SPREAD * left
    total = 0.0
    for seat in range(t.players):
        worth[seat] = np.exp(_expected_points(s, seat, left) / spread)
        total += worth[seat]
    for seat in range(t.players):
        worth[seat] /= total
    return True


@compiled
def _expected_points(s, seat, left):
    """R35, R36: the expected points of a seat at the end, if a share `left` of all arrows is still to come."""
    t = s.table
    own = t.explorers[seat]
    points = float(own.own) + own.public + own.collected - own.cards - own.tokens
    for place in range(PLACE_COUNT):
        aims = (t.token[place] == seat + 1) + has_member(s.hand[seat].cards, place)
        if aims:
            points += SWING * aims * _reach_chance(t, place + 1, left)
    for slot in range(GOALS):
        if t.goals[slot]:
            points += _reach_chance(t, np.int64(t.goals[slot]), left) / t.players
    return points + VOUCHER_WORTH * min(np.int64(own.vouchers), A_FEW) * left


@compiled
def _reach_chance(t, spot, left):
    near = FARTHEST
    for colour in range(COLOUR_COUNT):
        far = DISTANCE[np.int64(t.expedition[colour].head), spot]
        near = min(near, far if far else WAITING_DISTANCE)
    return left * LATER_REACH + (1.0 - left * LATER_REACH) * REACH_WORTH[near] * min(1.0, LAST_ARROWS * left)


@compiled
def likelihood(s, seat):
    """Treat all hidden cards as equally likely: actions give no hint of the hands."""
    return 1.0


HEURISTICS = Heuristics(priors=priors, likelihood=likelihood, evaluate=evaluate)
