"""Arrows on the map: where one may be laid, what loops, and what the last loop is. Compiled."""
# mypy: allow-untyped-defs, no-check-untyped-defs

import numpy as np

from tavola.core import compiled, holds, put_in, take_out
from tavola.games.expedition.components import ARROW, ARROWS, COLOUR_COUNT, FREE_LINES
from tavola.games.expedition.network import FIRST, LINE, ORIGIN, SPOT_COUNT, START, TARGET, WAY_COUNT

__all__ = [
    "add_arrows",
    "add_arrows_of",
    "any_arrow",
    "fits",
    "last_loop",
    "lay",
    "leaves_loop",
    "lift",
    "loops_when_lifted",
    "on_map",
]

FAR = SPOT_COUNT


@compiled
def fits(t, colour, way):
    """R17, R22: a line without an arrow of that colour, and no second loop of it in the turn."""
    route = t.expedition[colour]
    if holds(route.lines, LINE[way]):
        return False
    return not (np.int64(t.looped) >> colour & 1 and holds(route.visited, TARGET[way]))


@compiled
def may_begin(t, way):
    """R16: a colour begins on a line of START that holds no arrow at all."""
    if t.first_lines != FREE_LINES:
        return True
    line = LINE[way]
    return not (
        holds(t.expedition[0].lines, line) or holds(t.expedition[1].lines, line) or holds(t.expedition[2].lines, line)
    )


@compiled
def _add_from(t, colour, spot, actions, count):
    """Add every arrow of a colour that may leave a spot; the count of actions."""
    for way in range(FIRST[spot], FIRST[spot + 1]):
        if fits(t, colour, way):
            actions[count] = ARROW + colour * WAY_COUNT + way
            count += 1
    return count


@compiled
def add_arrows_of(t, colour, actions, count):
    """Add every arrow of a colour that may be laid now, ascending; the count of actions."""
    route = t.expedition[colour]
    if route.count == ARROWS:
        return count
    if route.count == 0:
        for way in range(FIRST[START], FIRST[START + 1]):
            if may_begin(t, way):
                actions[count] = ARROW + colour * WAY_COUNT + way
                count += 1
        return count
    if route.loose or t.due == colour + 1:
        return _add_restarts(t, colour, actions, count)
    return _add_from(t, colour, np.int64(route.head), actions, count)


@compiled
def add_arrows(t, actions, count):
    """Add every arrow of any colour; the count of actions."""
    for colour in range(COLOUR_COUNT):
        count = add_arrows_of(t, colour, actions, count)
    return count


@compiled
def _add_restarts(t, colour, actions, count):
    """R20, R31: from any spot the expedition has visited; in variant A from those of its last loop."""
    route = t.expedition[colour]
    if t.variant_a:
        return _add_from_loop(t, colour, actions, count)
    for word in range(len(route.visited)):
        left = route.visited[word]
        spot = 63 * word
        while left:
            if left & 1:
                count = _add_from(t, colour, spot, actions, count)
            left >>= 1
            spot += 1
    return count


@compiled
def _add_from_loop(t, colour, actions, count):
    route = t.expedition[colour]
    away, to = np.zeros(ARROWS, np.int64), np.zeros(ARROWS, np.int64)
    for k in range(route.count):
        way = np.int64(route.path[k]) - 1
        away[k] = ORIGIN[way]
        to[k] = TARGET[way]
    circle = last_loop(away, to, np.int64(route.count))
    for spot in range(SPOT_COUNT):
        if circle[spot]:
            count = _add_from(t, colour, spot, actions, count)
    return count


@compiled
def last_loop(away, to, count):
    """R31: the smallest circle, or circles, through the last of `count` arrows from `away` to `to`: int8[spots]."""
    ahead = _steps(away, to, count, to[count - 1])
    behind = _steps(to, away, count, away[count - 1])
    length = ahead[away[count - 1]]
    circle = np.zeros(SPOT_COUNT, np.int8)
    for spot in range(SPOT_COUNT):
        circle[spot] = length < FAR and ahead[spot] + behind[spot] == length
    return circle


@compiled
def _steps(away, to, count, source):
    """How many arrows lead from a spot to every other; `FAR` where none do. Each arrow is looked at once."""
    first, after = np.full(SPOT_COUNT, -1, np.int64), np.zeros(ARROWS, np.int64)
    for k in range(count):
        after[k] = first[away[k]]
        first[away[k]] = k
    steps, queue = np.full(SPOT_COUNT, FAR, np.int64), np.zeros(SPOT_COUNT, np.int64)
    queue[0] = source
    steps[source] = 0
    begin, end = 0, 1
    while begin < end:
        spot = queue[begin]
        begin += 1
        k = first[spot]
        while k >= 0:
            if steps[to[k]] == FAR:
                steps[to[k]] = steps[spot] + 1
                queue[end] = to[k]
                end += 1
            k = after[k]
    return steps


@compiled
def leaves_loop(t, colour):
    """Whether some arrow may leave the loop that must be left now (R21)."""
    return _may_lay(t, colour)


@compiled
def any_arrow(t):
    """Whether an arrow of some colour may be laid."""
    return _may_lay(t, 0) or _may_lay(t, 1) or _may_lay(t, 2)


@compiled
def _may_lay(t, colour):
    """Whether an arrow of a colour may be laid."""
    route = t.expedition[colour]
    if route.count == ARROWS:
        return False
    if route.loose or t.due == colour + 1:
        return _add_restarts(t, colour, np.zeros(WAY_COUNT * COLOUR_COUNT, np.int32), 0) > 0
    head = np.int64(route.head)
    for way in range(FIRST[head], FIRST[head + 1]):
        if fits(t, colour, way) and (route.count or may_begin(t, way)):
            return True
    return False


@compiled
def lay(t, colour, way):
    """Lay an arrow; whether it closes a loop (R19): the spot was touched by that colour before."""
    route = t.expedition[colour]
    route.path[route.count] = way + 1
    route.count += 1
    put_in(route.lines, LINE[way])
    loops = holds(route.visited, TARGET[way])
    put_in(route.visited, ORIGIN[way])
    put_in(route.visited, TARGET[way])
    route.head = TARGET[way]
    route.loose = 0
    route.fresh += 1
    return loops


@compiled
def lift(t, colour):
    """Take the last arrow of a colour away; whether the expedition stands in a loop then (R25)."""
    route = t.expedition[colour]
    loops = loops_when_lifted(route)
    route.count -= 1
    way = np.int64(route.path[route.count]) - 1
    route.path[route.count] = 0
    take_out(route.lines, LINE[way])
    route.visited[:] = 0
    for k in range(route.count):
        put_in(route.visited, ORIGIN[np.int64(route.path[k]) - 1])
        put_in(route.visited, TARGET[np.int64(route.path[k]) - 1])
    route.head = ORIGIN[way]
    route.loose = 0
    route.fresh = max(0, np.int64(route.fresh) - 1)
    return loops


@compiled
def loops_when_lifted(route):
    """R25: whether another arrow of the colour leaves the spot that the last one left."""
    spot = ORIGIN[np.int64(route.path[route.count - 1]) - 1]
    for k in range(route.count - 1):  # noqa: SIM110 (compiled rules have no generators)
        if ORIGIN[np.int64(route.path[k]) - 1] == spot:
            return True
    return False


@compiled
def on_map(t):
    """Arrows on the map."""
    return np.int64(t.expedition[0].count) + t.expedition[1].count + t.expedition[2].count
