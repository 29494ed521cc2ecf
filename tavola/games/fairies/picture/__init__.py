"""The picture of Fairies: King Arthur's window between the gardens, and the cards in one's own hand.

`tavola.show.cards` says what each hook is for. `wall.svg` is the scenery; `shapes.svg` and `picture.css` are
the art. Coordinates are the board's own units.
"""

from collections.abc import Mapping

from markupsafe import Markup

from tavola.games.fairies.components import Seen
from tavola.games.fairies.picture import hand as held
from tavola.games.fairies.picture import score_sheet
from tavola.games.fairies.picture.layout import HEIGHT, WIDTH
from tavola.games.fairies.picture.lesson import lesson
from tavola.games.fairies.picture.poster import poster
from tavola.games.fairies.picture.scene import draw_boards, scene
from tavola.games.fairies.picture.sounds import SOUNDS
from tavola.show.board import Board
from tavola.show.cards import Picture
from tavola.show.kit import art
from tavola.show.speech import Say

BOARDS = {
    "main": Board((WIDTH, HEIGHT), backdrop="wall.svg", rows=2),
    "hand": Board((held.WIDTH, held.HEIGHT), phone=held.STRIP),
    "side": Board((score_sheet.WIDTH, score_sheet.HEIGHT)),
}
STYLE, SHAPES = art(__file__)


def pieces(view: Seen, say: Say) -> Mapping[str, Mapping[str, Markup]]:
    """Everything that can change and that all may see, by board and id, in the order of drawing."""
    return {**draw_boards(view, say), "side": score_sheet.score_sheet(view, say)}


def own_pieces(view: Seen, say: Say) -> dict[str, dict[str, Markup]]:
    """Draw what the view's seat alone sees."""
    if view.seat is None:
        return {}
    main, cards = dict(held.own_marks(view, say)), dict(held.hand(view, say))
    return {"main": main, "hand": cards, "side": score_sheet.own_shields(view, say)}


PICTURE = Picture(
    boards=BOARDS,
    style=STYLE,
    shapes=SHAPES,
    pieces=pieces,
    own_pieces=own_pieces,
    lesson=lesson,
    poster=poster,
    scene=scene,
    sounds=SOUNDS,
)
