"""The chart: visited squares in watercolour, the fog, the route, the ship, and the courses that lead from it."""

import math

from markupsafe import Markup

from tavola.games.voyage.components import (
    CELLS,
    CHART_CROSSES,
    CHART_ISLANDS,
    COURSES,
    FOG,
    RANDOM,
    Ending,
    Phase,
)
from tavola.games.voyage.picture.board_state import (
    BOTTOM,
    LEFT,
    MIDDLE,
    RIGHT,
    STEP,
    TOP,
    BoardState,
    Point2D,
    cell_middle,
    cells_in,
    exit_point,
    isle_shape,
)
from tavola.games.voyage.words.titles import LETTER, back_title, course_title, ending_text, kind_of, tile_title
from tavola.show.kit import PieceItem, PieceItems, piece, use
from tavola.show.speech import Say
from tavola.show.svg import group, tag

FOG_CELLS = cells_in(FOG)
OFFING = {
    "h1": (-14, 30),
    "f1": (0, 26),
    "g1": (0, 30),
    "i1": (-32, 30),
    "i2": (-26, 6),
    "i3": (-20, 22),
    "h2": (12, 30),
}
"""The spots at which the route touches squares with land, seen from their middles."""
ANCHORAGE, SHIP = (-1, -12), 0.68
"""The ship's place in a square, so that the square is still seen, and its scale."""
THUMB = 98
"""The width that a thumb needs on a phone, where 820 units are 360 pixels."""
AXES = tag("g", use("letters"), id="axes", class_="piece axis through")
"""Letters and numbers at the neatline, above paint and fog, so that a square can always be named."""
DART = "M-30 -10L14 -10L12 -24L44 0L12 24L14 10L-30 10Z"
ARROW = "M30 -7C46 -10 58 -10 66 -8L64 -19L92 0L64 19L66 8C56 6 44 6 30 8Z"


def chart(shown: BoardState, say: Say) -> PieceItems:
    """All of the chart that lies under the cards, the lowest first."""
    if shown.layout != RANDOM:
        yield _charted_islands(say)
    if shown.ending == Ending.AVALON:
        yield _gold_light(shown.ship)
    painted = shown.explored
    for cell in cells_in(painted):
        kind = kind_of(cell, shown.crosses, shown.plains, shown.avalon)
        yield _tile(cell, kind, shown.ending == Ending.AVALON and cell == shown.ship, say)
    yield from _fog(painted, shown.ship if shown.ending == Ending.AVALON else -1, shown.avalons, say)
    yield "axes", AXES
    yield from _route(shown)
    if shown.ending == Ending.ROUTE_LOST and shown.adrift:
        yield _torn_margin(shown.ship, shown.turns[-1].sailed - 1)
    yield _ship(shown, say)
    yield from _courses(shown, say)
    if shown.ending == Ending.AVALON:
        yield _risen_avalon(shown.ship, say)


@piece("charted", memory=8)
def _charted_islands(identifier: str, say: Say) -> Markup:
    """R4: what the recommended chart tells of islands not reached yet, in pen."""
    isles = []
    for cell in cells_in(CHART_ISLANDS):
        x, y = cell_middle(cell)
        kind = "cross" if CHART_CROSSES >> cell & 1 else "plain"
        shape = use(isle_shape(cell, kind == "cross"), x, y)
        isles.append(tag("g", tag("title", back_title(cell, kind, say)), shape))
    return tag("g", *isles, id=identifier, class_="piece charted")


@piece("tile-{cell}", cell=CELLS, memory=512)
def _tile(identifier: str, cell: int, kind: str, glorious: bool, say: Say) -> Markup:
    """A visited square. Avalon itself rises above the light, so that its square is but water."""
    x, y = cell_middle(cell)
    title = tag("title", tile_title(cell, kind, say))
    if kind == "coast":
        wet = tag("g", use(f"coast-{CELLS[cell]}"), class_="wet")
        return group(identifier, title, wet, class_="fresh")
    inner = [use(f"wash-{cell % 3}", turned=cell * 7 % 4 * 90), use(f"pen-{(cell + 1) % 3}")]
    if FOG >> cell & 1:
        inner.append(use("mist"))
    if kind in ("cross", "plain"):
        inner.append(use(isle_shape(cell, kind == "cross")))
    elif kind == "start":
        inner.append(use("start-rose"))
    elif kind == "avalon" and not glorious:
        inner.append(use("avalon-isle"))
    return group(identifier, title, tag("g", *inner, class_="wet"), x=x, y=y, class_="fresh")


def _fog(visited: int, found: int, avalons: tuple[int, int], say: Say) -> PieceItems:
    """One bank of billows; a visited square takes its own away, and Avalon parts them all."""
    left = [cell for cell in FOG_CELLS if not visited >> cell & 1]
    for cell in left:
        yield _billow("haze", cell, _billow_drift(cell, found), "")
    title = say("Fog: {count} tiles face down, Avalon among them {times} times", count=avalons[1], times=avalons[0])
    for cell in left:
        yield _billow("fog", cell, _billow_drift(cell, found), title)


def _billow_drift(cell: int, found: int) -> Point2D:
    """Return how far a billow drifts from Avalon, once it is found."""
    if found < 0:
        return 0, 0
    (x, y), (from_x, from_y) = cell_middle(cell), cell_middle(found)
    away = math.hypot(x - from_x, y - from_y) or 1
    push = 26 + 3400 / away
    return round((x - from_x) / away * push), round((y - from_y) / away * push)


@piece("{layer}-{cell}", cell=CELLS, memory=512)
def _billow(identifier: str, layer: str, cell: int, aside: Point2D, title: str) -> Markup:
    x, y = cell_middle(cell)
    told = [tag("title", f"{CELLS[cell]}. {title}")] if title else []
    shape = use(f"billow-{'edge-' if layer == 'haze' else ''}{CELLS[cell]}", class_="drift")
    return group(identifier, *told, shape, x=x + aside[0], y=y + aside[1], class_="billow")


# The route


def _stop(number: int, cell: int, land: bool) -> Point2D:
    """Return where the route touches a square: beside its land, and on open water a little here and there."""
    x, y = cell_middle(cell)
    name = CELLS[cell]
    if name in OFFING:
        return x + OFFING[name][0], y + OFFING[name][1]
    if land:
        return x + (28 if number % 2 else -28), y + 32
    return x + number * 5 % 21 - 10, y + 6 + number * 7 % 13 - 6


def _route(shown: BoardState) -> PieceItems:
    """Each leg as an inked line with the number of the turn in which it began; the last one shines."""
    land = shown.crosses | shown.plains | shown.avalon
    places = [_stop(number, cell, bool(land >> cell & 1)) for number, cell in enumerate(shown.stops)]
    if shown.adrift and shown.ending == Ending.ROUTE_LOST:
        places.append(exit_point(shown.ship, shown.turns[-1].sailed - 1))
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
        stop = tag(
            "g",
            tag("circle", class_="stop", r=9),
            tag("text", str(number - 1), class_="stop-number fine", y=4.3),
            tag("circle", class_="stop-dot coarse", r=3.5),
            transform=f"translate({x:g} {y:g})",
        )
    line = tag("g", tag("path", class_="way-edge", d=path), tag("path", class_="way", d=path), class_="drawn")
    return tag("g", line, stop, id=identifier, class_="piece through last" if last else "piece through")


def _ship(shown: BoardState, say: Say) -> PieceItem:
    sailed = [leg.sailed - 1 for leg in shown.turns if leg.sailed]
    across = [course for course in sailed if course in (1, 3)]
    west = not across or across[-1] == 3
    if shown.adrift:
        return _drawn_ship(exit_point(shown.ship, sailed[-1]), west, 9, say("the ship, off the chart"))
    x, y = cell_middle(shown.ship)
    title = say("the ship, on {cell}", cell=CELLS[shown.ship])
    return _drawn_ship((x + ANCHORAGE[0], y + ANCHORAGE[1]), west, 0, title)


@piece("ship", memory=512)
def _drawn_ship(identifier: str, at: Point2D, west: bool, heel: int, title: str) -> Markup:
    hull = tag("g", use("caravel"), transform=f"rotate({heel}) scale({-SHIP if west else SHIP} {SHIP})")
    return group(identifier, tag("title", title), use("lantern"), hull, x=at[0], y=at[1], class_="ship through")


# The courses


def _courses(shown: BoardState, say: Say) -> PieceItems:
    """While the captain chooses, the courses he may lay; in the ballot, the one that lies open."""
    leg = shown.turns[-1] if shown.turns else None
    if leg and shown.phase == Phase.COURSES:
        for course in range(len(COURSES)):
            if leg.courses >> course & 1:
                losing = bool(leg.losing >> course & 1)
                yield _course_choice(shown.turn, shown.ship, course, shown.goal(course), losing, say)
    elif leg and shown.phase == Phase.BALLOT:
        course = (leg.sailed or leg.preferred) - 1
        ballot = "black" if leg.alternative_sailed else "white"
        name = f"laid-{shown.turn}-{COURSES[course]}"
        yield course_arrow(name, shown.ship, course, shown.goal(course), ballot, say)


def _touch_band(ship: int, course: int) -> dict[str, float]:
    """The strip of water that a thumb touches: from the ship over the edge of the chart."""
    x, y = cell_middle(ship)
    across, down = STEP[course]
    edge = (y - TOP + 32, RIGHT + 32 - x, BOTTOM + 32 - y, x - LEFT + 32)[course]
    length = max(edge - 34, THUMB)
    if across:
        return {"x": x + 34 if across > 0 else x - 34 - length, "y": y - THUMB / 2, "width": length, "height": THUMB}
    return {"x": x - THUMB / 2, "y": y + 34 if down > 0 else y - 34 - length, "width": THUMB, "height": length}


def _arrow_spot(ship: int, course: int) -> Point2D:
    """Return where the arrow of a course lies: ahead of the ship, clear of her masts, and within what a phone shows."""
    x, y = cell_middle(ship)
    across, down = STEP[course]
    x, y = x + across * 66, y + down * (66 if course else 114)
    return min(max(x, LEFT + 18), RIGHT - 20), min(max(y, TOP + 22), BOTTOM - 2)


@piece("heading-{turn}-{course}", course=COURSES)
def _course_choice(identifier: str, turn: int, ship: int, course: int, goal: int, losing: bool, say: Say) -> Markup:
    """A course to choose: the whole row or column in its heading, a dart with its letter, a ring where it leads."""
    at = _arrow_spot(ship, course)
    place = f"translate({at[0]:g} {at[1]:g})"
    others = (alternative for alternative in COURSES if alternative != COURSES[course])
    return tag(
        "g",
        tag("title", course_title(course, losing, say)),
        tag("rect", class_="band", rx=20, **_touch_band(ship, course)),
        *_ring(goal),
        tag("path", class_="glowing", d=DART, transform=f"{place} rotate({course * 90 - 90})"),
        tag("path", class_="dart", d=DART, transform=f"{place} rotate({course * 90 - 90})"),
        tag("text", say(LETTER[course]), class_="b mid dart-letter", x=at[0], y=at[1] + 8),
        id=identifier,
        class_="piece heading losing" if losing else "piece heading",
        codes="|".join(f"courses {COURSES[course]} {alternative}" for alternative in others),
    )


def _ring(goal: int) -> tuple[Markup, ...]:
    if goal < 0:
        return ()
    x, y = cell_middle(goal)
    return (tag("g", use("goal-ring", class_="goal"), transform=f"translate({x:g} {y:g})"),)


@piece("{name}")
def course_arrow(identifier: str, name: str, ship: int, course: int, goal: int, ballot: str, say: Say) -> Markup:
    """A course that lies on the table: an arrow in the colour of its ballot, and a ring where it leads."""
    at, (across, down) = _arrow_spot(ship, course), STEP[course]
    paint = {"fill": f"var(--{ballot})", "stroke": "var(--black)" if ballot == "white" else "var(--white)"}
    arrow = tag(
        "g",
        tag("path", class_="glowing", d=ARROW),
        tag("path", d=ARROW, stroke_width=2.2, **paint),
        use(f"token-{ballot}", x=70, y=0, scale=0.78),
        transform=f"translate({at[0] - 61 * across:g} {at[1] - 61 * down:g}) rotate({course * 90 - 90})",
    )
    title = tag("title", course_title(course, goal < 0, say))
    codes = "vote white" if ballot == "white" else None
    return tag("g", title, *_ring(goal), arrow, id=identifier, class_="piece through", codes=codes)


# The two ends that are drawn on the chart


@piece("light", memory=16)
def _gold_light(identifier: str, cell: int) -> Markup:
    """The gold that floods the chart under its paint."""
    x, y = cell_middle(cell)
    sun = tag("g", use("flood"), use("rays"), class_="flooding", transform=f"translate({x:g} {y:g})")
    return tag("g", tag("g", sun, clip_path="url(#clip-chart)"), id=identifier, class_="piece through")


@piece("glory", memory=32)
def _risen_avalon(identifier: str, cell: int, say: Say) -> Markup:
    """Avalon as it rises out of the fog, larger than its square."""
    x, y = cell_middle(cell)
    halo = [tag("circle", r=radius, fill="var(--glow)", fill_opacity=part) for radius, part in ((92, 0.32), (70, 0.4))]
    isle = tag("g", *halo, use("avalon-isle", scale=1.75), class_="rising")
    x, y = min(max(x, LEFT + 70), RIGHT - 70), min(max(y, TOP + 70), BOTTOM - 60)
    return group(identifier, tag("title", say("Avalon")), isle, x=x, y=y, class_="through")


@piece("torn", memory=128)
def _torn_margin(identifier: str, ship: int, course: int) -> Markup:
    """R15: the margin torn where the ship left the chart."""
    x, y = cell_middle(ship)
    at = ((x, TOP - 20), (RIGHT + 20, y), (x, BOTTOM + 20), (LEFT - 20, y))[course]
    torn = tag("g", use("rip", class_="rip"), class_="tearing", transform=f"rotate({course * 90 - 90})")
    return group(identifier, torn, x=at[0], y=at[1], class_="through")


def banner(ending: int, say: Say) -> PieceItem:
    """Return how the voyage ended, on a ribbon over the chart."""
    return ribbon("ending", ending_text(ending, say), 118, ending == Ending.ROUTE_LOST)


@piece("{name}", memory=512)
def ribbon(identifier: str, name: str, text: str, y: float, grim: bool = False) -> Markup:
    """A sentence on a ribbon across the chart, as wide as it needs."""
    half = max(170, len(text) * 8.6 + 40)
    path = f"M{-half} -22Q0 -36 {half} -22L{half - 14} 0L{half} 22Q0 8 {-half} 22L{14 - half} 0Z"
    return group(
        identifier,
        tag("path", class_="banner grim" if grim else "banner", d=path),
        tag("text", text, class_=f"b mid {'grim-text' if grim else 'on-gold'}", y=2, font_size=27),
        x=MIDDLE,
        y=y,
        class_="through",
    )
