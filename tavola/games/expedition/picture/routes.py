"""The pieces on the map: points to touch, arrows as inked routes, heads, tokens, goals, lines to choose."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile

from markupsafe import Markup

from tavola.games.expedition.atlas import POINTS
from tavola.games.expedition.components import COLOUR_COUNT, COLOURS, First, Phase, Seen, Table
from tavola.games.expedition.gazetteer import place_name
from tavola.games.expedition.network import ENDS, LINE, SPOT_COUNT, SPOT_OF_POINT, START, WAY_COUNT, WAYS
from tavola.games.expedition.picture import geometry
from tavola.games.expedition.picture.elements import SEGMENTS, TRAVELS, code_of, flag, point_title
from tavola.games.expedition.words.nouns import AWAY, COLOUR, goals_of, heads, way_name
from tavola.show.kit import PieceItem, PieceItems, piece, still_piece, use
from tavola.show.speech import Say
from tavola.show.svg import group, tag

LANE = 12
"""Distance between two routes that share a line."""
HEAD_HEIGHT = 38
"""Height of the middle of a head's medal above its point."""
HEAD_WIDTH = 62
"""Width of a head and its badge: heads at one point leave each other's number visible."""
SHORT = 34
"""Minimum length of a line, in units, for an arrow's number."""


def retraced(table: Table) -> PieceItems:
    if table.phase == Phase.OVER:
        yield from (_retraced(colour, _steps(table, colour)) for colour in under_way(table))


@piece("retraced-{colour}", colour=TRAVELS, memory=256)
def _retraced(identifier: str, colour: int, path: tuple[int, ...]) -> Markup:
    drawn = "".join(geometry.path_of(geometry.line_curve(*ENDS[step - 1])) for step in path)
    stroke = tag("path", d=drawn, pathLength=1, stroke=f"var(--{TRAVELS[colour]})")
    return still_piece(identifier, "", stroke, class_=f"retraced retraced-{TRAVELS[colour]} through")


def _steps(table: Table, colour: int) -> tuple[int, ...]:
    route = table.expedition[colour]
    return tuple(route.path[: route.count])


def points(table: Table, say: Say) -> tuple[PieceItem, ...]:
    return _points(table.phase <= Phase.TOKENS, not under_way(table), say)


@lru_cache(maxsize=64)
def _points(takes: bool, starts: bool, say: Say) -> tuple[PieceItem, ...]:
    """`takes`: tokens are placed; `starts`: no expedition is under way."""
    return tuple(
        _point(number, takes and point.kind == "place", starts and number == START, say)
        for number, point in enumerate(POINTS)
    )


@piece("point-{point}", point=lambda point: POINTS[point].code, memory=4096)
def _point(identifier: str, point: int, takes: bool, matters: bool, say: Say) -> Markup:
    x, y = geometry.SPOTS[point]
    code, place = POINTS[point].code, POINTS[point].kind == "place"
    return group(
        identifier,
        tag("title", point_title(point, say)),
        *printed_point(point),
        tag("circle", class_="ring", r=17),
        tag("circle", class_="hit", r=17),
        x=x,
        y=y,
        class_="point",
        codes=f"token {code}" if takes else None,
        data_find=None if geometry.is_at_edge(point) else place_name(point, say),
        data_shape=f"place-{code}" if place else None,
        data_number=point,
        data_focus="" if matters else None,
    )


def printed_point(point: int) -> tuple[Markup, ...]:
    if not geometry.is_at_edge(point):
        return (use(f"point-{POINTS[point].region or POINTS[point].kind}"),)
    side, lean = ("west", -12) if geometry.SPOTS[point].x < geometry.WIDTH / 2 else ("east", 12)
    return use(f"point-{side}", lean), tag("text", str(POINTS[point].pair), x=lean * 5 / 6, y=7, class_="pennant mid b")


@piece("reach", memory=256)
def distance_titles(identifier: str, here: tuple[int, ...], say: Say) -> Markup:
    """Return the distances of all points from each head in one piece; an arrow changes one row of it."""
    rows = " ".join(map(_distances_from, here))
    return still_piece(identifier, "", data_told=say(SEGMENTS), data_keys=" ".join(COLOURS), data_numbers=rows)


@lru_cache(maxsize=SPOT_COUNT)
def _distances_from(head: int) -> str:
    return ".".join(str(AWAY[head][spot]) for spot in SPOT_OF_POINT)


def _arrows(table: Table, colour: int, skipped: int = 0) -> Iterator[tuple[int, int, float]]:
    """Yield the arrows of a route after the first ones: place, way, and distance from its line, which others share."""
    for place, step in enumerate(_steps(table, colour)[skipped:], skipped + 1):
        line = int(LINE[step - 1])
        here = [other for other in range(COLOUR_COUNT) if line in _lines_of(_steps(table, other))]
        yield place, step - 1, (here.index(colour) - (len(here) - 1) / 2) * LANE


@lru_cache(maxsize=256)
def _lines_of(path: tuple[int, ...]) -> frozenset[int]:
    return frozenset(int(LINE[step - 1]) for step in path)


def fresh_arrows(table: Table) -> PieceItems:
    for colour, route in enumerate(table.expedition):
        for arrow in _arrows(table, colour, route.count - route.fresh):
            yield _band("fresh", colour, *arrow)


def routes(table: Table, say: Say) -> PieceItems:
    yield from (_arrow(colour, *arrow, say) for colour in range(COLOUR_COUNT) for arrow in _arrows(table, colour))


@lru_cache(maxsize=4096)
def _arrow_curve(number: int, aside: float) -> geometry.Curve:
    first, last = ENDS[number]
    whole = geometry.offset(geometry.line_curve(first, last), aside if first < last else -aside)
    return geometry.trim(whole, *(0 if geometry.is_at_edge(end) else 10 for end in (first, last)))


@piece("{kind}-{colour}-{place}", colour=TRAVELS, memory=512)
def _band(identifier: str, kind: str, colour: int, place: int, number: int, aside: float) -> Markup:
    path = tag("path", d=geometry.path_of(_arrow_curve(number, aside)), stroke=f"var(--{TRAVELS[colour]})")
    return still_piece(identifier, "", path, class_=f"{kind} through")


@piece("arrow-{colour}-{place}", colour=TRAVELS, memory=4096)
def _arrow(identifier: str, colour: int, place: int, number: int, aside: float, say: Say) -> Markup:
    curve = _arrow_curve(number, aside)
    drawn, long = geometry.path_of(curve), geometry.length(curve)
    numbered = long > SHORT
    there = 0.66 if numbered else 0.56
    tip, size = geometry.point_at(curve, there), 0.86 if long > 26 else 0.7
    told = say("{colour:Single} {number}: {way}", colour=COLOUR(colour, say), number=place, way=way_name(number, say))
    travel = TRAVELS[colour]
    layers = [tag("path", class_=f"{layer} {travel}-{layer}", d=drawn) for layer in ("sleeper", "edge", "core")]
    parts = [
        tag("path", class_="casing", d=drawn, pathLength=1),
        tag("g", *layers, class_="texture"),
        use("tip", tip.x, tip.y, size, geometry.heading(curve, there), fill=f"var(--{travel})", class_="tip"),
    ]
    if numbered:
        at = geometry.point_at(curve, 0.3)
        text = tag("text", str(place), x=at.x, y=at.y + 4.6, class_=f"on-{travel} mid")
        parts.append(tag("g", tag("circle", cx=at.x, cy=at.y, r=8.8, fill=f"var(--{travel})"), text, class_="count"))
    return still_piece(identifier, told, *parts, class_="arrow through")


# Heads, goals, tokens


def under_way(table: Table) -> list[int]:
    return [colour for colour, route in enumerate(table.expedition) if route.count]


def head_spot(table: Table, colour: int) -> int:
    """Return the point at which a head is drawn: for a border pair, the one that the last arrow led to."""
    route = table.expedition[colour]
    if route.count:
        reached = ENDS[route.path[route.count - 1] - 1][1]
        if SPOT_OF_POINT[reached] == route.head:
            return reached
    return SPOT_OF_POINT.index(route.head if route.count else START)


def glows(table: Table) -> PieceItems:
    yield from (_glow(colour, head_spot(table, colour)) for colour in under_way(table))


@piece("glow-{colour}", colour=TRAVELS, memory=512)
def _glow(identifier: str, colour: int, point: int) -> Markup:
    x, y = geometry.SPOTS[point]
    light = (tag("circle", r=radius, cy=-10, fill=f"var(--{TRAVELS[colour]})") for radius in (56, 48, 40, 32))
    return group(identifier, *light, x=x, y=y, class_="glow through")


def route_heads(table: Table, name: str, say: Say) -> PieceItems:
    out = under_way(table)
    for colour in out:
        point = head_spot(table, colour)
        here = [other for other in out if head_spot(table, other) == point]
        aside = (here.index(colour) - (len(here) - 1) / 2) * HEAD_WIDTH
        yield _head(name, colour, point, table.expedition[colour].count, aside, say)


@piece("{name}-{colour}", colour=TRAVELS)
def _head(identifier: str, name: str, colour: int, point: int, count: int, aside: float, say: Say) -> Markup:
    travel = TRAVELS[colour]
    x, y = geometry.SPOTS[point]
    told = say.many(
        "{colour:The} is at {place} after {count} arrow.",
        "{colour:The} is at {place} after {count} arrows.",
        count,
        colour=COLOUR(colour, say),
        place=place_name(point, say),
    )
    badge = tag("circle", cx=22, cy=-19, r=12, fill=f"var(--{travel})", class_="edged")
    number = tag("text", str(count), x=22, y=-13, class_=f"on-{travel} mid total")
    return group(
        identifier,
        tag("title", told),
        tag("circle", class_="ring", r=31),
        tag("g", use(f"head-{travel}"), badge, number, class_=f"strides-{count % 2}"),
        x=x + aside,
        y=y - HEAD_HEIGHT,
        class_="head",
        codes=f"remove {COLOURS[colour]}",
        data_focus="" if name == "head-of" else None,
        data_rim=f"head-{travel}" if name == "head-of" else None,
    )


def goals_and_tokens(table: Table, say: Say) -> PieceItems:
    yield from (_mark("goal", "goal-public", goal) for goal in table.goals if goal)
    for place, owner in enumerate(table.token):
        if owner:
            yield _token(place, owner - 1, say.name(owner - 1), say)


@piece("{kind}-{point}", point=lambda point: code_of(point - 1), memory=512)
def _mark(identifier: str, kind: str, shape: str, point: int) -> Markup:
    x, y = geometry.SPOTS[point]
    return group(identifier, use(shape), x=x, y=y, class_="mark through")


@piece("token-{place}", place=code_of, memory=512)
def _token(identifier: str, place: int, seat: int, name: str, say: Say) -> Markup:
    x, y = geometry.SPOTS[place + 1]
    told = say("{name}’s token on {place}", name=name, place=place_name(place + 1, say))
    across, down, side = geometry.LAYOUT["flags"][code_of(place)]
    return group(identifier, tag("title", told), flag(seat, across, down, side=side), x=x, y=y, class_="token through")


# What only the player sees


def own_marks(view: Seen) -> PieceItems:
    yield from (_mark("mine", "goal-own", place + 1) for place in goals_of(view))


def plan_arrows(before: Table, after: Table) -> PieceItems:
    """Yield the arrows that a plan lays, in pencil, and those that it removes, dotted."""
    for colour in range(COLOUR_COUNT):
        was, now = _steps(before, colour), _steps(after, colour)
        same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(was, now, strict=False))])
        for kind, table in (("lifted", before), ("pencil", after)):
            for arrow in _arrows(table, colour, same):
                yield _band(kind, colour, *arrow)
        if was != now:
            yield _plan_end(colour, head_spot(after, colour))


@piece("end-{colour}", colour=TRAVELS, memory=512)
def _plan_end(identifier: str, colour: int, point: int) -> Markup:
    """Where a plan brings an expedition: the map moves there when no line is lit any more."""
    x, y = geometry.SPOTS[point]
    seen = tag("rect", x=-80, y=-100, width=160, height=150, fill="none")
    return group(identifier, seen, x=x, y=y, class_="through", data_follow="")


def step_lines(view: Seen, say: Say) -> PieceItems:
    lit = False
    for action in view.legal:
        if First.ARROW <= action < First.ARROW + COLOUR_COUNT * WAY_COUNT:
            colour, number = divmod(action - First.ARROW, WAY_COUNT)
            yield _step(colour, number, _step_offset(view.table, colour, number), say)
            lit = True
    if lit:  # the heads again, so that no line covers them
        yield from route_heads(view.table, "above", say)


def _step_offset(table: Table, colour: int, number: int) -> float:
    """Distance of a step from its line, so that routes there and steps of other colours stay visible."""
    rivals = [other for other in range(COLOUR_COUNT) if heads(table)[other] == heads(table)[colour]]
    taken = sum(int(LINE[number]) in _lines_of(_steps(table, other)) for other in range(COLOUR_COUNT))
    return (rivals.index(colour) - (len(rivals) - 1) / 2) * LANE * 1.5 + (LANE if taken else 0)


@piece("step-{colour}-{number}", colour=TRAVELS, number=WAYS, memory=4096)
def _step(identifier: str, colour: int, number: int, aside: float, say: Say) -> Markup:
    first, last = ENDS[number]
    travel = TRAVELS[colour]
    whole = geometry.offset(geometry.line_curve(first, last), aside if first < last else -aside)
    curve = geometry.trim(whole, *(4 if geometry.is_at_edge(end) else gap for end, gap in ((first, 22), (last, 14))))
    drawn, tip = geometry.path_of(curve), geometry.point_at(curve, 0.66)
    return still_piece(
        identifier,
        say("{colour:Short}: {way}", colour=COLOUR(colour, say), way=way_name(number, say)),
        tag("path", class_="wide", d=geometry.path_of(geometry.trim(curve, geometry.length(curve) * 0.3, 0))),
        tag("path", class_="lit", d=drawn),
        tag("path", class_="dashes", d=drawn, stroke=f"var(--{travel})"),
        use("tip", tip.x, tip.y, 0.92, geometry.heading(curve, 0.66), fill=f"var(--{travel})"),
        class_="step",
        codes=f"arrow {COLOURS[colour]} {WAYS[number]}",
    )


def overview(table: Table) -> PieceItems:
    yield from (_trace(colour, _steps(table, colour)) for colour in under_way(table))
    yield from (_speck(colour, head_spot(table, colour)) for colour in under_way(table))


@piece("trace-{colour}", colour=TRAVELS, memory=256)
def _trace(identifier: str, colour: int, path: tuple[int, ...]) -> Markup:
    drawn = "".join(geometry.path_of(geometry.line_curve(*ENDS[step - 1])) for step in path)
    return still_piece(identifier, "", tag("path", d=drawn, class_=f"trace trace-{TRAVELS[colour]}"), class_="through")


@piece("speck-{colour}", colour=TRAVELS, memory=512)
def _speck(identifier: str, colour: int, point: int) -> Markup:
    x, y = geometry.SPOTS[point]
    speck = tag("circle", r=34, class_="speck", fill=f"var(--{TRAVELS[colour]})")
    return group(identifier, speck, x=x, y=y, class_="through")
