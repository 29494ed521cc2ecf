"""The rules of arrows in plain Python over a view: for faults, texts and pictures."""

from collections.abc import Iterator

from tavola.games.expedition.components import ARROWS, COLOUR_COUNT, FREE_LINES, Route, Table
from tavola.games.expedition.network import FIRST_WAY, LINE, ORIGIN, SPOT_COUNT, START, TARGET


def members_of(mask: int) -> tuple[int, ...]:
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)


def ways_of(route: Route) -> list[int]:
    return [way - 1 for way in route.path[: route.count]]


def is_in_loop(route: Route) -> bool:
    """Return whether another arrow of the expedition leaves its head: it is in a loop (R19, R25)."""
    return any(ORIGIN[way] == route.head for way in ways_of(route))


def origins(t: Table, colour: int) -> tuple[int, ...]:
    """Return the spots that the next arrow of a colour can leave: its head; after a loop, all visited ones (R20)."""
    route = t.expedition[colour]
    if not route.loose and t.due != colour + 1:
        return (route.head,)
    return last_loop(route) if t.variant_a else members_of(route.visited)


def last_loop(route: Route) -> tuple[int, ...]:
    """R31: return the spots of the smallest circle, or circles, through the last arrow."""
    last = ways_of(route)[-1]
    ahead = _steps(route, int(TARGET[last]), TARGET, ORIGIN)
    behind = _steps(route, int(ORIGIN[last]), ORIGIN, TARGET)
    length = ahead.get(int(ORIGIN[last]), -1)
    return tuple(sorted(spot for spot in ahead if ahead[spot] + behind.get(spot, SPOT_COUNT) == length))


def _steps(route: Route, source: int, to: object, away: object) -> dict[int, int]:
    """Arrows from `source` to each spot the route leads to; with `to` and `away` swapped, to `source` from each."""
    steps, reached = {source: 0}, [source]
    for spot in reached:
        for way in ways_of(route):
            there = int(to[way])  # type: ignore[index]
            if away[way] == spot and there not in steps:  # type: ignore[index]
                steps[there] = steps[spot] + 1
                reached.append(there)
    return steps


def is_line_free(t: Table, colour: int, way: int) -> bool:
    """Return whether the line of a way can take an arrow of a colour (R16, R17)."""
    line = int(LINE[way])
    if t.expedition[colour].count or t.first_lines != FREE_LINES:
        return not t.expedition[colour].lines >> line & 1
    return not any(route.lines >> line & 1 for route in t.expedition)


def closes_second_loop(t: Table, colour: int, way: int) -> bool:
    """Return whether an arrow would close a second loop of its colour in this turn (R22)."""
    return bool(t.looped >> colour & 1 and t.expedition[colour].visited >> int(TARGET[way]) & 1)


def ways_out(t: Table, colour: int) -> Iterator[int]:
    """Yield the ways that the next arrow of a colour can take, in any phase."""
    route = t.expedition[colour]
    if route.count == ARROWS:
        return
    for spot in origins(t, colour) if route.count else (START,):
        for way in range(int(FIRST_WAY[spot]), int(FIRST_WAY[spot + 1])):
            if is_line_free(t, colour, way) and not closes_second_loop(t, colour, way):
                yield way


def can_leave(t: Table, colour: int) -> bool:
    return next(ways_out(t, colour), None) is not None


def can_lay(t: Table) -> bool:
    return any(can_leave(t, colour) for colour in range(COLOUR_COUNT))
