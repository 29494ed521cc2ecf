"""Picture of Fairies: King Arthur's window between the gardens, and the seat's own cards.

`tavola.show.cards` describes the hooks. `wall.svg` is the scenery; `shapes.svg` and `picture.css` are the art.
Coordinates are in the board's own units.
"""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from tavola.games.fairies.components import Seen
from tavola.games.fairies.picture import hand as held
from tavola.games.fairies.picture import score_sheet
from tavola.games.fairies.picture.garden import planned_marks
from tavola.games.fairies.picture.layout import HEIGHT, WIDTH
from tavola.games.fairies.picture.scene import SOUNDS, draw_boards, scene
from tavola.games.fairies.picture.since import since
from tavola.show.board import Board
from tavola.show.cards import Picture, Witnessed
from tavola.show.kit import art, fitted_shape
from tavola.show.poster import titled_poster
from tavola.show.speech import Say, mark
from tavola.show.svg import tag

BOARDS = {
    "main": Board((WIDTH, HEIGHT), backdrop="wall.svg", rows=2),
    "hand": Board((held.WIDTH, held.HEIGHT), phone=held.STRIP),
    "side": Board((score_sheet.WIDTH, score_sheet.HEIGHT)),
}
STYLE, SHAPES = art(__file__)


def pieces(view: Seen, say: Say) -> Mapping[str, Mapping[str, Markup]]:
    return {**draw_boards(view, say), "side": score_sheet.score_sheet(view, say)}


def own_pieces(view: Seen, say: Say) -> dict[str, dict[str, Markup]]:
    if view.seat is None:
        return {}
    main, cards = dict(held.own_marks(view, say)), dict(held.hand(view, say))
    return {"main": main, "hand": cards, "side": score_sheet.own_shields(view, say)}


# The lesson: small drawings made of real pieces, shown beside the rules in one minute

SECTIONS = (
    (("king-21", 30, 10, 62, 70), ("king-22", 92, 10, 62, 70), ("shield-king", 158, 30, 70, 81)),
    (("card-star-g", 20, 16, 80, 118), ("back-wand", 120, 22, 72, 108)),
    (("star-g", 20, 30, 64, 64), ("star-b", 88, 30, 64, 64), ("star-r", 156, 30, 64, 64)),
    (("star-r", 60, 10, 66, 66), ("tail-j", 60, 74, 66, 66), ("fairy-r-on", 140, 24, 86, 93)),
    (("fairy-g-on", 20, 28, 86, 93), ("fairy-g-veil", 134, 28, 86, 93)),
    (("king-all", 20, 8, 122, 144), ("shield-peek", 158, 44, 64, 74)),
)
"""Shapes of each of the six sections: left, top, width and height."""


def plan_pieces(before: Seen, after: Seen, say: Say) -> dict[str, dict[str, Markup]]:
    return {"main": dict(planned_marks(before, after))}


def since_pieces(view: Seen, actions: Sequence[Witnessed], say: Say) -> dict[str, dict[str, Markup]]:
    return {"main": dict(since(view, actions, say))}


def lesson(number: int, say: Say) -> Markup:
    shapes = (fitted_shape(*shape) for shape in SECTIONS[number])
    return tag("svg", *shapes, viewBox="0 0 240 160", class_="picture fairies", aria_hidden="true")


PICTURE = Picture(
    boards=BOARDS,
    style=STYLE,
    shapes=SHAPES,
    pieces=pieces,
    own_pieces=own_pieces,
    lesson=lesson,
    poster=titled_poster(__file__, mark("The Fairies of Avalon"), 944, 84, 700, "var(--y1)", "#0d0b16"),
    scene=scene,
    sounds=SOUNDS,
    plan_pieces=plan_pieces,
    since_pieces=since_pieces,
)
