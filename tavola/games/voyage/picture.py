"""The picture of Voyage: a view as pieces on an old chart. See `tavola.show.board` for what a page may rely on.

Every piece is drawn by a cached function of the few integers it shows, so a turn costs what it changed.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from tavola.core import View
from tavola.games.voyage.components import (
    BALLOT,
    CELL_COUNT,
    CELLS,
    CHOOSE_COURSES,
    COURSES,
    FOG,
    FOUND,
    LOST,
    LOT,
    NEIGHBOUR,
    OVER,
    START_CELL,
    TURN_TILE,
)
from tavola.games.voyage.picture_chart import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, back, cell_middle, chart
from tavola.games.voyage.picture_chart import coast_number as coast
from tavola.games.voyage.picture_panel import (
    ACTING,
    NO_VOTE,
    THINKS,
    VOTED,
    alternative_card,
    captain_marker,
    ending_banner,
    logged,
    own_alternative,
    own_role,
    own_vote,
    preferred_card,
    revealed,
    seat_panel,
    turn_marker,
    turned_role,
    verdict,
    vote_cards,
)
from tavola.games.voyage.picture_shapes import heading
from tavola.games.voyage.picture_style import STYLE
from tavola.games.voyage.picture_tiles import SEAS, TILE, face
from tavola.games.voyage.words.titles import COURSE, LETTER, course_title, kind_of, tile_title
from tavola.show.board import Board
from tavola.show.prints import Place, use, wordless
from tavola.show.speech import Say
from tavola.show.svg import group, tag

__all__ = ["BOARDS", "SHAPES", "STYLE", "own", "pieces"]

BOARDS = {"main": Board((WIDTH, HEIGHT))}
SHAPES = Markup("")
CACHE = 4096
STEP = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Where each course leads, x to the right and y down."""
ANCHORAGE, SHIP_SCALE = (-9, 12), 0.88
"""Where the ship lies on a tile, so that the tile is still seen."""

BUOY, EDGE = 45, 31
"""How far the buoys of the courses lie from the middle of the ship's tile, and at least from the edge of the sheet."""

Pieces = tuple[tuple[str, Markup], ...]


def _background(view: View, say: Say) -> Markup:
    """The sheet, the chart face down, the counters, the summary, and the definitions of all shapes."""
    return chart(view.table.layout, view.table.sailor, wordless(view.game, say.language))


def pieces(view: View, say: Say) -> dict[str, dict[str, Markup]]:
    """What all may see, the lowest first."""
    return {"main": {"chart": _background(view, say), **_moving(view, say)}}


def _moving(view: View, say: Say) -> dict[str, Markup]:
    """Everything that can change."""
    table, bare = view.table, wordless(view.game, say.language)
    drawn: dict[str, Markup] = {}
    drawn.update(_tiles(table, bare))
    drawn.update(_wake(tuple(turn.reached for turn in table.turns[: table.turn])))
    if table.ending == FOUND:
        drawn.update(_glory(table.ship, bare))
    drawn.update(_ship(table.ship, bare))
    drawn.update(_courses(table, bare))
    if table.ending == LOST and table.turns[table.turn - 1].sailed:
        drawn.update(_lost(table.turn, table.ship, table.turns[table.turn - 1].sailed - 1, bare))
    drawn.update(_track(table, say, bare))
    drawn.update(_desk(table, say, bare))
    drawn.update(_seats(view, say, bare))
    return drawn


def own(view: View, say: Say) -> dict[str, dict[str, Markup]]:
    """What the owner of the hand alone sees: the role, the vote played face down, the alternative laid."""
    bare = wordless(view.game, say.language)
    return {"main": {**dict(_private_course(view, bare)), **dict(_private(view, bare))}}


def _in(cells: int) -> Iterator[int]:
    return (cell for cell in range(CELL_COUNT) if cells >> cell & 1)


# The chart


def _tiles(table: Any, say: Say) -> Iterator[tuple[str, Markup]]:
    """The tiles that lie open; the one turned last turns as it enters the page."""
    reached = [turn.reached for turn in table.turns[: table.turn] if turn.reached]
    last = reached[-1] if reached else 0
    for cell in _in(table.explored):
        kind = kind_of(cell, table.crosses, table.plains, table.avalon)
        yield _tile(cell, kind, table.layout, cell + 1 == last, say)


@lru_cache(maxsize=CACHE)
def _tile(cell: int, kind: str, layout: int, fresh: bool, say: Say) -> tuple[str, Markup]:
    identifier = f"tile-{CELLS[cell]}"
    name = {"coast": f"coast-{coast(cell)}", "open": f"open-{SEAS[cell * 4 % len(SEAS)]}"}.get(kind, kind)
    front = (face(name), use("mist")) if FOG >> cell & 1 and kind != "avalon" else (face(name),)
    shown: tuple[Markup, ...] = front
    if fresh:
        shown = (
            tag("path", class_="table", d=TILE),
            tag("g", *front, class_="face"),
            tag("g", *back(cell, layout), class_="back"),
        )
    x, y = cell_middle(cell)
    title = tag("title", tile_title(cell, kind, say))
    return identifier, group(identifier, title, *shown, x=x, y=y, class_="fresh" if fresh else "")


@lru_cache(maxsize=CACHE)
def _glory(cell: int, say: Say) -> Pieces:
    """Avalon as it comes out of the fog, larger than the tile it was on."""
    x, y = cell_middle(cell)
    x, y = min(max(x, LEFT + 46), RIGHT - 46), min(max(y, TOP + 46), BOTTOM - 46)
    island = tag("g", use("light"), face("avalon", transform="scale(1.35)"), class_="after")
    return (("glory", group("glory", tag("title", say("Avalon")), island, x=x, y=y, class_="through")),)


@lru_cache(maxsize=CACHE)
def _wake(reached: tuple[int, ...]) -> Pieces:
    """The path of the voyage from tile to tile: legs over the same tiles lie a little beside each other."""
    stops = [START_CELL, *(cell - 1 for cell in reached if cell)]
    if len(stops) == 1:
        return ()
    spots = [_stop(number, cell) for number, cell in enumerate(stops)]
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in spots)
    return (
        (
            "wake",
            group(
                "wake",
                tag("path", class_="way wake-edge", d=path),
                tag("path", class_="way wake", d=path),
                class_="through",
            ),
        ),
    )


def _stop(number: int, cell: int) -> Place:
    x, y = cell_middle(cell)
    return x + ANCHORAGE[0] + number * 3 % 7 - 3, y + ANCHORAGE[1] + 4 + number * 5 % 7 - 3


@lru_cache(maxsize=CACHE)
def _ship(cell: int, say: Say) -> Pieces:
    x, y = cell_middle(cell)
    title = tag("title", say("the ship, on {cell}", cell=CELLS[cell]))
    x, y = x + ANCHORAGE[0], y + ANCHORAGE[1]
    ship = group("ship", title, use("ship-shape"), x=x, y=y, scale=SHIP_SCALE, class_="ship through")
    return (("ship", ship),)


def _courses(table: Any, say: Say) -> Iterator[tuple[str, Markup]]:
    """While the captain chooses, the courses he may lay; in the ballot, the preferred one."""
    turn = table.turns[table.turn - 1]
    if table.phase == CHOOSE_COURSES:
        for course in range(len(COURSES)):
            if turn.courses >> course & 1:
                losing = bool(turn.losing >> course & 1)
                yield _course(table.turn, table.ship, course, _goal(table.explored, table.ship, course), losing, say)
    elif table.phase == BALLOT:
        course = turn.preferred - 1
        goal = _goal(table.explored, table.ship, course)
        identifier = f"heading-{table.turn}"
        yield identifier, _leg(identifier, table.ship, course, goal, "vote white", say)


def _goal(explored: int, ship: int, course: int) -> int:
    """R14: the tile that a course leads to; -1 beyond the edge of the map."""
    cell = int(NEIGHBOUR[ship, course])
    while cell >= 0 and explored >> cell & 1:
        cell = int(NEIGHBOUR[cell, course])
    return cell


@lru_cache(maxsize=CACHE)
def _course(turn: int, ship: int, course: int, goal: int, losing: bool, say: Say) -> tuple[str, Markup]:
    """A course to choose: a buoy with its letter at the edge of the ship's tile, and the tile it leads to."""
    identifier = f"course-{turn}-{COURSES[course]}"
    x, y = cell_middle(ship)
    across, down = STEP[course]
    middle = (
        min(max(x + across * BUOY, EDGE), WIDTH - EDGE) - x,
        max(y + down * BUOY, EDGE) - y,
    )
    others = (alternative for alternative in COURSES if alternative != COURSES[course])
    drawn = group(
        identifier,
        tag("title", course_title(course, losing, say)),
        *_framed(goal, x, y),
        _buoy(middle, course, losing, say),
        x=x,
        y=y,
        class_="asked",
        codes="|".join(f"courses {COURSES[course]} {alternative}" for alternative in others),
    )
    return identifier, drawn


def _framed(goal: int, x: float, y: float) -> tuple[Markup, ...]:
    """The frame around the tile a course leads to, seen from (x, y)."""
    if goal < 0:
        return ()
    to_x, to_y = cell_middle(goal)
    frame = {"x": to_x - x - 31, "y": to_y - y - 31, "width": 62, "height": 62, "rx": 6}
    return tag("rect", class_="goal-edge", **frame), tag("rect", class_="goal", **frame)


def _buoy(middle: Place, course: int, losing: bool, say: Say) -> Markup:
    """The letter of a course on an arrowhead; red where the route would be lost."""
    head = "M0 -25L12 -14Q21 -6 18 6A18.5 18.5 0 0 1 -18 6Q-21 -6 -12 -14Z"
    return tag(
        "g",
        tag(
            "g",
            tag(
                "path",
                d=head,
                fill="var(--edge,var(--halo))",
                stroke="var(--edge,var(--halo))",
                stroke_width="var(--edge-width,6)",
                stroke_linejoin="round",
            ),
            tag("path", d=head, class_=f"{'danger' if losing else 'cardboard'} inked"),
            transform=f"rotate({heading(course)})",
        ),
        tag("circle", r=27, fill_opacity=0),
        tag("text", say(LETTER[course]), class_="on-white" if not losing else "on-danger", y=8),
        transform=f"translate({middle[0]:g} {middle[1]:g})",
    )


def _edge(ship: int, course: int) -> Place:
    """Where a course that loses the route leaves the chart."""
    x, y = cell_middle(ship)
    return ((x, TOP - 14), (RIGHT + 8, y), (x, BOTTOM + 12), (LEFT - 8, y))[course]


def _leg(identifier: str, ship: int, course: int, goal: int, codes: str | None, say: Say, kind: str = "") -> Markup:
    """The arrow of a course that was laid, from the ship to where it leads."""
    x, y = cell_middle(ship)
    to_x, to_y = cell_middle(goal) if goal >= 0 else _edge(ship, course)
    across, down = STEP[course]
    away = 26 if goal >= 0 else 16
    start = (across * away, down * away)
    short_of = 14 if goal >= 0 else 0
    end = (to_x - x - across * short_of, to_y - y - down * short_of)
    path = f"M{start[0]:g} {start[1]:g}L{end[0]:g} {end[1]:g}"
    head = tag(
        "path",
        class_="leg-head",
        d="M0 -17L16 11L0 5L-16 11Z",
        transform=f"translate({end[0]:g} {end[1]:g}) rotate({heading(course)})",
    )
    return group(
        identifier,
        tag("title", say(COURSE[course])),
        *_framed(goal, x, y),
        tag("path", class_="way leg-edge", d=path),
        tag("path", class_="way leg", d=path),
        head,
        x=x,
        y=y,
        class_=f"through asked {kind or ('lost' if goal < 0 else '')}".rstrip(),
        codes=codes,
    )


def _private_course(view: View, say: Say) -> Iterator[tuple[str, Markup]]:
    """The arrow of the alternative that the captain has laid: only the captain has this piece."""
    table = view.table
    if view.seat == table.captain and table.phase == BALLOT:
        course = view.hand.alternatives[table.turn - 1] - 1
        goal = _goal(table.explored, table.ship, course)
        yield "own-course", _leg("own-course", table.ship, course, goal, None, say, "secret")


@lru_cache(maxsize=CACHE)
def _lost(turn: int, ship: int, course: int, say: Say) -> Pieces:
    """R15: the course that led off the chart."""
    identifier = f"lost-{turn}"
    return ((identifier, _leg(identifier, ship, course, -1, None, say)),)


# The panel


def _track(table: Any, say: Say, bare: Say) -> Iterator[tuple[str, Markup]]:
    for number, turn in enumerate(table.turns[: table.turn], 1):
        if turn.sailed:
            yield logged(number, turn, say.name(turn.captain), bare)
    if table.turn:
        yield from turn_marker(table.turn, table.phase == OVER, bare)


def shown_turn(table: Any) -> int:
    """The turn on the desk: the present one, or until its courses are laid the one before; 0 before the first."""
    laid = table.turn and table.turns[table.turn - 1].preferred
    return int(table.turn if laid else max(table.turn - 1, 0))


def _voted_on(turn: Any) -> bool:
    """Whether there was a ballot in a turn: none where only one course could be sailed (R11)."""
    return bool(turn.sailed and turn.courses & (turn.courses - 1))


def _desk(table: Any, say: Say, bare: Say) -> Iterator[tuple[str, Markup]]:
    """The captain's two courses, the votes to be clicked, and the count of the last ballot."""
    number = shown_turn(table)
    if number:
        turn = table.turns[number - 1]
        yield preferred_card(number, turn.preferred - 1, bare)
        if turn.courses & (turn.courses - 1):
            opened = turn.sailed - 1 if turn.sailed and turn.sailed != turn.preferred else None
            yield alternative_card(number, opened, bare)
    yield from vote_cards(bare)
    if number and _voted_on(table.turns[number - 1]):
        turn = table.turns[number - 1]
        tied = 2 * turn.black.bit_count() == table.players
        yield verdict(number, turn, table.players, say.name(turn.captain) if tied else "", bare)


def _seats(view: View, say: Say, bare: Say) -> Iterator[tuple[str, Markup]]:
    table = view.table
    acting = () if table.phase in (LOT, OVER, TURN_TILE) else view.public().to_act
    over = table.phase == OVER
    for seat in range(table.players):
        card = NO_VOTE if table.phase != BALLOT else VOTED if table.voted >> seat & 1 else THINKS
        tab = view.standing.places[seat] if over else ACTING if seat in acting else 0
        yield seat_panel(seat, table.players, say.name(seat), card, tab, table.phase == LOT, bare)
    if table.turn:
        yield captain_marker(table.captain, table.players, bare)
    number = shown_turn(table)
    if number and _voted_on(table.turns[number - 1]):
        for seat in range(table.players):
            black = bool(table.turns[number - 1].black >> seat & 1)
            yield revealed(number, seat, table.players, black, bare)
    if over:
        for seat in range(table.players):
            yield turned_role(seat, table.players, table.roles[seat] - 1, view.standing.points[seat], bare)
        yield from ending_banner(table.ending, bare)


def _private(view: View, say: Say) -> Iterator[tuple[str, Markup]]:
    """What the owner of the hand alone sees: the role, the vote played face down, the alternative laid."""
    if view.seat is None:
        return
    table, hand = view.table, view.hand
    if hand.role and table.phase != OVER:
        yield own_role(hand.role - 1, table.sailor, say)
    if hand.card:
        yield own_vote(view.seat, table.players, hand.card - 1, say)
    if view.seat == table.captain and table.phase == BALLOT:
        yield own_alternative(table.turn, hand.alternatives[table.turn - 1] - 1, say)
