"""Arrows on the map: where one can be laid, which close a loop, and the last loop. Compiled."""
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202

import numpy as np

from tavola.core import add_member, compiled, has_member, local_array, lowest_member, remove_member
from tavola.core.fields import WORD_BITS
from tavola.games.expedition.components import ARROWS, COLOUR_COUNT, FREE_LINES, First
from tavola.games.expedition.network import (
    FIRST_WAY,
    LINE,
    LINE_AT,
    LINES_AT,
    ORIGIN,
    SPOT_COUNT,
    START,
    TARGET,
    TARGET_AT,
    WAY_COUNT,
    WAYS_FROM,
)

UNREACHED = SPOT_COUNT
new_arrows, new_steps = local_array(ARROWS, np.int64), local_array(SPOT_COUNT, np.int64)
new_marks = local_array(SPOT_COUNT, np.int8)
new_restarts = local_array(WAY_COUNT * COLOUR_COUNT, np.int32)


@compiled
def is_line_free(t, colour, way):
    """R17, R22: a line without an arrow of that colour, and not a second loop of it in the turn."""
    return _is_barred(t.expedition[colour], np.int64(t.looped) >> colour & 1, way) == 0


@compiled
def _is_barred(route, looped, way):
    """Return 1 if a line is not free, else 0: a branch could not be predicted where all lines are tried."""
    return _holds(route.lines, LINE_AT[way]) | _holds(route.visited, TARGET_AT[way]) & looped


@compiled
def _holds(words, at):
    """Return 1 if a set has the member at a place of `LINE_AT` or `TARGET_AT`, else 0."""
    return np.int64(words[at >> 6]) >> (at & 63) & 1


@compiled
def may_begin(t, way):
    """R16: a colour begins on a line of START without any arrow."""
    if t.first_lines != FREE_LINES:
        return True
    line = LINE[way]
    return not (
        has_member(t.expedition[0].lines, line)
        or has_member(t.expedition[1].lines, line)
        or has_member(t.expedition[2].lines, line)
    )


@compiled
def _add_from(t, colour, spot, actions, count):
    route, looped = t.expedition[colour], np.int64(t.looped) >> colour & 1
    at = np.uint64(count)  # a sign would be tested at each write
    for way in range(WAYS_FROM[spot], WAYS_FROM[spot + 1]):
        actions[at] = First.ARROW + colour * WAY_COUNT + way
        at += np.uint64(1 - _is_barred(route, looped, way))
    return np.int64(at)


@compiled
def add_arrows_of(t, colour, actions, count):
    """Add every legal arrow of a colour, ascending; return the new count of actions."""
    route = t.expedition[colour]
    if route.count == ARROWS:
        return count
    if route.count == 0:
        for way in range(FIRST_WAY[START], FIRST_WAY[START + 1]):
            if may_begin(t, way):
                actions[count] = First.ARROW + colour * WAY_COUNT + way
                count += 1
        return count
    if route.loose or t.due == colour + 1:
        return _add_restarts(t, colour, actions, count)
    return _add_from(t, colour, np.int64(route.head), actions, count)


@compiled
def add_arrows(t, actions, count):
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
        left = np.int64(route.visited[word])
        while left:
            count = _add_from(t, colour, WORD_BITS * word + lowest_member(left), actions, count)
            left &= left - 1
    return count


@compiled
def _add_from_loop(t, colour, actions, count):
    route = t.expedition[colour]
    away, to, circle = new_arrows(), new_arrows(), new_marks()
    for k in range(route.count):
        way = np.int64(route.path[k]) - 1
        away[k] = ORIGIN[way]
        to[k] = TARGET[way]
    mark_last_loop(away, to, np.int64(route.count), circle)
    for spot in range(SPOT_COUNT):
        if circle[spot]:
            count = _add_from(t, colour, spot, actions, count)
    return count


@compiled
def mark_last_loop(away, to, count, circle):
    """R31: mark the spots of the smallest circles through the last of `count` arrows from `away` to `to`."""
    ahead, behind = new_steps(), new_steps()
    _count_arrows(away, to, count, to[count - 1], ahead)
    _count_arrows(to, away, count, away[count - 1], behind)
    length = ahead[away[count - 1]]
    for spot in range(SPOT_COUNT):
        circle[spot] = length < UNREACHED and ahead[spot] + behind[spot] == length


@compiled
def _count_arrows(away, to, count, source, steps):
    """Write how many arrows lead from a spot to every other; `UNREACHED` if none do."""
    first, after, queue = new_steps(), new_arrows(), new_steps()
    first[:], steps[:] = -1, UNREACHED
    for k in range(count):
        after[k] = first[away[k]]
        first[away[k]] = k
    queue[0] = source
    steps[source] = 0
    begin, end = 0, 1
    while begin < end:
        spot = queue[begin]
        begin += 1
        k = first[spot]
        while k >= 0:
            if steps[to[k]] == UNREACHED:
                steps[to[k]] = steps[spot] + 1
                queue[end] = to[k]
                end += 1
            k = after[k]


@compiled
def can_lay_any(t):
    return can_lay(t, 0) or can_lay(t, 1) or can_lay(t, 2)


@compiled
def can_lay(t, colour):
    route = t.expedition[colour]
    if route.count == ARROWS:
        return False
    if route.loose or t.due == colour + 1:
        return _can_restart(t, colour)
    head = np.int64(route.head)
    for way in range(FIRST_WAY[head], FIRST_WAY[head + 1]):
        if is_line_free(t, colour, way) and (route.count or may_begin(t, way)):
            return True
    return False


@compiled
def _can_restart(t, colour):
    route = t.expedition[colour]
    if t.variant_a:
        return _add_restarts(t, colour, new_restarts(), 0) > 0
    for word in range(len(route.visited)):
        left = np.int64(route.visited[word])
        while left:
            spot = WORD_BITS * word + lowest_member(left)
            for way in range(WAYS_FROM[spot], WAYS_FROM[spot + 1]):
                if is_line_free(t, colour, way):
                    return True
            left &= left - 1
    return False


@compiled
def lay_arrow(t, colour, way):
    """Lay an arrow; return whether it closes a loop (R19): that colour had visited the spot before."""
    route = t.expedition[colour]
    route.path[route.count] = way + 1
    route.count += 1
    add_member(route.lines, LINE[way])
    loops = has_member(route.visited, TARGET[way])
    add_member(route.visited, ORIGIN[way])
    add_member(route.visited, TARGET[way])
    route.head = TARGET[way]
    route.loose = 0
    route.fresh += 1
    return loops


@compiled
def lift_arrow(t, colour):
    """Remove the last arrow of a colour; return whether the expedition is then in a loop (R25)."""
    route = t.expedition[colour]
    loops = loops_when_lifted(route)
    route.count -= 1
    way = np.int64(route.path[route.count]) - 1
    route.path[route.count] = 0
    remove_member(route.lines, LINE[way])
    _leave(route, ORIGIN[way])
    _leave(route, TARGET[way])
    route.head = ORIGIN[way]
    route.loose = 0
    route.fresh = max(0, np.int64(route.fresh) - 1)
    return loops


@compiled
def _leave(route, spot):
    """Forget a spot that no arrow touches any more."""
    for word in range(len(route.lines)):
        if route.lines[word] & LINES_AT[spot, word]:
            return
    remove_member(route.visited, spot)


@compiled
def loops_when_lifted(route):
    """R25: return whether another arrow of the colour leaves the spot that the last one left."""
    spot = ORIGIN[np.int64(route.path[route.count - 1]) - 1]
    for k in range(route.count - 1):  # noqa: SIM110 (compiled rules have no generators)
        if ORIGIN[np.int64(route.path[k]) - 1] == spot:
            return True
    return False


@compiled
def count_arrows(t):
    return np.int64(t.expedition[0].count) + t.expedition[1].count + t.expedition[2].count
