"""The picture of Fairies: King Arthur's window between the gardens, and the cards in one's own hand.

`tavola.show.board` says what each public name is for. `wall.svg` is the scenery; `shapes.svg` and `picture.css` are
the art. Coordinates are the board's own units.
"""

from collections.abc import Mapping

from markupsafe import Markup

from tavola.games.fairies.components import Seen
from tavola.games.fairies.picture import hand as held
from tavola.games.fairies.picture import sheet
from tavola.games.fairies.picture.lesson import lesson
from tavola.games.fairies.picture.places import HEIGHT, WIDTH
from tavola.games.fairies.picture.scene import board, scene
from tavola.show.board import Board
from tavola.show.kit import art
from tavola.show.speech import Say

__all__ = ["BOARDS", "SHAPES", "STYLE", "lesson", "own", "pieces", "scene"]

BOARDS = {
    "main": Board((WIDTH, HEIGHT), backdrop="wall.svg", rows=2),
    "hand": Board((held.WIDTH, held.HEIGHT), phone=held.STRIP),
    "side": Board((sheet.WIDTH, sheet.HEIGHT)),
}
STYLE, SHAPES = art(__file__)


def pieces(view: Seen, say: Say) -> Mapping[str, Mapping[str, Markup]]:
    """Everything that can change and that all may see, by board and id, in the order of drawing."""
    return {**board(view, say), "side": sheet.sheet(view, say)}


def own(view: Seen, say: Say) -> dict[str, dict[str, Markup]]:
    """What the view's seat alone sees."""
    if view.seat is None:
        return {}
    return {"main": held.mine(view, say), "hand": held.hand(view, say), "side": sheet.in_hand(view, say)}
