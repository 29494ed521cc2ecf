"""The chart: visited squares in watercolour, the fog, the route, the ship, and the courses from its square."""

import math
from functools import lru_cache

from markupsafe import Markup

from tavola.games.voyage.components import CELLS, CHART_CROSSES, CHART_ISLANDS, COURSES, FOG, RANDOM, Ending, Phase
from tavola.games.voyage.picture.elements import CHART, EXIT, STEP, Point2D, beyond_edge, cell_middle, placed
from tavola.games.voyage.picture.scene import BoardState, alternative_sailed
from tavola.games.voyage.words.nouns import CHARTED, LETTER, course_title, kind_of, tile_title
from tavola.show.kit import PieceItem, PieceItems, Spot, piece, still_piece, titled, titled_group, use
from tavola.show.speech import Say
from tavola.show.svg import tag
from tavola.show.words import members_of

OFFING = {
    "h1": (-14, 30),
    "f1": (0, 26),
    "g1": (0, 30),
    "i1": (-32, 30),
    "i2": (-26, 6),
    "i3": (-20, 22),
    "h2": (12, 30),
}
"""Spots at which the route touches squares with land, relative to their middles."""
ANCHORAGE, SHIP = (-1, -12), 0.68
"""The ship's place in a square, chosen so that the square remains visible, and its scale."""
THUMB = 98
"""Width that a thumb needs on a phone, where 820 units are 360 pixels."""
AXES = still_piece("axes", "", use("letters"), class_="axis through")
"""Column and row names at the neatline, above paint and fog, so that every square can be named."""
DART = "M-30 -10L14 -10L12 -24L44 0L12 24L14 10L-30 10Z"
ARROW = "M30 -7C46 -10 58 -10 66 -8L64 -19L92 0L64 19L66 8C56 6 44 6 30 8Z"


def chart(shown: BoardState, say: Say) -> PieceItems:
    """Yield the parts of the chart below the cards, the lowest first."""
    t = shown.table
    found = t.ship if t.ending == Ending.AVALON else -1
    if t.layout != RANDOM:
        yield _charted_islands(say)
    if found >= 0:
        yield _gold_light(found)
    for cell in members_of(t.explored):
        yield _tile(cell, kind_of(t, cell), cell == found, say)
    yield from _fog(FOG & ~t.explored, found, shown.avalons, say)
    yield "axes", AXES
    yield from _route(shown)
    if t.ending == Ending.ROUTE_LOST and shown.adrift:
        yield _torn_margin(t.ship, shown.turns[-1].sailed - 1)
    yield _ship(shown, say)
    yield from _courses(shown, say)
    if found >= 0:
        yield _risen_avalon(found, say)


def _isle(cell: int, kind: str, x: float = 0, y: float = 0) -> Markup:
    """An island: three drawings have no cross, and three have one."""
    return use(f"isle-{cell % 3 + 3 * (kind == 'cross')}", x, y)


@piece("charted", memory=8)
def _charted_islands(identifier: str, say: Say) -> Markup:
    """R4: the islands of the recommended chart that have not been reached, in pen."""
    isles = []
    for cell in members_of(CHART_ISLANDS):
        kind = "cross" if CHART_CROSSES >> cell & 1 else "plain"
        isles.append(titled(say.labelled(CELLS[cell], say(CHARTED[kind])), _isle(cell, kind, *cell_middle(cell))))
    return still_piece(identifier, "", *isles, class_="charted")


@piece("tile-{cell}", cell=CELLS, memory=512)
def _tile(identifier: str, cell: int, kind: str, glorious: bool, say: Say) -> Markup:
    """A visited square. Avalon itself is drawn above the light, so its square is only water."""
    title = tile_title(cell, kind, say)
    if kind == "coast":
        return titled_group(identifier, title, tag("g", use(f"coast-{CELLS[cell]}"), class_="wet"), class_="fresh")
    inner = [use(f"wash-{cell % 3}", turned=cell * 7 % 4 * 90), use(f"pen-{(cell + 1) % 3}")]
    if FOG >> cell & 1:
        inner.append(use("mist"))
    if kind in ("cross", "plain"):
        inner.append(_isle(cell, kind))
    elif kind == "start":
        inner.append(use("start-rose"))
    elif kind == "avalon" and not glorious:
        inner.append(use("avalon-isle"))
    return titled_group(identifier, title, tag("g", *inner, class_="wet"), at=Spot(*cell_middle(cell)), class_="fresh")


@lru_cache(maxsize=256)
def _fog(hidden: int, found: int, avalons: tuple[int, int], say: Say) -> tuple[PieceItem, ...]:
    title = say("Fog tiles face down: {count} (Avalon: {times})", count=avalons[1], times=avalons[0])
    layers, cells = (("haze", ""), ("fog", title)), list(members_of(hidden))
    return tuple(_billow(layer, cell, _billow_drift(cell, found), told) for layer, told in layers for cell in cells)


def _billow_drift(cell: int, found: int) -> Point2D:
    if found < 0:
        return 0, 0
    (x, y), (from_x, from_y) = cell_middle(cell), cell_middle(found)
    away = math.hypot(x - from_x, y - from_y) or 1
    push = 26 + 3400 / away
    return round((x - from_x) / away * push), round((y - from_y) / away * push)


@piece("{layer}-{cell}", cell=CELLS, memory=512)
def _billow(identifier: str, layer: str, cell: int, aside: Point2D, title: str) -> Markup:
    x, y = cell_middle(cell)
    shape = use(f"billow-{'edge-' if layer == 'haze' else ''}{CELLS[cell]}", class_="drift")
    at = Spot(x + aside[0], y + aside[1])
    return titled_group(identifier, title and f"{CELLS[cell]}. {title}", shape, at=at, class_="billow")


def _stop(number: int, cell: int, land: int) -> Point2D:
    """Where the route touches a square: beside its land; on open water at a slightly varied spot."""
    x, y = cell_middle(cell)
    if CELLS[cell] in OFFING:
        across, down = OFFING[CELLS[cell]]
        return x + across, y + down
    if land >> cell & 1:
        return x + (28 if number % 2 else -28), y + 32
    return x + number * 5 % 21 - 10, y + 6 + number * 7 % 13 - 6


def _route(shown: BoardState) -> PieceItems:
    t = shown.table
    places = [_stop(number, cell, t.crosses | t.plains | t.avalon) for number, cell in enumerate(shown.stops)]
    if shown.adrift and t.ending == Ending.ROUTE_LOST:
        places.append(_adrift_spot(shown))
    for number in range(1, len(places)):
        yield _route_leg(number, places[number - 1], places[number], number == len(places) - 1)


@piece("leg-{number}", memory=2048)
def _route_leg(identifier: str, number: int, begin: Point2D, end: Point2D, last: bool) -> Markup:
    (x, y), (to_x, to_y) = begin, end
    bow = 0.13 if number % 2 else -0.13
    by = (x + to_x) / 2 - (to_y - y) * bow, (y + to_y) / 2 + (to_x - x) * bow
    path = f"M{x:g} {y:g}Q{by[0]:.0f} {by[1]:.0f} {to_x:g} {to_y:g}"
    if number == 1:
        stop = tag("circle", class_="stop-dot", cx=x, cy=y, r=4)
    else:
        numeral = tag("text", str(number - 1), class_="stop-number fine", y=4.3)
        dot = tag("circle", class_="stop-dot coarse", r=3.5)
        stop = placed(f"translate({x:g} {y:g})", tag("circle", class_="stop", r=9), numeral, dot)
    line = tag("g", tag("path", class_="way-edge", d=path), tag("path", class_="way", d=path), class_="drawn")
    return still_piece(identifier, "", line, stop, class_="through last" if last else "through")


def _adrift_spot(shown: BoardState) -> Point2D:
    course = shown.turns[-1].sailed - 1
    return beyond_edge(shown.table.ship, course, EXIT[course])


WAKE = "M-4 8C-9 24 -16 38 -26 52M4 8C9 24 16 38 26 52M-1 14C-3 28 -6 40 -10 50M1 14C3 28 6 40 10 50"


def _ship(shown: BoardState, say: Say) -> PieceItem:
    sailed = [turn.sailed - 1 for turn in shown.turns if turn.sailed]
    west = next((course == 3 for course in reversed(sailed) if course in (1, 3)), True)
    wake = (sailed[-1], len(sailed) % 2) if sailed else None
    if shown.adrift:
        return _caravel(_adrift_spot(shown), west, 9, wake, say("the ship, off the map"))
    (x, y), title = cell_middle(shown.table.ship), say("the ship, on {cell}", cell=CELLS[shown.table.ship])
    return _caravel((x + ANCHORAGE[0], y + ANCHORAGE[1]), west, 0, wake, title)


@piece("ship", memory=512)
def _caravel(identifier: str, at: Point2D, west: bool, heel: int, wake: tuple[int, int] | None, title: str) -> Markup:
    """The ship; `wake`: its last course, and which of two equal frames shows it sailing."""
    hull = placed(f"rotate({heel}) scale({-SHIP if west else SHIP} {SHIP})", use("caravel"))
    if wake is None:
        return titled_group(identifier, title, use("lantern"), hull, at=Spot(*at), class_="ship through")
    course, moment = wake
    foam = placed(f"rotate({90 * course})", tag("path", d=WAKE, class_=f"stern-wake wake-{moment}"))
    moving = tag("g", hull, class_=f"under-sail sail-{moment}")
    return titled_group(identifier, title, use("lantern"), foam, moving, at=Spot(*at), class_="ship through")


def _courses(shown: BoardState, say: Say) -> PieceItems:
    t = shown.table
    turn = shown.turns[-1] if shown.turns else None
    if turn and t.phase == Phase.COURSES:
        for course in members_of(turn.courses):
            yield _course_choice(t.turn, t.ship, course, shown.goal(course), bool(turn.losing >> course & 1), say)
    elif turn and t.phase == Phase.BALLOT:
        course = (turn.sailed or turn.preferred) - 1
        ballot = "black" if alternative_sailed(turn) else "white"
        yield course_arrow(f"laid-{t.turn}-{COURSES[course]}", t.ship, course, shown.goal(course), ballot, say)


def _touch_band(ship: int, course: int) -> Markup:
    (x, y), (end_x, end_y) = cell_middle(ship), beyond_edge(ship, course, 32)
    across, down = STEP[course]
    length = max(abs(end_x - x) + abs(end_y - y) - 34, THUMB)
    start = 34 if across + down > 0 else -34 - length
    if across:
        area = {"x": x + start, "y": y - THUMB / 2, "width": length, "height": THUMB}
    else:
        area = {"x": x - THUMB / 2, "y": y + start, "width": THUMB, "height": length}
    return tag("rect", class_="band", rx=20, **area)


def _arrow_spot(ship: int, course: int) -> Point2D:
    """The arrow of a course is ahead of the ship, clear of its masts, and within the part that a phone shows."""
    (x, y), (across, down) = cell_middle(ship), STEP[course]
    x, y = x + across * 66, y + down * (66 if course else 114)
    return min(max(x, CHART.left + 18), CHART.right - 20), min(max(y, CHART.top + 22), CHART.bottom - 2)


@piece("heading-{turn}-{course}", course=COURSES)
def _course_choice(identifier: str, turn: int, ship: int, course: int, goal: int, losing: bool, say: Say) -> Markup:
    x, y = _arrow_spot(ship, course)
    place = f"translate({x:g} {y:g}) rotate({course * 90 - 90})"
    return still_piece(
        identifier,
        course_title(course, losing, say),
        *((_threatened_margin(ship, course),) if losing else ()),
        _touch_band(ship, course),
        *_ring(goal),
        tag("path", class_="glowing", d=DART, transform=place),
        tag("path", class_="dart", d=DART, transform=place, data_plate=""),
        tag("text", say(LETTER[course]), class_="b mid dart-letter", x=x, y=y + 8),
        class_="heading losing" if losing else "heading",
        codes="|".join(f"courses {COURSES[course]} {other}" for other in COURSES if other != COURSES[course]),
    )


def _threatened_margin(ship: int, course: int) -> Markup:
    """R15: the margin, already torn if the ship would leave the chart."""
    x, y = beyond_edge(ship, course, 20)
    return placed(f"translate({x:g} {y:g}) rotate({course * 90 - 90}) scale(.62)", use("rip"))


def _ring(goal: int) -> tuple[Markup, ...]:
    if goal < 0:
        return ()
    x, y = cell_middle(goal)
    return (placed(f"translate({x:g} {y:g})", use("goal-ring", class_="goal")),)


@piece("{name}")
def course_arrow(identifier: str, name: str, ship: int, course: int, goal: int, ballot: str, say: Say) -> Markup:
    """Draw a laid course: an arrow in the colour of its ballot, and a ring at its goal."""
    (x, y), (across, down) = _arrow_spot(ship, course), STEP[course]
    edge = "var(--black)" if ballot == "white" else "var(--white)"
    arrow = placed(
        f"translate({x - 61 * across:g} {y - 61 * down:g}) rotate({course * 90 - 90})",
        tag("path", class_="glowing", d=ARROW),
        tag("path", d=ARROW, stroke_width=2.2, fill=f"var(--{ballot})", stroke=edge),
        use(f"token-{ballot}", x=70, y=0, scale=0.78),
    )
    codes = "vote white" if ballot == "white" else None
    title = course_title(course, goal < 0, say)
    return still_piece(identifier, title, *_ring(goal), arrow, class_="through", codes=codes)


# The two endings drawn on the chart


@piece("light", memory=16)
def _gold_light(identifier: str, cell: int) -> Markup:
    x, y = cell_middle(cell)
    sun = tag("g", use("flood"), use("rays"), class_="flooding", transform=f"translate({x:g} {y:g})")
    return still_piece(identifier, "", tag("g", sun, clip_path="url(#clip-chart)"), class_="through")


@piece("glory", memory=32)
def _risen_avalon(identifier: str, cell: int, say: Say) -> Markup:
    x, y = cell_middle(cell)
    halo = [tag("circle", r=radius, fill="var(--glow)", fill_opacity=part) for radius, part in ((92, 0.32), (70, 0.4))]
    isle = tag("g", *halo, use("avalon-isle", scale=1.75), class_="rising")
    at = Spot(min(max(x, CHART.left + 70), CHART.right - 70), min(max(y, CHART.top + 70), CHART.bottom - 60))
    return titled_group(identifier, say("Avalon"), isle, at=at, class_="through")


@piece("torn", memory=128)
def _torn_margin(identifier: str, ship: int, course: int) -> Markup:
    """R15: the margin torn where the ship left the chart."""
    torn = tag("g", use("rip", class_="rip"), class_="tearing", transform=f"rotate({course * 90 - 90})")
    return titled_group(identifier, "", torn, at=Spot(*beyond_edge(ship, course, 20)), class_="through")


@piece("{name}", memory=512)
def ribbon(identifier: str, name: str, text: str, y: float, grim: bool = False) -> Markup:
    """Draw a sentence on a ribbon across the chart, as wide as it needs."""
    half = max(170, len(text) * 8.6 + 40)
    path = f"M{-half} -22Q0 -36 {half} -22L{half - 14} 0L{half} 22Q0 8 {-half} 22L{14 - half} 0Z"
    words = tag("text", text, class_=f"b mid {'grim-text' if grim else 'on-gold'}", y=2, font_size=27)
    banner = tag("path", class_="banner grim" if grim else "banner", d=path)
    return titled_group(identifier, "", banner, words, at=Spot(CHART.middle, y), class_="through")
